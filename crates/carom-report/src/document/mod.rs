//! Everything that is shown of a run, as one document.
//!
//! A run from its folder and one from memory give the same [`RunDocument`], byte for byte, because the
//! numbers on disk are those of the run to the last bit. Plots and pages are drawn from it.
//!
//! | file | noun |
//! |---|---|
//! | `between`, `smooth` | the state between two samples; what is known at samples only |
//! | `knots` | rows at events, for runs of many bodies |
//! | `pieces` | motion as polynomials |
//! | `film`, `takes`, `limits`, `cast` | everything over time, as polynomials to a stated error; which contacts are seen |
//! | `document` | the document, and how it is made |
//! | `equations` | the law in equations |
//! | `facts`, `books`, `series`, `tracks`, `moments`, `scenery` | its parts |
//! | `retrace`, `paths` | impacts once more, with their paths in impulse space |
//! | `packed`, `base64` | long lists of numbers |
//!
//! # Tests
//! `tests/document.rs`.
#![allow(non_snake_case)]

mod base64;
mod between;
mod books;
mod cast;
#[allow(clippy::module_inception)]
mod document;
mod equations;
mod facts;
mod film;
mod knots;
mod limits;
mod moments;
mod packed;
mod paths;
mod pieces;
mod retrace;
mod scenery;
mod series;
mod smooth;
mod takes;
mod tracks;

pub use between::{Motion, Side};
pub use books::{Books, Entry};
pub use document::{FORMAT, RunDocument, VERSION};
pub use equations::PageLaw;
pub use facts::Fact;
pub use moments::{PageContact, PageEvent};
pub use packed::Packed;
pub use paths::{ImpulsePath, PathStage};
pub use pieces::{Pieces, Spot};
pub(crate) use retrace::Retrace;
pub(crate) use scenery::pose7;
pub use scenery::{PageBody, PageJoint, PageLine, PageShape, PageStage};
pub use series::Series;
pub use tracks::SiteTrack;
