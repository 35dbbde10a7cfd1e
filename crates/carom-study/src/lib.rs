//! Studies of carom scenes: parameters by the thousand in, one Parquet dataset out.
//!
//! ```
//! use carom_study::sampling::{Parameter, Plan};
//! use carom_study::{Ask, Study};
//!
//! let text = r#"
//!     [body.ball]
//!     mass = 0.1
//!     shape = { sphere = 0.05 }
//!     position = [0, 0, 1.05]
//!     [body.ground]
//!     shape = "plane"
//!     [[contact]]
//!     between = ["ball", "ground"]
//!     restitution = 0.5
//!     friction = 0.3
//! "#;
//! let vary = vec![Parameter::read("contact.0.restitution=0.2:0.8:3")?];
//! let plan = Plan::new(vary, None, None, 1)?;
//! let results = vec![("second".to_string(), "time(impact, 2)".to_string())];
//! let ask = Ask { plan, results, ..Ask::of_scene(text, "ball.toml") };
//! let row = Study::new(ask)?.run(1, &Default::default()).expect("nobody interrupts it");
//! // e = 0.5, dropped 1 m: √(2/g) (1 + 2e).
//! assert!((row.results[0] - (2.0 / 9.81_f64).sqrt() * 2.0).abs() < 1e-12);
//! # Ok::<(), carom_study::StudyError>(())
//! ```
//!
//! A file or folder uses only those above it:
//!
//! | file | holds |
//! |---|---|
//! | `error` | what can go wrong: [`StudyError`] |
//! | `fixed` | columns that every dataset has |
//! | [`sampling`] | from the number of a row to its values |
//! | [`results`] | what is kept of a run |
//! | [`dataset`] | the folder: rows, parts, journal, shards |
//! | `witness` | who else watches a run: [`Witness`] |
//! | `study` | [`Study`]: one row at a time |
//! | `work` | all rows, on all threads |
//! | [`pictures`] | figures of a dataset |

pub mod dataset;
mod error;
mod fixed;
pub mod pictures;
pub mod results;
pub mod sampling;
mod study;
mod witness;
mod work;

pub use carom_scene::expression;
pub use error::{RowFault, StudyError, TableProblem};
pub use study::{Ask, Study};
pub use witness::Witness;
pub use work::{Keep, Progress, Work};
