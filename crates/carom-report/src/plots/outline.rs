//! Shapes of the stage as lines and areas of a plane picture.

use crate::stage::{Drawn, End, Form, Stage};
use carom::spatial::Pose;
use carom_figure::{Area, Colour, Dash, Line, Marker, Panel};
use nalgebra::Vector3;

/// How a posture is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub edge: Colour,
    pub dash: Dash,
    pub width: f64,
    pub fill: Option<(Colour, f64)>,
}

impl Look {
    /// Where the motion starts.
    pub const START: Self = Self { edge: Colour::Soft, dash: Dash::Dashed, width: 1.1, fill: None };
    /// At an impact.
    pub const IMPACT: Self = Self {
        edge: Colour::Series(1),
        dash: Dash::Solid,
        width: 1.0,
        fill: Some((Colour::Series(1), 0.10)),
    };
    /// On the way.
    pub const BETWEEN: Self = Self {
        edge: Colour::Series(7),
        dash: Dash::Solid,
        width: 0.8,
        fill: Some((Colour::Solid, 0.25)),
    };
    /// Where it ends.
    pub const END: Self =
        Self { edge: Colour::Ink, dash: Dash::Solid, width: 1.6, fill: Some((Colour::Solid, 1.0)) };

    fn line(&self, points: &[[f64; 2]], width: f64) -> Line {
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p[0], p[1])).unzip();
        Line::unnamed(&x, &y).colour(self.edge).dash(self.dash).width(width)
    }
}

/// Draws all moving bodies at their poses.
pub(super) fn posture(stage: &Stage, poses: &[Pose], look: &Look, mut panel: Panel) -> Panel {
    let at = |end: &End| {
        let r = end.body.map_or(end.point, |b| poses[b].point(&end.point));
        [r.x, r.y]
    };
    for [a, b] in &stage.links {
        panel = panel.add(look.line(&[at(a), at(b)], 1.6 * look.width));
    }
    for [a, b] in &stage.springs {
        panel = panel.add(look.line(&zigzag(at(a), at(b)), look.width));
    }
    for (body, pose) in stage.bodies.iter().zip(poses) {
        for drawn in &body.shapes {
            panel = shape(drawn, pose, look, panel);
        }
    }
    for pin in stage.joints.iter().filter(|p| p.kind == "revolute") {
        let r = poses[pin.body].point(&pin.at);
        let dot = Line::unnamed(&[r.x], &[r.y]).width(0.0).marker(Marker::Circle).radius(2.6);
        panel = panel.add(dot.colour(look.edge));
    }
    panel
}

/// Draws one shape of a body that is at a pose.
pub(super) fn shape(drawn: &Drawn, body: &Pose, look: &Look, panel: Panel) -> Panel {
    let pose = body.then(&drawn.pose);
    let at = |x: f64, y: f64| {
        let r = pose.point(&Vector3::new(x, y, 0.0));
        [r.x, r.y]
    };
    let area = |points: Vec<[f64; 2]>| {
        let area = Area::new(points).edge(look.edge, look.width, look.dash);
        match look.fill {
            Some((colour, opacity)) => area.fill(colour, opacity),
            None => area.hollow(),
        }
    };
    match &drawn.form {
        Form::Hull { outline } => {
            let face = |f: &Vec<usize>| {
                f.iter().map(|&k| outline.corners[k]).map(|c| at(c.x, c.y)).collect()
            };
            outline.faces.iter().take(1).fold(panel, |panel, f| panel.add(area(face(f))))
        }
        Form::Plane | Form::Cylinder { .. } => panel,
        Form::Point => {
            let [x, y] = at(0.0, 0.0);
            panel.add(
                Line::unnamed(&[x], &[y])
                    .width(0.0)
                    .marker(Marker::Dot)
                    .radius(2.4)
                    .colour(look.edge),
            )
        }
        &Form::Sphere { radius } | &Form::Disk { radius } => {
            let spoke = look.line(&[at(0.0, 0.0), at(radius, 0.0)], 0.8 * look.width);
            panel.add(area(ellipse(radius, radius, at))).add(spoke)
        }
        &Form::Ellipse { radii: [a, b] } | &Form::Ellipsoid { radii: [a, b, _] } => {
            let spoke = look.line(&[at(0.0, 0.0), at(a, 0.0)], 0.8 * look.width);
            panel.add(area(ellipse(a, b, at))).add(spoke)
        }
        &Form::Box { size: [a, b, _] } => {
            let (a, b) = (0.5 * a, 0.5 * b);
            panel.add(area(vec![at(-a, -b), at(a, -b), at(a, b), at(-a, b)]))
        }
        &Form::Rod { length } => {
            panel.add(look.line(&[at(-0.5 * length, 0.0), at(0.5 * length, 0.0)], 2.4 * look.width))
        }
        &Form::Capsule { radius, length } => panel.add(area(stadium(radius, length, at))),
    }
}

/// An ellipse by 72 points.
fn ellipse(a: f64, b: f64, at: impl Fn(f64, f64) -> [f64; 2]) -> Vec<[f64; 2]> {
    let angle = |k: u32| f64::from(k) * std::f64::consts::TAU / 72.0;
    (0..72).map(|k| at(a * angle(k).cos(), b * angle(k).sin())).collect()
}

/// Two half circles and the lines between them.
fn stadium(radius: f64, length: f64, at: impl Fn(f64, f64) -> [f64; 2]) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for (side, start) in [(1.0, -0.5), (-1.0, 0.5)] {
        for k in 0..=24 {
            let angle = (start + f64::from(k) / 24.0) * std::f64::consts::PI;
            points.push(at(side * 0.5 * length + radius * angle.cos(), radius * angle.sin()));
        }
    }
    points
}

/// A spring between two points: eight teeth, straight ends.
pub(super) fn zigzag(a: [f64; 2], b: [f64; 2]) -> Vec<[f64; 2]> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0].hypot(d[1]);
    let side = 0.06 * length.max(1e-12);
    let n = [-d[1] / length.max(1e-12), d[0] / length.max(1e-12)];
    let at =
        |s: f64, h: f64| [a[0] + s * d[0] + h * side * n[0], a[1] + s * d[1] + h * side * n[1]];
    let mut points = vec![a, at(0.15, 0.0)];
    for k in 0..8 {
        points
            .push(at(0.15 + 0.7 * (f64::from(k) + 0.5) / 8.0, if k % 2 == 0 { 1.0 } else { -1.0 }));
    }
    points.extend([at(0.85, 0.0), b]);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_ends_where_it_is_fixed() {
        let points = zigzag([1.0, 2.0], [4.0, 6.0]);
        assert_eq!((points[0], *points.last().unwrap()), ([1.0, 2.0], [4.0, 6.0]));
        assert_eq!(points.len(), 12);
    }

    #[test]
    fn a_stadium_is_closed_and_as_long_as_it_should() {
        let points = stadium(0.1, 1.0, |x, y| [x, y]);
        let reach = points.iter().map(|p| p[0]).fold(0.0, f64::max);
        assert!((reach - 0.6).abs() < 1e-12);
        assert!(points.iter().all(|p| p[1].abs() <= 0.1 + 1e-12));
    }
}
