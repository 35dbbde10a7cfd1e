//! Posture optimisation: feasibility, known optima, slopes, reproducibility, faults.
#![allow(non_snake_case)]

mod agility_support;
#[path = "../../carom/tests/support/mod.rs"]
mod support;

use agility_support::{crouch, hopper, motors, on_all_feet, quadruped, walker};
use carom::dynamics::integrate;
use carom::model::{Coordinate, Joint, JointKind, Limits, Model, ModelBuilder};
use carom::spatial::{Inertia, Pose};
use carom_agility::posture::{
    ClimbOptions, Constraints, End, PostureLimit, SearchOptions, SearchResult, climb,
    mirror_images, search, search_until, settle, slopes,
};
use carom_agility::{AgilityError, Evaluator, MapAxis, Stance, Task, capability, capability_map};
use nalgebra::Vector3;
use support::Random;

fn forward() -> Vector3<f64> {
    Vector3::new(0.5, 0.0, 1.0)
}

fn run(stance: &Stance<'_>, q: &[f64], starts: usize, seed: u64, threads: usize) -> SearchResult {
    let options = SearchOptions { starts, hops: 0, seed, threads, ..SearchOptions::default() };
    search(stance, q, &options, &|_| ()).unwrap()
}

/// (4): the gaps close to round-off, limits hold exactly, nothing is below the floor.
#[test]
fn eq4_settle() {
    let mut random = Random::new(71);
    for model in [hopper(), quadruped(0.6, 1.0)] {
        let stance = on_all_feet(&model, 40.0, forward());
        let constraints = Constraints::new(&stance, &[]).unwrap();
        let mut evaluator = Evaluator::new(&stance);
        let start = crouch(&model);
        let mut settled = 0;
        for _ in 0..50 {
            let turn: Vec<f64> = (0..model.nv()).map(|_| random.within(-0.4, 0.4)).collect();
            let mut q = start.q.clone();
            integrate::step(&model, start.q.as_slice(), &turn, q.as_mut_slice());
            assert!(constraints.miss(&mut evaluator, q.as_slice()) > 1e-4);
            if let Ok(q) = settle(&mut evaluator, &constraints, q.as_slice()) {
                settled += 1;
                assert!(constraints.miss(&mut evaluator, &q) <= 1e-11);
            }
        }
        assert!(settled >= 45, "{settled}");
    }
}

#[test]
fn eq1_feasible_and_never_worse() {
    for (model, torque, starts) in [(hopper(), 60.0, 6), (quadruped(0.6, 1.0), 25.0, 2)] {
        let stance = on_all_feet(&model, torque, forward());
        let found = run(&stance, crouch(&model).q.as_slice(), starts, 3, 2);
        let start = found.start.unwrap();
        assert!(found.optima[0].capability.acceleration > 1.5 * start);
        for pair in found.optima.windows(2) {
            assert!(pair[0].capability.acceleration >= pair[1].capability.acceleration);
        }
        let from_start = found.optima.iter().find(|o| o.start == 0).unwrap();
        assert!(from_start.capability.acceleration >= start);
        for optimum in &found.optima {
            assert!(optimum.miss < 1e-8, "{:e}", optimum.miss);
            let a = optimum.capability.acceleration;
            assert!(optimum.capability.gap.abs() < 1e-9 * a && optimum.capability.violation < 1e-8);
            // The capability is that of the posture, computed anew.
            let mut evaluator = Evaluator::new(&stance);
            let rest = vec![0.0; model.nv()];
            let again = capability(&evaluator.problem(0.0, &optimum.q, &rest)).unwrap();
            assert!((again.acceleration - a).abs() < 1e-9 * a);
        }
    }
}

#[test]
fn found_again_from_another_seed() {
    let model = hopper();
    let stance = on_all_feet(&model, 60.0, forward());
    let q = crouch(&model).q;
    let best = |seed| run(&stance, q.as_slice(), 20, seed, 2).optima[0].capability.acceleration;
    let (one, two) = (best(1), best(2));
    assert!((one - two).abs() < 1e-7 * one, "{one} {two}");
}

#[test]
fn threads_do_not_matter() {
    let model = hopper();
    let stance = on_all_feet(&model, 60.0, forward());
    let q = crouch(&model).q;
    let (one, two) = (run(&stance, q.as_slice(), 5, 9, 1), run(&stance, q.as_slice(), 5, 9, 2));
    let bits = |r: &SearchResult| -> Vec<u64> {
        r.optima.iter().flat_map(|o| o.q.iter().map(|x| x.to_bits())).collect()
    };
    assert_eq!(bits(&one), bits(&two));
}

