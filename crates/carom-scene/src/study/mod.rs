//! Random jumps of a scene: who carries out the `[study]` of a scene, a [`StudyChoice`](crate::StudyChoice).
//!
//! ```no_run
//! use carom_scene::Scene;
//! use carom_scene::study::Worker;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let scene = Scene::load("scenes/jumper.toml")?;
//! let study = scene.study.clone().ok_or("no study")?;
//! let mut worker = Worker::new(&scene, &study)?;
//! for sample in 0..study.samples {
//!     let jump = worker.jump(sample)?;
//!     println!("{:?} {:.1} {:.4}", jump.at, jump.capability, jump.measure.stance);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | file | noun |
//! |---|---|
//! | `worker` | one jump after another, with what is set up once |
//! | `jump` | what is known of one jump |
//! | `strength` | the two capabilities of a posture |
//! | `relation` | correlation of two columns |
//! | `error` | why there is no jump |

mod error;
mod jump;
mod relation;
mod strength;
mod worker;

pub use error::StudyError;
pub use jump::Jump;
pub use relation::{correlation, ranks};
pub use strength::{by_torques_alone, with_friction};
pub use worker::Worker;
