//! Accumulating impacts.
//!
//! # Law
//! A contact that approaches with |uₙ| while its gap accelerates by g̈ < 0 rebounds with e|uₙ|,
//! flies for 2 e |uₙ|/|g̈|, and so on in a geometric series:
//! ```text
//! remaining time  = 2 e |uₙ| / (|g̈| (1 − e))                         (1)
//! highest rebound = (e uₙ)² / (2 |g̈|)                                 (2)
//! ```
//! When (1) is below the bound of the run, or (2) below
//! ```text
//! δ = 32 β for a contact alone,  δ = rtol ℓ for one of several of a cluster             (3)
//! ```
//! the impact is resolved without restitution: the contact closes. β is the round-off of the gap, ℓ the
//! size of the numbers that place it. Several contacts of a cluster, those of the same bodies that are open by no more than δ
//! among them, keep each other bouncing (a rocking foot, a stack that settles), in a series that no formula sums; (3) ends it
//! together, and also holds contacts that an impact would lift by less. Which of them closes again is decided by the forces of the
//! others, not by gravity, so that |g̈| in (2) is then the largest of the cluster: a contact that slow is
//! at rest, and the Coulomb problem says whether it stays or leaves. What is taken away so is at most the
//! energy of (2), which is a line of the ledger. The accumulation point is the time of that
//! event plus (1), which the event tells; the energy that the further bounces would have lost is lost at
//! once and is in the ledger.
//!
//! An elastic contact, e = 1, has no series (1): its flights stay as they are, or fall as slowly as something else takes their
//! energy (a damper, the friction of another contact). Where they are so short that nothing else moves in one,
//! ```text
//! 2 |uₙ|/|g̈| < 1e-4 √(ℓ/a)   and   uₙ²/(2 Gₙₙ) ≤ bound of the ledger                   (4)
//! ```
//! a the largest acceleration of the cluster, the contact closes too; the event tells the flight that it does not follow, and
//! loses what is left. Laws that take energy away after an impact end such flights by themselves.
//!
//! # Limits
//! e = 1 accumulates by (4) only. g̈ ≥ 0 (the contact opens by itself) never accumulates.
//!
//! # Tests
//! `tests/exact_ball.rs`: `eq1_accumulation_time`; (4): beside the code, and `tests/hybrid_wild.rs`, chain 196 of seed 102; `crates/carom-scene/tests/jams.rs`:
//! `eq3_corners_that_hit_in_turn_come_to_rest_together`.

use super::flow::Flow;
use super::rows::Rows;
use crate::numeric::thresholds::run::SHORT_FLIGHT;

/// A rebound must rise this many times the round-off of its gap to be followed.
pub(super) const RESOLVED: f64 = 32.0;

/// Which contacts of a cluster close for good.
#[derive(Debug, Default)]
pub(crate) struct Accumulation {
    /// Rebounds below these speeds cannot be told from none, m/s.
    pub floors: Vec<f64>,
    /// √(ℓ a) of the cluster, m/s.
    pub pace: f64,
    /// √(ℓ/a) of the cluster, s.
    tempo: f64,
    /// Which sites close.
    pub closes: Vec<bool>,
    /// Some site was closed before the impact.
    pub was_closed: bool,
}

impl Accumulation {
    /// Floors of the sites of the rows, by the accelerations in b and by (3).
    pub fn find_floors(&mut self, flow: &mut Flow<'_>, rows: &Rows, rtol: f64, y: &[f64]) {
        self.floors.clear();
        let several =
            rows.hits > 1 || rows.hits == 1 && nearly_touches(flow, rows.sites[0], rtol, y);
        let normals = (0..rows.sites.len()).map(|k| -rows.problem.b[rows.contact(k).normal()]);
        let largest = normals.fold(flow.model.gravity().norm(), f64::max);
        let size = |&site: &usize| flow.contacts.states[site].length();
        self.pace = (rows.sites.iter().map(size).fold(0.0, f64::max) * largest).sqrt();
        self.tempo = self.pace / largest.max(f64::MIN_POSITIVE);
        for (k, &site) in rows.sites.iter().enumerate() {
            let noise = flow.contacts.states[site].noise;
            let (height, acceleration) = match several {
                true => (shared_height(noise, rtol), -largest),
                false => (RESOLVED * noise, rows.problem.b[rows.contact(k).normal()]),
            };
            self.floors.push(unresolved_speed(acceleration, height));
        }
    }

