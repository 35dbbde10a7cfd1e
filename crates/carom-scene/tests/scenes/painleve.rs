//! Painlevé's rod: p = 1 + 3 cos θ (cos θ ∓ μ sin θ) is negative with the top behind, so that
//! p N/m − g ≥ 0 ⟂ N ≥ 0 has no solution and an impulse follows; with the top ahead N = m g/p.

use super::support::{G, load, of_kind, run};
use carom::hybrid::{Options, Stop};
use carom::record::{EventKind, Rescue};

const MU: f64 = 1.8;

fn posture() -> (f64, f64) {
    (70f64.to_radians().cos(), 70f64.to_radians().sin())
}

/// The impulse of the jam in closed form (m = 1, half length 1): friction stops the slip while the
/// end is pressed into the floor, then the end sticks until nothing approaches.
#[test]
fn jams_with_the_impulse_of_the_closed_form() {
    let (c, s) = posture();
    let (tt, tn, nn) = (1.0 + 3.0 * s * s, -3.0 * s * c, 1.0 + 3.0 * c * c);
    assert!(nn + MU * tn < 0.0, "the scene is paradoxical");
    let slip = 5.0 / (MU * tt + tn);
    let approach = -(nn + MU * tn) * slip;
    assert!((tn / tt).abs() <= MU, "it sticks");
    let stick = approach / (nn - tn * tn / tt);
    let (p_n, p_t) = (slip + stick, MU * slip - tn / tt * stick);
    let run = run(&load("painleve.toml", &[]));
    let jams = of_kind(&run, EventKind::Jam);
    assert_eq!(jams.len(), 1);
    let jam = jams[0];
    assert_eq!(jam.t, 0.0);
    // The tangent of the site may point either way.
    let [t, _, n] = jam.contacts[0].impulse;
    assert!((n - p_n).abs() < 1e-12 && (t.abs() - p_t).abs() < 1e-12, "{t} {n}: {p_t} {p_n}");
    let wanted = [-5.0 + p_t, p_n, 3.0 * (s * p_t - c * p_n)];
    for (v, wanted) in jam.v_post.iter().zip(wanted) {
        assert!((v - wanted).abs() < 1e-12, "{v} {wanted}");
    }
    assert_eq!(run.stop, Stop::ReachedEnd);
}

#[test]
fn turning_fast_it_may_go_on_or_jam_and_the_run_says_so() {
    let scene = load(
        "painleve.toml",
        &["body.rod.angular_velocity=5", "body.rod.velocity=[-5,1.7101007166283435]"],
    );
    // The gentlest answer is taken, it lets go, and the event says that it was chosen.
    let chosen = run(&scene);
    assert_eq!(chosen.stop, Stop::ReachedEnd);
    assert_eq!(chosen.events()[0].rescue, Some(Rescue::Chosen));
    assert_eq!(chosen.statistics.rescues, [0, 0, 1, 0, 0]);
    let options = Options { strict: true, ..scene.options.hybrid() };
    let strict = scene.simulation().unwrap().options(options).run_until(0.1).unwrap();
    assert_eq!(strict.stop, Stop::Ambiguous { t: 0.0, contacts: vec!["end".into()] });
}

#[test]
fn the_other_way_nothing_is_odd() {
    let scene = load("painleve.toml", &["body.rod.velocity=[5,0]", "solver.until=0.1"]);
    let run = run(&scene);
    assert_eq!(run.stop, Stop::ReachedEnd);
    let (c, s) = posture();
    let normal = G / (1.0 + 3.0 * c * (c + MU * s));
    let first = run.recording.forces.iter().find(|f| f[0][2] > 0.0).unwrap()[0];
    assert!((first[2] - normal).abs() < 1e-12 * G, "{} {normal}", first[2]);
    assert!((first[0].abs() - MU * normal).abs() < 1e-12 * G);
}
