//! Energy control by attenuation: velocities scaled down until the energy is within its limit.
//!
//! # Law
//! Around any impact law with velocities v⁺ after:
//! ```text
//! ẽ² v⁺ᵀMv⁺ ≤ e* v⁻ᵀMv⁻,   0 ≤ ẽ ≤ 1, the largest such ẽ             (1), (5.2)
//! v* = ẽ v⁺                                                           (2), (5.3)
//! M(v* − v⁻) = ẽ Jᵀp − (1 − ẽ) M v⁻                                    (3), instead of (5.4)
//! ```
//! e* > 1 means no control: the wrapped law's answer is returned as it is.
//!
//! # Assumptions
//! - e* multiplies energies, not velocities (it is not squared in (5.2)), and is a limit: an impact that loses more than
//!   it asks for is left alone.
//!
//! # Limits
//! **Attenuation is not an impulse at the contacts.** The source claims in (5.4) that v* belongs to the impulses ẽ p.
//! (3) shows that it does not: −(1 − ẽ) M v⁻ is left over, which in general lies outside the range of Jᵀ. All velocities
//! are scaled, also those of bodies that no contact touches, and momentum is lost that no contact takes up.
//! [`leftover`] measures it. The method therefore needs M and v, not just contact space, and
//! [`ImpactLaw::resolve`] answers `NeedsMassMatrix`; a simulation asks [`ImpactLaw::attenuated`] and scales its
//! velocities itself. The solution keeps the impulses, works and outcomes of the wrapped
//! law and has the scaled contact velocities; so `impact::audit` shows a momentum residual, and
//! energy after − before = normal work + friction work + [`attenuation work`](attenuation_work).
//! The constraint (5.9) inside the dissipation principle has none of these faults:
//! [`DissipationOptions::energy_limit`](super::DissipationOptions::energy_limit).
//!
//! # Source
//! Flickinger 2011, section 5.1, (5.1)–(5.4). (5.3) lacks q̇ in its first term; T in (5.13) and (5.14) is discussed with
//! the dissipation principle.
//!
//! # Tests
//! `tests/energy_control.rs`: `eq1_energy_within_the_limit`, `eq2_all_velocities_scaled`, `eq3_leftover_momentum`.

use crate::numeric::thresholds::impact;
use nalgebra::DVector;

use super::contact_space::ContactSpace;
use super::dissipation::energy_limit;
use super::error::{ImpactError, Reason};
use super::law::{ImpactLaw, Promises};
use super::problem::ImpactProblem;
use super::solution::{ImpactAnswer, ImpactSolution};
use super::workspace::ImpactWorkspace;

/// A law whose velocities are attenuated where its energy exceeds the limit.
pub struct EnergyControl<L: ImpactLaw> {
    law: L,
    limit: f64,
}

impl<L: ImpactLaw> EnergyControl<L> {
    /// Controls a law with e* = `limit`; above 1 there is no control.
    pub fn new(law: L, limit: f64) -> Result<Self, ImpactError> {
        energy_limit(limit)?;
        Ok(Self { law, limit })
    }

    /// The wrapped law.
    pub fn law(&self) -> &L {
        &self.law
    }

    /// e*.
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// ẽ for given energies before and after, (1).
    pub fn factor(&self, before: f64, after: f64) -> f64 {
        factor(self.limit, before, after)
    }
}

/// ẽ of (1): the largest factor in [0, 1] that keeps ẽ² `after` ≤ `limit` · `before`; 1 if `limit` > 1.
pub fn factor(limit: f64, before: f64, after: f64) -> f64 {
    let allowed = limit * before;
    if limit > 1.0 || after <= allowed { 1.0 } else { (allowed / after).sqrt() }
}

/// Energy that attenuation took, not positive: what the contact works do not explain.
pub fn attenuation_work(answer: &ImpactAnswer) -> f64 {
    let works = answer.solution.normal_work + answer.solution.friction_work;
    answer.energy_after - answer.energy_before - works
}

/// Momentum that the contacts of a problem cannot have given: the part of M(v* − v⁻) outside the range of Jᵀ.
///
/// Contacts that do not touch and bilateral rows count as able to give any impulse along their rows, so what is left
/// is due to attenuation alone. The part is taken in the metric M⁻¹, which makes it independent of the coordinates.
pub fn leftover(
    problem: &ImpactProblem,
    velocity: &DVector<f64>,
) -> Result<DVector<f64>, ImpactError> {
    let change = velocity - &problem.velocity;
    let momentum = &problem.mass_matrix * &change;
    let Some(cholesky) = problem.mass_matrix.clone().cholesky() else {
        return Err(ImpactError::MassMatrix { pivot: 0, value: problem.mass_matrix[(0, 0)] });
    };
    let mut rows: Vec<DVector<f64>> = Vec::new();
    for c in &problem.contacts {
        rows.extend(c.tangents.row_iter().map(|t| t.transpose()));
        rows.push(c.normal.clone());
    }
    rows.extend(problem.bilateral.row_iter().map(|b| b.transpose()));
    // Gram–Schmidt in the metric M⁻¹, twice for orthogonality to round-off.
    let mut basis: Vec<(DVector<f64>, DVector<f64>)> = Vec::new();
    let mut rest = momentum;
    for row in rows {
        let mut part = row.clone();
        for _ in 0..2 {
            for (b, Nb) in &basis {
                part -= b * Nb.dot(&part);
            }
        }
        let response = cholesky.solve(&part);
        let length = part.dot(&response).max(0.0).sqrt();
        if length > impact::DEPENDENT * row.dot(&cholesky.solve(&row)).max(0.0).sqrt() {
            basis.push((part / length, response / length));
        }
    }
    for _ in 0..2 {
        for (b, Nb) in &basis {
            rest -= b * Nb.dot(&rest);
        }
    }
    Ok(rest)
}

impl<L: ImpactLaw> ImpactLaw for EnergyControl<L> {
    fn name(&self) -> &'static str {
        "energy control"
    }

    fn attenuated(&self) -> Option<(&dyn ImpactLaw, f64)> {
        (self.limit <= 1.0).then_some((&self.law, self.limit))
    }

    fn promises(&self) -> Promises {
        self.law.promises()
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        if self.limit > 1.0 {
            return self.law.resolve(space, work, out);
        }
        Err(ImpactError::NotApplicable { law: self.name(), reason: Reason::NeedsMassMatrix })
    }

    fn resolve_problem(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut ImpactAnswer,
    ) -> Result<(), ImpactError> {
        self.law.resolve_problem(problem, work, out)?;
        let factor = self.factor(out.energy_before, out.energy_after);
        if factor < 1.0 {
            out.velocity *= factor;
            out.solution.u_post *= factor;
            out.energy_after = problem.kinetic_energy(&out.velocity);
        }
        Ok(())
    }
}
