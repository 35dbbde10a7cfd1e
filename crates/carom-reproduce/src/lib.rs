//! The published experiments of carom's sources, computed again and compared with what they say.
//!
//! An [`Experiment`] belongs to one source and covers some of its tables and figures. It computes an [`Outcome`]:
//! claims of the source beside our numbers, with verdicts that follow from the [`Evidence`]; tables, figures, data and
//! times. [`ALL`] is the registry, [`INVENTORY`] the list of every table and figure of the sources that carries a
//! result, [`run_all`] runs many at once, a [`Shelf`] is a folder with data, figures and one page.
//!
//! A file or folder uses only those above it:
//!
//! | file | noun |
//! |---|---|
//! | `error` | what can go wrong |
//! | `show` | numbers for readers |
//! | `scan` | a statement tested over the values of something unstated |
//! | `claim` | what a source says, what we found, the verdict, its cause |
//! | `data`, `table`, `plate` | numbers for files, numbers for readers, figures |
//! | `outcome` | everything that an experiment found |
//! | `experiment` | an experiment and its source |
//! | `trial`, `collision` | one simulated scene with its time; one impact on its own |
//! | `morgan`, `hurmuzlu`, `flickinger`, `johnson`, `beyond` | one source each |
//! | `leg` | the jumping leg, chapter 6 of Flickinger |
//! | `registry` | every experiment |
//! | `inventory` | every table and figure with a result |
//! | `runner` | many experiments at once |
//! | `pages`, `quotes` | where a source says something, and in which words |
//! | `record` | what is shown and kept of an experiment |
//! | `stamp` | date and commit |
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
mod pages;
mod plate;
mod quotes;
mod record;
mod registry;
mod runner;
mod scan;
mod show;
mod stamp;
mod table;
mod trial;

pub mod beyond;
pub mod flickinger;
pub mod hurmuzlu;
pub mod johnson;
pub mod leg;
pub mod morgan;

pub use claim::{Cause, Claim, Evidence, Reason, Verdict};
pub use collision::{loss, resolve};
pub use data::Data;
pub use error::Trouble;
pub use experiment::{Context, Experiment, Source};
pub use folder::Shelf;
pub use inventory::{INVENTORY, Item};
pub use outcome::{Outcome, Speed, Timing};
pub use page::page;
pub use pages::pages;
pub use plate::Plate;
pub use quotes::{QUOTES, Quote, WITHOUT, quote};
pub use record::{Drawn, Found, Listed, Record, Shown};
pub use registry::{ALL, covering, find};
pub use runner::{Report, run_all, run_one};
pub use scan::Scan;
pub use show::{fixed, percent, power};
pub use stamp::Stamp;
pub use table::Table;
pub use trial::Trial;
