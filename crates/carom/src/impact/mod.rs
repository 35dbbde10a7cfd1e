//! Velocity jumps: one problem, many laws.
//!
//! Every law works in **contact space**: with G = J N Jᵀ, where N is M⁻¹ restricted by the bilateral rows,
//!
//! ```text
//! u⁺ = u⁻ + G p                     (1)
//! v⁺ = v⁻ + N Jᵀ p                  (2)
//! ```
//!
//! Rows are ordered contact by contact, tangents first, then the normal. The normal points to the body that may
//! leave: uₙ > 0 separates, pₙ ≥ 0 pushes. Work is energy after minus energy before, split into the work of the
//! normal impulses and the work of the friction impulses.
//!
//! | file | noun |
//! |---|---|
//! | `problem` | generalised data: M, v⁻, contacts with Jacobian rows, bilateral rows |
//! | `contact_space` | G, u⁻ and one row block per contact |
//! | `reduction` | from the problem to contact space and back |
//! | `law` | the trait of all laws |
//! | `rule` | the user's choice for several contacts, around any law |
//! | `sequence` | one impact after another, around any law |
//! | `planar` | one planar contact in closed form |
//! | `spatial` | one contact with two tangents, to round-off |
//! | `differential` | the law of the path in impulse space: one contact by these two, many by stages |
//! | `algebraic` | what every algebraic law does before and after its impulses |
//! | `restitution` | kinematic, kinetic, energetic |
//! | `solution` | impulses, velocities after, outcomes, works |
//! | `trace` | the path in impulse space, recorded on request |
//! | `dissipation` | the feasible slip nearest to stick, and the feasibility curves |
//! | `energy_control` | attenuation, around any law |
//! | `force` | finite impact-force estimates |
//! | `least_distance` | nearest point of a polyhedron |
//! | `press` | impact without collision |
//! | `choice`, `catalogue` | laws by name, and their descriptions |
//! | `compliant` | compliant contacts along a clock: always an answer |
//! | `newton`, `poisson` | all contacts together, as complementarity problems |
//! | `whittaker`, `brach` | algebraic laws by modes; `mode_search` tries them all |
//! | `constraint`, `block_matrix` | Johnson's law |
//! | `restitution_matrix` | Flickinger's diagonal of coefficients with stick test |
//! | `chain` | the three-link chain of Hurmuzlu & Marghitu, a problem to compare laws on |
//! | `net` | any law, audited, with the compliant path under it |
//! | `audit` | momentum, unilaterality, friction cone, energy of a solution |
//! | `error` | what can be wrong, with hints |
#![allow(non_snake_case)]

mod algebraic;
pub mod audit;
pub mod block_matrix;
pub mod brach;
pub mod catalogue;
pub mod chain;
pub mod choice;
pub mod compliant;
pub mod constraint;
pub mod contact_space;
pub mod differential;
pub mod dissipation;
pub mod energy_control;
pub mod error;
pub mod force;
pub mod law;
mod least_distance;
mod mode_search;
pub mod net;
pub mod newton;
pub mod planar;
pub mod poisson;
pub mod press;
pub mod problem;
pub mod reduction;
pub mod restitution;
pub mod restitution_matrix;
pub mod rule;
pub mod sequence;
pub mod solution;
pub mod spatial;
pub mod trace;
pub mod whittaker;
pub mod workspace;

pub use audit::{Audit, Tolerances, Violation, audit};
pub use block_matrix::BlockMatrix;
pub use brach::Brach;
pub use chain::ThreeLinkChain;
pub use choice::{Formulation, LawChoice};
pub use compliant::Compliant;
pub use constraint::Constraint;
pub use contact_space::{ContactRow, ContactSpace, Phase};
pub use differential::Differential;
pub use dissipation::{Dissipation, DissipationOptions};
pub use energy_control::EnergyControl;
pub use error::{Field, ImpactError, Reason};
pub use force::{Displacement, ImpactForce, Rates, impact_force};
pub use law::{ImpactLaw, Promises};
pub use net::{resolve_or_comply, resolve_problem_or_comply};
pub use newton::Newton;
pub use planar::Planar;
pub use poisson::Poisson;
pub use problem::{ImpactContact, ImpactProblem};
pub use reduction::Reduction;
pub use restitution::Restitution;
pub use restitution_matrix::RestitutionMatrix;
pub use rule::{SeveralContacts, WithRule};
pub use sequence::Sequence;
pub use solution::{ImpactAnswer, ImpactSolution, Outcome, Rescue, Rule, Solved};
pub use trace::{Stage, StageEvent, Trace};
pub use whittaker::Whittaker;
pub use workspace::ImpactWorkspace;
