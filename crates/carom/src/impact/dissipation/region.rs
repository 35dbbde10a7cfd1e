//! Regions of slip of one contact, and the linear conditions that enclose the friction law in each.
//!
//! # Law
//! In a region with directions û within h of û_m and speeds from a to b, friction that opposes the slip, pₜ = −β x,
//! with ‖pₜ‖ ≤ μ(‖x‖) pₙ implies
//! ```text
//! x ∈ cone,   −pₜ ∈ cone                                      (1)
//! a cos h ≤ û_m·x ≤ b,   −û_m·pₜ ≤ μ(a) pₙ,   pₙ ≥ 0           (2)
//! ```
//! because μ falls with the speed. As h and b − a shrink, (1) and (2) become the law itself. In the plane a direction is
//! a sign, so h = 0 and only the speeds have to be divided. An undivided region has the static cone alone.
//!
//! # Tests
//! `regions_enclose_the_law` below.

use crate::numeric::thresholds::dissipation;

/// Directions of slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Direction {
    /// Not yet divided.
    Any,
    /// One tangent: the sign of the slip.
    Ray(f64),
    /// Two tangents: angles within `half` of `angle`.
    Sector { angle: f64, half: f64 },
}

/// A region of slip of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    pub direction: Direction,
    /// Smallest and largest slip speed.
    pub speeds: [f64; 2],
}

impl Region {
    /// All slips.
    pub const ALL: Self = Self { direction: Direction::Any, speeds: [0.0, f64::INFINITY] };

    /// The parts into which the directions are divided.
    pub fn divide_directions(&self, tangents: usize) -> Vec<Self> {
        let with = |direction| Self { direction, ..*self };
        match (self.direction, tangents) {
            (Direction::Any, 1) => [1.0, -1.0].map(|s| with(Direction::Ray(s))).to_vec(),
            (Direction::Any, _) => (0..4)
                .map(|q| {
                    with(Direction::Sector {
                        angle: f64::from(q) * std::f64::consts::FRAC_PI_2,
                        half: std::f64::consts::FRAC_PI_4,
                    })
                })
                .collect(),
            (Direction::Sector { angle, half }, _) => [-0.5, 0.5]
                .map(|s| with(Direction::Sector { angle: angle + s * half, half: 0.5 * half }))
                .to_vec(),
            (Direction::Ray(_), _) => vec![*self],
        }
    }

    /// The parts below and above a speed.
    pub fn divide_speeds(&self, at: f64) -> [Self; 2] {
        let [a, b] = self.speeds;
        [[a, at], [at, b]].map(|speeds| Self { speeds, ..*self })
    }

    /// Where to divide the speeds, given a slip speed that the linear conditions allow and the law may not.
    pub fn division(&self, speed: f64, layer: f64) -> Option<f64> {
        let [a, b] = self.speeds;
        let end = b.min(a.max(layer));
        let at = if a < layer && speed >= layer && b > layer {
            layer
        } else {
            // Near the point, but never a sliver: parts must shrink for the bounds to meet.
            (0.5 * (a + speed)).clamp(a + 0.1 * (end - a), a + 0.9 * (end - a))
        };
        (at > a && at < b && at - a > dissipation::MOVED * at).then_some(at)
    }

