//! Ellipsoids, ellipses, balls, points and edges: their common normal against its definition and against differences.
#![allow(non_snake_case)]

use carom::geometry::{BodyMotion, FLAT, Smooth, SmoothPair, Status};
use nalgebra::{Matrix3, Rotation3, Vector3};

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

/// A body that moves and turns uniformly.
#[derive(Clone, Copy)]
struct Path {
    R: Matrix3<f64>,
    r: Vector3<f64>,
    w: Vector3<f64>,
    v: Vector3<f64>,
}

impl Path {
    fn random(random: &mut Random, planar: bool) -> Self {
        let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
        let axis = |v: Vector3<f64>| if planar { Vector3::new(0.0, 0.0, v.z) } else { v };
        Self {
            R: *Rotation3::new(axis(random.vector()) * 3.0).matrix(),
            r: flat(random.vector()) * 2.0,
            w: axis(random.vector()),
            v: flat(random.vector()),
        }
    }

    fn at(&self, t: f64) -> BodyMotion {
        BodyMotion {
            R: Rotation3::new(self.w * t).matrix() * self.R,
            r: self.r + self.v * t,
            w: self.w,
            v: self.v,
            ..BodyMotion::fixed()
        }
    }
}

/// First derivative by central differences of order 8.
fn first(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    let w = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    (0..4).map(|k| (f((k + 1) as f64 * h) - f(-((k + 1) as f64) * h)) * (w[k] / h)).sum()
}

/// The sorts of pairs: ellipsoids, one against a ball, a point, a rounded edge, and ellipses of the plane.
fn pair(random: &mut Random, sort: usize) -> SmoothPair {
    let planar = sort == 4;
    let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
    let ellipsoid = |random: &mut Random, radius: f64| {
        let mut semi_axes = random.vector().map(|x| 0.15 + 0.85 * x.abs());
        let turn = if planar { Vector3::z() * random.next() } else { random.vector() };
        semi_axes.z *= f64::from(!planar);
        let axes = *Rotation3::new(turn * 3.0).matrix();
        let center = flat(random.vector()) * 0.3;
        Smooth { center, axes, semi_axes, radius, two_sided: false }
    };
    let b = ellipsoid(random, 0.0);
    let (a, edge) = match sort {
        0 => (ellipsoid(random, 0.1), None),
        1 => (Smooth::ball(random.vector(), 0.4), None),
        2 => (Smooth::ball(random.vector(), 0.0), None),
        3 => (Smooth::ball(random.vector(), 0.05), Some(random.vector().normalize())),
        _ => (ellipsoid(random, 0.0), None),
    };
    SmoothPair { a, b, edge, planar }
}

/// Runs `check` on a thousand random motions of each sort, apart by more than `least`.
fn everywhere(least: f64, mut check: impl FnMut(&SmoothPair, &Path, &Path, &str)) {
    let mut random = Random(17);
    for sort in 0..5 {
        let mut done = 0;
        for trial in 0.. {
            let pair = pair(&mut random, sort);
            let planar = pair.planar;
            let (a, b) = (Path::random(&mut random, planar), Path::random(&mut random, planar));
            if pair.approach(&a.at(0.0), &b.at(0.0)).gap > least {
                check(&pair, &a, &b, &format!("sort {sort} trial {trial}"));
                done += 1;
                if done == 1000 {
                    break;
                }
            }
        }
    }
}

/// How far a point is off the surface of a shape, and the outward normal there; from the implicit equation.
fn on_surface(shape: &Smooth, body: &BodyMotion, x: &Vector3<f64>) -> (f64, Vector3<f64>) {
    let Q = body.R * shape.axes;
    let local = Q.tr_mul(&(x - body.place(&shape.center)));
    let scaled = local.zip_map(&shape.semi_axes, |x, a| if a > 0.0 { x / a } else { 0.0 });
    let steep = local.zip_map(&shape.semi_axes, |x, a| if a > 0.0 { x / (a * a) } else { 0.0 });
    (scaled.norm() - 1.0, (Q * steep).normalize())
}

