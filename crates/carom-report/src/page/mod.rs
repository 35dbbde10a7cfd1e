//! One HTML file that shows a run: [`report`] puts a document into the page that draws it, [`comparison`] several.
//!
//! | file | noun |
//! |---|---|
//! | `html` | the page around the document |
//! | `gallery` | a page of many scenes |
//!
//! # Tests
//! `tests/report.rs`.

mod gallery;
mod html;

pub use gallery::{Exhibit, Numbers, gallery};
pub use html::{PAGE, comparison, lesson, live_page, report, report_with};
