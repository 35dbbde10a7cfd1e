//! How robots look: the visual shapes and meshes of their URDF, from files that the user has.
//!
//! Mechanics never reads them (`carom-scene` leaves `visual` out), so that a run does not depend on them; a page shows
//! them if the files are found, and the shapes that touch otherwise.
//!
//! | file | noun |
//! |---|---|
//! | `mesh` | triangles of a file, which `carom_scene` reads, and what becomes of them |
//! | `primitive` | boxes, cylinders and balls as triangles |
//! | `locate` | where a file lies that a description names |
//! | `thin` | fewer triangles |
//! | `robot` | the `visual` elements of a description |
//! | `looks` | everything that a scene's robots look like, as the page reads it |
//!
//! # Tests
//! `tests/looks.rs`.
#![allow(non_snake_case)]

mod locate;
#[allow(clippy::module_inception)]
mod looks;
mod mesh;
mod primitive;
mod robot;
mod thin;

pub use locate::locate;
pub use looks::{Look, Looks, PageMesh};
pub use mesh::{Mesh, read};
pub use thin::thinned;
