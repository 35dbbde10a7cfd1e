//! Gaps against differences along smooth motions, and against closed forms.
#![allow(non_snake_case)]

use carom::geometry::{
    Approach, BodyMotion, Gap, HalfSpace, Line, LinePair, LinePoint, Round, Sphere, SpherePair,
    Status, approach_plane, gap_to_plane,
};
use nalgebra::{Matrix3, Rotation3, Vector3};

/// Step of the differences, s: 4 steps at up to 7 rad/s turn by 0.08 rad, a quarter of the angle over
/// which the sharpest ellipsoid changes its curvature.
const STEP: f64 = 0.003;

/// Derivatives by central differences of order 8.
fn first<T>(f: impl Fn(f64) -> T, h: f64) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let w = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let pair = |k: usize| (f((k + 1) as f64 * h) - f(-((k + 1) as f64) * h)) * (w[k] / h);
    pair(0) + pair(1) + pair(2) + pair(3)
}

fn second(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    let w = [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
    let sum: f64 = (0..4).map(|k| w[k] * (f((k + 1) as f64 * h) + f(-((k + 1) as f64) * h))).sum();
    (sum - 205.0 / 72.0 * f(0.0)) / (h * h)
}

/// A small generator, so that the test is the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        2.0 * (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }
}

/// A motion: r cubic in t, R = exp(θ(t)) R₀ with θ quadratic; its rates are exact.
#[derive(Clone, Copy)]
struct Path {
    r: [Vector3<f64>; 4],
    R: Matrix3<f64>,
    w: Vector3<f64>,
    alpha: Vector3<f64>,
}

impl Path {
    fn random(random: &mut Random, planar: bool) -> Self {
        let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
        let axis = |v: Vector3<f64>| if planar { Vector3::new(0.0, 0.0, v.z) } else { v };
        Self {
            r: std::array::from_fn(|_| flat(random.vector())),
            R: *Rotation3::new(axis(random.vector()) * 3.0).matrix(),
            w: axis(random.vector()) * 2.0,
            alpha: axis(random.vector()) * 2.0,
        }
    }

    fn rotation(&self, t: f64) -> Matrix3<f64> {
        Rotation3::new(self.w * t + self.alpha * (0.5 * t * t)).matrix() * self.R
    }

    /// ω from Ṙ Rᵀ; θ = wt + ½αt² has ω = w at t = 0 and, since [θ, θ̇] = O(t²), ω̇ = α there.
    fn omega(&self, t: f64) -> Vector3<f64> {
        let S = first(|d| self.rotation(t + d), 0.02) * self.rotation(t).transpose();
        Vector3::new(S[(2, 1)] - S[(1, 2)], S[(0, 2)] - S[(2, 0)], S[(1, 0)] - S[(0, 1)]) * 0.5
    }

    fn at(&self, t: f64) -> BodyMotion {
        let [a, b, c, d] = self.r;
        let w = if t == 0.0 { self.w } else { self.omega(t) };
        BodyMotion {
            R: self.rotation(t),
            r: a + b * t + c * (t * t) + d * (t * t * t),
            w,
            v: b + c * (2.0 * t) + d * (3.0 * t * t),
            // The whole acceleration is given as bias, so that the biases are the derivatives.
            a0: c * 2.0 + d * (6.0 * t),
            alpha0: self.alpha,
        }
    }
}

/// A pair under test.
#[derive(Clone, Copy)]
enum Pair {
    Plane(HalfSpace, Round),
    Spheres(SpherePair),
    Lines(LinePair),
    LinePoint(LinePoint),
}

impl Pair {
    fn gap(&self, a: &BodyMotion, b: &BodyMotion) -> Gap {
        match self {
            Self::Plane(plane, round) => gap_to_plane(plane, a, round, b),
            Self::Spheres(pair) => pair.gap(a, b),
            Self::Lines(pair) => pair.gap(a, b),
            Self::LinePoint(pair) => pair.gap(a, b),
        }
    }