    /// Which colliding sites close for good, and the longest remaining time among them if all do; `bound` is that of
    /// remaining time, s, and of energy, J.
    pub fn find_closing(
        &mut self,
        flow: &Flow<'_>,
        rows: &Rows,
        v: &[f64],
        bound: [f64; 2],
    ) -> Option<f64> {
        let (mut longest, mut collides) = (None, false);
        self.closes.clear();
        let mut all = true;
        for (k, &site) in rows.sites.iter().enumerate() {
            let n = rows.contact(k).normal();
            let (e, u) = (flow.sites[site].surface.restitution, rows.block.times(n, v));
            // The acceleration of the gap just before, under the forces of the modes before.
            let mut left = remaining_time(e, -u, rows.problem.b[n]);
            let mut short = left < bound[0] || -e * u < self.floors[k];
            let mobility = rows.problem.G[(n, n)];
            let flight = short_flight((-u, mobility), rows.problem.b[n], (self.tempo, bound[1]));
            if let Some(flight) = flight.filter(|_| !short && e == 1.0) {
                (short, left) = (true, flight);
            }
            let closes = e > 0.0 && u < 0.0 && short;
            if closes {
                longest = Some(longest.map_or(left, |l: f64| l.max(left)));
            }
            let size = crate::numeric::thresholds::VELOCITY_NOISE * rows.block.size(n, v);
            collides |= u < -size;
            all &= closes || u >= -size;
            self.closes.push(closes);
        }
        longest.filter(|_| collides && all)
    }
}

/// δ of (3) for one of several contacts, whose gap has a round-off of `noise`, m.
pub(super) fn shared_height(noise: f64, rtol: f64) -> f64 {
    (rtol * noise / (8.0 * f64::EPSILON)).max(RESOLVED * noise)
}

/// Whether another site of the bodies of one that touches is open by no more than δ. The posture must be placed.
fn nearly_touches(flow: &mut Flow<'_>, touching: usize, rtol: f64, y: &[f64]) -> bool {
    let (q, v, _) = flow.split(y);
    let parts = flow.parts.of_site[touching];
    let of_same = |flow: &Flow<'_>, site: usize| {
        let other = flow.parts.of_site[site];
        other.into_iter().flatten().any(|part| parts.contains(&Some(part)))
    };
    (0..flow.sites.len()).any(|site| {
        let own = site != touching && flow.sites[site].hits() && of_same(flow, site);
        if !own || flow.given.conditions.mutes(site) {
            return false;
        }
        flow.observe(site, q, v);
        let s = &flow.contacts.states[site];
        s.gap <= shared_height(s.noise, rtol)
    })
}

/// The remaining time (1), s; infinite where impacts do not accumulate.
pub fn remaining_time(e: f64, approach: f64, gap_acceleration: f64) -> f64 {
    if gap_acceleration >= 0.0 || e >= 1.0 {
        return f64::INFINITY;
    }
    2.0 * e * approach / (-gap_acceleration * (1.0 - e))
}

/// Duration of an elastic flight from a speed at a contact of this mobility, s, if it is too short to be followed, (4).
fn short_flight(
    (speed, mobility): (f64, f64),
    gap_acceleration: f64,
    (tempo, energy): (f64, f64),
) -> Option<f64> {
    let flight = 2.0 * speed / -gap_acceleration;
    let weak = speed * speed <= 2.0 * mobility * energy;
    (gap_acceleration < 0.0 && weak && flight < SHORT_FLIGHT * tempo).then_some(flight)
}

/// The speed of a rebound that rises to `height` by (2), m/s.
pub fn unresolved_speed(gap_acceleration: f64, height: f64) -> f64 {
    (2.0 * (-gap_acceleration).max(0.0) * height).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_is_the_sum_of_the_flights() {
        let (e, u, g) = (0.6, 2.0, 9.81);
        let flights: f64 = (1..200).map(|k| 2.0 * u * f64::powi(e, k) / g).sum();
        assert!((remaining_time(e, u, -g) - flights).abs() < 1e-14);
        assert_eq!(remaining_time(1.0, u, -g), f64::INFINITY);
        assert_eq!(remaining_time(0.5, u, 0.0), f64::INFINITY);
    }

    #[test]
    fn eq4_elastic_flights_end_where_they_are_short_and_weak() {
        // A ball of 1 kg, ℓ = 1 m: √(ℓ/a) = 0.32 s, so that flights below 3.2e-5 s are short.
        let tempo = (1.0_f64 / 9.81).sqrt();
        let flight = |speed: f64, energy: f64| short_flight((speed, 1.0), -9.81, (tempo, energy));
        assert_eq!(flight(1e-4, 1e-7), Some(2e-4 / 9.81));
        assert_eq!(flight(2e-4, 1e-7), None);
        // Its energy, 5e-9 J, is more than the ledger may be open by; or it does not come back.
        assert_eq!(flight(1e-4, 1e-9), None);
        assert_eq!(short_flight((1e-4, 1.0), 0.0, (tempo, 1e-7)), None);
    }
}
