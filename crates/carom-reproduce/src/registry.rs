//! Every experiment, one line each.

use crate::experiment::{Experiment, Source};
use crate::{beyond, flickinger, hurmuzlu, johnson, leg, morgan};

/// Every experiment, in the order in which they are shown.
#[rustfmt::skip]
pub const ALL: &[Experiment] = &[
    morgan::PATHS,
    morgan::MOTION,
    hurmuzlu::SMOOTH,
    hurmuzlu::KINEMATIC,
    hurmuzlu::CONSISTENT,
    hurmuzlu::REBOUND,
    hurmuzlu::PLASTIC,
    hurmuzlu::CONCLUSIONS,
    hurmuzlu::VARIANTS,
    hurmuzlu::PROCEDURE,
    flickinger::pendulum::PENDULUM,
    flickinger::pendulum::PENDULUM_CONTROL,
    flickinger::bicycle::BICYCLE_ENERGY,
    flickinger::bicycle::BICYCLE_WEDGE,
    flickinger::bicycle::FEASIBILITY,
    flickinger::bicycle::OBLIQUE,
    flickinger::oscillator::OSCILLATOR,
    leg::FIELD,
    leg::SAMPLE,
    leg::JUMPS,
    leg::GEOMETRY,
    flickinger::bicycle::BICYCLE_2009,
    johnson::BALL,
    johnson::SLOPE,
    johnson::PROBLEMS,
    beyond::PENDULUM,
    beyond::BICYCLE,
    beyond::ROD,
];

/// The experiment of that name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    ALL.iter().find(|e| e.name == name)
}

/// The experiments that cover an item of a source.
pub fn covering(source: Source, item: &str) -> impl Iterator<Item = &'static Experiment> + '_ {
    ALL.iter().filter(move |e| e.source == source && e.covers.contains(&item))
}
