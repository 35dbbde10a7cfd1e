//! Solves the sparse problem and says how.
//!
//! # The order of attempts
//! 1. a few sweeps from the forces given, which are those of the step before;
//! 2. Newton's method on slightly soft contacts from there, the softness taken back by proximal steps;
//! 3. the same from nothing, with a softness that falls from that of contacts which hardly feel each other;
//! 4. friction raised from zero, each answer being the guess of the next;
//! 5. sweeps, as many as are allowed.
//!
//! 2 to 4 need a factor of (3) of the parent; where that would cost more than the effort allows, there are sweeps
//! alone. With more than `EXACT` contacts accelerated sweeps and proximal
//! steps of a softness that follows Newton's method take turns first, `ROUNDS` times; with more than `EVERY` there is
//! nothing else. The best of all attempts is returned with its residual; what will do is for the caller to say.
//!
//! Contacts that slip in the answer for μs get μd, and the problem is solved again: see [`crate::coulomb::solver`].

use super::accelerate::Anderson;
use super::certificate::{residual, scale};
use super::newton::Newton;
use super::problem::SparseProblem;
use super::sweep::{Softness, sweep};
use crate::coulomb::mode::norm;
use crate::coulomb::problem::Duty;
use crate::coulomb::solved::{Method, Solved};
use crate::numeric::thresholds::sparse::{FALL, PROXIMAL, RISE};
use crate::numeric::thresholds::{ACCEPTED, SOFT, SOLVED, STILL};

/// Turns of sweeps and Newton's method with many contacts.
const ROUNDS: usize = 4;
/// Contacts up to which Newton's method comes first.
const EXACT: usize = 64;
/// Contacts up to which every attempt is made in the end.
const EVERY: usize = 256;
/// Softness of the first stage of 3, in units of the largest Gᵢᵢ.
const SOFT_START: f64 = 1.0;
/// By what the softness falls from stage to stage, and more slowly where that fails.
const FALLS: [f64; 2] = [0.3, 0.7];
/// Proximal steps.
const PROXIMAL_STEPS: usize = 12;
/// Sweeps before Newton's method.
const SPEAKING: usize = 10;
/// Sweeps before Newton's method at one softness, more of them where it fails.
const MORE: [usize; 3] = [10, 100, 400];
/// Steps in which friction is raised.
const RAISES: usize = 10;

/// How much may be done for an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Residual that is good enough.
    pub target: f64,
    /// Sweeps over all contacts.
    pub sweeps: usize,
    /// Multiplications that one factorisation may take.
    pub factor: f64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { target: SOLVED, sweeps: 10_000, factor: 1e9 }
    }
}

/// The solver with all its buffers.
#[derive(Debug, Clone, Default)]
pub struct SparseSolver {
    newton: Newton,
    learned: Anderson,
    before: Vec<f64>,
    mu: Vec<f64>,
    part_mu: Vec<f64>,
    s: Vec<f64>,
    w: Vec<f64>,
    trial: Vec<f64>,
    about: Vec<f64>,
    best: f64,
    swept: u64,
}

impl SparseSolver {
    /// Forces into x, whose values are the first guess; zero ones if it has another length.
    pub fn solve(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut Vec<f64>) -> Solved {
        if x.len() != problem.rows() || x.iter().any(|x| !x.is_finite()) {
            x.clear();
            x.resize(problem.rows(), 0.0);
        }
        let coulomb = |duty| duty == Duty::Coulomb;
        self.mu.clear();
        self.mu.extend(
            problem
                .contacts
                .iter()
                .map(|c| if coulomb(c.duty) { c.static_friction } else { c.friction }),
        );
        loop {
            let by = self.solve_fixed(problem, effort, x);
            self.velocity(problem, x);
            let small = STILL * scale(problem, &self.w);
            let mut changed = false;
            for (k, c) in problem.contacts.iter().enumerate() {
                let slips = self.best > effort.target.max(SOLVED)
                    || norm(&self.w[c.tangent_rows()]) > small;
                if coulomb(c.duty) && slips && self.mu[k] > c.friction {
                    self.mu[k] = c.friction;
                    changed = true;
                }
            }
            if !changed {
                let residual = residual(problem, x, &self.w);
                return Solved { by, residual, softness: 0.0, unique: true };
            }
        }
    }

    /// w of the last answer.
    pub fn w(&self) -> &[f64] {
        &self.w
    }

