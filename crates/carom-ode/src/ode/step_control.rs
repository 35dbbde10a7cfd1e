//! How long the next step is: proportional–integral control of the error.
//!
//! # Law
//! ```text
//! hₙ₊₁ = hₙ · clamp(S · εₙ^(−α) · εₙ₋₁^β, r_min, r_max)        (1)
//! α = 1/k − ¾β                                                 (2)
//! ```
//! ε is the error norm in units of the tolerance (a step with ε ≤ 1 is accepted) and k the power
//! of h with which ε falls. After a rejection the proportional part alone shortens the step, and
//! the step after it may not grow.
//!
//! # Limits
//! The memory (h, ε) survives a restart: after an impact the motion is as smooth as before it,
//! so the old step is the best guess for the new one.
//!
//! # Tests
//! `eq1_fixed_point`, `shortening_a_step_does_not_lose_the_memory`, `rejection_shrinks`.

/// Constants of equation (1) for one method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlLaw {
    /// k: the error estimate falls as hᵏ.
    pub error_order: f64,
    /// β of the integral part; 0 gives plain proportional control.
    pub beta: f64,
    /// S, the share of the tolerance aimed at.
    pub safety: f64,
    /// r_min, the strongest shortening of one step.
    pub shrink: f64,
    /// r_max, the strongest growth of one step.
    pub grow: f64,
}

/// Step-size memory.
#[derive(Debug, Clone)]
pub(super) struct StepControl {
    law: ControlLaw,
    next: Option<f64>,
    previous_error: f64,
    rejected: bool,
}

/// Errors below this share of the tolerance count as this share: a lucky tiny estimate must not
/// brake the step after it.
const LEAST_ERROR: f64 = 1e-4;

impl StepControl {
    pub(super) fn new(law: ControlLaw) -> Self {
        Self { law, next: None, previous_error: LEAST_ERROR, rejected: false }
    }

    /// The step remembered, if any.
    #[inline]
    pub(super) fn next(&self) -> Option<f64> {
        self.next
    }

    /// An error that falls as hᵐ, as one that falls as hᵏ: (1) then makes of it the step that the power m asks for.
    pub(super) fn of_order(&self, error: f64, m: f64) -> f64 {
        error.powf(self.law.error_order / m)
    }

    /// Sets the next step, as after an initial guess.
    #[inline]
    pub(super) fn set_next(&mut self, h: Option<f64>) {
        self.next = h;
        if h.is_none() {
            self.previous_error = LEAST_ERROR;
        }
        self.rejected = false;
    }

    /// Records an accepted step `h` of error `error` that was `proposed` longer or equal.
    pub(super) fn accept(&mut self, error: f64, h: f64, proposed: f64) {
        let ControlLaw { error_order, beta, safety, shrink, grow } = self.law;
        let alpha = 1.0 / error_order - 0.75 * beta;
        let e = error.max(crate::thresholds::NO_ERROR);
        let memory = if beta == 0.0 { 1.0 } else { self.previous_error.powf(beta) };
        let mut ratio = (safety * e.powf(-alpha) * memory).clamp(shrink, grow);
        if self.rejected {
            ratio = ratio.min(1.0);
        }
        // A step cut short by the end of the run says nothing against the longer proposal.
        let fresh = h * ratio;
        self.next = Some(if h < proposed { fresh.max(proposed) } else { fresh });
        self.previous_error = error.max(LEAST_ERROR);
        self.rejected = false;
    }

    /// A shorter step after a rejection with a finite error above 1.
    pub(super) fn reject(&mut self, error: f64, h: f64) -> f64 {
        self.rejected = true;
        let ratio = self.law.safety * error.powf(-1.0 / self.law.error_order);
        h * ratio.clamp(self.law.shrink, 0.95)
    }

    /// A much shorter step after an error that is not a number.
    pub(super) fn reject_blindly(&mut self, h: f64) -> f64 {
        self.rejected = true;
        0.25 * h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: ControlLaw =
        ControlLaw { error_order: 5.0, beta: 0.04, safety: 0.9, shrink: 0.2, grow: 10.0 };

    #[test]
    fn eq1_fixed_point() {
        // With ε = h⁵ the iteration must settle where S ε^(β − α) = 1.
        let mut control = StepControl::new(LAW);
        let mut h: f64 = 0.01;
        for _ in 0..200 {
            control.accept(h.powi(5), h, h);
            h = control.next().unwrap();
        }
        let settled = 0.9_f64.powf(1.0 / (0.2 - 0.03 - 0.04)).powf(1.0 / 5.0);
        assert!((h - settled).abs() < 1e-12, "{h} {settled}");
    }

    #[test]
    fn shortening_a_step_does_not_lose_the_memory() {
        let mut control = StepControl::new(LAW);
        control.accept(1e-12, 1e-9, 0.5);
        assert!(control.next().unwrap() >= 0.5);
    }

    #[test]
    fn rejection_shrinks() {
        let mut control = StepControl::new(LAW);
        assert!(control.reject(1.0 + 1e-12, 1.0) <= 0.95);
        assert_eq!(control.reject(1e30, 1.0), 0.2);
        control.accept(1e-9, 0.2, 0.2);
        assert_eq!(control.next(), Some(0.2), "no growth right after a rejection");
    }
}
