//! carom for Python: the private module `carom._carom` beneath the package in `python/carom`.
//!
//! It only carries: scenes, runs and laws are those of the other crates, called as the `carom` command calls
//! them. What users see, with its types and documentation, is the Python of the package; here is what must be
//! Rust: numbers without copies, runs without the interpreter's lock, callbacks.
//!
//! | file | holds |
//! |---|---|
//! | `error` | faults as exceptions: the same words, place and hint |
//! | `numbers`, `arrow` | arrays in and out; columns for other programs |
//! | `event` | events |
//! | `run` | a run that is done |
//! | `trouble`, `hooks` | what Python may do in a run, and what becomes of its exceptions |
//! | `course` | a run under way |
//! | `scene` | scenes, their dynamics, their runs |
//! | `simulator` | step by step |
//! | `impact` | single impacts, and many at once |
//! | `many` | many runs at once |
//! | `witness`, `study` | studies: functions of runs, rows that are computed anywhere, the folder that takes them |
//! | `dataset` | what a study found: columns and pictures |
//! | `questions` | laws, capability, postures, published experiments, the command |
//!
//! A file uses only those above it.
#![allow(non_snake_case)]

mod arrow;
mod course;
mod dataset;
mod error;
mod event;
mod hooks;
mod impact;
mod many;
mod numbers;
mod questions;
mod run;
mod scene;
mod simulator;
mod study;
mod trouble;
mod witness;

use pyo3::prelude::*;

/// The private module of the package.
#[pymodule]
mod _carom {
    #[pymodule_export]
    use super::dataset::Dataset;
    #[pymodule_export]
    use super::event::{Contact, Event};
    #[pymodule_export]
    use super::hooks::Collision;
    #[pymodule_export]
    use super::impact::impact;
    #[pymodule_export]
    use super::many::run_many;
    #[pymodule_export]
    use super::questions::{agility, experiments, laws, main, reproduce, version};
    #[pymodule_export]
    use super::run::{Run, open_run};
    #[pymodule_export]
    use super::scene::{Scene, law_override, stated};
    #[pymodule_export]
    use super::simulator::Simulator;
    #[pymodule_export]
    use super::study::{Shelf, Study, study_row};
}
