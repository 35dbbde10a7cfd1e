//! Where bodies touch, and the rows that ask something of them there.
//!
//! What closed contacts obey is the Coulomb problem of [`crate::coulomb`], with w the acceleration of
//! the contact, b that without contact forces, and G = J M⁻¹ Jᵀ.
#![allow(non_snake_case)]

mod cores;
mod cylinders;
pub mod delassus;
pub mod mode;
pub mod moment;
pub mod polytope_pair;
pub mod site;
pub mod site_state;
mod terrains;

pub use delassus::{Instant, RowBlock};
pub use mode::Mode;
pub use moment::state_of;
pub use polytope_pair::{NEAR, PolytopePair, polytope_gap, polytope_pairs};
pub use site::{Site, SiteGeometry, sites, sites_in};
pub use site_state::{SiteState, approach_between, site_state};
