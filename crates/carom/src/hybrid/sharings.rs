//! How often the redundant forces of a contact are shared anew.
//!
//! # Rule
//! The friction of a contact whose normal force falls to zero leaves its cone however it is shared with others: anew after a
//! share of the time that is left, without end before λₙ = 0. After
//! ```text
//! tₖ₊₁ − tₖ < tₖ − tₖ₋₁,  three times in a row                              (1)
//! ```
//! the contact lets go: at its limit friction follows λₙ, and others hold the contact in place.
//!
//! # Tests
//! Beside the code; `crates/carom-scene/tests/redundant.rs`.

/// Sharings of redundant forces in a row, each sooner than the one before, after which a contact lets go, (1).
const SOONER: u32 = 3;

/// When redundant forces of a site were shared anew: the last time and how long after the one before, s, and how often in a
/// row sooner than before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sharings {
    last: f64,
    after: f64,
    sooner: u32,
}

impl Sharings {
    /// Never yet.
    pub const NONE: Self = Self { last: f64::NAN, after: f64::NAN, sooner: 0 };

    /// Whether it has just been done, within `recent`, or again and again, (1).
    pub fn end(&self, t: f64, recent: f64) -> bool {
        let after = t - self.last;
        after < recent || after < self.after && self.sooner >= SOONER
    }

    /// Once more, at t.
    pub fn note(&mut self, t: f64) {
        let after = t - self.last;
        self.sooner = if after < self.after { self.sooner + 1 } else { 0 };
        (self.last, self.after) = (t, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_only_sharings_that_come_ever_sooner_end() {
        let ends = |times: &[f64], t: f64| {
            let mut sharings = Sharings::NONE;
            times.iter().for_each(|&t| sharings.note(t));
            sharings.end(t, 1e-9)
        };
        assert!(!ends(&[], 1.0) && !ends(&[1.0], 1.5));
        assert!(ends(&[1.0], 1.0), "at once");
        let geometric = [0.0, 0.5, 0.75, 0.875, 0.9375];
        assert!(!ends(&geometric[..4], 0.9375) && ends(&geometric, 0.96875));
        assert!(!ends(&[0.0, 0.1, 0.2, 0.4, 0.5, 0.8], 1.2));
    }
}
