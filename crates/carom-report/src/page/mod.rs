//! One HTML file that shows a run: [`report`] puts a document into the page that draws it.
//!
//! | file | noun |
//! |---|---|
//! | `html` | the page around the document |
//!
//! # Tests
//! `tests/report.rs`.

mod html;

pub use html::{PAGE, live_page, report};
