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
//! | `queue`, `schedule` | what is due, and the run |
//! | `herald` | what the run tells |

mod assemblies;
mod clock;
mod cluster;
mod grid;
mod handover;
mod herald;
mod meeting;
mod members;
mod parts;
mod queue;
mod schedule;
mod window;

pub(crate) use assemblies::Assemblies;
pub(crate) use cluster::{Cluster, Clusters};
pub(crate) use members::Whole;
pub(crate) use parts::Parts;
pub(crate) use schedule::Schedule;
