//! Appendix A of Flickinger 2011 in its fast form: a fault in stick–slip events or in the integrators turns it red.

use carom_reproduce::flickinger::oscillator::{Exact, FORCINGS, Scheme, System, project, simulate};
use carom_reproduce::{Context, Verdict, find};

#[test]
fn verdicts() {
    let experiment = find("flickinger-oscillator").unwrap();
    let outcome = (experiment.run)(&Context { fast: true }).unwrap();
    let verdict = |words: &str| outcome.claim_about("A.", words).unwrap().verdict();
    assert_eq!(verdict("sticks for a longer time"), Verdict::Agrees);
    assert_eq!(verdict("can miss a crossing"), Verdict::Agrees);
    assert_eq!(verdict("as their steps shrink"), Verdict::Agrees);
    assert!(matches!(verdict("largest slip velocity"), Verdict::Undecidable { .. }));
    assert!(matches!(verdict("position Z is smaller"), Verdict::Undecidable { .. }));
}

/// Stick by stick, the event-driven run has the times of the closed form; its error follows the tolerance.
#[test]
fn events_are_those_of_the_closed_form() {
    for forcing in FORCINGS {
        let exact = Exact::new(System::new(forcing), 3.0);
        let rtol = 1e-8;
        let (motion, _) = simulate(forcing, Scheme::Adaptive { rtol }, 3.0, 0.01).unwrap();
        let expected = exact.sticks();
        assert_eq!(motion.sticks.len(), expected.len(), "{}", forcing.label());
        for (found, expected) in motion.sticks.iter().zip(&expected) {
            assert!((found[0] - expected[0]).abs() < 1e2 * rtol, "{found:?} {expected:?}");
            assert!((found[1] - expected[1]).abs() < 1e2 * rtol, "{found:?} {expected:?}");
        }
        assert_eq!(motion.crossings - motion.captures, exact.reversals());
        // Each of a few hundred steps may err by atol + rtol |x|, atol = rtol/10 m; friction forgets them.
        let error = motion.error(|t| exact.at(t)[0]);
        let step = rtol * (0.1 + motion.largest_stretch());
        assert!(error < 100.0 * step, "{}: {error:e} {step:e}", forcing.label());
    }
}

/// The projection is of first order: sixteen times smaller steps, about sixteen times smaller errors. Steps that
/// located events would be of fourth order.
#[test]
fn the_projection_is_of_first_order() {
    let system = System::new(FORCINGS[0]);
    let exact = Exact::new(system, 3.0);
    let error = |h: f64| project(&system, h, 3.0).error(|t| exact.at(t)[0]);
    let order = (error(4e-3) / error(2.5e-4)).ln() / 16f64.ln();
    assert!(order > 0.7 && order < 1.5, "{order}");
    let fixed = |step: f64| {
        let (motion, _) = simulate(FORCINGS[0], Scheme::Fixed { step }, 3.0, 0.01).unwrap();
        motion.error(|t| exact.at(t)[0])
    };
    let order = (fixed(1e-2) / fixed(1.25e-3)).ln() / 8f64.ln();
    assert!(order > 3.5 && order < 4.6, "{order}");
}
