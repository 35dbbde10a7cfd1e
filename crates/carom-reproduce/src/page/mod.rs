//! One HTML page of all experiments: self-contained, light and dark, wide and narrow.

mod filter;
mod html;
mod section;
mod summary;

pub use html::page;
