//! Capability: closed form against program, certificates, adjoint, gradient, scaling.
#![allow(non_snake_case)]

mod agility_support;
#[path = "../../carom/tests/support/mod.rs"]
mod support;

use agility_support::{arm, crouch, hopper, motors, no_names, on_all_feet, quadruped};
use carom::control::Actuator;
use carom::dynamics::integrate;
use carom::model::Model;
use carom::state::State;
use carom_agility::program::{Cone, LinearRows};
use carom_agility::{
    AgilityError, Capability, CapabilityProblem, Evaluator, Hold, Limit, Stance, Task,
    box_capability, capability, closed_form,
};
use nalgebra::{DMatrix, DVector, Vector3};
use support::{Random, random_state};

fn solve(stance: &Stance<'_>, state: &State) -> Result<Capability, AgilityError> {
    capability(&problem(stance, state))
}

fn problem(stance: &Stance<'_>, state: &State) -> CapabilityProblem {
    Evaluator::new(stance).problem(state.t, state.q.as_slice(), state.v.as_slice())
}

fn arm_stance<'m>(random: &mut Random, model: &'m Model, hold: Hold) -> Stance<'m> {
    let body = model.body_ids().last().unwrap();
    let task = Task::new(model, body, random.vector()).unwrap().at(random.vector()).holding(hold);
    let limit = |random: &mut Random| random.within(20.0, 400.0);
    let motors: Vec<Actuator> = motors(model, 1.0)
        .into_iter()
        .map(|m| Actuator { lower: -limit(random), upper: limit(random), ..m })
        .collect();
    Stance::new(model, &motors, task)
}

