//! Random stacks through the Coulomb solvers: `cargo run --release --example stacks -- [COUNT] [CONTACTS] [SOLVER] [FIRST]`.
//!
//! Towers and walls of boxes, lattices of discs, piles of spheres of 4 to CONTACTS contacts under gravity and a push,
//! through the solver of the contact forces of runs by events (`dense`), that of time steps (`sparse`), or both (`both`,
//! the default), from seed FIRST. Every answer is judged by the certificate of the dense problem. Exit code 1 if one is
//! not an answer.

#[path = "../tests/support/mod.rs"]
#[allow(unused_imports)]
mod support;

use carom::coulomb::sparse::Effort;
use carom::coulomb::{Solver, SparseSolver, residual, velocity};
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

/// Time in which an answer was found, ms, the least of three because other programs may hold the processor.
fn timed(mut solve: impl FnMut() -> &'static str) -> (f64, &'static str) {
    let (mut taken, mut by) = (f64::INFINITY, "");
    for _ in 0..3 {
        let start = Instant::now();
        by = solve();
        taken = taken.min(1e3 * start.elapsed().as_secs_f64());
    }
    (taken, by)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize| words.get(k).and_then(|word| word.parse::<usize>().ok());
    let (count, most) = (number(0).unwrap_or(1000), number(1).unwrap_or(256));
    let solvers: &[&str] = match words.get(2).map(String::as_str) {
        Some("dense") => &["dense"],
        Some("sparse") => &["sparse"],
        _ => &["dense", "sparse"],
    };
    let first = number(3).unwrap_or(0);
    let mut table: BTreeMap<(&'static str, &str), Tally> = BTreeMap::new();
    for seed in (first..first + count).map(|seed| seed as u64) {
        let (name, dense, sparse) = stacks::random_sparse(&mut Random::new(seed), most);
        for &solver in solvers {
            let (mut x, mut modes, mut w) = (DVector::zeros(0), Vec::new(), DVector::zeros(0));
            let (taken, by) = match solver {
                "dense" => {
                    timed(|| Solver::default().solve(&dense, &[], &mut x, &mut modes).by.word())
                }
                _ => timed(|| {
                    let mut found = Vec::new();
                    let by =
                        SparseSolver::default().solve(&sparse, &Effort::default(), &mut found).by;
                    x = DVector::from_vec(found);
                    by.word()
                }),
            };
            velocity(&dense, &x, &mut w);
            let certificate = residual(&dense, &x, &w);
            let tally = table.entry((name, solver)).or_default();
            tally.count += 1;
            tally.contacts = tally.contacts.max(dense.contacts.len());
            tally.worst = tally.worst.max(certificate);
            tally.milliseconds.push(taken);
            *tally.by.entry(by).or_default() += 1;
            if certificate.is_nan() || certificate > 1e-9 {
                tally.failed.push(seed);
            }
        }
    }
    println!(
        "{:>10} {:>6} {:>6} {:>6} {:>9} {:>9} {:>9} {:>9}  by",
        "stack", "solver", "count", "failed", "contacts", "worst", "median/ms", "most/ms"
    );
    let mut failed = false;
    for ((name, solver), mut tally) in table {
        tally.milliseconds.sort_by(f64::total_cmp);
        let by: Vec<String> = tally.by.iter().map(|(by, n)| format!("{by} {n}")).collect();
        println!(
            "{name:>10} {solver:>6} {:>6} {:>6} {:>9} {:>9.1e} {:>9.2} {:>9.2}  {}",
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
