//! Redundant forces inside their cones.
//!
//! # Rule
//! Where contacts are redundant the motion decides forces only up to the null space of Jᵀ. Least norm
//! may leave the cone of a contact although forces inside all cones exist. Then those of the widest margin are taken
//! (`margin`),
//! ```text
//! x − m x̄ eₙ within the cones,   w as before                                        (1)
//! ```
//! (of a contact whose forces are not redundant nothing is asked, since nothing can be done about them; a margin below a thousandth is
//! none), and become the reference of the flow that follows, whose forces change least from them
//! ([`linear`](super::linear), (5)). Inside its cone a force does not leave it at once, so that
//! redundancy alone makes no event.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq1_redundant_forces_find_room`, `eq1_dry_friction_of_a_joint_at_its_limit_finds_room`,
//! `eq1_margins_are_asked_of_redundant_forces_only`.

use super::certificate::{residual, velocity};
use super::linear::ModeSystem;
use super::margin::{Cone, Margin};
use super::mode::{Mode, Tangent, norm};
use super::problem::{Duty, Problem};
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::{ACCEPTED, SAME_MOTION};
use nalgebra::DVector;

/// Least margin that is one; of least norm, the part of its cone that the friction of a contact may take.
const LEAST: f64 = 1e-3;
const ROOMY: f64 = 0.99;

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
#[derive(Debug, Clone, Default)]
pub struct Share {
    margin: Margin,
    system: ModeSystem,
    x: DVector<f64>,
    w: DVector<f64>,
    target: DVector<f64>,
    /// Contacts whose forces the motion leaves open.
    open: Vec<bool>,
    other: DVector<f64>,
    toward: Vec<f64>,
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
        if !self.widen(problem, modes, x) {
            return Room::Tight;
        }
        reference.copy_from_slice(self.x.as_slice());
        Room::Roomy
    }

    /// Forces (1) into x; whether there are any.
    fn widen(&mut self, problem: &Problem, modes: &[Mode], x: &DVector<f64>) -> bool {
        let Some(N) = self.system.open_forces(problem, modes).filter(|N| N.ncols() > 0) else {
            return false;
        };
        let held = modes.iter().filter(|m| m.held).count().max(1) as f64;
        let own = problem.contacts.iter().filter(|c| c.leader.is_none());
        let mean = own.map(|c| x[c.normal()].max(0.0)).sum::<f64>() / held;
        if mean <= 0.0 {
            return false;
        }
        self.margin.clear();
        for ((c, mode), _) in problem.contacts.iter().zip(modes).zip(&self.open).filter(|of| *of.1)
        {
            if c.duty == Duty::Held || !(mode.held || c.driven || c.leader.is_some()) {
                continue;
            }
            let sticks = c.duty == Duty::Coulomb && mode.tangent == Tangent::Stick;
            let mut tangents = [None; 2];
            tangents.iter_mut().zip(c.tangent_rows()).for_each(|(t, i)| *t = Some(i));
            let normal = if c.driven { None } else { Some(c.normal()) };
            let force = x[c.normal()];
            let unit = if c.driven { force } else { mean };
            let friction = (sticks && c.static_friction > 0.0).then_some(c.static_friction);
            if unit > 0.0 && (friction.is_some() || normal.is_some()) {
                self.margin.push(Cone { friction, unit, tangents, normal: (normal, force) });
            }
        }
        if self.margin.widen(x, &N) < LEAST {
            return false;
        }
        reshape_vector(&mut self.x, x.len());
        self.x.copy_from(x);
        for (column, z) in N.column_iter().zip(self.margin.open()) {
            self.x.axpy(z, &column, 1.0);
        }
        self.same_motion(problem)
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
                || (!mode.held || x_n > 0.0) && (!sticks || x_t <= ROOMY * c.static_friction * x_n)
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