/// (2): a and λ at fixed torques in neighbouring postures.
#[test]
fn eq2_slopes_from_differences() {
    let model = quadruped(0.6, 1.0);
    let stance = on_all_feet(&model, 25.0, forward());
    let mut evaluator = Evaluator::new(&stance);
    let q = crouch(&model).q;
    let rest = vec![0.0; model.nv()];
    let problem = evaluator.problem(0.0, q.as_slice(), &rest);
    let at = capability(&problem).unwrap();
    let slopes = slopes(&mut evaluator, q.as_slice(), &problem, &at).unwrap();
    let h = 1e-5;
    for k in 0..model.nv() {
        let mut ends = Vec::new();
        for sign in [1.0, -1.0] {
            let mut turn = rest.clone();
            turn[k] = sign * h;
            let mut moved = q.clone();
            integrate::step(&model, q.as_slice(), &turn, moved.as_mut_slice());
            let there = evaluator.problem(0.0, moved.as_slice(), &rest);
            let reduced = carom_agility::capability::reduce::Reduced::new(&there).unwrap();
            let vdot = &reduced.acceleration_matrix * &at.torque + &reduced.acceleration_offset;
            let force = &reduced.force_matrix * &at.torque + &reduced.force_offset;
            ends.push((there.task_row.dot(&vdot), force));
        }
        let slope = (ends[0].0 - ends[1].0) / (2.0 * h);
        let error = (slope - slopes.acceleration[k]).abs();
        assert!(error < 1e-6 * slopes.acceleration.amax().max(1.0), "{k}: {error:e}");
        let force = (&ends[0].1 - &ends[1].1) / (2.0 * h);
        let error = (force - slopes.force.column(k)).amax();
        assert!(error < 1e-6 * slopes.force.amax().max(1.0), "{k}: {error:e}");
    }
}

/// A point mass on a motor-driven arm without gravity: along x the tip is quickest where the arm is
/// upright, a* = τ/(m l).
fn crane(mass: f64, length: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::zeros()).unwrap();
    let limits = Some(Limits { lower: -1.0, upper: 2.5, restitution: 0.0 });
    let joint =
        Joint::new("pivot", JointKind::Revolute { axis: Vector3::z_axis() }, Pose::identity())
            .with_coordinates(vec![Coordinate { limits, ratio: 0.5, ..Coordinate::default() }]);
    let bob = Inertia::point(mass, Vector3::new(length, 0.0, 0.0)).unwrap();
    builder.add_body("bob", None, joint, bob).unwrap();
    builder.build().unwrap()
}

#[test]
fn eq3_known_optimum() {
    let (mass, length, torque) = (2.0, 0.7, 5.0);
    let model = crane(mass, length);
    let bob = model.body_named("bob").unwrap();
    let task = Task::new(&model, bob, -Vector3::x()).unwrap();
    let stance = Stance::new(&model, &motors(&model, torque), task);
    let constraints = Constraints::new(&stance, &[]).unwrap();
    let mut evaluator = Evaluator::new(&stance);
    // The motor turns twice as far as the arm and feels half of its torque, so the arm gets 2 τ.
    let exact = 2.0 * torque / (mass * length);
    let end = climb(&mut evaluator, &constraints, &[0.6], &ClimbOptions::default()).unwrap();
    assert!((end.capability.acceleration - exact).abs() < 1e-10 * exact);
    assert!((end.q[0] - std::f64::consts::PI).abs() < 1e-4, "{}", end.q[0]);
    assert_eq!(end.end, End::Curved);
}

/// (5): with curvature a smooth optimum takes few steps.
#[test]
fn eq5_converges_fast() {
    let model = crane(1.0, 1.0);
    let bob = model.body_named("bob").unwrap();
    let task = Task::new(&model, bob, -Vector3::x()).unwrap();
    let stance = Stance::new(&model, &motors(&model, 5.0), task);
    let constraints = Constraints::new(&stance, &[]).unwrap();
    let mut evaluator = Evaluator::new(&stance);
    let end = climb(&mut evaluator, &constraints, &[1.8], &ClimbOptions::default()).unwrap();
    assert!(end.steps <= 20, "{}", end.steps);
}

