//! The first zero crossing of many guards within one step.
//!
//! # Law
//! Sought is the least t in the half-open step (t₀, t₁] at which a guard g(t, u(t)) on the dense
//! output u passes through zero in its direction. The step is swept from left to right in
//! intervals; on each one every guard is sampled at five points and judged (`verdict.rs`). An
//! undecided interval is split, at the minimum of the interpolant if there is one inside, else in
//! the middle. When every guard is decided and some have a root, the first is refined by Newton's
//! method within its bracket.
//! ```text
//! quick:   bₖ of the cubic Hermite of g on the step all > η and min bₖ ≥ max bₖ − min bₖ   (1)
//! tie:     |φⱼ(t*)| ≤ ηⱼ + |φ̇ⱼ| τ,  φ̇ⱼ < 0,  τ = 16 ε max(|t₀|,|t₁|) + η/|φ̇|          (2)
//! ```
//! (1) spares the samples for guards far from zero that supply ġ: to be wrong, the guard would have
//! to leave its cubic by more than the cubic's whole variation. (2) makes simultaneous zeros one
//! event; φ, η without index belong to the guard that crosses first.
//!
//! # Guarantee
//! A crossing, a double crossing included, is missed only if the guard violates the decay of
//! coefficients assumed in `quartic.rs` on the very interval where it crosses, or by (1). A dip that
//! stays above −η is no crossing. A step that needs more than [`Locator::BUDGET`] evaluations (a
//! guard that is not smooth, or noisier than its η) is decided by the signs at the ends of the
//! intervals then reached, and counted in [`Locator::unresolved`].
//!
//! # The start
//! A zero at t₀ belongs to the step before. A guard that is zero at t₀ and falls from there is
//! reported at t₀ with `at_start`, unless the preceding crossing at this very t₀ has reported it
//! already: a state that would penetrate is never passed over in silence, and a crossing that
//! was seen and let pass is not seen twice.
//!
//! # Limits
//! Times are those of the dense output; `polish.rs` removes the interpolation error. Nothing is
//! allocated after [`Locator::arm`] has seen the largest number of guards.
//!
//! # Tests
//! `tests/flow_events.rs`.

use super::dense::Dense;
use super::guard::{Guard, Guards};
use super::quartic::INNER;
use super::verdict::{Portrait, Verdict};

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
struct Sample {
    t: f64,
    g: Vec<f64>,
    gdot: Vec<f64>,
}

impl Sample {
    fn resize(&mut self, n: usize) {
        self.t = f64::NAN;
        self.g.resize(n, 0.0);
        self.gdot.resize(n, 0.0);
    }

    fn copy(&mut self, other: &Sample) {
        self.t = other.t;
        self.g.copy_from_slice(&other.g);
        self.gdot.copy_from_slice(&other.gdot);
    }
}

/// Finds crossings; holds all scratch.
#[derive(Debug, Clone)]
pub struct Locator {
    guards: Vec<Guard>,
    /// Start of the interval, its three inner points, its end.
    samples: [Sample; 5],
    /// End of the step.
    last: Sample,
    portraits: Vec<Portrait>,
    y: Vec<f64>,
    fired: Vec<usize>,
    /// Time of the last crossing, and the values then of the guards it reported, else NaN.
    reported_at: f64,
    reported: Vec<f64>,
    evaluations: u64,
    unresolved: u64,
}

impl Locator {
    /// Evaluations in one step after which the ends of the intervals decide.
    pub const BUDGET: u64 = 2000;

