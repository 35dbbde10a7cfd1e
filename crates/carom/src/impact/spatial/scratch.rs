//! Scratch of the staged law, and the small words its parts share.

use super::duty::{Duty, Mode, Rates, Spent};
use super::extrapolate::Extrapolation;
use super::modes::Search;
use crate::impact::contact_space::{ContactSpace, Phase};

/// Something that ends a stretch of path, beside the events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// The clock reaches a value.
    Clock(f64),
    /// The normal velocity of a contact (its place in the list) rises to a value.
    Rise(usize, f64),
    /// The normal velocity falls to zero.
    Fall(usize),
    /// The normal impulse reaches a value.
    Impulse(usize, f64),
    /// The normal work reaches a value.
    Work(usize, f64),
}

/// What happened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Target(usize),
    SlipStop(usize),
    ConeLeft(usize),
    PressLost(usize),
    Floor(usize),
}

/// What a contact does during a stage, for the names of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Status {
    Open,
    Stick,
    Slip,
}

/// Scratch of the staged law.
#[derive(Clone, Debug, Default)]
pub struct SpatialScratch {
    /// Contacts that are not apart, in order; the lists below follow it.
    pub(crate) contacts: Vec<usize>,
    pub(crate) duties: Vec<Duty>,
    /// Places of the colliding contacts in the list.
    pub(crate) colliding: Vec<usize>,
    /// Least allowed normal velocities.
    pub(crate) floors: Vec<f64>,
    /// Normal impulse and work of compression of each contact.
    pub(crate) compressed: Vec<[f64; 2]>,
    /// What ends the present stretch.
    pub(crate) targets: Vec<Target>,
    pub(super) rates: Rates,
    pub(super) search: Search,
    pub(super) status: Vec<Status>,
    /// Weights cᵢ of the turning slips, zero for the others.
    pub(super) turning: Vec<f64>,
    pub(super) extrapolation: Extrapolation,
    pub(super) y: Vec<f64>,
    pub(super) next: Vec<f64>,
    pub(super) trial: Vec<f64>,
    pub(super) weights: Vec<f64>,
    pub(super) modes: Vec<Mode>,
    pub(super) spare: Rates,
    /// The problem with soft contacts.
    pub(super) soft: ContactSpace,
}

impl SpatialScratch {
    /// Lists the contacts of a problem and sizes the buffers.
    pub(super) fn list(&mut self, space: &ContactSpace) {
        self.contacts.clear();
        self.duties.clear();
        self.colliding.clear();
        self.status.clear();
        self.targets.clear();
        for (k, c) in space.contacts.iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart) {
            if c.phase == Phase::Colliding {
                self.colliding.push(self.contacts.len());
            }
            self.contacts.push(k);
            self.duties.push(Duty {
                first: c.first,
                tangents: if c.static_friction > 0.0 { c.tangents } else { 0 },
                normal: c.normal(),
                friction: c.friction,
                static_friction: c.static_friction,
                drive: 0.0,
                floor_rate: 0.0,
                closed: false,
                slip: None,
                spent: Spent::Nothing,
            });
        }
        let nc = self.contacts.len();
        for x in [&mut self.floors, &mut self.turning] {
            x.clear();
            x.resize(nc, 0.0);
        }
        self.compressed.clear();
        self.compressed.resize(nc, [0.0; 2]);
        self.search.reserve(space.rows(), nc, &mut self.rates);
        self.search.reserve(space.rows(), nc, &mut self.spare);
    }
}
