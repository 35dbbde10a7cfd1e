//! The event to the accuracy of the integration, not of its free interpolant.
//!
//! # Law
//! The crossing t* was found on the dense output, and the guard g is not quite zero there on the
//! solution. Newton's step
//! ```text
//! δ = −g(t*, y(t*)) / ġ        (1)
//! ```
//! moves t*, and y(t*) is found again, in the cheapest way that has the accuracy of a step:
//! - the interpolant, where its last term is negligible, or the refined one (two evaluations), where
//!   its terms fall so fast that the next is well within the tolerance
//!   ([`Integrator::interpolates`]);
//! - else the step repeated to end at t*.
//!
//! Moved so, the event may have passed the zero of another guard, which was not the first on the interpolant:
//! ```text
//! φⱼ < −(ηⱼ + |φ̇ⱼ| τ), φ̇ⱼ < 0 for a guard that did not cross with the leader, or for it        (2)
//! ```
//! with η of the guard and τ the resolution of time; of guards without ġ, whose slope is that of their interpolant, 1e-8 of the
//! step. A leader is beyond its own zero where (1) does not converge. The step that ends here is then searched again, and what
//! crosses first in it leads.
//!
//! Once |δ| ≤ 1e-8 h the rest is done along the rate (error δ²‖ÿ‖/2, below 5e-17 h²‖ÿ‖), also where
//! δ is too small to change t. So the guard is zero at the event to its own round-off; where that is more than this rest, (1) is
//! taken once all the same.
//!
//! # Limits
//! The event *time* is still only as good as the integration: δt ≈ |δg|/|ġ| for a trajectory error
//! δg. At most [`MAX_RESTEPS`] repetitions; a grazing crossing (ġ → 0) keeps the best of them.
//!
//! # Tests
//! `tests/flow_events.rs`: `polish_removes_the_interpolation_error`,
//! `polish_lands_on_the_interpolant_where_that_will_do`, `eq2_polish_passes_no_other_guard`.

use super::guard::Guards;
use super::locate::{Crossing, Locator};
use crate::ode::{FlowError, Integrator, Rate};

/// Repetitions of a step for one event.
pub const MAX_RESTEPS: usize = 4;

/// Searches again of one step, (2).
const SEARCHES: usize = 4;

/// Moves the integrator to the crossing just found, equation (1), and returns its polished time. Where that is beyond the
/// zero of another guard, (2), to that one.
///
/// A crossing at the start or at the very end of the step needs no repetition; for one at the start
/// the integrator stays at the end of its step, and the caller restarts it from the state there.
pub fn polish<R, G>(
    integrator: &mut Integrator,
    rate: &mut R,
    locator: &mut Locator,
    guards: &mut G,
    crossing: Crossing,
) -> Result<f64, FlowError<R::Error>>
where
    R: Rate,
    G: Guards<Error = R::Error>,
{
    let mut t = polish_leader(integrator, rate, locator, guards, crossing)?;
    for _ in 0..SEARCHES {
        if !locator.overtaken(t, t - integrator.step_start()) {
            break;
        }
        let dense = integrator.dense(rate)?;
        let found = locator.locate_before(t, &dense, guards);
        let Some(earlier) = found.map_err(|source| FlowError::Rate { t, source })? else {
            settle(integrator, locator, guards)?;
            break;
        };
        t = polish_leader(integrator, rate, locator, guards, earlier)?;
    }
    Ok(t)
}

fn polish_leader<R, G>(
    integrator: &mut Integrator,
    rate: &mut R,
    locator: &mut Locator,
    guards: &mut G,
    crossing: Crossing,
) -> Result<f64, FlowError<R::Error>>
where
    R: Rate,
    G: Guards<Error = R::Error>,
{
    let Some((leader, noise, mut slope)) = locator.leader() else {
        return Ok(crossing.t);
    };
    if crossing.at_start || crossing.t == integrator.t() {
        return Ok(crossing.t);
    }
    let mut t = crossing.t;
    let interpolates = integrator.interpolates(rate, t)?;
    for repetition in 1..=MAX_RESTEPS {
        let start = integrator.step_start();
        if interpolates {
            integrator.land(rate, t)?;
        } else {
            integrator.restep(rate, t)?;
        }
        settle(integrator, locator, guards)?;
        let h = t - start;
        let g = locator.values()[leader];
        if !locator.slopes()[leader].is_nan() {
            slope = locator.slopes()[leader];
        }
        let delta = -g / slope;
        let straight = delta.abs() <= crate::thresholds::STRAIGHT * h;
        // A guard that is known poorly is looked at once more: its bound is the worst that round-off can do.
        if g.abs() <= 0.25 * noise && (straight || repetition > 1) {
            break;
        }
        if straight {
            integrator.slide(rate, delta)?;
            settle(integrator, locator, guards)?;
            break;
        }
        // A correction as long as the step itself is no correction.
        if delta.is_nan() || delta.abs() > 0.1 * h {
            break;
        }
        t += delta;
    }
    Ok(integrator.t())
}

fn settle<E, G>(
    integrator: &Integrator,
    locator: &mut Locator,
    guards: &mut G,
) -> Result<(), FlowError<E>>
where
    G: Guards<Error = E>,
{
    let t = integrator.t();
    locator.settle(t, integrator.y(), guards).map_err(|source| FlowError::Rate { t, source })
}