/// Six joints, six motors, everything but the direction held: the equations of the dissertation.
#[test]
fn eq1_closed_form_and_program_agree() {
    let mut random = Random::new(61);
    let (mut agreed, mut powerless) = (0, 0);
    let mut worst = 0.0_f64;
    while agreed < 200 {
        let model = arm(&mut random, 6, true);
        let state = random_state(&mut random, &model);
        let stance = arm_stance(&mut random, &model, Hold::Body);
        let problem = problem(&stance, &state);
        let closed = match closed_form(&problem) {
            Ok(closed) => closed,
            Err(AgilityError::Singular { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        match (closed, capability(&problem)) {
            (Some(closed), Ok(found)) => {
                agreed += 1;
                let a = found.acceleration;
                worst = worst.max((closed.largest - a).abs() / (1.0 + a.abs()));
                assert!(found.gap.abs() < 1e-9 * (1.0 + a.abs()), "gap {}", found.gap);
                assert!(closed.symmetric <= closed.largest + 1e-9);
                assert!(found.active.iter().any(|active| active.limit == closed.limit));
            }
            (None, Err(AgilityError::Powerless { .. })) => powerless += 1,
            (closed, found) => panic!("{closed:?}\n{found:?}"),
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
    assert!(powerless > 0);
}

/// Square problems with contacts: m motors and the rest contact forces.
#[test]
fn eq4_closed_form_with_cones() {
    let mut random = Random::new(62);
    let (mut agreed, mut powerless, mut slips) = (0, 0, 0);
    let mut worst = 0.0_f64;
    while agreed < 200 {
        let problem = square_with_cones(&mut random);
        match (closed_form(&problem).unwrap(), capability(&problem)) {
            (Some(closed), Ok(found)) => {
                agreed += 1;
                let a = found.acceleration;
                worst = worst.max((closed.largest - a).abs() / (1.0 + a.abs()));
                slips += usize::from(matches!(closed.limit, Limit::Slip(_)));
            }
            (None, Err(AgilityError::Powerless { .. })) => powerless += 1,
            (closed, found) => panic!("{closed:?}\n{found:?}"),
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
    assert!(powerless > 5 && slips > 50, "{powerless} powerless, {slips} slips");
}

fn square_with_cones(random: &mut Random) -> CapabilityProblem {
    let tangents = 1 + random.below(2);
    let (m, nr) = (2 + random.below(4), tangents + 1);
    let n = m + nr;
    let mut matrix = |r: usize, c: usize| DMatrix::from_fn(r, c, |_, _| random.within(-1.0, 1.0));
    let A = matrix(n, n);
    let J = matrix(nr, n);
    let B = matrix(n, m);
    let j = matrix(n, 1).column(0).into_owned();
    let H = matrix(n - 1 - nr, n);
    // A bias that is held well inside the bounds, so that many problems are feasible.
    let tau = matrix(m, 1).column(0).into_owned() * 0.3;
    let mut lambda = DVector::zeros(nr);
    lambda[nr - 1] = 1.0;
    let h = &B * &tau + J.transpose() * lambda + matrix(n, 1).column(0) * 0.2;
    CapabilityProblem {
        mass_matrix: &A * A.transpose() + DMatrix::identity(n, n) * 0.3,
        bias: h,
        actuation: B,
        torque_lower: DVector::from_element(m, -1.0),
        torque_upper: DVector::from_element(m, 1.5),
        contact_bias: DVector::zeros(nr),
        contact_rows: J,
        cones: vec![Cone { first: 0, tangents, friction: random.within(0.3, 1.0) }],
        task_row: j,
        task_bias: 0.1,
        held: LinearRows { bound: DVector::zeros(n - 1 - nr), matrix: H },
        names: no_names(),
    }
}

/// (5) is the smaller of the capabilities in both senses, as long as zero is possible.
#[test]
fn eq5_symmetric() {
    let mut random = Random::new(63);
    let mut seen = 0;
    for _ in 0..200 {
        let model = arm(&mut random, 6, false);
        let state = random_state(&mut random, &model);
        let stance = arm_stance(&mut random, &model, Hold::Body);
        let Ok(Some(closed)) = closed_form(&problem(&stance, &state)) else { continue };
        if closed.smallest < 0.0 && closed.largest > 0.0 {
            seen += 1;
            let both = closed.largest.min(-closed.smallest);
            assert!((closed.symmetric - both).abs() < 1e-9 * (1.0 + both));
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn eq6_box_of_torques() {
    let mut random = Random::new(64);
    for _ in 0..200 {
        let n = 1 + random.below(8);
        let model = arm(&mut random, n, true);
        let state = random_state(&mut random, &model);
        let stance = arm_stance(&mut random, &model, Hold::Nothing);
        let problem = problem(&stance, &state);
        let (exact, found) = (box_capability(&problem).unwrap(), capability(&problem).unwrap());
        let a = found.acceleration;
        assert!((exact - a).abs() < 1e-9 * (1.0 + a.abs()), "{exact} {a}");
        assert!(found.active.len() <= n);
    }
}

/// A random posture near a crouch, at rest; the feet need not touch for the matrices to be right.
fn near_crouch(random: &mut Random, model: &Model, size: f64) -> State {
    let mut state = crouch(model);
    let turn: Vec<f64> = (0..model.nv()).map(|_| random.within(-size, size)).collect();
    let q = state.q.clone();
    integrate::step(model, q.as_slice(), &turn, state.q.as_mut_slice());
    state
}

#[test]
fn eq1_eq2_reduced_dynamics() {
    let mut random = Random::new(65);
    for model in [hopper(), quadruped(0.6, 1.0)] {
        for _ in 0..30 {
            let state = near_crouch(&mut random, &model, 0.3);
            let stance = on_all_feet(&model, 25.0, random.vector());
            let problem = problem(&stance, &state);
            let found = match capability(&problem) {
                Ok(found) => found,
                Err(AgilityError::Powerless { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            let motion = &problem.mass_matrix * &found.vdot + &problem.bias
                - &problem.actuation * &found.torque
                - problem.contact_rows.transpose() * &found.force;
            let kept = &problem.contact_rows * &found.vdot + &problem.contact_bias;
            let force = found.force.amax() + found.torque.amax();
            assert!(motion.amax() < 1e-10 * force, "{}", motion.amax());
            assert!(kept.amax() < 1e-9 * (1.0 + found.vdot.amax()), "{}", kept.amax());
            let a = problem.task_row.dot(&found.vdot) + problem.task_bias;
            assert!((a - found.acceleration).abs() < 1e-9 * (1.0 + a.abs()));
            for cone in &problem.cones {
                assert!(cone.excess(&found.force) < 1e-10 * force);
                assert!(found.force[cone.normal()] > -1e-10 * force);
            }
        }
    }
}

/// (2): motors that p would drive on stand at their limits, and −J p lies in the dual cones.
#[test]
fn eq2_adjoint_motion() {
    let mut random = Random::new(66);
    let mut seen = 0;
    for model in [hopper(), quadruped(0.6, 1.0)] {
        for _ in 0..30 {
            let state = near_crouch(&mut random, &model, 0.3);
            let stance = on_all_feet(&model, 25.0, random.vector());
            let problem = problem(&stance, &state);
            let Ok(found) = capability(&problem) else { continue };
            seen += 1;
            let k = problem.actuation.tr_mul(&found.adjoint);
            for (i, k) in k.iter().enumerate().filter(|(_, k)| k.abs() > 1e-8) {
                let limit =
                    if *k > 0.0 { problem.torque_upper[i] } else { problem.torque_lower[i] };
                assert!((found.torque[i] - limit).abs() < 1e-9, "{k} {}", found.torque[i]);
            }
            let s = -(&problem.contact_rows * &found.adjoint);
            for cone in &problem.cones {
                let margin = s[cone.normal()] - cone.friction * cone.tangential(&s);
                assert!(margin > -1e-9 * (1.0 + s.amax()), "{margin}");
            }
            // Strong duality in the original words: a* = γₓ − p·h + Σ k τ_limit + ρ·γ
            let limits: f64 = k.iter().zip(&found.torque).map(|(k, t)| k * t).sum();
            let dual = problem.task_bias - found.adjoint.dot(&problem.bias)
                + limits
                + found.contact_multipliers.dot(&problem.contact_bias);
            assert!((dual - found.acceleration).abs() < 1e-9 * (1.0 + dual.abs()));
            assert!(found.gap.abs() < 1e-9 * (1.0 + dual.abs()), "gap {:e}", found.gap);
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn eq1_residual_vanishes() {
    let mut random = Random::new(67);
    let model = quadruped(0.6, 1.0);
    let mut state = near_crouch(&mut random, &model, 0.05);
    state.v.iter_mut().for_each(|v| *v = random.within(-0.1, 0.1));
    let base = model.body_named("base").unwrap();
    let task = Task::new(&model, base, Vector3::new(0.1, 0.1, 1.0)).unwrap().holding(Hold::Body);
    let stance = on_all_feet(&model, 60.0, Vector3::z()).with_task(task);
    let mut evaluator = Evaluator::new(&stance);
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    let found = capability(&evaluator.problem(0.0, q, v)).unwrap();
    let mut residual = DVector::zeros(evaluator.residual_len());
    evaluator.residual(0.0, (q, v), &found, &mut residual);
    let last = residual.len() - 1;
    assert!((residual[last] - found.acceleration).abs() < 1e-9);
    assert!(residual.rows(0, last).amax() < 1e-8, "{}", residual.rows(0, last).amax());
}

/// (3) against central differences of the whole program.
#[test]
fn eq3_gradient_from_differences() {
    let mut random = Random::new(68);
    let (mut compared, mut worst) = (0, 0.0_f64);
    for (model, torque) in [(hopper(), 60.0), (quadruped(0.6, 1.0), 25.0)] {
        for round in 0..12 {
            let mut state = near_crouch(&mut random, &model, 0.3);
            if round % 2 == 1 {
                state.v.iter_mut().for_each(|v| *v = random.within(-0.3, 0.3));
            }
            let hold = if round % 3 == 2 { Hold::Line } else { Hold::Nothing };
            let base = model.body_named("base").unwrap();
            let up = random.vector() * 0.5 + Vector3::z();
            let task =
                Task::new(&model, base, up).unwrap().at(random.vector() * 0.05).holding(hold);
            let stance = on_all_feet(&model, torque, up).with_task(task);
            let Ok(found) = solve(&stance, &state) else { continue };
            let parts = (state.q.as_slice(), state.v.as_slice());
            let gradient = Evaluator::new(&stance).gradient(0.0, parts, &found);
            let size = gradient.amax().max(1.0);
            for k in 0..model.nv() {
                if let Some(slope) = difference(&stance, &state, &found, k) {
                    compared += 1;
                    worst = worst.max((slope - gradient[k]).abs() / size);
                }
            }
        }
    }
    assert!(compared > 150, "{compared}");
    assert!(worst < 1e-6, "{worst:e}");
}

/// A central difference of fourth order, unless a kink lies between.
fn difference(stance: &Stance<'_>, state: &State, at: &Capability, k: usize) -> Option<f64> {
    let h = 1e-4;
    let model = stance.model();
    let mut slope = 0.0;
    for (times, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        let mut turn = vec![0.0; model.nv()];
        turn[k] = times * h;
        let mut moved = state.clone();
        integrate::step(model, state.q.as_slice(), &turn, moved.q.as_mut_slice());
        let there = solve(stance, &moved).ok()?;
        let limits = |c: &Capability| {
            let mut all: Vec<_> = c.active.iter().map(|a| format!("{:?}", a.limit)).collect();
            all.sort();
            all
        };
        if limits(&there) != limits(at) {
            return None;
        }
        slope += weight * there.acceleration / (12.0 * h);
    }
    Some(slope)
}

/// M and h times s with torques times s: the same a. Without gravity and motion a grows with the
/// torques and falls with the masses.
#[test]
fn scaling_laws() {
    let up = Vector3::new(0.2, 0.1, 1.0);
    let (light, heavy) = (quadruped(0.6, 1.0), quadruped(0.6, 3.0));
    let state = crouch(&light);
    let a = |model: &Model, torque: f64| solve(&on_all_feet(model, torque, up), &state).unwrap();
    let one = a(&light, 25.0).acceleration;
    let both = a(&heavy, 75.0).acceleration;
    assert!((one - both).abs() < 1e-9 * one, "{one} {both}");

    let floating = |torque: f64, mass: f64| {
        let model = quadruped(0.6, mass);
        let stance = on_all_feet(&model, torque, up);
        let mut question = problem(&stance, &state);
        question.bias.fill(0.0);
        capability(&question).unwrap().acceleration
    };
    let base = floating(10.0, 1.0);
    assert!((floating(40.0, 1.0) - 4.0 * base).abs() < 1e-9 * base);
    assert!((floating(10.0, 5.0) - base / 5.0).abs() < 1e-9 * base);
}

/// A point mass on a slider with one motor: a* = (τ/m) − g along the axis, and nothing else.
#[test]
fn a_slider_by_hand() {
    let question = CapabilityProblem {
        mass_matrix: DMatrix::from_element(1, 1, 2.0),
        bias: DVector::from_element(1, 2.0 * 9.81),
        actuation: DMatrix::from_element(1, 1, 1.0),
        torque_lower: DVector::from_element(1, -10.0),
        torque_upper: DVector::from_element(1, 50.0),
        contact_rows: DMatrix::zeros(0, 1),
        contact_bias: DVector::zeros(0),
        cones: Vec::new(),
        task_row: DVector::from_element(1, 1.0),
        task_bias: 0.0,
        held: LinearRows::none(1),
        names: no_names(),
    };
    let found = capability(&question).unwrap();
    assert!((found.acceleration - (25.0 - 9.81)).abs() < 1e-14);
    assert_eq!(found.active.len(), 1);
    assert_eq!(found.active[0].limit, Limit::TorqueUpper(0));
    assert!((found.active[0].worth - 0.5).abs() < 1e-15);
    let closed = closed_form(&question).unwrap().unwrap();
    assert!((closed.smallest - (-5.0 - 9.81)).abs() < 1e-14);
}

/// Four feet under a stiff table push against one another: redundant rows, one answer.
#[test]
fn redundant_contacts() {
    let model = quadruped(0.6, 1.0);
    let state = crouch(&model);
    let up = Vector3::z();
    let stance = on_all_feet(&model, 25.0, up);
    let once = solve(&stance, &state).unwrap();
    // Every foot twice.
    let mut twice = stance.contacts().to_vec();
    twice.extend(stance.contacts().to_vec());
    let doubled = solve(&stance.clone().standing_on(twice), &state).unwrap();
    assert!((once.acceleration - doubled.acceleration).abs() < 1e-8 * once.acceleration);
    assert!(doubled.gap.abs() < 1e-8 && doubled.violation < 1e-8);
}

#[test]
fn faults_are_named() {
    let model = hopper();
    let state = crouch(&model);
    let base = model.body_named("base").unwrap();
    assert!(matches!(
        Task::new(&model, base, Vector3::zeros()),
        Err(AgilityError::Direction { .. })
    ));
    let task = Task::new(&model, base, Vector3::z()).unwrap();
    let nothing = solve(&Stance::new(&model, &[], task), &state);
    assert_eq!(nothing, Err(AgilityError::NoMotors));
    let weak = motors(&model, 0.0);
    let zero = solve(&Stance::new(&model, &weak, task), &state);
    assert!(matches!(zero, Err(AgilityError::NoTorque { .. })));
    let strong = motors(&model, f64::INFINITY);
    let endless = solve(&Stance::new(&model, &strong, task), &state);
    assert!(matches!(endless, Err(AgilityError::TorqueLimits { .. })));
    // One leg cannot hold the body upright and level as well.
    let stance = on_all_feet(&model, 60.0, Vector3::z()).with_task(task.holding(Hold::Body));
    let mut tilted = state.clone();
    tilted.q[7] = 0.3;
    let Err(error) = solve(&stance, &tilted) else { panic!("one leg holds it all") };
    assert!(matches!(error, AgilityError::Powerless { .. }), "{error}");
    assert!(error.to_string().contains("held acceleration `"), "{error}");
    assert!(!error.hint().is_empty());
}
