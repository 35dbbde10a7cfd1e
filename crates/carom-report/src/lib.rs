//! Runs of carom on disk: out while they go, and back in.
//!
//! A run is a folder:
//!
//! | file | holds |
//! |---|---|
//! | `run.json` | what was asked for ([`Job`]); marks the folder as a run |
//! | `source/` | the scene and the files that it includes |
//! | `trajectory.parquet` | one row per sample ([`columns`]) |
//! | `events.jsonl` | one object per event ([`EventLine`]) |
//! | `summary.json` | how it ended, energy ledger, worst residuals, result hash ([`Summary`]) |
//! | `trajectory.csv`, `trajectory.npz` | the trajectory again, if asked for |
//! | `trajectory.journal`, `checkpoint.json` | while it goes on: what the others lack, about once a second |
//!
//! [`RunWriter`] is an observer of a simulation and writes all of them; [`SavedRun::load`] reads
//! them back. A run whose process was killed is brought back to its last checkpoint by [`recover()`],
//! which every reader here calls first.
//!
//! | file of this crate | noun |
//! |---|---|
//! | `columns` | names and units of a row |
//! | `trajectory`, `csv`, `npz`, `zip` | one file format each |
//! | `event_line`, `job`, `summary` | the JSON files |
//! | `journal`, `pace`, `recover` | nothing is lost if the process is killed |
//! | `digest` | the result hash |
//! | `tally` | what is counted on the way |
//! | `folder` | who owns the folder |
//! | `writer`, `saved`, `saved_scene` | out and in |
//! | `page` | a run as one document and one HTML file |
//! | `stage` | what is to be drawn of a scene, and where it is |
//! | `plots` | the plots of a run |
//! | `error` | what can go wrong |

pub mod columns;
mod csv;
pub mod digest;
mod error;
mod event_line;
pub mod folder;
mod job;
mod journal;
mod npz;
mod pace;
pub mod page;
pub mod plots;
mod recover;
mod saved;
mod saved_scene;
pub mod stage;
mod summary;
mod tally;
mod trajectory;
mod writer;
mod zip;

pub use columns::{Columns, q_units, v_units};
pub use digest::Digest;
pub use error::ReportError;
pub use event_line::{ActuatorLine, ContactLine, EventLine};
pub use folder::{Folder, SourceFile};
pub use job::{
    ActuatorRecord, Job, LawRecord, LawsRecord, Manifest, OptionsRecord, PairLawRecord,
    SceneRecord, SurfaceRecord,
};
pub use recover::{Recovered, recover};
pub use saved::SavedRun;
pub use saved_scene::SavedScene;
pub use summary::{
    ContactEnergy, Counts, EnergyRecord, FinalState, SolverCounts, StopRecord, Summary, Worst,
    rough, significant,
};
pub use writer::{Extras, RunWriter};
