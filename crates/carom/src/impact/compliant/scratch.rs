//! Everything a path works on, and what happens to several contacts at once.

use super::decide::Decision;
use super::events::{Event, What, ZERO};
use super::hold::Hold;
use super::march::March;
use super::pace::pace;
use super::path::Ended;
use super::plastic::Plastic;
use super::root::slope;
use super::series::{ORDER, Series, frequency};
use super::stiff::{Nodes, Stiff};
use super::system::{Normal, State, System};

/// Largest factor by which contacts of different frequency raise that bound.
const SPREAD: usize = 50;

/// Most steps of the close.
const CLOSE: usize = 1000;

/// Step of the close in units of 1/ω.
const CLOSE_STEP: f64 = 0.02;

/// Slip slower than this many times [`ZERO`] stops when another slip does: contacts of one body stop together.
const COMPANY: f64 = 20.0;

/// Scratch of the law.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompliantScratch {
    pub(super) system: System,
    pub(super) state: State,
    /// The state before the present step.
    pub(super) before: State,
    /// How the last path ended.
    pub(super) ended: Ended,
    pub(super) series: Series,
    pub(super) hold: Hold,
    pub(super) decision: Decision,
    pub(super) march: March,
    pub(super) plastic: Plastic,
    pub(super) stiff: Stiff,
    pub(super) fine: Nodes,
    pub(super) coarse: Nodes,
    pub(super) accelerations: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

impl CompliantScratch {
    /// How often the fastest contact alone swings while the slowest does so four times; at least 1, at most [`SPREAD`].
    pub(super) fn spread(&self) -> usize {
        let swings = |i: usize| {
            let n = self.system.sites[i].normal();
            (self.system.sites[i].k * self.system.G[(n, n)]).sqrt()
        };
        let all = || (0..self.system.sites.len()).map(swings).filter(|w| *w > 0.0);
        let (fast, slow) = (all().fold(0.0, f64::max), all().fold(f64::INFINITY, f64::min));
        ((fast / slow / 4.0) as usize).clamp(1, SPREAD)
    }

    /// Slip of a contact, and all slip as slow, is zero.
    pub(super) fn halt(&mut self, i: usize) {
        for (j, site) in self.system.sites.iter().enumerate() {
            if j == i || self.state.speed(site) <= COMPANY * ZERO {
                site.tangent_rows().for_each(|r| self.state.u[r] = 0.0);
            }
        }
    }

    /// Contacts whose compression ends within round-off of that of another one end it together.
    pub(super) fn company(&mut self, event: Event) {
        if event.what != What::Turns || self.state.normal[event.site] == Normal::Loading {
            return;
        }
        let mut c = [0.0; ORDER + 1];
        let c = &mut c[..=self.series.order];
        for j in 0..self.system.sites.len() {
            let site = self.system.sites[j];
            let row = site.normal();
            Series::column(&self.series.u, self.series.size.0, row, c);
            let rises = slope(c, event.tau) > 0.0;
            let zero = self.state.u[row].abs() <= ZERO;
            if self.state.normal[j] == Normal::Loading && zero && rises {
                self.state.u[row] = 0.0;
                self.state.normal[j] = Normal::Unloading;
                if site.e == 0.0 {
                    self.release(j);
                }
            }
        }
    }

    /// Whether all contacts that carry move and store next to nothing.
    pub(super) fn quiet(&self, nothing: f64) -> bool {
        self.system.sites.iter().enumerate().all(|(i, site)| {
            let stored = self.state.delta[i] * frequency(&self.system, &self.state, i, 1.0);
            self.state.normal[i] == Normal::Open
                || (self.state.u[site.normal()].abs() <= nothing && stored <= nothing)
        })
    }

    /// Drops what is stored and stops what approaches, at once.
    pub(super) fn drop_all(&mut self) {
        (0..self.system.sites.len()).for_each(|i| self.release(i));
        // What was taken for zero on a long path adds up; the impulses know better.
        self.system.multiply(&self.state.p, &mut self.state.u);
        for (u, start) in self.state.u.iter_mut().zip(&self.state.start) {
            *u += start;
        }
        self.plastic.close(&self.system, &mut self.state);
    }

    /// The contact carries nothing any more.
    pub(super) fn release(&mut self, i: usize) {
        self.state.delta[i] = 0.0;
        self.state.normal[i] = Normal::Open;
    }

    /// Ends the path without restitution: what is stored is lost, and so is what is stored from now on.
    pub(super) fn close(&mut self) {
        for i in 0..self.system.sites.len() {
            self.system.sites[i].e = 0.0;
            if self.state.normal[i] == Normal::Unloading {
                self.release(i);
            }
        }
        for _ in 0..CLOSE {
            if self.state.idle() {
                break;
            }
            let pace = pace(self);
            self.march.step(&self.system, &mut self.state, CLOSE_STEP / pace.natural);
        }
        self.drop_all();
    }
}
