//! The parts of a scene before they are put together; both readers make them.

use crate::options::PairInfo;
use crate::source::Spot;
use carom::control::Prescribed;
use carom::model::{Coordinate, JointKind, LoadAxes, LoopKind, Resistance, Shape, Surface};
use carom::spatial::{Inertia, InertiaError, Pose};
use nalgebra::{Matrix3, Vector3};

/// A value with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct At<T> {
    pub value: T,
    pub spot: Spot,
}

/// A name that refers to another part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reference {
    pub name: String,
    pub spot: Spot,
}

/// A body and its joint.
#[derive(Debug, Clone)]
pub(crate) struct BodyPart {
    pub name: String,
    /// Where the name is written.
    pub spot: Spot,
    /// Where the mass or inertia is written.
    pub inertia_spot: Spot,
    pub inertia: Inertia,
    /// Why the inertia of a link alone is impossible. What counts is the rigid part it belongs to.
    pub doubt: Option<InertiaError>,
    pub joint: JointPart,
    /// Whether it is the root of a URDF that is fixed to the world unless a joint carries it.
    pub is_fixed_root: bool,
    /// Start of a body that is free.
    pub motion: MotionPart,
    /// The start of its file, which holds where the scene states none.
    pub given: Given,
}

/// A start that holds where nothing else is stated.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Given {
    pub motion: MotionPart,
    /// Angle or position of a joint with one degree of freedom, and its rate.
    pub angle: Option<f64>,
    pub rate: Option<f64>,
}

/// A joint.
#[derive(Debug, Clone)]
pub(crate) struct JointPart {
    pub name: String,
    pub spot: Spot,
    pub kind: JointKind,
    /// The body that carries it; none is the world.
    pub parent: Option<Reference>,
    pub placement: Pose,
    /// What acts on a joint with one degree of freedom.
    pub coordinate: Coordinate,
    pub mimic: Option<MimicPart>,
    /// A constant torque on it, N·m or N.
    pub torque: f64,
    /// A motion in time; its degree of freedom is known once the model is.
    pub prescribed: Option<Prescribed>,
    /// Angle and rate at the start.
    pub start: Option<At<f64>>,
    pub start_rate: Option<At<f64>>,
}

impl JointPart {
    /// A joint without anything that acts on it.
    pub fn new(name: &str, spot: Spot, kind: JointKind, placement: Pose) -> Self {
        Self {
            name: name.into(),
            spot,
            kind,
            parent: None,
            placement,
            coordinate: Coordinate::default(),
            mimic: None,
            torque: 0.0,
            prescribed: None,
            start: None,
            start_rate: None,
        }
    }

    /// Whether it has one degree of freedom.
    pub fn is_single(&self) -> bool {
        matches!(self.kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. })
    }

    /// Whether it turns.
    pub fn turns(&self) -> bool {
        !matches!(self.kind, JointKind::Prismatic { .. })
    }
}

/// A joint that leads another one.
#[derive(Debug, Clone)]
pub(crate) struct MimicPart {
    pub leader: Reference,
    pub ratio: f64,
    pub offset: f64,
}

/// An orientation, and its angle about z if it was written as one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Turn {
    pub R: Matrix3<f64>,
    pub angle: Option<f64>,
}

/// Position and velocity of a free body at the start.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MotionPart {
    pub position: Option<At<Vector3<f64>>>,
    pub rotation: Option<At<Turn>>,
    pub velocity: Option<At<Vector3<f64>>>,
    pub angular_velocity: Option<At<Vector3<f64>>>,
}

/// Restitution and friction of one side of a contact, as far as stated.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Material {
    pub restitution: Option<f64>,
    pub friction: Option<f64>,
    pub static_friction: Option<f64>,
}

impl Material {
    /// Static and dynamic friction; one means both.
    pub fn frictions(&self) -> Option<(f64, f64)> {
        match (self.static_friction, self.friction) {
            (Some(s), Some(d)) => Some((s, d)),
            (Some(one), None) | (None, Some(one)) => Some((one, one)),
            (None, None) => None,
        }
    }
}

/// Convex pieces that stand for a concave mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Approximation {
    /// How many there are.
    pub pieces: usize,
    /// How far they go beyond the mesh at most, m.
    pub concavity: f64,
    /// Volume, centre of mass and ∫xxᵀ about it of the mesh itself, of unit density.
    pub moments: (f64, Vector3<f64>, Matrix3<f64>),
}

/// A contact feature.
#[derive(Debug, Clone)]
pub(crate) struct FeaturePart {
    pub name: String,
    /// The name as it was written; the pieces of a mesh share one.
    pub group: String,
    pub spot: Spot,
    /// Number of the body in the list of parts.
    pub body: usize,
    pub placement: Pose,
    pub shape: Shape,
    /// What the group of the feature stands for only approximately.
    pub approximates: Option<Approximation>,
    pub material: Material,
}

