//! Forces of impacts in runs.

use carom_report::{Job, LiveRun, OptionsRecord};
use carom_scene::Scene;
use std::time::Duration;

/// A ball of mass m that falls on the ground with velocity −v and rebounds with e v.
fn events(duration: f64) -> Vec<carom_report::EventLine> {
    let text = r#"
        [body.ball]
        mass = 0.3
        shape = { sphere = 0.05 }
        position = [0, 0, 1]
        [body.ground]
        shape = "plane"
        [[contact]]
        between = ["ball", "ground"]
        restitution = 0.5
        friction = 0.3
    "#;
    let scene = Scene::parse(text, "ball.toml").unwrap();
    let options = OptionsRecord { impact_duration: Some(duration), ..OptionsRecord::default() };
    let job = Job { options, ..Job::default() };
    let mut live = LiveRun::new(&scene.model, job, Vec::new());
    let result = scene.simulation().unwrap().run_with(1.0, &mut live);
    live.finish(scene, &result, false, Duration::ZERO).events
}

#[test]
fn eq1_mean_forces() {
    for duration in [1e-3, 2e-4] {
        let events = events(duration);
        let impact = events.iter().find(|e| e.kind == "impact").unwrap();
        let v = (2.0_f64 * 9.81 * 0.95).sqrt();
        let force = impact.contacts[0].force.as_ref().unwrap();
        let expected = 0.3 * 1.5 * v / duration;
        assert!((force.mean_normal / expected - 1.0).abs() < 1e-9, "{}", force.mean_normal);
        assert!(force.mean_tangent.iter().all(|f| f.abs() < 1e-9 * expected));
        // What does not jump has none.
        let other = events.iter().filter(|e| !e.is_jump()).flat_map(|e| &e.contacts);
        assert!(
            other.clone().count() > 0
                || events.iter().all(|e| e.is_jump() || e.contacts.is_empty())
        );
        assert!(other.into_iter().all(|c| c.force.is_none()));
    }
}

/// One contact, frontal: F over the mean displacement ε (v⁺ − v⁻)/2 does the work T⁺ − T⁻, so F = m (v + e v)/ε, the
/// mean force itself: for one frontal contact both estimates are the same.
#[test]
fn eq2_least_forces() {
    let events = events(1e-3);
    for impact in events.iter().filter(|e| e.kind == "impact") {
        let force = impact.contacts[0].force.as_ref().unwrap();
        let least = force.least_normal.unwrap();
        assert!((least / force.mean_normal - 1.0).abs() < 1e-9, "{least} {}", force.mean_normal);
        let work = least * 1e-3 * 0.5 * (impact.velocity_after[2] + impact.velocity_before[2]);
        assert!((work - (impact.energy_after - impact.energy_before)).abs() < 1e-9);
    }
}
