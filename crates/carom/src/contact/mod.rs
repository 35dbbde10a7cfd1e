//! Where bodies touch, and the rows that ask something of them there.
//!
//! What closed contacts obey is the Coulomb problem of [`crate::coulomb`], with w the acceleration of
//! the contact, b that without contact forces, and G = J M⁻¹ Jᵀ.
#![allow(non_snake_case)]

pub mod delassus;
pub mod mode;
pub mod moment;
pub mod site;
pub mod site_state;

pub use delassus::{Instant, RowBlock};
pub use mode::Mode;
pub use moment::state_of;
pub use site::{Site, SiteGeometry, moves_in_plane, sites, sites_in};
pub use site_state::{SiteState, approach_between, site_state};
