//! The jumping leg in its fast form.

mod support;

use carom_reproduce::leg;
use support::{outcome, verdicts};

#[test]
fn jumps() {
    let outcome = outcome(&leg::JUMPS);
    let words = verdicts(&outcome);
    // The controller lets go of the guess at once, so its motors do nothing; and the springs do not
    // reach the published height with the inertias that were chosen.
    assert_eq!(words.iter().filter(|w| **w == "differs").count(), 2);
    assert_eq!((words[3], words[4]), ("differs", "differs"));
    assert_eq!(words.iter().filter(|w| **w == "agrees").count(), 8);
    // Why the optimised posture is better: all three motors help, at their limits.
    let stopped_by = |k: usize| outcome.tables[0].rows[k][2].matches("N·m").count();
    assert_eq!((stopped_by(0), stopped_by(1), stopped_by(2)), (2, 3, 3));
}

#[test]
fn field() {
    let outcome = outcome(&leg::FIELD);
    // On the coarse grid the regions join above 70 % of the largest value.
    assert_eq!(verdicts(&outcome), ["not decidable"]);
    assert!(outcome.claims[0].found.contains("2, 2, 1, 1"), "{}", outcome.claims[0].found);
}

#[test]
fn sample() {
    let outcome = outcome(&leg::SAMPLE);
    // Too few jumps in the fast form to read a relation from them.
    assert_eq!(verdicts(&outcome), ["agrees", "not decidable", "not decidable", "agrees"]);
}
