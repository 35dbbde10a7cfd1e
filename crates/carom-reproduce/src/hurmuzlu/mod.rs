//! Hurmuzlu & Marghitu 1994: a three-link chain with two contacts under five methods.
//!
//! | file | holds |
//! |---|---|
//! | `method` | the five methods |
//! | `sweep` | a quantity over the posture, for one method |
//! | `interval` | where something holds |
//! | `drawing` | curves over the posture |
//! | `posture` | the printed posture, tested |
//! | `smooth` | figure 3 |
//! | `kinematic` | figure 4 |
//! | `consistent` | figure 5 |
//! | `rebound` | figure 6 |
//! | `plastic` | figure 7 |
//! | `conclusions` | section 5 |
//! | `procedure` | the printed list procedure, step by step |
//! | `variants` | other orders and signs of the angular velocities |

mod conclusions;
mod consistent;
mod drawing;
mod interval;
mod kinematic;
mod method;
mod plastic;
mod posture;
mod procedure;
mod rebound;
mod smooth;
mod sweep;
mod variants;

pub use conclusions::CONCLUSIONS;
pub use consistent::CONSISTENT;
pub use kinematic::KINEMATIC;
pub use method::Method;
pub use plastic::PLASTIC;
pub use procedure::{Course, PROCEDURE, procedure, random_problem};
pub use rebound::REBOUND;
pub use smooth::SMOOTH;
pub use variants::VARIANTS;
