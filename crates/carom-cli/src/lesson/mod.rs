//! `carom lesson`: a page that asks for a prediction before it shows what happens.
//!
//! | file | noun |
//! |---|---|
//! | `file` | the questions, as a teacher writes them |
//! | `answer` | what the run answers |
//! | `command` | the command |
//!
//! No answer stands in the file: it is an expression over the run, as in a study, and is computed when the page is made.
//!
//! # Tests
//! `tests/lesson.rs`.

mod answer;
mod command;
mod file;

pub use command::run;
