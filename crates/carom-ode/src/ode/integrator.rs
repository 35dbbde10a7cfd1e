//! One step of smooth motion at a time: adaptive, with dense output, restartable.
//!
//! # Law
//! A step from (t₀, y₀) of length h is accepted if its error norm (`tolerance.rs`) is at most 1, and its projection moves it by
//! at most [`STRAYED`] in the same norm: a motion that has left its constraints by more than its error has not followed them.
//! Otherwise it is repeated shorter (`step_control.rs`).
//!
//! # Assumptions
//! The rate is smooth within a step; kinks are to be located as events and restarted from.
//!
//! # Limits
//! - A rate that is NaN or infinite inside a trial step shortens the step fourfold; only when this
//!   leads to h < 16 spacings of t is [`FlowError::NonFinite`] returned.
//! - After a projection the rate at the end is re-evaluated only if the state moved by more than
//!   [`FSAL_DISPLACEMENT`] in the error norm: below it the stale rate changes the next step by less
//!   than that share of its own tolerance (for h‖∂f/∂y‖ ≤ 1).
//! - Nothing is allocated after [`Integrator::new`].
//!
//! # Tests
//! `tests/flow_orders.rs`, `tests/flow_steps.rs`.

use super::dense::{Dense, MAX_ROWS, hermite_rows};
use super::dormand_prince;
use super::first_step::{Start, first_step};
use super::flow_error::FlowError;
use super::rate::{Projection, Rate};
use super::scheme::Method;
use super::stages::Stages;
use super::steered::{NODES, Steering};
use super::step_control::StepControl;
use super::tolerance::{Tolerance, ToleranceError};

/// Largest displacement by a projection, in units of the tolerance, for which the rate at the end
/// of the step is kept.
pub const FSAL_DISPLACEMENT: f64 = 1e-3;

/// Displacement by a projection, in units of the tolerance, beyond which a step is repeated shorter: far more than errors within
/// the tolerance leave, also where constraints are nearly redundant.
pub const STRAYED: f64 = 1e3;

/// An accepted step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Start, s.
    pub t0: f64,
    /// End, s.
    pub t1: f64,
    /// Error norm in units of the tolerance; 0 for the fixed-step method, which has no estimate.
    pub error: f64,
}

/// What the integration has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected trial steps.
    pub rejected: u64,
    /// Those among them whose end was too far off the constraints.
    pub strayed: u64,
    /// Steps repeated to end at an event.
    pub resteps: u64,
    /// Evaluations of the right-hand side.
    pub rates: u64,
    /// Projections that moved the state.
    pub projections: u64,
}

/// State, stages and step memory of one integration.
#[derive(Debug, Clone)]
pub struct Integrator {
    pub(super) method: Method,
    pub(super) tolerance: Tolerance,
    pub(super) control: StepControl,
    pub(super) stages: Stages,
    pub(super) max_step: f64,
    pub(super) t0: f64,
    pub(super) y0: Vec<f64>,
    pub(super) t1: f64,
    pub(super) y1: Vec<f64>,
    /// Length of the step that the stages belong to; an event may have cut it short.
    pub(super) h: f64,
    pub(super) scale: Vec<f64>,
    /// The rate at (t₁, y₁) is in stage `end`.
    pub(super) end_rate: bool,
    /// (t₀, y₀) and the stages describe a step to (t₁, y₁).
    pub(super) stepped: bool,
    pub(super) dense: Vec<f64>,
    pub(super) rows: usize,
    pub(super) steering: Steering,
    pub(super) work: Work,
}

impl Integrator {
    /// An integrator for states of `tolerance.len()` components. It holds no state yet.
    pub fn new(method: Method, tolerance: Tolerance) -> Result<Self, ToleranceError> {
        method.validate()?;
        let n = tolerance.len();
        Ok(Self {
            method,
            control: StepControl::new(method.control()),
            stages: Stages::new(n, method.stages()),
            max_step: f64::INFINITY,
            t0: f64::NAN,
            y0: vec![f64::NAN; n],
            t1: f64::NAN,
            y1: vec![f64::NAN; n],
            h: f64::NAN,
            scale: vec![0.0; n],
            end_rate: false,
            stepped: false,
            dense: vec![0.0; MAX_ROWS * n],
            rows: 0,
            steering: Steering::default(),
            work: Work::default(),
            tolerance,
        })
    }

