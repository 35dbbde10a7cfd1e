//! Clusters whose events come faster than they can be told: which of them time steps carry, and for how long.
//!
//! # Rule
//! In a dense pile every impact sets all contacts of its cluster moving a little, each of which then closes, slips and
//! stops by events of its own: their number grows like the square of that of the contacts, and each costs as much as all
//! contacts together. An event counts as much work as its cluster has closed contacts; friction of joints, which bounces from
//! nothing, is none. More of it than
//! ```text
//! Σ n > W  within  τ = ε √(ℓ/g)                                             (1)
//! ```
//! (W is [`events_in_a_rush`](crate::hybrid::Options::events_in_a_rush): a quadruped that falls does some hundred within τ,
//! sixteen discs in a bin three thousand, thirty-two forty thousand) is a *rush*: for the time τ time steps ([`super::step`]) carry the cluster, and for twice as long as the last time if
//! the events after that rush again within τ. Bounces that accumulate are none: a cluster of few contacts does not do so much within τ.
//!
//! # Tests
//! Beside the code: `eq1_*`; `crates/carom-scene/tests/jams.rs`: `eq1_a_pile_of_discs_comes_to_rest`.

/// ε of (1).
const SPAN: f64 = 1e-2;

/// Contacts up to which a cluster, or what has parted from one, is followed by events in any case.
pub(super) const FEW: usize = 8;

/// The work of the events of a cluster, and until when steps carry it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rush {
    since: f64,
    work: usize,
    until: f64,
    lasts: f64,
}

impl Default for Rush {
    fn default() -> Self {
        let never = f64::NEG_INFINITY;
        Self { since: never, work: 0, until: never, lasts: 0.0 }
    }
}

impl Rush {
    /// An event at `t` of a cluster with so many closed contacts; `slowness` is √(ℓ/g), s, `much` is W.
    pub fn count(&mut self, t: f64, contacts: usize, (slowness, much): (f64, usize)) {
        let tau = SPAN * slowness;
        if self.carries(t) {
            return;
        }
        if t - self.since > tau {
            (self.since, self.work) = (t, 0);
        }
        self.work += contacts;
        if self.work > much {
            self.lasts = if t - self.until <= tau { 2.0 * self.lasts } else { tau };
            self.until = t + self.lasts;
            (self.since, self.work) = (self.until, 0);
        }
    }

    /// Whether time steps carry the cluster at `t`.
    pub fn carries(&self, t: f64) -> bool {
        t < self.until
    }

    /// What clusters that join do together: as much as the busiest of them did.
    pub fn join(self, other: Self) -> Self {
        let later = |a: &Self, b: &Self| (a.until, a.work) >= (b.until, b.work);
        if later(&self, &other) { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MUCH: usize = 5_000;

    /// Events of so many contacts at a rate until steps carry the cluster: when that is.
    fn rushes(rush: &mut Rush, contacts: usize, (from, interval): (f64, f64)) -> Option<f64> {
        (0..10_000).map(|k| from + interval * f64::from(k)).find(|&t| {
            rush.count(t, contacts, (1.0, MUCH));
            rush.carries(t)
        })
    }

    #[test]
    fn eq1_only_much_work_within_the_span_rushes() {
        assert_eq!(rushes(&mut Rush::default(), FEW, (0.0, 1e-4)), None);
        let contacts = MUCH / 100;
        assert_eq!(rushes(&mut Rush::default(), contacts, (0.0, 1.1e-4)), None);
        let first = rushes(&mut Rush::default(), contacts, (0.0, 0.9e-4)).unwrap();
        assert!((first - 0.9e-4 * 100.0).abs() < 1e-12);
        // A series that accumulates has no end, but few contacts.
        let mut ball = Rush::default();
        (0..5000).for_each(|k| ball.count(1.0 - 0.99_f64.powi(k), 1, (1.0, MUCH)));
        assert!(!ball.carries(1.0));
    }

    #[test]
    fn eq1_one_that_goes_on_lasts_twice_as_long() {
        let mut rush = Rush::default();
        let first = rushes(&mut rush, 1000, (0.0, 1e-5)).unwrap();
        assert!(rush.carries(first + 0.009) && !rush.carries(first + 0.011));
        let second = rushes(&mut rush, 1000, (first + 0.0101, 1e-5)).unwrap();
        assert!(rush.carries(second + 0.019) && !rush.carries(second + 0.021));
        // Long afterwards it begins anew.
        let third = rushes(&mut rush, 1000, (second + 1.0, 1e-5)).unwrap();
        assert!(!rush.carries(third + 0.011));
    }
}
