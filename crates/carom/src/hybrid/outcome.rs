//! How a run ended, and what it took.

use crate::contact::Site;
use crate::control::ControlError;
use crate::dynamics::SingularInertia;
use crate::impact::ImpactError;
use crate::record::{Ledger, Rescue};
use crate::state::State;
use carom_ode::{FlowError, ToleranceError};
use thiserror::Error;

/// An honest ending; the recording is kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// The end time was reached.
    ReachedEnd,
    /// An observer asked for it.
    Observer,
    /// A strict run: an impact law had no sound answer, impacts of one instant did not end, contact
    /// forces do not exist or could be found with a compliance only, or events crowded.
    NoSolution {
        /// Time, s.
        t: f64,
        /// Sites that took part.
        contacts: Vec<String>,
    },
    /// A strict run: several contact forces satisfy the contact laws, and none continues the motion
    /// before (Painlevé).
    Ambiguous {
        /// Time, s.
        t: f64,
        /// Sites that took part.
        contacts: Vec<String>,
    },
    /// The impact law has made energy without bound, as laws do that may gain by their definition: what the scene began with is
    /// below the tolerance of what moves now.
    Runaway {
        /// Time, s.
        t: f64,
        /// Kinetic energy then, J.
        kinetic: f64,
        /// Its bound, J: all energy that there was, is stored or was given, over the tolerance.
        bound: f64,
    },
    /// The energy ledger is open by more than its bound: what was computed cannot be right.
    OpenLedger {
        /// Time, s.
        t: f64,
        /// How far it is open, J.
        closure: f64,
        /// The bound, J.
        bound: f64,
    },
}

impl Stop {
    /// The end of a strict run by a rule of the safety net.
    pub(super) fn at(rescue: Rescue, t: f64, contacts: &[usize], sites: &[Site]) -> Self {
        let contacts = contacts.iter().map(|&s| sites[s].name.clone()).collect();
        match rescue {
            Rescue::Chosen => Self::Ambiguous { t, contacts },
            _ => Self::NoSolution { t, contacts },
        }
    }

    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::ReachedEnd => "reached-end",
            Self::Observer => "observer",
            Self::NoSolution { .. } => "no-solution",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Runaway { .. } => "runaway",
            Self::OpenLedger { .. } => "open-ledger",
        }
    }
}

/// What a run took and how well it did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the right-hand side by the integrator.
    pub rates: u64,
    /// Evaluations of the guards.
    pub guards: u64,
    /// Events of all sorts.
    pub events: u64,
    /// Impacts among them.
    pub impacts: u64,
    /// Events at which modes were chosen anew.
    pub mode_changes: u64,
    /// How often each rule of the safety net was needed, in the order of [`Rescue::ALL`].
    pub rescues: [u64; Rescue::ALL.len()],
    /// Most negative gap at a sample, m; 0 if none was negative.
    pub worst_gap: f64,
    /// Largest relative residual of contact forces.
    pub worst_residual: f64,
    /// Largest gain of kinetic energy in one impact, J; 0 if none gained.
    pub worst_gain: f64,
    /// Largest closure of the energy ledger at a sample, J.
    pub worst_closure: f64,
    /// Guard intervals that were decided by their ends alone.
    pub unresolved_guards: u64,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub stop: Stop,
    /// The last state.
    pub state: State,
    /// Energies and works.
    pub ledger: Ledger,
    /// What it took.
    pub statistics: Statistics,
}

