//! The loop: smooth flow within one set of contact modes, guards that end it, jumps, flow again.
//!
//! Integrators, guards and their location are those of [`carom_ode`].
//!
//! | file | noun |
//! |---|---|
//! | `sinking` | open sites that guards do not see |
//! | `options` | every tolerance |
//! | `motion` | the mechanism as a flow |
//! | `posing` | what is computed once for a state |
//! | `watch` | the conditions that end a flow |
//! | `teller` | what a run tells under way |
//! | `jump`, `laws` | the impact at an event, and which law resolves it |
//! | `transition` | the modes that follow an event |
//! | `zeno` | accumulating impacts |
//! | `outcome` | how a run ended |
//! | `collide` | the impacts of an event |
//! | `rest` | what is stopped exactly |
//! | `drift` | return to active constraints |
//! | `drive` | motors, their saturation, feet that stand |
//! | `stance` | motors through an event |
//! | `course` | flow, locate, jump, record |
//! | `simulation` | what is run, and the run in memory |
#![allow(non_snake_case)]

mod collide;
mod course;
mod drift;
mod drive;
mod jam;
mod jump;
mod laws;
mod motion;
mod options;
mod outcome;
mod posing;
mod rest;
mod simulation;
mod sinking;
mod stance;
mod teller;
mod transition;
pub mod watch;
mod zeno;

pub use carom_ode::{
    ControlLaw, Crossing, Dense, Direction, FSAL_DISPLACEMENT, FlowError, Guard, Guards,
    Integrator, Locator, MAX_RESTEPS, Method, Norm, Projection, Rate, Step, Tolerance,
    ToleranceError, Work, polish,
};
pub use options::{Options, Output};
pub use outcome::{Outcome, SimError, Statistics, Stop};
pub use simulation::{Run, Simulation};
