//! Solves the sparse problem and says how.
//!
//! # The order of attempts
//! 1. a few accelerated sweeps from the forces given, which are those of the step before; more where they cost less than a
//!    factor or two;
//! 2. Newton's method on slightly soft contacts from there, the softness taken back by proximal steps, with up to `EXACT`
//!    contacts;
//! 3. the path (`path.rs`) from there, and Newton's method from its end;
//! 4. alternating directions (`alternate.rs`), with more than `EXACT` contacts;
//! 5. Newton's method from nothing, with a softness that falls from that of contacts which hardly feel each other;
//! 6. friction raised from zero, each answer being the guess of the next;
//! 7. sweeps, as many as are allowed.
//!
//! 2 to 6 need a factor of (3) of the parent; where thirty of them would cost more than the effort allows, there are 1, 4 and 7
//! alone, and where four would, sweeps. 5 and 6 take hundreds of factors: they are for up to `EVERY` contacts, up to `EXACT` where a rough answer will
//! do. With more than `EXACT`, a path that has not brought the residual down to a tenth is not tried again at once: problems
//! of a run come one after the other and are alike. The best of all attempts is returned with its residual; what will do is
//! for the caller to say.
//!
//! Contacts that slip in the answer for μs get μd, and the problem is solved again: see [`crate::coulomb::solver`].

use super::accelerate::Anderson;
use super::alternate::Alternate;
use super::certificate::{residual, scale};
use super::newton::Newton;
use super::path::Path;
use super::problem::SparseProblem;
use super::sweep::{Softness, sweep};
use crate::coulomb::mode::norm;
use crate::coulomb::problem::Duty;
use crate::coulomb::solved::{Method, Solved};
use crate::numeric::thresholds::{ACCEPTED, SOFT, SOLVED, STILL};

/// Contacts up to which Newton's method is tried from where sweeps end.
const EXACT: usize = 64;
/// Contacts up to which every attempt is made.
const EVERY: usize = 256;
/// Softness of the first stage of 5, in units of the largest Gᵢᵢ.
const SOFT_START: f64 = 1.0;
/// By what the softness falls from stage to stage, and more slowly where that fails.
const FALLS: [f64; 2] = [0.3, 0.7];
/// Sweeps before Newton's method at one softness, more of them where it fails.
const MORE: [usize; 3] = [10, 100, 400];
/// Steps in which friction is raised.
const RAISES: usize = 10;
/// Residual from which Newton's method is tried along the path.
const NEAR: f64 = 1e-5;
/// Proximal steps.
const PROXIMAL_STEPS: usize = 12;
/// Sweeps before Newton's method.
const SPEAKING: usize = 30;
/// τ of the path over the residual of the forces it begins with.
const BEGIN: f64 = 0.1;
/// Sweeps that make zeros of the small numbers that the path leaves.
const AFTER: usize = 2;
/// Factorisations that must be affordable for any to begin.
const LEAST_FACTORS: f64 = 30.0;
/// The same for alternating directions, which need one or two, and the most rounds of them.
const LEAST_TURNS: f64 = 4.0;
const MOST_ROUNDS: usize = 800;
/// Rounds after which their forces are judged.
const JUDGED: usize = 10;
/// Factorisations that sweeps before them may take the time of.
const WORTH: f64 = 2.0;
/// Time of a sweep for an entry of Z, in units of that of a multiplication of a factorisation: 6 ns to 0.3 ns.
const SWEEP: f64 = 20.0;
/// What a path leaves of a residual if it was worth its time.
const HELPED: f64 = 0.1;
/// After n paths in a row that were not, the next is tried 2ⁿ problems later; n is at most this.
const PATIENCE: u32 = 4;
/// Steps of the path.
const PATH_STEPS: usize = 60;

/// How much may be done for an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Residual that is good enough.
    pub target: f64,
    /// Sweeps over all contacts.
    pub sweeps: usize,
    /// Multiplications that the factorisations of a path may take together.
    pub factor: f64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { target: SOLVED, sweeps: 10_000, factor: 3e10 }
    }
}

/// The solver with all its buffers.
#[derive(Debug, Clone, Default)]
pub struct SparseSolver {
    newton: Newton,
    path: Path,
    learned: Anderson,
    alternate: Alternate,
    before: Vec<f64>,
    mu: Vec<f64>,
    part_mu: Vec<f64>,
    s: Vec<f64>,
    w: Vec<f64>,
    trial: Vec<f64>,
    about: Vec<f64>,
    best: f64,
    swept: u64,
    /// Paths in a row that were not worth their time, and problems for which none is tried.
    failures: u32,
    waiting: u32,
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

