//! What kind of end a climb has reached.
//!
//! # Law
//! Within the box |dq| ≤ ρ, ρ = 1e-3, the program of a step is solved once more, without and with
//! curvature:
//! ```text
//! slope   = max g·d / ρ                            first order: what the steepest direction gains   (8)
//! promise = max g·d + ½ dᵀ W₋ d                    second order: what is left to gain within the box (9)
//! ```
//! A curvature w of the Lagrangian on the active constraints counts as flat where it neither gains nor loses within the box
//! what (9) takes for nothing:
//! ```text
//! flat: ½ |w| ρ² ≤ 1e-8 (1 + |a*|)                                                                 (11)
//! ```
//! W comes from one-sided differences, whose error is of that size along a symmetry, such as a turn about the vertical.
//!
//! (8) is zero at a maximum, kinks or not, because d ranges over all directions of (q, x) that the linearised
//! constraints allow. On the active constraints the eigenvalues of Zᵀ W Z tell maxima from saddles.
//!
//! Tests: `tests/posture.rs`: `eq8_eq9_ends_are_certified`; `carom-cli/tests/agility.rs`: `eq11_a_symmetry_is_a_ridge`.

use super::constraints::Constraints;
use super::curvature::curvature;
use super::foothold::{Foothold, Ground};
use super::newton::{Curve, Face};
use crate::capability::evaluator::Evaluator;
use crate::error::AgilityError;
use crate::program::interior;
use crate::thresholds;

/// Box of the test, rad or m.
const RADIUS: f64 = 1e-3;
/// Promise, as a fraction of a*, that counts as none.
pub(super) const PROMISE: f64 = thresholds::stationarity::PROMISE;

/// Equations (8) and (9), and the curvatures on the active constraints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stationarity {
    /// Equation (8), m/s² per rad or m.
    pub slope: f64,
    /// Equation (9), m/s².
    pub promise: f64,
    /// Directions along which a* curves down.
    pub curved: usize,
    /// Directions along which a* neither rises nor falls.
    pub flat: usize,
    /// Directions along which a* curves up.
    pub rising: usize,
}

/// How a climb ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A maximum at which active constraints leave no direction free.
    Corner,
    /// A maximum with negative curvature in every direction that is left free.
    Curved,
    /// A maximum that is not isolated: some direction is flat.
    Ridge,
    /// Stationary, but a* curves up in some direction that no step could use.
    Saddle,
    /// A step still promises something, but none that was tried goes uphill.
    Stalled,
    /// The steps ran out.
    OutOfSteps,
}

impl End {
    /// Word used in tables and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Corner => "corner",
            Self::Curved => "curved",
            Self::Ridge => "ridge",
            Self::Saddle => "saddle",
            Self::Stalled => "stalled",
            Self::OutOfSteps => "steps",
        }
    }

    /// Whether the end is stationary.
    pub fn converged(self) -> bool {
        !matches!(self, Self::Stalled | Self::OutOfSteps)
    }
}

impl Stationarity {
    /// Test a posture.
    pub(super) fn new(
        here: &Foothold,
        evaluator: &mut Evaluator<'_, '_>,
        constraints: &Constraints,
        ground: &Ground,
    ) -> Result<Self, AgilityError> {
        let model = evaluator.stance().model();
        let program = here.local_program(constraints, model, ground, RADIUS);
        let linear = interior(&program, None)?;
        let parts = (&program, &linear.multipliers);
        let W = curvature(here, evaluator, constraints, ground, parts)?;
        let face = Face::new(here, ground, &program, &linear.pressed, RADIUS)?;
        let bent = interior(&program, Some(&Curve::new(&face, &W).concave_part(&ground.scale)))?;
        let face = Face::new(here, ground, &program, &bent.pressed, RADIUS)?;
        let values = Curve::new(&face, &W).values;
        // Equation (11).
        let flat = 2.0 * PROMISE * (1.0 + here.at.acceleration.abs()) / (RADIUS * RADIUS);
        let count = |test: &dyn Fn(f64) -> bool| values.iter().filter(|v| test(**v)).count();
        Ok(Self {
            slope: linear.value.max(0.0) / RADIUS,
            promise: bent.value.max(0.0),
            curved: count(&|v| v < -flat),
            flat: count(&|v| v.abs() <= flat),
            rising: count(&|v| v > flat),
        })
    }

    /// The kind of end; `spent` says whether the steps ran out.
    pub(super) fn end(&self, acceleration: f64, spent: bool) -> End {
        match self {
            s if s.promise > PROMISE * (1.0 + acceleration.abs()) => {
                if spent {
                    End::OutOfSteps
                } else {
                    End::Stalled
                }
            }
            s if s.rising > 0 => End::Saddle,
            s if s.flat > 0 => End::Ridge,
            s if s.curved > 0 => End::Curved,
            _ => End::Corner,
        }
    }
}
