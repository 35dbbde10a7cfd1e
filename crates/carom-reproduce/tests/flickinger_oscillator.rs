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
    // Those forcings under which all statements hold together are named, or it is said that there is none.
    let together = outcome.tables.iter().flat_map(|t| &t.rows).find(|r| r[0].starts_with("all of"));
    let together = together.expect("the row of all statements");
    let count: usize = together[1].parse().unwrap();
    assert_eq!(together[0].contains("Hz"), count > 0, "{together:?}");
    let drawn = outcome.figures.iter().filter(|p| p.name.starts_with("all_hold_")).count();
    assert_eq!(drawn, 2 * count.min(2), "{together:?}");
    println!("{together:?}");
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

/// (1) to (3) of `hybrid/capture`: a run with projected events of friction is the block alone, computed by (5) of the
/// experiment, to the error of its steps: the same sticks, the same motion.
#[test]
fn eq1_to_eq3_runs_project_as_the_block_alone() {
    for forcing in FORCINGS {
        let system = System::new(forcing);
        for step in [1e-2, 2.5e-3] {
            let alone = project(&system, step, 3.0);
            let (run, _) = simulate(forcing, Scheme::Projected { step }, 3.0, step).unwrap();
            assert_eq!(run.sticks.len(), alone.sticks.len(), "{} {step}", forcing.label());
            for (found, expected) in run.sticks.iter().zip(&alone.sticks) {
                assert!((found[0] - expected[0]).abs() < 1e-9, "{found:?} {expected:?}");
                assert!((found[1] - expected[1]).abs() < 1e-9, "{found:?} {expected:?}");
            }
            assert_eq!([run.crossings, run.captures], [alone.crossings, alone.captures]);
            let end = |m: &carom_reproduce::flickinger::oscillator::Motion| *m.x.last().unwrap();
            let (found, expected) = (end(&run), end(&alone));
            // The run integrates its support too, and returns it to its motion after each step: an error of fourth order.
            let bound = 1e-4 * (step / 1e-2).powf(3.5) * alone.largest_stretch();
            assert!((found - expected).abs() < bound, "{step} {found} {expected} {bound}");
        }
    }
}
