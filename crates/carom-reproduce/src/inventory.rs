//! Every table and figure of the sources that carries a simulated or computed result.
//!
//! Made by going through the sources; sketches of mechanisms, of the algorithm and tables of parameters are left out
//! (figure 2.8 of Morgan is kept, because its three paths are computed). Johnson's figures have no numbers: sections and
//! problems stand for them. `tests/inventory.rs` compares it with the registry.

use crate::experiment::Source;

/// A table, figure, section or problem with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Where it is published.
    pub source: Source,
    /// Its number there.
    pub item: &'static str,
    /// What it shows, in our words.
    pub shows: &'static str,
}

const fn item(source: Source, item: &'static str, shows: &'static str) -> Item {
    Item { source, item, shows }
}

/// Every one of them, in the order of the sources.
pub const INVENTORY: &[Item] = &[
    item(Source::Morgan, "figure 2.2", "first direction of the collision in velocity space"),
    item(Source::Morgan, "figure 2.3", "order of the normal and tangential pauses"),
    item(Source::Morgan, "figure 2.4", "bend where the friction changes direction"),
    item(Source::Morgan, "figure 2.5", "normal pause found again after the bend"),
    item(Source::Morgan, "figure 2.6", "energy exchange, split into normal and friction parts"),
    item(Source::Morgan, "figure 2.7", "end of the collision by the energetic coefficient"),
    item(Source::Morgan, "figure 2.8", "the three orders of calculation"),
    item(Source::Morgan, "figure 2.9", "collisions without change of the friction direction"),
    item(Source::Morgan, "figure 3.1", "motion of the double pendulum"),
    item(Source::Hurmuzlu, "figure 3", "smooth colliding end: loss, impulse and rebound at A0"),
    item(Source::Hurmuzlu, "figure 4", "kinematic definition, differential and algebraic"),
    item(Source::Hurmuzlu, "figure 5", "three methods without energy gains"),
    item(Source::Hurmuzlu, "figure 6", "rebound at A0"),
    item(Source::Hurmuzlu, "figure 7", "plastic impacts"),
    item(Source::Flickinger, "table 2.4", "execution times of all simulations"),
    item(Source::Flickinger, "figure 3.2", "double pendulum without energy control: trajectory"),
    item(Source::Flickinger, "figure 3.3", "double pendulum without energy control: forces"),
    item(Source::Flickinger, "figure 3.4", "double pendulum without energy control: energy"),
    item(Source::Flickinger, "figure 3.5", "bicycle without energy control: trajectory"),
    item(Source::Flickinger, "figure 3.6", "bicycle without energy control: forces"),
    item(Source::Flickinger, "figure 3.7", "bicycle without energy control: energy"),
    item(Source::Flickinger, "figure 3.8", "double pendulum, low restitution: trajectory, energy"),
    item(Source::Flickinger, "figure 3.9", "double pendulum, low restitution: forces"),
    item(Source::Flickinger, "figure 3.10", "bicycle, e = 0.75: trajectory, energy"),
    item(Source::Flickinger, "figure 3.11", "bicycle, e = 0.75: forces"),
    item(Source::Flickinger, "figure 3.12", "bicycle, e = 0.5: trajectory, energy"),
    item(Source::Flickinger, "figure 3.13", "bicycle, e = 0.5: forces"),
    item(Source::Flickinger, "figure 3.14", "bicycle, e = 0.25: trajectory, energy"),
    item(Source::Flickinger, "figure 3.15", "bicycle, e = 0.25: forces"),
    item(Source::Flickinger, "figure 4.1", "friction coefficient over slip, the optimisation"),
    item(Source::Flickinger, "figure 4.2", "friction coefficient over slip, 0°"),
    item(Source::Flickinger, "figure 4.3", "friction coefficient over slip, 15°"),
    item(Source::Flickinger, "figure 4.4", "friction coefficient over slip, 30°"),
    item(Source::Flickinger, "figure 4.5", "friction coefficient over slip, 45°"),
    item(Source::Flickinger, "figure 4.6", "bicycle trajectory, 0°"),
    item(Source::Flickinger, "figure 4.7", "bicycle trajectory, 15°"),
    item(Source::Flickinger, "figure 4.8", "friction coefficient over time, 0°"),
    item(Source::Flickinger, "figure 4.9", "friction coefficient over time, 15°"),
    item(Source::Flickinger, "figure 4.10", "friction coefficient over time, 30°"),
    item(Source::Flickinger, "figure 4.11", "friction coefficient over time, 45°"),
    item(
        Source::Flickinger,
        "figure 5.2",
        "double pendulum, minimum energy control: trajectory, energy",
    ),
    item(Source::Flickinger, "figure 5.3", "double pendulum, minimum energy control: forces"),
    item(
        Source::Flickinger,
        "figure 5.4",
        "double pendulum, moderate energy control: trajectory, energy",
    ),
    item(Source::Flickinger, "figure 5.5", "double pendulum, moderate energy control: forces"),
    item(
        Source::Flickinger,
        "figure 5.6",
        "double pendulum, moderate control and low restitution: trajectory, energy",
    ),
    item(
        Source::Flickinger,
        "figure 5.7",
        "double pendulum, moderate control and low restitution: forces",
    ),
    item(Source::Flickinger, "figure 5.8", "bicycle, e = 1, e* = 0.95: trajectory, energy"),
    item(Source::Flickinger, "figure 5.9", "bicycle, e = 1, e* = 0.95: forces"),
    item(Source::Flickinger, "figure 5.10", "bicycle, e = 0.5, e* = 1: trajectory, energy"),
    item(Source::Flickinger, "figure 5.11", "bicycle, e = 0.5, e* = 1: forces"),
    item(Source::Flickinger, "figure 5.12", "bicycle, e = 0, e* = 1: trajectory, energy"),
    item(Source::Flickinger, "figure 5.13", "bicycle, e = 0, e* = 1: forces"),
    item(
        Source::Flickinger,
        "figure 5.14",
        "double pendulum of section 5.5 without energy control",
    ),
    item(
        Source::Flickinger,
        "figure 5.15",
        "double pendulum of section 5.5: trajectories with energy control",
    ),
    item(
        Source::Flickinger,
        "figure 5.16",
        "double pendulum of section 5.5: energies with energy control",
    ),
    item(Source::Flickinger, "figure 6.1", "acceleration capability over the postures of the leg"),
    item(Source::Flickinger, "figure 6.2", "sampled postures"),
    item(Source::Flickinger, "figure 6.3", "stance duration over capability"),
    item(Source::Flickinger, "figure 6.4", "stance duration and capability over postures"),
    item(Source::Flickinger, "figure 6.5", "position error of the jumps"),
    item(Source::Flickinger, "figure 6.6", "posture before optimisation"),
    item(Source::Flickinger, "figure 6.7", "posture after optimisation"),
    item(Source::Flickinger, "figure 6.8", "jump before optimisation: forces, torques"),
    item(Source::Flickinger, "figure 6.9", "jump before optimisation: motor angles, heights"),
    item(Source::Flickinger, "figure 6.10", "jump before optimisation: trajectory"),
    item(Source::Flickinger, "figure 6.11", "jump after optimisation: forces, torques"),
    item(Source::Flickinger, "figure 6.12", "jump after optimisation: motor angles, heights"),
    item(Source::Flickinger, "figure 6.13", "jump after optimisation: trajectory"),
    item(Source::Flickinger, "table 6.2", "postures before and after optimisation"),
    item(Source::Flickinger, "figure A.2", "mass, spring and friction: positions"),
    item(Source::Flickinger, "figure A.3", "mass, spring and friction: slip velocity"),
    item(Source::FlickingerBowling, "table I", "computing times"),
    item(Source::FlickingerBowling, "figure 2", "bicycle trajectory, e = 0.75"),
    item(Source::FlickingerBowling, "figure 3", "bicycle trajectory, e = 0.5"),
    item(Source::FlickingerBowling, "figure 4", "bicycle trajectory, e = 0.25"),
    item(Source::FlickingerBowling, "figure 5", "bicycle forces and energy, e = 0.75"),
    item(Source::FlickingerBowling, "figure 6", "bicycle forces and energy, e = 0.5"),
    item(Source::FlickingerBowling, "figure 7", "bicycle forces and energy, e = 0.25"),
    item(Source::Johnson, "section 1", "ball falling on the ground, plastic"),
    item(Source::Johnson, "section 4", "ball on a slope, plastic"),
    item(Source::Johnson, "problem 1", "two-link arm, plastic"),
    item(Source::Johnson, "problem 2", "point mass in a corner"),
    item(Source::Johnson, "problem 3", "ball on a slope, elastic"),
    item(Source::Johnson, "problem 4", "kinetic energy of elastic impacts"),
];
