//! Planar scenes: x to the right, y up, equal scales.

use super::ink::Ink;
use super::look::Look;
use super::moment::{Moment, Motion, round_up};
use super::signs;
use crate::stage::{Bounds, Drawn, End, Form};
use carom::spatial::Pose;
use carom_figure::{FigureError, Picture, Stroked};
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// Part of the picture that is left free on each side.
const MARGIN: f64 = 0.08;
/// Grid lines along the shorter side, about.
const LINES: f64 = 7.0;

/// Where the picture is in the world.
struct Frame {
    /// What is in the middle, m.
    middle: [f64; 2],
    /// Pixels per metre.
    scale: f64,
    size: [f64; 2],
}

impl Frame {
    fn at(&self, p: &Vector3<f64>) -> [f64; 2] {
        [
            0.5 * self.size[0] + (p.x - self.middle[0]) * self.scale,
            0.5 * self.size[1] - (p.y - self.middle[1]) * self.scale,
        ]
    }

    /// The whole motion and the surfaces near it, or the mechanism wherever it goes.
    fn new(motion: &Motion, moment: &Moment, look: &Look) -> Self {
        let size = [look.width, look.height].map(f64::from);
        let box_ = surroundings(motion);
        let span = box_.size();
        let room = 1.0 - 2.0 * MARGIN;
        let least = 1e-9 * motion.sizes.extent;
        let mut scale =
            (room * size[0] / span.x.max(least)).min(room * size[1] / span.y.max(least));
        let centre = (box_.min + box_.max) * 0.5;
        let mut middle = [centre.x, centre.y];
        if motion.follows(look) {
            scale = scale.max(size[0].min(size[1]) / (5.0 * motion.sizes.mechanism));
            middle = [moment.com.x, moment.com.y];
        }
        Self { middle, scale: scale * look.zoom, size }
    }
}

/// The box of the motion, with the feet of surfaces that are near.
fn surroundings(motion: &Motion) -> Bounds {
    let mut all = motion.bounds;
    let centre = (all.min + all.max) * 0.5;
    for drawn in &motion.stage.fixed {
        let foot = match drawn.form {
            Form::Plane => {
                let n: Vector3<f64> = drawn.pose.R.column(1).into();
                centre - n * n.dot(&(centre - drawn.pose.r))
            }
            _ => drawn.pose.r,
        };
        if (foot - centre).norm() < 1.5 * motion.sizes.extent {
            all.add(&foot);
        }
    }
    all
}

/// Draws a moment.
pub(super) fn picture(
    motion: &Motion,
    moment: &Moment,
    look: &Look,
) -> Result<Picture, FigureError> {
    let ink = Ink::of(look.theme);
    let mut sheet = Sheet {
        picture: Picture::new(look.width, look.height, ink.paper)?,
        frame: Frame::new(motion, moment, look),
        ink,
        unit: look.unit(),
    };
    let step = sheet.grid();
    for drawn in &motion.stage.fixed {
        match drawn.form {
            Form::Plane => sheet.surface(drawn),
            _ => sheet.shape(drawn, &Pose::identity()),
        }
    }
    for trail in &moment.trails {
        sheet.trail(trail);
    }
    sheet.mechanism(motion, moment);
    let Sheet { mut picture, frame, ink, unit } = sheet;
    let seen = |p: &Vector3<f64>| Some(frame.at(p));
    signs::contacts(&mut picture, moment, &motion.arrows(look), &ink, unit, &seen);
    if look.clock {
        signs::clock(&mut picture, moment, motion.end - motion.start, look, &ink);
        signs::scale(&mut picture, step, look, &ink);
    }
    Ok(picture)
}

/// A picture while it is drawn.
struct Sheet {
    picture: Picture,
    frame: Frame,
    ink: Ink,
    unit: f64,
}

impl Sheet {
    fn line(&mut self, points: &[Vector3<f64>], closed: bool, look: Stroked) {
        let points: Vec<[f64; 2]> = points.iter().map(|p| self.frame.at(p)).collect();
        self.picture.line(&points, closed, look);
    }

