//! The linear system that belongs to one set of modes.
//!
//! # Law
//! Every mode makes the forces of a contact an affine function of fewer unknowns y and asks for as
//! many equations:
//! ```text
//! held,     stick        x free                      wₙ = 0, wₜ = 0         (1)
//! held,     slip along û xₙ free, xₜ = −μd xₙ û       wₙ = 0                (2)
//! released, stick        xₙ = a, xₜ free             wₜ = 0                 (3)
//! released, slip along û xₙ = a, xₜ = −μd a û         –                     (4)
//! ```
//! so x = S y + s and Sᵣ G S y = −Sᵣ(b + G s). Where contacts are redundant y is not unique: then
//! ```text
//! ‖y − y°‖ is least                                                          (5)
//! ```
//! with y° zero, or what a reference x° gives. The columns of S are orthonormal, so that this is the
//! least change of the forces. Along a motion contacts become redundant and cease to be, and round-off
//! must not decide which: there (5) is the limit of
//! ```text
//! ‖A y − r‖² + ε² g² ‖y − y°‖² is least,  A = Sᵣ G S,  g its largest entry        (6)
//! ```
//! which changes forces by (ε g/σ)² where a singular value σ is not small, and is continuous where it is. It makes of
//! round-off in r, a fraction of the forces g y,
//! ```text
//! δy/y = 4 ε₀ g max σ/(σ² + ε² g²) ≤ 2 ε₀/ε,   ε₀ the unit round-off               (7)
//! ```
//! The bound is what guards of such forces call zero: interpolated states are not as good as round-off.
//!
//! Whether the modes are admissible is for the certificate to say.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq5_least_norm_and_least_change`, `eq6_is_continuous_where_contacts_become_redundant`,
//! `eq7_bounds_the_round_off_of_nearly_redundant_forces`.

use super::certificate::velocity;
use super::mode::{Mode, Tangent};
use super::problem::{Duty, Problem};
use crate::complementarity::{MinNorm, Regular};
use crate::numeric::reshape_vector;
use nalgebra::DVector;

/// ε of (6): above the round-off of positions, which decides how redundant contacts are.
const DAMPED: f64 = crate::numeric::thresholds::ACCEPTED;
/// Pivot, a fraction of its row, below which (6) is used: there it changes forces by (ε/1e-5)² = 1e-8.
const NEARLY_SINGULAR: f64 = crate::numeric::thresholds::NEARLY_SINGULAR;

/// One unknown: a direction of force at a contact.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    first: usize,
    direction: [f64; 3],
    rows: usize,
}

/// Buffers of the system of a set of modes.
#[derive(Debug, Clone, Default)]
pub struct ModeSystem {
    regular: Regular,
    system: MinNorm,
    unknowns: Vec<Unknown>,
    equations: Vec<usize>,
    rhs: DVector<f64>,
    deficient: bool,
    noise: f64,
}

impl ModeSystem {
    /// Forces of the set `modes` into x.
    pub fn solve(&mut self, problem: &Problem, modes: &[Mode], x: &mut DVector<f64>) {
        self.solve_near(problem, modes, &[], x);
    }

    /// The same with (5) about a reference x°, or about zero if it is empty.
    pub fn solve_near(
        &mut self,
        problem: &Problem,
        modes: &[Mode],
        reference: &[f64],
        x: &mut DVector<f64>,
    ) {
        self.assemble(problem, modes, reference, x);
        let size = self.unknowns.len();
        self.deficient = false;
        if !self.eliminate(problem, Regular::PIVOT, x) {
            self.least_norm(problem, 0.0, x);
            self.deficient = self.system.rank() < size;
        }
    }

    /// Forces along a motion: (6) where the system is nearly singular.
    pub fn follow(
        &mut self,
        problem: &Problem,
        modes: &[Mode],
        reference: &[f64],
        x: &mut DVector<f64>,
    ) {
        self.assemble(problem, modes, reference, x);
        self.deficient = !self.eliminate(problem, NEARLY_SINGULAR, x);
        self.noise = 4.0 * f64::EPSILON / self.regular.smallest_pivot();
        if self.deficient {
            self.least_norm(problem, DAMPED, x);
            self.noise = 2.0 * f64::EPSILON / DAMPED;
        }
    }

    /// What the modes of [`follow`](Self::follow) add to a small given force x, so that what they hold stays held.
    pub fn answer(&mut self, problem: &Problem, x: &mut DVector<f64>) {
        velocity(problem, x, &mut self.rhs);
        self.rhs -= &problem.b;
        if self.deficient || !self.eliminate(problem, 0.0, x) {
            self.least_norm(problem, DAMPED, x);
        }
    }

