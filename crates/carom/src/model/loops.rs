//! Loops: two frames of a mechanism that stay together although no joint of the tree joins them.
//!
//! | kind | what holds | equations in space | in the plane |
//! |---|---|---|---|
//! | point | the two origins coincide | 3 | 2 |
//! | hinge | the origins and the z axes coincide | 5 | 2 |
//! | weld | the two frames coincide | 6 | 3 |
//! | distance | the origins stay at a distance > 0 | 1 | 1 |
//!
//! A gear, the fifth kind of a scene, ties the angles of two joints: [`Coupling`](super::Coupling). The
//! equations are in [`crate::dynamics::loops`].

use super::BodyId;
use crate::spatial::Pose;

/// A frame fixed to a body, or to the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// The frame in that of the body.
    pub placement: Pose,
}

/// What a loop holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoopKind {
    /// The origins coincide.
    Point,
    /// The origins and the z axes coincide.
    Hinge,
    /// The frames coincide.
    Weld,
    /// The origins stay apart by a length.
    Distance {
        /// The length, m, > 0.
        length: f64,
    },
}

impl LoopKind {
    /// Word used in files and messages.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Hinge => "hinge",
            Self::Weld => "weld",
            Self::Distance { .. } => "distance",
        }
    }
}

/// A closed loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Unique name.
    pub name: String,
    /// What it holds.
    pub kind: LoopKind,
    /// The first frame.
    pub a: Anchor,
    /// The second frame.
    pub b: Anchor,
}

impl Loop {
    /// The bodies that it joins; `None` is the world.
    pub fn bodies(&self) -> [Option<BodyId>; 2] {
        [self.a.body, self.b.body]
    }
}
