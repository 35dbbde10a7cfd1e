//! `carom study`: many runs of a scene, or many jumps.
//!
//! | file | noun |
//! |---|---|
//! | `jumps` | studies of random jumps |
//! | `ask` | arguments and `[study]` as what `carom_study` takes |
//! | `runs` | the work: folder, threads, progress, exit code |
//! | `folder` | what is done with a dataset: show, merge, row |
//! | `page` | from the page of a picture to runs |
//! | `plot` | its pictures |
//! | `command` | which of them |

mod ask;
mod command;
mod folder;
mod jumps;
mod page;
mod plot;
mod runs;

pub use ask::Wanted;
pub use command::run;
pub use folder::changes;
pub use runs::{KeptSource, run_name};
