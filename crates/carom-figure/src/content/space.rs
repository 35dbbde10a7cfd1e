//! Three dimensions on paper: parallel projection of a box with three axes.
//!
//! # Law
//! With the eye at azimuth α and elevation β, a point of the box falls on
//! ```text
//! x′ = −sin α · x + cos α · y                               (1)
//! y′ = −sin β (cos α · x + sin α · y) + cos β · z           (2)
//! ```
//! Numbers are first scaled so that the longest axis has length 1. Axes have the same unit length unless one would be
//! shorter than 0.6 of the longest; that one is stretched to 0.6. [`Space::equal`] widens its range instead.
//!
//! # Tests
//! `eq1_eq2_rotation`: the projection is that of the rotation that puts the eye on the third axis.

use super::axis::Axis;
use super::item::{Item, Label, Line, Note};
use super::style::{Dash, Marker};
use crate::marks::colour::Colour;
use crate::marks::size;
use crate::marks::text::{Role, Words};
use crate::numbers::scale::{Extent, Scale};
use crate::numbers::ticks::ticks;

/// Shortest axis in parts of the longest.
const SHORTEST: f64 = 0.6;
/// The same where all axes have the same unit length: ranges are widened to it.
const SHORTEST_EQUAL: f64 = 0.3;

/// Length of the longest axis in a small picture, px.
const SMALL: f64 = 210.0;
/// Part of an axis at the corner that has no number.
const CORNER: f64 = 0.06;

/// A line or points in space.
#[derive(Debug, Clone, PartialEq)]
pub struct Line3 {
    name: Option<String>,
    points: Vec<[f64; 3]>,
    look: Line,
    shadow: bool,
}

impl Line3 {
    /// A line with a name in the legend; an empty one keeps it out.
    pub fn new(name: impl Into<String>, points: Vec<[f64; 3]>) -> Self {
        let name = name.into();
        Self {
            name: (!name.is_empty()).then_some(name),
            points,
            look: Line::unnamed(&[], &[]),
            shadow: false,
        }
    }

    /// With the look of a plane line: `.look(|line| line.dash(…))`.
    pub fn look(mut self, change: impl FnOnce(Line) -> Line) -> Self {
        self.look = change(self.look);
        self
    }

    /// With its shadow on the floor of the box.
    pub fn shadow(mut self) -> Self {
        self.shadow = true;
        self
    }
}

/// The contents of a panel in three dimensions.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    axes: [Axis; 3],
    lines: Vec<Line3>,
    notes: Vec<([f64; 3], String)>,
    /// Azimuth and elevation of the eye, rad.
    eye: [f64; 2],
    /// Whether all axes have the same unit length.
    equal: bool,
    /// Level lines on the walls at these numbers of the third axis.
    levels: Vec<f64>,
}

impl Space {
    /// A box with three axes.
    pub fn new(x: impl Into<Axis>, y: impl Into<Axis>, z: impl Into<Axis>) -> Self {
        let eye = [-60f64.to_radians(), 24f64.to_radians()];
        Self {
            axes: [x.into(), y.into(), z.into()],
            lines: Vec::new(),
            notes: Vec::new(),
            eye,
            equal: false,
            levels: Vec::new(),
        }
    }

    /// Seen from an azimuth and an elevation, rad. Azimuths from −π/2 to 0 put the axes in front.
    pub fn eye(mut self, azimuth: f64, elevation: f64) -> Self {
        self.eye = [azimuth, elevation];
        self
    }

    /// With the same unit length on all axes, for things that have a shape.
    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// With a line.
    pub fn line(mut self, line: Line3) -> Self {
        self.lines.push(line);
        self
    }

    /// With a note at a point.
    pub fn note(mut self, at: [f64; 3], text: impl Into<String>) -> Self {
        self.notes.push((at, text.into()));
        self
    }

    /// With a line around the walls at this number of the third axis.
    pub fn level(mut self, z: f64) -> Self {
        self.levels.push(z);
        self
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|l| l.points.is_empty())
    }

    /// All of it as items of a plane panel.
    pub(crate) fn items(&self) -> Vec<Item> {
        let cube = Cube::new(self);
        let mut items = cube.walls(&self.levels);
        let mut series = 0;
        for line in &self.lines {
            let chain = |flat: bool| {
                let on = |p: &[f64; 3]| {
                    cube.at([p[0], p[1], if flat { cube.ranges[2][0] } else { p[2] }])
                };
                let points: Vec<[f64; 2]> = line.points.iter().map(on).collect();
                let xs: Vec<f64> = points.iter().map(|p| p[0]).collect();
                let ys: Vec<f64> = points.iter().map(|p| p[1]).collect();
                (xs, ys)
            };
            if line.shadow {
                let (x, y) = chain(true);
                items.push(
                    Line::unnamed(&x, &y).colour(Colour::Soft).width(0.8).opacity(0.6).into(),
                );
            }
            let (x, y) = chain(false);
            let mut drawn = Line { name: line.name.clone(), x, y, ..line.look.clone() };
            if drawn.colour.is_none() && drawn.name.is_some() {
                drawn.dash = drawn.dash.or(Some(Dash::of_series(series)));
                drawn.colour = Some(Colour::Series((series % 8) as u8));
                series += 1;
            }
            items.push(drawn.into());
        }
        for (at, text) in &self.notes {
            let p = cube.at(*at);
            items.push(Note::new(p[0], p[1], text.clone()).into());
        }
        items.extend(cube.axes(&self.axes));
        items
    }
}

