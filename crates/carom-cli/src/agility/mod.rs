//! `carom capability` and `carom optimize`: how fast a point can be accelerated, and in which posture.

mod answer;
mod capability;
mod data;
mod figures;
mod map;
mod optimize;
mod output;
mod posture;
mod question;
mod refusal;
mod table;

pub use answer::{Question, answer};
pub use capability::run as capability;
pub use optimize::run as optimize;
pub use refusal::Refusal;
