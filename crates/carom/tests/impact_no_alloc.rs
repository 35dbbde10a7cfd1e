//! Impacts allocate nothing once their buffers have seen a problem of the same size.
#![allow(unsafe_code)]

mod impact_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom::impact::{
    Differential, ImpactAnswer, ImpactLaw, ImpactWorkspace, Planar, Restitution, Sequence, audit,
};
use impact_support::{Recipe, Rng, random_problem, reduce};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a second pass over the problems, after a first one has sized the buffers.
fn allocations(law: &dyn ImpactLaw, contacts: usize, redundant: bool) -> usize {
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
    let mut before = 0;
    for pass in 0..2 {
        if pass == 1 {
            before = COUNT.get();
        }
        for problem in &problems {
            if law.resolve_problem(problem, &mut work, &mut answer).is_ok() {
                solved += 1;
                std::hint::black_box(audit(&space, &answer.solution));
            }
        }
    }
    let count = COUNT.get() - before;
    assert!(solved > 90, "{solved}");
    count
}

#[test]
fn laws_allocate_nothing() {
    for restitution in Restitution::ALL {
        assert_eq!(allocations(&Planar { restitution }, 1, false), 0);
        for contacts in 1..=4 {
            assert_eq!(allocations(&Differential { restitution }, contacts, false), 0);
            assert_eq!(
                allocations(&Sequence::new(Differential { restitution }), contacts, false),
                0
            );
        }
        assert_eq!(allocations(&Differential { restitution }, 3, true), 0, "redundant contacts");
        assert_eq!(allocations(&Differential { restitution }, 9, false), 0, "by pivoting");
    }
}
