//! The path from the first touch to the last release.

use super::decide::Decision;
use super::events::{Event, What, ZERO, earliest};
use super::hold::Hold;
use super::march::March;
use super::pace::{Pace, pace};
use super::plastic::Plastic;
use super::root::slope;
use super::series::{ORDER, Series, frequency};
use super::stiff::{Methods, Nodes, Stiff};
use super::system::{Normal, State, System, Tangent};

/// Most steps of a path before it is closed without restitution: this many, and as many again per contact.
pub(super) const STEPS: usize = 600;

/// Largest factor by which contacts of different frequency raise that bound.
const SPREAD: usize = 50;

/// Most steps of the close.
const CLOSE: usize = 1000;

/// Step of the close in units of 1/ω.
const CLOSE_STEP: f64 = 0.02;

/// Events in a row without progress of the clock after which a short step carries the path on, and this many per contact.
const STALLED: usize = 6;

/// Slip slower than this many times [`ZERO`] stops when another slip does: contacts of one body stop together.
const COMPANY: f64 = 20.0;

/// Progress of the clock, in units of 1/ω, that counts as such; also the first short step.
const PROGRESS: f64 = 1e-8;

/// Difference of the two methods that a stiff step may show, in units of the velocity scale.
const STIFF_TOLERANCE: f64 = 1e-11;

/// Normal velocities below this fraction of the largest one, at all contacts that carry and after a whole step, mean
/// that the contacts are wedged: their forces balance, and the impact is over.
const WEDGED: f64 = 1e-11;

/// Shortest stiff step, in units of 1/ω.
const SHORTEST: f64 = 1e-10;

/// Scratch of the law.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompliantScratch {
    pub(super) system: System,
    pub(super) state: State,
    /// The state before the present step.
    before: State,
    /// How the last path ended.
    pub(super) ended: Ended,
    series: Series,
    pub(super) hold: Hold,
    decision: Decision,
    march: March,
    plastic: Plastic,
    stiff: Stiff,
    methods: Methods,
    fine: Nodes,
    coarse: Nodes,
    pub(super) accelerations: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

/// Told of every event.
pub(super) type Observer<'a> = &'a mut dyn FnMut(What, usize, &System, &State);

/// How a path ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ended {
    /// Steps taken.
    pub steps: usize,
    /// Whether it was closed without restitution.
    pub closed: bool,
    /// Short steps that carried it over undecided instants.
    pub carried: usize,
}

/// The walk along a path.
pub(super) struct Path<'a> {
    pub scratch: &'a mut CompliantScratch,
    pub observer: Option<Observer<'a>>,
    /// Last stiff step.
    h: f64,
    stalled: usize,
    carried: usize,
    /// Short steps since the last progress.
    row: i32,
}

impl<'a> Path<'a> {
    pub fn new(scratch: &'a mut CompliantScratch, observer: Option<Observer<'a>>) -> Self {
        Self { scratch, observer, h: 0.0, stalled: 0, carried: 0, row: 0 }
    }

    /// Walks to the end.
    pub fn run(&mut self) -> Ended {
        let ended = self.walk();
        self.scratch.ended = ended;
        ended
    }

