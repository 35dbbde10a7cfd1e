//! The stage as the page reads it.

use crate::stage::{Bounds, Drawn, End, Form, Line, Pin, Stage};
use carom::spatial::Pose;
use carom::spatial::rotation::to_quaternion;
use nalgebra::Vector3;
use serde::Serialize;

/// A shape: its place in the body frame, its name and its sizes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageShape {
    /// x, y, z, qw, qx, qy, qz.
    pub pose: [f64; 7],
    /// Name of the feature.
    pub name: String,
    /// `sphere`, `box` and so on, see [`Form::word`].
    pub kind: &'static str,
    /// Radius, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Semi-axes, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radii: Option<Vec<f64>>,
    /// Edges, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[f64; 3]>,
    /// Length, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Corners of a hull, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<Vec<[f64; 3]>>,
    /// Corners of each of its faces, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<Vec<Vec<usize>>>,
}

/// A moving body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageBody {
    /// Its name.
    pub name: String,
    /// The body that carries it by its joint; −1 is the world.
    pub parent: i64,
    /// Its shapes.
    pub shapes: Vec<PageShape>,
    /// Mass, kg; none for a body that only carries others.
    pub mass: Option<f64>,
    /// Centre of mass in its frame, m.
    pub com: [f64; 3],
    /// Inertia about its centre of mass, along the axes of its frame, row by row, kg·m².
    pub inertia: [[f64; 3]; 3],
}

/// A line from a point of body `a` to one of body `b`; −1 is the world.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageLine {
    /// First body.
    pub a: i64,
    /// Its point, m.
    pub pa: [f64; 3],
    /// Second body.
    pub b: i64,
    /// Its point, m.
    pub pb: [f64; 3],
}

/// A joint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageJoint {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// The body that it carries.
    pub body: usize,
    /// Where it sits in the frame of the body, m.
    pub at: [f64; 3],
    /// Its axis there.
    pub axis: [f64; 3],
    /// Whether it closes a loop.
    #[serde(rename = "loop", skip_serializing_if = "std::ops::Not::not")]
    pub closes: bool,
}

/// The box around everything that moves, over the whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageBounds {
    /// Lower corner, m.
    pub min: [f64; 3],
    /// Upper corner, m.
    pub max: [f64; 3],
}

/// What is to be drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageStage {
    /// Moving bodies.
    pub bodies: Vec<PageBody>,
    /// Shapes fixed to the world.
    pub fixed: Vec<PageShape>,
    /// Lines of the skeleton.
    pub links: Vec<PageLine>,
    /// Joints.
    pub joints: Vec<PageJoint>,
    /// Springs.
    pub springs: Vec<PageLine>,
    /// The box around everything that moves.
    pub bounds: PageBounds,
}

impl PageStage {
    /// The stage with the bounds of a run.
    pub fn new(stage: &Stage, bounds: &Bounds) -> Self {
        let origin = Bounds { min: Vector3::zeros(), max: Vector3::zeros() };
        let bounds = if bounds.is_empty() { &origin } else { bounds };
        let body = |b: &crate::stage::StageBody| PageBody {
            name: b.name.clone(),
            parent: b.parent.map_or(-1, |i| i as i64),
            shapes: b.shapes.iter().map(shape).collect(),
            mass: Some(b.mass).filter(|m| *m > 0.0),
            com: b.com.into(),
            inertia: b.inertia.transpose().into(),
        };
        Self {
            bodies: stage.bodies.iter().map(body).collect(),
            fixed: stage.fixed.iter().map(shape).collect(),
            links: stage.links.iter().map(line).collect(),
            joints: stage.joints.iter().map(joint).collect(),
            springs: stage.springs.iter().map(line).collect(),
            bounds: PageBounds { min: bounds.min.into(), max: bounds.max.into() },
        }
    }
}

fn shape(drawn: &Drawn) -> PageShape {
    let mut shape = PageShape {
        pose: pose7(&drawn.pose),
        name: drawn.name.clone(),
        kind: drawn.form.word(),
        radius: None,
        radii: None,
        size: None,
        length: None,
        corners: None,
        faces: None,
    };
    match drawn.form {
        Form::Point | Form::Plane => {}
        Form::Hull { ref outline } => {
            shape.corners = Some(outline.corners.iter().map(|&c| c.into()).collect());
            shape.faces = Some(outline.faces.clone());
        }
        Form::Sphere { radius } | Form::Disk { radius } => shape.radius = Some(radius),
        Form::Ellipsoid { radii } => shape.radii = Some(radii.to_vec()),
        Form::Ellipse { radii } => shape.radii = Some(radii.to_vec()),
        Form::Box { size } => shape.size = Some(size),
        Form::Rod { length } => shape.length = Some(length),
        Form::Capsule { radius, length } | Form::Cylinder { radius, length } => {
            (shape.radius, shape.length) = (Some(radius), Some(length));
        }
    }
    shape
}

pub(crate) fn pose7(X: &Pose) -> [f64; 7] {
    let Q = to_quaternion(&X.R);
    [X.r.x, X.r.y, X.r.z, Q[0], Q[1], Q[2], Q[3]]
}

fn line([a, b]: &Line) -> PageLine {
    let number = |end: &End| end.body.map_or(-1, |i| i as i64);
    PageLine { a: number(a), pa: a.point.into(), b: number(b), pb: b.point.into() }
}

fn joint(pin: &Pin) -> PageJoint {
    PageJoint {
        name: pin.name.clone(),
        kind: pin.kind,
        body: pin.body,
        at: pin.at.into(),
        axis: pin.axis.into(),
        closes: pin.closes,
    }
}
