//! What happened at one instant.

use crate::contact::Mode;
use crate::control::Saturation;
pub use crate::impact::Solved;
use crate::model::BodyId;

/// The sort of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Velocities jumped because bodies collided.
    Impact,
    /// Velocities jumped without a collision: friction jammed (Painlevé).
    Jam,
    /// Accumulating impacts ended: the contact closed.
    Close,
    /// A gap closed without approach velocity.
    Touch,
    /// A contact force vanished and the contact opened.
    LiftOff,
    /// Slip came to an end.
    SlipStop,
    /// Slip began.
    SlipStart,
    /// Slip stopped and began the other way.
    SlipReversal,
    /// A motor reached one of its limits, or left it.
    Saturation,
    /// The command of a controller jumped: a row of a table, or a foot on the ground let go.
    Switch,
    /// A time step carries a cluster over where events find no way on.
    Step,
    /// Everything came to rest.
    Rest,
}

impl EventKind {
    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::Jam => "jam",
            Self::Close => "close",
            Self::Touch => "touch",
            Self::LiftOff => "lift-off",
            Self::SlipStop => "slip-stop",
            Self::SlipStart => "slip-start",
            Self::SlipReversal => "slip-reversal",
            Self::Saturation => "saturation",
            Self::Switch => "switch",
            Self::Step => "step",
            Self::Rest => "rest",
        }
    }

    /// Whether velocities jumped.
    pub fn is_jump(&self) -> bool {
        matches!(self, Self::Impact | Self::Jam | Self::Close)
    }
}

/// A rule of the safety net: what decided where the way has no answer, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rescue {
    /// The impact law had no sound answer; the compliant path decided.
    Compliant,
    /// Impacts of one instant did not end, or contacts jammed together: the cluster took an impulse without restitution.
    Plastic,
    /// Contact forces have several answers; the gentlest was taken.
    Chosen,
    /// Contact forces were found with a vanishing compliance only.
    Soft,
    /// A time step carried the cluster over.
    Step,
}

impl Rescue {
    /// All of them, in the order of their counts.
    pub const ALL: [Self; 5] =
        [Self::Compliant, Self::Plastic, Self::Chosen, Self::Soft, Self::Step];

    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Compliant => "compliant",
            Self::Plastic => "plastic",
            Self::Chosen => "chosen",
            Self::Soft => "soft",
            Self::Step => "step",
        }
    }
}

/// What one contact did in an event. Rows: tangents first, then the normal; unused ones are zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactChange {
    /// Index of the site.
    pub site: usize,
    /// Mode before.
    pub before: Mode,
    /// Mode after.
    pub after: Mode,
    /// Relative velocity before: two tangents, normal, m/s.
    pub u_pre: [f64; 3],
    /// Relative velocity after, m/s.
    pub u_post: [f64; 3],
    /// Impulse, N·s.
    pub impulse: [f64; 3],
    /// Work of the normal impulse, J.
    pub normal_work: f64,
    /// Work of the friction impulse, J.
    pub friction_work: f64,
}

/// What one motor did in an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActuatorChange {
    /// Index of the actuator.
    pub actuator: usize,
    /// Mode before.
    pub before: Saturation,
    /// Mode after.
    pub after: Saturation,
    /// Its force after, N·m or N.
    pub torque: f64,
}

/// One instant at which something changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Time, s.
    pub t: f64,
    /// The sort.
    pub kind: EventKind,
    /// Contacts that took part.
    pub contacts: Vec<ContactChange>,
    /// Motors that took part.
    pub actuators: Vec<ActuatorChange>,
    /// The bodies whose coordinates and velocities follow, in the order of the model; empty for all of them. A run of
    /// many bodies tells those of the cluster only, and its kinetic energy.
    pub bodies: Vec<BodyId>,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities before.
    pub v_pre: Vec<f64>,
    /// Velocities after.
    pub v_post: Vec<f64>,
    /// Kinetic energy before, J.
    pub energy_before: f64,
    /// Kinetic energy after, J.
    pub energy_after: f64,
    /// Work of energy control by attenuation, J, ≤ 0; contacts explain the rest of the change.
    pub attenuation_work: f64,
    /// For [`EventKind::Close`]: the time that further bounces would have taken, s. For
    /// [`EventKind::Step`]: the length of the step, s.
    pub remaining_time: Option<f64>,
    /// How what follows was found.
    pub solved: Option<Solved>,
    /// The rule of the safety net that was needed, if any.
    pub rescue: Option<Rescue>,
}

impl Event {
    /// An event with room for nq coordinates and nv velocities.
    pub fn empty(nq: usize, nv: usize) -> Self {
        Self {
            t: 0.0,
            kind: EventKind::Impact,
            contacts: Vec::new(),
            actuators: Vec::new(),
            bodies: Vec::new(),
            q: vec![0.0; nq],
            v_pre: vec![0.0; nv],
            v_post: vec![0.0; nv],
            energy_before: 0.0,
            energy_after: 0.0,
            attenuation_work: 0.0,
            remaining_time: None,
            solved: None,
            rescue: None,
        }
    }

    /// Forget contacts and how they were decided.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.attenuation_work = 0.0;
        self.remaining_time = None;
        self.solved = None;
        self.rescue = None;
    }

    /// Kinetic energy lost, J.
    pub fn energy_lost(&self) -> f64 {
        self.energy_before - self.energy_after
    }
}
