//! Beyond the papers: the same mechanisms under every law, side by side.
//!
//! | file | holds |
//! |---|---|
//! | `laws` | every law of `carom laws` with its meaningful options |
//! | `compare` | one scene under every law |
//! | `pendulum`, `bicycle` | the scenes |
//! | `rod` | the rebound of a rod over the angle of incidence |

mod bicycle;
mod compare;
mod laws;
mod pendulum;
mod rod;

pub use bicycle::BICYCLE;
pub use pendulum::PENDULUM;
pub use rod::ROD;
