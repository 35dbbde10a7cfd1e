//! Why there is no capability or no posture.

use crate::program::ProgramError;
use thiserror::Error;

/// Every way in which a question of agility has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AgilityError {
    /// No motor.
    #[error("the mechanism has no motor")]
    NoMotors,
    /// Lower and upper limit of every motor are the same.
    #[error("no motor has a range of torques: {motor} is limited to {torque} N·m")]
    NoTorque {
        /// The first motor.
        motor: String,
        /// That torque.
        torque: f64,
    },
    /// Limits of a motor that are infinite or reversed.
    #[error("{motor} has the limits [{lower}, {upper}] N·m")]
    TorqueLimits {
        /// The motor.
        motor: String,
        /// Its lower limit.
        lower: f64,
        /// Its upper limit.
        upper: f64,
    },
    /// The direction is zero or not a number.
    #[error("direction [{x}, {y}, {z}] has no length")]
    Direction {
        /// Along x.
        x: f64,
        /// Along y.
        y: f64,
        /// Along z.
        z: f64,
    },
    /// No coordinate moves the point in the direction.
    #[error("no coordinate moves the point in that direction")]
    Immovable,
    /// The mass matrix is not positive definite.
    #[error("the mass matrix is not positive definite")]
    MassMatrix,
    /// The contacts cannot all be kept, whatever the forces: their rows contradict one another.
    #[error(
        "the contacts cannot all be kept: their accelerations contradict by {residual:.3e} m/s²"
    )]
    Contradiction {
        /// The part of the accelerations that no force removes.
        residual: f64,
    },
    /// No torques and contact forces within their bounds keep the contacts and what is held.
    #[error("no torques within the limits keep {}: in conflict are {}", kept(*contacts, *held), list(conflict))]
    Powerless {
        /// How many contacts are kept.
        contacts: usize,
        /// How many accelerations are held.
        held: usize,
        /// What is in conflict, heaviest first.
        conflict: Vec<String>,
    },
    /// The closed form does not apply.
    #[error(
        "the closed form needs as many rows as unknowns: {rows} accelerations for {nv} degrees of freedom, {forces} torques and contact forces"
    )]
    NotSquare {
        /// Rows of accelerations: task, held and contacts.
        rows: usize,
        /// Degrees of freedom.
        nv: usize,
        /// Torques and contact forces.
        forces: usize,
    },
    /// The closed form's matrix has no inverse.
    #[error("{what} is singular in this posture")]
    Singular {
        /// Which matrix.
        what: &'static str,
    },
    /// No coordinates put the feet on the ground within the limits.
    #[error(
        "no posture found that puts {feet} on the ground within the limits: the nearest misses by {miss:.3e} m"
    )]
    OutOfReach {
        /// The feet.
        feet: String,
        /// Worst gap or violation of the best attempt, m or rad.
        miss: f64,
    },
    /// No posture of many allows any motion within the limits.
    #[error("none of {tried} postures on the ground can be held: {reason}")]
    NoPosture {
        /// How many were tried.
        tried: usize,
        /// The fault of the last.
        reason: Box<AgilityError>,
    },
    /// A coordinate that cannot be mapped or varied.
    #[error("coordinate number {index} does not exist or is part of a quaternion")]
    Coordinate {
        /// Its place in v.
        index: usize,
    },
    /// A point of a map outside of the joint limits.
    #[error("coordinates {} and {} lie beyond the joint limits", values[0], values[1])]
    BeyondLimits {
        /// The two coordinates, rad or m.
        values: [f64; 2],
    },
    /// The system gives no such number of threads.
    #[error("cannot work on {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// The program could not be solved.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

fn kept(contacts: usize, held: usize) -> String {
    let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    match (contacts, held) {
        (c, 0) => plural(c, "contact"),
        (0, h) => format!("{} at zero", plural(h, "acceleration")),
        (c, h) => format!("{} and {} at zero", plural(c, "contact"), plural(h, "acceleration")),
    }
}

fn list(names: &[String]) -> String {
    names.join(", ")
}

impl AgilityError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoMotors => "give joints a finite effort, or declare actuators",
            Self::NoTorque { .. } => "give at least one motor a torque limit above zero",
            Self::TorqueLimits { .. } => "give every motor finite limits, lower ≤ upper",
            Self::Direction { .. } => "give a direction with at least one coordinate that is not 0",
            Self::Immovable => {
                "choose a point on a moving body and a direction in which it can move"
            }
            Self::MassMatrix => "give every moving body a mass",
            Self::Contradiction { .. } => "name fewer contacts, or start at rest",
            Self::Powerless { .. } => {
                "raise the torque limits or the friction, keep fewer contacts, or hold less"
            }
            Self::NotSquare { .. } => "use the program, which needs no square matrices",
            Self::Singular { .. } => "move away from the singular posture, or use the program",
            Self::OutOfReach { .. } => "widen the joint limits, free the base, or name other feet",
            Self::NoPosture { .. } => "raise the torque limits or the friction, or try more starts",
            Self::Coordinate { .. } => "name coordinates of revolute, prismatic or planar joints",
            Self::BeyondLimits { .. } => "map a smaller range, or widen the limits of the joints",
            Self::Threads { .. } => "ask for fewer threads",
            Self::Program(source) => source.hint(),
        }
    }
}
