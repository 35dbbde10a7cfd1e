//! Scene files of carom: TOML, URDF and MJCF in, a [`Model`](carom::model::Model) and its start out.
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
//! A file or folder uses only those above it:
//!
//! | file | holds |
//! |---|---|
//! | `expression/` | arithmetic of users, for scenes and studies |
//! | `fault.rs`, `number.rs`, `plain.rs`, `advice.rs`, `source.rs`, `error.rs`, `warning.rs` | what is wrong, where, and what to do |
//! | `suggest.rs`, `hash.rs`, `angle.rs`, `direction.rs` | small questions about texts and vectors |
//! | `value.rs`, `toml.rs`, `overrides.rs`, `xml.rs`, `files.rs` | files to a tree of values with places; `--set` |
//! | `spec/` | the one description of the format: check, JSON Schema, reference |
//! | `feedback.rs` | forces and conditions by expressions |
//! | `law_words.rs`, `options.rs`, `study_choice.rs` | what a scene says about its simulation |
//! | `parts.rs`, `solid.rs`, `height_field.rs`, `mesh_file/`, `decompose/`, `convex_pieces.rs`, `shelf.rs`, `gap.rs` | the parts of a scene; inertia of shapes; triangles of heights and files and their convex pieces; gaps at rest |
//! | `assemble.rs` | parts to a model |
//! | `urdf/`, `mjcf/` | robot descriptions to parts |
//! | `read/` | the tree to parts |
//! | `scene.rs` | [`Scene`]: a file read, checked and built |
//! | `remedy.rs` | what helps a run that failed, tried before it is offered |
//! | `tree.rs` | the tree for programs that offer values to be changed |
//! | `study/` | random jumps: [`study::Worker`] carries out what `[study]` asks for |
//!
//! Every fault is found before time starts and has a place; nothing in a file is passed over in
//! silence.
#![allow(non_snake_case)]

mod advice;
mod angle;
mod assemble;
mod convex_pieces;
mod decompose;
mod direction;
mod error;
pub mod expression;
mod fault;
mod feedback;
mod files;
mod gap;
mod hash;
mod height_field;
mod law_words;
mod mesh_file;
mod mjcf;
mod number;
mod options;
mod overrides;
mod parts;
mod plain;
mod read;
mod remedy;
mod scene;
mod shelf;
mod solid;
mod source;
mod spec;
pub mod study;
mod study_choice;
mod suggest;
mod toml;
mod tree;
mod urdf;
mod value;
mod warning;
mod xml;

pub use error::SceneError;
pub use fault::{Fault, OverrideProblem};
pub use feedback::{Acting, SceneCondition, SceneForce};
pub use law_words::{LawNumber, LawWords};
pub use mesh_file::{Triangles, triangles};
pub use number::short_number;
pub use options::{
    CombineRule, NamedController, Options, OutputOptions, PairInfo, SolverOptions, Space,
    ValueOrigin,
};
pub use overrides::{override_keys, override_parts};
pub use plain::plain;
pub use remedy::remedy;
pub use scene::{Scene, SceneFile};
pub use source::Place;
pub use spec::document::reference_tables;
pub use spec::json_schema::schema;
pub use study_choice::{RunsChoice, StudyChoice};
pub use tree::{stated, stated_in_order};
pub use warning::{Caution, Warning};

/// Runs the code blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
