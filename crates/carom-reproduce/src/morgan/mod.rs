//! Morgan 2011: one collision of the double pendulum along each path, and its motion.
//!
//! | file | holds |
//! |---|---|
//! | `pendulum` | mass matrix and Jacobian of section 2.1, a collision of the pendulum |
//! | `algebra` | the thesis's algorithm, written from its equations, as a second method |
//! | `cases` | one collision per path of figure 2.8 |
//! | `paths` | figures 2.2 to 2.9 |
//! | `drawing` | paths and energies as figures |
//! | `campaign` | general statements, tried on many collisions |
//! | `motion` | figure 3.1 |
#![allow(non_snake_case)]

mod algebra;
mod campaign;
mod cases;
mod drawing;
mod motion;
mod paths;
mod pendulum;

pub use motion::MOTION;
pub use paths::PATHS;
