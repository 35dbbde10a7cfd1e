//! A disk (I = ½ m r²) rolls down a line of ground, over its floor and up again: a = ⅔ g sin α on the slopes; at each bend of
//! the valley it turns about the new contact, which leaves the share (1 + 2 cos α)/3 of its speed.

use super::support::{G, load, run};

#[test]
fn bends_take_what_turning_about_the_new_contact_takes() {
    let scene = load("valley.toml", &[]);
    let done = run(&scene);
    let (alpha, r) = (20_f64.to_radians(), 0.1);
    let a = 2.0 / 3.0 * G * alpha.sin();
    let kept = (1.0 + 2.0 * alpha.cos()) / 3.0;
    // A disk meets the next facet by r tan(α/2) before the bend.
    let short = r * (0.5 * alpha).tan();
    let way = 0.8 / alpha.cos() - short;
    let fast = (2.0 * a * way).sqrt();
    let down = (2.0 * way / a).sqrt();
    let over = (0.6 - 2.0 * short) / (fast * kept);
    let impacts: Vec<f64> =
        done.recording.events.iter().filter(|e| e.kind.is_jump()).map(|e| e.t).collect();
    assert!((impacts[0] - down).abs() < 1e-8, "{} {down}", impacts[0]);
    assert!((impacts[1] - down - over).abs() < 1e-8, "{}", impacts[1]);
    // Up and down again on the other side, v/a each.
    let up = fast * kept * kept / a;
    assert!((impacts[2] - down - over - 2.0 * up).abs() < 1e-8, "{}", impacts[2]);
    assert!(done.ledger.closure().abs() < 1e-9, "{}", done.ledger.closure());
}

/// Without the point inside of the first slope the same events, to the bit of the numbers that place them.
#[test]
fn a_point_inside_of_a_segment_is_no_edge() {
    let scene = load("valley.toml", &[]);
    let whole = load(
        "valley.toml",
        &[
            "body.ground.shape.terrain.points=[[-1.0, 0.36397023426620234], [0, 0], [0.6, 0], [1.6, 0.36397023426620234]]",
        ],
    );
    let times = |scene| -> Vec<(carom::record::EventKind, f64)> {
        run(scene).recording.events.iter().map(|e| (e.kind, e.t)).collect()
    };
    let [a, b] = [times(&scene), times(&whole)];
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(&b).all(|(x, y)| x.0 == y.0 && (x.1 - y.1).abs() < 1e-9));
}
