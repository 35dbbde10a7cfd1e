//! Gaps between shapes, in closed form, with their first and second derivatives.
//!
//! Boxes are their corner points and capsules their two end spheres, so three pairs suffice:
//!
//! | file | pair |
//! |---|---|
//! | `round_plane` | point, sphere or ellipsoid above a half-space, which may move |
//! | `sphere_sphere` | two spheres, or two disks in the plane |
//!
//! | file | noun |
//! |---|---|
//! | `motion` | pose, twist and velocity-product acceleration of a body |
//! | `gap` | what is known of a pair, and the law of its derivatives |
//! | `half_space` | a plane fixed to a body |
//! | `tangents` | two tangents for a normal |
//!
//! The normal points from A to B, g > 0 is apart, uₙ = ġ > 0 separates.
#![allow(non_snake_case)]

mod gap;
mod half_space;
mod motion;
mod round_plane;
mod sphere_sphere;
mod tangents;

pub use gap::{Approach, Gap, Status};
pub use half_space::HalfSpace;
pub use motion::BodyMotion;
pub use round_plane::{FLAT, Round, approach_plane, gap_to_plane};
pub use sphere_sphere::{CONCENTRIC, Sphere, SpherePair};
pub use tangents::{tangent_rates, tangents};
