//! The first of several certified roots, to round-off, and the guards that share it.
//!
//! # Law
//! Newton's method within a bracket, on φ or, where φ is zero at the start a of the interval, on
//! ```text
//! ψ = φ/(t − a),   ψ̇ = (φ̇ − ψ)/(t − a)        (1)
//! ```
//! which has the next zero only; for a parabola ψ is linear and one step suffices. A guard without
//! derivative takes the slope of its quartic first and secants afterwards. It ends when |φ| ≤ η/16
//! or t no longer changes.
//!
//! # Tests
//! `tests/flow_events.rs`: `a_zero_at_the_start_does_not_hide_the_next_impact`,
//! `simultaneous_zeros_are_one_event`, `fifty_guards_and_the_first_of_them`.

use super::guard::Guards;
use super::locate::{Crossing, Locator};
use super::verdict::Verdict;
use crate::ode::Trajectory;

impl Locator {
    /// Every guard has at most one root in the interval: refines the first and collects its ties.
    pub(super) fn report_root<T: Trajectory, G: Guards>(
        &mut self,
        dense: &T,
        guards: &mut G,
        mut j: usize,
    ) -> Result<Crossing, G::Error> {
        let mut hi = self.samples[4].t;
        loop {
            let t = self.refine(dense, guards, j, hi)?;
            // Another guard that is negative here has crossed before.
            let earlier = (0..self.guards.len()).find(|&k| {
                k != j
                    && matches!(self.portraits[k].verdict, Verdict::Root(_))
                    && self.turned(k).0 < -self.guards[k].noise
                    && self.turned(k).0 < -self.tie(k, j, dense)
            });
            match earlier {
                Some(k) if t < hi => (j, hi) = (k, t),
                _ => break,
            }
        }
        self.fired.push(j);
        for k in 0..self.guards.len() {
            let (phi, slope) = self.turned(k);
            let armed = self.portraits[k].quartic.b[0] >= -self.guards[k].noise;
            if k != j && armed && slope < 0.0 && phi.abs() <= self.tie(k, j, dense) {
                self.fired.push(k);
            }
        }
        let t = self.samples[4].t;
        self.last.copy(&self.samples[4]);
        self.remember(t);
        Ok(Crossing { t, at_start: false })
    }

    /// Turned value and derivative of guard `k` at the sample in place 4, the derivative from the
    /// quartic of the interval if the guard supplies none.
    fn turned(&self, k: usize) -> (f64, f64) {
        let (p, s) = (&self.portraits[k], &self.samples[4]);
        let slope = if s.gdot[k].is_nan() { self.chord_slope(k) } else { p.sign * s.gdot[k] };
        (p.sign * s.g[k], slope)
    }

    /// Derivative of the turned guard at the crossing by its quartic.
    pub(super) fn chord_slope(&self, k: usize) -> f64 {
        let (a, w) = (self.samples[0].t, self.width());
        self.portraits[k].quartic.slope(((self.samples[4].t - a) / w).clamp(0.0, 1.0)) / w
    }

    /// Length of the interval the portraits belong to, from an inner sample, since sample 4 moves
    /// while a root is refined.
    fn width(&self) -> f64 {
        2.0 * (self.samples[2].t - self.samples[0].t)
    }

    /// Equation (2): how far from zero guard `k` may be to be one event with guard `j`.
    fn tie(&self, k: usize, j: usize, dense: &impl Trajectory) -> f64 {
        let spacing = 16.0 * f64::EPSILON * dense.t0().abs().max(dense.t1().abs());
        let tau = spacing + self.guards[j].noise / self.turned(j).1.abs().max(f64::MIN_POSITIVE);
        let (_, slope) = self.turned(k);
        self.guards[k].noise + slope.abs() * tau.min(crate::thresholds::TOGETHER * self.width())
    }

    /// Newton's method for guard `j` between the start of the interval and `hi`, within a bracket;
    /// a zero at the start is divided out. Leaves the values at the root in sample 4.
    fn refine<T: Trajectory, G: Guards>(
        &mut self,
        dense: &T,
        guards: &mut G,
        j: usize,
        hi: f64,
    ) -> Result<f64, G::Error> {
        let (a, w) = (self.samples[0].t, self.width());
        let eta = self.guards[j].noise;
        let deflate = self.portraits[j].quartic.b[0] <= self.zero(j);
        let (mut lo, mut hi) = (a, hi);
        let guess = match self.portraits[j].verdict {
            Verdict::Root(x) => a + x * w,
            _ => 0.5 * (lo + hi),
        };
        let mut t = if guess > lo && guess < hi { guess } else { 0.5 * (lo + hi) };
        let mut before = (f64::NAN, f64::NAN);
        for _ in 0..80 {
            self.sample(dense, guards, t, 4)?;
            let phi = self.portraits[j].sign * self.samples[4].g[j];
            if phi > 0.0 {
                lo = t;
            } else {
                hi = t;
            }
            if phi.abs() <= 0.0625 * eta {
                break;
            }
            // The function whose zero is sought: φ, or φ/(t − a) if φ(a) = 0.
            let x = if deflate { t - a } else { 1.0 };
            let f = phi / x;
            let supplied = self.portraits[j].sign * self.samples[4].gdot[j];
            let raw = if supplied.is_nan() { self.chord_slope(j) } else { supplied };
            let slope = match (supplied.is_nan(), deflate) {
                (true, _) if !before.0.is_nan() => (f - before.1) / (t - before.0),
                (_, true) => (raw - f) / x,
                (_, false) => raw,
            };
            before = (t, f);
            let newton = t - f / slope;
            let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
            if next == t
                || next <= lo
                || next >= hi
                || (next - t).abs() <= f64::EPSILON * 0.5 * t.abs()
            {
                break;
            }
            t = next;
        }
        Ok(t)
    }
}
