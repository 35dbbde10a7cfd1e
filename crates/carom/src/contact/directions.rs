//! Directions of slips that start in space: wₜ = α û, α ≥ 0 of the parent's (3), for all together.
//!
//! # Method
//! With û = (cos θ, sin θ) of each such contact, the residuals
//! ```text
//! r(θ) = û × wₜ(θ)                                                  (1)
//! ```
//! vanish where every acceleration is along its slip. Newton on all θ at once, derivatives by
//! differences, steps of [`LONGEST`] at most and halved while the residual grows. (To follow the
//! acceleration, û ← wₜ/‖wₜ‖, diverges already for the two corners of an edge: there an error is
//! multiplied by −5 in each round.)
//!
//! # Limits
//! (1) holds for α < 0 too; the caller checks the sign.
//!
//! # Tests
//! `tests/contact_modes.rs`: `eq3_two_slips_start_together`.

use super::search::{ALIGNED, tangential};
use super::{ContactForces, ContactSystem, Freedom, Press, SolverScratch, solve_modes};
use crate::complementarity::MinNorm;

/// Longest step of one angle, rad.
const LONGEST: f64 = 0.5;
/// Difference of an angle for a derivative, rad.
const DIFFERENCE: f64 = 1e-6;
/// Rounds of Newton's method.
const ROUNDS: usize = 50;
/// Halvings of a step.
const HALVINGS: usize = 8;

/// Scratch of the alignment.
#[derive(Debug, Clone, Default)]
pub(super) struct Directions {
    contacts: Vec<usize>,
    angles: Vec<f64>,
    residuals: Vec<f64>,
    moved: Vec<f64>,
    jacobian: Vec<f64>,
    step: Vec<f64>,
    linear: MinNorm,
}

/// Turns all starting slips of `press` into the directions of their accelerations; `out` holds the
/// forces. False if no such directions were found.
pub(super) fn align(
    system: &ContactSystem,
    freedoms: &[Freedom],
    press: &mut [Press],
    (directions, solver): (&mut Directions, &mut SolverScratch),
    out: &mut ContactForces,
) -> bool {
    let mut at = Alignment { system, press, directions, solver, out };
    at.collect(freedoms);
    let goal = ALIGNED * system.acceleration_scale();
    let mut size = at.residuals();
    for _ in 0..ROUNDS {
        // On to round-off, which is well below the goal.
        if size <= 1e-3 * goal || !at.newton_step(size) {
            break;
        }
        size = at.residuals();
    }
    at.residuals() <= goal
}

/// The directions that friction opposed while these contacts were held, as a start.
pub(super) fn guess(
    system: &ContactSystem,
    freedoms: &[Freedom],
    press: &mut [Press],
    (directions, solver): (&mut Directions, &mut SolverScratch),
    out: &mut ContactForces,
) {
    directions.contacts.clear();
    for i in 0..press.len() {
        if starts(system, freedoms, press, i) {
            directions.contacts.push(i);
            press[i] = Press::Stick;
        }
    }
    if directions.contacts.is_empty() {
        return;
    }
    solve_modes(system, press, solver, out);
    for &i in &directions.contacts {
        let t = tangential(&out.lambda, system.contacts[i].first, 2);
        let size = t[0].hypot(t[1]);
        let usable = size > f64::MIN_POSITIVE && size.is_finite();
        press[i] = Press::Slip(if usable { [-t[0] / size, -t[1] / size] } else { [1.0, 0.0] });
    }
}

/// Whether a contact begins to slip in space.
fn starts(system: &ContactSystem, freedoms: &[Freedom], press: &[Press], i: usize) -> bool {
    freedoms[i] == Freedom::Still
        && system.contacts[i].tangents == 2
        && matches!(press[i], Press::Slip(_))
}

/// One alignment under way.
struct Alignment<'a> {
    system: &'a ContactSystem,
    press: &'a mut [Press],
    directions: &'a mut Directions,
    solver: &'a mut SolverScratch,
    out: &'a mut ContactForces,
}

impl Alignment<'_> {
    fn collect(&mut self, freedoms: &[Freedom]) {
        let d = &mut *self.directions;
        d.contacts.clear();
        d.angles.clear();
        for (i, press) in self.press.iter().enumerate() {
            if starts(self.system, freedoms, self.press, i)
                && let Press::Slip(u) = press
            {
                d.contacts.push(i);
                d.angles.push(u[1].atan2(u[0]));
            }
        }
        let n = d.contacts.len();
        for x in [&mut d.residuals, &mut d.moved, &mut d.step] {
            x.clear();
            x.resize(n, 0.0);
        }
        d.jacobian.clear();
        d.jacobian.resize(n * n, 0.0);
    }

    /// Residuals (1) at the present angles; their largest.
    fn residuals(&mut self) -> f64 {
        for (k, &i) in self.directions.contacts.iter().enumerate() {
            let (sin, cos) = self.directions.angles[k].sin_cos();
            self.press[i] = Press::Slip([cos, sin]);
        }
        solve_modes(self.system, self.press, self.solver, self.out);
        let mut largest = 0.0_f64;
        for (k, &i) in self.directions.contacts.iter().enumerate() {
            let w = tangential(&self.out.w, self.system.contacts[i].first, 2);
            let Press::Slip(d) = self.press[i] else { continue };
            let r = d[0] * w[1] - d[1] * w[0];
            self.directions.residuals[k] = r;
            largest = if r.is_nan() { f64::INFINITY } else { largest.max(r.abs()) };
        }
        largest
    }

    /// One step of Newton from the residuals just computed; whether they became smaller.
    fn newton_step(&mut self, size: f64) -> bool {
        let n = self.directions.contacts.len();
        self.directions.moved.copy_from_slice(&self.directions.residuals);
        for j in 0..n {
            let angle = self.directions.angles[j];
            self.directions.angles[j] = angle + DIFFERENCE;
            self.residuals();
            self.directions.angles[j] = angle;
            let d = &mut *self.directions;
            for i in 0..n {
                d.jacobian[i * n + j] = (d.residuals[i] - d.moved[i]) / DIFFERENCE;
            }
        }
        self.solve();
        for _ in 0..HALVINGS {
            self.shift(1.0);
            if self.residuals() < size {
                return true;
            }
            self.shift(-1.0);
            self.directions.step.iter_mut().for_each(|s| *s *= 0.5);
        }
        false
    }

    /// The step, with its largest entry bounded.
    fn solve(&mut self) {
        let d = &mut *self.directions;
        let n = d.contacts.len();
        d.linear.reset(n, n);
        for i in 0..n {
            d.linear.set_rhs(i, -d.moved[i]);
            for j in 0..n {
                d.linear.set(i, j, d.jacobian[i * n + j]);
            }
        }
        d.step.copy_from_slice(d.linear.solve(MinNorm::RANK_TOLERANCE));
        let largest = d.step.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        if largest > LONGEST {
            d.step.iter_mut().for_each(|s| *s *= LONGEST / largest);
        }
    }

    fn shift(&mut self, factor: f64) {
        let d = &mut *self.directions;
        d.angles.iter_mut().zip(&d.step).for_each(|(a, s)| *a += factor * s);
    }
}
