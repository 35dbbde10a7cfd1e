//! Block on an incline of 30°: s = ½ g (sin α − μ cos α) t², or not at all.

use super::support::{load, run};
use carom::record::EventKind;

#[test]
fn below_the_cone_it_slides() {
    let scene = load("incline.toml", &["solver.rtol=1e-10", "solver.atol=1e-12"]);
    let run = run(&scene);
    let d = &run.state.q - &scene.initial.q;
    let along = -(d[0] * 30f64.to_radians().cos() + d[1] * 30f64.to_radians().sin());
    assert!((along - 2.4525).abs() < 1e-9, "{along}");
    let across = d[1] * 30f64.to_radians().cos() - d[0] * 30f64.to_radians().sin();
    assert!(across.abs() < 1e-12 && d[2].abs() < 1e-12);
}

#[test]
fn above_the_cone_it_stays_exactly() {
    let mu = 1.01 * 30f64.to_radians().tan();
    let scene = load("incline.toml", &[&format!("contact.0.friction={mu}")]);
    let run = run(&scene);
    assert_eq!(run.state.v.amax(), 0.0);
    let creep = (&run.state.q - &scene.initial.q).amax();
    // The start itself is on the plane to round-off only; after that nothing moves.
    assert!(creep < 1e-15, "{creep:e}");
    assert!(run.events().iter().all(|e| e.t == 0.0));
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
}
