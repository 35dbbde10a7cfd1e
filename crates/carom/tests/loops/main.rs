//! Loops: rows, assembly, motion, impacts.
#![allow(non_snake_case)]

#[path = "../support/mod.rs"]
mod support;

mod assembly;
mod excerpt;
mod impacts;
mod mechanisms;
mod motion;
mod rows;
