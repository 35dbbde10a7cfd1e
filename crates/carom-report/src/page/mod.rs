//! One HTML file that shows a run: [`report`] puts a document into the page that draws it, [`comparison`] several.
//!
//! | file | noun |
//! |---|---|
//! | `html` | the page around the document |
//!
//! # Tests
//! `tests/report.rs`.

mod html;

pub use html::{PAGE, comparison, live_page, report};
