//! Scratch of a path, and the small words its parts share.

use super::collocation::Collocation;
use super::rates::{Instant, Rates};
use crate::impact::contact_space::ContactSpace;

/// Something that ends a stretch of path, beside the events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// The clock reaches a value.
    Clock(f64),
    /// The normal velocity of a contact rises to a value.
    Rise(usize, f64),
    /// The normal velocity falls to zero.
    Fall(usize),
    /// The normal impulse reaches a value.
    Impulse(usize, f64),
    /// The normal work reaches a value.
    Work(usize, f64),
}

/// What happened first, and at which contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Target(usize),
    SlipStop(usize),
    SlipStart(usize),
    ConeLeft(usize),
    PressLost(usize),
    Floor(usize),
}

/// How the slip of a contact in space begins a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// It has a velocity.
    Goes,
    /// From rest, and has a direction by its rate.
    Starts,
    /// From rest, held by others: at rate zero it has no direction to turn.
    Frozen,
    /// From rest without a force whose direction mattered.
    Idle,
}

/// What a contact does during a stage, for the names of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Status {
    /// Nothing has been said of it yet.
    New,
    Open,
    Stick,
    /// Slips, at the start of the stage in this direction.
    Slip([f64; 2]),
}

/// Scratch of the differential law; lists are by contact.
#[derive(Clone, Debug, Default)]
pub struct DifferentialScratch {
    /// What each contact may do, and the solver.
    pub(super) instant: Instant,
    /// Whether its normal velocity is at the floor.
    pub(super) closed: Vec<bool>,
    /// Prescribed part d of its normal impulse.
    pub(super) drive: Vec<f64>,
    /// Least allowed normal velocities; minus infinity where none is prescribed.
    pub(super) floors: Vec<f64>,
    /// Normal impulse and work of its compression.
    pub(super) compressed: Vec<[f64; 2]>,
    /// Contacts that collide.
    pub(super) colliding: Vec<usize>,
    /// What ends the present stretch.
    pub(super) targets: Vec<Target>,
    pub(super) rates: Rates,
    pub(super) spare: Rates,
    pub(super) status: Vec<Status>,
    pub(super) slips: Vec<Slip>,
    pub(super) collocation: Collocation,
    /// Clock at which redundant contacts last shared their rates anew for the sake of this one.
    pub(super) shared: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) trial: Vec<f64>,
    pub(super) weights: Vec<f64>,
}

impl DifferentialScratch {
    /// Sizes the buffers for a problem: all floors at zero, nothing driven.
    pub(super) fn start(&mut self, space: &ContactSpace) {
        let n = space.contacts.len();
        self.instant.start(space, &mut self.rates, &mut self.spare);
        self.colliding.clear();
        self.colliding.extend(space.colliding());
        self.targets.clear();
        self.closed.clear();
        self.closed.resize(n, false);
        for x in [&mut self.floors, &mut self.drive] {
            x.clear();
            x.resize(n, 0.0);
        }
        self.slips.clear();
        self.slips.resize(n, Slip::Goes);
        self.shared.clear();
        self.shared.resize(n, f64::NEG_INFINITY);
        self.compressed.clear();
        self.compressed.resize(n, [0.0; 2]);
        self.status.clear();
        self.status.resize(n, Status::New);
        self.collocation.rounds = 0;
    }

    /// Rounds of Newton's method in the last path: what its stages of turning slips cost.
    pub fn rounds(&self) -> usize {
        self.collocation.rounds
    }
}
