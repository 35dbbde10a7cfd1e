//! The picture of a run in space.

use super::motion::{Postures, paths};
use super::{RunPlots, wire};
use crate::figure::{Colour, Dash, Line, Line3, Panel, Space};
use crate::stage::Form;
use carom::spatial::Pose;
use nalgebra::Vector3;

/// Azimuth and elevation of the eye, rad.
const EYE: [f64; 2] = [-1.05, 0.38];

/// Postures in wire, paths with shadows.
pub(super) fn panel(run: &RunPlots<'_>, postures: &Postures) -> Panel {
    let eye = Vector3::new(EYE[0].cos() * EYE[1].cos(), EYE[0].sin() * EYE[1].cos(), EYE[1].sin());
    let mut space = Space::new(("x", "m"), ("y", "m"), ("z", "m")).eye(EYE[0], EYE[1]).equal();
    for drawn in &run.stage.fixed {
        let lines = match drawn.form {
            Form::Plane => wire::plane(&drawn.pose, &postures.bounds),
            _ => wire::shape(drawn, &Pose::identity(), &eye),
        };
        for line in lines {
            space = space.line(
                Line3::new("", line).look(|l| l.colour(Colour::Series(7)).width(0.7).opacity(0.6)),
            );
        }
    }
    let look = |colour: Colour, dash: Dash, width: f64| {
        move |l: Line| l.colour(colour).dash(dash).width(width)
    };
    let add = |mut space: Space, frame: usize, name: &str, look: &dyn Fn(Line) -> Line| {
        for (k, line) in wire::posture(&run.stage, &run.poses(frame), &eye).into_iter().enumerate()
        {
            space = space.line(Line3::new(if k == 0 { name } else { "" }, line).look(look));
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
        let points = points.into_iter().map(Into::into).collect();
        let series = [0u8, 2, 4, 5][k % 4];
        let look = move |l: Line| l.colour(Colour::Series(series)).dash(Dash::of_series(k));
        let line = Line3::new(format!("path of {name}"), points).look(look);
        space = space.line(if k == 0 { line.shadow() } else { line });
    }
    Panel::space(space)
}
