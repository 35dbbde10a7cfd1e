//! Numbers to pixels: scales and their ticks.
//!
//! | file | noun |
//! |---|---|
//! | `scale` | from data to paper |
//! | `ticks` | numbers at an axis |

pub(crate) mod scale;
pub(crate) mod ticks;