#[test]
fn eq2_is_the_distance() {
    // Of two convex bodies that do not overlap, points of their surfaces whose connection is normal to both are the
    // nearest: sufficient, and independent of how they were found.
    everywhere(0.0, |pair, a, b, name| {
        let (a, b) = (a.at(0.0), b.at(0.0));
        let (gap, n, [pa, pb]) = pair.nearest(&a, &b);
        assert!((pb - pa - gap * n).norm() < 1e-13, "{name}");
        let (off, normal) = on_surface(&pair.b, &b, &pb);
        assert!(off.abs() < 1e-13 && (normal + n).norm() < 1e-8, "{name}: {off} {normal} {n}");
        // The core of A, without its rounding.
        let core = pa - pair.a.radius * n;
        if let Some(d) = pair.edge {
            let d = a.R * d;
            let off = (core - a.place(&pair.a.center)).cross(&d).norm();
            assert!(off < 1e-13 && n.dot(&d).abs() < 1e-14, "{name}: {off}");
        } else if pair.a.semi_axes.amax() == 0.0 {
            assert!((core - a.place(&pair.a.center)).norm() < 1e-13, "{name}");
        } else {
            let (off, normal) = on_surface(&pair.a, &a, &core);
            assert!(off.abs() < 1e-13 && (normal - n).norm() < 1e-8, "{name}: {off}");
        }
    });
}

#[test]
fn eq4_eq5_derivatives() {
    // Differences need a smooth neighbourhood: shapes apart, so that the curvature is bounded by the distance.
    everywhere(0.3, |pair, a, b, name| {
        let at = |t: f64| pair.gap(&a.at(t), &b.at(t));
        let now = at(0.0);
        assert_eq!(now.status, Status::Regular);
        let h = 0.004;
        let rate = first(|t| at(t).gap, h);
        assert!((now.u_n - rate).abs() < 1e-8, "{name}: {} {rate}", now.u_n);
        let quick = pair.approach(&a.at(0.0), &b.at(0.0));
        assert!((quick.rate - now.u_n).abs() < 1e-12 && quick.gap == now.gap, "{name}");
        let bias = first(|t| at(t).u_n, h);
        assert!((now.bias_n - bias).abs() < 1e-8, "{name}: {} {bias}", now.bias_n);
        // Away from the seam of the tangents.
        for k in 0..if now.normal.z > -0.5 { 2 } else { 0 } {
            let bias = first(|t| at(t).u_t[k], h);
            assert!((now.bias_t[k] - bias).abs() < 1e-8, "{name}: {} {bias}", now.bias_t[k]);
        }
    });
}

#[test]
fn exchange_of_the_shapes() {
    everywhere(-0.05, |pair, a, b, name| {
        if pair.edge.is_some() {
            return;
        }
        let (a, b) = (a.at(0.0), b.at(0.0));
        let here = pair.gap(&a, &b);
        let other = SmoothPair { a: pair.b, b: pair.a, ..*pair }.gap(&b, &a);
        if here.status != Status::Regular {
            return;
        }
        let same = |x: f64, y: f64| (x - y).abs() < 1e-11;
        assert!(same(here.gap, other.gap) && same(here.u_n, other.u_n), "{name}");
        assert!((here.normal + other.normal).norm() < 1e-9, "{name}");
        assert!(
            (here.bias_n - other.bias_n).abs() < 1e-8,
            "{name}: {} {}",
            here.bias_n,
            other.bias_n
        );
    });
}

#[test]
fn balls_have_a_closed_form() {
    // An ellipsoid whose axes are equal is a ball, and two ellipses whose axes are aligned meet on them.
    let mut random = Random(3);
    for _ in 0..100 {
        let (r, s) = (0.3 + 0.2 * random.next(), 0.3 + 0.2 * random.next());
        let mut ball = Smooth::ball(Vector3::zeros(), 0.0);
        ball.semi_axes = Vector3::repeat(r);
        let b = Smooth::ball(Vector3::zeros(), s);
        let place = BodyMotion { r: random.vector().normalize() * 1.2, ..BodyMotion::fixed() };
        let pair = SmoothPair { a: ball, b, edge: None, planar: false };
        let (gap, n, _) = pair.nearest(&BodyMotion::fixed(), &place);
        assert!((gap - (1.2 - r - s)).abs() < 1e-15 && (n - place.r / 1.2).norm() < 1e-14);
    }
}

