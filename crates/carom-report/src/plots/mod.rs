//! The plots of a run.
//!
//! [`RunPlots`] takes an [`Account`](crate::run::Account) of a run and gives figures by their [`PlotKind`]:
//!
//! | kind | shows |
//! |---|---|
//! | `overview` | motion and energy side by side |
//! | `motion` | the mechanism at start, impacts and end, surfaces, contact points, impulses, paths of points |
//! | `coordinates`, `speeds` | over time, one panel per unit |
//! | `torques` | forces and torques of motors |
//! | `forces` | normal and tangential forces, impulses as stems on a scale of their own |
//! | `energy` | kinetic, potential, spring, total; losses by contact, dampers, applied work |
//! | `modes` | open, stick, slip as bars |
//! | `phase` | speed against coordinate, jumps dashed |
//! | `impulse` | tangential against normal velocity during the impacts that lose most; the hodograph in space |
//! | `feasibility` | friction that each slip after these impacts would need |
//!
//! | file | noun |
//! |---|---|
//! | `run_plots`, `kind` | all plots of a run; their sorts |
//! | `window` | the time that is shown, and the points of its curves |
//! | `motion`, `motion_space`, `outline`, `wire` | the mechanism, in the plane and in space |
//! | `curves`, `force`, `energy`, `modes`, `phase`, `impulse`, `feasibility` | one sort each |
//! | `palette` | one colour, one meaning |
//! | `work` | the work of an impact between the stages of its path |
//!
//! # Tests
//! `tests/plots.rs`: every plot of every scene.

mod curves;
mod energy;
mod feasibility;
mod force;
mod impulse;
mod kind;
mod modes;
mod motion;
mod motion_space;
mod outline;
pub mod palette;
mod phase;
mod run_plots;
mod window;
mod wire;
mod work;

pub use kind::PlotKind;
pub use run_plots::{Plot, RunPlots};
