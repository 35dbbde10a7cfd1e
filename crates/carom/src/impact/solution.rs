//! What comes out of a law.
//!
//! Works follow `energy after − energy before = normal_work + friction_work`: along the path for laws that have one,
//! p·(u⁻ + u⁺)/2 for algebraic ones.

use nalgebra::DVector;

use super::contact_space::{ContactSpace, Phase, ZERO_VELOCITY, reshape_vector};
use super::trace::{Stage, StageEvent, Trace};

/// What a contact does just after the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A colliding contact that leaves.
    Rebound,
    /// Stays closed without slip.
    Stick,
    /// Stays closed and slips.
    Slip,
    /// A contact that was not colliding and leaves, with or without an impulse.
    Detached,
}

impl Outcome {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rebound => "rebound",
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Detached => "detached",
        }
    }

    /// The outcome of a contact of known phase that leaves or not, slips or not.
    pub fn of(phase: Phase, leaves: bool, slips: bool) -> Self {
        match (phase, leaves, slips) {
            (Phase::Apart, _, _) => Self::Detached,
            (Phase::Colliding, true, _) => Self::Rebound,
            (_, true, _) => Self::Detached,
            (_, false, true) => Self::Slip,
            (_, false, false) => Self::Stick,
        }
    }
}

/// How several contacts were treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Only one contact takes part, or the law has no choice.
    #[default]
    Single,
    /// All contacts that take part act together; touching ones without restitution.
    Together,
    /// Most-approaching first, touching ones wait until they approach.
    Sequential {
        /// Number of impacts in the sequence.
        impacts: usize,
        /// Whether the bound on their number was reached and the rest closed without restitution.
        plastic_close: bool,
    },
}

impl Rule {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Together => "together",
            Self::Sequential { .. } => "sequential",
        }
    }
}

/// How an answer was found, and how well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// The method, one word or two: `closed form`, `path`, `modes`, `complementarity`, `search`, `compliant`, `plastic close`.
    pub by: &'static str,
    /// What is left of the equations that the method solves, relative; 0 if there is nothing to solve for.
    pub residual: f64,
    /// Softness that was added to G, relative to its largest diagonal entry; 0 if none.
    pub softness: f64,
    /// Whether the law has no other answer: by its nature, or because all modes were tried.
    pub unique: bool,
}

impl Default for Solved {
    fn default() -> Self {
        Self::by("closed form")
    }
}

impl Solved {
    /// Solved by a method to round-off, uniquely.
    pub fn by(by: &'static str) -> Self {
        Self { by, residual: 0.0, softness: 0.0, unique: true }
    }
}

impl From<crate::coulomb::Solved> for Solved {
    fn from(s: crate::coulomb::Solved) -> Self {
        Self { by: s.by.word(), residual: s.residual, softness: s.softness, unique: s.unique }
    }
}

/// Why the compliant path answered instead of the law that was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rescue {
    /// No consistent set of modes.
    NoMode,
    /// Several sets of modes with different motions.
    Ambiguous,
    /// Compression without end.
    Jammed,
    /// Equations that were not solved.
    Unsolved,
    /// No slip within the limit of energy.
    EnergyLimit,
    /// A path with too many stages.
    TooLong,
    /// More contacts than the law can treat.
    TooMany,
    /// An answer that failed its audit.
    Audit {
        /// The check, as in [`Audit`](super::Audit), or `friction work`.
        check: &'static str,
        /// Its figure.
        value: f64,
    },
}

impl Rescue {
    /// The words used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoMode => "no consistent mode",
            Self::Ambiguous => "ambiguous modes",
            Self::Jammed => "jammed",
            Self::Unsolved => "unsolved",
            Self::EnergyLimit => "energy limit",
            Self::TooLong => "too many stages",
            Self::TooMany => "too many contacts",
            Self::Audit { .. } => "audit",
        }
    }
}

/// A resolved impact in contact space; reuse it, its buffers keep their capacity.
#[derive(Clone, Debug, Default)]
pub struct ImpactSolution {
    /// Impulses p, rows as in the contact space.
    pub impulses: DVector<f64>,
    /// Contact velocities after, u⁺.
    pub u_post: DVector<f64>,
    /// What each contact does after.
    pub outcomes: Vec<Outcome>,
    /// Work of the normal impulse of each contact.
    pub normal_works: Vec<f64>,
    /// Work of the friction impulse of each contact.
    pub friction_works: Vec<f64>,
    /// Work of all normal impulses.
    pub normal_work: f64,
    /// Work of all friction impulses.
    pub friction_work: f64,
    /// How several contacts were treated.
    pub rule: Rule,
    /// How it was solved.
    pub solved: Solved,
    /// Why another law answered, if one did; see [`net`](super::net).
    pub rescue: Option<Rescue>,
    /// The path, recorded if `trace.enabled`.
    pub trace: Trace,
}

