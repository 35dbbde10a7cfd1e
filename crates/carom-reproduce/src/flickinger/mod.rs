//! Flickinger 2011, Flickinger & Bowling 2009: double pendulum, bicycle, mass–spring–friction.
//!
//! | file | noun |
//! |---|---|
//! | `scenes` | the scene files under `experiments/flickinger` |
//! | `case` | one run: samples with energies, events, wall time |
//! | `instant` | the impact problem of an event |
//! | `estimate` | the impact force of (3.25) |
//! | `oscillator` | appendix A |

pub mod case;
pub mod estimate;
pub mod instant;
pub mod oscillator;
pub mod scenes;