/// The box with its ranges and the lengths of its sides.
struct Cube {
    ranges: [[f64; 2]; 3],
    sides: [f64; 3],
    eye: [f64; 2],
    ticks: [Vec<(f64, String)>; 3],
    powers: [i32; 3],
}

impl Cube {
    fn new(space: &Space) -> Self {
        let mut extents = [Extent::EMPTY; 3];
        for p in space.lines.iter().flat_map(|l| &l.points) {
            (0..3).for_each(|k| extents[k].add(p[k], false));
        }
        space.levels.iter().for_each(|z| extents[2].add(*z, false));
        let margin = if space.equal { 0.02 } else { 0.06 };
        let mut ranges = [0, 1, 2].map(|k| space.axes[k].range_of(extents[k], margin));
        if space.equal {
            let longest = ranges.iter().map(|r| r[1] - r[0]).fold(0.0, f64::max);
            for range in &mut ranges {
                let lack = (SHORTEST_EQUAL * longest - (range[1] - range[0])).max(0.0);
                *range = [range[0] - 0.5 * lack, range[1] + 0.5 * lack];
            }
        }
        let spans = ranges.map(|r| r[1] - r[0]);
        let longest = spans.into_iter().fold(0.0, f64::max);
        let least = if space.equal { 0.0 } else { SHORTEST };
        let sides = spans.map(|s| (s / longest).max(least));
        let (ticks, powers) = (Default::default(), [0; 3]);
        let mut cube = Self { ranges, sides, eye: space.eye, ticks, powers };
        (0..3).for_each(|k| cube.mark(k));
        cube
    }

    /// Chooses the ticks of an axis: as many as do not cover each other in a small picture, none at
    /// the corner where the first and the second axis meet.
    fn mark(&mut self, k: usize) {
        let range = self.ranges[k];
        let scale = Scale { range, pixels: [0.0, 1.0], log: false };
        let corner = |v: f64| match k {
            0 => scale.at(v) > 1.0 - CORNER,
            1 => scale.at(v) < CORNER,
            _ => false,
        };
        for most in (2..=5).rev() {
            let mut found = ticks(&scale, most);
            found.major.retain(|(v, _)| !corner(*v));
            let clear = found.major.windows(2).all(|pair| self.clear(k, [&pair[0], &pair[1]]));
            if clear || most == 2 {
                (self.ticks[k], self.powers[k]) = (found.major, found.power);
                return;
            }
        }
    }

    /// Whether the numbers of two ticks keep apart.
    fn clear(&self, k: usize, ticks: [&(f64, String); 2]) -> bool {
        let [a, b] = ticks.map(|(v, _)| self.at(self.on_edge(k, *v)));
        let width = ticks.iter().map(|(_, l)| Words::new(l, size::TICK).width).fold(0.0, f64::max);
        let apart = [(a[0] - b[0]).abs() * SMALL, (a[1] - b[1]).abs() * SMALL];
        apart[0] > width + 4.0 || apart[1] > size::TICK + 2.0
    }

    /// A point of the edge that carries the ticks of an axis.
    fn on_edge(&self, k: usize, v: f64) -> [f64; 3] {
        let [[x0, x1], [y0, _], [z0, _]] = self.ranges;
        match k {
            0 => [v, y0, z0],
            1 => [x1, v, z0],
            _ => [x0, y0, v],
        }
    }

    /// Where a point falls.
    fn at(&self, p: [f64; 3]) -> [f64; 2] {
        let s = [0, 1, 2].map(|k| {
            (p[k] - self.ranges[k][0]) / (self.ranges[k][1] - self.ranges[k][0]) * self.sides[k]
        });
        project(self.eye, s)
    }

    fn edge(&self, a: [f64; 3], b: [f64; 3], colour: Colour, width: f64, dash: Dash) -> Item {
        let (a, b) = (self.at(a), self.at(b));
        Line::unnamed(&[a[0], b[0]], &[a[1], b[1]]).colour(colour).width(width).dash(dash).into()
    }

