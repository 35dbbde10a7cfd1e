//! The loop: smooth flow within one set of contact modes, guards that end it, jumps, flow again.
//!
//! | file | noun |
//! |---|---|
//! | `assembly` | a start that closes all loops |
//! | `options` | every tolerance that the user may set |
//! | `clusters` | parts of the mechanism, and who has to do with whom |
//! | `bilateral`, `rows` | what is asked of coordinates and contacts, and the problem that it makes |
//! | `posture` | what is computed once for a state |
//! | `flow` | the mechanism as a flow, forces cluster by cluster |
//! | `projection` | return to active constraints |
//! | `guards` | the conditions that end a flow |
//! | `features` | which features of polytopes touch, and that none is missed |
//! | `capture` | events of friction projected over fixed steps |
//! | `motors` | motors, their saturation, feet that stand |
//! | `conditions` | contacts that are there, or may touch, while a condition holds |
//! | `event`, `telling` | one event, cluster by cluster, and what it tells |
//! | `impacts`, `jump`, `laws` | the impacts of a cluster, and which law resolves them |
//! | `rotational`, `impact_problem` | impacts with moments; an impact in generalised coordinates |
//! | `accumulation` | accumulating impacts |
//! | `modes` | the modes that follow |
//! | `held_open` | open sites that closed ones hold in place |
//! | `jam` | impact without collision |
//! | `progress` | whether a run comes on |
//! | `rush` | clusters whose events are too many to be told one by one |
//! | `creep` | slips so slow that their direction is an unknown of the step |
//! | `step`, `sparse_step` | the time step that carries a cluster over, and its problem where contacts are many |
//! | `stepped` | a run by time steps |
//! | `stops` | a joint with dry friction at the end of its range |
//! | `rest` | what is stopped exactly |
//! | `sampling` | what a run tells under way |
//! | `run` | flow, locate, jump, record |
//! | `simulation`, `outcome` | what is run, and how it ended |
//!
//! Integration and the location of events are in [`carom_ode`].
#![allow(non_snake_case)]

mod accumulation;
mod assembly;
mod bilateral;
mod capture;
mod clusters;
mod conditions;
mod creep;
mod event;
mod features;
mod flow;
mod guards;
mod held_open;
mod impact_problem;
mod impacts;
mod jam;
mod jump;
mod laws;
mod modes;
mod motors;
mod options;
mod outcome;
mod posture;
mod progress;
mod projection;
mod rest;
mod rotational;
mod rows;
mod run;
mod rush;
mod sampling;
mod sharings;
mod simulation;
mod sparse_step;
mod step;
mod stepped;
mod stops;
mod telling;

pub use assembly::{Fixed, Moved, OpenLoop, assemble};
pub use carom_ode::{
    ControlLaw, Crossing, Dense, Direction, FSAL_DISPLACEMENT, FlowError, Guard, Guards,
    Integrator, Locator, MAX_RESTEPS, Method, Norm, Projection, Rate, Step, Tolerance,
    ToleranceError, Work, polish,
};
pub use impact_problem::impact_problem;
pub use options::{Options, Output, Scheme};
pub use outcome::{Outcome, SimError, Statistics, Stop};
pub use simulation::{Run, Simulation};
