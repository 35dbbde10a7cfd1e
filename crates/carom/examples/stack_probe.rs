#[path = "../tests/support/mod.rs"]
mod support;
use carom::coulomb::*;
use nalgebra::DVector;
use support::{Random, stacks};
fn main() {
    let most: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let from: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let to: u64 = std::env::args().nth(3).unwrap().parse().unwrap();
    let kind = std::env::args().nth(4);
    for seed in from..to {
        let mut random = Random::new(seed);
        let (name, problem) = stacks::random(&mut random, most);
        if kind.as_ref().is_some_and(|k| k != name) { continue; }
        let start = std::time::Instant::now();
        let (mut x, mut modes) = (DVector::zeros(0), vec![]);
        let s = Solver::default().solve(&problem, &[], &mut x, &mut modes);
        println!("{seed:4} {name:>10} {:4} contacts {:10.2e} {:?} {:.1} ms {}", problem.contacts.len(), s.residual, s.by, 1e3 * start.elapsed().as_secs_f64(), if s.accepted() {""} else {"FAILED"});
    }
}
