//! Events: the first zero of a guard within a step, to the accuracy of the integration.
//!
//! | file | noun |
//! |---|---|
//! | `guard` | functions whose zero ends a mode |
//! | `quartic`, `verdict` | a guard on an interval, and what its samples say |
//! | `locate` | first zero and ties, on the dense output |
//! | `refine` | the root itself, and its ties |
//! | `polish` | the event on the integration itself |

mod guard;
mod locate;
mod polish;
mod quartic;
mod refine;
mod verdict;

pub use guard::{Direction, Guard, Guards};
pub use locate::{Crossing, Locator};
pub use polish::{MAX_RESTEPS, polish};
