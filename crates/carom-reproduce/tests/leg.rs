//! The jumping leg in its fast form.

mod support;

use carom_reproduce::{Cause, leg};
use support::{outcome, verdicts};

#[test]
fn jumps() {
    let outcome = outcome(&leg::JUMPS);
    verdicts(&outcome);
    let cause = |words: &str| {
        let claim = outcome.claim_about("", words).unwrap_or_else(|| panic!("{words}"));
        claim.cause().map(|(cause, _)| cause)
    };
    // In our reading of the geometry the leg leans away from the goal, whatever the gain.
    assert_eq!(cause("the line from the foot to the body"), Some(Cause::Reading));
    assert_eq!(cause("moves toward −N1"), Some(Cause::Open));
    assert_eq!(cause("the path follows the desired direction"), Some(Cause::Open));
    // The gain decides whether motors act from the guess, and how high the optimised posture rises.
    assert_eq!(cause("only 2 cm, though the motors act"), Some(Cause::Open));
    for words in ["torques come near", "rises by about 40 cm"] {
        assert_eq!(cause(words), Some(Cause::SomeValues), "{words}");
    }
    assert_eq!(cause("more capability to accelerate"), Some(Cause::SomeValues));
    for words in
        ["within the digits", "leaves the ground several times", "comes nearer to the goal"]
    {
        assert_eq!(cause(words), None, "{words}");
    }
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
    assert_eq!(verdicts(&outcome), ["differs", "not decidable", "not decidable", "agrees"]);
    assert_eq!(outcome.claims[0].cause().map(|(c, _)| c), Some(Cause::Reading));
    assert!(outcome.claims[3].own);
}
