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
//! followers stick or slip with the xₙ of their leader, and do nothing where that is zero
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
//! How far a held contact k that slips is from jamming, the others answering, is what its friction makes of the force that
//! a unit of normal acceleration takes,
//! ```text
//! A_k/G_k = [Ĝ⁻¹]ₖₖ / [A⁻¹]ₖₖ,   Ĝ = A without the friction of slips                 (8)
//! ```
//! One for a smooth contact; (Gₙₙ − μd Gₙₜ û)/Gₙₙ for one alone; at zero forces grow without bound, whichever contacts
//! make them grow. Dividing by Ĝ leaves contacts that are nearly redundant out of it.
//!
//! Whether the modes are admissible is for the certificate to say.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq5_least_norm_and_least_change`, `eq6_is_continuous_where_contacts_become_redundant`,
//! `eq7_bounds_the_round_off_of_nearly_redundant_forces`, `eq8_is_where_forces_grow_without_bound`.

use super::certificate::velocity;
use super::mode::{Mode, Tangent};
use super::problem::{Duty, Problem};
use crate::complementarity::{MinNorm, Regular};
use crate::numeric::{reshape_vector, svd};
use nalgebra::{DMatrix, DVector};

/// ε of (6): above the round-off of positions, which decides how redundant contacts are.
const DAMPED: f64 = crate::numeric::thresholds::ACCEPTED;
/// Pivot, a fraction of its row, below which (6) is used: there it changes forces by (ε/1e-5)² = 1e-8.
const NEARLY_SINGULAR: f64 = crate::numeric::thresholds::NEARLY_SINGULAR;

/// Stability above which contacts are far from jamming; [Ĝ⁻¹]ₖₖ ≥ 1/Gₖₖ, so that it need not be known there.
const DISTANT: f64 = 0.25;

/// One unknown: a direction of force at a contact.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    rows: [usize; MOST_ROWS],
    direction: [f64; MOST_ROWS],
    count: usize,
}

impl Unknown {
    /// A force along one row.
    fn one(row: usize) -> Self {
        let (mut rows, mut direction) = ([0; MOST_ROWS], [0.0; MOST_ROWS]);
        (rows[0], direction[0]) = (row, 1.0);
        Self { rows, direction, count: 1 }
    }

    fn push(&mut self, row: usize, part: f64) {
        (self.rows[self.count], self.direction[self.count]) = (row, part);
        self.count += 1;
    }
}

/// Rows that one normal force may press: two tangents, two rolling, one spinning, its own.
const MOST_ROWS: usize = 6;

