//! A run in memory and on disk: out while it goes, and back in.
//!
//! A run is a folder:
//!
//! | file | holds |
//! |---|---|
//! | `run.json` | what was asked for ([`Job`]); marks the folder as a run |
//! | `source/` | the scene and the files that it includes |
//! | `trajectory.parquet` | one row per sample ([`columns`]) |
//! | `events.jsonl` | one object per event ([`EventLine`]) |
//! | `summary.json` | how it ended, energy ledger, worst residuals, hashes of result and files ([`Summary`]) |
//! | `trajectory.csv`, `trajectory.npz` | the trajectory again, if asked for |
//! | `.carom.lock` | empty; locked while somebody writes ([`lock`]) |
//! | `trajectory.journal`, `checkpoint.json` | while it goes on: what the others lack, about once a second |
//! | `trajectory.so_far` | while it goes on: the same for other programs |
//!
//! [`RunWriter`] is an observer of a simulation and writes all of them; [`SavedRun::load`] reads
//! them back. A run whose process was killed is brought back to its last checkpoint by [`recover()`],
//! which every reader here calls first.
//!
//! [`Account`] is all that is known of a run: from its folder, or fresh from [`LiveRun`], the observer
//! that keeps a run in memory.
//!
//! | file | noun |
//! |---|---|
//! | `columns` | names and units of a row |
//! | `trajectory`, `csv`, `npz`, `zip` | one file format each |
//! | `event_line`, `job`, `summary` | the JSON files |
//! | `impact_force` | forces of impacts of a stated duration |
//! | `lanes`, `repeats` | rows that wait, column by column; columns of one value |
//! | `journal`, `so_far`, `pace`, `recover` | nothing is lost if the process is killed |
//! | `digest`, `seal`, `care` | hashes of results and files; what damage is let pass |
//! | `disk`, `lock` | files that are never written through links; one writer at a time |
//! | `tally` | what is counted on the way |
//! | `folder` | who owns the folder |
//! | `writer`, `store`, `saved`, `saved_scene` | out as it goes, out from memory, and in |
//! | `account`, `live`, `table` | what is known of a run; the observer that keeps it in memory; its columns |

mod account;
mod care;
pub mod columns;
mod csv;
pub mod digest;
pub mod disk;
mod event_line;
mod fit;
pub mod folder;
mod impact_force;
mod job;
mod journal;
mod lanes;
mod live;
pub mod lock;
mod npz;
mod pace;
mod recover;
mod repeats;
mod saved;
mod saved_scene;
mod seal;
mod so_far;
mod store;
mod summary;
mod table;
mod tally;
mod trajectory;
mod writer;
mod zip;

pub use account::Account;
pub use columns::{Columns, q_units, v_units};
pub use digest::Digest;
pub use disk::FileRecord;
pub use event_line::{ActuatorLine, ContactLine, EventLine, SolvedLine};
pub use folder::Folder;
pub use impact_force::{ForceLine, ImpactForces};
pub use job::{
    ActuatorRecord, Job, LawRecord, LawsRecord, Manifest, OptionsRecord, PairLawRecord,
    SceneRecord, SourceFile, SurfaceRecord,
};
pub use live::LiveRun;
pub use lock::FolderLock;
pub use recover::{Recovered, recover};
pub use saved::SavedRun;
pub use saved_scene::SavedScene;
pub use summary::{
    ContactEnergy, Counts, EnergyRecord, FinalState, SolverCounts, StopRecord, Summary, Worst,
    rough, significant,
};
pub use table::{NumberColumn, Numbers, Table};
pub use writer::{Extras, RunWriter};
