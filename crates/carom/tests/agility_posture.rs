//! Posture optimisation: feasibility, known optima, slopes, reproducibility.
#![allow(non_snake_case)]

mod agility_support;
mod support;

use agility_support::{crouch, hopper, on_all_feet, quadruped};
use carom::agility::posture::{
    ClimbOptions, Constraints, SearchOptions, climb, search, settle, slopes,
};
use carom::agility::{Evaluator, capability};
use nalgebra::Vector3;

#[test]
#[ignore]
fn measure() {
    for (model, torque) in [(hopper(), 60.0), (quadruped(0.6, 1.0), 25.0)] {
        let state = crouch(&model);
        let stance = on_all_feet(&model, torque, Vector3::new(0.5, 0.0, 1.0));
        let constraints = Constraints::new(&stance, &[]).unwrap();
        let mut evaluator = Evaluator::new(&stance);
        let start = settle(&mut evaluator, &constraints, state.q.as_slice()).unwrap();
        let began = std::time::Instant::now();
        let end = climb(&mut evaluator, &constraints, &start, &ClimbOptions::default()).unwrap();
        println!(
            "climb {:.9} -> {:.9} in {} steps, converged {}, {:?}",
            end.start, end.capability.acceleration, end.steps, end.converged, began.elapsed()
        );
        println!("{:?}", end.capability.active);
        for seed in [1, 2] {
            let options = SearchOptions { starts: 12, seed, ..SearchOptions::default() };
            let began = std::time::Instant::now();
            let found = search(&stance, state.q.as_slice(), &options, &|_| ()).unwrap();
            println!("seed {seed}: {} optima, {} failed, {} steps, {:?}", found.optima.len(), found.failed, found.steps, began.elapsed());
            for o in &found.optima {
                println!("  {:.9} hits {} miss {:.1e} conv {} gap {:.1e}", o.capability.acceleration, o.hits, o.miss, o.converged, o.capability.gap);
            }
        }
    }
}