    /// Round-off of the forces along a motion, a fraction of the largest, (7).
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// Unknowns, equations and their right-hand side; constant forces are in x.
    fn assemble(
        &mut self,
        problem: &Problem,
        modes: &[Mode],
        reference: &[f64],
        x: &mut DVector<f64>,
    ) {
        reshape_vector(x, problem.rows());
        self.unknowns.clear();
        self.equations.clear();
        for k in problem.active() {
            self.add_contact(problem, k, modes[k], x);
        }
        if !reference.is_empty() {
            self.start_at(reference, x);
        }
        velocity(problem, x, &mut self.rhs);
    }

    /// Whether the last system left forces undetermined, or nearly so along a motion, so that (5) or (6) chose
    /// them.
    pub fn deficient(&self) -> bool {
        self.deficient
    }

    fn start_at(&self, reference: &[f64], x: &mut DVector<f64>) {
        for unknown in &self.unknowns {
            let y: f64 = (0..unknown.rows)
                .map(|r| unknown.direction[r] * reference[unknown.first + r])
                .sum();
            spread(unknown, y, x);
        }
    }

    /// Elimination where the system is regular; whether it was.
    fn eliminate(&mut self, problem: &Problem, least: f64, x: &mut DVector<f64>) -> bool {
        let size = self.unknowns.len();
        self.regular.reset(size);
        for (r, &i) in self.equations.iter().enumerate() {
            self.regular.set_rhs(r, -self.rhs[i]);
            for (c, unknown) in self.unknowns.iter().enumerate() {
                self.regular.set(r, c, entry(problem, i, unknown));
            }
        }
        let Some(y) = self.regular.solve_above(least) else { return false };
        self.unknowns.iter().zip(y).for_each(|(unknown, &y)| spread(unknown, y, x));
        true
    }

    /// (5), or (6) with ε = `damped`.
    fn least_norm(&mut self, problem: &Problem, damped: f64, x: &mut DVector<f64>) {
        let (rows, size) = (self.equations.len(), self.unknowns.len());
        self.system.reset(if damped > 0.0 { rows + size } else { rows }, size);
        let mut largest = 0.0_f64;
        for (r, &i) in self.equations.iter().enumerate() {
            self.system.set_rhs(r, -self.rhs[i]);
            for (c, unknown) in self.unknowns.iter().enumerate() {
                let entry = entry(problem, i, unknown);
                largest = largest.max(entry.abs());
                self.system.set(r, c, entry);
            }
        }
        if damped > 0.0 {
            (0..size).for_each(|c| self.system.set(rows + c, c, damped * largest));
        }
        let y = self.system.solve(if damped > 0.0 { 0.0 } else { MinNorm::RANK_TOLERANCE });
        self.unknowns.iter().zip(y).for_each(|(unknown, &y)| spread(unknown, y, x));
    }

    /// Adds unknowns and equations of one contact; constant forces go into x.
    fn add_contact(&mut self, problem: &Problem, k: usize, mode: Mode, x: &mut DVector<f64>) {
        let c = &problem.contacts[k];
        let normal = c.normal();
        if mode.tangent == Tangent::Stick || c.duty == Duty::Held {
            for i in c.tangent_rows() {
                self.unknowns.push(Unknown { first: i, direction: [1.0, 0.0, 0.0], rows: 1 });
                self.equations.push(i);
            }
        }
        if mode.held || c.duty == Duty::Held {
            let mut unknown = Unknown { first: normal, direction: [1.0, 0.0, 0.0], rows: 1 };
            if let Tangent::Slip(along) = mode.tangent {
                let length = c.friction.hypot(1.0);
                unknown = Unknown { first: c.first, direction: [0.0; 3], rows: c.tangents + 1 };
                for (d, u) in unknown.direction.iter_mut().zip(along).take(c.tangents) {
                    *d = -c.friction * u / length;
                }
                unknown.direction[c.tangents] = 1.0 / length;
            }
            self.unknowns.push(unknown);
            self.equations.push(normal);
            return;
        }
        x[normal] = c.preload;
        if let Tangent::Slip(along) = mode.tangent {
            for (i, u) in c.tangent_rows().zip(along) {
                x[i] = -c.friction * c.preload * u;
            }
        }
    }
}

/// Row i of G times the direction of an unknown.
fn entry(problem: &Problem, i: usize, unknown: &Unknown) -> f64 {
    let row = &problem.G.as_slice()[i * problem.rows() + unknown.first..];
    row[..unknown.rows].iter().zip(&unknown.direction).map(|(g, d)| g * d).sum()
}

fn spread(unknown: &Unknown, y: f64, x: &mut DVector<f64>) {
    for r in 0..unknown.rows {
        x[unknown.first + r] += unknown.direction[r] * y;
    }
}
