//! Why a model cannot be built.

use crate::spatial::InertiaError;
use thiserror::Error;

/// A fault of a model, found before time starts.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ModelError {
    /// Nothing can move.
    #[error("the model has no degree of freedom")]
    Empty,
    /// Two parts with one name.
    #[error("two {what}s are called `{name}`")]
    Duplicate {
        /// Sort of part.
        what: &'static str,
        /// The name given twice.
        name: String,
    },
    /// Mass or inertia of a body is impossible.
    #[error("body `{body}` has an impossible inertia: {source}")]
    Inertia {
        /// The body.
        body: String,
        /// What is wrong.
        source: InertiaError,
    },
    /// A part of a moving joint that carries no inertia.
    #[error("joint `{joint}` moves nothing that has mass")]
    Massless {
        /// The joint.
        joint: String,
    },
    /// A number outside its range.
    #[error("{what} `{name}`: {field} = {value} must be {allowed}")]
    Range {
        /// Sort of part.
        what: &'static str,
        /// Its name.
        name: String,
        /// The field.
        field: &'static str,
        /// The offending value.
        value: f64,
        /// The allowed range.
        allowed: &'static str,
    },
    /// A list of the wrong length.
    #[error("{what} `{name}`: {field} has {found} entries instead of {expected}")]
    Length {
        /// Sort of part.
        what: &'static str,
        /// Its name.
        name: String,
        /// The field.
        field: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A transmission, spring, damper or limit on a coordinate that is part of a quaternion.
    #[error("joint `{joint}` is {kind}: its turns take no {field}")]
    NotPlain {
        /// The joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
        /// The field that was set.
        field: &'static str,
    },
    /// A pair that no gap function covers.
    #[error("contact `{pair}`: no contact between {a} and {b}")]
    Unsupported {
        /// The pair.
        pair: String,
        /// Shape of the first feature.
        a: &'static str,
        /// Shape of the second feature.
        b: &'static str,
    },
    /// A pair of points and lines without thickness, which would never meet.
    #[error("contact `{pair}`: {a} and {b} have no thickness, they would pass through each other")]
    Thin {
        /// The pair.
        pair: String,
        /// Shape of the first feature.
        a: &'static str,
        /// Shape of the second feature.
        b: &'static str,
    },
    /// Both features of a pair on the same body.
    #[error("contact `{pair}`: both features sit on the same body")]
    SameBody {
        /// The pair.
        pair: String,
    },
    /// A loop between frames that do not move against each other.
    #[error("loop `{name}`: its two sides do not move against each other")]
    IdleLoop {
        /// The loop.
        name: String,
    },
    /// A part that does not belong to this model.
    #[error("{what} number {index} does not exist")]
    Unknown {
        /// Sort of part.
        what: &'static str,
        /// Its number.
        index: usize,
    },
}

impl ModelError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Empty => "give at least one body a joint that is not fixed",
            Self::Duplicate { .. } => "names of one sort must differ",
            Self::Inertia { source, .. } => source.hint(),
            Self::Massless { .. } => {
                "give the body, or one that it carries, a mass, or the joint a rotor inertia or a prescribed motion"
            }
            Self::Range { .. } => "change the value to one in the allowed range",
            Self::Length { .. } => "give one entry for each degree of freedom",
            Self::NotPlain { .. } => {
                "use a chain of revolute joints where angles need springs, limits or transmissions"
            }
            Self::Unsupported { .. } => {
                "any convex shape touches a half-space; otherwise polygons touch shapes of the plane, cylinders, ellipsoids and convex hulls shapes of space; ground of triangles touches convex shapes of space, a line those of the plane"
            }
            Self::Thin { .. } => "give one of them a radius, such as a capsule, or a thickness",
            Self::SameBody { .. } => "a body does not touch itself",
            Self::IdleLoop { .. } => {
                "name two bodies that move against each other, or leave it out"
            }
            Self::Unknown { .. } => "use a number that the same builder returned",
        }
    }
}
