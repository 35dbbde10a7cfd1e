//! Parts and clusters: who has to do with whom, and when.
//!
//! A *part* is a tree of bodies; parts joined for good are an *assembly*. A *cluster* is a set of assemblies joined by
//! closed contacts; the fixed world joins nothing. Every contact and impact problem belongs to one cluster, and every
//! cluster has its own clock.
//!
//! | file | what it holds |
//! |---|---|
//! | `parts`, `assemblies` | who is joined for good |
//! | `cluster` | clusters of some sites within one clock |
//! | `members` | the model and the sites of a cluster |
//! | `clock` | a cluster with its clock |
//! | `handover` | what clusters hand on when they join and part |
//! | `grid`, `window` | the broad phase: who may meet whom, and when to look again |
//! | `meeting` | where two clusters meet |
//! | `ball`, `flight`, `glide`, `rebound` | bodies whose flight or glide is known, when it ends, and what their impacts do |
//! | `queue`, `schedule` | what is due, and the run |
//! | `joining`, `watching`, `striking` | its clusters join and part, its motions are watched, its balls strike |
//! | `herald`, `telling` | what the run tells |

mod assemblies;
mod ball;
mod clock;
mod cluster;
mod flight;
mod glide;
mod grid;
mod handover;
mod herald;
mod joining;
mod meeting;
mod members;
mod parts;
mod queue;
mod rebound;
mod schedule;
mod striking;
mod telling;
mod watching;
mod window;

pub(crate) use assemblies::Assemblies;
pub(crate) use cluster::{Cluster, Clusters};
pub(crate) use members::Whole;
pub(crate) use parts::Parts;
pub(crate) use schedule::Schedule;
