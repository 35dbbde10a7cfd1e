//! Solves the Coulomb problem and says how.
//!
//! # The order of attempts
//! One contact in the plane without a past has a closed form (`alone`). Otherwise forces that are known, those of driven contacts
//! that slide, are part of b,
//! ```text
//! b ← b + G x°,   xₙ° = a,  xₜ° = −μ a û                                          (2)
//! ```
//! and each independent block of the others is solved on its own; within a block, 1 to 3 until the certificate is at round-off, the rest
//! until it is an answer:
//! 1. the modes before, as they are;
//! 2. mending the worst violation, from the modes before and from all pressed;
//! 3. Newton's method from the forces of the modes before, and then on soft contacts after a few sweeps, the
//!    softness taken back by proximal steps (blocks of more than `SMALL` contacts begin with this);
//! 4. friction that is a little viscous, which is taken back (`viscous`);
//! 5. the linear complementarity problem, exact in the plane; in space its polygon is turned and
//!    refined towards the slip just found (blocks of up to `LINEAR` rows);
//! 6. friction raised from zero in steps, each answer being the guess of the next;
//! 7. Gauss–Seidel sweeps, polished by Newton's method;
//! 8. all modes of a small block;
//! 9. a vanishing compliance, G + ε g I, whose answer is polished on G itself.
//!
//! Where a sliding contact has A ≤ 0 ([`Problem::stability`]) the problem may be paradoxical: after 1,
//! all modes of a small block are tried instead ([`enumerate`](super::enumerate)), and counted.
//! The best of all attempts is returned, always; whether its residual will do is for the caller to say
//! ([`Solved::accepted`]). No attempt grows like 2ⁿ but the enumeration, which is bounded.
//!
//! # Redundant contacts
//! Where forces are not unique the modes of the answer are solved again for the forces of least norm,
//! so that they do not depend on the guess, and symmetric problems have symmetric answers. In blocks
//! of more than `LINEAR` rows the proximal steps have come close to them already. Forces of another motion are another
//! answer (a contact that friction holds and that may as well leave), not a share of these:
//! ```text
//! ‖w′ − w‖ ≤ SAME_MOTION · scale                                                  (1)
//! ```
//!
//! # Modes that make other forces
//! Within its bound an answer may have forces that its modes do not have: near a jam a force of any size hardly moves anything, and a
//! contact that is open reads as held. The flow has the forces of the modes, so that such modes are mended until they make an answer.
//!
//! # Static and dynamic friction
//! The problem is solved with μs everywhere; contacts that slip in the answer get μd and the
//! problem is solved again, until every contact that still has μs sticks. A contact changes once
//! at most, so the loop ends, and where stick and slip are both possible, stick wins.
//!
//! # Tests
//! `tests/coulomb.rs`; modes that make other forces: `tests/hybrid_wild.rs`, legged 201 of seed 1002 and 263 of seed 2001.

use super::alone::alone;
use super::blocks::Blocks;
use super::certificate::{residual, scale, velocity};
use super::enumerate::Enumeration;
use super::gauss_seidel::sweep;
use super::linear::ModeSystem;
use super::mode::{Mode, Tangent, along, norm};
use super::newton::Newton;
use super::pivot::{Pivot, pressed};
use super::polygon::Polygon;
use super::problem::{Contact, Duty, Problem};
use super::solved::{Method, Solved};
use super::viscous::{Stage, Viscous};
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::{ACCEPTED, POLISHED, SAME_MOTION, SOFTEST, SOLVED, STILL};
use nalgebra::DVector;

/// Rows of a block up to which the linear complementarity problem is tried: its cost is cubic.
const LINEAR: usize = 160;
/// How much larger the linear problem of a contact in space is.
const POLYGON: usize = 5;
/// Times that its polygons are turned towards the slip just found, in blocks of up to [`MODERATE`] contacts and
/// in larger ones.
const TURNS: [usize; 2] = [13, 3];
/// Contacts up to which all modes are tried where everything else has failed.
const MODERATE: usize = 7;
/// ε of the first and of the last proximal step, see [`Attempt::descend`], and how many there are at most.
const PROXIMAL: f64 = crate::numeric::thresholds::SOFT;
const LEAST: f64 = ACCEPTED;
const PROXIMAL_STEPS: usize = 12;
const SOFT_START: f64 = 1.0;

