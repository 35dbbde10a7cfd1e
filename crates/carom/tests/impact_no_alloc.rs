//! Impacts allocate nothing once their buffers have seen a problem of the same size.

mod impact_support;

use carom::impact::{
    Differential, ImpactAnswer, ImpactLaw, ImpactWorkspace, Planar, Restitution, Sequence, audit,
};
use carom_testing::{CountingAllocator, allocations};
use impact_support::{Recipe, Rng, random_problem, reduce};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Allocations of a second pass over the problems, after a first one has sized the buffers.
fn again(law: &dyn ImpactLaw, contacts: usize, redundant: bool) -> usize {
    let mut rng = Rng::new(60);
    let problems: Vec<_> = (0..50)
        .map(|_| {
            let recipe = Recipe {
                contacts,
                coordinates: 2 * contacts + 1,
                shift: 0.3,
                friction: 0.6,
                static_excess: 0.2,
            };
            let mut problem = random_problem(&mut rng, recipe);
            if redundant {
                problem.contacts.push(problem.contacts[contacts - 1].clone());
            }
            problem
        })
        .collect();
    let (mut work, mut answer) = (ImpactWorkspace::new(), ImpactAnswer::default());
    let space = reduce(&problems[0]);
    let mut solved = 0;
    let mut pass = || {
        for problem in &problems {
            if law.resolve_problem(problem, &mut work, &mut answer).is_ok() {
                solved += 1;
                std::hint::black_box(audit(&space, &answer.solution));
            }
        }
    };
    pass();
    let count = allocations(pass);
    assert!(solved > 90, "{solved}");
    count
}

#[test]
fn laws_allocate_nothing() {
    for restitution in Restitution::ALL {
        assert_eq!(again(&Planar { restitution }, 1, false), 0);
        for contacts in 1..=4 {
            assert_eq!(again(&Differential { restitution }, contacts, false), 0);
            assert_eq!(again(&Sequence::new(Differential { restitution }), contacts, false), 0);
        }
        assert_eq!(again(&Differential { restitution }, 3, true), 0, "redundant contacts");
        assert_eq!(again(&Differential { restitution }, 9, false), 0, "by pivoting");
    }
}