    /// Lines at round distances; gives the distance, m.
    fn grid(&mut self) -> f64 {
        let [width, height] = self.frame.size;
        let step = round_up(width.min(height) / self.frame.scale / LINES);
        let look = Stroked::new(self.ink.grid, self.unit);
        for axis in 0..2 {
            let half = 0.5 * self.frame.size[axis] / self.frame.scale;
            let from = ((self.frame.middle[axis] - half) / step).ceil() as i64;
            let to = ((self.frame.middle[axis] + half) / step).floor() as i64;
            for k in from..=to {
                let x = (k as f64 * step - self.frame.middle[axis]) * self.frame.scale;
                let ends = if axis == 0 {
                    [[0.5 * width + x, 0.0], [0.5 * width + x, height]]
                } else {
                    [[0.0, 0.5 * height - x], [width, 0.5 * height - x]]
                };
                self.picture.line(&ends, false, look);
            }
        }
        step
    }

    /// A half-space: solid, with its edge hatched.
    fn surface(&mut self, drawn: &Drawn) {
        let far = 2.0 * (self.frame.size[0] + self.frame.size[1]);
        let at = self.frame.at(&drawn.pose.r);
        // Normal and direction in pixels, y down.
        let n: Vector3<f64> = drawn.pose.R.column(1).into();
        let (n, d) = ([n.x, -n.y], [n.y, n.x]);
        // The point of the edge that is nearest to the middle of the picture.
        let middle = [0.5 * self.frame.size[0], 0.5 * self.frame.size[1]];
        let s = (middle[0] - at[0]) * d[0] + (middle[1] - at[1]) * d[1];
        let foot = [at[0] + s * d[0], at[1] + s * d[1]];
        let point = |a: f64, b: f64| [foot[0] + a * d[0] - b * n[0], foot[1] + a * d[1] - b * n[1]];
        let area = [point(-far, 0.0), point(far, 0.0), point(far, far), point(-far, far)];
        self.picture.area(&area, self.ink.ground, 1.0);
        let hatch = Stroked::new(self.ink.ground_edge, 0.8 * self.unit).opacity(0.7);
        let (gap, depth) = (9.0 * self.unit, 8.0 * self.unit);
        // Counted from the surface's own origin, so that hatching stays with it.
        let reach = 0.5 * (self.frame.size[0] + self.frame.size[1]);
        let (from, to) = (((s - reach) / gap).floor() as i64, ((s + reach) / gap).ceil() as i64);
        for k in from..=to {
            let a = k as f64 * gap - s;
            self.picture.line(&[point(a, 0.0), point(a - depth, depth)], false, hatch);
        }
        let edge = Stroked::new(self.ink.ground_edge, 1.6 * self.unit);
        self.picture.line(&[point(-far, 0.0), point(far, 0.0)], false, edge);
    }

    /// A path that fades into the past.
    fn trail(&mut self, points: &[Vector3<f64>]) {
        let count = points.len().max(2) - 1;
        for (k, pair) in points.windows(2).enumerate() {
            let look = Stroked::new(self.ink.trail, 1.5 * self.unit);
            self.line(pair, false, look.opacity(0.65 * (k + 1) as f64 / count as f64));
        }
    }

    fn mechanism(&mut self, motion: &Motion, moment: &Moment) {
        let stage = &motion.stage;
        let end = |e: &End| e.body.map_or(e.point, |b| moment.poses[b].point(&e.point));
        for [a, b] in &stage.links {
            let look = Stroked::new(self.ink.edge, 4.0 * self.unit);
            self.line(&[end(a), end(b)], false, look);
        }
        // From the largest to the smallest: nothing hides what is smaller.
        let mut shapes: Vec<(&Drawn, &Pose)> = stage
            .bodies
            .iter()
            .zip(&moment.poses)
            .flat_map(|(body, pose)| body.shapes.iter().map(move |drawn| (drawn, pose)))
            .collect();
        let bulk = |drawn: &Drawn| match drawn.form {
            Form::Rod { .. } => 0.0,
            _ => drawn.form.half_extents().map_or(0.0, |half| half.norm()),
        };
        shapes.sort_by(|a, b| bulk(b.0).total_cmp(&bulk(a.0)));
        for (drawn, pose) in shapes {
            self.shape(drawn, pose);
        }
        for [a, b] in &stage.springs {
            self.spring(end(a), end(b));
        }
        for pin in stage.joints.iter().filter(|pin| pin.kind == "revolute") {
            let at = self.frame.at(&moment.poses[pin.body].point(&pin.at));
            self.picture.disk(at, 5.0 * self.unit, self.ink.edge, 1.0);
            self.picture.disk(at, 3.2 * self.unit, self.ink.paper, 1.0);
        }
    }

