//! A run as one document, and as one HTML file that shows it.
//!
//! [`Account`] is all that is known of a run: from its folder, or fresh from [`LiveRun`], the
//! observer that keeps a run in memory. Both give the same [`RunDocument`], byte for byte, because
//! the numbers on disk are those of the run to the last bit. [`report`] puts a document into the
//! page that draws it.
//!
//! | file | noun |
//! |---|---|
//! | `account`, `live`, `table` | what is known of a run; the observer; its columns |
//! | `timeline` | which samples are shown, and where frames are put between them |
//! | `between` | the state between two samples |
//! | `film` | everything at every frame |
//! | `document` | the document, and how it is made |
//! | `facts`, `books`, `series`, `tracks`, `moments`, `scenery` | its parts |
//! | `retrace`, `paths` | impacts once more, with their paths in impulse space |
//! | `packed`, `base64` | long lists of numbers |
//! | `html` | the page around the document |
//!
//! # Tests
//! `tests/document.rs`, `tests/report.rs`.
#![allow(non_snake_case)]

mod account;
mod base64;
mod between;
mod books;
mod document;
mod facts;
mod film;
mod html;
mod live;
mod moments;
mod packed;
mod paths;
mod retrace;
mod scenery;
mod series;
mod table;
mod timeline;
mod tracks;

pub use account::Account;
pub use books::{Books, Entry};
pub use document::{FORMAT, RunDocument, VERSION};
pub use facts::Fact;
pub use html::{PAGE, live_page, report};
pub use live::LiveRun;
pub use moments::{PageContact, PageEvent};
pub use packed::Packed;
pub use paths::{ImpulsePath, PathStage};
pub(crate) use retrace::Retrace;
pub use scenery::{PageBody, PageJoint, PageLine, PageShape, PageStage};
pub use series::Series;
pub use table::{NumberColumn, Table};
pub use tracks::SiteTrack;
