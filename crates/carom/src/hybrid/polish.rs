//! The event on the integration itself, not on its interpolant.
//!
//! # Law
//! The last step is repeated to end at the crossing t* found on the dense output. The guard g is then
//! not quite zero, by the error of the interpolant, and Newton's step
//! ```text
//! δ = −g(t*, y(t*)) / ġ        (1)
//! ```
//! moves the end: by another repetition while |δ| > 1e-8 h, else along the rate (error δ²‖ÿ‖/2,
//! below 5e-17 h²‖ÿ‖), also where δ is too small to change t. So the state at the event carries the error of an integration step of
//! controlled accuracy, and the guard is zero there to its own round-off.
//!
//! # Limits
//! The event *time* is still only as good as the integration: δt ≈ |δg|/|ġ| for a trajectory error
//! δg. At most [`MAX_RESTEPS`] repetitions; a grazing crossing (ġ → 0) keeps the best of them.
//!
//! # Tests
//! `tests/flow_events.rs`: `polish_removes_the_interpolation_error`.

use super::flow_error::FlowError;
use super::guard::Guards;
use super::integrator::Integrator;
use super::locate::{Crossing, Locator};
use super::rate::Rate;

/// Repetitions of a step for one event.
pub const MAX_RESTEPS: usize = 4;

/// Moves the integrator to the crossing just found, equation (1), and returns its polished time.
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
    let Some((leader, noise, mut slope)) = locator.leader() else {
        return Ok(crossing.t);
    };
    if crossing.at_start || crossing.t == integrator.t() {
        return Ok(crossing.t);
    }
    let mut t = crossing.t;
    for _ in 0..MAX_RESTEPS {
        let start = integrator.step_start();
        integrator.restep(rate, t)?;
        settle(integrator, locator, guards)?;
        let h = t - start;
        let g = locator.values()[leader];
        if !locator.slopes()[leader].is_nan() {
            slope = locator.slopes()[leader];
        }
        let delta = -g / slope;
        if g.abs() <= 0.25 * noise {
            break;
        }
        if delta.abs() <= 1e-8 * h {
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
