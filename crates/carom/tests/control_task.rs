//! Computed torque: the task point has the acceleration that is wanted, on a fixed base and on feet.

use carom::contact::sites;
use carom::control::{Actuator, ComputedTorque, Controller, Situation};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::{
    Articulated, ForwardScratch, Kinematics, forces, forward_dynamics, kinematics,
};
use carom::hybrid::{Options, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{
    BodyId, Coordinate, Feature, Joint, JointKind, Model, ModelBuilder, Shape, Spring, Surface,
};
use carom::record::{Directive, Observer, Sample};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};

const LAW: Differential = Differential { restitution: Restitution::Energetic };

fn rod(mass: f64, length: f64) -> Inertia {
    let slim = 1e-4 * mass;
    let across = mass * length * length / 12.0;
    let moments = Matrix3::from_diagonal(&Vector3::new(across, slim, across));
    Inertia::new(mass, Vector3::new(0.0, -length / 2.0, 0.0), moments).unwrap()
}

fn at(y: f64) -> Pose {
    Pose::new(Matrix3::identity(), Vector3::new(0.0, y, 0.0))
}

/// Shoulder, elbow, wrist about different axes; with springs, a transmission and rotors.
fn chain(builder: &mut ModelBuilder, base: Option<BodyId>, shoulder: f64) -> BodyId {
    let geared = Coordinate {
        ratio: 0.5,
        rotor_inertia: 2e-3,
        spring: Some(Spring { stiffness: 2.0, rest: 0.3 }),
        damping: 0.01,
        ..Coordinate::default()
    };
    let joint = |name, axis, pose, c| Joint::revolute(name, axis, pose).with_coordinates(vec![c]);
    let plain = Coordinate::default();
    let a = joint("a", Vector3::x_axis(), at(shoulder), geared);
    let a = builder.add_body("upper", base, a, rod(0.4, 0.3)).unwrap();
    let b = joint("b", Vector3::z_axis(), at(-0.3), plain);
    let b = builder.add_body("middle", Some(a), b, rod(0.3, 0.4)).unwrap();
    let c = joint("c", Vector3::z_axis(), at(-0.4), plain);
    builder.add_body("lower", Some(b), c, rod(0.2, 0.5)).unwrap()
}

/// Keeps the largest difference between the acceleration of a point and what equation (1) wants.
struct Judge<'a> {
    model: &'a Model,
    law: ComputedTorque,
    kin: Kinematics,
    products: VelocityProducts,
    worst: f64,
    counted: usize,
    stands: bool,
    worst_foot: f64,
    first_foot: Option<Vector3<f64>>,
    foot: Option<(BodyId, Vector3<f64>)>,
}

impl<'a> Judge<'a> {
    fn new(model: &'a Model, law: &ComputedTorque, foot: Option<(BodyId, Vector3<f64>)>) -> Self {
        Self {
            model,
            law: law.clone(),
            kin: Kinematics::new(model),
            products: VelocityProducts::new(model),
            worst: 0.0,
            counted: 0,
            stands: false,
            worst_foot: 0.0,
            first_foot: None,
            foot,
        }
    }
}

impl Observer for Judge<'_> {
    fn sample(&mut self, s: &Sample<'_>) -> Directive {
        // The first sample comes before the contacts are known.
        let first = !std::mem::replace(&mut self.stands, true);
        if first {
            return Directive::Continue;
        }
        kinematics(self.model, s.q, s.v, &mut self.kin);
        velocity_products(self.model, &self.kin, &mut self.products);
        let x = self.kin.pose(self.model, self.law.body).point(&self.law.point);
        let rate = self.kin.twist_at(self.model, self.law.body, &x).v;
        let mut found = self.products.at(self.model, &self.kin, self.law.body, &x).v;
        let mut jacobian = nalgebra::DMatrix::zeros(6, self.model.nv());
        carom::dynamics::jacobian::frame_jacobian(
            self.model,
            &self.kin,
            self.law.body,
            &x,
            &mut jacobian,
        );
        for (j, a) in s.vdot.iter().enumerate() {
            found += jacobian.fixed_view::<3, 1>(3, j) * *a;
        }
        let wanted = (self.law.goal - x) * self.law.stiffness - rate * self.law.damping;
        self.worst = self.worst.max((found - wanted).amax() / wanted.amax().max(1.0));
        self.counted += 1;
        if let Some((body, point)) = self.foot {
            let p = self.kin.pose(self.model, body).point(&point);
            let start = *self.first_foot.get_or_insert(p);
            self.worst_foot = self.worst_foot.max((p - start).amax());
        }
        Directive::Continue
    }
}

