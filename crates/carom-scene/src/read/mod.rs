//! A checked tree of values to the parts of a scene.

pub(crate) mod actuator;
pub(crate) mod apart;
pub(crate) mod body;
pub(crate) mod closing;
pub(crate) mod condition;
pub(crate) mod contact;
pub(crate) mod controller;
pub(crate) mod element;
pub(crate) mod force;
pub(crate) mod inertia;
pub(crate) mod joint;
pub(crate) mod mjcf_table;
pub(crate) mod motor;
pub(crate) mod pile;
pub(crate) mod selection;
pub(crate) mod settings;
pub(crate) mod settle;
pub(crate) mod shape;
pub(crate) mod srdf;
pub(crate) mod start;
pub(crate) mod start_check;
pub(crate) mod study;
pub(crate) mod terrain;
mod torque_file;
pub(crate) mod untouched;
pub(crate) mod urdf_table;
pub(crate) mod view;
