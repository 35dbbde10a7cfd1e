//! A rigid body and how it hangs in the tree.

use super::{BodyId, Joint};
use crate::spatial::Inertia;

/// A rigid body, carried by one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// The body that carries it; `None` is the world.
    pub parent: Option<BodyId>,
    /// The joint between parent and body. The body frame is the moving frame of the joint.
    pub joint: Joint,
    /// Mass, centre of mass and inertia in the body frame; may be massless if it carries others.
    pub inertia: Inertia,
}
