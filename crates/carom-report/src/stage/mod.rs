//! What is to be drawn: shapes, joints, springs and surfaces, and where they are at any time.
//!
//! [`Stage`] is what does not change: the shapes of each moving body in its own frame, the shapes
//! fixed to the world, lines that make a skeleton visible, pins and springs. [`Posture`] is what
//! does: poses of the bodies, centre of mass and contact frames at a state. Pictures, reports and
//! the viewer all draw from these two.
//!
//! | file | noun |
//! |---|---|
//! | `form`, `drawn` | a shape by its sizes; a shape with its name and place |
//! | `solids` | features of the model as shapes to draw |
//! | `skeleton` | lines between joints where no shape shows the body |
//! | `fixtures` | pins and springs of joints |
//! | `plan` | [`Stage`]: all of them |
//! | `posture` | poses, centre of mass, contact frames at a state |
//! | `bounds` | the box that holds everything |
//!
//! # Tests
//! `tests/stage.rs`: forms and poses of every scene, against a second route.
#![allow(non_snake_case)]

mod bounds;
mod drawn;
mod fixtures;
mod form;
mod plan;
mod posture;
mod skeleton;
mod solids;

pub use bounds::Bounds;
pub use drawn::Drawn;
pub use fixtures::{Pin, SpringLine};
pub use form::{Form, Outline};
pub use plan::{Stage, StageBody};
pub use posture::{ContactFrame, Posture};
pub use skeleton::{End, Line};