    /// Calls `row` with each condition α·pₜ + ν pₙ + ξ·x ≥ bound, for a coefficient μ of friction.
    pub fn conditions(&self, tangents: usize, mu: f64, row: &mut impl FnMut(Condition)) {
        row(Condition::normal(1.0));
        if tangents == 0 {
            return;
        }
        let [low, high] = self.speeds;
        match self.direction {
            Direction::Any => {
                let count = if tangents == 1 { 2 } else { 8 };
                for i in 0..count {
                    let u = unit(std::f64::consts::TAU * f64::from(i) / f64::from(count));
                    row(Condition::friction(u.map(|c| -c), mu));
                }
            }
            Direction::Ray(s) => {
                row(Condition::slip([s, 0.0], low));
                row(Condition::friction([-s, 0.0], 0.0));
                row(Condition::friction([s, 0.0], mu));
                if high.is_finite() {
                    row(Condition::slip([-s, 0.0], -high));
                }
            }
            Direction::Sector { angle, half } => {
                // Inward normals of the two edges of the sector.
                for edge in [unit(angle - half), unit(angle + half).map(|c| -c)] {
                    let inward = [-edge[1], edge[0]];
                    row(Condition::slip(inward, 0.0));
                    row(Condition::friction(inward.map(|c| -c), 0.0));
                }
                let middle = unit(angle);
                row(Condition::friction(middle, mu));
                row(Condition::slip(middle, low * half.cos()));
                if high.is_finite() {
                    row(Condition::slip(middle.map(|c| -c), -high));
                }
            }
        }
    }
}

/// A linear condition α·pₜ + ν pₙ + ξ·x ≥ bound on one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub tangent_impulse: [f64; 2],
    pub normal_impulse: f64,
    pub slip: [f64; 2],
    pub bound: f64,
}

impl Condition {
    pub fn normal(nu: f64) -> Self {
        Self::friction([0.0; 2], nu)
    }

    /// α·pₜ + ν pₙ ≥ 0.
    pub fn friction(alpha: [f64; 2], nu: f64) -> Self {
        Self { tangent_impulse: alpha, normal_impulse: nu, slip: [0.0; 2], bound: 0.0 }
    }

    /// ξ·x ≥ bound.
    pub fn slip(xi: [f64; 2], bound: f64) -> Self {
        Self { tangent_impulse: [0.0; 2], normal_impulse: 0.0, slip: xi, bound }
    }
}

fn unit(angle: f64) -> [f64; 2] {
    [angle.cos(), angle.sin()]
}

#[cfg(test)]
mod tests {
    use super::super::karnopp::Karnopp;
    use super::*;

    /// Points of the law inside a region satisfy all its conditions.
    #[test]
    fn regions_enclose_the_law() {
        let friction = Karnopp { static_friction: 0.6, least: 0.3, slip_speed: 0.2, exponent: 1.0 };
        let mut checked = 0;
        for (k, half) in [std::f64::consts::FRAC_PI_4, 0.1, 1e-3].into_iter().enumerate() {
            let region =
                Region { direction: Direction::Sector { angle: 0.8, half }, speeds: [0.1, 0.4] };
            for i in 0..=10 {
                for j in 0..=10 {
                    let u = unit(0.8 + half * (f64::from(i) / 5.0 - 1.0));
                    let speed = 0.1 + 0.03 * f64::from(j);
                    let p_n = 1.5;
                    let p_t = friction.coefficient(speed) * p_n * f64::from(k as u32 + 1) / 3.0;
                    region.conditions(2, friction.coefficient(0.1), &mut |c| {
                        let value: f64 = (0..2)
                            .map(|a| (c.slip[a] * speed - c.tangent_impulse[a] * p_t) * u[a])
                            .sum();
                        assert!(value + c.normal_impulse * p_n >= c.bound - 1e-12);
                        checked += 1;
                    });
                }
            }
        }
        assert!(checked > 1000);
    }

    #[test]
    fn parts_cover_the_whole() {
        let sectors = Region::ALL.divide_directions(2);
        assert_eq!(sectors.len(), 4);
        for part in sectors[1].divide_directions(2) {
            let Direction::Sector { angle, half } = part.direction else {
                panic!("a sector divides into sectors");
            };
            assert!((half - std::f64::consts::FRAC_PI_8).abs() < 1e-15);
            assert!((angle - std::f64::consts::FRAC_PI_2).abs() - half < 1e-15);
        }
        let [below, above] = Region::ALL.divide_speeds(0.3);
        assert_eq!(below.speeds[1], above.speeds[0]);
    }
}
