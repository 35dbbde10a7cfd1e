//! Models of MuJoCo (MJCF), strictly: what is not understood is an error, what is not simulated a warning.
//!
//! | in MJCF | in the model |
//! |---|---|
//! | default, class, childclass, include, frame | resolved before anything is read |
//! | compiler, option | [`settings`]: angles, inertia, limits, gravity, flags |
//! | body, inertial | body; [`inertia`]: stated, or of its geoms |
//! | joint hinge, slide, ball, free | revolute, prismatic, spherical, free; several of one body are a chain |
//! | armature, damping, stiffness, frictionloss, range, ref | rotor inertia, damping, spring, dry friction, limits, offset |
//! | geom plane, sphere, capsule, ellipsoid, cylinder, box | contact features, and inertia by volume |
//! | geom mesh | inertia by volume; no contact feature |
//! | contype, conaffinity, condim, pair, exclude | contact pairs, with spinning and rolling friction |
//! | equality joint, connect, weld | a tie between two coordinates, loops |
//! | actuator motor, position, velocity, damper, general | motors, and a controller for their linear feedback |
//! | keyframe | a start by name |
//! | sensor, tendon, skin, soft-contact parameters, … | named once each ([`left_out`]) |
//! | visual, statistic, size, custom, site, camera, light, material | left out: they are no mechanics |
//!
//! Coordinates and velocities have MuJoCo's order and meaning.

pub(crate) mod actuator;
pub(crate) mod body;
pub(crate) mod closing;
pub(crate) mod contact;
pub(crate) mod defaults;
pub(crate) mod equality;
pub(crate) mod geom;
pub(crate) mod hfield;
pub(crate) mod inertia;
pub(crate) mod item;
pub(crate) mod joint;
pub(crate) mod keyframe;
pub(crate) mod left_out;
pub(crate) mod mesh;
pub(crate) mod moments;
pub(crate) mod names;
pub(crate) mod orientation;
pub(crate) mod replicate;
pub(crate) mod robot;
pub(crate) mod settings;
pub(crate) mod springs;
pub(crate) mod tag;

pub(crate) use robot::{Request, read};
