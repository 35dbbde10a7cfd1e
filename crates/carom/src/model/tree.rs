//! The tree as the kernels see it.
//!
//! Bodies behind fixed joints are lumped into the body that carries them, so that only moving
//! links remain. Every degree of freedom is a node of its own: planar, spherical and free joints
//! are chains of single axes whose intermediate bodies have no mass and which share the reference
//! point (the origin of the link). So `v[i]`, the node i, and row i of M are one and the same.

use crate::numeric::thresholds::UPRIGHT;
use crate::spatial::{PointInertia, Pose};
use nalgebra::{Matrix3, Vector3};

/// Index of the world in parent lists.
pub const WORLD: usize = usize::MAX;

/// How a link moves relative to its base frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LinkMotion {
    /// A turn about z of the base frame.
    Turn,
    /// A shift along an axis of the base frame.
    Shift(Vector3<f64>),
    /// Shifts along x and y, then a turn about z.
    Planar,
    /// A turn by a quaternion.
    Ball,
    /// Shifts along x, y, z, then a turn by a quaternion.
    Free,
}

/// A moving rigid link: one joint and everything fixed to the body behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The link that carries it, or [`WORLD`].
    pub parent: usize,
    /// How it moves.
    pub motion: LinkMotion,
    /// Base frame (joint frame, turned so that a revolute axis is z) in the parent link's frame.
    pub base: Pose,
    /// Whether the base frame is not turned against the parent link's frame.
    pub unturned: bool,
    /// First coordinate in q.
    pub q: usize,
    /// First degree of freedom in v.
    pub v: usize,
    /// How many degrees of freedom.
    pub nv: usize,
    /// Joint angle per motor angle.
    pub ratio: f64,
    /// Joint angle at q = 0.
    pub offset: f64,
    /// Inertia about the link's origin in the link's frame.
    pub inertia: PointInertia,
}

/// One degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// The degree of freedom before it on the way to the root, or [`WORLD`].
    pub parent: usize,
    /// The link that it moves.
    pub link: usize,
    /// Whether it turns (else it shifts).
    pub turns: bool,
    /// Whether it is the first of its link: the reference point changes towards the root.
    pub first: bool,
    /// Whether it is the last of its link, which carries the inertia.
    pub last: bool,
    /// Rotor inertia added to its own diagonal entry.
    pub rotor: f64,
    /// The part of it that is not there: a joint that moves nothing with mass has a prescribed motion, for
    /// which any inertia will do. It has no energy.
    pub ghost: f64,
}

/// Where a body sits: the link that moves it, and its frame therein.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    /// The link, or [`WORLD`].
    pub link: usize,
    /// The body frame in the link's frame (in the world frame for the world).
    pub pose: Pose,
}

/// Links, degrees of freedom, and where the bodies sit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// Moving links, parents first.
    pub links: Vec<Link>,
    /// Degrees of freedom, parents first.
    pub nodes: Vec<Node>,
    /// One per body.
    pub seats: Vec<Seat>,
}

impl Tree {
    /// The last degree of freedom of a link, or [`WORLD`].
    #[inline]
    pub fn tip_node(&self, link: usize) -> usize {
        if link == WORLD { WORLD } else { self.links[link].v + self.links[link].nv - 1 }
    }

    /// Whether all links move in planes parallel to x–y of the world: turns about z, shifts across it.
    pub fn moves_in_plane(&self) -> bool {
        // Axes in the world at q = 0: turns about z keep what is upright upright.
        let mut frames: Vec<Matrix3<f64>> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let frame = frames.get(link.parent).map_or(link.base.R, |R| R * link.base.R);
            let upright = (frame[(2, 2)].abs() - 1.0).abs() < UPRIGHT;
            let holds = match link.motion {
                LinkMotion::Turn | LinkMotion::Planar => upright,
                LinkMotion::Shift(axis) => (frame * axis).z.abs() < UPRIGHT,
                LinkMotion::Ball | LinkMotion::Free => false,
            };
            if !holds {
                return false;
            }
            frames.push(frame);
        }
        true
    }
}
