//! The published experiments of carom's sources, computed again and compared with what they say.
//!
//! An [`Experiment`] belongs to one source and covers some of its tables and figures. It computes an [`Outcome`]:
//! claims of the source beside our numbers, with verdicts that follow from the [`Evidence`]; tables, figures, data and
//! times. [`ALL`] is the registry, [`INVENTORY`] the list of every table and figure of the sources that carries a
//! result, [`run_all`] runs many at once, [`write()`] makes a folder with data, figures and one page.
//!
//! A file or folder uses only those above it:
//!
//! | file | noun |
//! |---|---|
//! | `error` | what can go wrong |
//! | `show` | numbers for readers |
//! | `claim` | what a source says, what we found, the verdict |
//! | `data`, `table`, `plate` | numbers for files, numbers for readers, figures |
//! | `outcome` | everything that an experiment found |
//! | `experiment` | an experiment and its source |
//! | `trial`, `collision` | one simulated scene with its time; one impact on its own |
//! | `morgan`, `hurmuzlu`, `flickinger`, `johnson`, `beyond` | one source each |
//! | `leg` | the jumping leg, chapter 6 of Flickinger |
//! | `registry` | every experiment |
//! | `inventory` | every table and figure with a result |
//! | `runner` | many experiments at once |
//! | `page` | one HTML page of all |
//! | `folder` | everything on disk |

mod claim;
mod collision;
mod data;
mod error;
mod experiment;
mod folder;
mod inventory;
mod outcome;
mod page;
mod plate;
mod registry;
mod runner;
mod show;
mod table;
mod trial;

pub mod beyond;
pub mod flickinger;
pub mod hurmuzlu;
pub mod johnson;
pub mod leg;
pub mod morgan;

pub use claim::{Claim, Evidence, Verdict};
pub use collision::{loss, resolve};
pub use data::Data;
pub use error::Trouble;
pub use experiment::{Context, Experiment, Source};
pub use folder::write;
pub use inventory::{INVENTORY, Item};
pub use outcome::{Outcome, Timing};
pub use page::page;
pub use plate::Plate;
pub use registry::{ALL, covering, find};
pub use runner::{Report, run_all, run_one};
pub use show::{fixed, percent, power};
pub use table::Table;
pub use trial::Trial;
