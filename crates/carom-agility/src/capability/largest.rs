//! Directional dynamic capability, exact for any actuation.
//!
//! # Law
//! ```text
//! a* = max { j·v̇ + γₓ : M v̇ + h = B τ + Jᵀλ,  J v̇ + γ = 0,  H v̇ = r,  τ ∈ box,  λ ∈ cones }     (1)
//! ```
//! With the multipliers p of the motion, ρ of the contacts, ν of what is held, and s of the cones,
//! ```text
//! p = M⁻¹ (j + Jᵀρ − Hᵀν),   J p + s = 0,   Bᵀ p = k                                             (2)
//! da*/dθ = ∂j·v̇ + ∂γₓ + p·(∂B τ + ∂Jᵀλ − ∂h − ∂M v̇) + ρ·(∂J v̇ + ∂γ) − ν·∂(H v̇ − r)               (3)
//! ```
//! p is the motion that trades torque for acceleration: kⱼ is what one more newton metre of motor j is
//! worth. (3) is the envelope theorem: at the optimum τ, v̇ and λ need not be differentiated.
//!
//! # What is held, what is free
//! The contacts J keep their points (neither slip nor lift-off), H v̇ = r is held, every other
//! acceleration is free. A mechanism with fewer motors than freedoms cannot hold everything else, as
//! the closed form of the dissertation assumes; then (1) with a smaller H is the answer.
//!
//! # Limits
//! Where the optimum switches between constraints, a* has a kink and (3) is one of its one-sided
//! slopes. Contacts count as sticking, with static friction.
//!
//! # Source
//! Flickinger 2011, section 6.1, generalised; see [`mod@super::closed_form`] for (6.1)–(6.6).
//!
//! # Tests
//! `tests/capability.rs`: `eq1_closed_form_and_program_agree`, `eq2_adjoint_motion`,
//! `eq3_gradient_from_differences`, `scaling_laws`.

use super::problem::CapabilityProblem;
use super::reduce::Reduced;
use crate::error::AgilityError;
use crate::program::{self, ConicSolution, Participant, ProgramError};
use crate::thresholds::largest::{APEX, IDLE};
use nalgebra::DVector;

/// A constraint that stops the acceleration from growing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Active {
    /// Which one.
    pub limit: Limit,
    /// By how much a* grows when it gives way: per N·m for a torque, per N for a contact force.
    pub worth: f64,
}

/// What a constraint limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A motor at its upper torque.
    TorqueUpper(usize),
    /// A motor at its lower torque.
    TorqueLower(usize),
    /// A contact on the edge of its friction cone.
    Slip(usize),
    /// A contact without force.
    LiftOff(usize),
}

/// The largest acceleration and what it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Capability {
    /// a*, m/s².
    pub acceleration: f64,
    /// τ, N·m or N.
    pub torque: DVector<f64>,
    /// λ, N, one per contact row.
    pub force: DVector<f64>,
    /// v̇.
    pub vdot: DVector<f64>,
    /// No acceleration is larger than a* + gap: the dual's proof, m/s².
    pub gap: f64,
    /// Worst violation of a torque limit, a held acceleration or a cone.
    pub violation: f64,
    /// What stops it, most valuable first.
    pub active: Vec<Active>,
    /// p, equation (2).
    pub adjoint: DVector<f64>,
    /// ρ, equation (2).
    pub contact_multipliers: DVector<f64>,
    /// ν, equation (2).
    pub held_multipliers: DVector<f64>,
}

/// Solve (1).
pub fn capability(problem: &CapabilityProblem) -> Result<Capability, AgilityError> {
    problem.check()?;
    let reduced = Reduced::new(problem)?;
    let (program, free) = reduced.program(problem);
    let solution = program::solve(&program).map_err(|e| powerless(problem, e))?;
    Ok(finish(problem, &reduced, &solution, free))
}

/// Name what is in conflict.
fn powerless(problem: &CapabilityProblem, error: ProgramError) -> AgilityError {
    let ProgramError::Infeasible { participants } = error else { return error.into() };
    let m = problem.motors();
    let names = &problem.names;
    let name = |p: &Participant| match *p {
        Participant::Upper(j) if j < m => Some(format!("the upper limit of {}", names.motor(j))),
        Participant::Lower(j) if j < m => Some(format!("the lower limit of {}", names.motor(j))),
        Participant::Equality(i) => Some(names.held(i)),
        Participant::Cone(i) => Some(format!("the friction cone of {}", names.contact(i))),
        _ => None,
    };
    AgilityError::Powerless {
        contacts: problem.cones.len(),
        held: problem.held.len(),
        conflict: participants.iter().filter_map(|(p, _)| name(p)).collect(),
    }
}

fn finish(
    problem: &CapabilityProblem,
    reduced: &Reduced,
    solution: &ConicSolution,
    free: f64,
) -> Capability {
    let m = &solution.multipliers;
    let frozen = reduced.frozen(problem, &solution.x, &m.forces, &m.equalities);
    Capability {
        acceleration: solution.value + free,
        gap: solution.certificate.gap,
        violation: solution.certificate.violation,
        active: active(problem, solution, &frozen.force),
        ..frozen
    }
}

/// Constraints with a multiplier, most valuable first in units of their own size.
fn active(
    problem: &CapabilityProblem,
    solution: &ConicSolution,
    force: &DVector<f64>,
) -> Vec<Active> {
    let k = &solution.multipliers.bounds;
    let s = &solution.multipliers.forces;
    let largest = problem.cones.iter().fold(0.0_f64, |f, c| f.max(force[c.normal()].abs()));
    let mut ranked: Vec<(f64, Active)> = Vec::new();
    for j in 0..problem.motors() {
        let (size, limit) = if k[j] > 0.0 {
            (problem.torque_upper[j].abs(), Limit::TorqueUpper(j))
        } else {
            (problem.torque_lower[j].abs(), Limit::TorqueLower(j))
        };
        ranked.push((k[j].abs() * size, Active { limit, worth: k[j].abs() }));
    }
    for (i, cone) in problem.cones.iter().enumerate() {
        let worth = s.rows(cone.first, cone.tangents + 1).norm();
        let normal = force[cone.normal()];
        let gone = cone.tangents == 0 || cone.friction == 0.0 || normal <= APEX * largest;
        let limit = if gone { Limit::LiftOff(i) } else { Limit::Slip(i) };
        ranked.push((worth * largest.max(f64::MIN_POSITIVE), Active { limit, worth }));
    }
    let most = ranked.iter().fold(0.0_f64, |m, r| m.max(r.0));
    ranked.retain(|r| r.0 > IDLE * most);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|r| r.1).collect()
}
