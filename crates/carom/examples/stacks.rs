//! Random stacks through the sparse Coulomb solver: `cargo run --release --example stacks -- [COUNT] [CONTACTS]`.
//!
//! Towers and walls of boxes, lattices of discs, piles of spheres of 4 to CONTACTS contacts under gravity and a push. Every
//! answer is judged by the certificate of the dense problem, which the solver does not see. Exit code 1 if one is not an
//! answer.

#[path = "../tests/support/mod.rs"]
#[allow(unused_imports)]
mod support;

use carom::coulomb::sparse::Effort;
use carom::coulomb::{SparseSolver, residual, velocity};
use nalgebra::DVector;
use std::collections::BTreeMap;
use std::time::Instant;
use support::{Random, stacks};

/// What became of the stacks of one sort.
#[derive(Default)]
struct Tally {
    count: usize,
    failed: Vec<u64>,
    contacts: usize,
    worst: f64,
    milliseconds: Vec<f64>,
    by: BTreeMap<&'static str, usize>,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse().ok());
    let count = arguments.next().flatten().unwrap_or(1000);
    let most = arguments.next().flatten().unwrap_or(256);
    let mut table: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for seed in 0..count as u64 {
        let (name, dense, sparse) = stacks::random_sparse(&mut Random::new(seed), most);
        let mut x = Vec::new();
        // The least of three: other programs may hold the processor.
        let mut taken = f64::INFINITY;
        let mut solved = None;
        for _ in 0..3 {
            x.clear();
            let start = Instant::now();
            solved = Some(SparseSolver::default().solve(&sparse, &Effort::default(), &mut x));
            taken = taken.min(1e3 * start.elapsed().as_secs_f64());
        }
        let (x, mut w) = (DVector::from_vec(x), DVector::zeros(0));
        velocity(&dense, &x, &mut w);
        let certificate = residual(&dense, &x, &w);
        let tally = table.entry(name).or_default();
        tally.count += 1;
        tally.contacts = tally.contacts.max(dense.contacts.len());
        tally.worst = tally.worst.max(certificate);
        tally.milliseconds.push(taken);
        let by = solved.map_or("", |solved| solved.by.word());
        *tally.by.entry(by).or_default() += 1;
        if certificate.is_nan() || certificate > 1e-9 {
            tally.failed.push(seed);
        }
    }
    println!(
        "{:>10} {:>6} {:>6} {:>9} {:>9} {:>9} {:>9}  by",
        "stack", "count", "failed", "contacts", "worst", "median/ms", "most/ms"
    );
    let mut failed = false;
    for (name, mut tally) in table {
        tally.milliseconds.sort_by(f64::total_cmp);
        let by: Vec<String> = tally.by.iter().map(|(by, n)| format!("{by} {n}")).collect();
        println!(
            "{name:>10} {:>6} {:>6} {:>9} {:>9.1e} {:>9.2} {:>9.2}  {}",
            tally.count,
            tally.failed.len(),
            tally.contacts,
            tally.worst,
            tally.milliseconds[tally.count / 2],
            tally.milliseconds[tally.count - 1],
            by.join(", ")
        );
        if !tally.failed.is_empty() {
            failed = true;
            println!("{:>10} seeds {:?}", "", tally.failed);
        }
    }
    std::process::exit(i32::from(failed));
}
