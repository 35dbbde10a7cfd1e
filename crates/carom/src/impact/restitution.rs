//! The three definitions of the coefficient of restitution for laws that follow the path in impulse space.
//!
//! # Law
//! ```text
//! kinematic (Newton):   uₙ⁺ = −e uₙ⁻                    (1)
//! kinetic (Poisson):    p_r = e p_c                     (2)
//! energetic (Stronge):  W_r = −e² W_c                   (3)
//! ```
//! c is compression (uₙ < 0), r restitution; p is the normal impulse and W its work at the colliding contact.
//!
//! # Source
//! Hurmuzlu & Marghitu 1994, section 3.1; Morgan 2011, chapter 2.
//!
//! # Tests
//! `tests/planar/`: `eq5_kinematic`, `eq6_kinetic`, `eq7_energetic`; `tests/differential/`:
//! `eq5_eq6_eq7_restitution_at_the_colliding_contact`.

use std::fmt;

/// Definition of the coefficient of restitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Restitution {
    /// Ratio of normal velocities, Newton.
    Kinematic,
    /// Ratio of normal impulses of restitution and compression, Poisson.
    Kinetic,
    /// Square root of the ratio of normal works, Stronge.
    Energetic,
}

impl Restitution {
    /// All three, in the order of the sources.
    pub const ALL: [Self; 3] = [Self::Kinematic, Self::Kinetic, Self::Energetic];

    /// The word used in files: `kinematic`, `kinetic` or `energetic`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kinematic => "kinematic",
            Self::Kinetic => "kinetic",
            Self::Energetic => "energetic",
        }
    }
}

impl fmt::Display for Restitution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
