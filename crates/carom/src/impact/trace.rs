//! The path of an impact in impulse space, recorded on request.
//!
//! A stage is an instant: the state when its event happened. Between two stages of a planar law every velocity is
//! linear in the normal impulse. Energies are those of Morgan's figures 2.6 and 2.7: E is the kinetic energy,
//! E_n and E_f the work so far of the normal and of the friction impulses.

/// What happens at a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageEvent {
    /// First contact.
    Start,
    /// Slip stops and stays stopped.
    SlipStop,
    /// Slip stops and goes on in another direction.
    Reversal,
    /// A sticking contact begins to slip.
    SlipStart,
    /// The colliding contact stops approaching.
    EndOfCompression,
    /// A touching contact leaves.
    Detachment,
    /// A contact that had left is closed again, without restitution.
    Attachment,
    /// End of the impact.
    End,
}

impl StageEvent {
    /// The words used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::SlipStop => "slip stop",
            Self::Reversal => "reversal",
            Self::SlipStart => "slip start",
            Self::EndOfCompression => "end of compression",
            Self::Detachment => "detachment",
            Self::Attachment => "attachment",
            Self::End => "end",
        }
    }
}

/// State at one event of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What happened.
    pub event: StageEvent,
    /// The contact it happened to.
    pub contact: usize,
    /// Normal impulse of the colliding contact so far; summed over the colliding ones if several act together.
    pub normal_impulse: f64,
    /// Contact velocities, rows as in the contact space.
    pub velocity: Vec<f64>,
    /// Impulses so far, rows as in the contact space.
    pub impulses: Vec<f64>,
    /// Kinetic energy (relative to the start if the contact space does not know it).
    pub energy: f64,
    /// Work of all normal impulses so far.
    pub normal_work: f64,
    /// Work of all friction impulses so far.
    pub friction_work: f64,
}

/// The stages of one impact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Whether laws record; without it a trace costs nothing.
    pub enabled: bool,
    /// Stages in order, empty unless enabled.
    pub stages: Vec<Stage>,
}

impl Trace {
    /// An empty trace that records.
    pub fn enabled() -> Self {
        Self { enabled: true, stages: Vec::new() }
    }

    /// Forgets the stages, keeps the switch.
    pub fn clear(&mut self) {
        self.stages.clear();
    }

    /// Appends the stage made by `stage`, if recording.
    pub fn record(&mut self, stage: impl FnOnce() -> Stage) {
        if self.enabled {
            self.stages.push(stage());
        }
    }
}
