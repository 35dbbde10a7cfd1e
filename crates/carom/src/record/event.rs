//! What happened at one instant.

use crate::contact::Mode;
use crate::control::Saturation;

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
            Self::Rest => "rest",
        }
    }

    /// Whether velocities jumped.
    pub fn is_jump(&self) -> bool {
        matches!(self, Self::Impact | Self::Jam | Self::Close)
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
    /// For [`EventKind::Close`]: the time that further bounces would have taken, s.
    pub remaining_time: Option<f64>,
}

impl Event {
    /// Kinetic energy lost, J.
    pub fn energy_lost(&self) -> f64 {
        self.energy_before - self.energy_after
    }
}
