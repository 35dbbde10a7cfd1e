//! Lines between joints where no shape shows the body.
//!
//! A body is seen by its shapes. Where these do not reach from its joint to the joint of a body
//! that it carries, to another shape of its own or to its centre of mass, a line does. Shapes whose boxes meet, such as the
//! pieces of a mesh, are seen as one.

use super::{Drawn, StageBody};
use carom::model::{BodyId, JointKind, Model};
use nalgebra::Vector3;

/// An end of a line: a point of a moving body, or of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// Place in [`super::Stage::bodies`]; `None` is the world.
    pub body: Option<usize>,
    /// The point in the frame of the body, m.
    pub point: Vector3<f64>,
}

/// A line from point to point.
pub type Line = [End; 2];

/// A line is not drawn between points nearer than this fraction of the body's reach.
const SLACK: f64 = 1e-6;

/// The lines of all bodies.
pub(super) fn skeleton(
    model: &Model,
    bodies: &[StageBody],
    place: impl Fn(BodyId) -> Option<usize>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let anchors = anchors(model, body);
        let reach = anchors.iter().fold(0.0_f64, |s, p| s.max(p.norm()));
        let one = joined(&body.shapes, SLACK * reach);
        for point in anchors {
            let (from, slack) = (Vector3::zeros(), SLACK * reach);
            let at = |point: &Vector3<f64>| {
                let shapes = body.shapes.iter().zip(&one);
                shapes.filter(|(s, _)| s.reaches(point, slack)).map(|(_, k)| *k).collect::<Vec<_>>()
            };
            let (start, end) = (at(&from), at(&point));
            let seen = start.iter().any(|k| end.contains(k));
            if (point - from).norm() > slack && !seen {
                let end = |point| End { body: Some(index), point };
                lines.push([end(from), end(point)]);
            }
        }
    }
    lines.extend(slides(model, bodies, place));
    lines
}

/// For each shape the first of those that it is seen as one with: boxes that meet, to within `slack`, m.
fn joined(shapes: &[Drawn], slack: f64) -> Vec<usize> {
    let bounds = |shape: &Drawn| {
        let half = shape.form.half_extents()?;
        let half = shape.pose.R.abs() * half + Vector3::repeat(slack);
        Some((shape.pose.r - half, shape.pose.r + half))
    };
    let boxes: Vec<_> = shapes.iter().map(bounds).collect();
    let mut first: Vec<usize> = (0..shapes.len()).collect();
    for i in 0..shapes.len() {
        for j in 0..i {
            let (Some((low, high)), Some((bottom, top))) = (boxes[i], boxes[j]) else { continue };
            if (0..3).all(|k| low[k] <= top[k] && bottom[k] <= high[k]) {
                let (a, b) = (first[i], first[j]);
                first.iter_mut().filter(|f| **f == a.max(b)).for_each(|f| *f = a.min(b));
            }
        }
    }
    first
}

/// Points of a body that should be seen to belong to it.
fn anchors(model: &Model, body: &StageBody) -> Vec<Vector3<f64>> {
    let mut points: Vec<Vector3<f64>> = Vec::new();
    let mut add = |p: Vector3<f64>| {
        if !points.contains(&p) {
            points.push(p);
        }
    };
    for child in model.bodies().iter().filter(|b| b.parent == Some(body.id)) {
        add(child.joint.placement.r);
    }
    for shape in &body.shapes {
        if shape.form.half_extents().is_some() {
            add(shape.pose.r);
        }
    }
    // A body without shapes and without children still has a centre of mass.
    if points.is_empty() && body.shapes.is_empty() && body.mass > 0.0 {
        points.push(body.com);
    }
    points
}

/// From the place where a slide starts to the body that slides, unless a spring is drawn there.
fn slides(
    model: &Model,
    bodies: &[StageBody],
    place: impl Fn(BodyId) -> Option<usize>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let joint = &model.body(body.id).joint;
        let slides = matches!(joint.kind, JointKind::Prismatic { .. });
        let sprung = joint.coordinates.iter().any(|c| c.spring.is_some());
        if slides && !sprung && body.shapes.is_empty() {
            lines.push(carried(model, body.id, index, &place));
        }
    }
    lines
}

/// From the joint frame in the parent to the origin of the body.
pub(super) fn carried(
    model: &Model,
    id: BodyId,
    index: usize,
    place: &impl Fn(BodyId) -> Option<usize>,
) -> Line {
    let body = model.body(id);
    let r = body.joint.placement.r;
    let from = match body.parent {
        Some(parent) => match place(parent) {
            Some(carrier) => End { body: Some(carrier), point: r },
            // A parent that never moves: its pose in the world is that of its seat.
            None => {
                let seat = model.tree().seats[parent.index()].pose;
                End { body: None, point: seat.point(&r) }
            }
        },
        None => End { body: None, point: r },
    };
    [from, End { body: Some(index), point: Vector3::zeros() }]
}
