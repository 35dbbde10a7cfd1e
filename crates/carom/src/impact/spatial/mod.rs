//! Spatial differential impact.

mod arc;
mod extrapolate;
mod flow;
mod law;
mod modes;
mod path;
mod principal;
mod single;
mod staged;
mod tail;

pub use flow::SpatialScratch;
pub use law::{SpatialDifferential, resolve_staged};
pub use single::{Coefficients, Observer, SpatialImpact, Unfinished, resolve};