    /// Floor, back and left wall with their grid, and the level lines.
    fn walls(&self, levels: &[f64]) -> Vec<Item> {
        let [[x0, x1], [y0, y1], [z0, z1]] = self.ranges;
        let mut items = Vec::new();
        let mut thin = |a, b| items.push(self.edge(a, b, Colour::Faint, 0.8, Dash::Solid));
        // The edges of the walls, without which the grid seems cut off.
        let (left, back, right) = ([x0, y0], [x0, y1], [x1, y1]);
        for (a, b) in [(left, back), (back, right)] {
            for z in [z0, z1] {
                thin([a[0], a[1], z], [b[0], b[1], z]);
            }
        }
        for p in [back, right] {
            thin([p[0], p[1], z0], [p[0], p[1], z1]);
        }
        for (x, _) in &self.ticks[0] {
            thin([*x, y0, z0], [*x, y1, z0]);
            thin([*x, y1, z0], [*x, y1, z1]);
        }
        for (y, _) in &self.ticks[1] {
            thin([x0, *y, z0], [x1, *y, z0]);
            thin([x0, *y, z0], [x0, *y, z1]);
        }
        for (z, _) in &self.ticks[2] {
            thin([x0, y0, *z], [x0, y1, *z]);
            thin([x0, y1, *z], [x1, y1, *z]);
        }
        for z in levels {
            items.push(self.edge([x0, y0, *z], [x0, y1, *z], Colour::Soft, 1.0, Dash::Dashed));
            items.push(self.edge([x0, y1, *z], [x1, y1, *z], Colour::Soft, 1.0, Dash::Dashed));
        }
        items
    }

    /// The three edges that carry ticks, with numbers and labels.
    fn axes(&self, axes: &[Axis; 3]) -> Vec<Item> {
        let [[x0, x1], [y0, y1], [z0, z1]] = self.ranges;
        let mut items = vec![
            self.edge([x0, y0, z0], [x1, y0, z0], Colour::Ink, 1.0, Dash::Solid),
            self.edge([x1, y0, z0], [x1, y1, z0], Colour::Ink, 1.0, Dash::Solid),
            self.edge([x0, y0, z0], [x0, y0, z1], Colour::Ink, 1.0, Dash::Solid),
        ];
        // Where numbers hang from their tick, and labels from the middle of their axis.
        let hangs =
            [([0.8, 0.0], [-3.0, 5.0]), ([0.1, 0.0], [4.0, 4.0]), ([1.0, 0.5], [-6.0, 0.0])];
        let labels =
            [([0.7, 0.0], [-14.0, 24.0]), ([0.0, 0.0], [22.0, 20.0]), ([0.0, 1.0], [-40.0, -12.0])];
        for k in 0..3 {
            for (v, text) in &self.ticks[k] {
                let at = self.at(self.on_edge(k, *v));
                let (anchor, shift) = hangs[k];
                items
                    .push(Label { at, shift, anchor, text: text.clone(), role: Role::Tick }.into());
                items.push(
                    Line::unnamed(&[at[0]], &[at[1]])
                        .marker(Marker::Dot)
                        .radius(1.6)
                        .colour(Colour::Ink)
                        .into(),
                );
            }
            let r = self.ranges[k];
            let end = if k == 2 { r[1] } else { 0.5 * (r[0] + r[1]) };
            let (anchor, shift) = labels[k];
            let (at, text) = (self.at(self.on_edge(k, end)), axes[k].label(self.powers[k]));
            let role = if k == 2 { Role::YLabel } else { Role::XLabel };
            items.push(Label { at, shift, anchor, text, role }.into());
        }
        items
    }
}

fn project([azimuth, elevation]: [f64; 2], p: [f64; 3]) -> [f64; 2] {
    let ((sa, ca), (sb, cb)) = (azimuth.sin_cos(), elevation.sin_cos());
    [-sa * p[0] + ca * p[1], -sb * (ca * p[0] + sa * p[1]) + cb * p[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};

    #[test]
    fn eq1_eq2_rotation() {
        let (a, b) = (-0.9f64, 0.4f64);
        let eye = Vector3::new(b.cos() * a.cos(), b.cos() * a.sin(), b.sin());
        let right = Vector3::z().cross(&eye).normalize();
        let up = eye.cross(&right);
        let frame = Matrix3::from_rows(&[right.transpose(), up.transpose(), eye.transpose()]);
        assert!((frame.determinant() - 1.0).abs() < 1e-12);
        for p in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, -0.7, 0.2]] {
            let seen = frame * Vector3::from(p);
            let drawn = project([a, b], p);
            assert!((seen.x - drawn[0]).abs() < 1e-12 && (seen.y - drawn[1]).abs() < 1e-12);
        }
    }
}