/// Attempts that are made until the certificate is at round-off; the others only for an answer.
const QUICK: usize = 3;
/// Attempts of a brief search.
const BRIEF: usize = 5;
/// Contacts up to which all pressed is the first guess; above, [`SPEAKING`] sweeps guess.
const SMALL: usize = 4;
/// Sweeps after which most modes are right.
const SPEAKING: usize = 60;

/// The solver with all its buffers.
#[derive(Debug, Clone, Default)]
pub struct Solver {
    blocks: Blocks,
    part: Problem,
    part_warm: Vec<Mode>,
    part_x: DVector<f64>,
    /// b with what is known, (2).
    b: DVector<f64>,
    w: DVector<f64>,
    attempt: Attempt,
}

impl Solver {
    /// The same by attempts 1 to 5 alone: whether there is an answer, where many problems are asked that have none, and an exotic
    /// answer that is missed costs no more than a rule further down.
    pub fn solve_briefly(
        &mut self,
        problem: &Problem,
        x: &mut DVector<f64>,
        modes: &mut Vec<Mode>,
    ) -> Solved {
        self.attempt.brief = true;
        let solved = self.solve(problem, &[], x, modes);
        self.attempt.brief = false;
        solved
    }

    /// Forces into x and modes into `modes`; `warm` are the modes before, or empty.
    pub fn solve(
        &mut self,
        problem: &Problem,
        warm: &[Mode],
        x: &mut DVector<f64>,
        modes: &mut Vec<Mode>,
    ) -> Solved {
        reshape_vector(x, problem.rows());
        modes.clear();
        modes.resize(problem.contacts.len(), Mode::OPEN);
        let mut solved = Solved { by: Method::Nothing, residual: 0.0, softness: 0.0, unique: true };
        if warm.is_empty()
            && let Some(mode) = alone(problem, x)
        {
            velocity(problem, x, &mut self.w);
            solved.residual = residual(problem, x, &self.w);
            if solved.residual <= SOLVED {
                modes[0] = mode;
                return Solved { by: Method::Pivoting, ..solved };
            }
            x.fill(0.0);
        }
        for (k, (c, mode)) in problem.contacts.iter().zip(modes.iter_mut()).enumerate() {
            let Some(d) = problem.known(k) else { continue };
            x[c.normal()] = c.preload;
            c.tangent_rows().zip(d).for_each(|(i, d)| x[i] = -c.friction * c.preload * d);
            *mode = c.closed(Tangent::Slip(d));
        }
        velocity(problem, x, &mut self.b);
        self.blocks.find(problem);
        for i in 0..self.blocks.len() {
            let block = self.blocks.block(i);
            self.part.restrict(problem, block);
            for (c, &k) in self.part.contacts.iter().zip(block) {
                for (i, j) in c.rows().zip(problem.contacts[k].rows()) {
                    self.part.b[i] = self.b[j];
                }
            }
            self.part_warm.clear();
            self.part_warm.extend(block.iter().filter_map(|&k| warm.get(k)));
            let found = self.attempt.solve(&self.part, &self.part_warm, &mut self.part_x);
            for (place, &k) in block.iter().enumerate() {
                modes[k] = self.attempt.modes[place];
                let from = self.part.contacts[place].rows();
                for (i, j) in problem.contacts[k].rows().zip(from) {
                    x[i] = self.part_x[j];
                }
            }
            solved.by = if found.by as usize > solved.by as usize { found.by } else { solved.by };
            solved.softness = solved.softness.max(found.softness);
            solved.unique &= found.unique;
        }
        for k in (0..problem.contacts.len()).filter(|&k| problem.contacts[k].leader.is_some()) {
            if problem.slack(k, modes) {
                modes[k] = Mode::OPEN;
            }
        }
        velocity(problem, x, &mut self.w);
        solved.residual = residual(problem, x, &self.w);
        self.name_slips(problem, x, modes);
        solved
    }