    fn approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        match self {
            Self::Plane(plane, round) => approach_plane(plane, a, round, b),
            Self::Spheres(pair) => pair.approach(a, b),
            Self::Lines(pair) => pair.approach(a, b),
            Self::LinePoint(pair) => pair.approach(a, b),
        }
    }
}

fn pairs(random: &mut Random, planar: bool) -> Vec<Pair> {
    let semi = [
        [0.0, 0.0, 0.0],
        [0.7, 0.7, 0.7],
        [0.9, 0.5, 0.3],
        [0.6, 0.6, 0.0],
        [0.9, 0.4, 0.0],
        [0.8, 0.0, 0.0],
        [0.0, 0.5, 0.9],
    ];
    let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
    let mut all = Vec::new();
    for s in semi {
        let normal = flat(random.vector()).normalize();
        let plane = HalfSpace::new(flat(random.vector()), normal, planar);
        let turn = if planar { Vector3::z() * random.next() } else { random.vector() };
        let axes = *Rotation3::new(turn * 3.0).matrix();
        all.push(Pair::Plane(plane, Round::new(flat(random.vector()), axes, Vector3::from(s))));
    }
    let sphere = |random: &mut Random| Sphere {
        center: flat(random.vector()),
        radius: 0.1 + 0.4 * random.next().abs(),
    };
    let (a, b) = (sphere(random), sphere(random));
    all.push(Pair::Spheres(SpherePair { a, b, planar }));
    if !planar {
        let line = |random: &mut Random, radius| Line {
            start: random.vector(),
            along: random.vector().normalize(),
            radius,
        };
        for radius in [0.0, 0.2] {
            let side = random.next().signum();
            all.push(Pair::Lines(LinePair { a: line(random, radius), b: line(random, 0.1), side }));
            let point = random.vector();
            all.push(Pair::LinePoint(LinePoint { line: line(random, 0.2), point, radius }));
        }
    }
    all
}

/// Runs `check` on random motions of all pairs, away from degenerate places.
fn everywhere(check: impl Fn(&Pair, &Path, &Path, &str)) {
    let mut random = Random(11);
    let mut done = 0;
    for trial in 0..60 {
        let planar = trial % 3 == 0;
        for (k, pair) in pairs(&mut random, planar).iter().enumerate() {
            let (a, b) = (Path::random(&mut random, planar), Path::random(&mut random, planar));
            // Differences need a smooth neighbourhood: curvature radii of at least a tenth of a metre.
            let calm = match pair {
                Pair::Plane(plane, Round::Ellipsoid { axes, semi_axes, .. }) => {
                    let N = (b.R * axes).tr_mul(&(a.R * plane.normal));
                    N.component_mul(semi_axes).norm() > 0.3
                }
                Pair::Spheres(p) => {
                    p.gap(&a.at(0.0), &b.at(0.0)).gap > 0.5
                        && p.gap(&a.at(0.0), &b.at(0.0)).normal.z > -0.5
                }
                Pair::Plane(..) => true,
                // Lines that are far from parallel, a corner away from its edge, and away from the seam of the tangents.
                Pair::Lines(p) => {
                    let sine = (a.R * p.a.along).cross(&(b.R * p.b.along)).norm();
                    sine > 0.7 && p.gap(&a.at(0.0), &b.at(0.0)).normal.z > -0.5
                }
                Pair::LinePoint(p) => {
                    let now = p.gap(&a.at(0.0), &b.at(0.0));
                    now.gap > 0.7 && now.normal.z > -0.5
                }
            };
            if calm {
                done += 1;
                check(pair, &a, &b, &format!("trial {trial} pair {k} planar {planar}"));
            }
        }
    }
    assert!(done > 200, "{done}");
}

