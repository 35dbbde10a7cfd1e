//! Rates of impulse and velocity at an instant of a path.
//!
//! # Law
//! Equations (1) to (3) of the parent are the Coulomb problem of [`coulomb`](crate::coulomb) with x = ṗ and
//! ```text
//! w = G x + b,   b = −r in the normal rows, 0 in the tangents,   a = d                  (1)
//! ```
//! A contact that is open takes no part, or is driven if d > 0; one that slips slides along its velocity; one at rest
//! obeys Coulomb's law for u̇ₜ. Where a mode fixes a rate, the rate is written exactly.
//!
//! Redundant contacts have many ṗ with one u̇. The least in norm may pull at one of four corners of a face although there are ṗ
//! that press at all of them; then the rates of a stage are those that change least from such a reference
//! ([`share`](crate::coulomb::share)), and contacts that it lets go of do not come and go without end.

use nalgebra::DVector;
use std::ops::Range;

use crate::coulomb::share::{Room, Share};
use crate::coulomb::{Duty, Mode, ModeSystem, Problem, Solved, Solver, Tangent, velocity};
use crate::impact::contact_space::{ContactSpace, reshape_vector};
use crate::numeric::thresholds::SOLVED;

/// Part of f + A x in (12) of the parent, over its terms, that event location leaves of none at the edge of stick.
const EDGE: f64 = crate::numeric::thresholds::SAME_MOTION;

/// The modes of an instant, and what follows from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    /// What each contact does.
    pub modes: Vec<Mode>,
    /// dp/ds, all rows.
    pub p: DVector<f64>,
    /// du/ds, all rows.
    pub u: DVector<f64>,
}

impl Rates {
    /// Takes over another instant of the same path.
    pub fn copy_from(&mut self, other: &Self) {
        self.modes.clone_from(&other.modes);
        self.p.copy_from(&other.p);
        self.u.copy_from(&other.u);
    }
}

/// The Coulomb problem (1) with its solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instant {
    /// G and what each contact may do.
    pub problem: Problem,
    /// Modes and ṗ before the last solution.
    warm: Vec<Mode>,
    before: DVector<f64>,
    force: DVector<f64>,
    solver: Solver,
    system: ModeSystem,
    share: Share,
    /// What redundant ṗ of the stage change least from; empty for the least in norm.
    reference: Vec<f64>,
}

impl Instant {
    /// G of a contact space; nothing moves yet.
    pub fn start(&mut self, space: &ContactSpace, rates: &mut Rates, spare: &mut Rates) {
        space.coulomb(&mut self.problem);
        self.problem.b.fill(0.0);
        for rates in [rates, spare] {
            rates.modes.clear();
            reshape_vector(&mut rates.p, space.rows());
            reshape_vector(&mut rates.u, space.rows());
        }
    }

    /// Least rate r of the normal velocity of a contact.
    pub fn floor_rate(&self, k: usize) -> f64 {
        -self.problem.b[self.problem.contacts[k].normal()]
    }

    /// Sets r.
    pub fn set_floor_rate(&mut self, k: usize, rate: f64) {
        let normal = self.problem.contacts[k].normal();
        self.problem.b[normal] = -rate;
    }

    /// Modes and rates of the instant; the modes before are tried first.
    pub fn solve(&mut self, rates: &mut Rates) -> Solved {
        self.warm.clone_from(&rates.modes);
        reshape_vector(&mut self.before, self.problem.rows());
        self.before.copy_from(&rates.p);
        let solved = self.solver.solve(&self.problem, &self.warm, &mut rates.p, &mut rates.modes);
        self.respond(rates);
        self.remove_round_off(rates);
        solved
    }

