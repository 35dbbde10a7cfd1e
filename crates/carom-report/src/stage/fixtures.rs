//! Pins and springs of joints.

use super::StageBody;
use super::skeleton::{Line, carried};
use carom::model::{BodyId, JointKind, Model};
use nalgebra::Vector3;

/// A joint to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// Name of the joint.
    pub name: String,
    /// Its kind: `revolute`, `prismatic` or `spherical`.
    pub kind: &'static str,
    /// The body that it carries: place in [`super::Stage::bodies`].
    pub body: usize,
    /// Where it sits, in the frame of that body, m.
    pub at: Vector3<f64>,
    /// Its axis in the frame of that body; zero for a spherical joint.
    pub axis: Vector3<f64>,
}

/// A spring between two points.
pub type SpringLine = Line;

/// Joints that hold a body at a point or a line.
pub(super) fn pins(model: &Model, bodies: &[StageBody]) -> Vec<Pin> {
    let pin = |(body, b): (usize, &StageBody)| {
        let joint = &model.body(b.id).joint;
        // The body frame coincides with the joint frame turned about, or shifted along, the axis:
        // the axis has the same coordinates in both.
        let axis = match joint.kind {
            JointKind::Revolute { axis } | JointKind::Prismatic { axis } => axis.into_inner(),
            JointKind::Spherical => Vector3::zeros(),
            JointKind::Fixed | JointKind::Planar | JointKind::Free => return None,
        };
        let name = joint.name.clone();
        Some(Pin { name, kind: joint.kind.word(), body, at: Vector3::zeros(), axis })
    };
    bodies.iter().enumerate().filter_map(pin).collect()
}

/// Springs along slides. Those of turning joints have no length to be drawn.
pub(super) fn springs(
    model: &Model,
    bodies: &[StageBody],
    place: impl Fn(BodyId) -> Option<usize>,
) -> Vec<SpringLine> {
    let mut lines = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let joint = &model.body(body.id).joint;
        let slides = matches!(joint.kind, JointKind::Prismatic { .. });
        if slides && joint.coordinates.iter().any(|c| c.spring.is_some()) {
            lines.push(carried(model, body.id, index, &place));
        }
    }
    lines
}