#[test]
fn eq1_rate() {
    everywhere(|pair, a, b, name| {
        let g = |t: f64| pair.gap(&a.at(t), &b.at(t)).gap;
        let now = pair.gap(&a.at(0.0), &b.at(0.0));
        assert_eq!(now.status, Status::Regular);
        assert!((now.u_n - first(g, STEP)).abs() < 1e-9, "{name}: {} {}", now.u_n, first(g, STEP));
        let quick = pair.approach(&a.at(0.0), &b.at(0.0));
        assert!(
            (quick.gap - now.gap).abs() < 1e-14 && (quick.rate - now.u_n).abs() < 1e-13,
            "{name}"
        );
        // The points are where they should be, and the velocities those of the material points.
        assert!((now.point_b - now.point_a - now.gap * now.normal).norm() < 1e-14);
        let u = b.at(0.0).velocity(&now.point_b) - a.at(0.0).velocity(&now.point_a);
        let sum =
            now.normal * now.u_n + now.tangents[0] * now.u_t[0] + now.tangents[1] * now.u_t[1];
        assert!((u - sum).norm() < 1e-13);
    });
}

#[test]
fn eq3_eq4_accelerations() {
    everywhere(|pair, a, b, name| {
        let now = pair.gap(&a.at(0.0), &b.at(0.0));
        let gddot = second(|t| pair.gap(&a.at(t), &b.at(t)).gap, STEP);
        assert!((now.bias_n - gddot).abs() < 1e-7, "{name}: {} {gddot}", now.bias_n);
        // The same from the rate, whose differences are sharper.
        let gddot = first(|t| pair.gap(&a.at(t), &b.at(t)).u_n, STEP);
        assert!((now.bias_n - gddot).abs() < 1e-8, "{name}: {} {gddot}", now.bias_n);
        for k in 0..2 {
            let udot = first(|t| pair.gap(&a.at(t), &b.at(t)).u_t[k], STEP);
            assert!(
                (now.bias_t[k] - udot).abs() < 1e-8,
                "{name} tangent {k}: {} {udot}",
                now.bias_t[k]
            );
        }
    });
}

#[test]
fn eq1_support() {
    // The lowest of many points of the ellipsoid is never below the contact point.
    let mut random = Random(5);
    for _ in 0..20 {
        let axes = *Rotation3::new(random.vector() * 3.0).matrix();
        let semi = Vector3::new(0.9, 0.5, 0.0);
        let round = Round::new(Vector3::zeros(), axes, semi);
        let plane = HalfSpace::new(Vector3::zeros(), random.vector().normalize(), false);
        let gap = gap_to_plane(&plane, &BodyMotion::fixed(), &round, &BodyMotion::fixed());
        for _ in 0..500 {
            let on = axes * random.vector().normalize().component_mul(&semi);
            assert!(plane.normal.dot(&on) >= gap.gap - 1e-15);
        }
        let local = axes.tr_mul(&gap.point_b);
        assert!(
            ((local.x / 0.9).hypot(local.y / 0.5) - 1.0).abs() < 1e-14 && local.z.abs() < 1e-15
        );
    }
}

#[test]
fn rolling_ellipse() {
    // Ellipse (a, b) turned by θ above the floor y = 0: h(θ) = √(a² sin²θ + b² cos²θ).
    let (a, b): (f64, f64) = (1.0, 0.5);
    let floor = HalfSpace::new(Vector3::zeros(), Vector3::y(), true);
    for theta in [0.0_f64, 0.3, 1.0, 1.5, 2.9] {
        let (s, c) = theta.sin_cos();
        let h = ((a * s).powi(2) + (b * c).powi(2)).sqrt();
        let h1 = (a * a - b * b) * s * c / h;
        let h2 = ((a * a - b * b) * (c * c - s * s) - h1 * h1) / h;
        let rate = 1.7;
        let body = BodyMotion {
            R: *Rotation3::from_axis_angle(&Vector3::z_axis(), theta).matrix(),
            r: Vector3::new(0.2, h, 0.0),
            w: Vector3::z() * rate,
            v: Vector3::new(0.4, 0.6, 0.0),
            a0: Vector3::zeros(),
            alpha0: Vector3::zeros(),
        };
        let round = Round::new(Vector3::zeros(), Matrix3::identity(), Vector3::new(a, b, 0.0));
        let gap = gap_to_plane(&floor, &BodyMotion::fixed(), &round, &body);
        assert!(gap.gap.abs() < 1e-15);
        // ġ = ẏ − h′θ̇,  g̈ = ÿ − h′θ̈ − h″θ̇².
        assert!((gap.u_n - (0.6 - h1 * rate)).abs() < 1e-14);
        assert!((gap.bias_n + h2 * rate * rate).abs() < 1e-13, "{theta}: {} {}", gap.bias_n, h2);
        // The contact point lies −h′ beside the centre, so uₜ = ẋ + hθ̇ and u̇ₜ = ẍ + hθ̈ + h′θ̇².
        assert!((gap.point_b.x - 0.2 + h1).abs() < 1e-14);
        assert!((gap.u_t[0] - (0.4 + h * rate)).abs() < 1e-14);
        assert!((gap.bias_t[0] - h1 * rate * rate).abs() < 1e-13, "{theta}: {}", gap.bias_t[0]);
    }
}

