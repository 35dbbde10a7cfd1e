//! A run of several clusters: each has its own clock, events are worked through in the order of time.
//!
//! # Rule
//! Every clock takes a leg ahead: a step, up to its first event. What is due first, of all legs, meetings and windows, is
//! worked through first; so at any time of the run every clock knows its state there, and nothing earlier can happen to
//! it. An event concerns the clusters that take part and those that touch them: they become one cluster, the event is
//! worked through, and what no closed contact joins any more parts again. All other legs stay as they are, to the bit.
//!
//! Balls that fly or glide have no clock: their motion is known, and so is what most of their impacts do
//! ([`flight`](super::flight), [`rebound`](super::rebound)). Where that does not decide they land, which means that they are
//! given a clock.
//!
//! # Limits
//! Forces, motions and controllers of the user's see the whole mechanism: with them there is one clock.
//!
//! # Tests
//! `tests/clocks.rs`, `tests/clusters.rs`, `tests/balls.rs`.

use super::ball::{Ball, Fixed};
use super::clock::{Clock, Ends};
use super::flight::{End, Flight};
use super::grid::Grid;
use super::handover::Handover;
use super::herald::{Herald, Roster};
use super::meeting::{Meeting, NEAR, Party};
use super::members::{Members, Whole};
use super::queue::{Due, Entry, Queue, Tag};
use super::rebound::Rebound;
use super::window::Window;
use crate::hybrid::laws::Laws;
use crate::hybrid::options::Options;
use crate::hybrid::outcome::{Outcome, SimError, Statistics, Stop};
use crate::hybrid::sampling::Teller;
use crate::model::Excerpt;
use crate::numeric::thresholds::PENETRATION;
use crate::record::EventKind;
use crate::state::State;
use carom_ode::{Guard, Locator};
use std::collections::HashMap;
use typed_arena::Arena;

/// Size of a cell of the grid, in units of the median size of the assemblies.
const CELL: f64 = 4.0;

/// A run of several clusters under way.
pub(crate) struct Schedule<'a> {
    pub(super) whole: Whole<'a>,
    pub(super) arena: &'a Arena<Members>,
    pub(super) laws: &'a Laws<'a>,
    pub(super) options: Options,
    pub(super) start: f64,
    /// Members of the clusters that there have been; never iterated.
    pub(super) members: HashMap<Vec<usize>, &'a Members>,
    /// Clusters that have dissolved, to be used again; only counts are taken over all of them.
    pub(super) idle: HashMap<Vec<usize>, Box<Clock<'a>>>,
    /// The clock of a cluster stands at its least assembly.
    pub(super) clocks: Vec<Option<Box<Clock<'a>>>>,
    /// The assemblies that are balls, and those that fly: these have no clock.
    pub(super) balls: Vec<Option<Ball>>,
    pub(super) flights: Vec<Option<Flight>>,
    pub(super) fixtures: Vec<Fixed>,
    /// There but while it is used.
    pub(super) rebound: Option<Box<Rebound>>,
    /// The least assembly of the cluster of each assembly.
    pub(super) lead: Vec<usize>,
    /// How often the leg of each assembly was set.
    pub(super) stamps: Vec<u32>,
    pub(super) windows: Vec<Window>,
    pub(super) grid: Grid,
    pub(super) queue: Queue,
    pub(super) handover: Handover,
    pub(super) herald: Herald,
    pub(super) locator: Locator,
    pub(super) guards: Vec<Guard>,
    pub(super) sites: Vec<usize>,
    pub(super) met: Vec<usize>,
    pub(super) near: Vec<usize>,
    pub(super) group: Vec<usize>,
    pub(super) resting: Vec<bool>,
    /// How many assemblies are not at rest.
    pub(super) moving: usize,
}

impl<'a> Schedule<'a> {
    pub fn new(
        (whole, arena): (Whole<'a>, &'a Arena<Members>),
        state: &State,
        (options, laws): (Options, &'a Laws<'a>),
        end: f64,
    ) -> Self {
        let count = whole.assemblies.len();
        let mut fixtures = Vec::new();
        let mut ball = |assembly: usize| Ball::find(&whole, assembly, &mut fixtures);
        let balls = (0..count).map(&mut ball).collect();
        Self {
            balls,
            fixtures,
            flights: vec![None; count],
            rebound: Some(Box::default()),
            grid: Grid::new(count, cell_size(&whole)),
            handover: Handover::new(whole.model, state, whole.sites.len(), count),
            herald: Herald::new(&whole, &options, end - state.t),
            whole,
            arena,
            laws,
            options,
            start: state.t,
            members: HashMap::new(),
            idle: HashMap::new(),
            clocks: (0..count).map(|_| None).collect(),
            lead: (0..count).collect(),
            stamps: vec![0; count],
            windows: vec![Window::default(); count],
            queue: Queue::default(),
            locator: Locator::new(0),
            guards: Vec::new(),
            sites: Vec::new(),
            met: Vec::new(),
            near: Vec::new(),
            group: Vec::new(),
            resting: vec![false; count],
            moving: count,
        }
    }

