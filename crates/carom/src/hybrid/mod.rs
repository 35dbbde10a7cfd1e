//! The loop: smooth flow within one set of contact modes, guards that end it, jumps, flow again.
//!
//! | file | noun |
//! |---|---|
//! | `rate` | the right-hand side ẏ = f(t, y) and its projection |
//! | `tolerance` | rtol, atol per component and the error norm |
//! | `step_control` | the length of the next step |
//! | `stages` | stage rates and their combinations |
//! | `dormand_prince`, `dop853`, `dop853_table`, `rk4` | one method each |
//! | `dense` | the solution within a step |
//! | `scheme` | what all methods have in common |
//! | `first_step` | the first step of all |
//! | `integrator` | one step at a time |
//! | `guard` | functions whose zero ends a mode |
//! | `quartic`, `verdict` | a guard on an interval, and what its samples say |
//! | `locate` | first zero and ties, on the dense output |
//! | `refine` | the root itself, and its ties |
//! | `landing` | the end of a step at an event |
//! | `sinking` | open sites that guards do not see |
//! | `polish` | the event on the integration itself |
//! | `flow_error` | how integration fails |
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
mod dense;
mod dop853;
mod dop853_table;
mod dormand_prince;
mod drift;
mod drive;
mod first_step;
mod flow_error;
mod guard;
mod integrator;
mod jam;
mod jump;
mod landing;
mod laws;
mod locate;
mod motion;
mod options;
mod outcome;
mod polish;
mod posing;
mod quartic;
mod rate;
mod refine;
mod rest;
mod rk4;
mod scheme;
mod simulation;
mod sinking;
mod stages;
mod stance;
mod step_control;
mod teller;
mod tolerance;
mod transition;
mod verdict;
pub mod watch;
mod zeno;

pub use dense::Dense;
pub use flow_error::FlowError;
pub use guard::{Direction, Guard, Guards};
pub use integrator::{FSAL_DISPLACEMENT, Integrator, Step, Work};
pub use locate::{Crossing, Locator};
pub use options::{Options, Output};
pub use outcome::{Outcome, SimError, Statistics, Stop};
pub use polish::{MAX_RESTEPS, polish};
pub use rate::{Projection, Rate};
pub use scheme::Method;
pub use simulation::{Run, Simulation};
pub use step_control::ControlLaw;
pub use tolerance::{Norm, Tolerance, ToleranceError};
