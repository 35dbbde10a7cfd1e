//! How the integration of a smooth piece can fail.

use thiserror::Error;

/// The integrator gave up; the last accepted state is still in the integrator.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FlowError<E> {
    /// The right-hand side or the projection itself reported an error.
    #[error("the rate could not be evaluated at t = {t:?} s: {source}")]
    Rate {
        /// Time of the evaluation, s.
        t: f64,
        /// What the right-hand side said.
        source: E,
    },
    /// The rate was NaN or infinite, and stayed so however short the step.
    #[error(
        "the rate of component {component} is {value} at t = {t:?} s, also for steps down to {h:e}"
    )]
    NonFinite {
        /// Start of the step, s.
        t: f64,
        /// Last step tried, s; 0 when the rate fails at the start itself.
        h: f64,
        /// First component that is not finite.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// The error stays above the tolerance down to steps that no longer change t.
    #[error(
        "step {h:e} at t = {t:?} s is too short to be taken: error {error:e} x tolerance in component {component} (y = {value:e})"
    )]
    StepUnderflow {
        /// Start of the step, s.
        t: f64,
        /// Last step tried, s.
        h: f64,
        /// Error norm in units of the tolerance.
        error: f64,
        /// Component with the largest scaled error.
        component: usize,
        /// Its value at the start.
        value: f64,
    },
    /// The tolerance of a component is finer than the spacing of its numbers.
    #[error(
        "tolerance {scale:e} of component {component} is below the round-off of its value {value:e} at t = {t:?} s"
    )]
    ToleranceUnreachable {
        /// Start of the step, s.
        t: f64,
        /// Component with the largest scaled error.
        component: usize,
        /// Its value.
        value: f64,
        /// Its tolerance atol + rtol·|y|.
        scale: f64,
    },
    /// The target time does not lie ahead of the state.
    #[error(
        "cannot integrate from t = {t:?} to {bound:?} s: the target must lie ahead and be finite"
    )]
    NotAhead {
        /// Time of the state, s.
        t: f64,
        /// Target time, s.
        bound: f64,
    },
    /// No state was given, or one of the wrong length.
    #[error("the state has {found} components, the tolerances {expected}")]
    StateSize {
        /// Components the tolerances speak of.
        expected: usize,
        /// Components given.
        found: usize,
    },
    /// A state component or the time is not a finite number.
    #[error("component {component} of the state at t = {t:?} s is {value}")]
    BadState {
        /// Time given, s.
        t: f64,
        /// First component that is not finite.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// A step was to be shortened to a time outside of it.
    #[error("t = {t:?} s lies outside the last step ({t0:?}, {t1:?}]")]
    OutsideStep {
        /// Time asked for, s.
        t: f64,
        /// Start of the last step, s.
        t0: f64,
        /// End of the last step, s.
        t1: f64,
    },
}

impl<E> FlowError<E> {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Rate { .. } => "see the error below; the state before the step is kept",
            Self::NonFinite { .. } => {
                "look for a division by zero, a root of a negative number or an unbounded force in the model"
            }
            Self::StepUnderflow { .. } => {
                "the motion is singular or discontinuous here: add a guard for the kink, or loosen the tolerance"
            }
            Self::ToleranceUnreachable { .. } => {
                "use rtol >= 1e-14, or an atol that fits the size of the component"
            }
            Self::NotAhead { .. } => "time runs forward only; ask for a later time",
            Self::StateSize { .. } => "give one rtol and one atol per state component",
            Self::BadState { .. } => "start from finite coordinates and velocities",
            Self::OutsideStep { .. } => "shorten a step only to a time within it",
        }
    }
}
