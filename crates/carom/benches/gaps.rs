//! Cost of gaps between shapes: `cargo bench -p carom --bench gaps`.

use carom::geometry::{
    BodyMotion, HalfSpace, Round, Sphere, SpherePair, approach_plane, gap_to_plane,
};
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::hint::black_box;
use std::time::Instant;

/// Least time per call over several rounds, in nanoseconds: the machine is shared.
fn nanoseconds(calls: u32, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    best
}

fn report(name: &str, ns: f64) {
    println!("{name:<58} {ns:>12.1} ns");
}

fn main() {
    let body = BodyMotion {
        R: *Rotation3::new(Vector3::new(0.3, 0.5, -0.7)).matrix(),
        r: Vector3::new(0.1, 0.2, 1.0),
        w: Vector3::new(1.0, -2.0, 0.5),
        v: Vector3::new(0.3, 0.1, -1.0),
        a0: Vector3::zeros(),
        alpha0: Vector3::zeros(),
    };
    let world = BodyMotion::fixed();
    let plane = HalfSpace::new(Vector3::zeros(), Vector3::z(), false);
    for (name, semi) in [("point", [0.0; 3]), ("sphere", [0.5; 3]), ("ellipsoid", [0.5, 0.4, 0.3])]
    {
        let round = Round::new(Vector3::zeros(), Matrix3::identity(), Vector3::from(semi));
        let ns = nanoseconds(10_000, || {
            black_box(gap_to_plane(black_box(&plane), &world, black_box(&round), black_box(&body)));
        });
        report(&format!("{name} on plane, all"), ns);
        let ns = nanoseconds(10_000, || {
            black_box(approach_plane(
                black_box(&plane),
                &world,
                black_box(&round),
                black_box(&body),
            ));
        });
        report(&format!("{name} on plane, gap and rate"), ns);
    }
    let s = Sphere { center: Vector3::zeros(), radius: 0.3 };
    let pair = SpherePair { a: s, b: s, planar: false };
    let ns = nanoseconds(10_000, || {
        black_box(black_box(&pair).gap(&world, black_box(&body)));
    });
    report("sphere on sphere, all", ns);
}
