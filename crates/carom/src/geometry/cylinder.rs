//! A cylinder: two caps, the side between them, two rims; and what has no length, a disk or a flat ellipse.
//!
//! # Law
//! With the centre c, the axis a, the radius r and the half length l, cap k has the outward normal s a, s = ±1, and
//! ```text
//! cap:   a face, the plane n = s a through c + s l a, as far as |x − c − a (a·(x − c))| ≤ r       (1)
//! side:  the line c + τ a, |τ| ≤ l, with the rounding r; normals across a                         (2)
//! rim:   the flat disk of radius r about c + s l a; normals n with s a·n ≥ 0                      (3)
//! ```
//! The side is that of a capsule, and a rim the border of an ellipsoid whose third semi-axis is zero, so that gaps of all
//! parts are those of faces, lines and smooth shapes.
//!
//! # Rule
//! A cap that lies flat on something has no lowest point. It then stands on the corners of the regular polygon of
//! [`CORNERS`] corners inscribed in its rim, the first one along the x axis of the cylinder, and its sides are straight
//! edges. The height of a flat cap is exact. It tips over an edge of that polygon, up to 1 − cos(π/8) = 7.6 % of the radius
//! too early; towards a corner exactly. A cylinder that spins on its cap is braked at the radius r.
//!
//! # Flat shapes
//! A disk in space is a cylinder of no length: it has no side, and one rim, with all normals. A flat ellipse is one, too: with
//! the semi-axes D = diag(a, b), d = x − c along its axes and i = 1, …, 8
//! ```text
//! rim:     the border of an ellipsoid with the semi-axes a, b, 0                                  (4)
//! inside:  (1 − |D⁻¹d|) min(a, b), no more than the distance from the border                      (5)
//! corners: D (cos iπ/4, sin iπ/4), the image of those of a disk                                   (6)
//! ```
//!
//! # Tests
//! `tests/cylinders.rs`; the disk: `a_disk_falls_flat`, `a_disk_rolls_through_upright`; the ellipse: (4) and (5)
//! `tests/pairs_of_shapes.rs`, (6) `eq6_an_ellipse_lies_flat_on_its_corners`.

use super::half_space::HalfSpace;
use super::lines::Line;
use super::motion::BodyMotion;
use super::smooth_pair::Smooth;
use crate::spatial::Pose;
use nalgebra::{Matrix3, Vector3};

/// Corners that stand for a cap that lies flat.
pub const CORNERS: usize = 8;

/// A cylinder fixed to a body, seen from the body's reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// Centre in body axes, m.
    pub center: Vector3<f64>,
    /// Its axes in body axes, one per column; it stands along the third.
    pub axes: Matrix3<f64>,
    /// Radius, m; of a flat ellipse its larger semi-axis.
    pub radius: f64,
    /// Half its length, m.
    pub half_length: f64,
    /// Semi-axes of a cap in units of the radius: both are one but for a flat ellipse.
    shares: [f64; 2],
}

/// +1 for the upper end, −1 for the lower.
fn side(k: usize) -> f64 {
    if k == 0 { 1.0 } else { -1.0 }
}

impl Cylinder {
    /// A cylinder along z where `placement` puts it.
    pub fn new(placement: &Pose, radius: f64, half_length: f64) -> Self {
        Self { center: placement.r, axes: placement.R, radius, half_length, shares: [1.0; 2] }
    }

    /// A disk or an ellipse across z without thickness, by its semi-axes along x and y.
    pub fn flat(placement: &Pose, [a, b]: [f64; 2]) -> Self {
        let radius = a.max(b);
        let shares = [a / radius, b / radius];
        Self { shares, ..Self::new(placement, radius, 0.0) }
    }

    /// Least radius of its caps, m.
    pub fn least_radius(&self) -> f64 {
        self.radius * self.shares[0].min(self.shares[1])
    }

    /// Outward normal of cap `k` in body axes.
    pub fn outward(&self, k: usize) -> Vector3<f64> {
        self.axes.column(2) * side(k)
    }