/// (8), (9): ends are stationary, and no small feasible move finds more than the test promises.
#[test]
fn eq8_eq9_ends_are_certified() {
    let model = quadruped(0.6, 1.0);
    let stance = on_all_feet(&model, 25.0, forward());
    let constraints = Constraints::new(&stance, &[]).unwrap();
    let mut evaluator = Evaluator::new(&stance);
    let start = crouch(&model).q;
    let options = ClimbOptions::default();
    let end = climb(&mut evaluator, &constraints, start.as_slice(), &options).unwrap();
    assert!(end.end.converged(), "{:?} {:?}", end.end, end.stationarity);
    let test = end.stationarity.unwrap();
    let a = end.capability.acceleration;
    assert!(test.slope < 1e-4 * a && test.promise <= 1e-8 * (1.0 + a), "{test:?}");
    let rest = vec![0.0; model.nv()];
    let mut random = Random::new(5);
    let mut tried = 0;
    for _ in 0..300 {
        let turn: Vec<f64> = (0..model.nv()).map(|_| random.within(-1e-3, 1e-3)).collect();
        let mut q = end.q.clone();
        integrate::step(&model, &end.q, &turn, &mut q);
        let Ok(q) = settle(&mut evaluator, &constraints, &q) else { continue };
        let Ok(near) = capability(&evaluator.problem(0.0, &q, &rest)) else { continue };
        tried += 1;
        assert!(near.acceleration <= a * (1.0 + 1e-8), "{} {a}", near.acceleration);
    }
    assert!(tried > 200, "{tried}");
    // A posture on the way is not taken for an end.
    let short = ClimbOptions { steps: 2, ..options };
    let halfway = climb(&mut evaluator, &constraints, start.as_slice(), &short).unwrap();
    assert_eq!(halfway.end, End::OutOfSteps);
    assert!(halfway.stationarity.unwrap().promise > 1e-4 * a);
}

/// (10): the walker is mirrored left to right and front to back, masses included.
#[test]
fn eq10_mirror_images_are_as_capable() {
    let model = quadruped(0.6, 1.0);
    // In one plane with gravity, which points along −y here, and the normal of the floor.
    let stance = on_all_feet(&model, 25.0, Vector3::new(0.0, 0.3, 1.0));
    let constraints = Constraints::new(&stance, &[]).unwrap();
    let mut evaluator = Evaluator::new(&stance);
    let mut random = Random::new(12);
    let rest = vec![0.0; model.nv()];
    let start = crouch(&model).q;
    let turn: Vec<f64> = (0..model.nv()).map(|_| random.within(-0.2, 0.2)).collect();
    let mut q = start.clone();
    integrate::step(&model, start.as_slice(), &turn, q.as_mut_slice());
    let q = settle(&mut evaluator, &constraints, q.as_slice()).unwrap();
    let a = capability(&evaluator.problem(0.0, &q, &rest)).unwrap().acceleration;
    let images = mirror_images(&stance, &q);
    assert_eq!(images.len(), 3);
    for image in images {
        assert!(image.iter().zip(&q).any(|(x, y)| (x - y).abs() > 0.05));
        let miss = constraints.miss(&mut evaluator, &image);
        assert!(miss < 1e-9, "{miss:e} {image:?} {q:?}");
        let other = capability(&evaluator.problem(0.0, &image, &rest)).unwrap().acceleration;
        assert!((other - a).abs() < 1e-9 * a, "{other} {a}");
    }
    // A direction out of that plane leaves the half turn only.
    let aslant = on_all_feet(&model, 25.0, Vector3::new(0.5, 0.3, 1.0));
    assert_eq!(mirror_images(&aslant, &q).len(), 1);
    // An arm has no mirror image.
    let arm = crane(1.0, 1.0);
    let task = Task::new(&arm, arm.body_named("bob").unwrap(), Vector3::x()).unwrap();
    assert!(mirror_images(&Stance::new(&arm, &motors(&arm, 1.0), task), &[0.0]).is_empty());
}

/// Walkers with two to four legs at random places, random strength and direction: every climb ends
/// feasible and says how; at most one in ten is not stationary.
#[test]
fn random_walkers_converge() {
    let mut random = Random::new(77);
    let names = ["a", "b", "c", "d"];
    let (mut climbs, mut unfinished) = (0, 0);
    for legs in [2, 3, 4] {
        let places: Vec<(&str, Vector3<f64>)> = (0..legs)
            .map(|i| {
                let angle = std::f64::consts::TAU * i as f64 / legs as f64;
                let r = random.within(0.1, 0.25);
                (names[i], Vector3::new(r * angle.cos(), 0.7 * r * angle.sin(), 0.0))
            })
            .collect();
        let model = walker(&places, random.within(0.4, 0.9), random.within(0.5, 2.0));
        let direction = Vector3::new(random.within(-0.5, 0.5), random.within(-0.5, 0.5), 1.0);
        let stance = on_all_feet(&model, random.within(15.0, 40.0), direction);
        let found = run(&stance, crouch(&model).q.as_slice(), 5, 4, 2);
        climbs += found.climbs;
        unfinished += found.unfinished;
        assert_eq!((found.climbs + found.failed, found.skipped), (5, 0));
        for optimum in &found.optima {
            assert!(optimum.miss < 1e-8 && optimum.capability.violation < 1e-6);
            let certified = optimum.stationarity.is_some();
            assert!(certified || optimum.end == End::Stalled);
        }
    }
    assert!(climbs >= 12 && unfinished * 10 <= climbs, "{unfinished} of {climbs}");
}

