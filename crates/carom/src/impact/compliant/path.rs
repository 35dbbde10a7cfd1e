//! The path from the first touch to the last release.

use super::events::{Event, What, ZERO};
use super::pace::{Pace, pace};
use super::scratch::CompliantScratch;
use super::series::frequency;
use super::step::start_compression;
use super::system::{Normal, State, System, Tangent};
use crate::numeric::thresholds::compliant::{PROGRESS, WEDGED};

/// Changes between loading and unloading, per contact and one more, after which ten times more counts as nothing: 1e-12 of
/// the largest velocity before, then 1e-11 and so on.
const PATIENCE: usize = 16;

/// Steps, per contact and one more, after which a path is closed, whatever is left.
const STEPS: usize = 600;

/// Work of its stiff steps, in multiplications of their elimination, after which it is closed too: a few seconds.
const WORK: f64 = 2e10;

/// Events in a row without progress of the clock after which a short step carries the path on, and this many per contact.
const STALLED: usize = 6;

/// Told of every event.
pub(super) type Observer<'a> = &'a mut dyn FnMut(What, usize, &System, &State);

/// How a path ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ended {
    /// Steps taken.
    pub steps: usize,
    /// Velocities of the contacts, relative to the largest one before, that were stopped without restitution; 1 if all.
    pub left: f64,
    /// Short steps that carried it over undecided instants.
    pub carried: usize,
}

/// The walk along a path.
pub(super) struct Path<'a> {
    pub scratch: &'a mut CompliantScratch,
    pub observer: Option<Observer<'a>>,
    /// Last stiff step.
    pub(super) h: f64,
    stalled: usize,
    carried: usize,
    /// Changes between loading and unloading so far.
    turns: usize,
    /// Short steps since the last progress.
    row: i32,
}

impl<'a> Path<'a> {
    pub fn new(scratch: &'a mut CompliantScratch, observer: Option<Observer<'a>>) -> Self {
        Self { scratch, observer, h: 0.0, stalled: 0, carried: 0, turns: 0, row: 0 }
    }

    /// Walks to the end.
    pub fn run(&mut self) -> Ended {
        let ended = self.walk();
        self.scratch.ended = ended;
        ended
    }

    fn walk(&mut self) -> Ended {
        let size = (1 + self.scratch.system.sites.len()) * self.scratch.spread();
        self.scratch.stiff.work = 0.0;
        self.decide(None);
        let mut taken = 0;
        for steps in 0..STEPS * size {
            taken = steps;
            if self.scratch.stiff.work > WORK {
                break;
            }
            if self.scratch.state.idle() {
                return Ended { steps, left: 0.0, carried: self.carried };
            }
            self.step();
            // The longer the path, the more counts as nothing.
            let decades = self.turns / (PATIENCE * size);
            let nothing = ZERO * 10.0_f64.powi(decades as i32);
            if decades > 0 && self.scratch.quiet(nothing) {
                self.scratch.drop_all();
                return Ended { steps, left: nothing, carried: self.carried };
            }
        }
        self.scratch.close();
        Ended { steps: taken, left: 1.0, carried: self.carried }
    }

    /// One step, and what happens at its end.
    fn step(&mut self) {
        let s = &mut *self.scratch;
        start_compression(&s.system, &mut s.state);
        s.state.look_ahead(&s.system);
        let pace = pace(s);
        s.before.clone_from(&s.state);
        let before = self.stalled;
        let outcome = if pace.stiff { self.stiff_step(&pace) } else { self.series_step(&pace) };
        let sound = self.scratch.state.u.iter().all(|u| u.is_finite());
        let Some((time, event)) = outcome.filter(|_| sound) else {
            let s = &mut *self.scratch;
            s.state.clone_from(&s.before);
            return self.carry(&pace);
        };
        // A slip that stops is approached by ever shorter steps, which is progress too.
        let weight = if event.is_some() { 10 } else { 1 };
        self.stalled = if time * pace.natural > PROGRESS { 0 } else { before + weight };
        if time * pace.natural > 100.0 * PROGRESS {
            self.row = 0;
        }
        if let Some(event) = event {
            self.happen(event);
        } else if !pace.stiff {
            self.stops();
        }
        if time * pace.natural > 0.1 {
            self.spent(event.is_none());
        }
        if self.stalled > 10 * STALLED * (1 + self.scratch.system.sites.len()) {
            self.carry(&pace);
        }
    }