impl ImpactSolution {
    /// A solution that records its path.
    pub fn traced() -> Self {
        Self { trace: Trace::enabled(), ..Self::default() }
    }

    /// Sizes the buffers for a contact space: impulses zero, u⁺ = u⁻, works zero, trace empty.
    pub fn reset(&mut self, space: &ContactSpace) {
        let nc = space.contacts.len();
        reshape_vector(&mut self.impulses, space.rows());
        reshape_vector(&mut self.u_post, space.rows());
        self.u_post.copy_from(&space.u_pre);
        self.outcomes.clear();
        self.outcomes.resize(nc, Outcome::Detached);
        for works in [&mut self.normal_works, &mut self.friction_works] {
            works.clear();
            works.resize(nc, 0.0);
        }
        (self.normal_work, self.friction_work) = (0.0, 0.0);
        self.rule = Rule::Single;
        self.solved = Solved::default();
        self.rescue = None;
        self.trace.clear();
    }

    /// Records the impulses, velocities and works so far as a stage, if a trace is wanted.
    pub(crate) fn record(&mut self, event: StageEvent, contact: usize, space: &ContactSpace) {
        if !self.trace.enabled {
            return;
        }
        let normal_impulse = |k: usize| self.impulses[space.contacts[k].normal()];
        let normal_work: f64 = self.normal_works.iter().sum();
        let friction_work: f64 = self.friction_works.iter().sum();
        self.trace.stages.push(Stage {
            event,
            contact,
            normal_impulse: space.colliding().map(normal_impulse).sum(),
            velocity: self.u_post.as_slice().to_vec(),
            impulses: self.impulses.as_slice().to_vec(),
            energy: space.kinetic_energy + normal_work + friction_work,
            normal_work,
            friction_work,
        });
    }

    /// Sums the works per contact into the totals.
    pub fn sum_works(&mut self) {
        self.normal_work = self.normal_works.iter().sum();
        self.friction_work = self.friction_works.iter().sum();
    }

    /// Completes an algebraic solution from its impulses: u⁺ = u⁻ + G p, works p·(u⁻ + u⁺)/2, outcomes.
    pub fn complete(&mut self, space: &ContactSpace) {
        space.velocity_after(&self.impulses, &mut self.u_post);
        for (k, c) in space.contacts.iter().enumerate() {
            let work = |i: usize| 0.5 * self.impulses[i] * (space.u_pre[i] + self.u_post[i]);
            let friction_work = c.tangent_rows().map(work).sum();
            self.normal_works[k] = work(c.normal());
            self.friction_works[k] = friction_work;
        }
        self.sum_works();
        self.classify(space);
    }

    /// Outcomes from u⁺: a contact leaves or slips if that velocity exceeds `ZERO_VELOCITY` times the scale.
    pub fn classify(&mut self, space: &ContactSpace) {
        let scale = self.u_post.iter().fold(space.velocity_scale, |s, u| s.max(u.abs()));
        let zero = ZERO_VELOCITY * scale;
        for (c, outcome) in space.contacts.iter().zip(&mut self.outcomes) {
            let slip = c.tangent_rows().fold(0.0_f64, |s, i| s.hypot(self.u_post[i]));
            *outcome = Outcome::of(c.phase, self.u_post[c.normal()] > zero, slip > zero);
        }
    }
}

/// A resolved impact in generalised coordinates.
#[derive(Clone, Debug, Default)]
pub struct ImpactAnswer {
    /// Velocity after, v⁺.
    pub velocity: DVector<f64>,
    /// Impulses, contact velocities, outcomes and works; rows and contacts as in the problem.
    pub solution: ImpactSolution,
    /// Kinetic energy before.
    pub energy_before: f64,
    /// Kinetic energy after, ½ v⁺ᵀMv⁺ (not from the works, so that it checks them).
    pub energy_after: f64,
}

impl ImpactAnswer {
    /// An answer that records its path.
    pub fn traced() -> Self {
        Self { solution: ImpactSolution::traced(), ..Self::default() }
    }
}
