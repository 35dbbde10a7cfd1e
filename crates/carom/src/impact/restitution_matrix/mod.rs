//! The restitution matrix: a diagonal of normal, tangential and rotational coefficients.
//!
//! # Law
//! With J the rows of the contacts that take part, ϑ = J v, A the mass matrix,
//! ```text
//! vₙ⁺ = −eₙ vₙ⁻                                                            (1) [3.2]
//! ϑ⁺ = E ϑ⁻,  E = diag(−eₙ, e_t, e_r)                                      (2) [3.7]
//! A(v⁺ − v⁻) = Jᵀp                                                         (3) [3.5, 3.11]
//! p = (J A⁻¹ Jᵀ)⁻¹ (E − I) ϑ⁻                                              (4) [3.6, 3.13, 3.14]
//! v⁺ = (I − J̄ J) v⁻ + J̄ E J v⁻,  J̄ = A⁻¹Jᵀ(J A⁻¹Jᵀ)⁻¹                    (5) [3.8, 3.9, 3.15, 3.16]
//! ```
//! (5) splits the velocity: what lies in the null space of J is untouched. The stick test is
//! ```text
//! ‖p_t‖ ≤ μs pₙ,  pₙ ≥ 0,  |m| ≤ μs a pₙ                                   (6) [3.4]
//! ```
//! at every contact, m being the moment impulse of a rotational row and a its arm. If all pass, (4)
//! stands. If one does not, *all* tangential velocities are unknown (Flickinger): normals keep
//! (1) as 0 ≤ pₙ ⟂ vₙ⁺ + eₙ vₙ⁻ ≥ 0, tangents follow Coulomb's law on the velocity after,
//! moments are held or saturated at μd a pₙ, and the coefficients that then hold follow from
//! ```text
//! e_t = v_t⁺/v_t⁻;   v_t⁻ = 0 ≠ v_t⁺:  v_t⁻ := v_t⁺, e_t := 1              (7) [4.11]
//! ```
//!
//! # Assumptions
//! - Dependent rows: (4) is solved for an independent set, normals before tangents before
//!   rotations, in contact order; the impulses of all rows are those of minimum norm with the same
//!   effect. A dependent normal that would be penetrated counts as a failed test.
//! - e_t and e_r hold only while the test passes. A slipping contact has Coulomb's impulse, not e_t.
//! - Slip is resolved by Coulomb's law; Flickinger's own choice, the dissipation principle of his
//!   chapter 4, is a law of its own.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | eₙ | `restitution` | 0 ≤ eₙ ≤ 1 | 1 |
//! | e_t | `tangential`, `elsewhere` | any; 0 stops the slip, −1 reverses it | 1 |
//! | e_r | `coefficient` | of a rotational row | 1 |
//! | a | `arm` | radius of the friction moment | m |
//!
//! # Limits
//! With e_t ≠ 0, different eₙ or friction the energy can grow; `audit` reports it.
//! Rotational rows need the mass matrix: [`RestitutionMatrix::resolve_rows`]. A simulation makes them from
//! [`RestitutionMatrix::turning`].
//!
//! # Source
//! Flickinger 2011, eqs. (3.2)–(3.16), (4.11), read; numbers in brackets. (3.7) prints 0 ≥ eₙ ≥ −1
//! where (3.2) has −eₙ: ours is 0 ≤ eₙ ≤ 1 with the sign in E.
//!
//! # Tests
//! `tests/laws/restitution_matrix.rs`, one test per number.

mod answer;
mod independent;
mod law;
mod rotation;
mod slip;

pub use answer::{Coefficient, MatrixAnswer};
pub use law::RestitutionMatrix;
pub use rotation::{Rotation, Turning};

pub(crate) use law::MatrixScratch;
