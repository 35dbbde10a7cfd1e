//! Motors at their limits: modes held between events, equations (1) and (2) of hybrid/drive.rs.

use carom::control::{
    Actuator, Interpolation, JointGoal, JointPd, Prescribed, Saturation, TorqueTable,
};
use carom::hybrid::{Options, Run, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{Joint, Model, ModelBuilder};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::Vector3;

const LAW: Differential = Differential { restitution: Restitution::Energetic };

/// A point mass of 1 kg on a rod of 1 m, hanging along −y at q = 0.
fn pendulum() -> Model {
    let mut builder = ModelBuilder::new();
    let joint = Joint::revolute("pivot", Vector3::z_axis(), Pose::identity());
    let bob = Inertia::point(1.0, Vector3::new(0.0, -1.0, 0.0)).unwrap();
    builder.add_body("bob", None, joint, bob).unwrap();
    builder.build().unwrap()
}

fn run(model: &Model, limit: f64, gains: [f64; 2], q0: f64, end: f64) -> Run {
    let mut state = State::neutral(model);
    state.q[0] = q0;
    let goal = JointGoal {
        actuator: 0,
        reference: Prescribed { dof: 0, offset: 2.0, ..Prescribed::default() },
        stiffness: gains[0],
        damping: gains[1],
        constant: 0.0,
    };
    Simulation::new(model, state, LAW)
        .options(Options { rtol: 1e-11, atol: 1e-13, ..Options::default() })
        .actuators(vec![Actuator::symmetric("motor", 0, limit)])
        .controller(Box::new(JointPd { goals: vec![goal] }))
        .run_until(end)
        .map_err(|f| f.0)
        .unwrap()
}

/// q̈ = −9.81 sin q + clamp(k (2 − q) − d q̇) by Runge–Kutta with a step so short that the kinks
/// do not matter, and how often the clamp changes.
fn by_hand(limit: f64, [k, d]: [f64; 2], q0: f64, end: f64) -> ([f64; 3], usize) {
    let clamp = |q: f64, v: f64| (k * (2.0 - q) - d * v).clamp(-limit, limit);
    let f = |y: [f64; 3]| {
        let u = clamp(y[0], y[1]);
        [y[1], -9.81 * y[0].sin() + u, u * y[1]]
    };
    let n = 4_000_000;
    let h = end / n as f64;
    let mut y = [q0, 0.0, 0.0];
    let mut changes = 0;
    let side = |y: [f64; 3]| {
        let u = k * (2.0 - y[0]) - d * y[1];
        i32::from(u > limit) - i32::from(u < -limit)
    };
    let mut before = 0;
    for _ in 0..n {
        changes += usize::from(side(y) != before);
        before = side(y);
        let add = |k: [f64; 3], s: f64| std::array::from_fn(|i| y[i] + s * k[i]);
        let k1 = f(y);
        let k2 = f(add(k1, h / 2.0));
        let k3 = f(add(k2, h / 2.0));
        let k4 = f(add(k3, h));
        for i in 0..3 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    (y, changes)
}

#[test]
fn eq1_eq2_pendulum() {
    let model = pendulum();
    for (limit, gains, q0) in
        [(11.0, [25.0, 1.0], 0.0), (12.0, [60.0, 1.0], -1.0), (15.0, [200.0, 3.0], 1.0)]
    {
        let run = run(&model, limit, gains, q0, 4.0);
        let (y, changes) = by_hand(limit, gains, q0, 4.0);
        // The flow: 1e-11 per step. By hand: h² u̇ ≈ 1e-12 × 300 at each of a few kinks.
        assert!((run.state.q[0] - y[0]).abs() < 2e-9, "{} {}", run.state.q[0], y[0]);
        assert!((run.state.v[0] - y[1]).abs() < 2e-9, "{} {}", run.state.v[0], y[1]);
        assert!((run.ledger.applied - y[2]).abs() < 2e-8, "{} {}", run.ledger.applied, y[2]);
        assert!(changes > 1, "the motor saturates and comes back: {changes} at {limit}");
        let found = run.events().iter().filter(|e| e.kind == EventKind::Saturation).count();
        assert_eq!(found, changes, "every change is one event");
        for torques in &run.recording.torques {
            assert!(torques[0].abs() <= limit);
        }
        let energy = run.ledger.stored().abs().max(1.0);
        assert!(run.statistics.worst_closure < 1e-9 * energy, "{}", run.statistics.worst_closure);
    }
}

#[test]
fn events_tell_the_modes() {
    let model = pendulum();
    let run = run(&model, 12.0, [60.0, 1.0], -1.0, 4.0);
    let mut mode = Saturation::Free;
    for event in run.events() {
        let [change] = event.actuators[..] else { panic!("one motor") };
        assert_eq!(change.before, mode);
        assert_ne!(change.after, mode);
        assert!(change.torque.abs() <= 12.0 && change.torque.abs() >= 12.0 * (1.0 - 1e-10));
        mode = change.after;
    }
    assert_eq!(run.events()[0].t, 0.0, "it starts at its limit");
    assert!(run.events().len() > 4);
}

/// A command that lies on the limit, or comes back to it again and again without crossing, is no
/// reason for events.
#[test]
fn hovering_makes_no_events() {
    let model = pendulum();
    let rows: Vec<Vec<f64>> = (0..20).map(|i| vec![0.1 * f64::from(i), 2.5]).collect();
    for interpolation in [Interpolation::Linear, Interpolation::Hold] {
        let table = TorqueTable::new(vec![0], &rows, interpolation).unwrap();
        let run = Simulation::new(&model, State::neutral(&model), LAW)
            .actuators(vec![Actuator::symmetric("motor", 0, 2.5)])
            .controller(Box::new(table))
            .run_until(3.0)
            .map_err(|f| f.0)
            .unwrap();
        let saturations = run.events().iter().filter(|e| e.kind == EventKind::Saturation).count();
        assert_eq!(saturations, 0);
    }
}

/// The slower the command passes its limit, the longer round-off could make it chatter: a command
/// that grazes the limit (touches and turns back) makes at most one pair of events.
#[test]
fn grazing_does_not_chatter() {
    let model = pendulum();
    for excess in [-1e-9, -1e-13, 0.0, 1e-13, 1e-9, 1e-5] {
        let top = 2.5 + excess;
        let rows = [vec![0.0, 0.0], vec![1.0, top], vec![2.0, 0.0]];
        let table = TorqueTable::new(vec![0], &rows, Interpolation::Linear).unwrap();
        let run = Simulation::new(&model, State::neutral(&model), LAW)
            .actuators(vec![Actuator::symmetric("motor", 0, 2.5)])
            .controller(Box::new(table))
            .run_until(3.0)
            .map_err(|f| f.0)
            .unwrap();
        let count = run.events().len();
        assert!(count == 0 || count == 2, "{count} events at an excess of {excess:e}");
        assert!(excess < 1e-9 || count == 2);
    }
}
