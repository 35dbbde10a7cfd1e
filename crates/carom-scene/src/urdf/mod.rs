//! Robot descriptions (URDF), strictly: what is not understood is an error or a warning.
//!
//! | in URDF | in the model |
//! |---|---|
//! | link | body; without inertial, massless |
//! | inertial | mass, centre of mass, inertia turned into the link frame |
//! | joint fixed, revolute, prismatic, floating | the same; floating is free |
//! | joint continuous | revolute without limits |
//! | joint planar | planar about its axis; a massless body carries the turn if the axis is not z |
//! | limit | limits and effort; velocity is a warning |
//! | dynamics | damping, dry friction |
//! | mimic | a tie between two coordinates |
//! | collision sphere, box, cylinder, capsule | contact features |
//! | collision mesh | its convex hull or its convex pieces, if the scene asks for them; else a warning |
//! | transmission, gazebo, sensor, safety_controller, calibration | a warning each |
//! | visual, material | left out: they are no mechanics |
//!
//! Paths of meshes (`package://…`) are looked for beside the file and in the folders around it. What stands in a fixed joint besides its
//! frames has no meaning and is left out.

pub(crate) mod collision;
pub(crate) mod element;
pub(crate) mod joint;
pub(crate) mod link;
pub(crate) mod lump;
pub(crate) mod robot;

pub(crate) use robot::read;