    fn walk(&mut self) -> Ended {
        let limit = STEPS * (1 + self.scratch.system.sites.len()) * self.scratch.spread();
        self.decide(None);
        for steps in 0..limit {
            if self.scratch.state.idle() {
                return Ended { steps, closed: false, carried: self.carried };
            }
            self.step();
        }
        self.close();
        Ended { steps: limit, closed: true, carried: self.carried }
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

    /// A step along the power series.
    fn series_step(&mut self, pace: &Pace) -> Option<(f64, Option<Event>)> {
        let s = &mut *self.scratch;
        s.series.expand(&s.system, &s.state, &mut s.hold, pace.omega);
        let reach = s.series.reach(&s.system, &s.state);
        let event = earliest(&s.system, &s.state, (&s.series, &s.hold), reach);
        let tau = event.map_or(reach, |e| e.tau);
        if !tau.is_finite() {
            return None;
        }
        s.series.advance(&s.system, tau, &mut s.state);
        Some((tau / pace.omega, event))
    }

    /// A step by collocation.
    fn stiff_step(&mut self, pace: &Pace) -> Option<(f64, Option<Event>)> {
        let mut h = if self.h > 0.0 { self.h } else { 0.05 / pace.natural };
        let s = &mut *self.scratch;
        s.stiff.load(&s.system, &s.state, &mut s.hold);
        loop {
            if h * pace.natural < SHORTEST {
                self.h = 0.0;
                return None;
            }
            let Some(error) = try_stiff(s, h) else {
                h *= 0.25;
                continue;
            };
            let factor = 0.9 * (STIFF_TOLERANCE / error.max(1e-20)).powf(1.0 / 8.0);
            if error <= STIFF_TOLERANCE {
                self.h = h * factor.clamp(0.2, 4.0);
                break;
            }
            h *= factor.clamp(0.1, 0.8);
        }
        let fine = (&s.methods.fine, h);
        s.stiff.share(&s.system, fine.0, &s.hold, &mut s.fine);
        s.stiff.polynomials(&s.system, &s.state, fine, &s.fine, &mut s.series);
        let event = earliest(&s.system, &s.state, (&s.series, &s.hold), 1.0);
        let h = event.map_or(h, |e| locate(s, h, e));
        if h <= 0.0 {
            return Some((0.0, event));
        }
        s.stiff.advance(&s.system, (&s.methods.fine, h), &s.fine, &mut s.state);
        Some((h, event))
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

    /// Ends the path without restitution: what is stored is lost, and so is what is stored from now on.
    fn close(&mut self) {
        let s = &mut *self.scratch;
        for i in 0..s.system.sites.len() {
            s.system.sites[i].e = 0.0;
            if s.state.normal[i] == Normal::Unloading {
                s.release(i);
            }
        }
        for _ in 0..CLOSE {
            if s.state.idle() {
                break;
            }
            let pace = pace(s);
            s.march.step(&s.system, &mut s.state, CLOSE_STEP / pace.natural);
        }
        s.plastic.close(&s.system, &mut s.state);
    }
}

impl CompliantScratch {
    /// How often the fastest contact alone swings while the slowest does so four times; at least 1, at most [`SPREAD`].
    fn spread(&self) -> usize {
        let swings = |i: usize| {
            let n = self.system.sites[i].normal();
            (self.system.sites[i].k * self.system.G[(n, n)]).sqrt()
        };
        let all = || (0..self.system.sites.len()).map(swings).filter(|w| *w > 0.0);
        let (fast, slow) = (all().fold(0.0, f64::max), all().fold(f64::INFINITY, f64::min));
        ((fast / slow / 4.0) as usize).clamp(1, SPREAD)
    }

    /// Slip of a contact, and all slip as slow, is zero.
    fn halt(&mut self, i: usize) {
        for (j, site) in self.system.sites.iter().enumerate() {
            if j == i || self.state.speed(site) <= COMPANY * ZERO {
                site.tangent_rows().for_each(|r| self.state.u[r] = 0.0);
            }
        }
    }

    /// Contacts whose compression ends within round-off of that of another one end it together.
    fn company(&mut self, event: Event) {
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

    /// The contact carries nothing any more.
    fn release(&mut self, i: usize) {
        self.state.delta[i] = 0.0;
        self.state.normal[i] = Normal::Open;
    }
}

/// Gives contacts that begin to load a compression to start from, where the force is no power series of it.
fn start_compression(system: &System, state: &mut State) {
    if system.exponent == 1.0 {
        return;
    }
    for (i, site) in system.sites.iter().enumerate() {
        if state.normal[i] == Normal::Loading && state.delta[i] <= 0.0 {
            state.delta[i] = 1e-8 * (-state.u[site.normal()]).max(ZERO);
        }
    }
}

/// Solves one step by both methods; their difference, or none if there is no solution.
fn try_stiff(s: &mut CompliantScratch, h: f64) -> Option<f64> {
    let (fine, coarse) = (&s.methods.fine, &s.methods.coarse);
    s.stiff.guess(&s.system, &s.state, fine, h, &mut s.fine.x);
    if !s.stiff.solve(&s.system, &s.state, fine, h, &mut s.fine) {
        return None;
    }
    s.stiff.interpolate((fine, &s.fine), coarse, 1.0, &mut s.coarse.x);
    if !s.stiff.solve(&s.system, &s.state, coarse, h, &mut s.coarse) {
        return None;
    }
    Some(s.stiff.difference(&s.system, &s.state, &s.fine, &s.coarse))
}

/// Length of the step that ends at the event, solved anew; the polynomial inside a step is less accurate than its end.
fn locate(s: &mut CompliantScratch, h: f64, event: Event) -> f64 {
    let (mut length, mut ratio) = (h, event.tau);
    for _ in 0..6 {
        if ratio * length <= 0.0 {
            return 0.0;
        }
        let fine = &s.methods.fine;
        std::mem::swap(&mut s.fine.x, &mut s.coarse.x);
        let from = Nodes { x: std::mem::take(&mut s.coarse.x), ..Nodes::default() };
        s.stiff.interpolate((fine, &from), fine, ratio, &mut s.fine.x);
        s.coarse.x = from.x;
        length *= ratio;
        if !s.stiff.solve(&s.system, &s.state, fine, length, &mut s.fine) {
            return length;
        }
        s.stiff.share(&s.system, fine, &s.hold, &mut s.fine);
        s.stiff.polynomials(&s.system, &s.state, (fine, length), &s.fine, &mut s.series);
        let Some((value, slope)) = at_end(s, event) else {
            return length;
        };
        ratio = (1.0 - value / slope).clamp(0.5, 1.5);
        if value.abs() <= 1e-15 || (ratio - 1.0).abs() <= 1e-15 || !ratio.is_finite() {
            return length;
        }
    }
    length
}

/// Value and slope at τ = 1 of the function that an event is a zero of, where it must be exact.
fn at_end(s: &CompliantScratch, event: Event) -> Option<(f64, f64)> {
    let site = &s.system.sites[event.site];
    let (m, n) = s.series.size;
    let mut c = [0.0; super::tableau::MOST + 1];
    match (event.what, s.state.tangent[event.site]) {
        (What::Turns, _) => Series::column(&s.series.u, m, site.normal(), &mut c),
        (What::Released, _) => Series::column(&s.series.delta, n, event.site, &mut c),
        (What::Stops, Tangent::Turn) => Series::column(&s.series.speed, n, event.site, &mut c),
        (What::Stops, _) => Series::column(&s.series.u, m, site.first, &mut c),
        (What::Yields | What::Limit | What::Shares, _) => return None,
    }
    Some((c.iter().sum(), slope(&c, 1.0)))
}