    fn shape(&mut self, drawn: &Drawn, body: &Pose) {
        let pose = body.then(&drawn.pose);
        let at = |x: f64, y: f64| pose.point(&Vector3::new(x, y, 0.0));
        let oval = |a: f64, b: f64| -> Vec<Vector3<f64>> {
            (0..72)
                .map(|k| f64::from(k) * TAU / 72.0)
                .map(|s| at(a * s.cos(), b * s.sin()))
                .collect()
        };
        let rectangle = |x: f64, y: f64| vec![at(-x, -y), at(x, -y), at(x, y), at(-x, y)];
        match drawn.form {
            Form::Plane => {}
            Form::Hull { ref outline } => {
                for face in outline.faces.iter().take(1) {
                    let points: Vec<Vector3<f64>> =
                        face.iter().map(|&k| pose.point(&outline.corners[k])).collect();
                    self.solid(&points);
                }
            }
            Form::Point => {
                let place = self.frame.at(&pose.r);
                self.picture.disk(place, 3.0 * self.unit, self.ink.edge, 1.0);
            }
            Form::Sphere { radius } | Form::Disk { radius } => {
                self.solid(&oval(radius, radius));
                self.mark(&[at(0.0, 0.0), at(radius, 0.0)]);
            }
            Form::Ellipsoid { radii: [a, b, _] } | Form::Ellipse { radii: [a, b] } => {
                self.solid(&oval(a, b));
                self.mark(&[at(0.0, 0.0), at(a, 0.0)]);
            }
            Form::Box { size } => self.solid(&rectangle(0.5 * size[0], 0.5 * size[1])),
            Form::Cylinder { radius, length } => self.solid(&rectangle(radius, 0.5 * length)),
            Form::Capsule { radius, length } => {
                let cap =
                    |x: f64, from: f64| (0..=24).map(move |k| (x, from + f64::from(k) * PI / 24.0));
                let round = cap(0.5 * length, -0.5 * PI).chain(cap(-0.5 * length, 0.5 * PI));
                let points: Vec<Vector3<f64>> =
                    round.map(|(x, a)| at(x + radius * a.cos(), radius * a.sin())).collect();
                self.solid(&points);
            }
            Form::Rod { length } => {
                let ends = [at(-0.5 * length, 0.0), at(0.5 * length, 0.0)];
                self.line(&ends, false, Stroked::new(self.ink.edge, 5.0 * self.unit));
            }
        }
    }

    fn solid(&mut self, points: &[Vector3<f64>]) {
        let places: Vec<[f64; 2]> = points.iter().map(|p| self.frame.at(p)).collect();
        self.picture.area(&places, self.ink.body, 1.0);
        self.picture.line(&places, true, Stroked::new(self.ink.edge, 1.6 * self.unit));
    }

    /// A line that shows how a round body is turned.
    fn mark(&mut self, points: &[Vector3<f64>]) {
        self.line(points, false, Stroked::new(self.ink.edge, 1.2 * self.unit));
    }

    fn spring(&mut self, a: Vector3<f64>, b: Vector3<f64>) {
        const TURNS: usize = 8;
        let along = b - a;
        let side = Vector3::new(-along.y, along.x, 0.0).try_normalize(0.0).unwrap_or_default();
        let wide = 6.0 * self.unit / self.frame.scale;
        let zigzag = (0..=2 * TURNS + 2).map(|k| {
            let part = k as f64 / (2 * TURNS + 2) as f64;
            let out = match k {
                k if k == 0 || k == 2 * TURNS + 2 => 0.0,
                k if k % 2 == 1 => wide,
                _ => -wide,
            };
            a + along * part + side * out
        });
        let points: Vec<Vector3<f64>> = zigzag.collect();
        self.line(&points, false, Stroked::new(self.ink.faint, 1.4 * self.unit));
    }
}
