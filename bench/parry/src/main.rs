//! Gaps of pairs of shapes beside the distances of parry, on random postures: cargo run --release -- [POSTURES].
//!
//! parry's distance is zero where shapes overlap, and its GJK stops at a relative 1e-10 or so; what is compared are postures
//! apart. Times are those of one thread by the wall clock, divided by the queries of one kind, the least of five rounds.

#![allow(non_snake_case)]

use carom::contact::PolytopePair;
use carom::geometry::{BodyMotion, Sphere, SpherePair};
use carom::model::{Feature, Hull, Shape, Terrain};
use carom::spatial::Pose;
use nalgebra::{Matrix3, Rotation3, Vector3};
use parry3d_f64::math::{Isometry, Point, Vector};
use parry3d_f64::query;
use parry3d_f64::shape as parry;
use std::sync::Arc;
use std::time::Instant;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| size * (2.0 * self.unit() - 1.0))
    }
}

/// A shape of carom and the same of parry.
struct Twin {
    name: &'static str,
    shape: Shape,
    other: Box<dyn parry::Shape>,
    /// Turn of parry's axes: its capsules and cylinders stand along y.
    turn: Matrix3<f64>,
}

/// What a round answers, and the ns of each query in the shortest of five.
fn least(round: impl Fn() -> Vec<f64>) -> (Vec<f64>, f64) {
    let timed = |_| {
        let start = Instant::now();
        let answers = round();
        let each = start.elapsed().as_nanos() as f64 / answers.len() as f64;
        (answers, each)
    };
    (0..5).map(timed).min_by(|a, b| a.1.total_cmp(&b.1)).expect("five rounds")
}

fn point(x: &Vector3<f64>) -> Point<f64> {
    Point::new(x.x, x.y, x.z)
}

fn twins(random: &mut Random) -> Vec<Twin> {
    let straight = Matrix3::identity();
    let y_to_x =
        *Rotation3::from_axis_angle(&Vector3::z_axis(), -std::f64::consts::FRAC_PI_2).matrix();
    let y_to_z =
        *Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2).matrix();
    let cloud: Vec<Vector3<f64>> = (0..30).map(|_| random.vector(1.0).normalize() * 0.3).collect();
    let hull = Hull::of(&cloud).expect("a volume");
    let points: Vec<Point<f64>> = hull.corners.iter().map(point).collect();
    let (ground, mesh) = ground();
    let twin = |name, shape, other, turn| Twin { name, shape, other, turn };
    vec![
        twin(
            "sphere",
            Shape::Sphere { radius: 0.2 },
            Box::new(parry::Ball::new(0.2)) as Box<dyn parry::Shape>,
            straight,
        ),
        twin(
            "capsule",
            Shape::Capsule { radius: 0.1, half_length: 0.25 },
            Box::new(parry::Capsule::new_y(0.25, 0.1)),
            y_to_x,
        ),
        twin(
            "box",
            Shape::Box { half_extents: [0.3, 0.2, 0.15] },
            Box::new(parry::Cuboid::new(Vector::new(0.3, 0.2, 0.15))),
            straight,
        ),
        twin(
            "hull of 30",
            Shape::Convex { hull: Arc::new(hull), rounding: 0.0 },
            Box::new(parry::ConvexPolyhedron::from_convex_hull(&points).expect("a hull")),
            straight,
        ),
        twin(
            "cylinder",
            Shape::Cylinder { radius: 0.15, half_length: 0.25 },
            Box::new(parry::Cylinder::new(0.25, 0.15)),
            y_to_z,
        ),
        twin(
            "terrain of 800",
            Shape::Terrain { ground: Arc::new(ground) },
            Box::new(mesh),
            straight,
        ),
    ]
}

