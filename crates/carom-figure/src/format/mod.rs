//! Marks as files.
//!
//! | file | noun |
//! |---|---|
//! | `svg` | text |
//! | `png` | pixels |
//! | `pdf` | a page |

pub(crate) mod pdf;
pub(crate) mod png;
pub(crate) mod svg;
