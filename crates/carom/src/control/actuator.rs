//! A motor on one degree of freedom, and how far it can push.
//!
//! # Law
//! With the unsaturated command u and the limits l ≤ 0 ≤ r,
//! ```text
//! τ = min(max(u, l), r)                                              (1)
//! ```
//! acts on the motor's coordinate q. Behind a transmission, joint angle = ratio × q + offset, so the
//! joint feels τ/ratio, and the rotor's inertia, which the model has on the motor's coordinate,
//! appears at the joint as inertia/ratio²: both follow from virtual work and need no term of their own.
//!
//! # Assumptions
//! The limits enclose 0: a motor can be without current.
//!
//! # Tests
//! `eq1_saturation` here; `tests/control_saturation.rs`.

use super::ControlError;
use crate::model::Model;

/// A motor on one degree of freedom.
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// Unique name.
    pub name: String,
    /// The degree of freedom that it drives (index into v).
    pub dof: usize,
    /// Least force on the motor's coordinate, N·m or N; −∞ if unbounded.
    pub lower: f64,
    /// Largest force on the motor's coordinate, N·m or N; ∞ if unbounded.
    pub upper: f64,
}

/// Where a motor stands between its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Saturation {
    /// It does what it is told.
    #[default]
    Free,
    /// It pushes with its least force and is told to push with less.
    Lower,
    /// It pushes with its largest force and is told to push with more.
    Upper,
}

impl Saturation {
    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

impl Actuator {
    /// A motor with the same limit both ways; `f64::INFINITY` for none.
    pub fn symmetric(name: impl Into<String>, dof: usize, limit: f64) -> Self {
        Self { name: name.into(), dof, lower: -limit, upper: limit }
    }

    /// The force for the command `u`, equation (1).
    pub fn saturated(&self, u: f64) -> f64 {
        u.max(self.lower).min(self.upper)
    }

    /// Where the command `u` puts the motor.
    pub fn saturation(&self, u: f64) -> Saturation {
        if u > self.upper {
            Saturation::Upper
        } else if u < self.lower {
            Saturation::Lower
        } else {
            Saturation::Free
        }
    }

    /// Half the width of the range, N·m or N; 1 if a side is unbounded.
    pub fn scale(&self) -> f64 {
        let half = 0.5 * (self.upper - self.lower);
        if half.is_finite() { half } else { 1.0 }
    }

    /// Whether it can be used with a model.
    pub fn check(&self, model: &Model) -> Result<(), ControlError> {
        if self.dof >= model.nv() {
            let (actuator, nv) = (self.name.clone(), model.nv());
            return Err(ControlError::NoSuchDof { actuator, dof: self.dof, nv });
        }
        let encloses = self.lower <= 0.0 && self.upper >= 0.0;
        if !encloses || self.upper - self.lower <= 0.0 {
            return Err(ControlError::Limits {
                actuator: self.name.clone(),
                lower: self.lower,
                upper: self.upper,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_saturation() {
        let motor = Actuator { name: "m".into(), dof: 0, lower: -1.0, upper: 2.5 };
        for (u, tau, mode) in [
            (-3.0, -1.0, Saturation::Lower),
            (-1.0, -1.0, Saturation::Free),
            (0.7, 0.7, Saturation::Free),
            (2.5, 2.5, Saturation::Free),
            (1e9, 2.5, Saturation::Upper),
        ] {
            assert_eq!((motor.saturated(u), motor.saturation(u)), (tau, mode));
        }
        assert_eq!(motor.scale(), 1.75);
        assert_eq!(Actuator::symmetric("m", 0, f64::INFINITY).scale(), 1.0);
    }
}