/// Buffers of the system of a set of modes.
#[derive(Debug, Clone, Default)]
pub struct ModeSystem {
    regular: Regular,
    smooth: Regular,
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
        let jams = |s: &mut Self, x: &mut _| s.is_firm(problem) && s.eliminate(problem, 0.0, x);
        self.deficient = !self.eliminate(problem, NEARLY_SINGULAR, x) && !jams(self, x);
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
        if self.deficient {
            let rhs = self.equations.iter().map(|&i| -self.rhs[i]);
            match self.system.solve_again(rhs) {
                Some(y) => {
                    self.unknowns.iter().zip(y).for_each(|(unknown, &y)| spread(unknown, y, x))
                }
                None => self.least_norm(problem, DAMPED, x),
            }
            return;
        }
        let y = self.regular.solve_again(self.equations.iter().map(|&i| -self.rhs[i]));
        self.unknowns.iter().zip(y).for_each(|(unknown, &y)| spread(unknown, y, x));
    }

    /// (8) of the contact with this normal in the modes of [`follow`](Self::follow), or a bound below it that is above
    /// `DISTANT`; one where forces are not unique, which nothing makes grow.
    pub fn stability(&mut self, problem: &Problem, normal: usize) -> f64 {
        let Some(k) = self.equations.iter().position(|&i| i == normal).filter(|_| !self.deficient)
        else {
            return 1.0;
        };
        let unit = |i: usize| f64::from(u8::from(i == k));
        let size = self.equations.len();
        let direction = &self.unknowns[k];
        let part = direction.direction[direction.count - 1];
        let rough = part * self.regular.solve_again((0..size).map(unit))[k];
        let bound = 1.0 / (rough * problem.G[(normal, normal)]);
        if bound > DISTANT {
            return bound.min(1.0);
        }
        if !self.is_firm(problem) {
            return 1.0;
        }
        self.smooth.solve_again((0..size).map(unit))[k] / rough
    }

    /// Whether Ĝ of (8) is far from singular, so that forces which grow without bound do so by friction and not because
    /// contacts are redundant. Its factors are at hand then.
    fn is_firm(&mut self, problem: &Problem) -> bool {
        self.smooth.reset(self.equations.len());
        for (r, &i) in self.equations.iter().enumerate() {
            for (c, unknown) in self.unknowns.iter().enumerate() {
                self.smooth.set(r, c, problem.G[(i, unknown.rows[unknown.count - 1])]);
            }
        }
        self.smooth.solve_above(NEARLY_SINGULAR).is_some()
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
            self.add_contact(problem, k, modes, x);
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

    /// Forces of a set of modes that make no motion, to what (6) tells: an orthonormal basis, in columns; none if the
    /// singular values are not to be had.
    pub fn open_forces(&mut self, problem: &Problem, modes: &[Mode]) -> Option<DMatrix<f64>> {
        let mut x = DVector::zeros(0);
        self.assemble(problem, modes, &[], &mut x);
        let size = self.unknowns.len();
        let A = DMatrix::from_fn(size, size, |r, c| {
            entry(problem, self.equations[r], &self.unknowns[c])
        });
        let least = DAMPED * A.amax();
        let found = svd(A)?;
        let V = found.v_t?;
        let open: Vec<usize> = (0..size).filter(|&k| found.singular_values[k] <= least).collect();
        let mut N = DMatrix::zeros(problem.rows(), open.len());
        for (column, &k) in open.iter().enumerate() {
            x.fill(0.0);
            self.unknowns.iter().zip(V.row(k).iter()).for_each(|(u, &y)| spread(u, y, &mut x));
            N.set_column(column, &x);
        }
        Some(N)
    }

    fn start_at(&self, reference: &[f64], x: &mut DVector<f64>) {
        for unknown in &self.unknowns {
            let y: f64 =
                (0..unknown.count).map(|r| unknown.direction[r] * reference[unknown.rows[r]]).sum();
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
    fn add_contact(&mut self, problem: &Problem, k: usize, modes: &[Mode], x: &mut DVector<f64>) {
        let (c, mode) = (&problem.contacts[k], modes[k]);
        if c.leader.is_some() && problem.slack(k, modes) {
            return;
        }
        let normal = c.normal();
        if mode.tangent == Tangent::Stick || c.duty == Duty::Held {
            for i in c.tangent_rows() {
                self.unknowns.push(Unknown::one(i));
                self.equations.push(i);
            }
        }
        if c.leader.is_some() {
            return;
        }
        let slips = problem.followers(k).chain([k]).filter_map(|f| match modes[f].tangent {
            Tangent::Slip(along) => Some((&problem.contacts[f], along)),
            _ => None,
        });
        if mode.held || c.duty == Duty::Held {
            let mut unknown = Unknown::one(normal);
            let length = slips.clone().fold(1.0, |length: f64, (c, _)| c.friction.hypot(length));
            unknown.count = 0;
            for (c, along) in slips {
                for (i, u) in c.tangent_rows().zip(along) {
                    unknown.push(i, -c.friction * u / length);
                }
            }
            unknown.push(normal, 1.0 / length);
            self.unknowns.push(unknown);
            self.equations.push(normal);
            return;
        }
        x[normal] = c.preload;
        for (c, along) in slips {
            for (i, u) in c.tangent_rows().zip(along) {
                x[i] = -c.friction * x[normal] * u;
            }
        }
    }
}

/// Row i of G times the direction of an unknown.
fn entry(problem: &Problem, i: usize, unknown: &Unknown) -> f64 {
    let row = &problem.G.as_slice()[i * problem.rows()..];
    let parts = unknown.rows.iter().zip(&unknown.direction).take(unknown.count);
    parts.map(|(&at, d)| row[at] * d).sum()
}

fn spread(unknown: &Unknown, y: f64, x: &mut DVector<f64>) {
    for r in 0..unknown.count {
        x[unknown.rows[r]] += unknown.direction[r] * y;
    }
}