/// Limits: a flat disk or ellipse that nearly faces an ellipsoid, a ball, an edge or the rim of a cylinder, at tilts down to
/// 1e-7: where they touch, nearly or overlap a little along some normal, no less is found.
#[test]
fn the_axis_of_a_flat_shape_is_left() {
    let mut random = Random(5);
    for k in 0..20_000 {
        let (sort, gap) = (k % 4, [1e-9, 0.0, -1e-9, -1e-6][k / 4 % 4]);
        let mut size = || 0.15 + 0.65 * random.next().abs();
        let (a, b) = (size(), size());
        let semi_axes = Vector3::new(a, if k % 3 == 0 { a } else { b }, 0.0);
        let flat = Smooth { semi_axes, two_sided: true, ..Smooth::ball(Vector3::zeros(), 0.0) };
        let (r, sizes) = (size(), Vector3::new(size(), size(), size()));
        let ball = |radius: f64| Smooth::ball(Vector3::zeros(), radius);
        let other = match sort {
            0 => Smooth { semi_axes: sizes, ..ball(0.0) },
            1 | 3 => ball(r),
            _ => Smooth { semi_axes: Vector3::new(r, r, 0.0), ..ball(0.0) },
        };
        let turn = |random: &mut Random| *Rotation3::new(random.vector() * 3.0).matrix();
        let at = |R, r| BodyMotion { R, r, ..BodyMotion::fixed() };
        let (motion, turned) = (at(turn(&mut random), random.vector()), turn(&mut random));
        let (tilt, phi) = (10f64.powf(3.5 * random.next() - 3.5), 3.0 * random.next());
        let axis = Vector3::new(tilt.sin() * phi.cos(), tilt.sin() * phi.sin(), tilt.cos());
        let n = motion.R * axis;
        if sort == 2 && turned.column(2).dot(&n) > 0.0 {
            continue;
        }
        // An edge across the normal, in the place of a ball, comes first.
        let along = n.cross(&random.vector()).normalize();
        let place = at(turned, Vector3::zeros());
        let touch = flat.support(&motion, &n) + gap * n - other.support(&place, &-n);
        let place = at(turned, touch);
        let (pair, found) = match sort {
            3 => {
                let edge = Some(turned.tr_mul(&along));
                let pair = SmoothPair { a: other, b: flat, edge, planar: false };
                (pair, pair.nearest(&place, &motion).0)
            }
            _ => {
                let pair = SmoothPair { a: flat, b: other, edge: None, planar: false };
                (pair, pair.nearest(&motion, &place).0)
            }
        };
        // The normals across an edge may pass the axis by less than what counts as the axis.
        let least = if sort == 3 { FLAT * a.max(b) } else { 1e-11 };
        assert!(found > gap - least, "{k}: {found:e} for {gap:e} at {tilt:e}: {pair:?}");
    }
}

/// (3) of `common_normal`: thin ellipsoids, ellipses and edges that touch along some normal, where the way from centre to centre
/// leads to another maximum.
#[test]
fn eq3_thin_shapes_that_touch() {
    let mut random = Random(9);
    for k in 0..20_000 {
        let sort = k % 4;
        let mut thin = |flat: bool| {
            let axes = *Rotation3::new(random.vector() * 3.0).matrix();
            let mut semi_axes = random.vector().map(|x| 10f64.powf(0.65 * x - 0.65));
            semi_axes.z *= f64::from(!flat);
            Smooth { axes, semi_axes, two_sided: flat, ..Smooth::ball(Vector3::zeros(), 0.0) }
        };
        let (first, second) = (thin(sort == 0), thin(sort == 1));
        let first = if sort == 3 { Smooth::ball(Vector3::zeros(), 0.02) } else { first };
        let n = random.vector().normalize();
        let gap = if k % 8 < 4 { 0.0 } else { 1e-9 };
        let still = BodyMotion::fixed();
        let r = first.support(&still, &n) + gap * n - second.support(&still, &-n);
        let edge = (sort == 3).then(|| n.cross(&random.vector()).normalize());
        let pair = SmoothPair { a: first, b: second, edge, planar: false };
        let found = pair.nearest(&still, &BodyMotion { r, ..still }).0;
        assert!(found > gap - 1e-11, "{k}: {found:e} for {gap:e}: {pair:?} {r}");
    }
}

