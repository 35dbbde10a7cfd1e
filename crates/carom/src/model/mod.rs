//! What the mechanism is: bodies, joints, shapes and the surfaces that may touch. Immutable once built.
#![allow(non_snake_case)]

pub mod body;
pub mod builder;
pub mod contact_group;
pub mod contact_pair;
pub mod error;
pub mod excerpt;
pub mod hull;
pub mod ids;
pub mod joint;
pub mod mechanism;
pub mod plane;
pub mod shape;
pub mod tree;

pub use body::Body;
pub use builder::ModelBuilder;
pub use contact_group::ContactGroup;
pub use contact_pair::{ContactPair, Surface};
pub use error::ModelError;
pub use excerpt::Excerpt;
pub use hull::Hull;
pub use ids::{BodyId, FeatureId, PairId};
pub use joint::{Coordinate, Coupling, Joint, JointKind, Limits, Spring};
pub use mechanism::Model;
pub use plane::moves_in_plane;
pub use shape::{Feature, Shape};
