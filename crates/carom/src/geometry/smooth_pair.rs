//! Two smooth convex shapes, or an edge and one: their common normal.
//!
//! # Law
//! h(n) is the support function of a shape, x(n) = ∇h its point farthest along n, H(n) = ∇²h; for a rounded
//! ellipsoid with centre c, semi-axes D along the columns of Q and rounding r, with m = D Qᵀn/|D Qᵀn|,
//! ```text
//! x(n) = c + Q D m + r n,   H(n) = Q D (1 − m mᵀ) D Qᵀ/|D Qᵀn| + r (1 − n nᵀ)                    (1)
//! ```
//! Along n the shapes are s(n) = n·w apart, w = x_B(−n) − x_A(n), and
//! ```text
//! g = max s(n) over unit vectors n, where w = g n + τ d                                          (2)
//! ```
//! d is the direction of an edge, to which n is perpendicular, and τ the place on it; without an edge τ = 0. In
//! the plane n is perpendicular to z. s is concave where it is positive, so that the maximum is unique there; where
//! the shapes overlap it is the one that continues it, as long as H + g is positive. Newton's method in the
//! tangent space T of the n that are allowed,
//! ```text
//! n ← n + T y normalised,   Tᵀ(H + s) T y = Tᵀ w,   H = H_A(n) + H_B(−n)                         (3)
//! ```
//! halves a step that does not raise s (`common_normal`). With the bodies' motions, from the derivative of (2),
//! ```text
//! Tᵀ(H + g) ṅ = Tᵀ(u + H_A (ω_A × n) + H_B (ω_B × n)),   ṅ·d = −n·(ω_A × d)                      (4)
//! ρ_A = H_A(ṅ − ω_A × n) + τ̇ d,   ρ_B = −H_B(ṅ − ω_B × n)                                        (5)
//! ```
//! u the relative velocity of the material points, ρ how the contact points wander over the bodies, τ̇ the rest of
//! (4) along d.
//!
//! # Limits
//! Shapes that overlap so deeply that H + g is not positive have no common normal that continues: [`Status::Concentric`].
//! In space no semi-axis is zero but all of a point's, and the third of a disk or a flat ellipse, the rim of a cylinder, whose axis
//! points outward; that of a whole disk points to either side. It has no curvature at its axis, where it lies flat: the search starts from
//! the best of some directions then.
//!
//! # Tests
//! `tests/smooth_pairs.rs`: `eq2_is_the_distance`, `eq4_eq5_derivatives`, `exchange_of_the_shapes`.

use super::common_normal::{TURNED, Top, grow, raise, start, starts};
use super::gap::{Approach, Gap, Geometry, Status};
use super::motion::BodyMotion;
use super::round_plane::FLAT;
use super::tangents::{tangent_rates, tangents};
use nalgebra::{Matrix3, Vector3};

/// Sine of the angle from the axis of a disk up to which it counts as flat for steps that leave the axis.
const NEAR_AXIS: f64 = 1e-3;

/// A rounded ellipsoid, a ball or a point, fixed to a body; seen from the body's reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smooth {
    /// Centre in body axes, m.
    pub center: Vector3<f64>,
    /// Axes of the ellipsoid in body axes, one per column.
    pub axes: Matrix3<f64>,
    /// Semi-axes, m; all zero for a ball or a point.
    pub semi_axes: Vector3<f64>,
    /// Rounding, m, ≥ 0.
    pub radius: f64,
    /// Whether a flat disk or ellipse is all of a shape, and has normals on both of its sides.
    pub two_sided: bool,
}

/// Two smooth shapes; the first may be an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmoothPair {
    /// The shape the normal points away from.
    pub a: Smooth,
    /// The shape the normal points to.
    pub b: Smooth,
    /// Direction of the edge that the centre of `a` moves along, in body axes.
    pub edge: Option<Vector3<f64>>,
    /// Whether they move in the x–y plane.
    pub planar: bool,
}