    /// Changes the modes of the contact to which something happened.
    fn happen(&mut self, event: Event) {
        let s = &mut *self.scratch;
        let (i, site) = (event.site, s.system.sites[event.site]);
        let mut pressed = None;
        match (event.what, s.state.normal[i]) {
            (What::Turns, Normal::Open) => s.state.normal[i] = Normal::Loading,
            (What::Turns, Normal::Loading) if site.e == 0.0 => s.release(i),
            (What::Turns, Normal::Loading) => s.state.normal[i] = Normal::Unloading,
            (What::Turns, Normal::Unloading) => s.state.normal[i] = Normal::Loading,
            (What::Released, _) => s.release(i),
            (What::Stops | What::Yields, _) => s.halt(i),
            (What::Limit, _) => pressed = Some(i),
            (What::Shares, _) => {}
        }
        if event.what == What::Turns && s.state.normal[i] != Normal::Open {
            s.state.u[site.normal()] = 0.0;
        }
        s.company(event);
        self.turns += usize::from(event.what == What::Turns);
        self.tell(event.what, i);
        self.decide(pressed);
    }

    /// Slip in the plane that has become too slow to have a direction has stopped.
    fn stops(&mut self) {
        let s = &mut *self.scratch;
        let slow = |i: &usize| {
            s.state.tangent[*i] == Tangent::Turn && s.state.speed(&s.system.sites[*i]) <= ZERO
        };
        if let Some(i) = (0..s.system.sites.len()).find(slow) {
            self.happen(Event { tau: 0.0, site: i, what: What::Stops });
        }
    }

    /// Contacts that carry next to nothing, and contacts wedged against each other so that nothing moves, are released.
    fn spent(&mut self, still: bool) {
        let s = &mut *self.scratch;
        let speed = |i: usize| s.state.u[s.system.sites[i].normal()].abs();
        let carries = |i: &usize| s.state.normal[*i] != Normal::Open;
        let n = s.system.sites.len();
        let wedged = still && (0..n).filter(carries).all(|i| speed(i) <= WEDGED);
        let spent = |i: &usize| {
            let stored = s.state.delta[*i] * frequency(&s.system, &s.state, *i, 1.0);
            carries(i) && speed(*i) <= ZERO && stored <= ZERO
        };
        if let Some(i) = (0..n).find(|i| spent(i) || (wedged && carries(i))) {
            self.happen(Event { tau: 0.0, site: i, what: What::Released });
            if wedged {
                self.spent(true);
            }
        }
    }

    fn decide(&mut self, pressed: Option<usize>) {
        let s = &mut *self.scratch;
        s.decision.decide(&s.system, &mut s.state, &mut s.hold, pressed);
        self.h = 0.0;
    }

    fn tell(&mut self, what: What, site: usize) {
        if let Some(observer) = &mut self.observer {
            observer(what, site, &self.scratch.system, &self.scratch.state);
        }
    }

    /// A short step of first order over an undecided instant; longer ones if they follow each other.
    fn carry(&mut self, pace: &Pace) {
        let s = &mut *self.scratch;
        let h = PROGRESS * 4.0_f64.powi(self.row.min(6)) / pace.natural;
        s.march.step(&s.system, &mut s.state, h);
        s.halt(usize::MAX);
        self.carried += 1;
        self.row += 1;
        self.stalled = 0;
        self.decide(None);
    }
}
