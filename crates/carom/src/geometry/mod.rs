//! Gaps between shapes, in closed form, with their first and second derivatives.
//!
//! On a half-space boxes are their corners and capsules their end spheres. Other convex shapes are rounded
//! polytopes, which touch by a few features; each pair of features has its own gap:
//!
//! | file | pair |
//! |---|---|
//! | `round_plane` | point, sphere or ellipsoid above a half-space or a face, which may move |
//! | `sphere_sphere` | two spheres, two disks in the plane, two rounded corners |
//! | `lines` | two edges; a rounded edge and a corner |
//! | `smooth_pair` | two ellipsoids or rims, or one and a ball, a point, an edge; two ellipses in the plane |
//!
//! | file | what it finds |
//! |---|---|
//! | `separation` | how far two rounded polytopes are apart, and the nearest features |
//! | `axes` | which of their axes can have the greatest separation, and which has |
//! | `manifold` | the features by which they touch |
//! | `common_normal` | the common normal of two smooth shapes |
//! | `smooth_polytope` | the feature of a rounded polytope by which it touches an ellipsoid |
//! | `cylinder_pair` | the parts by which a cylinder is nearest to any other shape |
//! | `cylinder_manifold` | all those by which they touch |
//! | `corners_on_plane` | the corners by which a polytope with many of them is near to a half-space, and touches |
//! | `terrain_pair` | the features by which ground made of triangles and a rounded polytope are near, and touch |
//! | `terrain_round` | the same of ground and a cylinder, a disk, a flat ellipse or an ellipsoid |
//! | `terrain_inside` | whether a shape is inside of the ground at the start |
//!
//! | file | noun |
//! |---|---|
//! | `motion` | pose, twist and velocity-product acceleration of a body |
//! | `gap` | what is known of a pair, and the law of its derivatives |
//! | `half_space` | a plane fixed to a body |
//! | `polytope` | corners, edges and faces of a convex shape, and its rounding |
//! | `cylinder` | caps, side and rims of a cylinder, a disk, a flat ellipse |
//! | `parts` | parts of convex shapes, and how two of them meet |
//! | `tangents` | two tangents for a normal |
//!
//! The normal points from A to B, g > 0 is apart, uₙ = ġ > 0 separates.
#![allow(non_snake_case)]

mod axes;
mod common_normal;
mod corners_on_plane;
mod cylinder;
mod cylinder_manifold;
mod cylinder_pair;
mod gap;
mod half_space;
mod lines;
mod manifold;
mod motion;
mod parts;
mod polytope;
mod round_plane;
mod separation;
mod smooth_pair;
mod smooth_polytope;
mod sphere_sphere;
mod tangents;
mod terrain_inside;
mod terrain_pair;
mod terrain_round;

pub use axes::Search;
pub use corners_on_plane::CornersOnPlane;
pub use cylinder::{CORNERS, Cylinder};
pub use cylinder_pair::CylinderPair;
pub use gap::{Approach, Gap, Status};
pub use half_space::HalfSpace;
pub use lines::{Line, LinePair, LinePoint, PARALLEL};
pub use manifold::{manifold, point_of};
pub use motion::BodyMotion;
pub use parts::{Convex, Meeting, Part, Touch, meeting};
pub use polytope::{Edge, Face, Polytope};
pub use round_plane::{FLAT, Round, approach_plane, gap_to_plane};
pub use separation::{Features, Placed, Separation, extent, place, separation};
pub use smooth_pair::{Smooth, SmoothPair};
pub use smooth_polytope::{smooth_extent, smooth_feature, smooth_separation};
pub use sphere_sphere::{CONCENTRIC, Sphere, SpherePair};
pub use tangents::{tangent_rates, tangents};
pub use terrain_pair::TerrainPair;
