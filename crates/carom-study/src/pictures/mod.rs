//! Figures of a dataset.
//!
//! | file | noun |
//! |---|---|
//! | `picture` | what is to be drawn, of which columns, and how axes are called |
//! | `scan` | rows one after the other, part by part |
//! | `points` | scatter plots and bifurcation diagrams |
//! | `cells` | maps and basins: colour over two parameters |
//! | `parallel` | one line for each row across several axes |
//! | `histogram` | how often values come |
//! | `page` | a page of a picture, in which points lead to their runs |
//!
//! A dataset is read part by part, twice: first for its ranges, then for what is drawn. Memory does not grow with it.
//!
//! # Tests
//! `tests/pictures.rs`.

mod cells;
mod histogram;
mod page;
mod parallel;
mod picture;
mod points;
mod scan;

pub use page::Way;
pub use picture::{Kind, Picture};