#[test]
fn deep_overlap_is_told() {
    let mut a = Smooth::ball(Vector3::zeros(), 0.0);
    a.semi_axes = Vector3::new(1.0, 0.5, 0.3);
    let pair = SmoothPair { a, b: a, edge: None, planar: false };
    let place = BodyMotion { r: Vector3::x() * 1e-3, ..BodyMotion::fixed() };
    let now = pair.gap(&BodyMotion::fixed(), &place);
    assert!(now.gap < -0.5, "{}", now.gap);
    assert!(now.gap.is_finite() && now.bias_n.is_finite());
}

/// A robot's rotor at rest on a face of its trunk, and a far edge of the trunk: the axis of the disk, the edge and the way between
/// their centres lie in one plane, and the way from the disk's nearest point is along the edge. What is left of it across the
/// edge is round-off, which is no normal.
#[test]
fn eq2_normals_are_across_the_edge() {
    let turn = |columns: [f64; 9]| Matrix3::from_column_slice(&columns);
    let trunk = BodyMotion {
        R: turn([
            -0.9869760484569432,
            -0.12302340999462513,
            -0.10365095448477066,
            -0.13826473286694246,
            0.9780822215264794,
            0.1556856819976067,
            0.08222617233912005,
            0.1679893107525632,
            -0.9823535249874802,
        ]),
        r: Vector3::new(-0.011042400313830436, 0.004656806743248729, 0.2017670688873441),
        ..BodyMotion::fixed()
    };
    let rotor = BodyMotion {
        R: turn([
            0.7172363951734206,
            0.4466958525103467,
            0.534822184271263,
            -0.03391565549243938,
            0.7889758448050519,
            -0.6134874445550368,
            -0.6960040817058093,
            0.42187667826535447,
            0.5810321734505223,
        ]),
        r: Vector3::new(-0.20477255227432575, 0.06483614618458337, 0.16031595324909934),
        ..BodyMotion::fixed()
    };
    let axes = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
    let disk = Smooth {
        center: Vector3::new(0.0, -0.01, 0.0),
        axes,
        semi_axes: Vector3::new(0.035, 0.035, 0.0),
        radius: 0.0,
        two_sided: false,
    };
    let edge = Smooth::ball(Vector3::new(0.1881, 0.04675, -0.057), 0.0);
    let pair = SmoothPair { a: edge, b: disk, edge: Some(Vector3::z()), planar: false };
    let (gap, n, [xa, xb]) = pair.nearest(&trunk, &rotor);
    assert!(n.dot(&(trunk.R * Vector3::z())).abs() < 1e-12, "{n}");
    // The nearest point is on the edge, and no point of the rim is nearer to it.
    let own = trunk.R.tr_mul(&(xa - trunk.r)) - edge.center;
    assert!(own.xy().norm() < 1e-12, "{own}");
    let rim = (0..3600).map(|k| {
        let (s, c) = (f64::from(k) * std::f64::consts::TAU / 3600.0).sin_cos();
        let x = rotor.place(&(disk.center + axes * Vector3::new(c, s, 0.0) * 0.035));
        (trunk.R.tr_mul(&(x - trunk.r)) - edge.center).xy().norm()
    });
    let nearest = rim.fold(f64::INFINITY, f64::min);
    assert!(gap <= nearest && (xb - xa).norm() > gap - 1e-12 && nearest - gap < 1e-4);
}
