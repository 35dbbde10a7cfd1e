//! Pins and springs: of joints, of loops and between points.

use super::StageBody;
use super::skeleton::{End, Line, carried};
use carom::model::{Anchor, BodyId, BodyPoint, JointKind, LoopKind, Model};
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
    /// Whether it closes a loop, and so is none of the joints that place bodies.
    pub closes: bool,
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
        let at = Vector3::zeros();
        Some(Pin { name, kind: joint.kind.word(), body, at, axis, closes: false })
    };
    bodies.iter().enumerate().filter_map(pin).collect()
}

/// Where loops hold two points together; in the plane that is a pin.
pub(super) fn closures(
    model: &Model,
    planar: bool,
    place: impl Fn(BodyId) -> Option<usize>,
) -> Vec<Pin> {
    let mut pins = Vec::new();
    for one in model.loops() {
        let ends = [&one.b, &one.a].into_iter();
        let moving = ends.filter_map(|end| Some((place(end.body?)?, end))).next();
        let Some((body, end)) = moving else { continue };
        let z = end.placement.R.column(2).into_owned();
        let (kind, axis) = match one.kind {
            LoopKind::Hinge => ("revolute", z),
            LoopKind::Point if planar => ("revolute", Vector3::z()),
            LoopKind::Point => ("spherical", Vector3::zeros()),
            LoopKind::Weld | LoopKind::Distance { .. } => continue,
        };
        let (name, at) = (one.name.clone(), end.placement.r);
        pins.push(Pin { name, kind, body, at, axis, closes: true });
    }
    pins
}

/// Rods of loops that keep two points at a distance.
pub(super) fn rods(model: &Model, place: impl Fn(BodyId) -> Option<usize>) -> Vec<Line> {
    let far = model.loops().iter().filter(|l| matches!(l.kind, LoopKind::Distance { .. }));
    let at = |end: &Anchor| seen(model, end.body, end.placement.r, &place);
    far.map(|l| [at(&l.a), at(&l.b)]).collect()
}

/// A point of a body or of the world, as it is drawn: bodies that never move belong to the world.
fn seen(
    model: &Model,
    body: Option<BodyId>,
    point: Vector3<f64>,
    place: &impl Fn(BodyId) -> Option<usize>,
) -> End {
    match body.map(|id| (id, place(id))) {
        Some((_, Some(index))) => End { body: Some(index), point },
        Some((id, None)) => {
            let seat = model.tree().seats[id.index()].pose;
            End { body: None, point: seat.point(&point) }
        }
        None => End { body: None, point },
    }
}

/// Springs along slides and between points. Those of turning joints have no length to be drawn.
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
    let end = |p: &BodyPoint| seen(model, p.body, p.point, &place);
    lines.extend(model.springs().iter().map(|spring| [end(&spring.a), end(&spring.b)]));
    lines
}
