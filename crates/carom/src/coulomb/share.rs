//! Redundant forces inside their cones.
//!
//! # Rule
//! Where contacts are redundant the motion decides forces only up to the null space of Jᵀ. Least norm
//! may leave the cone of a contact although forces inside all cones exist. Then the forces are sought
//! with a margin, the largest θ < 1 that has an answer among [`MARGINS`]:
//! ```text
//! xₙ ≥ η x̄ₙ,   ‖xₜ‖ ≤ θ μs xₙ where it sticks,   w as before                       (1)
//! ```
//! (of a contact whose normal force is given, such as the dry friction of a joint, the second only; of one whose forces are
//! not redundant neither, since nothing can be done about them)
//! and become the reference of the flow that follows, whose forces change least from them
//! ([`linear`](super::linear), (5)). Inside its cone a force does not leave it at once, so that
//! redundancy alone makes no event.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq1_redundant_forces_find_room`, `eq1_dry_friction_of_a_joint_at_its_limit_finds_room`,
//! `eq1_margins_are_asked_of_redundant_forces_only`.

use super::certificate::{residual, velocity};
use super::linear::ModeSystem;
use super::mode::{Mode, Tangent, norm};
use super::problem::{Duty, Problem};
use super::solver::Solver;
use crate::numeric::thresholds::{ACCEPTED, SAME_MOTION};
use nalgebra::DVector;

/// θ and η of (1).
pub const MARGINS: [[f64; 2]; 4] = [[0.5, 0.1], [0.8, 0.03], [0.95, 0.01], [0.99, 0.001]];

/// What there is for redundant forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// The modes decide all forces.
    Unique,
    /// There are forces with a margin on all sides.
    Roomy,
    /// There are none.
    Tight,
}

/// Finds room for redundant forces.
#[derive(Debug, Clone)]
pub struct Share {
    solver: Solver,
    system: ModeSystem,
    narrow: Problem,
    x: DVector<f64>,
    w: DVector<f64>,
    target: DVector<f64>,
    modes: Vec<Mode>,
    /// Contacts whose forces the motion leaves open.
    open: Vec<bool>,
    other: DVector<f64>,
    toward: Vec<f64>,
}

impl Default for Share {
    fn default() -> Self {
        let empty = || DVector::zeros(0);
        Self {
            // Room is what is sought, not the least forces that have it.
            solver: Solver::of_any_forces(),
            system: ModeSystem::default(),
            narrow: Problem::default(),
            x: empty(),
            w: empty(),
            target: empty(),
            modes: Vec::new(),
            open: Vec::new(),
            other: empty(),
            toward: Vec::new(),
        }
    }
}

impl Share {
    /// Makes x, an answer in `modes`, the reference of the flow: empty where least norm is within the
    /// cones, otherwise forces with room on all sides if there are any, else x itself.
    pub fn reference(
        &mut self,
        problem: &Problem,
        modes: &[Mode],
        x: &DVector<f64>,
        reference: &mut Vec<f64>,
    ) -> Room {
        reference.clear();
        self.system.follow(problem, modes, &[], &mut self.x);
        if !self.system.deficient() {
            return Room::Unique;
        }
        self.find_open(problem, modes);
        if self.roomy(problem, modes) {
            return Room::Roomy;
        }
        reference.extend(x.iter());
        velocity(problem, x, &mut self.target);
        let held = modes.iter().filter(|m| m.held).count().max(1) as f64;
        let own = problem.contacts.iter().filter(|c| c.leader.is_none());
        let mean = own.map(|c| x[c.normal()].max(0.0)).sum::<f64>() / held;
        // The narrowest first: where it has no answer none has.
        let [.., narrowest] = MARGINS;
        if !self.fits(problem, modes, (narrowest, mean)) {
            return Room::Tight;
        }
        reference.copy_from_slice(self.x.as_slice());
        if MARGINS[..3].iter().any(|&margin| self.fits(problem, modes, (margin, mean))) {
            reference.copy_from_slice(self.x.as_slice());
        }
        Room::Roomy
    }

    /// Whether (1) has an answer, which is left in x; `mean` is x̄ₙ.
    fn fits(
        &mut self,
        problem: &Problem,
        modes: &[Mode],
        ([theta, eta], mean): ([f64; 2], f64),
    ) -> bool {
        self.narrow.copy_from(problem);
        let contacts = self.narrow.contacts.iter_mut().zip(modes).zip(&self.open);
        for ((c, mode), &open) in contacts {
            if c.duty == Duty::Held || !open || !(mode.held || c.driven) {
                continue;
            }
            if mode.held && c.leader.is_none() {
                c.preload = eta * mean;
            }
            if c.duty == Duty::Coulomb && mode.tangent == Tangent::Stick {
                c.static_friction *= theta;
                c.friction = c.static_friction;
            }
        }
        let solved = self.solver.solve(&self.narrow, modes, &mut self.x, &mut self.modes);
        solved.accepted() && self.same_motion(problem)
    }

    /// Which contacts have redundant forces: those nearest to one set of forces are others than those nearest to none.
    fn find_open(&mut self, problem: &Problem, modes: &[Mode]) {
        let size = self.x.amax().max(f64::MIN_POSITIVE);
        self.toward.clear();
        // Mixed bits of the number of the row: a pattern, such as that of four corners, could be one that nothing differs by.
        let part = |row: usize| {
            let bits = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((bits ^ bits >> 27) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        self.toward.extend((0..problem.rows()).map(|i| size * part(i)));
        self.system.follow(problem, modes, &self.toward, &mut self.other);
        let (x, other) = (&self.x, &self.other);
        let differs =
            |c: &super::Contact| c.rows().any(|i| (x[i] - other[i]).abs() > SAME_MOTION * size);
        self.open.clear();
        self.open.extend(problem.contacts.iter().map(differs));
    }

    /// Whether the forces of least norm are well inside all cones.
    fn roomy(&mut self, problem: &Problem, modes: &[Mode]) -> bool {
        velocity(problem, &self.x, &mut self.w);
        let x = self.x.as_slice();
        let inside = |(c, mode): (&super::Contact, &Mode), open: bool| {
            let (x_n, x_t) = (x[c.normal()], norm(&x[c.tangent_rows()]));
            let sticks = mode.tangent == Tangent::Stick && (mode.held || c.driven);
            c.duty == Duty::Held
                || !open
                || (!mode.held || x_n > 0.0)
                    && (!sticks || x_t <= MARGINS[3][0] * c.static_friction * x_n)
        };
        residual(problem, &self.x, &self.w) <= ACCEPTED
            && problem
                .contacts
                .iter()
                .zip(modes)
                .zip(&self.open)
                .all(|(of, &open)| inside(of, open))
    }

    fn same_motion(&mut self, problem: &Problem) -> bool {
        velocity(problem, &self.x, &mut self.w);
        let scale = super::scale(problem, &self.x);
        (&self.w - &self.target).amax() <= SAME_MOTION * scale
    }
}