#[test]
fn rolling_sphere_has_no_centripetal_bias() {
    // For a sphere on a fixed floor bₙ = 0 however fast it spins; the material point of a wheel
    // treated as a fixed point of the body would have +rω².
    let floor = HalfSpace::new(Vector3::zeros(), Vector3::z(), false);
    let round = Round::new(Vector3::zeros(), Matrix3::identity(), Vector3::repeat(0.3));
    let body = BodyMotion {
        r: Vector3::new(1.0, 2.0, 0.3),
        w: Vector3::new(5.0, -7.0, 3.0),
        v: Vector3::new(-7.0 * 0.3, -5.0 * 0.3, 0.0),
        ..BodyMotion::fixed()
    };
    let gap = gap_to_plane(&floor, &BodyMotion::fixed(), &round, &body);
    assert!(gap.bias_n.abs() < 1e-13 && gap.bias_t.iter().all(|b| b.abs() < 1e-13));
    assert!(gap.u_t.iter().all(|u| u.abs() < 1e-15), "rolls: {:?}", gap.u_t);
}

#[test]
fn rolling_sphere_on_a_turntable() {
    // Table turning at Ω about z. A sphere at rest on it relative to the table (ω = Ω, v = Ω × r)
    // has no slip, and its slip acceleration without forces is minus the centripetal one.
    let table = BodyMotion { w: Vector3::z() * 2.0, ..BodyMotion::fixed() };
    let r = Vector3::new(0.5, 0.1, 0.3);
    let ball = BodyMotion { r, w: table.w, v: table.w.cross(&r), ..BodyMotion::fixed() };
    let plane = HalfSpace::new(Vector3::zeros(), Vector3::z(), false);
    let round = Round::new(Vector3::zeros(), Matrix3::identity(), Vector3::repeat(0.3));
    let gap = gap_to_plane(&plane, &table, &round, &ball);
    assert!(gap.u_t.iter().all(|u| u.abs() < 1e-15) && gap.bias_n.abs() < 1e-15);
    let expected = [4.0 * 0.5, 4.0 * 0.1];
    assert!(
        gap.bias_t.iter().zip(expected).all(|(b, e)| (b - e).abs() < 1e-14),
        "{:?}",
        gap.bias_t
    );
}

