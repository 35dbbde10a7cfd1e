//! What all methods have in common: stages, an error estimate, rows of an interpolant.

use super::dense::hermite_rows;
use super::flow_error::FlowError;
use super::rate::Rate;
use super::stages::Stages;
use super::step_control::ControlLaw;
use super::tolerance::{Tolerance, ToleranceError};
use super::{dop853, dormand_prince, rk4};

/// Which explicit Runge–Kutta method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Orders 5(4), interpolant of order 4 (5 when refined). The usual choice to rtol ≈ 1e-8.
    DormandPrince,
    /// Order 8, interpolant of order 7. For tighter tolerances.
    Dop853,
    /// Order 4 with a fixed step in seconds, interpolant of order 3. For comparison.
    Rk4 {
        /// Step, s, > 0.
        step: f64,
    },
}

impl Method {
    /// Refuses a fixed step that is not a positive number.
    pub(super) fn validate(self) -> Result<(), ToleranceError> {
        match self {
            Self::Rk4 { step } if !(step > 0.0 && step.is_finite()) => {
                Err(ToleranceError::FixedStep { step })
            }
            _ => Ok(()),
        }
    }

    /// Stages to store.
    pub(super) fn stages(self) -> usize {
        match self {
            Self::DormandPrince => dormand_prince::STAGES,
            Self::Dop853 => dop853::STAGES,
            Self::Rk4 { .. } => rk4::STAGES,
        }
    }

    /// Where the rate at the end of a step is kept.
    pub(super) fn end(self) -> usize {
        match self {
            Self::DormandPrince => dormand_prince::END,
            Self::Dop853 => dop853::END,
            Self::Rk4 { .. } => rk4::END,
        }
    }

    /// Step control; the fixed-step method has none of its own.
    pub(super) fn control(self) -> ControlLaw {
        match self {
            Self::Dop853 => dop853::CONTROL,
            _ => dormand_prince::CONTROL,
        }
    }

    /// Order of the step.
    pub(super) fn order(self) -> f64 {
        match self {
            Self::DormandPrince => 5.0,
            Self::Dop853 => 8.0,
            Self::Rk4 { .. } => 4.0,
        }
    }

    /// Whether a step ends with the rate at its end evaluated.
    pub(super) fn evaluates_end(self) -> bool {
        self == Self::DormandPrince
    }

    /// One trial step of (start, length); the result is in `st.y`.
    pub(super) fn step<R: Rate>(
        self,
        rate: &mut R,
        span: (f64, f64),
        y0: &[f64],
        st: &mut Stages,
    ) -> Result<(), FlowError<R::Error>> {
        match self {
            Self::DormandPrince => dormand_prince::step(rate, span, y0, st),
            Self::Dop853 => dop853::step(rate, span, y0, st),
            Self::Rk4 { .. } => rk4::step(rate, span, y0, st),
        }
    }

    /// Error norm of the trial step in units of the tolerance, 0 where there is no estimate; `e` is
    /// scratch.
    pub(super) fn error_norm(
        self,
        st: &Stages,
        h: f64,
        tolerance: &Tolerance,
        scale: &[f64],
        e: &mut [f64],
    ) -> f64 {
        match self {
            Self::DormandPrince => dormand_prince::error_norm(st, h, tolerance, scale, e),
            Self::Dop853 => dop853::error_norm(st, h, tolerance, scale, e),
            Self::Rk4 { .. } => 0.0,
        }
    }

    /// Error estimate of one component.
    pub(super) fn error_of(self, st: &Stages, h: f64, i: usize) -> f64 {
        match self {
            Self::DormandPrince => dormand_prince::error_of(st, h, i),
            Self::Dop853 => dop853::error_of(st, h, i),
            Self::Rk4 { .. } => 0.0,
        }
    }

    /// Evaluates stages that serve only the interpolant.
    pub(super) fn dense_stages<R: Rate>(
        self,
        rate: &mut R,
        span: (f64, f64),
        y0: &[f64],
        st: &mut Stages,
    ) -> Result<(), FlowError<R::Error>> {
        match self {
            Self::Dop853 => dop853::extra_stages(rate, span, y0, st),
            _ => Ok(()),
        }
    }

    /// Fills the rows of the interpolant between two states; returns their number.
    pub(super) fn dense_rows(
        self,
        st: &Stages,
        h: f64,
        ends: [&[f64]; 2],
        rows: &mut [f64],
    ) -> usize {
        let n = ends[0].len();
        hermite_rows(h, ends, [st.k(0), st.k(self.end())], &mut rows[..3 * n]);
        match self {
            Self::Rk4 { .. } => 3,
            Self::DormandPrince => {
                dormand_prince::dense_row(st, h, &mut rows[3 * n..4 * n]);
                4
            }
            Self::Dop853 => {
                dop853::dense_rows(st, h, &mut rows[3 * n..7 * n]);
                7
            }
        }
    }
}
