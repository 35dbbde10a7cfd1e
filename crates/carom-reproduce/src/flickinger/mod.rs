//! Flickinger 2011, Flickinger & Bowling 2009: double pendulum, bicycle, mass–spring–friction.
//!
//! | file | noun |
//! |---|---|
//! | `scenes` | the scene files under `experiments/flickinger` |
//! | `case` | one run: samples with energies, events, wall time |
//! | `instant` | the impact problem of an event |
//! | `estimate` | the impact force of (3.25) |
//! | `control` | the impact law of the source with its energy control |
//! | `sheets` | runs as tables and files |
//! | `readings` | claims tested under several readings of the text |
//! | `drawing` | panels that several experiments share |
//! | `pendulum` | sections 3.4.1, 3.6.1, 5.2, 5.5 |
//! | `bicycle` | sections 3.4.2, 3.7, 4.1, 4.2, 5.3, and the 2009 paper |
//! | `oscillator` | appendix A |

pub mod bicycle;
pub mod case;
pub mod control;
mod drawing;
pub mod estimate;
pub mod instant;
pub mod oscillator;
pub mod pendulum;
mod readings;
pub mod scenes;
pub mod sheets;
