//! Spatial differential impact.

mod arc;
mod path;
mod principal;
mod single;
mod tail;

pub use single::{Coefficients, Observer, SpatialImpact, Unfinished, resolve};
