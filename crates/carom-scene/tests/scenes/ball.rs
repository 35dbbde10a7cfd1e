//! Bouncing ball: t₁ = √(2h/g), each flight e times the one before, accumulation at 3 t₁ for e = ½.

use super::support::{G, jumps, load, of_kind, run};
use carom::record::EventKind;

#[test]
fn bounces_accumulate_and_rest_is_exact() {
    let scene = load("ball.toml", &["solver.rtol=1e-10", "solver.atol=1e-12"]);
    let run = run(&scene);
    let first = (2.0 / G).sqrt();
    let impacts = jumps(&run);
    assert!((impacts[0].t - first).abs() < 1e-14);
    let mut t = first;
    for (k, impact) in impacts.iter().enumerate() {
        assert!((impact.t - t).abs() < 1e-10, "bounce {k}");
        t += 2.0 * first * 0.5_f64.powi(k as i32 + 1);
    }
    let close = of_kind(&run, EventKind::Close);
    assert_eq!(close.len(), 1);
    let accumulation = close[0].t + close[0].remaining_time.unwrap();
    assert!((accumulation - 3.0 * first).abs() < 1e-9);
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
    assert_eq!(run.events().last().unwrap().t, close[0].t, "no events after rest");
    assert_eq!(run.state.v.amax(), 0.0);
    assert!((run.energy_lost() - 0.1 * G).abs() < 1e-10);
}
