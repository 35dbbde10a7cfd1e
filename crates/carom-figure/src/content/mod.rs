//! What a figure consists of, as its author says it.
//!
//! | file | noun |
//! |---|---|
//! | `style` | dashes, markers, hatching |
//! | `axis` | label, unit and range of an axis |
//! | `item` | lines, bands, guides, notes and the rest |
//! | `space` | three axes |
//! | `panel` | axes and what they hold |

pub(crate) mod axis;
pub(crate) mod item;
pub(crate) mod panel;
pub(crate) mod space;
pub(crate) mod style;