#[test]
fn sphere_rolling_on_a_sphere() {
    // A ball of radius r on a fixed one of radius R: the centre moves on a circle of radius R + r, so
    // without constraint force g̈ = v²/(R + r); the spin does not enter.
    let (R, r) = (0.7, 0.2);
    let pair = SpherePair {
        a: Sphere { center: Vector3::zeros(), radius: R },
        b: Sphere { center: Vector3::zeros(), radius: r },
        planar: false,
    };
    let v = Vector3::new(1.5, 0.0, 0.0);
    // Rolling: v = ω × (r n) on the ball, so that the lowest point rests.
    let w = Vector3::new(0.0, 1.5 / r, 0.0);
    let ball = BodyMotion { r: Vector3::z() * (R + r), v, w, ..BodyMotion::fixed() };
    let gap = pair.gap(&BodyMotion::fixed(), &ball);
    assert!(gap.gap.abs() < 1e-15 && gap.u_n == 0.0);
    assert!(gap.u_t.iter().all(|u| u.abs() < 1e-15), "{:?}", gap.u_t);
    assert!((gap.bias_n - 1.5 * 1.5 / (R + r)).abs() < 1e-14, "{}", gap.bias_n);
    assert!(gap.bias_t.iter().all(|b| b.abs() < 1e-13), "{:?}", gap.bias_t);
}

#[test]
fn flat_disk() {
    let floor = HalfSpace::new(Vector3::zeros(), Vector3::z(), false);
    let disk = Round::new(Vector3::zeros(), Matrix3::identity(), Vector3::new(0.5, 0.5, 0.0));
    let body = BodyMotion {
        r: Vector3::z() * 0.1,
        w: Vector3::x() * 3.0,
        v: Vector3::z() * -1.0,
        ..BodyMotion::fixed()
    };
    let gap = gap_to_plane(&floor, &BodyMotion::fixed(), &disk, &body);
    assert_eq!(gap.status, Status::Flat);
    assert_eq!(gap.gap, 0.1);
    assert!(gap.bias_n.is_finite() && gap.u_t.iter().all(|u| u.is_finite()));
    // One rim goes down at 0.5 × 3 beside the centre's −1.
    let quick = approach_plane(&floor, &BodyMotion::fixed(), &disk, &body);
    assert!((quick.rate + 2.5).abs() < 1e-15);
    // Tilted beyond the threshold it is regular, and the lowest rim point touches.
    let tilted =
        BodyMotion { R: *Rotation3::from_axis_angle(&Vector3::x_axis(), 1e-6).matrix(), ..body };
    let gap = gap_to_plane(&floor, &BodyMotion::fixed(), &disk, &tilted);
    assert_eq!(gap.status, Status::Regular);
    assert!((gap.gap - (0.1 - 0.5e-6)).abs() < 1e-16);
    assert!((gap.point_b.y + 0.5).abs() < 1e-12, "the rim at −y is the lower one");
}

#[test]
fn concentric_spheres() {
    let s = Sphere { center: Vector3::zeros(), radius: 0.5 };
    for planar in [true, false] {
        let pair = SpherePair { a: s, b: s, planar };
        let gap = pair.gap(&BodyMotion::fixed(), &BodyMotion::fixed());
        assert_eq!((gap.status, gap.gap), (Status::Concentric, -1.0));
        assert!(gap.bias_n == 0.0 && gap.normal.norm() == 1.0);
    }
}

#[test]
fn simplest_form_is_chosen_and_agrees() {
    // A sphere as an ellipsoid with equal semi-axes up to round-off gives the same numbers.
    let mut random = Random(21);
    for _ in 0..20 {
        let (a, b) =
            (Path::random(&mut random, false).at(0.0), Path::random(&mut random, false).at(0.0));
        let plane = HalfSpace::new(random.vector(), random.vector().normalize(), false);
        let (c, axes) = (random.vector(), *Rotation3::new(random.vector()).matrix());
        let sphere = Round::new(c, axes, Vector3::repeat(0.4));
        assert!(matches!(sphere, Round::Sphere { .. }));
        let general = Round::Ellipsoid { center: c, axes, semi_axes: Vector3::repeat(0.4) };
        let (p, q) =
            (gap_to_plane(&plane, &a, &sphere, &b), gap_to_plane(&plane, &a, &general, &b));
        assert!((p.gap - q.gap).abs() < 1e-14 && (p.bias_n - q.bias_n).abs() < 1e-12);
        assert!(
            (p.point_b - q.point_b).norm() < 1e-14 && (p.bias_t[1] - q.bias_t[1]).abs() < 1e-12
        );
    }
}
