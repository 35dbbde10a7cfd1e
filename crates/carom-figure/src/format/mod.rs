//! Marks as files.
//!
//! | file | noun |
//! |---|---|
//! | `svg` | text |
//! | `png` | pixels |

pub(crate) mod png;
pub(crate) mod svg;
