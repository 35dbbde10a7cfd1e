//! The classical fourth-order method with a fixed step.
//!
//! # Law
//! ```text
//! y₁ = y₀ + h(k₁ + 2k₂ + 2k₃ + k₄)/6        (1)
//! ```
//! with k₂, k₃ at half the step and k₄ at its end. No error estimate; the interpolant is the cubic
//! Hermite polynomial of both ends.
//!
//! # Source
//! Flickinger 2011, appendix A, uses it as the fixed-step comparison; (1) is Kutta's, derived from
//! the order conditions, which the tests measure.
//!
//! # Tests
//! `tests/flow_orders.rs`: `rk4_step`, `rk4_dense`.

use super::flow_error::FlowError;
use super::rate::Rate;
use super::stages::Stages;

/// Stages stored: k₁ … k₄ and the rate at the end.
pub(super) const STAGES: usize = 5;
/// Where the rate at the end of the step is kept.
pub(super) const END: usize = 4;

/// Equation (1); leaves y₁ in `st.y`.
pub(super) fn step<R: Rate>(
    rate: &mut R,
    (t, h): (f64, f64),
    y0: &[f64],
    st: &mut Stages,
) -> Result<(), FlowError<R::Error>> {
    st.combine(h, y0, [(0, 0.5)]);
    st.evaluate(rate, t + 0.5 * h, 1)?;
    st.combine(h, y0, [(1, 0.5)]);
    st.evaluate(rate, t + 0.5 * h, 2)?;
    st.combine(h, y0, [(2, 1.0)]);
    st.evaluate(rate, t + h, 3)?;
    st.combine(h, y0, [(0, 1.0 / 6.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0), (3, 1.0 / 6.0)]);
    Ok(())
}
