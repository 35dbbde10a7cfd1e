//! The picture of a run in space.

use super::motion::{ARROW, Postures, paths};
use super::window::short;
use super::wire::{self, Chain};
use super::{RunPlots, palette};
use crate::document::Packed;
use crate::stage::Form;
use carom::spatial::Pose;
use carom_figure::{Colour, Dash, Line, Line3, Panel, Space};
use nalgebra::Vector3;

/// Elevation of the eye, rad.
const ELEVATION: f64 = 0.38;

/// How the world is put on paper: what goes against gravity is drawn upward.
struct View {
    /// Axis of the world along each axis of the picture; an even permutation, so nothing is mirrored.
    order: [usize; 3],
    azimuth: f64,
}

impl View {
    fn new(up: &Vector3<f64>) -> Self {
        match up.iamax() {
            0 => Self { order: [1, 2, 0], azimuth: -1.05 },
            // Motion is mostly along x, which is then the second axis: seen from nearer to the first.
            1 => Self { order: [2, 0, 1], azimuth: -0.55 },
            _ => Self { order: [0, 1, 2], azimuth: -1.05 },
        }
    }

    /// A line in the axes of the picture.
    fn of(&self, chain: Chain) -> Chain {
        chain.into_iter().map(|p| self.order.map(|k| p[k])).collect()
    }

    /// Direction of the eye in the world.
    fn eye(&self) -> Vector3<f64> {
        let (a, b) = (self.azimuth, ELEVATION);
        let own = [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()];
        let mut eye = Vector3::zeros();
        self.order.iter().zip(own).for_each(|(k, x)| eye[*k] = x);
        eye
    }

    fn space(&self) -> Space {
        let [x, y, z] = self.order.map(|k| (["x", "y", "z"][k], "m"));
        Space::new(x, y, z).eye(self.azimuth, ELEVATION).equal()
    }
}

/// Postures in wire, paths with shadows.
pub(super) fn panel(run: &RunPlots<'_>, postures: &Postures) -> Panel {
    let view = View::new(&run.stage.up);
    let (eye, mut space) = (view.eye(), view.space());
    for drawn in &run.stage.fixed {
        let lines = match drawn.form {
            Form::Plane => wire::plane(&drawn.pose, &postures.bounds),
            _ => wire::shape(drawn, &Pose::identity(), &eye),
        };
        for line in lines {
            space = space.line(
                Line3::new("", view.of(line))
                    .look(|l| l.colour(Colour::Series(7)).width(0.7).opacity(0.6)),
            );
        }
    }
    let look = |colour: Colour, dash: Dash, width: f64| {
        move |l: Line| l.colour(colour).dash(dash).width(width)
    };
    let add = |mut space: Space, frame: usize, name: &str, look: &dyn Fn(Line) -> Line| {
        for (k, line) in wire::posture(&run.stage, &run.poses(frame), &eye).into_iter().enumerate()
        {
            let name = if k == 0 { name } else { "" };
            space = space.line(Line3::new(name, view.of(line)).look(look));
        }
        space
    };
    space = add(space, postures.start, "start", &look(Colour::Soft, Dash::Dashed, 0.9));
    let (name, colour) = if postures.impacts {
        ("impacts", Colour::Series(1))
    } else {
        ("on the way", Colour::Series(7))
    };
    for (k, frame) in postures.ghosts.iter().enumerate() {
        space = add(space, *frame, if k == 0 { name } else { "" }, &look(colour, Dash::Solid, 0.8));
    }
    space = add(space, postures.end, "end", &look(Colour::Ink, Dash::Solid, 1.3));
    for (k, (name, points)) in paths(run).into_iter().enumerate() {
        let points = view.of(points.into_iter().map(Into::into).collect());
        let series = [0u8, 2, 4, 5][k % 4];
        let look = move |l: Line| l.colour(Colour::Series(series)).dash(Dash::of_series(k));
        let line = Line3::new(format!("path of {name}"), points).look(look);
        space = space.line(if k == 0 { line.shadow() } else { line });
    }
    for frame in &postures.ghosts {
        if let Some(pose) = run.poses(*frame).first() {
            space = space
                .note(view.of(vec![pose.r.into()])[0], format!("{} s", short(run.time(*frame))));
        }
    }
    Panel::space(impulses(run, postures, &view, space))
}

/// Impulses of the impacts whose postures are drawn, from the contact on, as long as in the plane.
fn impulses(run: &RunPlots<'_>, postures: &Postures, view: &View, mut space: Space) -> Space {
    if !postures.impacts {
        return space;
    }
    let mut arrows: Vec<(Vector3<f64>, Vector3<f64>)> = Vec::new();
    for (_, event) in run.jumps() {
        if !postures.ghosts.contains(&run.window.point(event.frame)) {
            continue;
        }
        for c in event.contacts.iter().filter(|c| c.impulse[2] != 0.0) {
            let site = &run.document.sites[c.site];
            let at = |packed: &Packed| RunPlots::vector(&packed.to_f64(), event.frame);
            let second = site.tangent2.as_ref().map_or(Vector3::zeros(), at);
            let p = at(&site.normal) * c.impulse[2]
                + at(&site.tangent1) * c.impulse[0]
                + second * c.impulse[1];
            arrows.push((at(&site.point), p));
        }
    }
    let largest = arrows.iter().map(|(_, p)| p.norm()).fold(0.0, f64::max);
    for (k, (r, p)) in arrows.into_iter().filter(|(_, p)| p.norm() > 0.0).enumerate() {
        let end = r + p * (ARROW * postures.size / largest);
        let name = if k == 0 { "impulse" } else { "" };
        let line = Line3::new(name, view.of(vec![r.into(), end.into()]));
        space = space.line(line.look(|l| l.colour(palette::IMPULSE).width(2.2)));
    }
    space
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_is_up_and_nothing_is_mirrored() {
        for up in [Vector3::x(), Vector3::y(), Vector3::z()] {
            let view = View::new(&up);
            assert_eq!(view.of(vec![up.into()]), [[0.0, 0.0, 1.0]]);
            let axes =
                [Vector3::x(), Vector3::y(), Vector3::z()].map(|a| view.of(vec![a.into()])[0]);
            let [x, y, z] = axes.map(Vector3::from);
            assert_eq!(x.cross(&y).dot(&z), 1.0);
            assert!((view.eye().norm() - 1.0).abs() < 1e-12 && view.eye().dot(&up) > 0.0);
        }
    }
}