    /// Whether all contacts that pressed before the last [`solve`](Self::solve) and no longer do let go by
    /// themselves, (12) of the parent.
    pub fn lets_go(&mut self, rates: &Rates) -> bool {
        self.system.follow(&self.problem, &rates.modes, &[], &mut self.force);
        (0..self.warm.len().min(rates.modes.len())).all(|k| {
            let c = &self.problem.contacts[k];
            if !self.warm[k].held || rates.modes[k].held || c.duty == Duty::Apart {
                return true;
            }
            let (n, t) = (c.normal(), c.tangent_rows());
            let pressed = self.before[n] - c.preload;
            reshape_vector(&mut self.force, self.problem.rows());
            self.force[n] = 1.0;
            if let Duty::Sliding(d) = c.duty {
                t.zip(d).for_each(|(i, d)| self.force[i] = -c.friction * d);
            }
            self.system.answer(&self.problem, &mut self.force);
            let gained: f64 = self.problem.G.column(n).dot(&self.force);
            let free = rates.u[n] + self.problem.b[n];
            free + gained * pressed >= -EDGE * (gained * pressed).abs()
        })
    }

    /// Decides which of redundant ṗ the stage that begins with these rates follows.
    pub fn refer(&mut self, rates: &Rates) -> Room {
        self.share.reference(&self.problem, &rates.modes, &rates.p, &mut self.reference)
    }

    /// Rates in modes that are known; false if they are not finite.
    pub fn follow(&mut self, rates: &mut Rates) -> bool {
        self.system.follow(&self.problem, &rates.modes, &self.reference, &mut rates.p);
        self.respond(rates);
        rates.p.iter().all(|p| p.is_finite())
    }

    /// What the modes last followed make of a small given force: the whole force, and the rate of velocity by it.
    pub fn answer(&mut self, force: &mut DVector<f64>, response: &mut DVector<f64>) {
        self.system.answer(&self.problem, force);
        velocity(&self.problem, force, response);
        *response -= &self.problem.b;
    }

    /// u̇ = G ṗ; rates that the modes fix are written exactly.
    fn respond(&self, rates: &mut Rates) {
        let Rates { modes, p, u } = rates;
        velocity(&self.problem, p, u);
        *u -= &self.problem.b;
        for k in self.problem.active() {
            let c = &self.problem.contacts[k];
            if modes[k].held {
                u[c.normal()] = self.floor_rate(k);
            }
            if modes[k].tangent == Tangent::Stick {
                u.as_mut_slice()[c.tangent_rows()].fill(0.0);
            }
        }
    }

    /// What the certificate allows as round-off is none: a contact that opens does not sink, a slip that starts does not
    /// start backwards.
    fn remove_round_off(&self, rates: &mut Rates) {
        let Rates { modes, u, p } = rates;
        for k in self.problem.active() {
            let (c, mode) = (&self.problem.contacts[k], modes[k]);
            if !mode.held && !c.driven {
                u[c.normal()] = u[c.normal()].max(self.floor_rate(k));
            }
            // What others hold does not slip, though its friction may be all that it can be.
            if matches!(mode.tangent, Tangent::Slip(_))
                && c.duty == Duty::Coulomb
                && c.tangents == 2
            {
                let round_off = SOLVED * self.terms(c.tangent_rows(), p);
                let w = &mut u.as_mut_slice()[c.tangent_rows()];
                if w[0].hypot(w[1]) <= round_off {
                    modes[k].tangent = Tangent::Stick;
                    w.fill(0.0);
                    continue;
                }
            }
            if let (Tangent::Slip(d), [rate], Duty::Coulomb) =
                (mode.tangent, &mut u.as_mut_slice()[c.tangent_rows()], c.duty)
                && d[0] * *rate < 0.0
            {
                *rate = 0.0;
            }
        }
    }

    /// Σ|G ṗ| of some rows, the largest: scale of the round-off in their rates.
    pub fn terms(&self, rows: Range<usize>, p: &DVector<f64>) -> f64 {
        let sum = |i: usize| -> f64 {
            self.problem.G.column(i).iter().zip(p.iter()).map(|(g, p)| (g * p).abs()).sum()
        };
        rows.map(sum).fold(0.0, f64::max)
    }
}
