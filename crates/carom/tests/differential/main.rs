//! The differential law of many planar contacts: numbered equations of `impact::differential`, random problems,
//! brute force, redundancy, paradoxes.
#![allow(non_snake_case)]

#[path = "../impact_support/mod.rs"]
mod impact_support;

mod agreement;
mod equations;
mod paradoxes;
mod problems;
mod redundancy;
mod together;
