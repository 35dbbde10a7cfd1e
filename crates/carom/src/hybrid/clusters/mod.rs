//! Parts and clusters: who has to do with whom.
//!
//! A *part* is a tree of bodies. A *cluster* is a set of parts joined by closed contacts or bilateral
//! rows; the fixed world joins nothing. Every contact and impact problem belongs to one cluster.

mod cluster;
mod parts;

pub(crate) use cluster::{Cluster, Clusters};
pub(crate) use parts::Parts;
