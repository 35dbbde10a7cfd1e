//! Energy control by attenuation inside a run: the limit holds, and the ledger says who took what.

use carom::hybrid::SimError;
use carom::impact::{ImpactError, Reason};
use carom::record::Rescue;
use carom_scene::Scene;
use std::path::Path;

fn pendulum(overrides: &[&str]) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    Scene::load_with(folder.join("double_pendulum.toml"), overrides).unwrap()
}

/// Newton's law with e = 1 and friction, which gains energy on this mechanism if it is let.
fn newton(control: &str) -> Scene {
    let law = format!("law={{ formulation = \"newton\"{control} }}");
    pendulum(&["contact.0.restitution=1", "solver.until=3", "solver.rtol=1e-10", &law])
}

#[test]
fn the_limit_holds_at_every_impact() {
    let free = newton("");
    let run = free.simulation().unwrap().run_until(3.0).unwrap();
    let gains = run.events().iter().filter(|e| e.energy_after > 1.001 * e.energy_before).count();
    assert!(gains > 0, "nothing to control");
    for limit in [1.0, 0.5] {
        let control =
            format!(", energy_control = {{ method = \"attenuation\", ratio = {limit:?} }}");
        let scene = newton(&control);
        let run = scene.simulation().unwrap().run_until(3.0).unwrap();
        let mut held = 0;
        for event in run.events().iter().filter(|e| e.kind.is_jump()) {
            let (before, after) = (event.energy_before, event.energy_after);
            assert!(after <= limit * before * (1.0 + 1e-12), "{before} {after}");
            let works: f64 = event.contacts.iter().map(|c| c.normal_work + c.friction_work).sum();
            let closed = after - before - works - event.attenuation_work;
            assert!(closed.abs() < 1e-10 * before.max(1.0), "{closed}");
            held += usize::from(event.attenuation_work < 0.0);
        }
        assert!(held > 0);
        let taken: f64 = run.events().iter().map(|e| e.attenuation_work).sum();
        assert!((run.ledger.attenuation - taken).abs() < 1e-10);
        assert!(run.ledger.closure().abs() < 1e-7, "{}", run.ledger.closure());
    }
}

#[test]
fn above_one_there_is_no_control() {
    let free = newton("").simulation().unwrap().run_until(2.0).unwrap();
    let scene = newton(", energy_control = { method = \"attenuation\", ratio = 5 }");
    let run = scene.simulation().unwrap().run_until(2.0).unwrap();
    assert_eq!(run.events(), free.events());
}

#[test]
fn a_prescribed_motion_is_not_scaled() {
    // A ball falls on a plate that is shaken: the plate's velocity is not the impact's to change.
    let text = r#"
        space = "planar"
        [body.plate]
        mass = 1
        inertia = 1
        joint = { type = "prismatic", axis = [0, 1], prescribed = { amplitude = 0.1, frequency = 3 } }
        feature.top = { plane = {} }
        [body.ball]
        mass = 1
        shape = { disk = 0.1 }
        position = [0, 1]
        [[contact]]
        between = ["ball", "plate.top"]
        restitution = 1
        friction = 0
        [law]
        formulation = "newton"
        energy_control = { method = "attenuation", ratio = 0.1 }
    "#;
    let scene = Scene::parse(text, "shaken.toml").unwrap();
    let error = scene.simulation().unwrap().run_until(3.0).unwrap_err();
    let reason = Reason::PrescribedMotion;
    let expected = ImpactError::NotApplicable { law: "energy control", reason };
    assert!(matches!(error.0, SimError::Impact { source, .. } if source == expected));
}

/// The first impact without friction under the dissipation principle with a limit on the energy.
/// Its ratio of energies, and whether the net decided because the law could not.
fn constrained(limit: f64) -> (f64, bool) {
    let control = format!("{{ method = \"constraint\", ratio = {limit:?} }}");
    let law = format!("law={{ formulation = \"dissipation\", energy_control = {control} }}");
    let scene = pendulum(&["contact.0.restitution=0.5", "contact.0.friction=0", &law]);
    let run = scene.simulation().unwrap().run_until(0.6).unwrap();
    let first = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
    (first.energy_after / first.energy_before, first.rescue == Some(Rescue::Compliant))
}

#[test]
fn the_constraint_of_the_dissipation_principle_sees_the_energy() {
    // Without friction restitution alone decides the energy; less than that cannot be asked for.
    let (ratio, rescued) = constrained(1.0);
    assert!(ratio < 1.0 && !rescued, "{ratio}");
    let (same, rescued) = constrained(1.01 * ratio);
    assert!((same - ratio).abs() < 1e-12 && !rescued);
    let (_, rescued) = constrained(0.99 * ratio);
    assert!(rescued, "the law has no answer, and the event says who decided");
}
