//! Comparisons beyond the papers in their fast form.

mod support;

use carom_reproduce::{Outcome, beyond};
use support::{outcome, verdicts};

/// The row of the first table for a law and a restitution.
fn row<'a>(outcome: &'a Outcome, law: &str, e: &str) -> &'a [String] {
    let rows = &outcome.tables[0].rows;
    rows.iter().find(|r| r[0] == law && r[1] == e).expect("the row")
}

#[test]
fn pendulum() {
    let outcome = outcome(&beyond::PENDULUM);
    // Where the constraint law with tangents has no answer, the compliant path carries on.
    assert_eq!(verdicts(&outcome), ["agrees"; 4]);
    assert!(outcome.claims[2].found.starts_with("0 of 42 runs do not"));
    // Energy at rest without restitution, as scipy and Siconos have it; the start is 118.897 J.
    assert_eq!(row(&outcome, "Newton", "0")[2], "62.444");
    assert_eq!(row(&outcome, "differential, energetic", "0")[2], "62.444");
    assert_eq!(row(&outcome, "constraint", "1")[2], "118.897");
    // Which laws gain energy with e = 1.
    let gaining = |law: &str| row(&outcome, law, "1")[4] != "0";
    for law in
        ["differential, kinematic", "Whittaker", "restitution matrix", "dissipation", "Newton"]
    {
        assert!(gaining(law), "{law}");
    }
    for law in ["differential, energetic", "Brach", "Poisson", "dissipation, energy bound"] {
        assert!(!gaining(law), "{law}");
    }
}

#[test]
fn bicycle() {
    let outcome = outcome(&beyond::BICYCLE);
    assert_eq!(verdicts(&outcome), ["agrees", "agrees"]);
    assert_eq!(outcome.tables[0].rows.len(), 36);
    assert_eq!(row(&outcome, "Newton", "0.5")[3], "7");
    assert_eq!(row(&outcome, "constraint", "1")[2], "245.250");
}

#[test]
fn rod() {
    let outcome = outcome(&beyond::ROD);
    assert_eq!(verdicts(&outcome), ["agrees", "agrees", "agrees", "differs", "agrees"]);
    assert!(outcome.claims[3].found.contains("constraint with tangents in 6 of 69"));
    let smallest = |law: &str| {
        outcome.tables[0].rows.iter().find(|r| r[0] == law).map(|r| r[3].clone()).unwrap()
    };
    assert_eq!(smallest("Whittaker"), "−8.0 %");
    assert_eq!(smallest("differential, energetic"), "4.8 %");
}
