//! Pictures of a run at any time: frames of films, thumbnails.
//!
//! [`Studio`] is a run made ready; [`Studio::picture`] draws it at a time, flat or in space, with contact forces,
//! impulses of the last moment, trails and a clock. What is drawn is what pages draw: poses and forces come from the
//! polynomials of the document, to their stated error.
//!
//! | file | noun |
//! |---|---|
//! | `ink` | colours, light and dark |
//! | `moment` | where everything is at a time |
//! | `look` | what is asked of a picture: size, camera, theme |
//! | `signs` | arrows, marks of contacts, the clock |
//! | `flat` | planar scenes |
//! | `eye` | the camera of scenes in space |
//! | `mesh` | shapes as triangles and edges |
//! | `raster` | triangles and lines as pixels, nearest first |
//! | `space` | scenes in space |
//! | `studio` | a run made ready |
//! | `gif` | films without another program |
//!
//! # Tests
//! `tests/pictures.rs`.
#![allow(non_snake_case)]

mod eye;
mod flat;
mod gif;
mod ink;
mod look;
mod mesh;
mod moment;
mod raster;
mod signs;
mod space;
mod studio;

pub use ::gif::EncodingError as GifError;
pub use eye::{View, ViewError};
pub use gif::Gif;
pub use look::Look;
pub use studio::Studio;
