//! The finite impact force of the source, as its figures show it.
//!
//! # Law
//! ```text
//! min FᵀGF  subject to  cᵀF = T⁺ − T⁻,  c = J q                (1)  (3.25)
//! 0 ≤ Fₙ                                                        (3)  (3.25)
//! F = G⁻¹c (T⁺ − T⁻)/(cᵀG⁻¹c)                                  (2)  without (3)
//! ```
//! With (3) no estimate can pull, and there is none where no push has the work. (2) changes its sign with T⁺ − T⁻: that is how a gain of energy makes the published estimate pull. It also depends
//! on the origin of q, see `carom::impact::force`; it marks where impacts are and is no force that acted.
//!
//! # Tests
//! `eq1_eq2_least_force_with_the_work`, `eq3_the_bound_never_pulls`.

use carom::impact::force::{Displacement, Rates, impact_force};
use carom::impact::{ImpactError, Reduction};
use carom::model::Model;
use carom::record::Event;
use nalgebra::DVector;

use super::instant::problem_at;

/// The estimate (2) for an event: one row per contact row, tangents first, then the normal. `None` where the work of
/// every force vanishes, or the contact rows depend on each other.
pub fn impact_force_estimate(
    model: &Model,
    event: &Event,
) -> Result<Option<DVector<f64>>, ImpactError> {
    let problem = problem_at(model, event)?;
    let mut reduction = Reduction::default();
    reduction.reduce(&problem)?;
    let q = DVector::from_column_slice(&event.q);
    let rows = problem.contacts.iter().flat_map(|c| {
        let tangents = c.tangents.row_iter().map(|t| t.transpose().dot(&q));
        tangents.chain([c.normal.dot(&q)]).collect::<Vec<_>>()
    });
    let c = DVector::from_iterator(problem.rows(), rows);
    let Some(cholesky) = reduction.space.G.clone().cholesky() else { return Ok(None) };
    let y = cholesky.solve(&c);
    let scale = c.dot(&y);
    let change = event.energy_after - event.energy_before;
    Ok((scale > 0.0).then(|| y * (change / scale)))
}

/// The estimate (1) with its bound (3), rows as in (2). `None` where no force that pushes has the work.
pub fn bounded_estimate(model: &Model, event: &Event) -> Result<Option<DVector<f64>>, ImpactError> {
    let problem = problem_at(model, event)?;
    let after = DVector::from_column_slice(&event.v_post);
    let q = Displacement::Configuration(DVector::from_column_slice(&event.q));
    match impact_force(&problem, &after, &q, &Rates::default()) {
        Ok(estimate) => Ok(Some(estimate.force)),
        Err(ImpactError::Unsolved { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::Case;
    use super::super::scenes::DOUBLE_PENDULUM;
    use super::*;

    #[test]
    fn eq1_eq2_least_force_with_the_work() {
        let scene = DOUBLE_PENDULUM.read(&["solver.until=1.9"]).unwrap();
        let case = Case::of_scene(scene).unwrap();
        let mut seen = 0;
        for event in case.impacts() {
            let model = &case.scene.model;
            let force = impact_force_estimate(model, event).unwrap().unwrap();
            let problem = problem_at(model, event).unwrap();
            let q = DVector::from_column_slice(&event.q);
            let contact = &problem.contacts[0];
            let work = contact.tangents.row(0).transpose().dot(&q) * force[0]
                + contact.normal.dot(&q) * force[1];
            let change = event.energy_after - event.energy_before;
            assert!((work - change).abs() < 1e-9 * change.abs());
            // Any other force with the same work has a larger FᵀGF.
            let mut reduction = Reduction::default();
            reduction.reduce(&problem).unwrap();
            let size = |f: &DVector<f64>| f.dot(&(&reduction.space.G * f));
            let c = [contact.tangents.row(0).transpose().dot(&q), contact.normal.dot(&q)];
            let along =
                DVector::from_vec(vec![-c[1], c[0]]) * (0.1 * force.norm() / c[0].hypot(c[1]));
            assert!(size(&(&force + &along)) > size(&force));
            assert!(size(&(&force - &along)) > size(&force));
            let mut other = event.clone();
            other.energy_after = event.energy_before - change;
            let opposite = impact_force_estimate(model, &other).unwrap().unwrap();
            assert!((opposite + force).amax() < 1e-9 * work.abs());
            // Rows of the problem are those of the run.
            let u = contact.normal.dot(&problem.velocity);
            assert!((u - event.contacts[0].u_pre[2]).abs() < 1e-12 * u.abs());
            seen += 1;
        }
        assert_eq!(seen, 2);
    }

    #[test]
    fn eq3_the_bound_never_pulls() {
        let scene = DOUBLE_PENDULUM.read(&["solver.until=6"]).unwrap();
        let case = Case::of_scene(scene).unwrap();
        let model = &case.scene.model;
        let (mut pulls, mut seen) = (0, 0);
        for event in case.impacts() {
            let free = impact_force_estimate(model, event).unwrap().unwrap();
            let Some(bound) = bounded_estimate(model, event).unwrap() else { continue };
            // Up to the round-off of the program.
            assert!(bound[1] >= -1e-9 * bound.amax());
            seen += 1;
            match free[1] < 0.0 {
                // The bound acts: the force is on it.
                true => {
                    pulls += 1;
                    assert!(bound[1] < 1e-9 * bound.amax(), "{bound}");
                }
                false => assert!((&bound - &free).amax() < 1e-6 * free.amax(), "{bound} {free}"),
            }
        }
        assert!(seen > 2 && pulls > 0, "{seen} {pulls}");
    }
}