/// A search that is stopped keeps the climb from the posture given; limits that are met are named.
#[test]
fn stopped_searches_keep_what_they_have() {
    let model = hopper();
    let stance = on_all_feet(&model, 60.0, forward());
    let q = crouch(&model).q;
    let stop = std::sync::atomic::AtomicBool::new(true);
    let options = SearchOptions { starts: 6, hops: 4, threads: 1, ..SearchOptions::default() };
    let found = search_until(&stance, q.as_slice(), &options, &|_| (), &stop).unwrap();
    assert_eq!((found.climbs, found.skipped), (1, 9));
    let best = &found.optima[0];
    for limit in &best.limits {
        if let PostureLimit::Upper(dof) = limit {
            let at = model.q_of_v()[*dof].unwrap();
            assert!((best.q[at] - model.coordinates()[*dof].limits.unwrap().upper).abs() < 1e-9);
        }
    }
}

/// A coordinate that is kept, is kept; one that is limited stays inside.
#[test]
fn fixed_coordinates_keep_their_values() {
    let model = hopper();
    let stance = on_all_feet(&model, 60.0, forward());
    let q = crouch(&model).q;
    let fixed = vec![6, 8];
    let options = SearchOptions { starts: 3, hops: 0, fixed, ..SearchOptions::default() };
    let found = search(&stance, q.as_slice(), &options, &|_| ()).unwrap();
    for optimum in &found.optima {
        assert_eq!((optimum.q[7], optimum.q[9]), (q[7], q[9]));
    }
    let wrong = SearchOptions { fixed: vec![99], ..SearchOptions::default() };
    let fault = search(&stance, q.as_slice(), &wrong, &|_| ());
    assert!(matches!(fault, Err(AgilityError::Coordinate { index: 99 })));
}

#[test]
fn faults_are_named() {
    let model = hopper();
    let q = crouch(&model).q;
    // The base and the knee stay where they are, so the foot cannot come down.
    let stance = on_all_feet(&model, 60.0, forward());
    let mut high = q.clone();
    high[2] += 1.0;
    let fixed = (0..9).filter(|&dof| dof != 7).collect();
    let options = SearchOptions { starts: 3, hops: 0, fixed, ..SearchOptions::default() };
    let Err(error) = search(&stance, high.as_slice(), &options, &|_| ()) else { panic!() };
    assert!(matches!(error, AgilityError::OutOfReach { .. }), "{error}");
    assert!(error.to_string().contains("leg.foot-floor"), "{error}");
    // A leg without strength.
    let weak = on_all_feet(&model, 0.0, forward());
    let options = SearchOptions { starts: 2, hops: 0, ..SearchOptions::default() };
    let Err(error) = search(&weak, q.as_slice(), &options, &|_| ()) else { panic!() };
    assert!(matches!(error, AgilityError::NoTorque { .. }), "{error}");
}

#[test]
fn maps_hold_what_single_postures_give() {
    let model = hopper();
    let stance = on_all_feet(&model, 60.0, forward());
    let q = crouch(&model).q;
    let axis = |dof, from, to| MapAxis { dof, from, to, count: 5 };
    let axes = [axis(7, -1.0, 1.0), axis(8, -3.0, 0.0)];
    let map =
        |threads| capability_map(&stance, q.as_slice(), (axes, &[]), threads, &|_| ()).unwrap();
    let (one, two) = (map(1), map(2));
    assert_eq!(one.len(), 25);
    let mut seen = 0;
    for (i, (a, b)) in one.iter().zip(&two).enumerate() {
        assert_eq!(a.at, [axes[0].value(i / 5), axes[1].value(i % 5)]);
        match (&a.result, &b.result) {
            (Ok((q, found)), Ok((_, same))) => {
                seen += 1;
                assert_eq!(found.acceleration.to_bits(), same.acceleration.to_bits());
                assert_eq!([q[8], q[9]], a.at);
                let mut evaluator = Evaluator::new(&stance);
                let problem = evaluator.problem(0.0, q, &vec![0.0; model.nv()]);
                assert_eq!(capability(&problem).unwrap().acceleration, found.acceleration);
            }
            (Err(a), Err(b)) => assert_eq!(a, b),
            _ => panic!("threads matter"),
        }
    }
    // The last angles of the knee lie beyond its limit of −2.6.
    assert!((10..25).contains(&seen), "{seen}");
    assert!(one.iter().filter(|p| p.at[1] < -2.6).all(|p| p.result.is_err()));
}
