//! Wild mechanisms: a fast part of `examples/hybrid_campaign`, and what it once found.
//!
//! Every run must end, at rest, at its time or at a paradox that is named, without penetration, gain of energy or an
//! open ledger; it must have the same bits when run twice and the same events when run to twice the time.
#![allow(non_snake_case)]

#[path = "../examples/hybrid_campaign/cases.rs"]
mod cases;
#[path = "../examples/hybrid_campaign/checks.rs"]
mod checks;
#[path = "../examples/hybrid_campaign/crowds.rs"]
mod crowds;
#[path = "../examples/hybrid_campaign/mechanisms.rs"]
mod mechanisms;
#[path = "../examples/hybrid_campaign/random.rs"]
mod random;
mod support;

use carom::hybrid::{Options, Run, Simulation};
use carom::impact::{Differential, Restitution, SeveralContacts, WithRule};
use carom::model::{Joint, JointKind, Model, Shape};
use carom::spatial::Pose;
use carom::state::State;
use cases::{Case, Kind};
use checks::{Thorough, check};
use nalgebra::{Unit, Vector3};
use support::worlds::{World, block_on_incline, planar_inertia, surface};

const ENERGETIC: Differential = Differential { restitution: Restitution::Energetic };

/// Check cases, the first seed of the campaign; all faults in one message.
fn all_hold(cases: impl Iterator<Item = (Kind, u64)>, thorough: Thorough) {
    hold(cases.map(|(kind, index)| (kind, 1, index)), thorough);
}

