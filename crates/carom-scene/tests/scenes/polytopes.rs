//! Boxes on boxes, dominoes, a convex stone.

use super::support::{G, jumps, load, run, run_named};
use carom::record::EventKind;

/// x(t) = ½ g (sin α − μ cos α) t² along the ramp, until the centre of mass passes its end.
#[test]
fn a_box_slides_down_a_box() {
    let scene = load("box_on_box.toml", &["solver.until=0.5"]);
    let (start, done) = (scene.initial.clone(), run(&scene));
    let alpha = 20f64.to_radians();
    let along = 0.5 * G * (alpha.sin() - 0.2 * alpha.cos()) * 0.25;
    let (dx, dy) = (done.state.q[0] - start.q[0], done.state.q[1] - start.q[1]);
    assert!((dx * alpha.cos() - dy * alpha.sin() - along).abs() < 1e-9, "{along}");
    assert!((dx * alpha.sin() + dy * alpha.cos()).abs() < 1e-12);
    // It tips over the end of the ramp, falls and comes to rest on the floor.
    let end = run_named("box_on_box.toml", &[]);
    assert_eq!(end.events().last().unwrap().kind, EventKind::Rest);
    let flat = (end.state.q[2] / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
    assert!((end.state.q[2] - flat).abs() < 1e-9, "{}", end.state.q);
}

/// A block that rocks on a block has the impacts of one that rocks on the floor.
#[test]
fn rocking_on_a_block() {
    let on_floor = run_named("rocking_block.toml", &["solver.until=2"]);
    let floor = "body.floor.shape={ box = [2, 0.4] }";
    let scene =
        load("rocking_block.toml", &["solver.until=2", floor, "body.floor.position=[0, -0.2]"]);
    let on_block = run(&scene);
    let (a, b) = (jumps(&on_floor), jumps(&on_block));
    assert!(a.len() >= 3 && b.len() >= 3);
    for (a, b) in a.iter().zip(&b).take(4) {
        assert!((a.t - b.t).abs() < 1e-8, "{} {}", a.t, b.t);
        assert!(a.v_post.iter().zip(&b.v_post).all(|(a, b)| (a - b).abs() < 1e-8));
    }
}

/// Each domino strikes the next, in turn, and all lie down.
#[test]
fn dominoes_fall_in_turn() {
    let scene = load("dominoes.toml", &[]);
    let done = run(&scene);
    let sites = carom::contact::sites(&scene.model);
    let first = |name: &str| {
        let hit = |site: usize| sites[site].name.starts_with(name);
        let struck = |e: &&&carom::record::Event| e.contacts.iter().any(|c| hit(c.site));
        jumps(&done).iter().find(struck).map(|e| e.t)
    };
    let times: Vec<f64> = (1..5).map(|i| first(&format!("hit{i}")).unwrap()).collect();
    assert!(times.windows(2).all(|t| t[0] < t[1]), "{times:?}");
    for i in 0..5 {
        assert!(done.state.q[3 * i + 2] < -0.5, "domino {i}: {}", done.state.q[3 * i + 2]);
    }
}

/// A stone that is a convex hull comes to rest, and so does the block that it hits, whose corners share what they carry anew
/// while the stone slides on it.
#[test]
fn a_stone_comes_to_rest() {
    let done = run_named("stone.toml", &[]);
    assert_eq!(done.state.v.amax(), 0.0, "{}", done.state.v);
    assert!(done.events().iter().all(|e| e.rescue.is_none()));
}
