//! An experiment and its source.

use crate::error::Trouble;
use crate::outcome::Outcome;

/// Where a published experiment comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// D. Morgan, Algebraic solution to the planar rigid body impact problem, 2011.
    Morgan,
    /// Y. Hurmuzlu, D. B. Marghitu, Rigid body collisions of planar kinematic chains …, 1994.
    Hurmuzlu,
    /// D. M. Flickinger, Hybrid dynamic simulation … of legged mechanisms, 2011.
    Flickinger,
    /// D. M. Flickinger, A. Bowling, Impact forces in the simulation of simultaneous impacts …, 2009.
    FlickingerBowling,
    /// A. M. Johnson, Impacts, lecture notes, 2024.
    Johnson,
    /// Not published: comparisons that only carom has.
    Beyond,
}

impl Source {
    /// Author and year.
    pub fn short(self) -> &'static str {
        match self {
            Self::Morgan => "Morgan 2011",
            Self::Hurmuzlu => "Hurmuzlu & Marghitu 1994",
            Self::Flickinger => "Flickinger 2011",
            Self::FlickingerBowling => "Flickinger & Bowling 2009",
            Self::Johnson => "Johnson 2024",
            Self::Beyond => "carom",
        }
    }

    /// The full reference.
    pub fn reference(self) -> &'static str {
        match self {
            Self::Morgan => {
                "D. Morgan, Algebraic solution to the planar rigid body impact problem, MS thesis, The University of \
                 Texas at Arlington, 2011"
            }
            Self::Hurmuzlu => {
                "Y. Hurmuzlu and D. B. Marghitu, Rigid body collisions of planar kinematic chains with multiple contact \
                 points, The International Journal of Robotics Research 13(1), 82–92, 1994"
            }
            Self::Flickinger => {
                "D. M. Flickinger, Hybrid dynamic simulation for performance optimization of legged mechanisms, PhD \
                 dissertation, 2011"
            }
            Self::FlickingerBowling => {
                "D. M. Flickinger and A. Bowling, Impact forces in the simulation of simultaneous impacts and contacts in \
                 multibody systems with friction, 2009"
            }
            Self::Johnson => "A. M. Johnson, Impacts, lecture notes, 9 April 2024",
            Self::Beyond => "comparisons beyond the papers",
        }
    }
}

/// How an experiment is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Context {
    /// Shorter sweeps and fewer samples, for tests: the same claims, coarser numbers.
    pub fast: bool,
}

impl Context {
    /// One value for the whole form, another for the fast one.
    pub fn pick<T>(&self, whole: T, fast: T) -> T {
        if self.fast { fast } else { whole }
    }
}

/// A published experiment, computed again.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// Name on the command line: lower case, words joined by `-`.
    pub name: &'static str,
    /// One line that names it.
    pub title: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// Tables, figures, sections or problems of the source that it covers, written as in the inventory:
    /// `figure 2.8`, `table 2.4`, `problem 1`.
    pub covers: &'static [&'static str],
    /// Computes it.
    pub run: fn(&Context) -> Result<Outcome, Trouble>,
}
