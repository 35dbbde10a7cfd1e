//! Hurmuzlu & Marghitu 1994 in its fast form: steps of half a degree.

mod support;

use carom_reproduce::hurmuzlu;
use support::{outcome, verdicts};

const YES: &str = "agrees";
const NO: &str = "differs";
const OPEN: &str = "not decidable";

#[test]
fn posture() {
    let outcome = outcome(&hurmuzlu::SMOOTH);
    let claim = outcome.claim_about("section 4", "φ3 = π − φ1").expect("the claim");
    assert!(claim.found.contains("separates for φ1 < −30°"), "{claim}");
    assert!(claim.found.contains("approaches in every posture"), "{claim}");
}

#[test]
fn smooth() {
    let outcome = outcome(&hurmuzlu::SMOOTH);
    assert_eq!(verdicts(&outcome), [NO, YES, YES, NO, YES, YES, YES, NO]);
    assert!(outcome.claims[5].found.contains("−75.5° … −20.0° and 20.0° … 75.5°"));
    assert!(outcome.claims[3].found.contains("grows in 0 comparisons"));
}

#[test]
fn kinematic() {
    let outcome = outcome(&hurmuzlu::KINEMATIC);
    assert_eq!(verdicts(&outcome), [YES, OPEN, YES, YES, NO, YES]);
    let gains = &outcome.claims[0].found;
    assert!(gains.contains("up to 21.7 %, −41.5° … −21.0°"), "{gains}");
    assert!(gains.contains("up to 26.8 %, −49.0° … −21.0°"), "{gains}");
    assert!(outcome.claims[1].found.contains("−90.0° … −38.0° and 15.5° … 19.5°"));
}

#[test]
fn consistent() {
    let outcome = outcome(&hurmuzlu::CONSISTENT);
    assert_eq!(verdicts(&outcome), [YES; 4]);
    assert!(outcome.claims[2].found.contains("24.5° … 90.0°"));
}

#[test]
fn rebound() {
    let outcome = outcome(&hurmuzlu::REBOUND);
    assert_eq!(verdicts(&outcome), [YES, YES, YES, NO, YES, YES, NO]);
    assert!(outcome.claims[3].found.contains("−81.0° … −68.5°"));
    assert!(outcome.claims[5].found.contains("4 at −81.0°, −22.5°, 27.5°, 81.0°"));
}

#[test]
fn plastic() {
    let outcome = outcome(&hurmuzlu::PLASTIC);
    assert_eq!(verdicts(&outcome), [YES, YES, NO, YES]);
    assert!(outcome.claims[2].found.contains("up to 8.3 %"));
}

#[test]
fn conclusions() {
    let outcome = outcome(&hurmuzlu::CONCLUSIONS);
    let expected = [YES, YES, NO, NO, YES, YES, YES, YES, YES, YES, YES];
    assert_eq!(verdicts(&outcome), expected);
    assert!(outcome.claims[4].found.contains("kinetic 2.0 % and 10.2 %"));
    assert!(outcome.claims[4].found.contains("Whittaker 12.9 % and 72.1 %"));
}
