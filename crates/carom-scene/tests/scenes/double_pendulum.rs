//! Double pendulum on a floor: first impact at 0.5153528907774 s (computed by several engines and by
//! high-order integration), then rest; and with Newton's law and e = 0 at 62.44 J, potential from
//! the floor, where a hand-written event loop and a time-stepping engine agree.

use super::support::{jumps, load, run};
use carom::record::EventKind;

const TIGHT: [&str; 2] = ["solver.rtol=1e-12", "solver.atol=1e-14"];

#[test]
fn first_impact_and_rest() {
    let scene = load("double_pendulum.toml", &TIGHT);
    let run = run(&scene);
    let first = jumps(&run)[0].t;
    assert!((first - 0.5153528907774).abs() < 1e-11, "{first:.14}");
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
    assert_eq!(run.state.v.amax(), 0.0);
    let tip = 1.5 + run.state.q[0].sin() + (run.state.q[0] + run.state.q[1]).sin();
    assert!(tip.abs() < 1e-12, "{tip:e}");
}

#[test]
fn energy_at_rest_under_newtons_law() {
    let plastic = "contact.0.restitution=0";
    let newton = "law={ formulation = \"newton\" }";
    let scene = load("double_pendulum.toml", &[plastic, newton, TIGHT[0], TIGHT[1]]);
    let run = run(&scene);
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
    assert!((run.ledger.initial - 118.897).abs() < 5e-4, "{}", run.ledger.initial);
    assert!((run.ledger.stored() - 62.44).abs() < 5e-3, "{}", run.ledger.stored());
}

#[test]
fn energy_never_grows_even_fully_elastic() {
    let scene = load("double_pendulum.toml", &["contact.0.restitution=1", TIGHT[0], TIGHT[1]]);
    let run = run(&scene);
    assert!(jumps(&run).len() > 5);
    assert!(run.statistics.worst_gain <= 1e-12 * run.ledger.initial);
}
