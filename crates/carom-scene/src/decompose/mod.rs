//! Concave solids as convex pieces, found by cutting.
//!
//! # Law
//! S is what a closed mesh bounds ([`closed`]). Planes cut space into cells C_i, and the piece of each is a hull,
//! ```text
//! H_i = hull(S ∩ C_i),   S = ∪ (S ∩ C_i) ⊂ ∪ H_i                                       (1)
//! ```
//! so that the pieces cover the solid whatever the planes are. What they add to it is bounded by the *concavity*
//! ```text
//! c_i = max dist(x, S) over x ∈ H_i,                                                   (2)
//! ```
//! which is measured from above ([`excess`]). The piece with the largest concavity is cut in two, by the plane that makes the concavities
//! and the volumes
//! ```text
//! V(hull(S ∩ C_i ∩ {n·x ≤ o})) + V(hull(S ∩ C_i ∩ {n·x ≥ o}))                          (3)
//! ```
//! small ([`planes`], [`part`], [`search`]), until no concavity is above what is asked for, or there are as many pieces as there may be.
//!
//! # Assumptions
//! - The mesh is closed and its triangles face outward, or all of them inward: every edge has as many triangles on one side as on the
//!   other. Parts of it may overlap; a point is inside if more of them go around it outward than inward.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | S | [`closed::Closed`] | the solid | |
//! | C_i | [`part::Part`] | a cell, with the surface in it | |
//! | c_i | `concavity` | the largest distance of a piece from the solid | m |
//!
//! # Limits
//! Cuts are chosen one by one; a better set of as many pieces may exist. The work is bounded by counts, not by a clock ([`search::WORK`]), so
//! that the same mesh has the same pieces, bit by bit.
//!
//! # Tests
//! `tests/decompose.rs`: `eq1_pieces_cover_the_solid`, `eq2_concavity_of_a_ring`, `eq3_an_l_is_two_boxes`.

pub(crate) mod closed;
pub(crate) mod excess;
pub(crate) mod part;
pub(crate) mod planes;
pub(crate) mod search;
pub(crate) mod tree;

pub(crate) use search::{Asked, decompose};
