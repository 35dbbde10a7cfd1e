//! Starts that close loops, or say why not.

use crate::mechanisms::{L, R, at, four_bar, four_bar_of, slider_crank, slider_of};
use carom::hybrid::{Fixed, SimError, Simulation, assemble};
use carom::impact::Newton;
use carom::model::{LoopKind, ModelBuilder};
use carom::state::State;
use nalgebra::Vector3;

fn close(model: &carom::model::Model, state: &mut State, q: &[bool], v: &[bool]) -> Vec<usize> {
    let given = Fixed { coordinates: q, velocities: v };
    assemble(model, &[], given, state).expect("closes").coordinates
}

#[test]
fn a_given_crank_angle_is_kept() {
    let model = slider_crank(9.81);
    let mut state = State::neutral(&model);
    state.q[0] = 1.1;
    state.q[2] = 0.35;
    state.v[0] = 10.0;
    let moved = close(&model, &mut state, &[true, false, false], &[true, false, false]);
    assert!(moved.is_empty());
    let (beta, x) = slider_of(1.1);
    assert_eq!((state.q[0], state.v[0]), (1.1, 10.0));
    assert!((state.q[1] - (beta - 1.1)).abs() < 1e-13 && (state.q[2] - x).abs() < 1e-13);
    let exact = crate::mechanisms::slider_crank_state(1.1, 10.0);
    assert!((state.v - exact.v).amax() < 1e-12);
}

#[test]
fn what_cannot_be_kept_is_named() {
    let model = slider_crank(9.81);
    let mut state = State::neutral(&model);
    state.q[0] = 1.1;
    // No posture with this crank angle has the slider there: both move.
    state.q[2] = 0.31;
    let moved = close(&model, &mut state, &[true, false, true], &[false; 3]);
    assert_eq!(moved, [0, 2]);
    let (beta, x) = slider_of(state.q[0]);
    assert!((state.q[2] - x).abs() < 1e-13 && (state.q[0] + state.q[1] - beta).abs() < 1e-13);
}

#[test]
fn from_a_posture_where_no_step_leads_on() {
    // All links along x: J has no column that lifts the coupler.
    let model = four_bar(LoopKind::Point, Vector3::zeros());
    let mut state = State::neutral(&model);
    let moved = close(&model, &mut state, &[true, false, false], &[false; 3]);
    assert!(moved.is_empty() && state.q[0] == 0.0);
    let (coupler, rocker) = four_bar_of(0.0);
    let same = |a: f64, b: f64| (a - b).sin().abs() < 1e-12;
    let mirrored = same(state.q[2], -rocker) && same(state.q[1], -coupler);
    assert!(mirrored || same(state.q[2], rocker) && same(state.q[1], coupler));
}

#[test]
fn a_loop_out_of_reach_says_by_how_much() {
    let mut builder = ModelBuilder::new();
    let turn = crate::mechanisms::turn;
    let rod = crate::mechanisms::rod;
    let a = builder.add_body("a", None, turn("a", 0.0), rod(1.0, R)).unwrap();
    let b = builder.add_body("b", Some(a), turn("b", R), rod(1.0, L)).unwrap();
    let (a, b) = (at(Some(b), L), at(None, 1.0));
    let name = String::from("far");
    builder.add_loop(carom::model::Loop { name, kind: LoopKind::Point, a, b }).unwrap();
    let model = builder.build().unwrap();
    let mut state = State::neutral(&model);
    let given = Fixed { coordinates: &[false; 2], velocities: &[false; 2] };
    let open = assemble(&model, &[], given, &mut state).expect_err("0.4 m do not reach 1 m");
    assert_eq!((open.name.as_str(), open.unit, open.reversed), ("far", "m", false));
    assert!((open.residual - 0.6).abs() < 1e-12);
    // A run refuses such a start.
    let refused = Simulation::new(&model, state, Newton).run_until(0.1).expect_err("open");
    assert!(matches!(refused.0, SimError::Open(_)), "{}", refused.0);
}
