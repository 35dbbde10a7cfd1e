//! The end of a step at an event: the step repeated, or cut short on its interpolant.
//!
//! When the interpolant will do, see [`Integrator::interpolates`]; who asks, `polish.rs`.
//!
//! # Law
//! An explicit step that is repeated shorter errs less. Rounds of a steered step may agree on other angles, or on none, at
//! another length, so that such a repetition is taken as steps are,
//! ```text
//! error ≤ 1 in units of the tolerance                                                     (1)
//! ```
//! and is the interpolant of the step that was taken, over its whole length, otherwise.
//!
//! # Tests
//! `tests/flow_events.rs`: `polish_removes_the_interpolation_error`,
//! `polish_lands_on_the_interpolant_where_that_will_do`; (1): `crates/carom/tests/hybrid_wild.rs`, struck 0 of seed 103.

use super::dense::MAX_ROWS;
use super::flow_error::FlowError;
use super::integrator::Integrator;
use super::rate::Rate;
use super::scheme::Method;

/// Last term of an interpolant, in units of the tolerance, below which the terms that it leaves out
/// do not matter.
const NEGLIGIBLE: f64 = 1e-2;
/// Round-off of an interpolant, in units of the tolerance, that does not matter.
const ROUND_OFF: f64 = 1e-3;

impl Integrator {
    /// Repeats the last step so that it ends at `t`: the state there carries the error of the
    /// integration, not of the interpolant. The step memory is not touched. `t` should lie within
    /// the step, whose error was controlled; beyond its end only by the error of a root.
    pub fn restep<R: Rate>(&mut self, rate: &mut R, t: f64) -> Result<(), FlowError<R::Error>> {
        let ahead = t > self.t0 && t.is_finite();
        if !self.stepped || !ahead {
            return Err(FlowError::OutsideStep { t, t0: self.t0, t1: self.t1 });
        }
        let (h, steered) = (self.h, self.steering.active);
        let error = self.attempt(rate, t - self.t0)?;
        self.work.resteps += 1;
        if error <= 1.0 || !steered && error.is_finite() {
            return self.finish(rate, t).map(|_| ());
        }
        if !steered || !self.attempt(rate, h)?.is_finite() {
            return Err(self.non_finite(t - self.t0));
        }
        // (1): the step that was taken says where it is. Its end is not t₁ where it was landed on before.
        self.finish(rate, self.t0 + h)?;
        self.dense(rate)?;
        self.land(rate, t)
    }

    /// Whether the interpolant may stand for the solution at `t`, in units of the tolerance there:
    /// its round-off and its last term a are at most 1e-3 and 1e-2; or, for the
    /// fifth-order method, the refined interpolant (two evaluations, it is then in place) adds a term
    /// b ≤ a/2 such that b²/a, the next of a falling series, is at most 1/4.
    pub fn interpolates<R: Rate>(
        &mut self,
        rate: &mut R,
        t: f64,
    ) -> Result<bool, FlowError<R::Error>> {
        if matches!(self.method, Method::Rk4 { .. }) {
            return Ok(false);
        }
        self.dense(rate)?;
        let n = self.y0.len();
        let x = (t - self.t0) / self.h;
        let mut y = std::mem::take(&mut self.stages.y);
        self.view().interpolate(t, &mut y);
        self.tolerance.scale(&self.y0, &y, &mut self.scale);
        self.stages.y = y;
        // A step far longer than the way to the event has rows that cancel there.
        let round_off = f64::EPSILON * self.tolerance.norm(&self.dense[..n], &self.scale);
        if round_off.is_nan() || round_off > ROUND_OFF {
            return Ok(false);
        }
        let last = (self.rows - 1) * n..self.rows * n;
        let weight = (0..self.rows).fold(1.0, |w, r| w * if r % 2 == 0 { x } else { 1.0 - x });
        let size = weight * self.tolerance.norm(&self.dense[last.clone()], &self.scale);
        if size <= NEGLIGIBLE || self.method != Method::DormandPrince || self.steering.active {
            return Ok(size <= NEGLIGIBLE);
        }
        let spare = (MAX_ROWS - 1) * n;
        self.dense.copy_within(last, spare);
        self.refined(rate)?;
        let mut m = self.tolerance.measure();
        for (i, &s) in self.scale.iter().enumerate() {
            let new = self.dense[3 * n + i] + x * self.dense[4 * n + i];
            m.add(weight * (new - self.dense[spare + i]), s);
        }
        // Terms of falling size: what the refined interpolant leaves out is the next of them.
        let (term, next) = (m.value(), m.value() * m.value() / size);
        Ok(term <= 0.5 * size && next <= 0.25)
    }

    /// Cuts the last step short at `t`, with the state of the interpolant, projected. The
    /// interpolant stays as it is.
    pub fn land<R: Rate>(&mut self, rate: &mut R, t: f64) -> Result<(), FlowError<R::Error>> {
        if !self.stepped || self.rows == 0 || !(t > self.t0 && t.is_finite()) {
            return Err(FlowError::OutsideStep { t, t0: self.t0, t1: self.t1 });
        }
        let mut y = std::mem::take(&mut self.stages.y);
        self.view().interpolate(t, &mut y);
        self.stages.y = std::mem::replace(&mut self.y1, y);
        (self.t1, self.end_rate) = (t, false);
        let moved = rate.project(t, &mut self.y1);
        moved.map_err(|source| FlowError::Rate { t, source })?;
        Ok(())
    }

    /// Moves the end of the last step by a tiny `dt` along the rate there, y₁ ← y₁ + dt f₁, with an
    /// error of dt²‖ÿ‖/2. Meant for dt below 1e-8 h, where that is less than round-off.
    pub fn slide<R: Rate>(&mut self, rate: &mut R, dt: f64) -> Result<(), FlowError<R::Error>> {
        if self.rows > 0 {
            // Landed on the interpolant: its rate will do.
            let mut f = std::mem::take(&mut self.stages.y);
            self.view().rate(self.t1, &mut f);
            self.y1.iter_mut().zip(&f).for_each(|(y, f)| *y += dt * f);
            self.stages.y = f;
            self.t1 += dt;
            return Ok(());
        }
        if !self.end_rate {
            self.evaluate_end(rate)?;
        }
        let end = self.method.end();
        for (y, f) in self.y1.iter_mut().zip(self.stages.k(end)) {
            *y += dt * f;
        }
        self.t1 += dt;
        self.h = self.t1 - self.t0;
        Ok(())
    }
}
