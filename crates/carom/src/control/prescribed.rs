//! A joint whose angle or position is a given function of time.
//!
//! ```text
//! s(t) = s₀ + c t + A sin(2π f t + φ) + x(t)               (1)
//! ```
//! with a function x of the user's that knows its first two derivatives.
//! The force that this takes does work, which the ledger counts as applied.

use std::f64::consts::TAU;
use std::fmt::Debug;
use std::sync::Arc;

/// A function of time that can be differentiated twice.
pub trait TimeFunction: Debug + Send + Sync {
    /// x, ẋ and ẍ at time `t`.
    fn at(&self, t: f64) -> [f64; 3];
}

/// A function of time that several motions may share; equal if it is the same one.
#[derive(Debug, Clone)]
pub struct Added(pub Arc<dyn TimeFunction>);

impl PartialEq for Added {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Motion prescribed to one degree of freedom, equation (1).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prescribed {
    /// Degree of freedom (index into v).
    pub dof: usize,
    /// s₀, rad or m.
    pub offset: f64,
    /// c, rad/s or m/s.
    pub rate: f64,
    /// A, rad or m.
    pub amplitude: f64,
    /// f, Hz.
    pub frequency: f64,
    /// φ, rad.
    pub phase: f64,
    /// x(t), rad or m.
    pub added: Option<Added>,
}

impl Prescribed {
    /// s, ṡ and s̈ at time `t`.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let w = TAU * self.frequency;
        let (sin, cos) = (w * t + self.phase).sin_cos();
        let a = self.amplitude;
        let wave =
            [self.offset + self.rate * t + a * sin, self.rate + a * w * cos, -a * w * w * sin];
        match &self.added {
            None => wave,
            Some(Added(x)) => {
                let x = x.at(t);
                [0, 1, 2].map(|k| wave[k] + x[k])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Cubic;

    impl TimeFunction for Cubic {
        fn at(&self, t: f64) -> [f64; 3] {
            [t * t * t, 3.0 * t * t, 6.0 * t]
        }
    }

    #[test]
    fn eq1_derivatives() {
        let p = Prescribed {
            dof: 0,
            offset: 0.3,
            rate: 0.2,
            amplitude: 0.7,
            frequency: 1.3,
            phase: 0.4,
            added: Some(Added(Arc::new(Cubic))),
        };
        let h = 1e-5;
        for t in [0.0, 0.37, 2.1] {
            let [ahead, now, behind] = [p.at(t + h), p.at(t), p.at(t - h)];
            assert!(((ahead[0] - behind[0]) / (2.0 * h) - now[1]).abs() < 1e-8);
            assert!(((ahead[1] - behind[1]) / (2.0 * h) - now[2]).abs() < 1e-7);
        }
    }
}
