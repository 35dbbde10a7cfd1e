//! The first zero crossing of many guards within one step.
//!
//! # Law
//! Sought is the least t in the half-open step (t₀, t₁] at which a guard g(t, u(t)) on the dense
//! output u passes through zero in its direction. The step is swept from left to right in
//! intervals; on each one every guard is sampled at five points and judged (`verdict.rs`). An
//! undecided interval is split, at the minimum of the interpolant if there is one inside, else in
//! the middle. When every guard is decided and some have a root, the first is refined by Newton's
//! method within its bracket (`refine.rs`).
//! ```text
//! quick:   min bₖ ≥ η + (max bₖ − min bₖ) + 8|g − H| + h|ġ − Ḣ|                         (1)
//! seen:    min f ≥ η + 4 (max f − min f),  f at both ends and where it was glimpsed        (3)
//! tie:     |φⱼ(t*)| ≤ ηⱼ + |φ̇ⱼ| τ,  φ̇ⱼ < 0,  τ = 16 ε max(|t₀|,|t₁|) + η/|φ̇|          (2)
//! ```
//! (1) spares samples for guards far from zero that supply ġ: H is the cubic Hermite polynomial of
//! g on the step, bₖ its Bernstein coefficients, and the differences are taken at the one inner
//! sample x = (1 − √½)/2, where a quartic remainder K x²(1−x)² ≤ K/16 shows as K/64 and K/5.7. To be
//! wrong, the guard would have to leave its cubic by the cubic's whole variation and thirty times
//! what the sample shows. (3) spares them for guards without ġ, forces for example, whose values at the stages of the
//! step are known ([`Guards::glimpsed`]). (2) makes simultaneous zeros one
//! event; φ, η without index belong to the guard that crosses first.
//!
//! # Guarantee
//! A crossing, a double crossing included, is missed only if the guard violates the decay of
//! coefficients assumed in `quartic.rs` on the very interval where it crosses, or by (1). A dip that
//! stays above −η is no crossing. A step that needs more than [`Locator::BUDGET`] evaluations (a
//! guard that is not smooth, or noisier than its η) is decided by the signs at the ends of the
//! intervals then reached, and counted in [`Locator::unresolved`]; so is a guard that is NaN, which
//! crosses nothing: guards that cannot be evaluated should say so by their error.
//!
//! # The start
//! A zero at t₀ belongs to the step before. A guard that is zero at t₀ and falls from there is
//! reported at t₀ with `at_start`, unless the preceding crossing at this very t₀ has reported it
//! already: a state that would penetrate is never passed over in silence, and a crossing that
//! was seen and let pass is not seen twice.
//!
//! # Limits
//! A coordinate that advances at a constant rate (a spinning planar body) is integrated exactly by
//! steps of any length, and a guard then turns over many times within a step. With ġ supplied this
//! is seen and resolved in all cases tried (up to some 100 turns in a step); without, bound the
//! step to a turn ([`Integrator::set_max_step`](crate::ode::Integrator::set_max_step)). Times are those of the dense output; `polish.rs` removes the interpolation error. Nothing is
//! allocated after [`Locator::arm`] has seen the largest number of guards.
//!
//! # Tests
//! `tests/flow_events.rs`.

use super::guard::{Guard, Guards};
use super::quartic::INNER;
use super::verdict::{Portrait, Verdict};
use crate::ode::Trajectory;
use crate::thresholds::{SHORTEST, UNSURE};

/// A crossing within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Time, s.
    pub t: f64,
    /// The guard was zero at t₀ already and falls from there; t is t₀.
    pub at_start: bool,
}

/// Values and derivatives of all guards at one time.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    pub(super) t: f64,
    pub(super) g: Vec<f64>,
    pub(super) gdot: Vec<f64>,
}

impl Sample {
    fn resize(&mut self, n: usize) {
        self.t = f64::NAN;
        self.g.resize(n, 0.0);
        self.gdot.resize(n, 0.0);
    }

    pub(super) fn copy(&mut self, other: &Sample) {
        self.t = other.t;
        self.g.copy_from_slice(&other.g);
        self.gdot.copy_from_slice(&other.gdot);
    }
}

