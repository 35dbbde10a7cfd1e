//! Karnopp-smoothed friction: static at rest, falling to a smaller value within a thin layer of slip speeds.
//!
//! ```text
//! μ(v) = μ_min + (μs − μ_min) exp(−(v/v_s)ᵃ)            (4.10)
//! ```
//! μ falls with v, so that its range over an interval of speeds is that of the ends; the searches rely on it.

/// The smoothed coefficient of friction of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Karnopp {
    /// μs, the value at rest.
    pub static_friction: f64,
    /// μ_min = min(μd, μ_f), the value of fast slip (4.9).
    pub least: f64,
    /// v_s, width of the layer.
    pub slip_speed: f64,
    /// a, shape of the layer.
    pub exponent: f64,
}

impl Karnopp {
    /// μ at a slip speed v ≥ 0.
    pub fn coefficient(&self, speed: f64) -> f64 {
        let fall = (speed / self.slip_speed).powf(self.exponent);
        self.least + (self.static_friction - self.least) * (-fall).exp()
    }

    /// dμ/dv at a slip speed v > 0.
    pub fn slope(&self, speed: f64) -> f64 {
        let fall = (speed / self.slip_speed).powf(self.exponent);
        let rate = self.exponent * fall / speed;
        -(self.static_friction - self.least) * (-fall).exp() * rate
    }

    /// Speed beyond which μ equals μ_min to round-off: (v/v_s)ᵃ = 45.
    pub fn layer(&self) -> f64 {
        self.slip_speed * 45.0_f64.powf(1.0 / self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRICTION: Karnopp =
        Karnopp { static_friction: 0.5, least: 0.25, slip_speed: 1.4e-4, exponent: 1.0 };

    /// The statements below (4.10): μ ≈ μ_min at 1e-3 m/s, μ ≈ μs at rest.
    #[test]
    fn eq4_10_as_described() {
        assert_eq!(FRICTION.coefficient(0.0), 0.5);
        assert!((FRICTION.coefficient(1e-3) - 0.25).abs() < 2.5e-4);
        let at_scale = 0.25 + 0.25 / std::f64::consts::E;
        assert!((FRICTION.coefficient(1.4e-4) - at_scale).abs() < 1e-15);
        assert_eq!(FRICTION.coefficient(FRICTION.layer()), 0.25);
    }

    #[test]
    fn slope_is_the_derivative() {
        for exponent in [0.5, 1.0, 2.0] {
            let friction = Karnopp { exponent, ..FRICTION };
            for v in [1e-5, 1e-4, 4e-4] {
                let h = 1e-6 * v;
                let rise = friction.coefficient(v + h) - friction.coefficient(v - h);
                let slope = friction.slope(v);
                assert!((rise / (2.0 * h) - slope).abs() < 1e-6 * slope.abs());
            }
        }
    }
}
