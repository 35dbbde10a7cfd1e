//! What the tests of all experiments share.
#![allow(dead_code)]

use carom_reproduce::{Context, Experiment, Outcome};

/// The outcome of an experiment in its fast form.
pub fn outcome(experiment: &Experiment) -> Outcome {
    match (experiment.run)(&Context { fast: true }) {
        Ok(outcome) => outcome,
        Err(trouble) => panic!("{}: {trouble}\n{}", experiment.name, trouble.hint()),
    }
}

/// The words of all verdicts; the claims are printed where a test fails.
pub fn verdicts(outcome: &Outcome) -> Vec<&'static str> {
    for claim in &outcome.claims {
        println!("{claim}");
    }
    outcome.claims.iter().map(|claim| claim.verdict().word()).collect()
}
