//! Joints and their coordinates.
//!
//! A joint moves the body frame relative to the joint frame, which is fixed in the parent body at
//! `placement`. Its coordinates, in order:
//!
//! | kind | q | v |
//! |---|---|---|
//! | fixed | – | – |
//! | revolute | motor angle | rate |
//! | prismatic | motor position | rate |
//! | planar | x, y, angle about z | rates |
//! | spherical | quaternion w, x, y, z | angular velocity in the body frame |
//! | free | x, y, z, then w, x, y, z | velocity in the joint frame, then angular velocity in the body frame |
//!
//! With a transmission the coordinate is the motor's, the joint's own angle is
//!
//! ```text
//! angle = ratio × q + offset                                     (1)
//! ```
//!
//! Springs, dampers and limits act on the joint's angle; rotor inertia acts on the motor's
//! coordinate.

use crate::spatial::Pose;
use nalgebra::{Unit, Vector3};

/// What motion a joint allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// None.
    Fixed,
    /// A turn about an axis of the joint frame.
    Revolute {
        /// Axis in the joint frame.
        axis: Unit<Vector3<f64>>,
    },
    /// A shift along an axis of the joint frame.
    Prismatic {
        /// Axis in the joint frame.
        axis: Unit<Vector3<f64>>,
    },
    /// Shifts along x and y of the joint frame, then a turn about z.
    Planar,
    /// Any turn.
    Spherical,
    /// Any motion.
    Free,
}

impl JointKind {
    /// How many numbers in q.
    pub fn nq(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } => 1,
            Self::Planar => 3,
            Self::Spherical => 4,
            Self::Free => 7,
        }
    }

    /// How many degrees of freedom.
    pub fn nv(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } => 1,
            Self::Planar | Self::Spherical => 3,
            Self::Free => 6,
        }
    }

    /// Word used in files and messages.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute { .. } => "revolute",
            Self::Prismatic { .. } => "prismatic",
            Self::Planar => "planar",
            Self::Spherical => "spherical",
            Self::Free => "free",
        }
    }

    /// How many of its first degrees of freedom have a coordinate of their own (not a quaternion).
    pub fn plain(&self) -> usize {
        match self {
            Self::Spherical => 0,
            Self::Free => 3,
            other => other.nv(),
        }
    }

    /// Suffixes of the names of q, one each.
    pub fn q_suffixes(&self) -> &'static [&'static str] {
        match self {
            Self::Fixed => &[],
            Self::Revolute { .. } | Self::Prismatic { .. } => &[""],
            Self::Planar => &[".x", ".y", ".angle"],
            Self::Spherical => &[".qw", ".qx", ".qy", ".qz"],
            Self::Free => &[".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"],
        }
    }

    /// Suffixes of the names of v, one each.
    pub fn v_suffixes(&self) -> &'static [&'static str] {
        match self {
            Self::Fixed => &[],
            Self::Revolute { .. } | Self::Prismatic { .. } => &[""],
            Self::Planar => &[".vx", ".vy", ".rate"],
            Self::Spherical => &[".wx", ".wy", ".wz"],
            Self::Free => &[".vx", ".vy", ".vz", ".wx", ".wy", ".wz"],
        }
    }
}

/// A linear spring on the joint's angle or position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Stiffness, N·m/rad or N/m.
    pub stiffness: f64,
    /// Angle or position without force, rad or m.
    pub rest: f64,
}

/// The range of the joint's angle or position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Lower end, rad or m.
    pub lower: f64,
    /// Upper end, rad or m.
    pub upper: f64,
    /// Restitution when an end is hit, 0 to 1.
    pub restitution: f64,
}

/// What acts on one degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinate {
    /// Joint angle per motor angle, equation (1).
    pub ratio: f64,
    /// Joint angle at q = 0, rad or m, equation (1).
    pub offset: f64,
    /// Spring on the joint's angle.
    pub spring: Option<Spring>,
    /// Viscous damping of the joint's rate, N·m·s/rad or N·s/m.
    pub damping: f64,
    /// Dry friction of the joint while it moves, N·m or N.
    pub friction: f64,
    /// Dry friction up to which it holds still, N·m or N, not below the other.
    pub static_friction: f64,
    /// Its motion is prescribed, so that it may carry nothing that has mass.
    pub prescribed: bool,
    /// Range of the joint's angle.
    pub limits: Option<Limits>,
    /// Inertia of the rotor about the motor's axis, kg·m² or kg.
    pub rotor_inertia: f64,
    /// Largest motor force, N·m or N; infinite if none is stated.
    pub effort: f64,
}

impl Default for Coordinate {
    fn default() -> Self {
        Self {
            ratio: 1.0,
            offset: 0.0,
            spring: None,
            damping: 0.0,
            friction: 0.0,
            static_friction: 0.0,
            prescribed: false,
            limits: None,
            rotor_inertia: 0.0,
            effort: f64::INFINITY,
        }
    }
}

/// A joint between a body and its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// What motion it allows.
    pub kind: JointKind,
    /// The joint frame in the frame of the parent body.
    pub placement: Pose,
    /// One per degree of freedom; quaternion ones must be the default.
    pub coordinates: Vec<Coordinate>,
}

impl Joint {
    /// A joint with plain coordinates.
    pub fn new(name: impl Into<String>, kind: JointKind, placement: Pose) -> Self {
        Self {
            name: name.into(),
            kind,
            placement,
            coordinates: vec![Coordinate::default(); kind.nv()],
        }
    }

    /// A revolute joint.
    pub fn revolute(name: impl Into<String>, axis: Unit<Vector3<f64>>, placement: Pose) -> Self {
        Self::new(name, JointKind::Revolute { axis }, placement)
    }

    /// A prismatic joint.
    pub fn prismatic(name: impl Into<String>, axis: Unit<Vector3<f64>>, placement: Pose) -> Self {
        Self::new(name, JointKind::Prismatic { axis }, placement)
    }

    /// The same joint with other coordinates.
    pub fn with_coordinates(mut self, coordinates: Vec<Coordinate>) -> Self {
        self.coordinates = coordinates;
        self
    }
}

/// A bilateral tie between the angles of two joints: follower = ratio × leader + offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling {
    /// Degree of freedom that follows (index into v).
    pub follower: usize,
    /// Degree of freedom that leads (index into v).
    pub leader: usize,
    /// Follower's angle per leader's angle.
    pub ratio: f64,
    /// Follower's angle where the leader's is zero.
    pub offset: f64,
}