    /// A locator for states of `n` components, without guards yet.
    pub fn new(n: usize) -> Self {
        Self {
            guards: Vec::new(),
            samples: Default::default(),
            last: Sample::default(),
            portraits: Vec::new(),
            y: vec![0.0; n],
            fired: Vec::new(),
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
        self.reported.clear();
        self.reported.resize(n, f64::NAN);
        self.reported_at = f64::NAN;
    }

    /// The state at the end of the last step was changed: evaluate the guards there again.
    pub fn refresh(&mut self) {
        self.last.t = f64::NAN;
    }

    /// Guards that crossed together at the last crossing; the first of them led.
    pub fn fired(&self) -> &[usize] {
        &self.fired
    }

    /// Values of all guards at the last crossing or, if there was none, at the end of the step.
    pub fn values(&self) -> &[f64] {
        &self.last.g
    }

    /// Derivatives belonging to [`Locator::values`]; NaN where a guard supplies none.
    pub fn slopes(&self) -> &[f64] {
        &self.last.gdot
    }

    /// Evaluations of the guards so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Intervals so far that were decided by their ends alone.
    pub fn unresolved(&self) -> u64 {
        self.unresolved
    }

    /// The first crossing on the step described by `dense`, if any.
    pub fn locate<G: Guards>(
        &mut self,
        dense: &Dense<'_>,
        guards: &mut G,
    ) -> Result<Option<Crossing>, G::Error> {
        self.fired.clear();
        if self.guards.is_empty() {
            return Ok(None);
        }
        if self.last.t == dense.t0 {
            std::mem::swap(&mut self.samples[0], &mut self.last);
        } else {
            self.sample(dense, guards, dense.t0, 0)?;
        }
        self.sample(dense, guards, dense.t1, 4)?;
        if self.quick() {
            self.last.copy(&self.samples[4]);
            return Ok(None);
        }
        self.sweep(dense, guards)
    }

    /// Evaluates all guards on the dense output at `t` into sample `k`.
    fn sample<G: Guards>(
        &mut self,
        dense: &Dense<'_>,
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

    /// Equation (1) for all guards.
    fn quick(&self) -> bool {
        let [a, .., b] = &self.samples;
        let third = (b.t - a.t) / 3.0;
        self.guards.iter().enumerate().all(|(j, guard)| {
            let inner = [a.g[j] + third * a.gdot[j], b.g[j] - third * b.gdot[j]];
            if inner[0].is_nan() || inner[1].is_nan() {
                return false;
            }
            let lo = a.g[j].min(b.g[j]).min(inner[0]).min(inner[1]);
            let hi = a.g[j].max(b.g[j]).max(inner[0]).max(inner[1]);
            let spread = hi - lo;
            let away = lo > guard.noise && lo >= spread || hi < -guard.noise && -hi >= spread;
            away || lo >= -guard.noise && hi <= guard.noise
        })
    }

    /// Left to right over the step, in intervals that every guard can be decided on.
    fn sweep<G: Guards>(
        &mut self,
        dense: &Dense<'_>,
        guards: &mut G,
    ) -> Result<Option<Crossing>, G::Error> {
        let spent = self.evaluations;
        let t1 = dense.t1;
        let least =
            (16.0 * f64::EPSILON * dense.t0.abs().max(t1.abs())).max(1e-13 * (t1 - dense.t0));
        self.last.copy(&self.samples[4]);
        loop {
            let (a, b) = (self.samples[0].t, self.samples[4].t);
            for (k, x) in INNER {
                self.sample(dense, guards, a + x * (b - a), k)?;
            }
            let forced = b - a <= least || self.evaluations - spent > Self::BUDGET;
            self.unresolved += u64::from(forced);
            match self.judge(dense.t0, forced) {
                Summary::Falls => return Ok(Some(self.report_start(dense.t0))),
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
    fn zero(&self, j: usize) -> f64 {
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
            let slopes = [self.samples[0].gdot[j] * w, self.samples[4].gdot[j] * w];
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
        Crossing {
            t,
            at_start: t == t0,
        }
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

    /// Every guard has at most one root in the interval: refines the first and collects its ties.
    fn report_root<G: Guards>(
        &mut self,
        dense: &Dense<'_>,
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
        let slope = if s.gdot[k].is_nan() {
            self.chord_slope(k)
        } else {
            p.sign * s.gdot[k]
        };
        (p.sign * s.g[k], slope)
    }

    /// Derivative of the turned guard at the crossing by its quartic.
    fn chord_slope(&self, k: usize) -> f64 {
        let (a, w) = (self.samples[0].t, self.width());
        self.portraits[k]
            .quartic
            .slope(((self.samples[4].t - a) / w).clamp(0.0, 1.0))
            / w
    }

    /// Length of the interval the portraits belong to, from an inner sample, since sample 4 moves
    /// while a root is refined.
    fn width(&self) -> f64 {
        2.0 * (self.samples[2].t - self.samples[0].t)
    }

    /// Equation (2): how far from zero guard `k` may be to be one event with guard `j`.
    fn tie(&self, k: usize, j: usize, dense: &Dense<'_>) -> f64 {
        let spacing = 16.0 * f64::EPSILON * dense.t0.abs().max(dense.t1.abs());
        let tau = spacing + self.guards[j].noise / self.turned(j).1.abs().max(f64::MIN_POSITIVE);
        let (_, slope) = self.turned(k);
        self.guards[k].noise + slope.abs() * tau.min(1e-9 * self.width())
    }

    /// Newton's method for guard `j` between the start of the interval and `hi`, within a bracket;
    /// a zero at the start is divided out. Leaves the values at the root in sample 4.
    fn refine<G: Guards>(
        &mut self,
        dense: &Dense<'_>,
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
        let mut t = if guess > lo && guess < hi {
            guess
        } else {
            0.5 * (lo + hi)
        };
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
            let raw = if supplied.is_nan() {
                self.chord_slope(j)
            } else {
                supplied
            };
            let slope = match (supplied.is_nan(), deflate) {
                (true, _) if !before.0.is_nan() => (f - before.1) / (t - before.0),
                (_, true) => (raw - f) / x,
                (_, false) => raw,
            };
            before = (t, f);
            let newton = t - f / slope;
            let next = if newton > lo && newton < hi {
                newton
            } else {
                0.5 * (lo + hi)
            };
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

    fn remember(&mut self, t: f64) {
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

    /// Noise and derivative (not turned) of the guard that led the last crossing, the derivative by
    /// the quartic if the guard supplies none.
    pub(super) fn leader(&self) -> Option<(usize, f64, f64)> {
        let &j = self.fired.first()?;
        let own = self.last.gdot[j];
        let slope = if own.is_nan() {
            self.portraits[j].sign * self.chord_slope(j)
        } else {
            own
        };
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
