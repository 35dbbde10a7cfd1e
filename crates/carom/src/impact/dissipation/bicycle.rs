//! The bicycle on a wedge: the postures of Flickinger's figures 4.2 to 4.5, as far as the text gives them.
//!
//! A bar with two wheels pinned at its ends is released at rest with the bar level, its centre at (5, 5) m, above a
//! surface through the origin that falls toward +x at the angle α. q = (x, y, bar angle, wheel angles), wheel angles
//! absolute. The wheel higher up the slope hits first; the figures show that contact alone.
//!
//! Read from Tables 2.2 and 4.1 and from the limit 1.5 stated for figure 4.3: wheels are ellipses lying flat with
//! semi-axes 0.5 and 0.25 m and inertia m(a² + b²)/5, which gives the limit 1.5011 at α = 15°. The pole that the text
//! places at 0 < v_t < 1 for 15°, and the infeasible v_t = 0 at 45°, do not follow from this reading.

use nalgebra::{DMatrix, DVector};

use crate::impact::error::ImpactError;
use crate::impact::problem::{ImpactContact, ImpactProblem};

/// The bicycle at its first impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObliqueBicycle {
    /// Angle of the surface below the horizontal, toward +x, rad.
    pub incline: f64,
    /// Restitution e.
    pub restitution: f64,
    /// Dynamic and static friction.
    pub friction: [f64; 2],
    /// Semi-axes of the wheels, along and across the bar, m.
    pub semi_axes: [f64; 2],
    /// Length of the bar, m.
    pub bar: f64,
    /// Masses of bar and of each wheel, kg.
    pub masses: [f64; 2],
    /// Centre of the bar at the release, m.
    pub start: [f64; 2],
    /// Gravity, m/s².
    pub gravity: f64,
}

impl ObliqueBicycle {
    /// The data of the dissertation at an incline (rad) and a restitution.
    pub fn new(incline: f64, restitution: f64) -> Self {
        Self {
            incline,
            restitution,
            friction: [0.25, 0.5],
            semi_axes: [0.5, 0.25],
            bar: 1.0,
            masses: [1.0, 2.0],
            start: [5.0, 5.0],
            gravity: 9.81,
        }
    }

    fn normal(&self) -> [f64; 2] {
        [self.incline.sin(), self.incline.cos()]
    }

    /// From the wheel centre to the lowest point along the normal, and the distance of the surface below the centre.
    fn support(&self) -> ([f64; 2], f64) {
        let (n, [a, b]) = (self.normal(), self.semi_axes);
        let reach = (a * n[0]).hypot(b * n[1]);
        ([-a * a * n[0] / reach, -b * b * n[1] / reach], reach)
    }

    /// Speed of the fall when the upper wheel touches, m/s.
    pub fn drop_speed(&self) -> f64 {
        let n = self.normal();
        let centre = [self.start[0] - 0.5 * self.bar, self.start[1]];
        let gap = n[0] * centre[0] + n[1] * centre[1] - self.support().1;
        (2.0 * self.gravity * (gap / n[1]).max(0.0)).sqrt()
    }

    /// The impact of the upper wheel, tangent pointing down the slope.
    pub fn problem(&self) -> Result<ImpactProblem, ImpactError> {
        let [bar_mass, wheel] = self.masses;
        let [a, b] = self.semi_axes;
        let arm = 0.5 * self.bar;
        let spin = wheel * (a * a + b * b) / 5.0;
        let turn = bar_mass * self.bar * self.bar / 12.0 + 2.0 * wheel * arm * arm;
        let total = bar_mass + 2.0 * wheel;
        let mass = DVector::from_vec(vec![total, total, turn, spin, spin]);
        let n = self.normal();
        let t = [n[1], -n[0]];
        let (r, _) = self.support();
        // The upper wheel is at −arm on the bar; a direction d sees v + ω × r.
        let row = |d: [f64; 2]| vec![d[0], d[1], -arm * d[1], r[0] * d[1] - r[1] * d[0], 0.0];
        let contact = ImpactContact {
            name: "upper wheel".to_owned(),
            tangents: DMatrix::from_row_slice(1, 5, &row(t)),
            normal: DVector::from_vec(row(n)),
            friction: self.friction[0],
            static_friction: self.friction[1],
            restitution: self.restitution,
            touching: true,
        };
        ImpactProblem::new(
            DMatrix::from_diagonal(&mass),
            DVector::from_vec(vec![0.0, -self.drop_speed(), 0.0, 0.0, 0.0]),
            vec![contact],
        )
    }
}
