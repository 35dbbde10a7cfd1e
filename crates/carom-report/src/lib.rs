//! Runs of carom: on disk and back in, as plots, and as one page.
//!
//! A folder uses only folders above it:
//!
//! | folder | what it holds |
//! |---|---|
//! | `error` | what can go wrong: [`ReportError`] |
//! | [`run`] | a run in memory and on disk: [`RunWriter`], [`SavedRun`], [`Account`] |
//! | [`stage`] | what is to be drawn of a scene, and where it is |
//! | [`document`] | everything that is shown of a run: [`document::RunDocument`] |
//! | [`looks`] | how robots look: visual meshes from files that the user has |
//! | [`plots`] | the plots of a run |
//! | [`pictures`] | a run at any time as pixels: frames of films |
//! | [`page`] | the HTML file that shows a document |

pub mod document;
mod error;
pub mod looks;
pub mod page;
pub mod pictures;
pub mod plots;
pub mod run;
pub mod stage;

pub use error::ReportError;
pub use run::{
    Account, ActuatorLine, ActuatorRecord, Columns, ContactEnergy, ContactLine, Counts, Digest,
    EnergyRecord, EventLine, Extras, FileRecord, FinalState, Folder, FolderLock, ForceLine,
    ImpactForces, Job, LawRecord, LawsRecord, LiveRun, Manifest, NumberColumn, Numbers,
    OptionsRecord, PairLawRecord, Recovered, RunWriter, SavedRun, SavedScene, SceneRecord,
    SolvedLine, SolverCounts, SourceFile, StopRecord, Summary, SurfaceRecord, Table, Worst,
    q_units, recover, rough, significant, v_units,
};