/// A wavy grid of 20 × 20 cells.
fn ground() -> (Terrain, parry::TriMesh) {
    let n = 20;
    let at = |k: usize| 0.15 * (k as f64 - 0.5 * n as f64);
    let points: Vec<Vector3<f64>> = (0..=n)
        .flat_map(|j| (0..=n).map(move |i| (at(i), at(j))))
        .map(|(x, y)| Vector3::new(x, y, 0.2 * (2.1 * x).sin() * (1.7 * y).cos()))
        .collect();
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let (a, c) = (j * (n + 1) + i, (j + 1) * (n + 1) + i);
            triangles.extend([[a, a + 1, c + 1], [a, c + 1, c]]);
        }
    }
    let mesh = parry::TriMesh::new(
        points.iter().map(point).collect(),
        triangles.iter().map(|t| t.map(|i| i as u32)).collect(),
    );
    (Terrain::new(&points, &triangles).expect("ground"), mesh.expect("a mesh"))
}

fn feature(name: &str, shape: &Shape) -> Feature {
    Feature { name: name.into(), body: None, placement: Pose::identity(), shape: shape.clone() }
}

/// The gap of a pair in a posture.
enum Gap {
    Balls(SpherePair),
    Polytopes(Box<PolytopePair>),
}

impl Gap {
    fn of(a: &Twin, b: &Twin) -> Self {
        if let (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) = (&a.shape, &b.shape) {
            let ball = |radius: f64| Sphere { center: Vector3::zeros(), radius };
            return Self::Balls(SpherePair { a: ball(*ra), b: ball(*rb), planar: false });
        }
        let (fa, fb) = (feature("a", &a.shape), feature("b", &b.shape));
        Self::Polytopes(Box::new(PolytopePair::of((&fa, &fb), false, 0, 16).expect("a pair")))
    }

    fn gap(&mut self, a: &BodyMotion, b: &BodyMotion) -> f64 {
        match self {
            Self::Balls(pair) => pair.approach(a, b).gap,
            Self::Polytopes(pair) if pair.terrain.is_some() => pair.overlap(a, b),
            Self::Polytopes(pair) => pair.separation(a, b).gap,
        }
    }

    /// Of sharp polytopes the separation is that along the best axis, below the distance where corners are nearest.
    fn is_distance(a: &Twin, b: &Twin) -> bool {
        let sharp = |t: &Twin| {
            matches!(t.shape, Shape::Box { .. } | Shape::Convex { .. } | Shape::Cylinder { .. })
        };
        !(sharp(a) && sharp(b))
    }
}

/// The support of a convex shape along n, in the world.
fn support(shape: &Shape, at: &BodyMotion, n: &Vector3<f64>) -> f64 {
    let d = at.R.tr_mul(n);
    let own = match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, half_length } => radius + half_length * d.x.abs(),
        Shape::Box { half_extents: [a, b, c] } => a * d.x.abs() + b * d.y.abs() + c * d.z.abs(),
        Shape::Cylinder { radius, half_length } => {
            radius * d.x.hypot(d.y) + half_length * d.z.abs()
        }
        Shape::Convex { hull, .. } => {
            hull.corners.iter().map(|x| d.dot(x)).fold(f64::MIN, f64::max)
        }
        _ => f64::INFINITY,
    };
    n.dot(&at.r) + own
}

/// The distance of two convex shapes from below: the greatest separation along any direction, by random search. Neither
/// carom's way nor parry's.
fn judged(a: &Shape, b: &Shape, [x, y]: &[BodyMotion; 2], random: &mut Random) -> f64 {
    let apart = |n: &Vector3<f64>| -support(b, y, &-n) - support(a, x, n);
    let mut n = (y.r - x.r).normalize();
    let (mut best, mut step) = (apart(&n), 0.5);
    for _ in 0..6000 {
        let m = (n + random.vector(step)).normalize();
        let s = apart(&m);
        if s > best {
            (n, best) = (m, s);
        } else {
            step = (step * 0.995_f64).max(1e-9);
        }
    }
    best
}

