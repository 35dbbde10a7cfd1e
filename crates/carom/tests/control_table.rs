//! Torque tables and proportional control against closed forms.

use carom::control::{Actuator, Interpolation, JointGoal, JointPd, Prescribed, TorqueTable};
use carom::hybrid::Simulation;
use carom::impact::{Differential, Restitution};
use carom::model::{Coordinate, Joint, Model, ModelBuilder, Spring};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::Vector3;

const LAW: Differential = Differential { restitution: Restitution::Energetic };

/// A slide along x, 2 kg, behind a transmission with rotor.
fn slide(coordinate: Coordinate) -> Model {
    let mut builder = ModelBuilder::new();
    let joint = Joint::prismatic("slide", Vector3::x_axis(), Pose::identity())
        .with_coordinates(vec![coordinate]);
    builder.add_body("block", None, joint, Inertia::point(2.0, Vector3::zeros()).unwrap()).unwrap();
    builder.build().unwrap()
}

/// The momentum of the motor's coordinate is the integral of the table, trapezoids or rectangles.
#[test]
fn momentum_is_the_integral() {
    let model = slide(Coordinate { ratio: 0.5, rotor_inertia: 0.3, ..Coordinate::default() });
    let inertia = 2.0 * 0.25 + 0.3;
    let rows = [vec![0.2, 1.0], vec![0.7, -3.0], vec![1.0, 4.0], vec![1.9, 0.5]];
    for (interpolation, integral) in [
        (Interpolation::Linear, 0.2 - 0.5 + 0.15 + 0.9 * 2.25 + 0.6 * 0.5),
        (Interpolation::Hold, 0.2 + 0.5 - 0.9 + 3.6 + 0.6 * 0.5),
    ] {
        let table = TorqueTable::new(vec![0], &rows, interpolation).unwrap();
        let run = Simulation::new(&model, State::neutral(&model), LAW)
            .actuators(vec![Actuator::symmetric("motor", 0, f64::INFINITY)])
            .controller(Box::new(table))
            .run_until(2.5)
            .map_err(|f| f.0)
            .unwrap();
        // The torque is piecewise linear: an order 5 method integrates it exactly between knots.
        assert!((inertia * run.state.v[0] - integral).abs() < 1e-12);
        assert!((run.ledger.applied - run.ledger.kinetic).abs() < 1e-9);
        let jumps = if interpolation == Interpolation::Hold { 3 } else { 0 };
        assert_eq!(run.events().len(), jumps);
    }
}

/// The controller of a joint is a spring and a damper on it, transmission included.
#[test]
fn eq1_acts_as_a_spring() {
    let geared =
        Coordinate { ratio: 0.4, offset: 0.1, rotor_inertia: 0.2, ..Coordinate::default() };
    let spring = Spring { stiffness: 30.0, rest: 0.25 };
    let passive = slide(Coordinate { spring: Some(spring), damping: 1.5, ..geared });
    let active = slide(geared);
    let goal = JointGoal {
        actuator: 0,
        // What the reference lacks, 0.05 m, the constant adds: 0.4 × 30 N/m × 0.05 m.
        reference: Prescribed { dof: 0, offset: 0.2, ..Prescribed::default() },
        stiffness: 30.0,
        damping: 1.5,
        constant: 0.6,
    };
    let by_spring =
        Simulation::new(&passive, State::neutral(&passive), LAW).run_until(2.0).unwrap();
    let by_motor = Simulation::new(&active, State::neutral(&active), LAW)
        .actuators(vec![Actuator::symmetric("motor", 0, 100.0)])
        .controller(Box::new(JointPd { goals: vec![goal] }))
        .run_until(2.0)
        .map_err(|f| f.0)
        .unwrap();
    // The same equations in another place: equal to the tolerance of the runs, 1e-9.
    assert!((by_spring.state.q[0] - by_motor.state.q[0]).abs() < 1e-8);
    assert!((by_spring.state.v[0] - by_motor.state.v[0]).abs() < 1e-8);
}
