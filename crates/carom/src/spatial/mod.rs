//! Six-dimensional algebra of rigid motion; this folder knows no bodies.
//!
//! Twists and wrenches are pairs of three-vectors, angular part first, resolved in world axes at a
//! stated reference point. Moving the reference point is the only transform that the dynamics
//! needs, so no rotation of six-by-six matrices ever happens.
#![allow(non_snake_case)]

pub mod articulated;
pub mod force;
pub mod inertia;
pub mod motion;
pub mod pose;
pub mod rotation;
pub mod symmetric;

pub use articulated::ArticulatedInertia;
pub use force::Force;
pub use inertia::{Inertia, InertiaError, PointInertia};
pub use motion::Motion;
pub use pose::Pose;
pub use symmetric::Symmetric3;
