//! Newton's cradle: 0 0 0 0 1 one after another; −0.6 and 0.4 four times together, where the
//! touching balls act as one block of four: v = 2/5, relative velocity reversed.

use super::support::{jumps, run_named};

fn speeds(overrides: &[&str]) -> (Vec<f64>, usize) {
    let run = run_named("cradle.toml", overrides);
    assert!((jumps(&run)[0].t - 0.1).abs() < 1e-12);
    let v = (0..5).map(|k| run.state.v[6 * k]).collect();
    (v, jumps(&run).len())
}

#[test]
fn one_after_another_the_last_leaves() {
    let (v, impacts) = speeds(&[]);
    for (v, wanted) in v.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0]) {
        assert!((v - wanted).abs() < 1e-12, "{v}");
    }
    assert_eq!(impacts, 1, "one event for the whole row");
}

#[test]
fn together_the_row_moves_as_a_block() {
    let (v, impacts) = speeds(&["law.rule=together"]);
    for (v, wanted) in v.iter().zip([-0.6, 0.4, 0.4, 0.4, 0.4]) {
        assert!((v - wanted).abs() < 1e-12, "{v}");
    }
    assert_eq!(impacts, 1);
}