    /// Starts anew from (t, y): after construction, or after an event changed the state. The step
    /// length and the error memory are kept.
    pub fn restart<E>(&mut self, t: f64, y: &[f64]) -> Result<(), FlowError<E>> {
        if y.len() != self.y1.len() {
            return Err(FlowError::StateSize { expected: self.y1.len(), found: y.len() });
        }
        if let Some(component) = y.iter().position(|x| !x.is_finite()) {
            return Err(FlowError::BadState { t, component, value: y[component] });
        }
        if !t.is_finite() {
            return Err(FlowError::NotAhead { t, bound: t });
        }
        self.t1 = t;
        self.y1.copy_from_slice(y);
        self.end_rate = false;
        self.stepped = false;
        self.rows = 0;
        Ok(())
    }

    /// Starts anew as [`Integrator::restart`], with the rate at (t, y) known.
    pub fn restart_with_rate<E>(
        &mut self,
        t: f64,
        y: &[f64],
        fill: impl FnOnce(&mut [f64]),
    ) -> Result<(), FlowError<E>> {
        self.restart(t, y)?;
        let end = self.method.end();
        fill(self.stages.k_mut(end));
        // One that is not finite is evaluated again, to be named where it is met.
        self.end_rate = self.stages.k(end).iter().all(|f| f.is_finite());
        Ok(())
    }

    /// Forgets the step length, as for an unrelated motion.
    #[inline]
    pub fn forget_step(&mut self) {
        self.control.set_next(None);
    }

    /// Sets the length of the next step to try, s, instead of a search for it.
    #[inline]
    pub fn suggest_step(&mut self, h: f64) {
        self.control.set_next((h > 0.0).then_some(h));
    }

    /// Bounds every step, s. Infinite by default.
    #[inline]
    pub fn set_max_step(&mut self, h: f64) {
        self.max_step = if h > 0.0 { h } else { f64::INFINITY };
    }

    /// The bound on every step, s.
    #[inline]
    pub fn max_step(&self) -> f64 {
        self.max_step
    }

    /// The step length remembered for the next step, if any.
    #[inline]
    pub fn next_step(&self) -> Option<f64> {
        self.control.next()
    }

    /// Time of the state, s.
    #[inline]
    pub fn t(&self) -> f64 {
        self.t1
    }

    /// Start of the last step, s; NaN before the first.
    #[inline]
    pub fn step_start(&self) -> f64 {
        self.t0
    }

    /// The state at the end of the last step.
    #[inline]
    pub fn y(&self) -> &[f64] {
        &self.y1
    }

    /// The rate at the state, if it is known.
    pub fn rate(&self) -> Option<&[f64]> {
        self.end_rate.then(|| self.stages.k(self.method.end()))
    }

    /// The method in use.
    #[inline]
    pub fn method(&self) -> Method {
        self.method
    }

    /// The tolerances in use.
    #[inline]
    pub fn tolerance(&self) -> &Tolerance {
        &self.tolerance
    }

    /// What the integration has cost so far.
    #[inline]
    pub fn work(&self) -> Work {
        Work { rates: self.stages.evaluations, ..self.work }
    }

    /// Takes one step towards `bound` and not beyond; the end meets `bound` exactly when reached.
    pub fn advance<R: Rate>(
        &mut self,
        rate: &mut R,
        bound: f64,
    ) -> Result<Step, FlowError<R::Error>> {
        if !(bound > self.t1 && bound.is_finite()) {
            return Err(FlowError::NotAhead { t: self.t1, bound });
        }
        self.begin(rate)?;
        let mut proposed = self.propose(rate, bound)?;
        // A step that only its bound cut short says nothing against a longer one.
        let mut wanted = self.control.next().unwrap_or(proposed).max(proposed);
        loop {
            let (h, t1) = self.clip(proposed, bound);
            if h <= 0.0 {
                return Err(self.underflow(proposed, f64::INFINITY));
            }
            let mut error = self.attempt(rate, h)?;
            if error <= 1.0 {
                let strayed = self.finish(rate, t1)?;
                if strayed <= STRAYED || matches!(self.method, Method::Rk4 { .. }) {
                    self.control.accept(error, h, wanted);
                    self.work.steps += 1;
                    return Ok(Step { t0: self.t0, t1, error });
                }
                error = self.take_back(strayed);
                self.work.strayed += 1;
            }
            self.work.rejected += 1;
            proposed = self.shorter(error, h)?;
            wanted = proposed;
        }
    }

