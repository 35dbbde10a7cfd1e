//! `carom render`: a run as a film, as frames or as one picture.
//!
//! | file | noun |
//! |---|---|
//! | `command` | which frames, drawn how |
//! | `sink` | where they go: ffmpeg, GIF, PNG |

mod command;
mod sink;

pub use command::run;
