//! The same case by time steps.

/// Steps, s: fine, as in the shipped piles, and far too long.
const STEPS: [f64; 4] = [1e-3, 2e-3, 5e-3, 0.03];

/// The overrides with which a case is run by time steps of a length that follows from its text.
pub fn stepped(text: &str, overrides: &[String]) -> Vec<String> {
    let step = STEPS[text.len() % STEPS.len()];
    let own = overrides.iter().filter(|set| !set.starts_with("solver"));
    own.cloned().chain([format!("solver={{ scheme = \"moreau\", step = {step} }}")]).collect()
}