/// Finds crossings; holds all scratch.
#[derive(Debug, Clone)]
pub struct Locator {
    pub(super) guards: Vec<Guard>,
    /// Start of the interval, its three inner points, its end.
    pub(super) samples: [Sample; 5],
    /// End of the step.
    pub(super) last: Sample,
    pub(super) portraits: Vec<Portrait>,
    y: Vec<f64>,
    pub(super) fired: Vec<usize>,
    /// What had fired before a step is searched again.
    fired_before: Vec<usize>,
    /// Time of the last crossing, and the values then of the guards it reported, else NaN.
    reported_at: f64,
    reported: Vec<f64>,
    evaluations: u64,
    unresolved: u64,
}

/// Variation of a guard in the states glimpsed that it must be away from zero, (3).
const SEEN: f64 = 4.0;

impl Locator {
    /// Evaluations in one step after which the ends of the intervals decide. Near misses of smooth guards take up to 400.
    pub const BUDGET: u64 = 500;

    /// A locator for states of `n` components, without guards yet.
    pub fn new(n: usize) -> Self {
        Self {
            guards: Vec::new(),
            samples: Default::default(),
            last: Sample::default(),
            portraits: Vec::new(),
            y: vec![0.0; n],
            fired: Vec::new(),
            fired_before: Vec::new(),
            reported_at: f64::NAN,
            reported: Vec::new(),
            evaluations: 0,
            unresolved: 0,
        }
    }

    /// Sets the guards, as after a change of modes. Forgets what was reported.
    pub fn arm(&mut self, guards: &[Guard]) {
        let n = guards.len();
        self.guards.clear();
        self.guards.extend_from_slice(guards);
        for sample in &mut self.samples {
            sample.resize(n);
        }
        self.last.resize(n);
        self.portraits.resize(n, Portrait::BLANK);
        self.fired.clear();
        self.fired.reserve(n);
        self.fired_before.clear();
        self.fired_before.reserve(n);
        self.reported.clear();
        self.reported.resize(n, f64::NAN);
        self.reported_at = f64::NAN;
    }

    /// The state at the end of the last step was changed: evaluate the guards there again.
    #[inline]
    pub fn refresh(&mut self) {
        self.last.t = f64::NAN;
    }

    /// Guards that crossed together at the last crossing; the first of them led.
    #[inline]
    pub fn fired(&self) -> &[usize] {
        &self.fired
    }

    /// Values of all guards at the last crossing or, if there was none, at the end of the step.
    #[inline]
    pub fn values(&self) -> &[f64] {
        &self.last.g
    }

    /// Derivatives belonging to [`Locator::values`]; NaN where a guard supplies none.
    #[inline]
    pub fn slopes(&self) -> &[f64] {
        &self.last.gdot
    }

    /// Evaluations of the guards so far.
    #[inline]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Intervals so far that were decided by their ends alone, or on which a guard was NaN.
    #[inline]
    pub fn unresolved(&self) -> u64 {
        self.unresolved
    }

    /// The first crossing on the step described by `dense`, if any.
    pub fn locate<T: Trajectory, G: Guards>(
        &mut self,
        dense: &T,
        guards: &mut G,
    ) -> Result<Option<Crossing>, G::Error> {
        self.fired.clear();
        if self.guards.is_empty() {
            return Ok(None);
        }
        if self.last.t == dense.t0() {
            std::mem::swap(&mut self.samples[0], &mut self.last);
        } else {
            self.sample(dense, guards, dense.t0(), 0)?;
        }
        self.sample(dense, guards, dense.t1(), 4)?;
        let h = dense.t1() - dense.t0();
        if (0..self.guards.len()).all(|j| self.seen(guards, j)) {
            self.last.copy(&self.samples[4]);
            return Ok(None);
        }
        self.sample(dense, guards, dense.t0() + INNER[0].1 * h, INNER[0].0)?;
        if (0..self.guards.len()).all(|j| self.quick(h, j) || self.seen(guards, j)) {
            self.last.copy(&self.samples[4]);
            return Ok(None);
        }
        self.sweep(dense, guards)
    }

    /// Evaluates all guards on the dense output at `t` into sample `k`.
    pub(super) fn sample<T: Trajectory, G: Guards>(
        &mut self,
        dense: &T,
        guards: &mut G,
        t: f64,
        k: usize,
    ) -> Result<(), G::Error> {
        let s = &mut self.samples[k];
        s.t = t;
        s.gdot.fill(f64::NAN);
        dense.state(t, &mut self.y);
        self.evaluations += 1;
        guards.evaluate(t, &self.y, &mut s.g, &mut s.gdot)
    }

