//! Algebraic laws allocate nothing once workspace and solution have seen a problem of the same size.
#![allow(non_snake_case)]

#[path = "impact_support/mod.rs"]
mod impact_support;
#[path = "laws/oracle.rs"]
#[allow(dead_code)]
mod oracle;

use carom::impact::{
    Brach, Constraint, ImpactLaw, ImpactSolution, ImpactWorkspace, Newton, Poisson,
    RestitutionMatrix, Whittaker,
};
use carom_testing::{CountingAllocator, allocations};
use impact_support::{Rng, reduce};
use oracle::{Recipe, random};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

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
            let count = allocations(|| {
                for space in &spaces {
                    solved += usize::from(law.resolve(space, &mut work, &mut out).is_ok());
                }
            });
            assert_eq!(count, 0, "{}", law.name());
            let planar = recipe.tangents == Some(1);
            assert!(solved > 20 || !planar, "{}: {solved}", law.name());
        }
    }
}
