//! Event-driven simulation of rigid multibody systems that hit, rebound, stick, slip and roll.

pub mod complementarity;
pub mod contact;
pub mod control;
pub mod dynamics;
pub mod geometry;
pub mod hybrid;
pub mod impact;
pub mod model;
pub mod record;
pub mod spatial;
pub mod state;