    /// Change of velocity of the last answer, s = Zᵀ x.
    pub fn s(&self) -> &[f64] {
        &self.s
    }

    /// Sweeps and Newton steps so far.
    pub fn work(&self) -> (u64, u64) {
        (self.swept, self.newton.steps)
    }

    fn velocity(&mut self, problem: &SparseProblem, x: &[f64]) {
        problem.gather(x, &mut self.s);
        problem.velocity(&self.s, &mut self.w);
    }

    /// One coefficient of friction per contact; what was needed.
    fn solve_fixed(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) -> Method {
        if problem.rows() == 0 {
            self.best = 0.0;
            return Method::Nothing;
        }
        self.velocity(problem, x);
        self.best = self.judge(problem, x);
        if self.best <= effort.target {
            return Method::Continued;
        }
        self.trial.clear();
        self.trial.extend_from_slice(x);
        if problem.contacts.len() > EXACT {
            let by = self.solve_many(problem, effort, x);
            let solved = self.best <= effort.target.max(ACCEPTED);
            if solved || problem.contacts.len() > EVERY {
                return by;
            }
            self.trial.clear();
            self.trial.extend_from_slice(x);
        }
        if !self.newton.factor.analyse(problem, effort.factor) {
            self.sweep_on(problem, effort.sweeps, (effort, x));
            return Method::Sweeps;
        }
        self.sweep_some(problem, SPEAKING, &Softness::NONE);
        self.keep(problem, x);
        type Try = fn(&mut SparseSolver, &SparseProblem, &Effort, &mut [f64]);
        let attempts: [(Method, Try); 5] = [
            (Method::Newton, Self::resume),
            (Method::Newton, Self::soften),
            (Method::Newton, Self::soften_slowly),
            (Method::Continuation, Self::raise_friction),
            (Method::Sweeps, Self::sweep_all),
        ];
        let mut by = Method::Sweeps;
        for (i, (method, attempt)) in attempts.into_iter().enumerate() {
            // Beyond the first two an attempt costs more than the last digits of an answer are worth.
            let enough = if i < 2 { effort.target } else { effort.target.max(ACCEPTED) };
            if self.best <= enough {
                break;
            }
            attempt(self, problem, effort, x);
            by = method;
        }
        by
    }

    /// The residual of x with the friction at hand; w must belong to it.
    fn judge(&self, problem: &SparseProblem, x: &[f64]) -> f64 {
        residual(problem, x, &self.w).max(self.excess(problem, x))
    }

    /// By how much friction exceeds the coefficients at hand: μs is for contacts that stick, but the certificate
    /// allows μd to those that slip and μs to those that stick, whichever are meant.
    fn excess(&self, problem: &SparseProblem, x: &[f64]) -> f64 {
        let velocity = scale(problem, &self.w);
        let mut worst = 0.0_f64;
        for (k, c) in problem.contacts.iter().enumerate() {
            if c.duty == Duty::Coulomb && self.mu[k] < c.static_friction {
                let g = problem.grip(k).max(problem.diagonal(c.normal()));
                let over = norm(&x[c.tangent_rows()]) - self.mu[k] * x[c.normal()];
                worst = worst.max(over * g / velocity);
            }
        }
        worst
    }

    /// Keep the trial if it is better.
    fn keep(&mut self, problem: &SparseProblem, x: &mut [f64]) {
        let trial = std::mem::take(&mut self.trial);
        self.velocity(problem, &trial);
        let found = self.judge(problem, &trial);
        if found < self.best {
            self.best = found;
            x.copy_from_slice(&trial);
        }
        self.trial = trial;
    }

    fn sweep_some(&mut self, problem: &SparseProblem, count: usize, soft: &Softness<'_>) {
        problem.gather(&self.trial, &mut self.s);
        for i in 0..count {
            let backwards = i % 2 == 1;
            sweep(problem, &self.mu, soft, backwards, (&mut self.trial, &mut self.s));
        }
        self.swept += count as u64;
    }

    /// 2: from the trial.
    fn resume(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        self.descend(problem, effort, x);
    }

    /// 3: from nothing.
    fn soften(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        self.stages(problem, FALLS[0]);
        self.descend(problem, effort, x);
    }

    fn soften_slowly(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        self.stages(problem, FALLS[1]);
        self.descend(problem, effort, x);
    }

