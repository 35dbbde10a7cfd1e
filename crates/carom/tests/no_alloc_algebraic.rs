//! Algebraic laws allocate nothing once workspace and solution have seen a problem of the same size.
#![allow(non_snake_case, unsafe_code)]

#[path = "impact_support/mod.rs"]
mod impact_support;
#[path = "laws/oracle.rs"]
#[allow(dead_code)]
mod oracle;

use carom::impact::{
    Brach, Constraint, ImpactLaw, ImpactSolution, ImpactWorkspace, Newton, Poisson,
    RestitutionMatrix, Whittaker,
};
use impact_support::{Rng, reduce};
use oracle::{Recipe, random};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

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

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(vec![1.0_f64; 10]));
    assert!(COUNT.get() > before);
}

#[test]
fn algebraic_laws() {
    let held = Constraint { complementarity: false, constrain_tangents: true };
    let unilateral = Constraint { complementarity: true, constrain_tangents: false };
    let both = Constraint { complementarity: true, constrain_tangents: true };
    let matrix = RestitutionMatrix::default();
    let laws: [&dyn ImpactLaw; 8] =
        [&Newton, &Poisson, &Whittaker, &Brach, &held, &unilateral, &both, &matrix];
    for recipe in [Recipe::planar(8, 3), Recipe::spatial(8, 2)] {
        let mut rng = Rng::new(5);
        // one approaching contact, so that Brach applies as well
        let recipe = Recipe { colliding: 0.0, friction: 1.2, ..recipe };
        let spaces: Vec<_> = (0..40).map(|_| reduce(&random(&mut rng, recipe))).collect();
        for law in laws {
            let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
            let mut solved = 0;
            // the first pass sizes every buffer, whichever attempts the problems need
            spaces.iter().for_each(|s| drop(law.resolve(s, &mut work, &mut out)));
            let before = COUNT.get();
            for space in &spaces {
                solved += usize::from(law.resolve(space, &mut work, &mut out).is_ok());
            }
            assert_eq!(COUNT.get() - before, 0, "{}", law.name());
            let planar = recipe.tangents == Some(1);
            assert!(solved > 20 || !planar, "{}: {solved}", law.name());
        }
    }
}
