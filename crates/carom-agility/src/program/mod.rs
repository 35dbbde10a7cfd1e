//! Linear programs with friction cones over boxed variables, solved to round-off; knows no mechanics.
//!
//! # Law
//! ```text
//! maximise  c·x   subject to   l ≤ x ≤ u,  E x = f,  A x ≤ b,  λ = F x + g ∈ K₁ × K₂ × …     (1)
//! Kᵢ = { (λₜ, λₙ) : ‖λₜ‖ ≤ μᵢ λₙ }                                                         (2)
//! ```
//! Each cone is the intersection of half-spaces d·λₜ − μ λₙ ≤ 0 over all unit d. One tangent needs
//! two of them; two tangents begin with four, and the one that is most violated joins until none is:
//! ```text
//! d = λₜ/‖λₜ‖  wherever  ‖λₜ‖ > μ λₙ                                                        (3)
//! ```
//! The linear programs are solved by the dual simplex method, which begins at a corner of the box
//! (so no first phase is needed) and goes on from its basis when a half-space joins. When the cones
//! are nearly met, Newton's method on the optimality conditions of the active constraints, cones
//! themselves instead of their half-spaces, finishes to round-off.
//!
//! # Certificate
//! For every s with sᵢ ∈ Kᵢ* = { sₙ ≥ μ‖sₜ‖ }, ν and y ≥ 0, and k = c − Eᵀν − Aᵀy + Fᵀs,
//! ```text
//! c·x ≤ D = Σⱼ max(kⱼ lⱼ, kⱼ uⱼ) + ν·f + y·b + s·g      for every feasible x             (4)
//! ```
//! because x·k is at most the first sum. (4) needs no trust in the solver: it is evaluated from the
//! multipliers alone, and [`Certificate::gap`] = D − c·x.
//!
//! # Limits
//! All variables need finite bounds. Where several x are optimal, one of them is returned.
//!
//! # Tests
//! `tests/program.rs`: `eq1_eq2_agrees_with_a_conic_solver`, `eq3_one_cone_in_closed_form`,
//! `eq4_the_dual_certifies`, `infeasible_programs_name_the_rows`.

mod certificate;
mod cuts;
mod error;
mod interior;
mod nesterov_todd;
mod polish;
mod problem;
mod scaled;
mod simplex;
mod standard;

pub use certificate::{Certificate, Multipliers};
pub use cuts::solve;
pub use error::{Participant, ProgramError};
pub use interior::{InteriorSolution, Pressed, interior};
pub use problem::{Cone, ConicProgram, ConicSolution, LinearRows};
