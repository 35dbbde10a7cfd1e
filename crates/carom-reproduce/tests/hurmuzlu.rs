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

/// Fast form: 180 postures. The printed rates are the first of 48; none satisfies everything.
#[test]
fn variants() {
    let outcome = outcome(&hurmuzlu::VARIANTS);
    assert_eq!(verdicts(&outcome), [YES]);
    assert!(outcome.claims[0].own);
    assert_eq!(outcome.tables[0].rows.len(), 9);
    assert_eq!(outcome.data[0].len(), 48);
    // What the printed rates do is what the other experiments find.
    let printed: Vec<&str> = outcome.tables[0].rows.iter().map(|r| r[1].as_str()).collect();
    assert_eq!(&printed[..2], ["holds", "holds"]);
    assert_eq!(&printed[4..], ["does not"; 5]);
}

#[test]
fn procedure() {
    let outcome = outcome(&hurmuzlu::PROCEDURE);
    assert_eq!(verdicts(&outcome), [YES, NO]);
    assert_eq!(outcome.claims[1].cause().map(|(c, _)| c), Some(carom_reproduce::Cause::Source));
}

/// Where no contact pulls, the lists end where the law ends, for all three definitions: momentum balance, cone, and the
/// restitution of each definition are those of the law.
#[test]
fn eq1_to_eq5_are_the_law_where_nothing_pulls() {
    use carom::impact::ThreeLinkChain;
    use carom_reproduce::hurmuzlu::{Method, procedure};
    for method in [Method::Kinematic, Method::Kinetic, Method::Energetic] {
        for degrees in [-80.0_f64, -60.0, -30.0, 0.0, 17.0, 45.0, 80.0] {
            let chain = ThreeLinkChain {
                phi: degrees.to_radians(),
                friction_touching: 0.5,
                friction_colliding: 0.5,
                restitution: 0.9,
            };
            let problem = chain.problem();
            let course = procedure(&problem, method).expect("an end");
            assert!(!course.pulls);
            let answer = carom_reproduce::resolve(method.law().as_ref(), &problem).unwrap();
            let apart = (&course.u - &answer.solution.u_post).amax();
            assert!(apart < 1e-10, "{method:?} {degrees}: {apart:e}");
            let impulses = (&course.p - &answer.solution.impulses).amax();
            assert!(impulses < 1e-10, "{method:?} {degrees}: {impulses:e}");
        }
    }
}
