//! Smooth motion: M(q) v̇ + h(q, v) = τ + Jᵀλ.
//!
//! Everything is resolved in world axes. Each link has its own reference point, the origin of its
//! joint, so that no number grows with the distance from the world's origin, and going from one
//! link to the next is a shift without a rotation.
//!
//! | file | computes |
//! |---|---|
//! | [`mod@kinematics`] | poses, axes, twists, velocity products |
//! | [`integrate`] | q̇ from v, exponential steps, differences on the manifold |
//! | [`recursion`] | inverse dynamics, h |
//! | [`mod@mass_matrix`] | M by composite bodies |
//! | [`articulated`] | articulated inertias: the O(n) factorisation of M⁻¹ |
//! | [`forward`] | v̇ in O(n) |
//! | [`mod@flight`] | v̇ of planar trees and lone bodies, the short way |
//! | [`response`] | M⁻¹b, J M⁻¹ Jᵀ, M⁻¹Jᵀp in O(n) |
//! | [`factor`] | M = Lᵀ D L on the tree |
//! | [`jacobian`] | point and frame Jacobians, J̇v |
//! | [`forces`] | springs and dampers of joints |
//! | [`elements`] | springs and dampers between points, constant loads |
//! | [`loops`] | equations of loops |
//! | [`energy`] | energies, momenta, centre of mass |
#![allow(non_snake_case)]

pub mod articulated;
pub mod elements;
pub mod energy;
pub mod factor;
pub mod flight;
pub mod forces;
pub mod forward;
pub mod integrate;
pub mod jacobian;
pub mod kinematics;
pub mod loops;
pub mod mass_matrix;
pub mod recursion;
pub mod response;

pub use articulated::{Articulated, SingularInertia, articulate};
pub use factor::{Factor, eliminate, factorise};
pub use flight::Flight;
pub use forward::{ForwardScratch, forward_dynamics};
pub use kinematics::{Kinematics, kinematics, posture};
pub use mass_matrix::{CompositeScratch, mass_matrix};
pub use recursion::{RecursionScratch, bias, inverse_dynamics};