/// A shape where its body is now.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) center: Vector3<f64>,
    /// Q D.
    pub(super) QD: Matrix3<f64>,
    radius: f64,
    /// The outward axis of a flat disk or ellipse, and its radius or larger semi-axis.
    pub(super) flat: Option<(Vector3<f64>, f64)>,
}

/// The common normal and what belongs to it.
struct Common {
    normal: Vector3<f64>,
    gap: f64,
    points: [Vector3<f64>; 2],
    H: [Matrix3<f64>; 2],
    free: Free,
    along: Option<Vector3<f64>>,
    status: Status,
}

/// Orthonormal directions in which the normal may turn.
#[derive(Clone, Copy)]
pub(super) struct Free {
    T: [Vector3<f64>; 2],
    count: usize,
}

impl Smooth {
    /// A ball, or a point without a radius.
    pub fn ball(center: Vector3<f64>, radius: f64) -> Self {
        let (axes, semi_axes) = (Matrix3::identity(), Vector3::zeros());
        Self { center, axes, semi_axes, radius, two_sided: false }
    }

    /// Its largest radius, m.
    pub fn size(&self) -> f64 {
        self.semi_axes.amax() + self.radius
    }

    /// Its least semi-axis, of an ellipse the lesser one, m.
    pub fn least(&self) -> f64 {
        self.semi_axes.iter().copied().filter(|a| *a > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// Half extents of a box around it along the axes of the body, about its centre, m.
    pub fn half_extents(&self) -> Vector3<f64> {
        let spread = self.axes * Matrix3::from_diagonal(&self.semi_axes);
        let along = |k: usize| spread.row(k).norm() + self.radius;
        Vector3::new(along(0), along(1), along(2))
    }

    /// Its point farthest along `n`, in the world.
    pub fn support(&self, body: &BodyMotion, n: &Vector3<f64>) -> Vector3<f64> {
        self.placed(body).point(n)
    }

    fn placed(&self, body: &BodyMotion) -> Placed {
        let QD = body.R * self.axes * Matrix3::from_diagonal(&self.semi_axes);
        let [x, y, z] = self.semi_axes.into();
        let flat = (x > 0.0 && z == 0.0).then(|| (body.R * self.axes.column(2), x.max(y)));
        Placed { center: body.place(&self.center), QD, radius: self.radius, flat }
    }
}

impl Placed {
    /// Whether it is a flat disk or ellipse, the rim of a cylinder.
    pub(super) fn is_disk(&self) -> bool {
        self.flat.is_some()
    }

    /// The same disk, its axis outward on the other side.
    fn turned(self) -> Self {
        Self { flat: self.flat.map(|(z, r)| (-z, r)), ..self }
    }

    /// The middle of the points that are nearly farthest along `n`, and Q D of how far they spread, m: near the axis of a disk
    /// all of its points are.
    pub(super) fn middle(&self, n: &Vector3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
        match &self.flat {
            Some((_, r)) if self.QD.tr_mul(n).norm() <= NEAR_AXIS * r => (self.center, self.QD),
            _ => (self.point(n), Matrix3::zeros()),
        }
    }

    /// |D Qᵀn| up to which n is the axis of a disk.
    fn axial(&self) -> f64 {
        self.flat.map_or(0.0, |(_, r)| FLAT * r)
    }

    /// Whether n is the axis of a disk.
    pub(super) fn is_axial(&self, n: &Vector3<f64>) -> bool {
        self.is_disk() && self.QD.tr_mul(n).norm() <= self.axial()
    }

    /// The direction across the axis of a disk to `x`, and the point of its border farthest that way, from its centre.
    pub(super) fn towards(&self, z: &Vector3<f64>, x: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let d = x - self.center;
        let across = d - z * z.dot(&d);
        let size = across.norm();
        let e = if size > f64::EPSILON * d.norm() { across / size } else { tangents(z, false)[0] };
        let m = self.QD.tr_mul(&e);
        [e, self.QD * (m / m.norm())]
    }

    /// What the point x(n) lacks of the height along n, m: at the axis of a disk the centre stands for it.
    pub(super) fn short(&self, n: &Vector3<f64>) -> f64 {
        let h = if self.is_disk() { self.QD.tr_mul(n).norm() } else { f64::INFINITY };
        if h <= self.axial() { h } else { 0.0 }
    }

    /// The same shape smaller by a share, about its centre.
    pub(super) fn scaled(&self, share: f64) -> Self {
        let flat = self.flat.map(|(z, r)| (z, r * share));
        Self { QD: self.QD * share, radius: self.radius * share, flat, ..*self }
    }

    /// How far it reaches from its centre along n, m.
    pub(super) fn height(&self, n: &Vector3<f64>) -> f64 {
        self.QD.tr_mul(n).norm() + self.radius
    }

    /// x(n) of equation (1).
    pub(super) fn point(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let m = self.QD.tr_mul(n);
        let h = m.norm();
        let x = self.center + self.radius * n;
        if h > self.axial() { x + self.QD * (m / h) } else { x }
    }

    /// H(n) of equation (1).
    pub(super) fn curvature(&self, n: &Vector3<f64>) -> Matrix3<f64> {
        let round = (Matrix3::identity() - n * n.transpose()) * self.radius;
        let m = self.QD.tr_mul(n);
        let h = m.norm();
        if h <= self.axial() {
            return round;
        }
        let m = m / h;
        let across = self.QD * m;
        (self.QD * self.QD.transpose() - across * across.transpose()) / h + round
    }
}

impl Free {
    pub(super) fn of(n: &Vector3<f64>, along: Option<&Vector3<f64>>) -> Self {
        match along {
            Some(d) => Self { T: [n.cross(d).normalize(), Vector3::zeros()], count: 1 },
            None => Self { T: tangents(n, false), count: 2 },
        }
    }

    /// T Tᵀ w.
    pub(super) fn project(&self, w: &Vector3<f64>) -> Vector3<f64> {
        self.T[..self.count].iter().map(|t| t * t.dot(w)).sum()
    }

    /// The y of Tᵀ(H + s) T y = Tᵀ w as T y; none where Tᵀ(H + s) T is not positive.
    pub(super) fn solve(&self, H: &Matrix3<f64>, s: f64, w: &Vector3<f64>) -> Option<Vector3<f64>> {
        let [t, e] = &self.T;
        let a = t.dot(&(H * t)) + s;
        let size = H.norm() + s.abs();
        if self.count == 1 {
            return (a > f64::EPSILON * size).then(|| t * (t.dot(w) / a));
        }
        let (b, c) = (t.dot(&(H * e)), e.dot(&(H * e)) + s);
        let D = a * c - b * b;
        if !(a > 0.0 && c > 0.0 && D > f64::EPSILON * a * c) {
            return None;
        }
        let (p, q) = (t.dot(w), e.dot(w));
        Some(t * ((c * p - b * q) / D) + e * ((a * q - b * p) / D))
    }
}

impl SmoothPair {
    /// The direction, in the world, to which the normal is perpendicular.
    fn along(&self, a: &BodyMotion) -> Option<Vector3<f64>> {
        self.edge.map(|d| a.R * d).or(self.planar.then(Vector3::z))
    }

    /// Equations (2) and (3).
    fn common(&self, a: &BodyMotion, b: &BodyMotion) -> Common {
        let (mut pa, mut pb) = (self.a.placed(a), self.b.placed(b));
        if self.planar {
            // No normal comes near the axis of an ellipse.
            (pa.flat, pb.flat) = (None, None);
        }
        let along = self.along(a);
        let at = |n: &Vector3<f64>| {
            let w = pb.point(&-n) - pa.point(n);
            (w, n.dot(&w) - pa.short(n) - pb.short(&-n))
        };
        let sided = |n: &Vector3<f64>| {
            let faces = |shape: &Smooth, placed: &Placed, n: Vector3<f64>| {
                shape.two_sided || placed.flat.is_none_or(|(z, _)| z.dot(&n) >= -TURNED)
            };
            faces(&self.a, &pa, *n) && faces(&self.b, &pb, -n)
        };
        let mut best = Top::of(start(pb.center - pa.center, along.as_ref()), &at);
        let mut own: Option<Top> = None;
        if pa.is_disk() || pb.is_disk() {
            let sides = |s: &Smooth| if s.two_sided { 2 } else { 1 };
            for (i, j) in (0..sides(&self.a)).flat_map(|i| (0..sides(&self.b)).map(move |j| (i, j)))
            {
                let a = if i == 0 { pa } else { pa.turned() };
                let b = if j == 0 { pb } else { pb.turned() };
                for n in starts([&a, &b], along.as_ref(), self.edge.is_some()) {
                    let top = Top::of(n, &at);
                    if sided(&top.n) && own.as_ref().is_none_or(|own| top.s > own.s) {
                        own = Some(top);
                    }
                    if top.s > best.s {
                        best = top;
                    }
                }
            }
        }
        raise([&pa, &pb], along.as_ref(), &at, &mut best);
        grow([&pa, &pb], along.as_ref(), (&mut best, &at));
        // Flat rims that touch have a second maximum behind one of them, where its cylinder is.
        if let Some(mut own) = own.filter(|_| !sided(&best.n)) {
            raise([&pa, &pb], along.as_ref(), &at, &mut own);
            best = if sided(&own.n) { own } else { best };
        }
        let Top { n, w, s } = best;
        let H = [pa.curvature(&n), pb.curvature(&-n)];
        let free = Free::of(&n, along.as_ref());
        let sound = free.solve(&(H[0] + H[1]), s, &w).is_some();
        let status = if sound { Status::Regular } else { Status::Concentric };
        let mut points = [pa.point(&n), pb.point(&-n)];
        if self.edge.is_some() {
            points[0] = points[1] - s * n;
        }
        Common { normal: n, gap: s, points, H, free, along, status }
    }

    /// Gap and its rate.
    pub fn approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        let c = self.common(a, b);
        let u = b.velocity(&c.points[1]) - a.velocity(&c.points[0]);
        Approach { gap: c.gap, rate: c.normal.dot(&u) }
    }

    /// Gap, normal and the contact points, in the world.
    pub fn nearest(
        &self,
        a: &BodyMotion,
        b: &BodyMotion,
    ) -> (f64, Vector3<f64>, [Vector3<f64>; 2]) {
        let c = self.common(a, b);
        (c.gap, c.normal, c.points)
    }

    /// Gap, contact points, velocities and biases.
    pub fn gap(&self, a: &BodyMotion, b: &BodyMotion) -> Gap {
        let c = self.common(a, b);
        let n = c.normal;
        let u = b.velocity(&c.points[1]) - a.velocity(&c.points[0]);
        let [HA, HB] = &c.H;
        let turns = [a.w.cross(&n), b.w.cross(&n)];
        // Of ṅ, what the direction d asks for; the z axis does not turn.
        let held = match (self.edge, c.along) {
            (Some(_), Some(d)) => -d * n.dot(&a.w.cross(&d)),
            _ => Vector3::zeros(),
        };
        let H = HA + HB;
        let drive = u + HA * turns[0] + HB * turns[1] - (H * held + c.gap * held);
        let normal_rate = match c.free.solve(&H, c.gap, &drive) {
            Some(rate) if c.status == Status::Regular => held + rate,
            _ => Vector3::zeros(),
        };
        let mut rho_a = HA * (normal_rate - turns[0]);
        let rho_b = -(HB * (normal_rate - turns[1]));
        if let (Some(_), Some(d)) = (self.edge, c.along) {
            // u + ρ_B − ρ_A = ġ n + g ṅ along d.
            rho_a += d * d.dot(&(u + rho_b - rho_a - c.gap * normal_rate));
        }
        let geometry = Geometry {
            gap: c.gap,
            normal: n,
            normal_rate,
            tangents: tangents(&n, self.planar),
            tangent_rates: tangent_rates(&n, &normal_rate, self.planar),
            point_a: c.points[0],
            point_b: c.points[1],
            status: c.status,
        };
        geometry.finish(a, b, u, [rho_a, rho_b])
    }
}