/// The numerics gave up, or the start was impossible.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SimError {
    /// A gap is negative at the start.
    #[error("contact `{site}` penetrates at the start: gap = {gap:e}, must be ≥ {least:e}")]
    Penetration {
        /// The site.
        site: String,
        /// Its gap, m.
        gap: f64,
        /// The least gap that counts as closed, m.
        least: f64,
    },
    /// A loop is open at the start.
    #[error("{0} at the start")]
    Open(#[from] super::assembly::OpenLoop),
    /// A joint that moves nothing with mass has no prescribed motion.
    #[error("joint `{joint}` moves nothing that has mass, and no motion is prescribed for it")]
    Undriven {
        /// The joint.
        joint: String,
    },
    /// The run would go backwards.
    #[error("cannot run from t = {t:?} to {end:?} s: the end must not lie before the start")]
    Backwards {
        /// Time of the state, s.
        t: f64,
        /// End asked for, s.
        end: f64,
    },
    /// Times of samples would be the same number.
    #[error(
        "samples every {interval:e} s cannot be told apart up to t = {end:?} s: the interval must be at least {least:e} s"
    )]
    Interval {
        /// Interval asked for, s.
        interval: f64,
        /// End of the run, s.
        end: f64,
        /// Distance of two numbers there, s.
        least: f64,
    },
    /// The state does not belong to the model, or is not finite.
    #[error("the initial state has {what} = {value} at index {index}, which is not finite")]
    BadState {
        /// q or v.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The state has the wrong length.
    #[error("the initial state has {found} {what}, the model {expected}")]
    StateSize {
        /// q or v.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A tolerance that cannot be used.
    #[error(transparent)]
    Tolerance(#[from] ToleranceError),
    /// Motors or controllers that do not fit.
    #[error(transparent)]
    Control(ControlError),
    /// The integration failed.
    #[error("integration failed in the modes {modes}: {source}")]
    Flow {
        /// The contact modes at the time.
        modes: String,
        /// What failed.
        source: FlowError<SingularInertia>,
    },
    /// The impact law failed.
    #[error("the impact at t = {t:?} s could not be resolved: {source}")]
    Impact {
        /// Time, s.
        t: f64,
        /// What the law said.
        source: ImpactError,
    },
    /// Events follow each other without time passing.
    #[error("{count} events at t = {t:?} s without time passing, the last a {kind}")]
    Chatter {
        /// Time, s.
        t: f64,
        /// How many.
        count: usize,
        /// The last one.
        kind: &'static str,
    },
    /// Steps so short that the run would never end.
    #[error(
        "{steps} steps from t = {from:?} s lead to t = {t:?} s only: the run makes no progress"
    )]
    NoProgress {
        /// Time, s.
        t: f64,
        /// How many steps.
        steps: u64,
        /// Where they began, s.
        from: f64,
    },
    /// A time step led to numbers that are not finite.
    #[error("the step of {step} s to t = {t:?} s leads to numbers that are not finite")]
    Diverged {
        /// Time, s.
        t: f64,
        /// Length of the step, s.
        step: f64,
    },
    /// A step that is none.
    #[error("the time step is {step} s: it must be finite and > 0")]
    BadStep {
        /// Length of the step, s.
        step: f64,
    },
    /// A group of features that is too large for a run by events on one clock.
    #[error(
        "contact group `{group}` has {features} features: where forces, motions or controllers act, \
         more than 64 are for time stepping"
    )]
    LargeGroup {
        /// The group.
        group: String,
        /// How many features it has.
        features: usize,
    },
    /// A group in which shapes with corners or ellipsoids touch each other, in a run by events.
    #[error("contact group `{group}` has shapes other than balls and points that touch each other")]
    PolytopeGroup {
        /// The group.
        group: String,
    },
    /// A condition on a contact of two polytopes, whose sites come and go.
    #[error("contact `{contact}` of two polytopes is bound to a condition")]
    PolytopeCondition {
        /// The contact.
        contact: String,
    },
    /// Too many events in all.
    #[error("more than {count} events by t = {t:?} s")]
    TooManyEvents {
        /// Time, s.
        t: f64,
        /// The bound.
        count: u64,
    },
}

impl SimError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Penetration { .. } => {
                "move the bodies apart, or set them exactly in touch; ground is free on the left of the points of a line, and where triangles turn counter-clockwise"
            }
            Self::Open(open) if open.reversed => {
                "its axes point against each other; turn one side by half a turn"
            }
            Self::Open(_) => "start from a state of carom::hybrid::assemble, which closes loops",
            Self::Undriven { .. } => "prescribe its motion, or give it a mass or a rotor inertia",
            Self::Backwards { .. } => "time runs forwards",
            Self::Interval { .. } => {
                "let `output.interval` be longer; a thousandth of the run shows most motions"
            }
            Self::BadState { .. } | Self::StateSize { .. } => "start from State::neutral(&model)",
            Self::Tolerance(e) => e.hint(),
            Self::Control(e) => e.hint(),
            Self::Flow { source: FlowError::Rate { source, .. }, .. } => source.hint(),
            Self::Flow { .. } => "loosen rtol and atol, or look for forces that are not smooth",
            Self::Impact { source, .. } => source.hint(),
            Self::Chatter { .. } => {
                "a force or a guard that is not smooth; look at the last events"
            }
            Self::NoProgress { .. } => {
                "look at the speeds and forces at its end; a looser rtol takes longer steps"
            }
            Self::Diverged { .. } => "take a shorter step; forces and motors are taken explicitly",
            Self::BadStep { .. } => "give a time such as 0.001",
            Self::LargeGroup { .. } => "set solver.scheme = \"moreau\" and solver.step",
            Self::PolytopeGroup { .. } => {
                "set solver.scheme = \"moreau\" and solver.step, or write the pairs: [[contact]] with `self`"
            }
            Self::PolytopeCondition { .. } => {
                "conditions hold for contacts with planes, spheres and points; leave it out"
            }
            Self::TooManyEvents { .. } => "raise max_events if this many are expected",
        }
    }
}
