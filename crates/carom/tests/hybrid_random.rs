//! Random drops: nothing penetrates, every run ends, energy never rises, the ledger closes.
#![allow(non_snake_case)]

mod support;

use carom::hybrid::{Options, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{JointKind, Model, Shape};
use carom::state::State;
use nalgebra::Vector3;
use support::Random;
use support::worlds::{World, planar_inertia, surface};

/// Drops in one run of the tests; `CAROM_DROPS` asks for another number.
fn drops() -> u64 {
    std::env::var("CAROM_DROPS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000)
}

/// A random planar body, a polygon of points or an ellipse, above a random incline.
fn random_drop(random: &mut Random) -> (Model, State) {
    let mut world = World::new();
    let mass = random.within(0.2, 3.0);
    let size = random.within(0.1, 1.0);
    let body = world.body(
        JointKind::Planar,
        planar_inertia(mass, mass * size * size * random.within(0.2, 0.5)),
    );
    let slope = random.within(-0.6, 0.6);
    let plane = world.incline(slope);
    let law = surface(
        if random.unit() < 0.2 { 0.0 } else { random.within(0.0, 0.9) },
        if random.unit() < 0.1 { 0.0 } else { random.within(0.0, 1.0) },
    );
    let mut reach = 0.0_f64;
    if random.unit() < 0.5 {
        let corners = 1 + random.below(5);
        for k in 0..corners {
            let angle =
                (k as f64 + random.within(0.0, 0.9)) * std::f64::consts::TAU / corners as f64;
            let r = size * random.within(0.5, 1.0);
            let at = Vector3::new(r * angle.cos(), r * angle.sin(), 0.0);
            let point = world.shape(Some(body), at, Shape::Point);
            world.touch(plane, point, law);
            reach = reach.max(r);
        }
    } else {
        let semi_axes = [size, size * random.within(0.3, 1.0)];
        let ellipse = world.shape(Some(body), Vector3::zeros(), Shape::Ellipse { semi_axes });
        world.touch(plane, ellipse, law);
        reach = size;
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    let height = reach + random.within(0.01, 1.0);
    state.q[0] = height * slope.sin();
    state.q[1] = height * slope.cos();
    state.q[2] = random.within(-3.0, 3.0);
    for v in state.v.iter_mut() {
        *v = random.within(-2.0, 2.0);
    }
    (model, state)
}

#[test]
fn eq1_ledger_closes() {
    let (mut stops, mut failures) = (std::collections::BTreeMap::new(), Vec::new());
    for seed in 0..drops() {
        let mut random = Random::new(seed);
        let (model, state) = random_drop(&mut random);
        let law = Differential { restitution: Restitution::Energetic };
        let options = Options { rtol: 1e-9, atol: 1e-11, max_events: 20_000, ..Options::default() };
        let run = match Simulation::new(&model, state, law).options(options).run_until(5.0) {
            Ok(run) => run,
            Err(e) => {
                failures.push(format!("seed {seed}: {}", e.0));
                continue;
            }
        };
        *stops.entry(run.stop.word()).or_insert(0) += 1;
        let scale = run.ledger.initial.abs().max(1.0);
        let s = &run.statistics;
        if s.worst_gap < -1e-9 {
            failures.push(format!("seed {seed}: gap {:e}", s.worst_gap));
        }
        if s.worst_closure > 1e-8 * scale {
            failures.push(format!("seed {seed}: ledger open by {:e}", s.worst_closure));
        }
        if s.worst_gain > 1e-12 * scale {
            failures.push(format!("seed {seed}: an impact gains {:e}", s.worst_gain));
        }
        let rise = run.recording.stored.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        if rise > 1e-8 * scale {
            failures.push(format!("seed {seed}: energy rises by {rise:e}"));
        }
    }
    println!("{stops:?}");
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        drops(),
        failures[..failures.len().min(12)].join("\n")
    );
}
