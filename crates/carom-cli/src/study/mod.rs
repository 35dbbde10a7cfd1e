//! `carom study`: thousands of random jumps.
//!
//! | file | noun |
//! |---|---|
//! | `command` | arguments, folder, threads, exit code |
//! | `worker` | one jump |
//! | `row` | what is kept of it, as a line of text |
//! | `ledger` | the file of rows, which a study resumes from |
//! | `table` | what the rows say |
//! | `picture` | the same as a figure |

mod command;
mod ledger;
mod picture;
mod row;
mod table;
mod worker;

pub use command::run;
