//! A fixed step promises an order and no size of its error: the ledger tells it, and is open only by what events make.

mod support;

use carom::hybrid::{Method, Options, Run, Simulation, Stop};
use carom::impact::{
    ContactSpace, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace, Newton, Promises,
    Tolerances,
};
use carom::model::{JointKind, Model, Shape};
use carom::state::State;
use nalgebra::Vector3;
use support::worlds::{World, double_pendulum, planar_inertia, surface};

fn fixed(step: f64) -> Options {
    Options { method: Some(Method::Rk4 { step }), ..Options::default() }
}

fn run(law: impl ImpactLaw, options: Options, end: f64) -> Run {
    let (model, state) = double_pendulum(0.5, 0.5);
    let run = Simulation::new(&model, state, law).options(options).run_until(end);
    run.unwrap_or_else(|e| panic!("{}", e.0))
}

/// C_flow falls like the fourth power of the step at least, whatever its size; a run with events ends by itself, and C_events
/// is round-off.
#[test]
fn eq2_the_error_of_a_fixed_step_is_told() {
    let closure = |step: f64| {
        let run = run(Newton, fixed(step), 0.5);
        assert_eq!((run.stop, run.statistics.impacts), (Stop::ReachedEnd, 0));
        run.statistics.worst_closure
    };
    let (coarse, fine) = (closure(0.04), closure(0.02));
    let turnover = run(Newton, fixed(0.04), 0.5).ledger.turnover();
    // A thousand times the relative tolerance that is not in force.
    assert!(coarse > 1e-6 * turnover, "{coarse:e} J of {turnover} J: too small to show anything");
    assert!(coarse > 12.0 * fine, "{coarse:e} J, {fine:e} J");

    let whole = run(Newton, fixed(0.02), 10.0);
    assert_eq!(whole.stop, Stop::ReachedEnd);
    assert!(whole.statistics.impacts > 10, "{:?}", whole.statistics);
    let (opened, turnover) = (whole.ledger.opened.abs(), whole.ledger.turnover());
    assert!(opened < 1e-12 * turnover, "{opened:e} J of {turnover} J");
    let told = whole.statistics.worst_closure;
    assert!(told > 1e-6 * turnover, "{told:e} J of {turnover} J");
}

/// Newton's law, which books half of what its normal impulses do.
struct Embezzles;

impl ImpactLaw for Embezzles {
    fn name(&self) -> &'static str {
        "embezzles"
    }

    fn promises(&self) -> Promises {
        Promises { audit: Tolerances::uniform(f64::INFINITY), friction_dissipates: false }
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        Newton.resolve(space, work, out)?;
        out.normal_works.iter_mut().for_each(|w| *w *= 0.5);
        Ok(())
    }
}

#[test]
fn eq2_energy_made_at_an_event_is_a_fault() {
    for options in [fixed(0.01), fixed(1e-3), Options::default()] {
        let run = run(Embezzles, options, 10.0);
        let Stop::OpenLedger { t, closure, bound } = run.stop else { panic!("{:?}", run.stop) };
        assert!(closure.abs() > bound, "{closure:e} J, {bound:e} J");
        // It is found at the first impact, which is that of the sound law.
        let first = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
        assert_eq!(t, first.t);
        let kept = 0.5 * first.contacts[0].normal_work.abs().max(first.energy_lost().abs());
        assert!(closure.abs() <= 2.0 * kept, "{closure} J of {kept} J");
    }
}

/// Two balls, the first of which comes in at 1 m/s.
fn balls(kind: JointKind) -> (Model, State) {
    let mut world = World::new();
    world.builder.gravity(Vector3::zeros()).unwrap();
    let shapes = [(); 2].map(|()| {
        let ball = world.body(kind, planar_inertia(1.0, 0.004));
        world.shape(Some(ball), Vector3::zeros(), Shape::Sphere { radius: 0.1 })
    });
    world.touch(shapes[0], shapes[1], surface(0.5, 0.3));
    let model = world.build();
    let mut state = State::neutral(&model);
    (state.q[0], state.v[0]) = (-0.5, 1.0);
    (model, state)
}

/// Clusters that join and part, and balls in flight, which have no steps: what their impacts make counts all the same.
#[test]
fn eq2_energy_made_anywhere_is_a_fault() {
    for kind in [JointKind::Prismatic { axis: Vector3::x_axis() }, JointKind::Planar] {
        let (model, state) = balls(kind);
        let stop = |law: Box<dyn ImpactLaw>, options| {
            let simulation = Simulation::new(&model, state.clone(), law).options(options);
            let run = simulation.run_until(1.0).unwrap();
            assert_eq!(run.statistics.impacts, 1);
            run.stop
        };
        for options in [fixed(0.01), Options::default()] {
            assert_eq!(stop(Box::new(Newton), options), Stop::ReachedEnd);
            let made = stop(Box::new(Embezzles), options);
            assert!(matches!(made, Stop::OpenLedger { .. }), "{made:?}");
        }
    }
}
