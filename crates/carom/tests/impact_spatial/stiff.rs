//! Slow slip: numbered equations of `impact::differential::collocation`, against the closed solution of one contact.

use carom::impact::differential::{DifferentialScratch, resolve_staged};
use carom::impact::spatial::{Coefficients, resolve};
use carom::impact::{ImpactSolution, Restitution};
use nalgebra::{DVector, Matrix3, Vector3};

use crate::random::{Case, Random, case, space};
use crate::single::sensitivity;

/// A contact whose slip, along one direction, gains `rate` of what its normal impulse gains.
fn creeping(rate: f64, slip: [f64; 2]) -> Case {
    let (friction, towards) = (0.4, [0.7_f64.cos(), 0.7_f64.sin()]);
    let mut K = Matrix3::new(1.0, 0.2, 0.0, 0.2, 2.0, 0.0, 0.0, 0.0, 3.0);
    for t in 0..2 {
        let driven = friction * (K[(t, 0)] * towards[0] + K[(t, 1)] * towards[1]);
        K[(t, 2)] = driven + rate * towards[t];
        K[(2, t)] = K[(t, 2)];
    }
    let c = Coefficients {
        friction,
        static_friction: friction,
        restitution: 0.6,
        definition: Restitution::Energetic,
    };
    Case { K, u: Vector3::new(slip[0], slip[1], -1.0), c }
}

/// The staged law against the closed solution.
fn check(case: &Case) {
    let (mut scratch, mut out) = (DifferentialScratch::default(), ImpactSolution::default());
    resolve_staged(case.c.definition, &space(case), &mut scratch, &mut out)
        .unwrap_or_else(|e| panic!("{e} {case:?}"));
    let one = resolve(&case.K, &case.u, &case.c, None).expect("resolves");
    let d = (DVector::from_column_slice(one.velocity.as_slice()) - &out.u_post).amax();
    assert!(d < 1e-10, "{d:e} {case:?} {:?} {one:?}", out.u_post);
}

/// Slip turns 1/rate times faster than it grows: what bounds an explicit step.
#[test]
fn eq2_directions_of_slow_slip() {
    for rate in [1e-2, 1e-4, 1e-6] {
        for angle in [0.0_f64, 1.5, 3.0, 4.5] {
            let r = 1e-2 * rate;
            check(&creeping(rate, [r * angle.cos(), r * angle.sin()]));
        }
    }
}

/// A slip that starts has the direction of its rate, and turns from there.
#[test]
fn eq3_slip_from_rest() {
    for rate in [0.3, 1e-3] {
        check(&creeping(rate, [0.0; 2]));
    }
}

/// Rounds of Newton's method and the deviation from the closed solution of random contacts, in units of what round-off of K makes.
fn random(count: usize) -> (usize, Vec<f64>) {
    let mut rng = Random(3);
    let (mut scratch, mut out) = (DifferentialScratch::default(), ImpactSolution::default());
    let (mut rounds, mut off) = (0, Vec::new());
    for i in 0..count {
        let c = case(&mut rng, 3.0);
        resolve_staged(c.c.definition, &space(&c), &mut scratch, &mut out)
            .unwrap_or_else(|e| panic!("{i} {e} {c:?}"));
        let one = resolve(&c.K, &c.u, &c.c, None).expect("resolves");
        let d = (DVector::from_column_slice(one.velocity.as_slice()) - &out.u_post).amax();
        let scale = c.u.amax().max(one.velocity.amax());
        off.push(d / (scale * (1.0 + 1e-3 * sensitivity(&c.K))));
        rounds += scratch.rounds();
    }
    off.sort_by(f64::total_cmp);
    (rounds, off)
}

/// A step is as good as its tolerance, 1e-13, although its estimate is ten thousand times that.
#[test]
fn eq6_steps_are_as_good_as_they_should_be() {
    let (_, off) = random(1000);
    assert!(off[500] < 1e-15 && off[950] < 1e-13 && off[999] < 1e-11, "{:e}", off[999]);
}

/// Factors serve again, guesses continue the step before, events are looked for on polynomials: some 27 rounds a path.
#[test]
fn eq5_rounds_are_few() {
    let (rounds, _) = random(1000);
    assert!(rounds < 30 * 1000, "{rounds}");
}
