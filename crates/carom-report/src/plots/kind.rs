//! The sorts of plots of a run.

/// A sort of plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlotKind {
    /// The motion and the energy side by side.
    Overview,
    /// The mechanism at start, impacts and end, with the paths of its points.
    Motion,
    /// Coordinates over time.
    Coordinates,
    /// Speeds over time.
    Speeds,
    /// Forces and torques of motors over time.
    Torques,
    /// Contact forces over time, with impulses.
    Forces,
    /// Energies over time, and where they went.
    Energy,
    /// Contact modes over time.
    Modes,
    /// Speeds against coordinates.
    Phase,
    /// Paths of single impacts in impulse space.
    Impulse,
    /// Friction that each slip after an impact would need.
    Feasibility,
}

impl PlotKind {
    /// All sorts.
    pub const ALL: [Self; 11] = [
        Self::Overview,
        Self::Motion,
        Self::Coordinates,
        Self::Speeds,
        Self::Torques,
        Self::Forces,
        Self::Energy,
        Self::Modes,
        Self::Phase,
        Self::Impulse,
        Self::Feasibility,
    ];

    /// The word used in commands and file names.
    pub fn word(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Motion => "motion",
            Self::Coordinates => "coordinates",
            Self::Speeds => "speeds",
            Self::Torques => "torques",
            Self::Forces => "forces",
            Self::Energy => "energy",
            Self::Modes => "modes",
            Self::Phase => "phase",
            Self::Impulse => "impulse",
            Self::Feasibility => "feasibility",
        }
    }

    /// The sort with that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