    /// The solution within the last step, built on first demand: free for the fifth-order and the
    /// fixed-step method, three evaluations for the eighth-order one.
    pub fn dense<R: Rate>(&mut self, rate: &mut R) -> Result<Dense<'_>, FlowError<R::Error>> {
        if !self.stepped {
            return Err(FlowError::OutsideStep { t: self.t1, t0: self.t1, t1: self.t1 });
        }
        if self.rows == 0 {
            self.build_dense(rate)?;
        }
        Ok(self.view())
    }

    /// As [`Integrator::dense`], with the interpolant raised to order 5 for the fifth-order method
    /// at the cost of two evaluations.
    pub fn refined<R: Rate>(&mut self, rate: &mut R) -> Result<Dense<'_>, FlowError<R::Error>> {
        self.dense(rate)?;
        if self.method == Method::DormandPrince && self.rows == 4 {
            let view = Dense {
                t0: self.t0,
                t1: self.t1,
                h: self.h,
                y0: &self.y0,
                y1: &self.y1,
                rows: self.rows,
                coefficients: &self.dense,
            };
            dormand_prince::evaluate_nodes(rate, &view, &mut self.stages)?;
            dormand_prince::refined_rows(&self.stages, self.h, &mut self.dense);
            self.rows = 5;
        }
        Ok(self.view())
    }

    #[inline]
    pub(super) fn view(&self) -> Dense<'_> {
        Dense {
            t0: self.t0,
            t1: self.t1,
            h: self.h,
            y0: &self.y0,
            y1: &self.y1,
            rows: self.rows,
            coefficients: &self.dense,
        }
    }

    /// Makes the end of the last step the start of the next one, with its rate.
    fn begin<R: Rate>(&mut self, rate: &mut R) -> Result<(), FlowError<R::Error>> {
        self.steering.forget();
        let end = self.method.end();
        if !self.end_rate {
            self.evaluate_end(rate)?;
        }
        self.stages.copy(end, 0);
        self.t0 = self.t1;
        self.y0.copy_from_slice(&self.y1);
        self.stepped = false;
        self.rows = 0;
        Ok(())
    }

    /// Evaluates the rate at the end of the last step; it must be finite.
    pub(super) fn evaluate_end<R: Rate>(
        &mut self,
        rate: &mut R,
    ) -> Result<(), FlowError<R::Error>> {
        let end = self.method.end();
        self.stages.evaluate_at(rate, self.t1, &self.y1, end)?;
        if let Some(component) = self.stages.k(end).iter().position(|f| !f.is_finite()) {
            let value = self.stages.k(end)[component];
            return Err(FlowError::NonFinite { t: self.t1, h: 0.0, component, value });
        }
        self.end_rate = true;
        Ok(())
    }

    /// The step to try first.
    fn propose<R: Rate>(&mut self, rate: &mut R, bound: f64) -> Result<f64, FlowError<R::Error>> {
        if let Method::Rk4 { step } = self.method {
            return Ok(step.min(self.max_step));
        }
        if self.control.next().is_none() {
            let start = Start {
                t: self.t0,
                y: &self.y0,
                span: (bound - self.t0).min(self.max_step),
                order: self.method.order(),
                tolerance: &self.tolerance,
            };
            let h = first_step(rate, &start, &mut self.stages, &mut self.scale)?;
            self.control.set_next(Some(h));
        }
        Ok(self.control.next().unwrap_or(self.max_step).min(self.max_step))
    }

    /// The step actually taken and its end. A remainder below 1 % of a step is not left over.
    fn clip(&self, proposed: f64, bound: f64) -> (f64, f64) {
        let left = bound - self.t0;
        if 1.01 * proposed >= left {
            return (left, bound);
        }
        // h is what t really advances by.
        let t1 = self.t0 + proposed;
        (t1 - self.t0, t1)
    }

    /// Tries a step of length `h`; the result is in `stages.y`. Returns the error norm.
    pub(super) fn attempt<R: Rate>(
        &mut self,
        rate: &mut R,
        h: f64,
    ) -> Result<f64, FlowError<R::Error>> {
        // The rows of the interpolant serve as scratch; they are built anew after each step.
        (self.end_rate, self.rows, self.steering.active) = (false, 0, false);
        if rate.unknowns() > 0 && !matches!(self.method, Method::Rk4 { .. }) {
            return self.attempt_steered(rate, h);
        }
        let st = &mut self.stages;
        self.method.step(rate, (self.t0, h), &self.y0, st)?;
        // An infinite state scales its own error to nothing; it must not pass.
        if !st.y.iter().all(|y| y.is_finite()) {
            return Ok(f64::NAN);
        }
        self.tolerance.scale(&self.y0, &st.y, &mut self.scale);
        let scratch = &mut self.dense;
        Ok(self.method.error_norm(st, h, &self.tolerance, &self.scale, scratch))
    }

    /// The step that has been taken over is none: the state is that of its start. Returns its error.
    fn take_back(&mut self, strayed: f64) -> f64 {
        (self.t1, self.end_rate, self.stepped) = (self.t0, false, false);
        self.y1.copy_from_slice(&self.y0);
        strayed
    }

    /// Takes over the trial result, projects it and makes sure of its rate. Returns by how much the projection moved it, in
    /// units of the tolerance.
    pub(super) fn finish<R: Rate>(
        &mut self,
        rate: &mut R,
        t1: f64,
    ) -> Result<f64, FlowError<R::Error>> {
        self.t1 = t1;
        self.h = t1 - self.t0;
        std::mem::swap(&mut self.y1, &mut self.stages.y);
        self.end_rate = self.method.evaluates_end() || self.steering.active;
        if self.steering.active {
            self.stages.copy(NODES, self.method.end());
        }
        self.stepped = true;
        self.rows = 0;
        self.stages.y.copy_from_slice(&self.y1);
        let moved =
            rate.project(t1, &mut self.y1).map_err(|source| FlowError::Rate { t: t1, source })?;
        if moved == Projection::Moved {
            self.work.projections += 1;
            let mut m = self.tolerance.measure();
            self.tolerance.scale(&self.y0, &self.y1, &mut self.scale);
            for (i, &s) in self.scale.iter().enumerate() {
                m.add(self.y1[i] - self.stages.y[i], s);
            }
            self.end_rate &= m.value() <= FSAL_DISPLACEMENT;
            return Ok(m.value());
        }
        Ok(0.0)
    }

    /// A shorter step after a rejection, or the reason why there is none.
    fn shorter<E>(&mut self, error: f64, h: f64) -> Result<f64, FlowError<E>> {
        let shortest = 16.0 * f64::EPSILON * self.t0.abs().max(crate::thresholds::VANISHES);
        if matches!(self.method, Method::Rk4 { .. }) {
            return Err(self.non_finite(h));
        }
        if !error.is_finite() {
            let next = self.control.reject_blindly(h);
            return if next < shortest { Err(self.non_finite(h)) } else { Ok(next) };
        }
        let (component, value, scale) = self.worst(h);
        if scale < f64::EPSILON * value.abs() {
            return Err(FlowError::ToleranceUnreachable { t: self.t0, component, value, scale });
        }
        let next = self.control.reject(error, h);
        if next < shortest {
            return Err(self.underflow(h, error));
        }
        Ok(next)
    }

    fn underflow<E>(&self, h: f64, error: f64) -> FlowError<E> {
        let (component, value, _) = self.worst(h);
        FlowError::StepUnderflow { t: self.t0, h, error, component, value }
    }

    /// Component with the largest scaled error, its value and its scale.
    fn worst(&self, h: f64) -> (usize, f64, f64) {
        let mut worst = (0, -1.0);
        for (i, &s) in self.scale.iter().enumerate() {
            let e = self.method.error_of(&self.stages, h, i);
            let r = if e == 0.0 { 0.0 } else { (e / s).abs() };
            if r > worst.1 {
                worst = (i, r);
            }
        }
        (worst.0, self.y0[worst.0], self.scale[worst.0])
    }

    /// Names the first stage rate that is not finite.
    pub(super) fn non_finite<E>(&self, h: f64) -> FlowError<E> {
        for s in 1..self.method.end() {
            if let Some(component) = self.stages.k(s).iter().position(|f| !f.is_finite()) {
                return FlowError::NonFinite {
                    t: self.t0,
                    h,
                    component,
                    value: self.stages.k(s)[component],
                };
            }
        }
        let component = self.stages.y.iter().position(|y| !y.is_finite()).unwrap_or(0);
        FlowError::NonFinite { t: self.t0, h, component, value: self.stages.y[component] }
    }

    fn build_dense<R: Rate>(&mut self, rate: &mut R) -> Result<(), FlowError<R::Error>> {
        if !self.end_rate {
            self.evaluate_end(rate)?;
        }
        let h = self.h;
        if self.steering.active {
            let n = self.y0.len();
            let rates = [self.stages.k(0), self.stages.k(self.method.end())];
            hermite_rows(h, [&self.y0, &self.y1], rates, &mut self.dense[..3 * n]);
            self.steered_rows();
            self.rows = MAX_ROWS;
            return Ok(());
        }
        self.method.dense_stages(rate, (self.t0, h), &self.y0, &mut self.stages)?;
        let ends: [&[f64]; 2] = [&self.y0, &self.y1];
        self.rows = self.method.dense_rows(&self.stages, h, ends, &mut self.dense);
        Ok(())
    }
}