/// The chain as an arm on the wall, bent and at rest, and its hand.
fn arm() -> (Model, State, BodyId) {
    let mut builder = ModelBuilder::new();
    let hand = chain(&mut builder, None, 0.0);
    let model = builder.build().unwrap();
    let mut state = State::neutral(&model);
    state.q.copy_from_slice(&[0.4, 0.5, 0.9]);
    (model, state, hand)
}

/// Three motors of the same strength on consecutive joints.
fn motors(first: usize, limit: f64) -> Vec<Actuator> {
    (0..3).map(|i| Actuator::symmetric(i.to_string(), first + i, limit)).collect()
}

/// A simulation under a control law.
fn driven<'m>(
    model: &'m Model,
    state: State,
    law: &ComputedTorque,
    motors: &[Actuator],
) -> Simulation<'m> {
    Simulation::new(model, state, LAW)
        .actuators(motors.to_vec())
        .controller(Box::new(law.controller(model, motors)))
}

#[test]
fn eq1_eq5_arm_follows() {
    let (model, mut state, hand) = arm();
    state.v.copy_from_slice(&[0.3, -1.0, 0.7]);
    let law = ComputedTorque {
        actuators: vec![0, 1, 2],
        body: hand,
        point: Vector3::new(0.02, -0.5, 0.01),
        goal: Vector3::new(0.5, -0.7, 0.15),
        stiffness: 25.0,
        damping: 10.0,
        feet: vec![],
    };
    let motors = motors(0, 1e4);
    let mut judge = Judge::new(&model, &law, None);
    let outcome = driven(&model, state, &law, &motors).run_with(3.0, &mut judge).unwrap();
    assert!(judge.counted > 30);
    assert!(judge.worst < 1e-10, "{:e}", judge.worst);
    // Critically damped with ω = 5: e^(−15)(1 + 15) of the first error is left.
    let x = judge.kin.pose(&model, hand).point(&law.point);
    assert!((x - law.goal).norm() < 1e-4, "{x}");
    assert!(outcome.statistics.worst_closure < 1e-8);
}

/// A body on one leg: free base, three motors, a foot with friction.
fn hopper(mu: f64) -> (Model, BodyId, BodyId) {
    let mut builder = ModelBuilder::new();
    let base = Joint::new("base", JointKind::Free, Pose::identity());
    let moments = Matrix3::from_diagonal(&Vector3::new(0.01, 0.012, 0.011));
    let trunk = Inertia::new(1.5, Vector3::zeros(), moments).unwrap();
    let trunk = builder.add_body("trunk", None, base, trunk).unwrap();
    let foot = chain(&mut builder, Some(trunk), -0.05);
    let ground = builder
        .add_feature(Feature {
            name: "ground".into(),
            body: None,
            placement: Pose::identity(),
            shape: Shape::HalfSpace { normal: Vector3::y_axis() },
        })
        .unwrap();
    let tip = builder
        .add_feature(Feature {
            name: "tip".into(),
            body: Some(foot),
            placement: at(-0.5),
            shape: Shape::Point,
        })
        .unwrap();
    let surface = Surface { restitution: 0.0, friction: mu, static_friction: mu };
    builder.add_pair("foot", ground, tip, surface).unwrap();
    (builder.build().unwrap(), trunk, foot)
}

/// The posture with the foot on the ground.
fn standing(model: &Model, foot: BodyId) -> State {
    let mut state = State::neutral(model);
    let n = state.q.len();
    state.q.as_mut_slice()[n - 3..].copy_from_slice(&[0.1, 0.5, -0.9]);
    let mut kin = Kinematics::new(model);
    kinematics(model, state.q.as_slice(), state.v.as_slice(), &mut kin);
    state.q[1] -= kin.pose(model, foot).point(&Vector3::new(0.0, -0.5, 0.0)).y;
    state
}

#[test]
fn eq2_eq4_foot_stays_and_task_follows() {
    let (model, trunk, foot) = hopper(3.0);
    let state = standing(&model, foot);
    let start = Vector3::new(state.q[0], state.q[1], state.q[2]);
    let law = ComputedTorque {
        actuators: vec![0, 1, 2],
        body: trunk,
        point: Vector3::new(0.0, 0.02, 0.0),
        goal: start + Vector3::new(0.01, 0.08, 0.0),
        stiffness: 60.0,
        damping: 12.0,
        feet: vec![0],
    };
    let motors = motors(6, 1e4);
    let mut judge = Judge::new(&model, &law, Some((foot, Vector3::new(0.0, -0.5, 0.0))));
    let outcome = driven(&model, state, &law, &motors)
        .options(Options { rtol: 1e-10, atol: 1e-12, ..Options::default() })
        .run_with(0.12, &mut judge)
        .unwrap();
    assert!(judge.counted > 5);
    assert!(judge.worst < 1e-9, "task {:e}", judge.worst);
    assert!(judge.worst_foot < 1e-10, "foot {:e}", judge.worst_foot);
    assert_eq!(outcome.statistics.impacts, 0);
    assert!(outcome.statistics.worst_closure < 1e-8, "{:e}", outcome.statistics.worst_closure);
}

