//! The worker of a study.

use carom::contact::sites;
use carom::state::State;
use carom_agility::{Stance, Task};
use carom_scene::Scene;
use carom_scene::study::{Jump, Worker, by_torques_alone, with_friction};
use nalgebra::Vector3;

fn leg() -> Scene {
    Scene::load_with(carom_testing::scene("jumper.toml"), &["solver.until=0.02"]).unwrap()
}

fn jumps(scene: &Scene, samples: [u64; 3], along: Option<Vector3<f64>>) -> Vec<Jump> {
    let worker = Worker::new(scene, scene.study.as_ref().unwrap()).unwrap();
    let mut worker = match along {
        Some(direction) => worker.along(direction),
        None => worker,
    };
    samples.map(|sample| worker.jump(sample).unwrap()).to_vec()
}

#[test]
fn jumps_do_not_depend_on_order() {
    let scene = leg();
    let forward = jumps(&scene, [0, 1, 2], None);
    let mut backward = jumps(&scene, [2, 1, 0], None);
    backward.reverse();
    // NaN differs from itself; words do not.
    assert_eq!(format!("{forward:?}"), format!("{backward:?}"));
    assert_eq!(forward.iter().map(|j| j.sample).collect::<Vec<_>>(), [0, 1, 2]);
    let study = scene.study.as_ref().unwrap();
    for jump in &forward {
        assert_eq!(jump.at.len(), study.varied.len());
        let inside = |(q, v): (&f64, &carom_agility::Varied)| (v.from..=v.to).contains(q);
        assert!(jump.at.iter().zip(&study.varied).all(inside), "{:?}", jump.at);
    }
}

/// The capabilities of a jump are those of its posture toward the goal, or along the given direction.
#[test]
fn capabilities() {
    let scene = leg();
    let study = scene.study.as_ref().unwrap();
    let site = &sites(&scene.model)[study.foot];
    let up = Vector3::y();
    let (toward, along) = (jumps(&scene, [0, 1, 2], None), jumps(&scene, [0, 1, 2], Some(up)));
    let mut start =
        carom_agility::JumpStart::new(&scene.model, site, study.varied.clone(), study.seed)
            .unwrap();
    for (toward, along) in toward.iter().zip(&along) {
        let mut state: State = scene.initial.clone();
        start.draw(toward.sample, &mut state).unwrap();
        let task = Task::new(&scene.model, study.point.body, up).unwrap().at(study.point.point);
        let feet = study.point.feet.iter().map(|&f| sites(&scene.model)[f].clone()).collect();
        let stance = Stance::new(&scene.model, &scene.actuators, task).standing_on(feet);
        let found = [with_friction(&stance, &state), by_torques_alone(&stance, &state)]
            .map(|c| c.map_or(f64::NAN, |c| c.acceleration).to_bits());
        assert_eq!([along.capability.to_bits(), along.dce.to_bits()], found);
        assert_eq!(along.measure, toward.measure, "the direction is asked about, not jumped along");
        assert_ne!(along.capability.to_bits(), toward.capability.to_bits());
    }
}

/// A jump has a `dce` or the cause for which it has none.
#[test]
fn postures_without_a_dce_say_why() {
    let scene = leg();
    let all =
        (0..4).flat_map(|k| jumps(&scene, [3 * k, 3 * k + 1, 3 * k + 2], None)).collect::<Vec<_>>();
    assert!(all.iter().all(|j| j.dce.is_nan() != j.no_dce.is_empty()));
    let none = all.iter().find(|j| j.dce.is_nan()).expect("most postures of the leg have none");
    assert_eq!(
        none.no_dce,
        "no torques within the limits keep the feet and move the point along a line"
    );
}
