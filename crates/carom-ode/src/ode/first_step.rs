//! The length of the first step of all.
//!
//! # Law
//! ```text
//! h₀ = 0.01 ‖y₀‖/‖f₀‖                                                            (1)
//! h₁ = (0.01/max(‖f₀‖, ‖f(t₀+h₀, y₀+h₀f₀) − f₀‖/h₀))^(1/p)                       (2)
//! h = h₁ within [0.001 h₀, 100 h₀] and the span to the end                       (3)
//! ```
//! in the norm of the tolerances, p the order of the method: (1) is a step over which y changes by
//! a hundredth, (2) one whose leading error term, guessed from two derivatives, is that small.
//!
//! # Limits
//! Where y₀ or f₀ is zero, (1) is replaced by a millionth of the span. The lower bound in (3) serves
//! components with atol = 0 at y = 0, which make h₁ vanish.
//!
//! # Tests
//! `tests/flow_steps.rs`: `fsal_counts` (one evaluation), `constant_acceleration_needs_few_steps`,
//! `a_component_without_tolerance_at_zero_still_starts`.

use super::flow_error::FlowError;
use super::rate::Rate;
use super::stages::Stages;
use super::tolerance::Tolerance;
use crate::thresholds::first_step::{GUESS, NO_RATE, NOTHING};

/// Start of an integration: where, how far it may go, and how accurate it is to be.
pub(super) struct Start<'a> {
    pub(super) t: f64,
    pub(super) y: &'a [f64],
    /// Longest step allowed, s.
    pub(super) span: f64,
    pub(super) order: f64,
    pub(super) tolerance: &'a Tolerance,
}

/// Equations (1)–(3). Stage 0 holds f₀, stage 1 is overwritten; `scale` is scratch.
pub(super) fn first_step<R: Rate>(
    rate: &mut R,
    start: &Start<'_>,
    st: &mut Stages,
    scale: &mut [f64],
) -> Result<f64, FlowError<R::Error>> {
    let Start { t, y, span, order, tolerance } = *start;
    tolerance.scale(y, y, scale);
    let d0 = tolerance.norm(y, scale);
    let d1 = tolerance.norm(st.k(0), scale);
    let guess = if d0 < NOTHING || d1 < NOTHING { GUESS * span.max(1.0) } else { 0.01 * d0 / d1 };
    let h0 = guess.min(span);
    st.combine(h0, y, [(0, 1.0)]);
    st.evaluate(rate, t + h0, 1)?;
    let mut m = tolerance.measure();
    for (i, &s) in scale.iter().enumerate() {
        m.add(st.k(1)[i] - st.k(0)[i], s);
    }
    let steepest = d1.max(m.value() / h0);
    let h1 = if steepest <= NO_RATE { GUESS * span } else { (0.01 / steepest).powf(1.0 / order) };
    Ok(h1.clamp(1e-3 * h0, 100.0 * h0).min(span))
}
