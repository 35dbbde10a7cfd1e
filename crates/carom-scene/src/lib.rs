//! Scene files of carom: TOML and URDF in, a [`Model`](carom::model::Model) and its start out.
//!
//! ```
//! use carom_scene::Scene;
//!
//! let scene = Scene::parse(
//!     r#"
//!     gravity = [0, 0, -9.81]
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
//!     "#,
//!     "ball.toml",
//! )?;
//! assert_eq!(scene.model.nv(), 6);
//! assert_eq!(scene.initial.q[2], 1.05);
//! # Ok::<(), carom_scene::SceneError>(())
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `scene.rs` | [`Scene`]: a file read, checked and built |
//! | `toml.rs`, `value.rs`, `overrides.rs` | TOML text to a tree of values with places; `--set` |
//! | `tree.rs` | the same tree for programs that offer values to be changed |
//! | `spec/` | the one description of the format: check, JSON Schema, reference |
//! | `read/` | the tree to the parts of a scene |
//! | `urdf/` | robot descriptions to the same parts |
//! | `options.rs`, `law_choice.rs` | what a scene says about its simulation |
//! | `solid.rs`, `gap.rs` | inertia of shapes; gaps at rest |
//! | `assemble.rs` | parts to a model |
//! | `study/` | random jumps: [`study::Worker`] carries out what `[study]` asks for |
//! | `plain.rs` | text from files, made harmless for a terminal |
//! | `fault.rs`, `advice.rs`, `error.rs`, `warning.rs` | what is wrong, where, and what to do |
//!
//! Every fault is found before time starts and has a place; nothing in a file is passed over in
//! silence.
#![allow(non_snake_case)]

mod advice;
mod angle;
mod assemble;
mod error;
mod fault;
mod gap;
mod hash;
mod law_choice;
mod number;
mod options;
mod overrides;
mod parts;
mod plain;
mod read;
mod scene;
mod solid;
mod source;
mod spec;
pub mod study;
mod suggest;
mod toml;
mod tree;
mod urdf;
mod value;
mod warning;

pub use error::SceneError;
pub use fault::{Fault, OverrideProblem};
pub use law_choice::{EnergyControl, LawChoice};
pub use number::short_number;
pub use options::{
    CombineRule, Options, OutputOptions, PairInfo, SolverOptions, Space, ValueOrigin,
};
pub use overrides::override_parts;
pub use plain::plain;
pub use scene::{NamedController, Scene, SceneFile};
pub use source::Place;
pub use spec::document::reference_tables;
pub use spec::json_schema::schema;
pub use study::StudyChoice;
pub use tree::stated;
pub use warning::{Caution, Warning};

/// Runs the code blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