fn isometry(R: &Matrix3<f64>, r: &Vector3<f64>) -> Isometry<f64> {
    let R = parry3d_f64::na::Matrix3::from_fn(|i, j| R[(i, j)]);
    let rotation = parry3d_f64::na::UnitQuaternion::from_matrix(&R);
    Isometry::from_parts(Vector::new(r.x, r.y, r.z).into(), rotation)
}

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1000);
    let mut random = Random(7);
    let all = twins(&mut random);
    println!(
        "{:<28} {:>6} {:>10} {:>12} {:>12}",
        "pair", "apart", "worst/m", "carom/ns", "parry/ns"
    );
    for (i, a) in all.iter().enumerate() {
        for b in &all[i..] {
            // Ground is fixed, and touches balls, capsules, boxes and hulls.
            let (a, b) = if b.name.starts_with("terrain") { (b, a) } else { (a, b) };
            let ground = a.name.starts_with("terrain");
            if ground && (b.name == a.name || b.name == "cylinder") {
                continue;
            }
            let postures: Vec<[BodyMotion; 2]> = (0..count)
                .map(|_| {
                    let R = *Rotation3::from_scaled_axis(random.vector(2.0)).matrix();
                    let Q = *Rotation3::from_scaled_axis(random.vector(2.0)).matrix();
                    let away = random.vector(1.0);
                    let r = if ground {
                        away + Vector3::new(0.0, 0.0, 1.2)
                    } else {
                        away.normalize() * (0.3 + 0.9 * random.unit())
                    };
                    let first = if ground {
                        BodyMotion::fixed()
                    } else {
                        BodyMotion { R, ..BodyMotion::fixed() }
                    };
                    [first, BodyMotion { R: Q, r, ..BodyMotion::fixed() }]
                })
                .collect();
            let places: Vec<[Isometry<f64>; 2]> = postures
                .iter()
                .map(|[x, y]| [isometry(&(x.R * a.turn), &x.r), isometry(&(y.R * b.turn), &y.r)])
                .collect();
            let (gaps, own) = least(|| {
                let mut pair = Gap::of(a, b);
                postures.iter().map(|[x, y]| pair.gap(x, y)).collect::<Vec<f64>>()
            });
            let (distances, theirs) = least(|| {
                let distance =
                    |[x, y]: &[Isometry<f64>; 2]| query::distance(x, &*a.other, y, &*b.other);
                places.iter().map(|xy| distance(xy).expect("a distance")).collect::<Vec<f64>>()
            });
            let apart = gaps.iter().zip(&distances).filter(|(_, d)| **d > 1e-6);
            let exact = Gap::is_distance(a, b);
            let off = |(g, d): (&f64, &f64)| if exact { (g - d).abs() } else { (g - d).max(0.0) };
            let worst = apart.clone().map(off).fold(0.0, f64::max);
            // Where parry finds an overlap, so must the gap.
            if worst > 1e-9 && exact && !ground {
                let of = |k: &usize| (gaps[*k] - distances[*k]).abs();
                let far = (0..count)
                    .filter(|k| distances[*k] > 1e-6)
                    .max_by(|i, j| of(i).total_cmp(&of(j)));
                let k = far.unwrap_or(0);
                let by = judged(&a.shape, &b.shape, &postures[k], &mut random);
                println!(
                    "  worst: carom {:.9} parry {:.9}, by search {by:.9}",
                    gaps[k], distances[k]
                );
            }
            let missed =
                gaps.iter().zip(&distances).filter(|(g, d)| **d == 0.0 && **g > 1e-6).count();
            let name = format!("{} - {}", a.name, b.name);
            let mark = if exact { "" } else { " (≤)" };
            println!(
                "{name:<28} {:>6} {worst:>10.1e} {own:>12.0} {theirs:>12.0}{mark}{}",
                apart.count(),
                if missed > 0 { format!(" {missed} overlaps missed") } else { String::new() }
            );
        }
    }
}
