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
//! halves a step that does not raise s. With the bodies' motions, from the derivative of (2),
//! ```text
//! Tᵀ(H + g) ṅ = Tᵀ(u + H_A (ω_A × n) + H_B (ω_B × n)),   ṅ·d = −n·(ω_A × d)                      (4)
//! ρ_A = H_A(ṅ − ω_A × n) + τ̇ d,   ρ_B = −H_B(ṅ − ω_B × n)                                        (5)
//! ```
//! u the relative velocity of the material points, ρ how the contact points wander over the bodies, τ̇ the rest of
//! (4) along d.
//!
//! # Limits
//! Shapes that overlap so deeply that H + g is not positive have no common normal that continues: [`Status::Concentric`].
//! In space no semi-axis is zero but all of a point's.
//!
//! # Tests
//! `tests/smooth_pairs.rs`: `eq2_is_the_distance`, `eq4_eq5_derivatives`, `exchange_of_the_shapes`.

use super::gap::{Approach, Gap, Geometry, Status};
use super::motion::BodyMotion;
use super::tangents::{tangent_rates, tangents};
use nalgebra::{Matrix3, Vector3};

/// Steps of equation (3); six are usual, the sharpest ellipsoids need twenty.
const MOST_STEPS: usize = 100;

/// Halvings of one step of equation (3).
const MOST_HALVINGS: usize = 40;

/// Turn of the normal, rad, below which steps of equation (3) are so good that round-off decides about s.
const NEWTON: f64 = crate::numeric::thresholds::geometry::NEWTON;

/// Turn of the normal, rad, that is round-off.
const TURNED: f64 = 4.0 * f64::EPSILON;

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
struct Placed {
    center: Vector3<f64>,
    /// Q D.
    QD: Matrix3<f64>,
    radius: f64,
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
struct Free {
    T: [Vector3<f64>; 2],
    count: usize,
}

impl Smooth {
    /// A ball, or a point without a radius.
    pub fn ball(center: Vector3<f64>, radius: f64) -> Self {
        Self { center, axes: Matrix3::identity(), semi_axes: Vector3::zeros(), radius }
    }

    /// Its largest radius, m.
    pub fn size(&self) -> f64 {
        self.semi_axes.amax() + self.radius
    }

    /// Its point farthest along `n`, in the world.
    pub fn support(&self, body: &BodyMotion, n: &Vector3<f64>) -> Vector3<f64> {
        self.placed(body).point(n)
    }

    fn placed(&self, body: &BodyMotion) -> Placed {
        let QD = body.R * self.axes * Matrix3::from_diagonal(&self.semi_axes);
        Placed { center: body.place(&self.center), QD, radius: self.radius }
    }
}

impl Placed {
    /// x(n) of equation (1).
    fn point(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let m = self.QD.tr_mul(n);
        let h = m.norm();
        let x = self.center + self.radius * n;
        if h > 0.0 { x + self.QD * (m / h) } else { x }
    }

    /// H(n) of equation (1).
    fn curvature(&self, n: &Vector3<f64>) -> Matrix3<f64> {
        let round = (Matrix3::identity() - n * n.transpose()) * self.radius;
        let m = self.QD.tr_mul(n);
        let h = m.norm();
        if h == 0.0 {
            return round;
        }
        let m = m / h;
        let across = self.QD * m;
        (self.QD * self.QD.transpose() - across * across.transpose()) / h + round
    }
}

impl Free {
    fn of(n: &Vector3<f64>, along: Option<&Vector3<f64>>) -> Self {
        match along {
            Some(d) => Self { T: [n.cross(d).normalize(), Vector3::zeros()], count: 1 },
            None => Self { T: tangents(n, false), count: 2 },
        }
    }

    /// The y of Tᵀ(H + s) T y = Tᵀ w as T y; none where Tᵀ(H + s) T is not positive.
    fn solve(&self, H: &Matrix3<f64>, s: f64, w: &Vector3<f64>) -> Option<Vector3<f64>> {
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
        let (pa, pb) = (self.a.placed(a), self.b.placed(b));
        let along = self.along(a);
        let at = |n: &Vector3<f64>| {
            let w = pb.point(&-n) - pa.point(n);
            (w, n.dot(&w))
        };
        let mut n = start(pb.center - pa.center, along.as_ref());
        let (mut w, mut s) = at(&n);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let free = Free::of(&n, along.as_ref());
            let H = pa.curvature(&n) + pb.curvature(&-n);
            let newton = free.solve(&H, s, &w);
            let Some(step) = newton.or_else(|| free.solve(&H, s.abs(), &w)) else { break };
            let turn = step.norm();
            if newton.is_some() && turn <= NEWTON {
                // Round-off does not let steps become shorter for ever.
                if turn <= TURNED || turn >= 0.5 * last {
                    break;
                }
                last = turn;
                n = (n + step).normalize();
                (w, s) = at(&n);
                continue;
            }
            let mut share = 1.0;
            for _ in 0..MOST_HALVINGS {
                let trial = (n + share * step).normalize();
                let (w_trial, s_trial) = at(&trial);
                if s_trial > s || share * turn <= TURNED {
                    (n, w, s) = (trial, w_trial, s_trial);
                    break;
                }
                share *= 0.5;
            }
        }
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

/// The first normal: from centre to centre, across `along`.
fn start(d: Vector3<f64>, along: Option<&Vector3<f64>>) -> Vector3<f64> {
    let across = along.map_or(d, |z| d - z * z.dot(&d));
    let size = across.norm();
    if size > f64::EPSILON * d.norm() {
        return across / size;
    }
    along.map_or_else(Vector3::z, |z| tangents(z, false)[0])
}