/// Everything that a controller is told, for a state.
fn commands(model: &Model, state: &State, law: &ComputedTorque, motors: &[Actuator]) -> Vec<f64> {
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let mut products = VelocityProducts::new(model);
    velocity_products(model, &kin, &mut products);
    let mut art = Articulated::new(model);
    let mut scratch = ForwardScratch::new(model);
    let mut tau = vec![0.0; model.nv()];
    forces::add_joint_forces(model, q, v, &mut tau);
    let mut vdot = vec![0.0; model.nv()];
    forward_dynamics(model, &kin, &tau, (&mut art, &mut scratch), &mut vdot).unwrap();
    let sites = sites(model);
    let stance = vec![true; sites.len()];
    let mut u = vec![0.0; motors.len()];
    let at = Situation {
        t: 0.0,
        q,
        v,
        model,
        kin: &kin,
        products: &products,
        art: &art,
        vdot: &vdot,
        sites: &sites,
        stance: &stance,
    };
    law.controller(model, motors).command(&at, &mut u);
    u
}

/// Of two motors on one axle the stronger one takes the larger share: u is least in units of ranges.
#[test]
fn eq5_least_effort() {
    let (model, state, hand) = arm();
    let law = ComputedTorque {
        actuators: vec![0, 1, 2, 3],
        body: hand,
        point: Vector3::new(0.0, -0.5, 0.0),
        goal: Vector3::new(0.4, -0.7, 0.1),
        stiffness: 25.0,
        damping: 10.0,
        feet: vec![],
    };
    let motor = |i: usize, dof, limit| Actuator::symmetric(i.to_string(), dof, limit);
    let two = [motor(0, 0, 5.0), motor(1, 1, 5.0), motor(2, 2, 3.0), motor(3, 2, 1.0)];
    let u = commands(&model, &state, &law, &two);
    // min (u₂/3)² + (u₃/1)² with u₂ + u₃ given: u₂ : u₃ = 9 : 1.
    assert!((u[2] - 9.0 * u[3]).abs() < 1e-9 * u[2].abs(), "{u:?}");
    let one = [motor(0, 0, 5.0), motor(1, 1, 5.0), motor(2, 2, 3.0)];
    let single = ComputedTorque { actuators: vec![0, 1, 2], ..law };
    let w = commands(&model, &state, &single, &one);
    assert!((u[2] + u[3] - w[2]).abs() < 1e-9 * w[2].abs() && (u[0] - w[0]).abs() < 1e-9);
}

/// Naming a foot twice changes nothing: its second set of rows is redundant.
#[test]
fn redundant_feet() {
    let (model, trunk, foot) = hopper(1.0);
    let state = standing(&model, foot);
    let once = ComputedTorque {
        actuators: vec![0, 1, 2],
        body: trunk,
        point: Vector3::zeros(),
        goal: Vector3::new(0.2, 2.0, 0.1),
        stiffness: 20.0,
        damping: 1.0,
        feet: vec![0],
    };
    let motors = motors(6, 9.0);
    let twice = ComputedTorque { feet: vec![0, 0], ..once.clone() };
    let (u, w) =
        (commands(&model, &state, &once, &motors), commands(&model, &state, &twice, &motors));
    assert!(u.iter().all(|u| u.abs() > 1e-3));
    for (u, w) in u.iter().zip(&w) {
        assert!((u - w).abs() < 1e-8 * u.abs().max(1.0), "{u} {w}");
    }
}

/// An arm that is told to go through its straight posture, where it cannot push along itself: commands
/// stay finite, the motors change their limits a few times, and the run goes on.
#[test]
fn eq6_singular_postures_are_passed() {
    let (model, state, hand) = arm();
    let law = ComputedTorque {
        actuators: vec![0, 1, 2],
        body: hand,
        point: Vector3::new(0.0, -0.5, 0.0),
        goal: Vector3::new(0.5, -3.0, 0.4),
        stiffness: 60.0,
        damping: 2.0,
        feet: vec![],
    };
    let motors = motors(0, 6.0);
    let run = driven(&model, state, &law, &motors).run_until(3.0).map_err(|f| f.0).unwrap();
    let straight = run.recording.q.windows(2).any(|w| (w[0][2] < 0.0) != (w[1][2] < 0.0));
    assert!(straight, "the elbow goes through zero");
    let count = run.events().len();
    assert!((3..300).contains(&count), "{count} events");
    assert!(run.recording.torques.iter().flatten().all(|t| t.abs() <= 6.0));
    assert!(run.statistics.worst_closure < 1e-6 * run.ledger.stored().abs().max(1.0));
}
