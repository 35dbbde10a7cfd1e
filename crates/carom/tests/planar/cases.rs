//! Special cases by name.

use carom::impact::planar::{PlanarContact, planar_path};
use carom::impact::{ImpactError, Outcome, Planar, Reason, Restitution, StageEvent};
use nalgebra::DMatrix;

use crate::contact::{case, events, rod};
use crate::impact_support::solve;

#[test]
fn slip_stops_exactly_at_the_end_of_compression() {
    // du_t = −(μ tt − tn) = −1, du_n = nn − μ tn = 1: both pauses at p = 1.
    for (tt, sticks) in [(2.0, true), (1.0, true)] {
        let c = case(tt, 0.0, 1.0, 0.5 * tt, 0.5, 0.8);
        for definition in Restitution::ALL {
            let path = planar_path(&c, definition).expect("solved");
            let turn = path
                .states()
                .iter()
                .find(|s| s.event == StageEvent::EndOfCompression)
                .expect("turn");
            assert!(turn.u_t == 0.0 && turn.p_n == 1.0);
            assert_eq!(path.end().u_t == 0.0, sticks);
            assert!((path.end().u_n - 0.8).abs() < 1e-15);
        }
    }
    // The same with reversal: tn = −1.2, μ = 0.5, tt = 1, so |m| = 1.2 > μ; du_t = −1.7, du_n = 2.6 with nn = 2.
    let c = case(1.0, -1.2, 2.0, 1.7 / 2.6, 0.5, 0.5);
    for definition in Restitution::ALL {
        let path = planar_path(&c, definition).expect("solved");
        assert!(path.states().iter().any(|s| s.event == StageEvent::Reversal));
        // Reversed slip: du_t = −1.2 + 0.5 = −0.7, du_n = 2 − 0.6 = 1.4: u_t = −u_n / 2.
        assert!((path.end().u_t + 0.5 * path.end().u_n).abs() < 1e-15);
    }
}

#[test]
fn collision_line_parallel_to_zero_slip() {
    // tn = μ tt: friction and coupling cancel, the slip never changes.
    let c = case(1.0, 0.5, 2.0, 0.3, 0.5, 0.7);
    for definition in Restitution::ALL {
        let path = planar_path(&c, definition).expect("solved");
        assert_eq!(
            events(&path),
            [StageEvent::Start, StageEvent::EndOfCompression, StageEvent::End]
        );
        assert_eq!(path.end().u_t, 0.3);
        assert!((path.end().u_n - 0.7).abs() < 1e-15);
    }
}

#[test]
fn zero_initial_slip() {
    // Sticks from the start; b = 0.3, a = 1: needs 0.3 of friction.
    let c = case(1.0, 0.3, 1.0, 0.0, 0.5, 0.5);
    for definition in Restitution::ALL {
        let end = *planar_path(&c, definition).expect("solved").end();
        assert!(end.u_t == 0.0 && (end.p_t + 0.3 * end.p_n).abs() < 1e-15);
    }
    // Slips from the start along b.
    let c = case(1.0, -0.9, 1.0, 0.0, 0.5, 0.5);
    for definition in Restitution::ALL {
        let path = planar_path(&c, definition).expect("solved");
        assert!(path.end().u_t < 0.0 && (path.end().p_t - 0.5 * path.end().p_n).abs() < 1e-15);
        assert_eq!(
            events(&path),
            [StageEvent::Start, StageEvent::EndOfCompression, StageEvent::End]
        );
    }
    // Static friction holds what dynamic friction would not.
    let c = PlanarContact { static_friction: 1.0, ..c };
    assert_eq!(planar_path(&c, Restitution::Energetic).expect("solved").end().u_t, 0.0);
}

#[test]
fn without_friction_and_extreme_restitution() {
    for (u_t, tn) in [(0.0, 0.0), (0.4, 0.0), (0.4, -0.5), (-0.4, -0.5), (0.0, 0.5)] {
        for e in [0.0, 0.5, 1.0] {
            for definition in Restitution::ALL {
                let end = *planar_path(&case(1.0, tn, 1.0, u_t, 0.0, e), definition)
                    .expect("solved")
                    .end();
                assert!((end.u_n - e).abs() < 1e-15 && end.p_t == 0.0 && end.work_t == 0.0);
                assert!((end.u_t - (u_t + tn * (1.0 + e))).abs() < 1e-15);
                assert!((end.work_n + 0.5 * (1.0 - e * e)).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn static_friction_decides_between_stick_and_reversal() {
    // After the stop m = 0.6: slips back with μs = 0.55, sticks with μs = 0.65, μd = 0.5 in both.
    for (static_friction, sticks) in [(0.55, false), (0.65, true)] {
        let c = PlanarContact { static_friction, ..case(1.0, -0.6, 2.0, 0.1, 0.5, 0.5) };
        let path = planar_path(&c, Restitution::Energetic).expect("solved");
        assert_eq!(path.end().u_t == 0.0, sticks);
    }
}

#[test]
fn singular_coupling_jams() {
    // b² = ac and μ = b/a: neither slip nor approach changes under any impulse.
    let c = case(1.0, 1.0, 1.0, 0.5, 1.0, 0.5);
    assert!(matches!(planar_path(&c, Restitution::Energetic), Err(ImpactError::Jammed { .. })));
}

/// One degree of freedom along (1, ½), so that uₜ and uₙ vanish together. |m| = ½: with μ = 0.8 the contact is wedged
/// and keeps what was compressed; with μ = 0.2 it goes back.
#[test]
fn singular_coupling_wedges() {
    for definition in Restitution::ALL {
        let wedged = planar_path(&case(1.0, 0.5, 0.25, -2.0, 0.8, 0.5), definition).expect("rests");
        let end = wedged.end();
        assert_eq!((end.u_t, end.u_n), (0.0, 0.0), "{definition:?}");
        assert!((end.p_n - 2.0 / 1.3).abs() < 1e-14 && (end.p_t - 1.6 / 1.3).abs() < 1e-14);
        assert!((end.work_n + end.work_t + 2.0).abs() < 1e-14);
        let back = planar_path(&case(1.0, 0.5, 0.25, -2.0, 0.2, 0.5), definition).expect("ends");
        assert!(back.end().u_n > 0.1 && (back.end().u_t - 2.0 * back.end().u_n).abs() < 1e-14);
    }
}

#[test]
fn says_where_it_does_not_apply() {
    let law = Planar { restitution: Restitution::Energetic };
    let mut two = rod();
    two.contacts.push(two.contacts[0].clone());
    let error = solve(&law, &two).expect_err("two contacts");
    assert!(matches!(
        error,
        ImpactError::NotApplicable { reason: Reason::SeveralContacts { count: 2 }, .. }
    ));
    let mut leaving = rod();
    leaving.velocity = -leaving.velocity;
    assert!(
        matches!(solve(&law, &leaving), Err(ImpactError::NoApproach { slowest }) if slowest > 0.0)
    );
    // A second contact that does not touch takes no part, and its velocity is reported.
    two.contacts[1].touching = false;
    let answer = solve(&law, &two).expect("one contact");
    assert_eq!(answer.solution.outcomes, [Outcome::Rebound, Outcome::Detached]);
    assert!((answer.solution.u_post[3] - answer.solution.u_post[1]).abs() < 1e-14);
    assert_eq!(answer.solution.impulses[3], 0.0);
    // No tangent: a frictionless stop.
    let mut stop = rod();
    stop.contacts[0].tangents = DMatrix::zeros(0, 3);
    let answer = solve(&law, &stop).expect("solved");
    assert!((answer.solution.u_post[0] - 1.8).abs() < 1e-14);
}
