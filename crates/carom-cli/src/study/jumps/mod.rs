//! Studies of random jumps: thousands of them, each by [`carom_scene::study::Worker`].
//!
//! | file | noun |
//! |---|---|
//! | `command` | arguments, folder, threads, exit code |
//! | `row` | a jump as a line of text |
//! | `ledger` | the file of rows, which a study resumes from |
//! | `table` | what the rows say |
//! | `picture` | the same as a figure |

mod command;
mod ledger;
mod picture;
mod row;
mod table;

pub use command::{Jumps, run};
