//! Johnson 2024 in its fast form.

mod support;

use carom_reproduce::johnson;
use support::{outcome, verdicts};

#[test]
fn ball() {
    let outcome = outcome(&johnson::BALL);
    assert_eq!(verdicts(&outcome), ["agrees", "agrees", "agrees", "differs"]);
    // Only the sign of the printed equation of motion differs.
    assert!(outcome.claims[3].statement.contains("m z̈ − m g + λ = 0"));
}

#[test]
fn slope() {
    assert_eq!(verdicts(&outcome(&johnson::SLOPE)), ["agrees"; 4]);
}

#[test]
fn problems() {
    assert_eq!(verdicts(&outcome(&johnson::PROBLEMS)), ["agrees"; 4]);
}
