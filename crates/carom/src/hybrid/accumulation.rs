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
//! # Limits
//! e = 1 never accumulates. g̈ ≥ 0 (the contact opens by itself) never accumulates.
//!
//! # Tests
//! `tests/exact_ball.rs`: `eq1_accumulation_time`; `crates/carom-scene/tests/jams.rs`:
//! `eq3_corners_that_hit_in_turn_come_to_rest_together`.

use super::flow::Flow;
use super::rows::Rows;

/// A rebound must rise this many times the round-off of its gap to be followed.
pub(super) const RESOLVED: f64 = 32.0;

/// Which contacts of a cluster close for good.
#[derive(Debug, Default)]
pub(crate) struct Accumulation {
    /// Rebounds below these speeds cannot be told from none, m/s.
    pub floors: Vec<f64>,
    /// √(ℓ a) of the cluster, m/s.
    pub pace: f64,
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
        for (k, &site) in rows.sites.iter().enumerate() {
            let noise = flow.contacts.states[site].noise;
            let (height, acceleration) = match several {
                true => (shared_height(noise, rtol), -largest),
                false => (RESOLVED * noise, rows.problem.b[rows.contact(k).normal()]),
            };
            self.floors.push(unresolved_speed(acceleration, height));
        }
    }

    /// Which colliding sites close for good, and the longest remaining time among them if all do.
    pub fn find_closing(
        &mut self,
        flow: &Flow<'_>,
        rows: &Rows,
        v: &[f64],
        bound: f64,
    ) -> Option<f64> {
        let (mut longest, mut collides) = (None, false);
        self.closes.clear();
        let mut all = true;
        for (k, &site) in rows.sites.iter().enumerate() {
            let n = rows.contact(k).normal();
            let (e, u) = (flow.sites[site].surface.restitution, rows.block.times(n, v));
            // The acceleration of the gap just before, under the forces of the modes before.
            let left = remaining_time(e, -u, rows.problem.b[n]);
            let closes = e > 0.0 && u < 0.0 && (left < bound || -e * u < self.floors[k]);
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
}