    /// Sweeps and factors so far.
    pub fn work(&self) -> (u64, u64) {
        (self.swept, self.newton.steps + self.path.steps + self.alternate.factors)
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
        let first = SPEAKING.min(effort.sweeps);
        self.sweep_on(problem, first, (effort, x));
        if self.best <= effort.target {
            return Method::Sweeps;
        }
        let factorised = self.newton.factor.analyse(problem, effort.factor / LEAST_FACTORS);
        if !factorised && self.newton.factor.analyse(problem, effort.factor / LEAST_TURNS) {
            self.take_turns(problem, effort, x);
            if self.best <= effort.target {
                return Method::Alternating;
            }
            self.trial.copy_from_slice(x);
        }
        let more = if factorised { self.worth(problem) } else { effort.sweeps };
        self.sweep_on(problem, more.min(effort.sweeps).saturating_sub(first), (effort, x));
        if !factorised || self.best <= effort.target {
            return Method::Sweeps;
        }
        type Try = fn(&mut SparseSolver, &SparseProblem, &Effort, &mut [f64]);
        let attempts: [(Method, Try); 7] = [
            (Method::Newton, Self::resume),
            (Method::Viscous, Self::follow),
            (Method::Alternating, Self::take_turns),
            (Method::Newton, Self::soften),
            (Method::Newton, Self::soften_slowly),
            (Method::Continuation, Self::raise_friction),
            (Method::Sweeps, Self::sweep_all),
        ];
        let rough = problem.contacts.len() > EXACT && effort.target > ACCEPTED;
        let many = rough || problem.contacts.len() > EVERY;
        let mut by = Method::Sweeps;
        for (i, (method, attempt)) in attempts.into_iter().enumerate() {
            if many && matches!(i, 3..6) {
                continue;
            }
            // Beyond the first three an attempt costs more than the last digits of an answer are worth.
            let enough = if i < 3 { effort.target } else { effort.target.max(ACCEPTED) };
            if self.best <= enough {
                break;
            }
            let before = self.best;
            attempt(self, problem, effort, x);
            by = if self.best < before || by == Method::Sweeps { method } else { by };
        }
        by
    }

    /// Sweeps that take as long as a few factorisations.
    fn worth(&self, problem: &SparseProblem) -> usize {
        let sweep = SWEEP * problem.entries() as f64;
        (WORTH * self.newton.factor.cost() / sweep.max(1.0)) as usize
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

    /// 2: from the best forces so far.
    fn resume(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        if problem.contacts.len() <= EXACT {
            self.trial.copy_from_slice(x);
            self.descend(problem, effort, x);
        }
    }

    /// 3: the path from the best forces so far.
    fn follow(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        let many = problem.contacts.len() > EXACT;
        if many && self.waiting > 0 {
            self.waiting -= 1;
            return;
        }
        let before = self.best;
        self.path.begin(problem, BEGIN * before, x);
        self.go_along(problem, effort, x);
        let failed = many && self.best > effort.target.max(ACCEPTED).max(HELPED * before);
        self.failures = if failed { (self.failures + 1).min(PATIENCE) } else { 0 };
        self.waiting = (1 << self.failures) - 1;
    }

    /// 5: from nothing.
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

    /// 6: friction from nothing to what it is.
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

    /// Along the path as far as the effort allows; once it is near the answer its pieces are known, and Newton's method
    /// on the law itself is tried.
    fn go_along(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        let afforded = (effort.factor / self.newton.factor.cost()) as usize;
        let mut near = NEAR;
        for _ in 0..PATH_STEPS.min(afforded) {
            if !self.path.step(problem, &self.mu, &mut self.newton.factor) {
                return;
            }
            self.trial.copy_from_slice(&self.path.x);
            self.keep(problem, x);
            self.sweep_some(problem, AFTER, &Softness::NONE);
            self.keep(problem, x);
            if effort.target < self.best && self.best <= near {
                near = 0.1 * self.best;
                self.trial.copy_from_slice(x);
                self.descend(problem, effort, x);
            }
            if self.best <= effort.target || self.path.ended() {
                return;
            }
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
            let before = self.best;
            self.keep(problem, x);
            if self.best <= effort.target || step > 0 && self.best >= before {
                return;
            }
            if step > 0 {
                epsilon = (0.1 * epsilon).max(ACCEPTED);
            }
        }
    }

    /// 4: alternating directions from the best forces so far.
    fn take_turns(&mut self, problem: &SparseProblem, effort: &Effort, x: &mut [f64]) {
        if problem.contacts.len() <= EXACT || !Alternate::knows(problem) {
            return;
        }
        self.velocity(problem, x);
        let factor = &mut self.newton.factor;
        if !self.alternate.begin(problem, &self.mu, (x, &self.w), factor) {
            return;
        }
        let round = 2.0 * factor.entries() as f64 + SWEEP * problem.entries() as f64;
        for round in 1..=MOST_ROUNDS.min((effort.factor / round) as usize) {
            if !self.alternate.round(problem, &self.mu, &mut self.newton.factor) {
                return;
            }
            if round.is_multiple_of(JUDGED) {
                self.trial.copy_from_slice(&self.alternate.z);
                self.keep(problem, x);
                if self.best <= effort.target {
                    return;
                }
            }
        }
    }

    /// 7: accelerated sweeps, all that are allowed.
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
