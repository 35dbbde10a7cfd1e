//! Event-driven simulation of rigid multibody systems that hit, rebound, stick, slip and roll.

pub mod complementarity;
pub mod dynamics;
pub mod impact;
pub mod model;
pub mod spatial;
pub mod state;
