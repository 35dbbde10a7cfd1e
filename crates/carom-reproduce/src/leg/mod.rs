//! Flickinger 2011, chapter 6: the jumping leg.
//!
//! | file | noun |
//! |---|---|
//! | `subject` | the leg, its question of capability, one jump |
//! | `jumps` | table 6.2, figures 6.5 to 6.13: jumps from the guess, the published and our own optimised posture |
//! | `geometry` | table 6.2: which geometries fit it, and how they jump |
//! | `field` | figure 6.1: capability over two joint angles |
//! | `sample` | figures 6.2 to 6.4: random postures, stance against capability |
//! | `drawing` | panels of a jump |

mod drawing;
mod field;
mod geometry;
mod jumps;
mod sample;
mod subject;

pub use field::FIELD;
pub use geometry::{Fit, GEOMETRY, Geometry};
pub use jumps::JUMPS;
pub use sample::SAMPLE;
