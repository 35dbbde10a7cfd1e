//! Random fast pairs of boxes and ellipsoids: `cargo run --release -p carom --example fast_pairs 10000`.
//!
//! Prints how many met, and the worst overlap that dense sampling finds before an event.

mod flights;

use flights::{Random, fly};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(1000), |n| n.parse::<usize>())?;
    let mut random = Random(1);
    let (mut met, mut worst) = (0, f64::INFINITY);
    for _ in 0..count {
        let flight = fly(&mut random, 500)?;
        met += usize::from(flight.met);
        worst = worst.min(flight.least);
    }
    println!("{count} flights, {met} collisions, least gap before a collision {worst:.1e} m");
    Ok(())
}
