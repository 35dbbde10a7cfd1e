//! Spatial differential impact.

mod arc;
mod law;
mod path;
mod principal;
mod single;
mod tail;

pub use law::SpatialDifferential;
pub use single::{Coefficients, Observer, SpatialImpact, Unfinished, resolve};
