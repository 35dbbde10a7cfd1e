//! Forces while bodies touch.
//!
//! Closed contacts obey, at the level of accelerations,
//! ```text
//! w = G λ + b,   0 ≤ λₙ ⟂ wₙ ≥ 0                                   (1)   Signorini
//! slip:  λₜ = −μd λₙ û                                              (2)   Coulomb
//! stick: ‖λₜ‖ ≤ μs λₙ, wₜ = 0;  else slip starts along wₜ = α û, α ≥ 0 (3)
//! ```
//! with w the acceleration of the contact, b that without contact forces, and G = J M⁻¹ Jᵀ.
//! Bilateral rows (couplings, prescribed motion) join with w = 0 and λ of either sign.
#![allow(non_snake_case)]

pub mod delassus;
pub mod mode;
mod onset;
pub mod painleve;
pub mod search;
pub mod site;
pub mod site_state;
pub mod solver;
pub mod system;

pub use delassus::{Instant, RowBlock};
pub use mode::{Mode, Press};
pub use painleve::ContactFailure;
pub use search::{Freedom, SearchScratch, find_modes};
pub use site::{Site, SiteGeometry, sites};
pub use site_state::{SiteState, site_state};
pub use solver::{ContactForces, SolverScratch, solve_modes};
pub use system::{ContactRows, ContactSystem};
