//! The one description of the scene format.
//!
//! [`scene`] and the files beside it list every key with its type, unit, range, default and meaning. The reader checks a
//! file against it before it looks at any value, `carom schema` prints it as JSON Schema, and the
//! tables of docs/scenes.md are made from it; so the three cannot differ.

pub(crate) mod body;
pub(crate) mod control;
pub(crate) mod document;
pub(crate) mod element;
pub(crate) mod joint;
pub(crate) mod json_schema;
pub(crate) mod kind;
pub(crate) mod run;
pub(crate) mod scene;
pub(crate) mod study;
pub(crate) mod validate;
pub(crate) mod words;