    /// Softness from [`SOFT_START`] to [`SOFT`], each answer being the guess of the next.
    fn stages(&mut self, problem: &SparseProblem, fall: f64) {
        let g = problem.largest();
        self.trial.fill(0.0);
        let mut epsilon = SOFT_START;
        while epsilon > SOFT {
            let soft = Softness { by: epsilon * g, about: &[] };
            for sweeps in MORE {
                self.sweep_some(problem, sweeps, &soft);
                let left = self.newton.polish(problem, &self.mu, &soft, &mut self.trial);
                if left <= SOLVED {
                    break;
                }
            }
            epsilon *= fall;
        }
    }

    /// Proximal steps from the trial: contacts yield about the forces of the step before.
    fn descend(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        let g = problem.largest();
        let mut epsilon = SOFT;
        for step in 0..PROXIMAL_STEPS {
            let mut about = std::mem::take(&mut self.about);
            about.clear();
            about.extend_from_slice(&self.trial);
            let soft = Softness { by: epsilon * g, about: &about };
            self.newton.polish(problem, &self.mu, &soft, &mut self.trial);
            self.about = about;
            self.keep(problem, x);
            if self.best <= effort.target {
                return;
            }
            if step > 0 {
                epsilon = (0.1 * epsilon).max(ACCEPTED);
            }
        }
    }

    /// 4: friction from nothing to what it is.
    fn raise_friction(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        let full = self.mu.clone();
        self.part_mu.clone_from(&full);
        let g = problem.largest();
        self.trial.fill(0.0);
        for raise in 0..=RAISES {
            let part = raise as f64 / RAISES as f64;
            self.mu.iter_mut().zip(&full).for_each(|(mu, full)| *mu = part * full);
            let soft = Softness { by: SOFT.sqrt() * g, about: &[] };
            self.sweep_some(problem, SPEAKING, &soft);
            self.newton.polish(problem, &self.mu, &soft, &mut self.trial);
        }
        self.mu = full;
        self.descend(problem, effort, x);
    }

    /// Many contacts: sweeps, and Newton's method from where they end, in turn. What is found by sweeps is not factorised.
    fn solve_many(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) -> Method {
        let mut factorised = None;
        for _ in 0..ROUNDS {
            self.sweep_on(problem, effort.sweeps.div_ceil(ROUNDS), (effort, x));
            if self.best <= effort.target {
                return Method::Sweeps;
            }
            let newton = &mut self.newton;
            if *factorised.get_or_insert_with(|| newton.factor.analyse(problem, effort.factor)) {
                self.approach(problem, effort, x);
            }
            if self.best <= effort.target {
                return Method::Newton;
            }
        }
        Method::Sweeps
    }

    /// Proximal steps from the trial whose softness falls where Newton's method ends, and rises where it does not.
    fn approach(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        let g = problem.largest();
        let mut epsilon = PROXIMAL;
        for _ in 0..PROXIMAL_STEPS {
            let mut about = std::mem::take(&mut self.about);
            about.clear();
            about.extend_from_slice(&self.trial);
            let soft = Softness { by: epsilon * g, about: &about };
            let left = self.newton.polish(problem, &self.mu, &soft, &mut self.trial);
            if left > ACCEPTED {
                self.trial.copy_from_slice(&about);
                epsilon *= RISE;
            } else {
                epsilon = (FALL * epsilon).max(SOFT);
            }
            self.about = about;
            self.keep(problem, x);
            if self.best <= effort.target || epsilon > SOFT_START {
                return;
            }
        }
    }

    /// 5: accelerated sweeps, all that are allowed.
    fn sweep_all(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        self.trial.clear();
        self.trial.extend_from_slice(x);
        self.sweep_on(problem, effort.sweeps, (effort, x));
    }

    /// Accelerated sweeps from the trial until the target is met, at most so many.
    fn sweep_on(
        &mut self,
        problem: &SparseProblem,
        most: usize,
        (effort, x): (&Effort, &mut [f64]),
    ) {
        const AT_ONCE: usize = 10;
        self.learned.clear();
        for _ in 0..most.div_ceil(AT_ONCE) {
            for _ in 0..AT_ONCE / 2 {
                self.before.clone_from(&self.trial);
                self.sweep_some(problem, 2, &Softness::NONE);
                self.learned.mix(&self.before, &mut self.trial, |row| problem.diagonal(row));
            }
            // What is judged lies in the cones.
            self.sweep_some(problem, 1, &Softness::NONE);
            self.keep(problem, x);
            if self.best <= effort.target {
                return;
            }
        }
    }
}
