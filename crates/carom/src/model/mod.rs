//! What the mechanism is: bodies, joints, shapes and the surfaces that may touch. Immutable once built.
#![allow(non_snake_case)]

pub mod body;
pub mod builder;
pub mod contact_group;
pub mod contact_pair;
mod elements_check;
pub mod error;
pub mod excerpt;
pub mod force_element;
pub mod hull;
pub mod ids;
pub mod joint;
pub mod loops;
pub mod mechanism;
pub mod plane;
pub mod shape;
pub mod terrain;
mod terrain_line;
mod terrain_tree;
pub mod tree;

pub use body::Body;
pub use builder::ModelBuilder;
pub use contact_group::ContactGroup;
pub use contact_pair::{ContactPair, Resistance, Surface};
pub use error::ModelError;
pub use excerpt::Excerpt;
pub use force_element::{BodyPoint, Load, LoadAxes, PointSpring};
pub use hull::Hull;
pub use ids::{BodyId, FeatureId, PairId};
pub use joint::{Coordinate, Coupling, Joint, JointKind, Limits, Spring};
pub use loops::{Anchor, Loop, LoopKind};
pub use mechanism::Model;
pub use plane::moves_in_plane;
pub use shape::{Feature, Shape};
pub use terrain::{Terrain, TerrainError};