    /// A starting slip without force may be named by any direction; it is named by its own.
    fn name_slips(&self, problem: &Problem, x: &DVector<f64>, modes: &mut [Mode]) {
        let small = STILL * scale(problem, x);
        for (c, mode) in problem.contacts.iter().zip(modes) {
            let w_t = &self.w.as_slice()[c.tangent_rows()];
            if let (Tangent::Slip(d), Duty::Coulomb) = (mode.tangent, c.duty)
                && w_t.iter().zip(d).map(|(w, d)| w * d).sum::<f64>() < -small
            {
                mode.tangent = along(w_t);
            }
        }
    }
}

/// Attempts at one block.
#[derive(Debug, Clone, Default)]
struct Attempt {
    /// The problem with one coefficient of friction per contact, and that coefficient.
    fixed: Problem,
    mu: Vec<f64>,
    part_mu: Vec<f64>,
    soft: Problem,
    /// What the softened problem has on its diagonal.
    softness: f64,
    modes: Vec<Mode>,
    trial_modes: Vec<Mode>,
    pivot: Pivot,
    newton: Newton,
    viscous: Viscous,
    polygon: Polygon,
    enumeration: Enumeration,
    system: ModeSystem,
    trial: DVector<f64>,
    /// last answer of the polygon
    seed: DVector<f64>,
    /// The trial, while the modes that it speaks of are tried.
    about: DVector<f64>,
    w: DVector<f64>,
    /// w of the answer at hand.
    motion: DVector<f64>,
    best: f64,
    /// The last attempts are left out.
    brief: bool,
}

