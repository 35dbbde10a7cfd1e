//! The bicycle: a bar with two wheels that falls on a level or inclined surface.
//!
//! | file | noun |
//! |---|---|
//! | `setting` | what makes one run differ from the others |
//! | `contact` | contact of the wheels: flights, chatter, sticks |
//! | `coefficient` | the friction coefficient that an impact used |
//! | `succession` | contact as a succession of impacts, a further reading |
//! | `wedge`, `wedge_claims` | three restitutions on a slope of 20°, elliptical and round wheels |
//! | `energy` | round wheels with and without energy control |
//! | `oblique`, `oblique_claims` | four slopes, the friction coefficient over time |
//! | `feasibility` | friction coefficient against slip after the first impact |
//!
//! # Chatter
//! The published forces chatter in rolling contact; the source blames a rough approximation of the contact point and
//! coarse tolerances. Ours has the true contact point of an ellipse and its curvature. As a measure, the slope of the
//! normal force is followed between events and its changes of sign are counted. Chatter makes more of them the finer
//! one looks, a smooth force does not: the count is taken at one sampling interval and at half of it.
//!
//! # Source
//! Flickinger 2011, sections 2.4, 3.4.2, 3.7, 4.1, 4.2, 5.3, tables 2.2, 2.4, 3.2, 3.4, 4.1, 5.2; Flickinger & Bowling
//! 2009, section VI and table I.

mod coefficient;
mod contact;
mod energy;
mod feasibility;
mod figures;
mod oblique;
mod oblique_claims;
mod setting;
mod succession;
mod wedge;
mod wedge_claims;

pub use coefficient::{Use, coefficients};
pub use contact::{last_flight, slope_changes};
pub use energy::BICYCLE_ENERGY;
pub use feasibility::FEASIBILITY;
pub use oblique::OBLIQUE;
pub use setting::{Setting, Wheels};
pub use succession::{PAUSES, RESTS, Succession};
pub use wedge::{BICYCLE_2009, BICYCLE_WEDGE};