    /// Equation (1), or a guard that is zero throughout.
    fn quick(&self, h: f64, j: usize) -> bool {
        let [a, m, .., b] = &self.samples;
        let (x, noise) = (INNER[0].1, self.guards[j].noise);
        let (f0, f1) = (a.g[j], b.g[j]);
        let (d0, d1) = (h * a.gdot[j], h * b.gdot[j]);
        let (e, u, v) = (f1 - f0, d0 - (f1 - f0), 2.0 * (f1 - f0) - d0 - d1);
        let off = m.g[j] - (f0 + x * (e + (1.0 - x) * (u + x * v)));
        let off_slope = h * m.gdot[j] - (e + (1.0 - 2.0 * x) * u + x * (2.0 - 3.0 * x) * v);
        let doubt = 8.0 * off.abs() + off_slope.abs();
        if doubt.is_nan() {
            return false;
        }
        let inner = [f0 + d0 / 3.0, f1 - d1 / 3.0];
        let lo = f0.min(f1).min(inner[0]).min(inner[1]);
        let hi = f0.max(f1).max(inner[0]).max(inner[1]);
        let away = noise + (hi - lo) + doubt;
        let at_rest = doubt <= noise && lo.abs().max(hi.abs()) <= noise;
        lo >= away && lo > 0.0 || -hi >= away && hi < 0.0 || at_rest
    }

    /// Equation (3), for guards without a derivative.
    fn seen<G: Guards>(&self, guards: &G, j: usize) -> bool {
        let [a, .., b] = &self.samples;
        let (f0, f1) = (a.g[j], b.g[j]);
        let Some([least, most]) = guards.glimpsed(j).filter(|_| b.gdot[j].is_nan()) else {
            return false;
        };
        let (lo, hi) = (f0.min(f1).min(least), f0.max(f1).max(most));
        let sound = !(f0.is_nan() || f1.is_nan());
        sound && lo > 0.0 && lo >= self.guards[j].noise + SEEN * (hi - lo)
    }

    /// Left to right over the step, in intervals that every guard can be decided on.
    fn sweep<T: Trajectory, G: Guards>(
        &mut self,
        dense: &T,
        guards: &mut G,
    ) -> Result<Option<Crossing>, G::Error> {
        let spent = self.evaluations;
        let t1 = dense.t1();
        let least = (16.0 * f64::EPSILON * dense.t0().abs().max(t1.abs()))
            .max(SHORTEST * (t1 - dense.t0()));
        self.last.copy(&self.samples[4]);
        loop {
            let (a, b) = (self.samples[0].t, self.samples[4].t);
            // The first inner sample of the whole step is there already.
            for &(k, x) in &INNER[usize::from(a == dense.t0() && b == t1)..] {
                self.sample(dense, guards, a + x * (b - a), k)?;
            }
            let forced = b - a <= least || self.evaluations - spent > Self::BUDGET;
            self.unresolved += u64::from(forced);
            match self.judge(dense.t0(), forced) {
                Summary::Falls => return Ok(Some(self.report_start(dense.t0()))),
                Summary::Split(x) => self.sample(dense, guards, a + x * (b - a), 4)?,
                Summary::Root(j) => return self.report_root(dense, guards, j).map(Some),
                Summary::Clear if b == t1 => return Ok(self.report_end()),
                Summary::Clear => {
                    self.samples.swap(0, 4);
                    let next = b + 2.0 * (b - a);
                    if next + 0.1 * (b - a) < t1 {
                        self.sample(dense, guards, next, 4)?;
                    } else {
                        let [.., end] = &mut self.samples;
                        end.copy(&self.last);
                    }
                }
            }
        }
    }

    /// Value that counts as zero for guard `j` at the start of an interval: a guard just reported
    /// may be further from zero than its noise when it was one of a tie.
    pub(super) fn zero(&self, j: usize) -> f64 {
        let eta = self.guards[j].noise;
        if self.samples[0].t == self.reported_at && !self.reported[j].is_nan() {
            return eta.max(2.0 * self.reported[j].abs());
        }
        eta
    }

