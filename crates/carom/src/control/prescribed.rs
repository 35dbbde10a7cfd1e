//! A joint whose angle or position is a given function of time.
//!
//! ```text
//! s(t) = s₀ + c t + A sin(2π f t + φ)                      (1)
//! ```
//! The force that this takes does work, which the ledger counts as applied.

use std::f64::consts::TAU;

/// Motion prescribed to one degree of freedom, equation (1).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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
}

impl Prescribed {
    /// s, ṡ and s̈ at time `t`.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let w = TAU * self.frequency;
        let (sin, cos) = (w * t + self.phase).sin_cos();
        let a = self.amplitude;
        [self.offset + self.rate * t + a * sin, self.rate + a * w * cos, -a * w * w * sin]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_derivatives() {
        let p = Prescribed {
            dof: 0,
            offset: 0.3,
            rate: 0.2,
            amplitude: 0.7,
            frequency: 1.3,
            phase: 0.4,
        };
        let h = 1e-5;
        for t in [0.0, 0.37, 2.1] {
            let [ahead, now, behind] = [p.at(t + h), p.at(t), p.at(t - h)];
            assert!(((ahead[0] - behind[0]) / (2.0 * h) - now[1]).abs() < 1e-8);
            assert!(((ahead[1] - behind[1]) / (2.0 * h) - now[2]).abs() < 1e-7);
        }
    }
}
