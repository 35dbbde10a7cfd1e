//! Morgan 2011 in its fast form.

mod support;

use carom_reproduce::morgan;
use support::{outcome, verdicts};

#[test]
fn paths() {
    let outcome = outcome(&morgan::PATHS);
    let words = verdicts(&outcome);
    // One claim per path, then the energies, figure 2.9 and the campaign.
    assert_eq!(words.len(), 17);
    for (word, claim) in words.iter().zip(&outcome.claims) {
        let misprint =
            claim.statement.contains("ratio of the works") || claim.place.contains("(3.1)");
        assert_eq!(*word, if misprint { "differs" } else { "agrees" }, "{claim}");
    }
    // The thesis's example: slip reverses during compression.
    assert!(outcome.claims[0].found.contains("(−1.0000, −1.4045) to (0.3984, 0.8601)"));
    let sticks = outcome.claim_about("(3.1)", "stick").expect("the claim on m");
    assert!(sticks.found.contains("0 of 1649 pauses are decided otherwise"), "{sticks}");
    assert_eq!(outcome.tables[0].rows.len(), 6);
}

#[test]
fn motion() {
    let outcome = outcome(&morgan::MOTION);
    assert_eq!(verdicts(&outcome), ["agrees", "agrees", "not decidable"]);
    // Slender bars; 0.5153529 s is that of bars of 5 cm width.
    assert!(outcome.claims[1].found.contains("the first at 0.515272 s"), "{}", outcome.claims[1]);
    assert!(outcome.claims[2].found.contains("rests at 2.118"), "{}", outcome.claims[2]);
}

#[test]
fn pendulum_of_section_2_1() {
    let outcome = outcome(&morgan::MOTION);
    let claim = outcome.claim_about("section 2.1", "Mass matrix").expect("the claim");
    assert_eq!(claim.verdict().word(), "agrees", "{claim}");
}