    /// Judges all guards on the interval and says what to do next.
    fn judge(&mut self, t0: f64, forced: bool) -> Summary {
        let (a, w) = (self.samples[0].t, self.samples[4].t - self.samples[0].t);
        let (mut falls, mut split, mut root) = (false, f64::INFINITY, (f64::INFINITY, 0));
        for j in 0..self.guards.len() {
            let f = std::array::from_fn(|k| self.samples[k].g[j]);
            let slopes = std::array::from_fn(|k| self.samples[k].gdot[j] * w);
            self.unresolved += u64::from(f.iter().any(|f: &f64| f.is_nan()));
            let mut p = Portrait::new(&self.guards[j], self.zero(j), f, slopes, forced);
            if p.verdict == Verdict::Falls
                && a == t0
                && t0 == self.reported_at
                && !self.reported[j].is_nan()
            {
                p.verdict = Verdict::Clear;
            }
            match p.verdict {
                Verdict::Falls => falls = true,
                Verdict::Split(x) => split = split.min(x),
                Verdict::Root(x) if x < root.0 => root = (x, j),
                _ => {}
            }
            self.portraits[j] = p;
        }
        match (falls, split < 1.0, root.0 <= 1.0) {
            (true, _, _) => Summary::Falls,
            (_, true, _) => Summary::Split(split),
            (_, _, true) => Summary::Root(root.1),
            _ => Summary::Clear,
        }
    }

    /// Some guard falls from zero at the start of the interval.
    fn report_start(&mut self, t0: f64) -> Crossing {
        let t = self.samples[0].t;
        for (j, p) in self.portraits.iter().enumerate() {
            if p.verdict == Verdict::Falls {
                self.fired.push(j);
            }
        }
        self.last.copy(&self.samples[0]);
        self.remember(t);
        Crossing { t, at_start: t == t0 }
    }

    /// No crossing inside the last interval; perhaps one at its very end.
    fn report_end(&mut self) -> Option<Crossing> {
        for (j, p) in self.portraits.iter().enumerate() {
            if p.verdict == Verdict::EndZero {
                self.fired.push(j);
            }
        }
        if self.fired.is_empty() {
            return None;
        }
        let t = self.last.t;
        self.remember(t);
        Some(Crossing { t, at_start: false })
    }

    pub(super) fn remember(&mut self, t: f64) {
        self.reported_at = t;
        self.reported.fill(f64::NAN);
        for &j in &self.fired {
            self.reported[j] = self.last.g[j];
        }
        // The state may jump at the event: the values here are not those of the next start.
        self.last.t = f64::NAN;
    }

    /// The crossing was polished: it lies at `t`, where the guards are evaluated again.
    pub(super) fn settle<G: Guards>(
        &mut self,
        t: f64,
        y: &[f64],
        guards: &mut G,
    ) -> Result<(), G::Error> {
        self.last.gdot.fill(f64::NAN);
        self.evaluations += 1;
        guards.evaluate(t, y, &mut self.last.g, &mut self.last.gdot)?;
        self.remember(t);
        Ok(())
    }

    /// Whether a guard is beyond its zero at the polished time t of a step of length h, (2) of `polish.rs`: one that did not
    /// fire, or the leader itself.
    pub(super) fn overtaken(&self, t: f64, h: f64) -> bool {
        self.guards.iter().zip(&self.portraits).enumerate().any(|(j, (guard, p))| {
            if self.fired.iter().skip(1).any(|&tie| tie == j) {
                return false;
            }
            let (phi, own) = (p.sign * self.last.g[j], p.sign * self.last.gdot[j]);
            let (slope, tau) = match own.is_nan() {
                true => (self.chord_slope(j), UNSURE * h),
                false => (own, 16.0 * f64::EPSILON * t.abs()),
            };
            slope < 0.0 && phi < slope * tau - guard.noise
        })
    }

    /// What crosses before t on a step that ends there; if nothing does, what had fired has.
    pub(super) fn locate_before<T: Trajectory, G: Guards>(
        &mut self,
        t: f64,
        dense: &T,
        guards: &mut G,
    ) -> Result<Option<Crossing>, G::Error> {
        self.fired_before.clone_from(&self.fired);
        self.last.t = f64::NAN;
        let inside = |c: &Crossing| !c.at_start && dense.t0() < c.t && c.t < t;
        let found = self.locate(dense, guards)?.filter(inside);
        if found.is_none() {
            self.fired.clone_from(&self.fired_before);
        }
        Ok(found)
    }

    /// Noise and derivative (not turned) of the guard that led the last crossing, the derivative by
    /// the quartic if the guard supplies none.
    pub(super) fn leader(&self) -> Option<(usize, f64, f64)> {
        let &j = self.fired.first()?;
        let own = self.last.gdot[j];
        let slope = if own.is_nan() { self.portraits[j].sign * self.chord_slope(j) } else { own };
        Some((j, self.guards[j].noise, slope))
    }
}

/// What all guards together say about an interval.
enum Summary {
    Clear,
    Split(f64),
    Root(usize),
    Falls,
}