/// A pair of features by number.
#[derive(Debug, Clone)]
pub(crate) struct PairPart {
    pub name: String,
    pub spot: Spot,
    pub a: usize,
    pub b: usize,
    pub surface: Surface,
    pub resistance: Resistance,
    pub info: PairInfo,
    pub origin: PairOrigin,
    /// Which `[[contact]]` of the scene states it, if one does.
    pub contact: Option<usize>,
    /// Whether a condition bounds it.
    pub bound: bool,
}

/// Where a pair comes from, and so what is done where its shapes have no gap function or overlap at
/// the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairOrigin {
    /// Both sides are named: both are faults.
    Stated,
    /// A pattern or a group: it is left out without a gap function; an overlap is a fault.
    Pattern,
    /// A rule for all parts of a mechanism: it is left out in both cases.
    Among,
    /// A robot file: it is left out without a gap function; where it overlaps, bodies are moved apart.
    Robot,
}

/// A motor of a robot file.
#[derive(Debug, Clone)]
pub(crate) struct MotorPart {
    pub name: String,
    pub spot: Spot,
    /// The joint that it drives.
    pub joint: String,
    pub lower: f64,
    pub upper: f64,
    pub control: Control,
    /// What it is told.
    pub value: f64,
}

/// How the force of a motor follows from its control, its angle and its rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Control {
    pub gear: f64,
    pub gain: [f64; 3],
    pub bias: [f64; 3],
    pub range: Option<[f64; 2]>,
    /// Damping ratio, until the damping that it stands for is known.
    pub ratio: Option<f64>,
    /// q where the joint's angle is zero.
    pub reference: f64,
}

/// A frame of a body.
#[derive(Debug, Clone)]
pub(crate) struct PlacePart {
    /// None is the world.
    pub body: Option<Reference>,
    pub placement: Pose,
}

impl PlacePart {
    /// The origin of the world.
    pub fn world() -> Self {
        Self { body: None, placement: Pose::identity() }
    }
}

/// A loop.
#[derive(Debug, Clone)]
pub(crate) struct LoopPart {
    pub name: String,
    pub spot: Spot,
    pub kind: LoopKind,
    pub sides: [PlacePart; 2],
}

/// Two joints whose angles are tied: follower = ratio × leader + offset.
#[derive(Debug, Clone)]
pub(crate) struct GearPart {
    pub name: String,
    pub spot: Spot,
    pub follower: Reference,
    pub leader: Reference,
    pub ratio: f64,
    pub offset: f64,
}

/// A spring between points.
#[derive(Debug, Clone)]
pub(crate) struct PointSpringPart {
    pub name: String,
    pub spot: Spot,
    pub sides: [PlacePart; 2],
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
}

/// A constant force on a body.
#[derive(Debug, Clone)]
pub(crate) struct LoadPart {
    pub body: Reference,
    pub point: Vector3<f64>,
    pub force: Vector3<f64>,
    pub moment: Vector3<f64>,
    pub axes: LoadAxes,
}

/// Everything that makes the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub bodies: Vec<BodyPart>,
    pub features: Vec<FeaturePart>,
    pub loops: Vec<LoopPart>,
    pub gears: Vec<GearPart>,
    pub springs: Vec<PointSpringPart>,
    pub loads: Vec<LoadPart>,
    /// Pairs that robot files declare.
    pub pairs: Vec<PairPart>,
    /// Motors that they declare.
    pub motors: Vec<MotorPart>,
    /// Pairs of bodies that robot files say never touch.
    pub disabled: Vec<(usize, usize)>,
    /// Gravity that one of them states, m/s².
    pub gravity: Option<Vector3<f64>>,
}

impl Parts {
    /// Put the parts of a robot behind those that are there.
    pub fn append(&mut self, mut robot: Parts) {
        let (bodies, features) = (self.bodies.len(), self.features.len());
        robot.features.iter_mut().for_each(|f| f.body += bodies);
        for pair in &mut robot.pairs {
            (pair.a, pair.b) = (pair.a + features, pair.b + features);
        }
        let shifted = robot.disabled.iter().map(|(a, b)| (a + bodies, b + bodies));
        self.disabled.extend(shifted);
        self.bodies.append(&mut robot.bodies);
        self.features.append(&mut robot.features);
        self.pairs.append(&mut robot.pairs);
        self.motors.append(&mut robot.motors);
        self.loops.append(&mut robot.loops);
        self.gears.append(&mut robot.gears);
        self.springs.append(&mut robot.springs);
        self.loads.append(&mut robot.loads);
        self.gravity = self.gravity.or(robot.gravity);
    }
}
