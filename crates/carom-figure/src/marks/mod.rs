//! What is drawn: paths, letters, colours; where there is room for them.
//!
//! | file | noun |
//! |---|---|
//! | `colour` | colours and themes |
//! | `draw` | points, paths, pens, the canvas |
//! | `font` | outlines and widths of letters |
//! | `missing` | letters that the font lacks |
//! | `text` | words, measured |
//! | `size` | sizes of letters |
//! | `busy` | where marks are already |
//! | `clip` | what lies within a rectangle |
//! | `thin` | long series without their middle points |

pub(crate) mod busy;
pub(crate) mod clip;
pub(crate) mod colour;
pub(crate) mod draw;
pub(crate) mod font;
pub(crate) mod missing;
pub(crate) mod size;
pub(crate) mod text;
pub(crate) mod thin;
