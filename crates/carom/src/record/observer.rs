//! Who is told of samples and events.

use super::{Event, Ledger};
use crate::contact::{Mode, Site};
use crate::spatial::Force;

/// The state at one time, with what follows from it.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Accelerations.
    pub vdot: &'a [f64],
    /// Mode of every site.
    pub modes: &'a [Mode],
    /// Contact force of every site: two tangents, normal, N.
    pub forces: &'a [[f64; 3]],
    /// Force of every actuator, N·m or N.
    pub torques: &'a [f64],
    /// Gap of every site, m (rad at a revolute limit).
    pub gaps: &'a [f64],
    /// Moment and force of every loop on its second body, at its frame there, along the axes of the world, N·m and N.
    pub loops: &'a [Force],
    /// Energies and works so far.
    pub ledger: &'a Ledger,
}

/// What an observer wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    /// Go on.
    Continue,
    /// End the run; the recording is kept.
    Stop,
}

/// Told of every sample and event, in order of time.
pub trait Observer {
    /// A sample; an event time has two, before and after.
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let _ = sample;
        Directive::Continue
    }

    /// The integrator has reached time `t`, s. Samples and events may be far apart; this is for
    /// progress, and for ending a run at any time.
    fn step(&mut self, t: f64) -> Directive {
        let _ = t;
        Directive::Continue
    }

    /// A site of a large group, under the number by which events will name it; those of the model come before.
    fn site(&mut self, index: usize, site: &Site) {
        let _ = (index, site);
    }

    /// An event.
    fn event(&mut self, event: &Event) -> Directive {
        let _ = event;
        Directive::Continue
    }
}

/// Listens to nothing.
impl Observer for () {}
