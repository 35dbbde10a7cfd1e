//! Impacts allocate nothing once their buffers have grown.

use carom::impact::Differential;
use carom::impact::{ImpactLaw, ImpactSolution, ImpactWorkspace, Reduction, Restitution};
use carom_testing::{CountingAllocator, allocations};

use crate::random::{Random, case, problem, space};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn no_allocation() {
    let mut rng = Random(21);
    let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
    let law = Differential { restitution: Restitution::Energetic };
    let mut spaces: Vec<_> = (0..50).map(|_| space(&case(&mut rng, 3.0))).collect();
    for _ in 0..20 {
        let mut reduction = Reduction::default();
        reduction.reduce(&problem(&mut rng, 12, &[2, 1, 2])).expect("reduces");
        spaces.push(reduction.space);
    }
    // The second pass finds all buffers grown.
    for pass in 0..2 {
        let allocated = allocations(|| {
            for space in &spaces {
                law.resolve(space, &mut work, &mut out).expect("resolves");
            }
        });
        assert!((pass == 0) == (allocated > 0), "pass {pass}: {allocated} allocations");
    }
}
