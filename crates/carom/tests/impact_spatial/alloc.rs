//! Impacts allocate nothing once their buffers have grown.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom::impact::spatial::SpatialDifferential;
use carom::impact::{ImpactLaw, ImpactSolution, ImpactWorkspace, Reduction, Restitution};

use crate::random::{Random, case, problem, space};

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
fn no_allocation() {
    let mut rng = Random(21);
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let law = SpatialDifferential::new(Restitution::Energetic);
    let mut spaces: Vec<_> = (0..50).map(|_| space(&case(&mut rng, 3.0))).collect();
    for _ in 0..20 {
        let mut reduction = Reduction::default();
        reduction.reduce(&problem(&mut rng, 12, &[2, 1, 2])).expect("reduces");
        spaces.push(reduction.space);
    }
    // The second pass finds all buffers grown.
    for pass in 0..2 {
        let before = COUNT.get();
        for space in &spaces {
            law.resolve(space, &mut work, &mut out).expect("resolves");
        }
        let allocated = COUNT.get() - before;
        assert!((pass == 0) == (allocated > 0), "pass {pass}: {allocated} allocations");
    }
}
