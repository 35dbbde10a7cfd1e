//! The five methods of the source.

use carom::impact::{Brach, Differential, ImpactLaw, Restitution, Whittaker};

/// A method of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Differential formulation, kinematic definition of e (Newton).
    Kinematic,
    /// Differential formulation, kinetic definition (Poisson, Routh).
    Kinetic,
    /// Differential formulation, energetic definition (Stronge).
    Energetic,
    /// Algebraic formulation after Whittaker.
    Whittaker,
    /// Algebraic formulation after Brach.
    Brach,
}

impl Method {
    /// All five.
    pub const ALL: [Self; 5] =
        [Self::Kinematic, Self::Kinetic, Self::Energetic, Self::Whittaker, Self::Brach];
    /// Those that are said never to gain energy.
    pub const CONSISTENT: [Self; 3] = [Self::Kinetic, Self::Energetic, Self::Brach];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kinematic => "kinematic",
            Self::Kinetic => "kinetic",
            Self::Energetic => "energetic",
            Self::Whittaker => "Whittaker",
            Self::Brach => "Brach",
        }
    }

    /// The law.
    pub fn law(self) -> Box<dyn ImpactLaw> {
        match self {
            Self::Kinematic => Box::new(Differential { restitution: Restitution::Kinematic }),
            Self::Kinetic => Box::new(Differential { restitution: Restitution::Kinetic }),
            Self::Energetic => Box::new(Differential { restitution: Restitution::Energetic }),
            Self::Whittaker => Box::new(Whittaker),
            Self::Brach => Box::new(Brach),
        }
    }
}
