//! Time of spatial impacts, one contact: `cargo bench -p carom --bench impacts_spatial`.
//!
//! Prints nanoseconds per impact for each definition of restitution over a fixed random mix of contacts, the share
//! of paths by their end, and the mean number of pieces.
#![allow(non_snake_case)]

use std::hint::black_box;
use std::time::Instant;

use carom::impact::Restitution;
use carom::impact::spatial::{Coefficients, resolve};
use nalgebra::{Matrix3, Vector3};

struct Random(u64);

impl Random {
    fn uniform(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (carom_testing::splitmix64(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// K, u⁻, friction, restitution.
type Problem = (Matrix3<f64>, Vector3<f64>, f64, f64);

fn mix(count: usize) -> Vec<Problem> {
    let mut rng = Random(7);
    let one = |_| {
        let A = Matrix3::from_fn(|_, _| rng.uniform(-1.0, 1.0));
        let K = A * A.transpose() + Matrix3::identity() * 0.05;
        let K = (K + K.transpose()) * 0.5;
        let u =
            Vector3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), -rng.uniform(0.1, 2.0));
        (K, u, rng.uniform(0.0, 1.2), rng.uniform(0.0, 1.0))
    };
    (0..count).map(one).collect()
}

/// Seconds for all problems: the problems in blocks of 100, the best of 15 passes for each block, so that a busy
/// machine disturbs little.
fn time(problems: &[Problem], definition: Restitution) -> (f64, usize, usize) {
    let (mut total, mut pieces, mut sticks) = (0.0, 0, 0);
    for block in problems.chunks(100) {
        let mut best = f64::INFINITY;
        for pass in 0..15 {
            let start = Instant::now();
            for (K, u, friction, restitution) in block {
                let c = Coefficients {
                    friction: *friction,
                    static_friction: *friction,
                    restitution: *restitution,
                    definition,
                };
                if let (Ok(s), 0) = (black_box(resolve(black_box(K), black_box(u), &c, None)), pass)
                {
                    pieces += s.pieces;
                    sticks += usize::from(s.sticks);
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        total += best;
    }
    (total, pieces, sticks)
}

fn main() {
    let problems = mix(10_000);
    let n = problems.len() as f64;
    for definition in Restitution::ALL {
        let (seconds, pieces, sticks) = time(&problems, definition);
        println!(
            "spatial single contact, {definition:9}: {:6.0} ns/impact, {:.2} pieces, {:.0} % stick",
            1e9 * seconds / n,
            pieces as f64 / n,
            100.0 * sticks as f64 / n
        );
    }
}