impl Attempt {
    fn solve(&mut self, problem: &Problem, warm: &[Mode], x: &mut DVector<f64>) -> Solved {
        self.fixed.copy_from(problem);
        for c in self.fixed.contacts.iter_mut().filter(|c| c.duty == Duty::Coulomb) {
            c.friction = c.static_friction;
        }
        loop {
            let found = self.solve_fixed(warm, x);
            velocity(problem, x, &mut self.w);
            let small = STILL * scale(problem, x);
            let mut changed = false;
            for (c, real) in self.fixed.contacts.iter_mut().zip(&problem.contacts) {
                // Without an answer for μs there may still be one for μd.
                let slips =
                    self.best > SOLVED || norm(&self.w.as_slice()[c.tangent_rows()]) > small;
                if c.duty == Duty::Coulomb && slips && c.static_friction > real.friction {
                    (c.friction, c.static_friction) = (real.friction, real.friction);
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    /// One coefficient per contact: attempts in order until one is good.
    fn solve_fixed(&mut self, warm: &[Mode], x: &mut DVector<f64>) -> Solved {
        let n = self.fixed.contacts.len();
        self.mu.clear();
        self.mu.extend(self.fixed.contacts.iter().map(|c| c.friction));
        self.best = f64::INFINITY;
        reshape_vector(x, self.fixed.rows());
        reshape_vector(&mut self.trial, self.fixed.rows());
        self.modes.clear();
        self.modes.resize(n, Mode::OPEN);
        let mut solved =
            Solved { by: Method::Continued, residual: 0.0, softness: 0.0, unique: true };
        if warm.len() == n && self.try_modes(warm, x) {
            return solved;
        }
        self.newton.begin(&self.fixed);
        let paradoxical = (0..n).any(|k| self.fixed.stability(k) <= SOLVED);
        if paradoxical && self.enumeration.is_small(&self.fixed) {
            solved.by = Method::Enumeration;
            solved.unique = self.enumerate(x) < 2;
            return solved;
        }
        type Try = (Method, fn(&mut Attempt, &[Mode], &mut DVector<f64>));
        let small: [Try; 9] = [
            (Method::Pivoting, Self::pivot),
            (Method::Newton, Self::resume),
            (Method::Newton, Self::proximal),
            (Method::Viscous, Self::viscous),
            (Method::Lemke, Self::polygons),
            (Method::Continuation, Self::raise_friction),
            (Method::Sweeps, Self::sweeps),
            (Method::Enumeration, Self::all_modes),
            (Method::Soft, Self::soften),
        ];
        let mut attempts = small;
        if n > SMALL {
            attempts[..3].rotate_left(1);
        }
        for (i, (by, attempt)) in attempts.into_iter().enumerate() {
            // Beyond the first two an attempt costs more than the last digits of an answer are worth.
            if self.best <= if i < QUICK { SOLVED } else { ACCEPTED } || self.brief && i >= BRIEF {
                break;
            }
            attempt(self, warm, x);
            solved.by = by;
        }
        if solved.by == Method::Soft {
            solved.softness = SOFTEST;
        }
        self.settle(x);
        solved
    }

    /// These modes as they are; whether they fit and nothing else does as well.
    fn try_modes(&mut self, modes: &[Mode], x: &mut DVector<f64>) -> bool {
        self.trial_modes.clear();
        for (k, mode) in modes.iter().enumerate() {
            // A direction of slip belongs to the duty, not to the past.
            let now = pressed(&self.fixed, k);
            let slides = matches!(self.fixed.contacts[k].duty, Duty::Sliding(_));
            self.trial_modes.push(if slides && mode.held { now } else { *mode });
        }
        self.system.solve(&self.fixed, &self.trial_modes, &mut self.trial);
        if !self.keep(x) {
            return false;
        }
        self.modes.clone_from(&self.trial_modes);
        self.best <= SOLVED
    }

    /// Mends the modes before; then those that a few sweeps speak of, or all pressed in a small block.
    fn pivot(&mut self, warm: &[Mode], x: &mut DVector<f64>) {
        if warm.len() == self.fixed.contacts.len() {
            self.trial_modes.clear();
            self.trial_modes.extend_from_slice(warm);
            self.mend(x);
        }
        if self.best > SOLVED && self.fixed.contacts.len() > SMALL {
            velocity(&self.fixed, x, &mut self.w);
            self.trial.copy_from(x);
            sweep(&self.fixed, &self.mu, SPEAKING, (&mut self.trial, &mut self.w));
            self.read_modes();
            self.mend(x);
        }
        if self.best > SOLVED {
            self.trial_modes.clear();
            self.trial_modes
                .extend((0..self.fixed.contacts.len()).map(|k| pressed(&self.fixed, k)));
            self.mend(x);
        }
    }

    fn mend(&mut self, x: &mut DVector<f64>) {
        self.pivot.run(&self.fixed, &mut self.trial_modes, &mut self.trial);
        if self.keep(x) {
            self.modes.clone_from(&self.trial_modes);
        }
    }

    /// Newton's method from the forces of the modes before: where few modes change it needs few steps.
    fn resume(&mut self, warm: &[Mode], x: &mut DVector<f64>) {
        if warm.len() == self.fixed.contacts.len() {
            self.system.solve(&self.fixed, warm, &mut self.trial);
        } else {
            self.trial.fill(0.0);
        }
        self.soften_by(PROXIMAL);
        self.descend(x);
    }

    /// Newton's method on contacts whose softness is taken back step by step, G + ε g I with ε from
    /// [`SOFT_START`] to [`PROXIMAL`], each answer being the guess of the next; the rest by proximal
    /// steps. The systems are regular whatever G is, and for large ε every contact is nearly on its own.
    fn proximal(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        reshape_vector(&mut self.seed, self.fixed.rows());
        let mut epsilon = SOFT_START;
        while epsilon > PROXIMAL {
            self.soften_by(epsilon);
            for sweeps in [10, 100, 400] {
                velocity(&self.soft, &self.seed, &mut self.w);
                sweep(&self.soft, &self.mu, sweeps, (&mut self.seed, &mut self.w));
                self.newton.polish(&self.soft, self.softness, &self.mu, &mut self.seed);
                velocity(&self.soft, &self.seed, &mut self.w);
                if residual(&self.soft, &self.seed, &self.w) <= SOLVED {
                    break;
                }
            }
            epsilon *= 0.3;
        }
        self.soften_by(PROXIMAL);
        self.trial.copy_from(&self.seed);
        self.descend(x);
    }

    /// Proximal steps from the trial, whose softened problem is at hand: x minimises a distance ε g ‖x − x°‖ to the
    /// last one as well. Contacts that are nearly redundant and must slip so slowly that G hardly sees it get there by
    /// forces that grow with 1/ε, so ε falls from [`PROXIMAL`] to [`LEAST`].
    fn descend(&mut self, x: &mut DVector<f64>) {
        let g = self.largest();
        let mut epsilon = PROXIMAL;
        for step in 0..PROXIMAL_STEPS {
            self.newton.polish(&self.soft, self.softness, &self.mu, &mut self.trial);
            self.keep(x);
            if self.best <= SOLVED || step == 0 && self.speaks(x) {
                return;
            }
            if step > 0 {
                epsilon = (0.1 * epsilon).max(LEAST);
            }
            self.soften_by(epsilon);
            self.soft.b.axpy(-epsilon * g, &self.trial, 1.0);
        }
        // Forces may still be on their way although the modes are right.
        self.trial.copy_from(x);
        self.read_modes();
        self.system.solve(&self.fixed, &self.trial_modes, &mut self.trial);
        if !self.keep(x) && self.fixed.rows() <= LINEAR {
            self.newton.minimise(&self.fixed, &self.mu, &mut self.trial);
            self.keep(x);
        }
    }

    /// Whether the modes that the trial speaks of are right: softness changes forces, but hardly ever what a contact does.
    /// Directions of slip in space are not known from it to round-off.
    fn speaks(&mut self, x: &mut DVector<f64>) -> bool {
        self.read_modes();
        let turns = |(c, mode): (&Contact, &Mode)| {
            c.tangents == 2 && c.duty == Duty::Coulomb && matches!(mode.tangent, Tangent::Slip(_))
        };
        if self.fixed.contacts.iter().zip(&self.trial_modes).any(turns) {
            return false;
        }
        std::mem::swap(&mut self.trial, &mut self.about);
        reshape_vector(&mut self.trial, self.fixed.rows());
        self.system.solve(&self.fixed, &self.trial_modes, &mut self.trial);
        self.keep(x);
        std::mem::swap(&mut self.trial, &mut self.about);
        self.best <= SOLVED
    }

    /// Largest diagonal entry of G.
    fn largest(&self) -> f64 {
        (0..self.fixed.rows()).fold(0.0, |g, i| self.fixed.G[(i, i)].max(g))
    }

    /// The softened problem about nothing.
    fn soften_by(&mut self, epsilon: f64) {
        self.soft.copy_from(&self.fixed);
        self.softness = epsilon * self.largest();
        for i in 0..self.fixed.rows() {
            self.soft.G[(i, i)] += self.softness;
        }
    }

    /// Friction that is a little viscous, taken back; the modes that it speaks of, exactly.
    fn viscous(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        self.viscous.begin(&self.fixed, &self.mu);
        loop {
            match self.viscous.advance(&self.fixed, &self.mu) {
                Stage::Over => return,
                Stage::Goes => {}
                Stage::Speaks => {
                    self.viscous.exact(&self.fixed, &self.mu, &mut self.trial);
                    self.keep(x);
                    if self.best <= SOLVED {
                        return;
                    }
                }
            }
        }
    }

    fn polygons(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        let spatial = self.fixed.contacts.iter().any(|c| c.tangents == 2 && c.active());
        let weight = if spatial { POLYGON } else { 1 };
        // The linear form has one friction for each normal.
        if self.fixed.rows() * weight > LINEAR || self.fixed.has_followers() {
            return;
        }
        self.polygon.aim_at_start(&self.fixed);
        reshape_vector(&mut self.seed, self.fixed.rows());
        let large = self.fixed.contacts.len() > MODERATE;
        for _ in 0..if spatial { TURNS[usize::from(large)] } else { 1 } {
            if self.polygon.solve(&self.fixed, &self.mu, &mut self.trial).is_ok() {
                self.seed.copy_from(&self.trial);
                self.keep(x);
                if self.best > SOLVED {
                    self.newton.polish(&self.fixed, 0.0, &self.mu, &mut self.trial);
                    self.keep(x);
                }
            }
            if self.best <= SOLVED {
                return;
            }
            // Aim by the answer of the polygon, not by the best so far: the polygons converge.
            velocity(&self.fixed, &self.seed, &mut self.w);
            let small = STILL * scale(&self.fixed, &self.seed);
            self.polygon.aim(&self.fixed, &self.seed, &self.w, small);
        }
    }

    /// From the frictionless answer to the full coefficients.
    fn raise_friction(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        const STEPS: usize = 32;
        reshape_vector(&mut self.trial, self.fixed.rows());
        for step in 1..=STEPS {
            let part = step as f64 / STEPS as f64;
            self.part_mu.clear();
            self.part_mu.extend(self.mu.iter().map(|mu| part * mu));
            self.newton.polish(&self.fixed, 0.0, &self.part_mu, &mut self.trial);
        }
        self.keep(x);
    }

    /// More and more sweeps from nothing, polished.
    fn sweeps(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        reshape_vector(&mut self.seed, self.fixed.rows());
        for sweeps in [1000, 10_000] {
            self.soften_by(PROXIMAL);
            velocity(&self.soft, &self.seed, &mut self.w);
            sweep(&self.soft, &self.mu, sweeps, (&mut self.seed, &mut self.w));
            self.trial.copy_from(&self.seed);
            self.keep(x);
            self.descend(x);
            if self.best <= SOLVED {
                return;
            }
        }
    }

    /// A compliance that is taken back by tens, each answer being the guess of the next.
    fn soften(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        let mut epsilon = PROXIMAL;
        reshape_vector(&mut self.trial, self.fixed.rows());
        while epsilon >= SOFTEST {
            self.soften_by(epsilon);
            self.newton.polish(&self.soft, self.softness, &self.mu, &mut self.trial);
            self.keep(x);
            epsilon *= 0.1;
        }
    }

    /// All modes of a small block, where everything else has failed.
    fn all_modes(&mut self, _: &[Mode], x: &mut DVector<f64>) {
        if self.fixed.contacts.len() <= MODERATE
            && self.enumeration.is_small(&self.fixed)
            && self.enumeration.run(&self.fixed, &mut self.trial_modes, &mut self.trial) > 0
        {
            self.keep(x);
        }
    }

    /// All modes of a small block: how many answers there are, the gentlest of them in x.
    fn enumerate(&mut self, x: &mut DVector<f64>) -> usize {
        let count = self.enumeration.run(&self.fixed, &mut self.modes, &mut self.trial);
        if count == 0 {
            self.best = f64::INFINITY;
            reshape_vector(x, self.fixed.rows());
            return 0;
        }
        self.keep(x);
        count
    }

    /// The modes of x in which what has no force is open, into the trial; their residual. At a jam a contact sinks in by next to
    /// nothing where it is open and pulls where it is held.
    fn open_without_force(&mut self, x: &DVector<f64>) -> f64 {
        self.trial.copy_from(x);
        self.read_modes();
        let velocity = scale(&self.fixed, x);
        for (k, c) in self.fixed.contacts.iter().enumerate() {
            let own = c.leader.is_none() && !c.driven && c.duty != Duty::Held;
            if own && (x[c.normal()] - c.preload) * self.fixed.mobility(k) <= POLISHED * velocity {
                self.trial_modes[k] = super::pivot::released(&self.fixed, k);
            }
        }
        self.system.solve(&self.fixed, &self.trial_modes, &mut self.trial);
        super::certificate::velocity(&self.fixed, &self.trial, &mut self.w);
        residual(&self.fixed, &self.trial, &self.w)
    }

    /// Takes the trial if it is better than the best so far.
    fn keep(&mut self, x: &mut DVector<f64>) -> bool {
        velocity(&self.fixed, &self.trial, &mut self.w);
        let miss = residual(&self.fixed, &self.trial, &self.w);
        let better = miss < self.best;
        if better {
            self.best = miss;
            x.copy_from(&self.trial);
        }
        better
    }

    /// Takes the trial if it is as good as the best to round-off.
    fn prefer(&mut self, x: &mut DVector<f64>) -> bool {
        velocity(&self.fixed, &self.trial, &mut self.w);
        let miss = residual(&self.fixed, &self.trial, &self.w);
        let good = miss <= POLISHED.max(self.best);
        if good {
            self.best = miss;
            x.copy_from(&self.trial);
        }
        good
    }

    /// Whether the trial is the motion of x, (1).
    fn same_motion(&mut self, x: &DVector<f64>) -> bool {
        velocity(&self.fixed, x, &mut self.motion);
        velocity(&self.fixed, &self.trial, &mut self.w);
        let apart = self.w.iter().zip(&self.motion).map(|(w, v)| (w - v).abs());
        apart.fold(0.0, f64::max) <= SAME_MOTION * scale(&self.fixed, x)
    }

    /// The modes of the answer, and where they leave forces open those of least norm.
    fn settle(&mut self, x: &mut DVector<f64>) {
        self.trial.copy_from(x);
        self.read_modes();
        self.modes.clone_from(&self.trial_modes);
        if self.fixed.rows() > LINEAR {
            return;
        }
        for _ in 0..=self.fixed.contacts.len() {
            self.system.solve(&self.fixed, &self.trial_modes, &mut self.trial);
            let alone = !self.system.deficient();
            // Also where it is no better: contacts that are open get exactly nothing.
            if self.prefer(x) {
                self.modes.clone_from(&self.trial_modes);
                return;
            }
            if alone && self.best > ACCEPTED {
                return;
            }
            if alone {
                // The answer is one within its bound only; near a jam that bound hides forces of any size.
                let mut miss = self.pivot.run(&self.fixed, &mut self.trial_modes, &mut self.trial);
                if miss > ACCEPTED {
                    miss = self.open_without_force(x);
                }
                if miss <= ACCEPTED {
                    self.best = miss;
                    x.copy_from(&self.trial);
                    self.modes.clone_from(&self.trial_modes);
                }
                return;
            }
            // With two tangents the directions of slip change with the forces: Newton follows.
            if self.fixed.contacts.iter().any(|c| c.tangents == 2 && c.active()) {
                self.newton.minimise(&self.fixed, &self.mu, &mut self.trial);
                if self.same_motion(x) && self.prefer(x) {
                    self.read_modes();
                    self.modes.clone_from(&self.trial_modes);
                    return;
                }
            }
            if !self.release_pulling() {
                return;
            }
        }
    }

    /// Modes that fit the trial best.
    fn read_modes(&mut self) {
        velocity(&self.fixed, &self.trial, &mut self.w);
        let velocity = scale(&self.fixed, &self.trial);
        let (x, w) = (self.trial.as_slice(), self.w.as_slice());
        self.trial_modes.clear();
        for (k, c) in self.fixed.contacts.iter().enumerate() {
            let full = pressed(&self.fixed, k);
            if matches!(c.duty, Duty::Held | Duty::Apart) {
                self.trial_modes.push(full);
                continue;
            }
            let impulse = velocity / self.fixed.mobility(k);
            let (x_n, w_n) = (x[c.normal()], w[c.normal()]);
            // Closed without force counts as held: a redundant contact may get its share yet.
            // Who follows acts where its leader presses, which is for the system to see.
            let held = c.leader.is_some()
                || !c.driven && (x_n - c.preload) / impulse >= w_n / velocity - POLISHED;
            let (x_t, w_t) = (&x[c.tangent_rows()], &w[c.tangent_rows()]);
            let margin = c.static_friction * x_n - norm(x_t);
            let sticks = norm(w_t) / velocity <= margin / impulse;
            let tangent = match full.tangent {
                _ if !held && c.preload == 0.0 => Tangent::Smooth,
                Tangent::Stick if !sticks => along(w_t),
                other => other,
            };
            self.trial_modes.push(Mode { held, tangent });
        }
    }

    /// Releases contacts that least norm makes pull; false if there are none.
    fn release_pulling(&mut self) -> bool {
        let mut released = false;
        for (k, c) in self.fixed.contacts.iter().enumerate() {
            let mode = &mut self.trial_modes[k];
            let own = c.leader.is_none() && c.duty != Duty::Held;
            if mode.held && own && self.trial[c.normal()] < c.preload {
                *mode = super::pivot::released(&self.fixed, k);
                released = true;
            }
        }
        released
    }
}
