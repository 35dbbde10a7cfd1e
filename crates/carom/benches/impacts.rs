//! Time per impact: planar closed form, differential law of one to four planar contacts, sequence, reduction.
//!
//! `cargo bench -p carom --bench impacts`. Each figure is the best of several rounds over a set of random problems, so
//! that branch prediction does not learn one problem by heart; the best round is the one least disturbed by others.

#[path = "../tests/impact_support/mod.rs"]
mod impact_support;

use std::hint::black_box;
use std::time::Instant;

use carom::impact::{
    ContactSpace, Differential, ImpactAnswer, ImpactLaw, ImpactProblem, ImpactSolution,
    ImpactWorkspace, Planar, Restitution, Sequence,
};
use impact_support::{Recipe, Rng, random_problem, reduce};

const PROBLEMS: usize = 256;
const ROUNDS: usize = 40;

fn problems(contacts: usize) -> Vec<ImpactProblem> {
    let mut rng = Rng::new(2024);
    let law = Differential { restitution: Restitution::Energetic };
    let mut found = Vec::new();
    while found.len() < PROBLEMS {
        let coordinates = 2 * contacts + 1 + rng.below(4);
        let recipe =
            Recipe { contacts, coordinates, shift: 0.2, friction: 0.8, static_excess: 0.0 };
        let problem = random_problem(&mut rng, recipe);
        if impact_support::solve(&law, &problem).is_ok() {
            found.push(problem);
        }
    }
    found
}

/// Best mean time of one call, ns.
fn time(mut call: impl FnMut(usize)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for i in 0..PROBLEMS {
            call(i);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / PROBLEMS as f64);
    }
    best
}

fn time_law(law: &dyn ImpactLaw, spaces: &[ContactSpace]) -> f64 {
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    time(|i| {
        let solved = law.resolve(black_box(&spaces[i]), &mut work, &mut out);
        assert!(solved.is_ok());
        black_box(&out);
    })
}

fn main() {
    println!("{:<44} {:>10}", "impact", "ns");
    for contacts in 1..=4 {
        let problems = problems(contacts);
        let spaces: Vec<ContactSpace> = problems.iter().map(reduce).collect();
        for restitution in Restitution::ALL {
            if contacts == 1 {
                let ns = time_law(&Planar { restitution }, &spaces);
                println!("{:<44} {ns:>10.0}", format!("planar closed form, {restitution}"));
            }
            let ns = time_law(&Differential { restitution }, &spaces);
            println!(
                "{:<44} {ns:>10.0}",
                format!("differential, {contacts} contacts, {restitution}")
            );
        }
        let restitution = Restitution::Energetic;
        let ns = time_law(&Sequence::new(Differential { restitution }), &spaces);
        println!("{:<44} {ns:>10.0}", format!("sequence, {contacts} contacts, {restitution}"));
        let (mut work, mut answer) = (ImpactWorkspace::new(), ImpactAnswer::default());
        let law = Differential { restitution };
        let ns = time(|i| {
            assert!(law.resolve_problem(black_box(&problems[i]), &mut work, &mut answer).is_ok());
        });
        println!("{:<44} {ns:>10.0}", format!("with reduction from M, {contacts} contacts"));
    }
}
