//! Joints with a prescribed motion that are hit.

use carom::hybrid::Stop;
use carom_scene::Scene;

/// A ball falls on a table that rises steadily. Newton's law for the relative velocity gives the rebound; the table does
/// the work p V in the impact, and the ledger is closed.
#[test]
fn eq3_a_moving_table_works_in_the_impact() {
    let (rate, mass, e) = (0.4, 0.3, 0.6);
    let text = format!(
        r#"
        space = "planar"
        [body.table]
        mass = 2
        inertia = 1
        joint = {{ type = "prismatic", axis = [0, 1], prescribed = {{ rate = {rate} }} }}
        feature.top = {{ plane = {{}} }}
        [body.ball]
        mass = {mass}
        shape = {{ disk = 0.1 }}
        position = [0, 1]
        [[contact]]
        between = ["ball", "table.top"]
        restitution = {e}
        friction = 0
        "#
    );
    let scene = Scene::parse(&text, "table.toml").unwrap();
    let run = scene.simulation().unwrap().run_until(1.0).unwrap();
    assert_eq!(run.stop, Stop::ReachedEnd);
    let first = run.events().iter().find(|event| event.kind.is_jump()).unwrap();
    let before = -9.81 * first.t;
    let after = rate + e * (rate - before);
    let at =
        |v: &[f64]| v.iter().copied().fold(0.0, |m: f64, x| if x.abs() > m.abs() { x } else { m });
    assert!((at(&first.v_post) - after).abs() < 1e-9, "{:?} {after}", first.v_post);
    let impulse: f64 = mass * (after - before);
    assert!((first.contacts[0].impulse[2] - impulse).abs() < 1e-9);
    // Impulses of all impacts, weighed by the rate of the table.
    let given: f64 =
        run.events().iter().flat_map(|e| &e.contacts).map(|c| c.impulse[2] * rate).sum();
    assert!((run.ledger.jolts - given).abs() < 1e-9, "{} {given}", run.ledger.jolts);
    assert!(run.statistics.worst_closure < 1e-9, "{}", run.statistics.worst_closure);
}