    /// How many rims it has: that of a disk is one.
    pub fn rims(&self) -> usize {
        if self.half_length > 0.0 { 2 } else { 1 }
    }

    fn middle(&self, k: usize) -> Vector3<f64> {
        self.center + self.outward(k) * self.half_length
    }

    /// Cap `k` of (1), upper and lower.
    pub fn cap(&self, k: usize) -> HalfSpace {
        HalfSpace::new(self.middle(k), self.outward(k), false)
    }

    /// The side of (2).
    pub fn side(&self) -> Line {
        let along = self.outward(0);
        Line { start: self.middle(1), along, radius: self.radius }
    }

    /// Rim `k` of (3); its third axis points outward.
    pub fn rim(&self, k: usize) -> Smooth {
        let [x, y] = [0, 1].map(|i| self.axes.column(i).into_owned());
        let axes = Matrix3::from_columns(&[x, y * side(k), self.outward(k)]);
        let [a, b] = self.shares.map(|share| self.radius * share);
        let semi_axes = Vector3::new(a, b, 0.0);
        let two_sided = self.rims() == 1;
        Smooth { center: self.middle(k), axes, semi_axes, radius: 0.0, two_sided }
    }

    /// Corner `i` of the rule: those of the upper cap first.
    pub fn corner(&self, i: usize) -> Vector3<f64> {
        let angle = std::f64::consts::TAU * (i % CORNERS) as f64 / CORNERS as f64;
        let [a, b] = self.shares;
        let across = self.axes * Vector3::new(a * angle.cos(), b * angle.sin(), 0.0);
        self.middle(i / CORNERS) + across * self.radius
    }

    /// The corner after corner `i` of the same cap.
    pub fn next_corner(i: usize) -> usize {
        i - i % CORNERS + (i + 1) % CORNERS
    }

    /// The straight edge from corner `i` to the next, and its length.
    pub fn chord(&self, i: usize) -> (Line, f64) {
        let start = self.corner(i);
        let d = self.corner(Self::next_corner(i)) - start;
        let length = d.norm();
        (Line { start, along: d / length, radius: 0.0 }, length)
    }

    /// How far inside of the cylinder's outline a point lies, seen along its axis, m; of an ellipse (5).
    pub fn inside_cap(&self, body: &BodyMotion, x: &Vector3<f64>) -> f64 {
        let d = self.local(body, x);
        let [a, b] = self.shares;
        (self.radius - (d.x / a).hypot(d.y / b)) * a.min(b)
    }

    /// How far a point is from the nearer end, along the axis, m; negative beyond.
    pub fn inside_side(&self, body: &BodyMotion, x: &Vector3<f64>) -> f64 {
        self.half_length - self.local(body, x).z.abs()
    }

    fn local(&self, body: &BodyMotion, x: &Vector3<f64>) -> Vector3<f64> {
        self.axes.tr_mul(&(body.R.tr_mul(&(x - body.r)) - self.center))
    }

    /// Its lowest height along `n`, in the world.
    pub fn lowest(&self, body: &BodyMotion, n: &Vector3<f64>) -> f64 {
        let N = self.axes.tr_mul(&body.R.tr_mul(n));
        let [a, b] = self.shares;
        let reach = self.radius * (a * N.x).hypot(b * N.y) + self.half_length * N.z.abs();
        n.dot(&body.place(&self.center)) - reach
    }

    /// Radius of the ball about its centre that holds it, m.
    pub fn reach(&self) -> f64 {
        self.radius.hypot(self.half_length)
    }

    /// Half extents of a box around it along the axes of the body, about its centre, m.
    pub fn half_extents(&self) -> Vector3<f64> {
        let [a, b] = self.shares;
        let along = |k: usize| {
            let [x, y, z] = [0, 1, 2].map(|column| self.axes[(k, column)]);
            z.abs() * self.half_length + (a * x).hypot(b * y) * self.radius
        };
        Vector3::new(along(0), along(1), along(2))
    }
}