/// Check cases by kind, seed and index; all faults in one message.
fn hold(cases: impl Iterator<Item = (Kind, u64, u64)>, thorough: Thorough) {
    let mut faults = Vec::new();
    for (kind, seed, index) in cases {
        let Some(case) = Case::new(kind, seed, index) else { continue };
        let report = check(&case, thorough);
        for (word, text) in report.faults {
            let (kind, law, end) = (kind.word(), case.law_word(), &report.ending);
            let seconds = report.wall.as_secs_f64();
            faults.push(format!("{kind}:{index} {word} [{law}, {end}, {seconds:.1} s] {text}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_few_of_every_kind() {
    let (single, crowds) = Kind::ALL.split_at(Kind::SINGLE);
    let few = single.iter().flat_map(|kind| (0..3).map(move |index| (*kind, index)));
    all_hold(few, Thorough { twice: true, longer: true });
    let one = crowds.iter().map(|kind| (*kind, 0));
    all_hold(one, Thorough { twice: true, longer: true });
}

/// Each of these was a fault of the simulator with many contacts, named behind it.
#[test]
fn legged_cases_that_once_failed() {
    let cases = [
        (Kind::Legged, 20_261_117, 0), // friction of a step that was not found: a pulling force at the end of a slow slip
        (Kind::Legged, 7, 24), // a dynamic jam beside dry friction of joints: a pulling force
    ];
    hold(cases.into_iter(), Thorough { twice: false, longer: false });
    let cases = [
        (Kind::Struck, 41, 15), // a jam of contacts that an impact had left with a short rebound: a gain of energy
        (Kind::Legged, 41, 52), // the same
        (Kind::Balls, 41, 74),  // wedged: an impulse of 4e13 N·s that moved nothing, an open ledger
        (Kind::SpatialChain, 44, 21), // a slip that starts against what was left of its velocity: steps without end
        (Kind::Struck, 43, 99), // a time step without a bound on its length: 60 m through a plane
        (Kind::Rattle, 41, 10), // a gap at 5e9 m/s, which a law that gains may reach
        (Kind::Box, 44, 20), // a force that starts below zero under the directions that the step of a slow slip finds: pull
        (Kind::Round, 41, 60), // the same
        (Kind::Round, 54, 99), // the far side of a coin hit within a step, whose projection lost the energy: an open ledger
        (Kind::Legged, 54, 32), // time steps that made energy: a rise of 4e-4 J
        (Kind::SpatialChain, 101, 25), // a slip that starts from rest with round-off against it was not steered: pull
        (Kind::Box, 101, 15),          // the same
        (Kind::Struck, 103, 218), // singular values of what is not finite: no end within one impact
        (Kind::SpatialChain, 116, 66), // the jam of wedged bodies was refused, forces grew to 2e9 N
        (Kind::Legged, 115, 78), // a slip that starts was given a velocity by the return of another to its constraint: pull
        (Kind::Struck, 103, 0), // a steered step repeated shorter, whose rounds did not agree, was taken: an open ledger
        (Kind::SpatialChain, 111, 45), // of two answers the forces of one with the modes of the other: pull
        (Kind::Legged, 101, 23), // a slip that began without acceleration was not steered: a jam, pull
        (Kind::SpatialChain, 112, 86), // wedged: an impulse of 9e8 N·s, whose works were round-off: an open ledger
        (Kind::Chain, 102, 196),       // an elastic joint limit damped in flight: a million impacts
        (Kind::Legged, 112, 90),       // an event beyond the pole of a force: pull
        (Kind::Legged, 601, 168), // a slip of next to no acceleration was held by forces of 1e6 N: pull, 135 s
        (Kind::Chain, 603, 198), // a contact that others hold open closed within every step: 555 000 steps
        (Kind::Balls, 602, 43), // balls at rest that overlap by round-off met at every instant: no progress
        (Kind::Struck, 603, 223), // squares of errors below the least number: the integration failed
        (Kind::SpatialChain, 703, 48), // a site that had been open took its direction from 4e-60 m/s: a row with a pull
        (Kind::Round, 703, 181), // a slow slip went on beyond its end, driven by its friction: a rise of 3e-3 J
        (Kind::Struck, 701, 75), // wedged: an impulse of 7e15 N·s, whose work was round-off that hid a gain of 0.3 J
        (Kind::Several, 801, 163), // the same at 3e14 N·s, with a loss that the ledger did not see
        (Kind::Struck, 801, 20), // the same at 1e14 N·s, below the bound of the ledger twice
        (Kind::Legged, 1001, 39), // closing some contacts slowed another down, which jammed as if it were at rest: a gain
        (Kind::Legged, 1002, 201), // the modes of an answer made other forces than it had, near a jam: pull
        (Kind::Legged, 1003, 260), // near a pole, forces of the modes just found pulled: 4e-3 of the largest
        (Kind::Legged, 1002, 63), // a slip that the jam turns around pulled by its former friction: no jam, and a pull
        (Kind::Struck, 1002, 217), // a limit that had left what held it open was known to rtol only: gap
        (Kind::Several, 1004, 30), // steps that strayed from nearly redundant rows, 1e-8 s each: an open ledger, no end
        (Kind::Legged, 2001, 263), // at a jam a contact that carries nothing was held and pulled
        (Kind::Several, 2002, 236), // rows within the first step of a slip took its rate at rest: an open ledger
        (Kind::Several, 2003, 226), // the same: the end of a slip was not seen, pull
        (Kind::Struck, 52, 7), // of two slips that closing had made one was taken for a slip, by round-off: friction drove
    ];
    hold(cases.into_iter(), Thorough { twice: false, longer: false });
    // Friction of a foot that was unloaded was shared anew until it looked like chatter: time steps, a rise of energy.
    let case = Case::new(Kind::Several, 41, 39).expect("starts");
    let report = check(&case, Thorough { twice: false, longer: false });
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(report.statistics.rescues.iter().sum::<u64>(), 0);
    // Dry friction of a joint at its limit was at its own limit at once: 36 time steps, a gain of energy.
    let case = Case::new(Kind::Legged, 20_261_117, 2).expect("starts");
    let report = check(&case, Thorough { twice: false, longer: false });
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(report.statistics.rescues.iter().sum::<u64>(), 0);
}

/// The law of the restitution matrix makes energy between two walls, ever faster: it was followed to 1e24 J and a gap of 2 cm.
#[test]
fn a_law_that_makes_energy_without_bound_is_stopped_by_name() {
    let case = Case::new(Kind::Rattle, 1001, 67).expect("starts");
    let report = check(&case, Thorough { twice: false, longer: false });
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(report.ending, "runaway");
}

/// Each of these was a fault of the simulator, named behind it.
#[test]
fn cases_that_once_failed() {
    let cases = [
        (Kind::Balls, 3),         // a site hit right after its lift-off was not watched: gap
        (Kind::Balls, 25),        // the same, under another law
        (Kind::Rattle, 30),       // the same between a floor and a ceiling
        (Kind::Chain, 4),         // redundant contacts: slip at round-off stopped without end
        (Kind::Chain, 34),        // one degree of freedom wedged by friction
        (Kind::Chain, 52),        // the same: an impulse of 1e8 N·s, an open ledger
        (Kind::Chain, 70),        // wedged by several contacts
        (Kind::SpatialChain, 18), // wedged in space
        (Kind::SpatialChain, 30), // neither stick nor slip: chatter
        (Kind::Balls, 52),        // the same with μs > μd
        (Kind::Balls, 19),        // contacts coupled by round-off alone: ambiguous impact
        (Kind::SpatialChain, 55), // the end of the run moved an impact
    ];
    all_hold(cases.into_iter(), Thorough { twice: false, longer: true });
}

#[test]
fn eq5_bodies_that_fly_on_together_press_each_other_with_round_off() {
    // A ball that a plastic impact has left on a link in weightless flight: (5) of `guards.rs`.
    let case = Case::new(Kind::Several, 301, 103).expect("the case has a start");
    let report = check(&case, Thorough { twice: false, longer: false });
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    let s = report.statistics;
    assert!(s.steps < 100 && s.rescues.iter().sum::<u64>() == 0, "{s:?}");
}

/// Balls one upon the other on a vertical axis, which fall onto a floor together.
fn tower(restitutions: &[f64]) -> (Model, State) {
    let mut world = World::new();
    let floor = world.incline(0.0);
    let mut below = floor;
    for &e in restitutions {
        let slide = JointKind::Prismatic { axis: Vector3::y_axis() };
        let ball = world.body(slide, planar_inertia(1.0, 0.004));
        let shape = world.shape(Some(ball), Vector3::zeros(), Shape::Sphere { radius: 0.1 });
        world.touch(below, shape, surface(e, 0.0));
        below = shape;
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    for (i, q) in state.q.iter_mut().enumerate() {
        *q = 0.5 + 0.1 + 0.2 * i as f64;
    }
    (model, state)
}

/// Contacts of the tower open in one impact of the sequence and are hit in the next, at the same instant.
#[test]
fn a_site_that_lifts_off_and_is_hit_at_once_is_watched() {
    for restitutions in [[0.7, 1.0, 0.2, 0.9], [0.9, 0.3, 0.95, 1.0], [0.5, 0.5, 0.5, 0.5]] {
        let (model, state) = tower(&restitutions);
        let law = WithRule::new(ENERGETIC, SeveralContacts::Sequential);
        let run = Simulation::new(&model, state, law).run_until(1.5).unwrap();
        let s = run.statistics;
        assert!(s.worst_gap > -1e-12, "{restitutions:?}: gap {:e}", s.worst_gap);
        assert!(s.worst_closure < 1e-9, "{restitutions:?}: ledger {:e}", s.worst_closure);
    }
}

/// A point on an oblique slide meets a floor: one degree of freedom, two rows at the contact. With enough friction it
/// is wedged where it hits, whatever its restitution; with less it rebounds.
#[test]
fn a_slider_wedges_or_rebounds() {
    for (friction, rebounds) in [(1.5, false), (0.3, true)] {
        let mut world = World::new();
        let axis = Unit::new_normalize(Vector3::new(1.0, -1.3, 0.0));
        let slide = Joint::prismatic("slide", axis, Pose::translation(Vector3::new(0.0, 1.0, 0.0)));
        let body = world.builder.add_body("slider", None, slide, planar_inertia(2.0, 0.1)).unwrap();
        let tip = world.shape(Some(body), Vector3::zeros(), Shape::Point);
        let floor = world.incline(0.0);
        world.touch(floor, tip, surface(0.8, friction));
        let model = world.build();
        let run =
            Simulation::new(&model, State::neutral(&model), ENERGETIC).run_until(3.0).unwrap();
        let impact = &run.events()[0];
        let after = impact.v_post[0];
        assert!(if rebounds { after < -0.1 } else { after.abs() < 1e-14 }, "{friction}: {after}");
        assert!(impact.contacts[0].impulse[2] < 100.0);
        assert!(run.statistics.worst_closure < 1e-8, "{:e}", run.statistics.worst_closure);
    }
}

/// A block thrown onto an incline, to `end`.
fn thrown(end: f64) -> Run {
    let (model, mut state) = block_on_incline(0.3, 0.4);
    (state.q[1], state.q[2], state.v[0], state.v[2]) = (0.8, 0.5, 1.0, 3.0);
    let options = Options { rtol: 1e-8, atol: 1e-10, ..Options::default() };
    Simulation::new(&model, state, ENERGETIC).options(options).run_until(end).unwrap()
}

#[test]
fn the_end_of_a_run_changes_nothing_before_it() {
    let long = thrown(4.0);
    assert!(long.events().len() > 5);
    for end in [0.7, 1.1, 2.3] {
        let short = thrown(end);
        let before: Vec<_> = long.events().iter().filter(|e| e.t <= end).collect();
        assert_eq!(short.events().iter().collect::<Vec<_>>(), before, "{end}");
        assert_eq!(short.state.t, end);
        assert_eq!(short.recording.t.last(), Some(&end));
    }
}
