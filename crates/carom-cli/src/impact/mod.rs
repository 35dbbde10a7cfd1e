//! `carom impact`: impacts from JSON, answers as JSON.
//!
//! One object, or JSON lines: one problem per line, one answer per line, same order, over all cores. A bad line answers
//! with an error and does not stop the rest.

mod answer;
mod batch;
mod command;
mod fault;
mod json;
mod law;
mod problem;
mod solver;
mod spelling;
mod summary;

pub use command::run;
pub use fault::{Fault, law_hint};
pub use law::{Law, Laws};