    /// Work through all that happens until `end`.
    pub fn run(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<Stop, SimError> {
        let mut t = self.start;
        self.begin(teller)?;
        while !teller.stopped && teller.broken.is_none() {
            let Some(entry) = self.next() else { break };
            if entry.t > end {
                break;
            }
            self.rows_until(entry.t, teller)?;
            t = entry.t;
            teller.step(t);
            let stop = match entry.due {
                Due::Window => self.renew(entry.a.assembly(), t).map(|()| None),
                Due::Meeting => self.meet(&entry, teller),
                Due::Leg => self.end_leg(entry.a.assembly(), t, teller),
            };
            if let Some(stop) = stop? {
                self.row(t, teller)?;
                return Ok(stop);
            }
        }
        let ended = !teller.stopped && teller.broken.is_none();
        self.finish(if ended { end } else { t }, teller)
    }

    /// All assemblies at the start: those that touch make clusters, and all is decided. Balls that touch nothing fly.
    fn begin(&mut self, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let t = self.start;
        let mut initial = 0.0;
        for assembly in 0..self.clocks.len() {
            match self.fly_from_start(assembly) {
                Some(energy) => initial += energy,
                None => {
                    let mut clock = self.new_clock(vec![assembly])?;
                    initial += clock.course.ledger.initial;
                    clock.t1 = t;
                    self.put(clock);
                }
            }
            self.open_window(assembly, t)?;
        }
        self.herald.begin(initial);
        self.row(t, teller)?;
        for assembly in 0..self.clocks.len() {
            if self.lead[assembly] != assembly || self.stamps[assembly] > 0 {
                continue;
            }
            self.group.clear();
            self.group.push(assembly);
            self.gather(t, PENETRATION)?;
            if self.group.len() == 1 && self.flights[assembly].is_some() {
                self.fly(assembly, t)?;
                continue;
            }
            self.land_group(t)?;
            let lead = self.unite(t)?;
            let mut clock = self.take(lead);
            clock.course.check_gaps()?;
            clock.course.account(t)?;
            let before = teller.statistics.events;
            self.pass(&mut clock, t, true, teller)?;
            let told = teller.statistics.events > before;
            teller.statistics.mode_changes += u64::from(told);
            self.put(clock);
            self.part(lead, t, told)?;
        }
        if teller.statistics.events > 0 && self.herald.few {
            self.row(t, teller)?;
        }
        self.rest(t, teller)
    }

    /// How the run ended, and what it took.
    pub fn outcome(self, stop: Stop, mut statistics: Statistics) -> Outcome {
        let clocks = self.clocks.iter().flatten().chain(self.idle.values());
        statistics.guards = self.locator.evaluations();
        statistics.unresolved_guards = self.locator.unresolved();
        clocks.for_each(|clock| clock.course.count(&mut statistics));
        let (q, v) = self.herald.state();
        let state = State { t: self.herald.t, q: q.to_vec().into(), v: v.to_vec().into() };
        Outcome { stop, state, ledger: self.herald.ledger().clone(), statistics }
    }

    fn finish(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<Stop, SimError> {
        self.rows_until(t, teller)?;
        for lead in 0..self.clocks.len() {
            if let Some(clock) = &mut self.clocks[lead]
                && t < clock.t1
            {
                clock.cut(t)?;
                clock.t0 = t.max(clock.t0);
            }
        }
        if self.herald.t != t {
            self.row(t, teller)?;
        }
        if let Some((rescue, t, sites)) = teller.broken.take() {
            return Ok(Stop::at(rescue, t, &sites, &self.whole.sites));
        }
        if let Some(stop) = self.options.broken_books(self.herald.ledger(), self.whole.model, t) {
            return Ok(stop);
        }
        Ok(if teller.stopped { Stop::Observer } else { Stop::ReachedEnd })
    }

    /// What is due first of all that still is so.
    fn next(&mut self) -> Option<Entry> {
        let Self { queue, stamps, lead, windows, .. } = self;
        let fresh = |tag: Tag| stamps[tag.assembly()] == tag.stamp();
        let valid = |entry: &Entry| match entry.due {
            Due::Leg => lead[entry.a.assembly()] == entry.a.assembly() && fresh(entry.a),
            Due::Meeting => fresh(entry.a) && fresh(entry.b),
            Due::Window => windows[entry.a.assembly()].stamp == entry.a.stamp(),
        };
        loop {
            let entry = queue.pop(valid)?;
            if valid(&entry) {
                return Some(entry);
            }
        }
    }

    /// The step or the event that a leg ends with.
    fn end_leg(
        &mut self,
        lead: usize,
        t: f64,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
        if let Some(flight) = self.flights[lead] {
            return match flight.end {
                End::Hit(site) => self.strike((site as usize, t), teller),
                End::Stop => self.stop_sliding((lead, t), teller),
                End::Turn | End::Never => self.fly_on(lead, t, teller).map(|()| None),
            };
        }
        let Some(clock) = &mut self.clocks[lead] else { return Ok(None) };
        clock.cut(t)?;
        if clock.ends == Ends::Event {
            self.group.clear();
            self.group.push(lead);
            return self.event(t, teller);
        }
        clock.go(t)?;
        self.set_out(lead, t)?;
        if self.herald.steps {
            self.row(t, teller)?;
        }
        Ok(None)
    }

    /// Two assemblies meet.
    fn meet(&mut self, entry: &Entry, teller: &mut Teller<'_>) -> Result<Option<Stop>, SimError> {
        let (a, b) = (self.lead[entry.a.assembly()], self.lead[entry.b.assembly()]);
        if self.flights[a].is_some() && self.flights[b].is_some() {
            return self.strike_each_other((a, b), entry, teller);
        }
        let mut parties = [self.take_party(a), self.take_party(b)];
        let mut meeting = Meeting {
            whole: &self.whole,
            parties: &mut parties,
            sites: &[],
            overlapping: Vec::new(),
        };
        let site = entry.site as usize;
        let t = meeting.cut(entry.t, site, self.herald.t)?;
        parties.into_iter().for_each(|party| self.put_party(party));
        // The time may have been corrected beyond that of a row.
        self.rows_until(t, teller)?;
        self.met.clear();
        self.met.push(site);
        self.group.clear();
        self.group.extend([a, b]);
        let stop = self.event(t, teller);
        self.met.clear();
        stop
    }

    /// An event of the clusters of `group`, whose legs are cut at `t`; `met` are the sites at which they meet.
    pub(super) fn event(
        &mut self,
        t: f64,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
        self.gather(t, NEAR)?;
        self.land_group(t)?;
        let lead = self.unite(t)?;
        if self.herald.few {
            self.row(t, teller)?;
        }
        let mut clock = self.take(lead);
        clock.course.bound_events(t, teller.statistics.events)?;
        clock.course.account(t)?;
        let stop = clock.course.broken_books(t);
        if stop.is_some() {
            self.put(clock);
            return Ok(stop);
        }
        let before = teller.statistics.events;
        self.pass(&mut clock, t, false, teller)?;
        let told = teller.statistics.events > before;
        self.put(clock);
        self.part(lead, t, told)?;
        if told {
            teller.statistics.mode_changes += 1;
            if self.herald.few {
                self.row(t, teller)?;
            }
        }
        self.rest(t, teller)?;
        Ok(None)
    }

    /// The jump or change of modes of a cluster, told.
    fn pass(
        &mut self,
        clock: &mut Clock<'a>,
        t: f64,
        start: bool,
        teller: &mut Teller<'_>,
    ) -> Result<(), SimError> {
        let (herald, whole) = (&mut self.herald, &self.whole);
        let Members { excerpt, places, .. } = clock.members;
        let Excerpt { bodies, q, v, .. } = excerpt;
        let roster = Roster { bodies, q, v, places };
        let elsewhere =
            if herald.few { herald.ledger().kinetic - clock.course.ledger.kinetic } else { 0.0 };
        let mut tell = |event: &crate::record::Event| {
            if event.kind != EventKind::Rest {
                herald.tell_event(event, (&roster, whole), elsewhere, teller);
            }
        };
        clock.course.pass(t, start, self.laws, &mut tell)?;
        (clock.t0, clock.t1, clock.ends) = (t, t, Ends::Event);
        Ok(())
    }

    pub(super) fn take(&mut self, lead: usize) -> Box<Clock<'a>> {
        self.clocks[lead].take().expect("every cluster has a clock")
    }

    pub(super) fn put(&mut self, clock: Box<Clock<'a>>) {
        let lead = clock.assemblies[0];
        self.clocks[lead] = Some(clock);
    }

    /// The cluster of this least assembly, or the ball in flight that it is.
    pub(super) fn take_party(&mut self, lead: usize) -> Party<'a> {
        match (self.flights[lead], &self.balls[lead]) {
            (Some(flight), Some(ball)) => Party::Ball { body: ball.body, flight, at: flight.t0 },
            _ => Party::Cluster(self.take(lead)),
        }
    }

    pub(super) fn put_party(&mut self, party: Party<'a>) {
        if let Party::Cluster(clock) = party {
            self.put(clock);
        }
    }
}

/// A few times the median size of what may meet.
fn cell_size(whole: &Whole<'_>) -> f64 {
    let size = |features: &Vec<crate::model::FeatureId>| {
        let reaches = features.iter().map(|&f| whole.model.feature(f).shape.reach());
        reaches.fold(0.0, f64::max)
    };
    let mut sizes: Vec<f64> =
        whole.exposed.iter().map(size).filter(|s| s.is_finite() && *s > 0.0).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    CELL * sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}
