//! Where things go.
//!
//! | file | noun |
//! |---|---|
//! | `plan` | axes of a known size, and the room around them |
//! | `frame` | axes, ticks and labels |
//! | `data` | items |
//! | `legend` | the legend, where no data are |
//! | `notes` | notes, where no text is |

pub(crate) mod data;
pub(crate) mod frame;
pub(crate) mod legend;
pub(crate) mod notes;
pub(crate) mod plan;
