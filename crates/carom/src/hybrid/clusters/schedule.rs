//! A run of several clusters: each has its own clock, events are worked through in the order of time.
//!
//! # Rule
//! Every clock takes a leg ahead: a step, up to its first event. What is due first, of all legs, meetings and windows, is
//! worked through first; so at any time of the run every clock knows its state there, and nothing earlier can happen to
//! it. An event concerns the clusters that take part and those that touch them: they become one cluster, the event is
//! worked through, and what no closed contact joins any more parts again. All other legs stay as they are, to the bit.
//!
//! # Limits
//! Forces, motions and controllers of the user's see the whole mechanism: with them there is one clock.
//!
//! # Tests
//! `tests/clocks.rs`, `tests/clusters.rs`.

use super::clock::{Clock, Ends};
use super::grid::Grid;
use super::handover::Handover;
use super::herald::Herald;
use super::meeting::{Meeting, NEAR};
use super::members::{Members, Whole};
use super::queue::{Due, Entry, Queue};
use super::window::{Window, reach};
use crate::hybrid::flow::Given;
use crate::hybrid::guards::Watch;
use crate::hybrid::laws::Laws;
use crate::hybrid::options::Options;
use crate::hybrid::outcome::{Outcome, SimError, Statistics, Stop};
use crate::hybrid::run::Course;
use crate::hybrid::sampling::Teller;
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
    whole: Whole<'a>,
    arena: &'a Arena<Members>,
    laws: &'a Laws<'a>,
    options: Options,
    start: f64,
    /// Members of the clusters that there have been; never iterated.
    members: HashMap<Vec<usize>, &'a Members>,
    /// Clusters that have dissolved, to be used again; only counts are taken over all of them.
    idle: HashMap<Vec<usize>, Box<Clock<'a>>>,
    /// The clock of a cluster stands at its least assembly.
    clocks: Vec<Option<Box<Clock<'a>>>>,
    /// The least assembly of the cluster of each assembly.
    lead: Vec<usize>,
    /// How often the leg of each assembly was set.
    stamps: Vec<u64>,
    windows: Vec<Window>,
    grid: Grid,
    queue: Queue,
    handover: Handover,
    herald: Herald,
    locator: Locator,
    guards: Vec<Guard>,
    sites: Vec<usize>,
    met: Vec<usize>,
    near: Vec<usize>,
    group: Vec<usize>,
    resting: Vec<bool>,
    /// How many assemblies are not at rest.
    moving: usize,
}

impl<'a> Schedule<'a> {
    pub fn new(
        (whole, arena): (Whole<'a>, &'a Arena<Members>),
        state: &State,
        (options, laws): (Options, &'a Laws<'a>),
        end: f64,
    ) -> Self {
        let count = whole.assemblies.len();
        Self {
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
            let Some(entry) = self.queue.pop() else { break };
            if entry.t > end {
                break;
            }
            if !self.is_valid(&entry) {
                continue;
            }
            self.rows_until(entry.t, teller)?;
            t = entry.t;
            teller.step(t);
            let stop = match entry.due {
                Due::Window => self.renew(entry.a.0, t).map(|()| None),
                Due::Meeting => self.meet(&entry, teller),
                Due::Leg => self.end_leg(entry.a.0, t, teller),
            };
            if let Some(stop) = stop? {
                self.row(t, teller)?;
                return Ok(stop);
            }
        }
        let ended = !teller.stopped && teller.broken.is_none();
        self.finish(if ended { end } else { t }, teller)
    }

    /// All assemblies at the start: those that touch make clusters, and all is decided.
    fn begin(&mut self, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let t = self.start;
        let mut initial = 0.0;
        for assembly in 0..self.clocks.len() {
            let mut clock = self.new_clock(vec![assembly])?;
            initial += clock.course.ledger.initial;
            clock.t1 = t;
            if !self.whole.exposed[assembly].is_empty() {
                let window = &mut self.windows[assembly];
                self.grid.set(
                    assembly,
                    clock.open_window(&self.whole, (assembly, self.grid.size), t, window)?,
                );
            }
            self.put(clock);
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
            let lead = self.unite(t)?;
            let mut clock = self.take(lead);
            clock.course.check_gaps()?;
            clock.course.account(t)?;
            let before = teller.statistics.events;
            self.pass(&mut clock, t, true, teller)?;
            teller.statistics.mode_changes += u64::from(teller.statistics.events > before);
            self.put(clock);
            self.part(lead, t)?;
        }
        if teller.statistics.events > 0 && self.herald.few {
            self.row(t, teller)?;
        }
        self.rest(t, teller)
    }

    /// A row of the whole.
    fn row(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        self.herald.open(t, &self.handover.ledger);
        for clock in self.clocks.iter_mut().flatten() {
            clock.present(t)?;
            self.herald.read(clock);
        }
        self.herald.tell_row(teller);
        Ok(())
    }

    /// Rows at the interval asked for, before `t`.
    fn rows_until(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let Some(dt) = self.herald.interval else { return Ok(()) };
        loop {
            let next = self.start + dt * self.herald.rows as f64;
            if next >= t || teller.stopped {
                return Ok(());
            }
            self.herald.rows += 1;
            self.row(next, teller)?;
        }
    }

    /// Once everything rests, say so.
    fn rest(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        if self.moving > 0 {
            return Ok(());
        }
        if !self.herald.few {
            self.row(t, teller)?;
        }
        self.herald.tell_rest(t, teller);
        Ok(())
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
        let ledger = self.herald.ledger();
        let (closure, bound) = (ledger.closure(), self.options.ledger_bound(ledger));
        if closure.abs() > bound {
            return Ok(Stop::OpenLedger { t, closure, bound });
        }
        Ok(if teller.stopped { Stop::Observer } else { Stop::ReachedEnd })
    }

    /// Whether what an entry speaks of is still so.
    fn is_valid(&self, entry: &Entry) -> bool {
        let fresh = |(assembly, stamp): (usize, u64)| self.stamps[assembly] == stamp;
        match entry.due {
            Due::Leg => self.lead[entry.a.0] == entry.a.0 && fresh(entry.a),
            Due::Meeting => fresh(entry.a) && fresh(entry.b),
            Due::Window => self.windows[entry.a.0].stamp == entry.a.1,
        }
    }

    /// The step or the event that a leg ends with.
    fn end_leg(
        &mut self,
        lead: usize,
        t: f64,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
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
        let (a, b) = (self.lead[entry.a.0], self.lead[entry.b.0]);
        let (mut one, mut other) = (self.take(a), self.take(b));
        let clocks = [&mut *one, &mut *other];
        let mut meeting = Meeting { whole: &self.whole, clocks, sites: &[] };
        let t = meeting.cut(entry.t, entry.site, self.herald.t)?;
        self.put(one);
        self.put(other);
        self.met.clear();
        self.met.push(entry.site);
        self.group.clear();
        self.group.extend([a, b]);
        let stop = self.event(t, teller);
        self.met.clear();
        stop
    }

    /// An event of the clusters of `group`, whose legs are cut at `t`; `met` are the sites at which they meet.
    fn event(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<Option<Stop>, SimError> {
        self.gather(t, NEAR)?;
        let lead = self.unite(t)?;
        if self.herald.few {
            self.row(t, teller)?;
        }
        let mut clock = self.take(lead);
        clock.course.bound_events(t, teller.statistics.events)?;
        clock.course.account(t)?;
        let stop = clock.course.open_ledger(t);
        if stop.is_some() {
            self.put(clock);
            return Ok(stop);
        }
        let before = teller.statistics.events;
        self.pass(&mut clock, t, false, teller)?;
        self.put(clock);
        self.part(lead, t)?;
        if teller.statistics.events > before {
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
        let (herald, sites) = (&mut self.herald, &self.whole.sites);
        let members = clock.members;
        let elsewhere =
            if herald.few { herald.ledger().kinetic - clock.course.ledger.kinetic } else { 0.0 };
        let mut tell = |event: &crate::record::Event| {
            if event.kind != EventKind::Rest {
                herald.tell_event(event, (members, sites), elsewhere, teller);
            }
        };
        clock.course.pass(t, start, self.laws, &mut tell)?;
        (clock.t0, clock.t1, clock.ends) = (t, t, Ends::Event);
        Ok(())
    }

    /// All clusters that touch those of `group` at time `t`, again and again, join it; their legs are cut. Gaps up to so
    /// many times their round-off are closed.
    fn gather(&mut self, t: f64, closed: f64) -> Result<(), SimError> {
        let mut next = 0;
        while next < self.group.len() {
            let lead = self.group[next];
            next += 1;
            let count = self.clocks[lead].as_ref().map_or(0, |clock| clock.assemblies.len());
            for k in 0..count {
                let assembly = self.clocks[lead].as_ref().map_or(lead, |clock| clock.assemblies[k]);
                let mut near = std::mem::take(&mut self.near);
                self.grid.near(assembly, &mut near);
                for &other in &near {
                    if !self.group.contains(&self.lead[other])
                        && self.touch((assembly, other), t, closed)?
                    {
                        let theirs = self.lead[other];
                        self.group.push(theirs);
                        if let Some(clock) = &mut self.clocks[theirs] {
                            clock.cut(t)?;
                        }
                    }
                }
                self.near = near;
            }
        }
        self.group.sort_unstable();
        Ok(())
    }

    /// Whether two assemblies of different clusters touch at time `t`.
    fn touch(&mut self, (a, b): (usize, usize), t: f64, closed: f64) -> Result<bool, SimError> {
        self.find_sites(a, b);
        if self.sites.is_empty() {
            return Ok(false);
        }
        let (mut one, mut other) = (self.take(self.lead[a]), self.take(self.lead[b]));
        let mut meeting =
            Meeting { whole: &self.whole, clocks: [&mut one, &mut other], sites: &self.sites };
        let touches = meeting.touches(t, closed);
        self.put(one);
        self.put(other);
        touches
    }

    /// The clusters of `group` become one, with what fired at its end; returns its least assembly.
    fn unite(&mut self, t: f64) -> Result<usize, SimError> {
        if let [lead] = self.group[..] {
            return Ok(lead);
        }
        let mut assemblies = Vec::new();
        let mut fired: Vec<(usize, Watch)> = self.met.iter().map(|&s| (s, Watch::Gap)).collect();
        for k in 0..self.group.len() {
            let mut clock = self.take(self.group[k]);
            assemblies.extend_from_slice(&clock.assemblies);
            if clock.ends == Ends::Event && clock.t1 == t {
                let places = &clock.members.places;
                fired.extend(clock.course.fired.iter().map(|&(s, w)| (places[s], w)));
            }
            self.dissolve(&mut clock, t)?;
            self.idle.insert(clock.assemblies.clone(), clock);
        }
        assemblies.sort_unstable();
        let mut clock = self.form(assemblies, t)?;
        let places = &clock.members.places;
        clock.course.fired.clear();
        for (site, watch) in fired {
            let own = places.iter().position(|&place| place == site);
            clock.course.fired.extend(own.map(|own| (own, watch)));
        }
        (clock.t0, clock.t1, clock.ends) = (t, t, Ends::Event);
        let lead = clock.assemblies[0];
        self.put(clock);
        Ok(lead)
    }

    /// A cluster hands on what it has.
    fn dissolve(&mut self, clock: &mut Clock<'a>, t: f64) -> Result<(), SimError> {
        clock.course.account(t)?;
        self.handover.take(clock);
        Ok(())
    }

    /// The cluster of these assemblies, from what was handed on.
    fn form(&mut self, assemblies: Vec<usize>, t: f64) -> Result<Box<Clock<'a>>, SimError> {
        let mut clock = match self.idle.remove(&assemblies) {
            Some(clock) => clock,
            None => self.new_clock(assemblies)?,
        };
        self.handover.give(t, &mut clock);
        (clock.t0, clock.t1, clock.ends) = (t, t, Ends::Step);
        for &assembly in &clock.assemblies {
            self.lead[assembly] = clock.assemblies[0];
        }
        Ok(clock)
    }

    fn new_clock(&mut self, assemblies: Vec<usize>) -> Result<Box<Clock<'a>>, SimError> {
        let members = match self.members.get(&assemblies) {
            Some(members) => *members,
            None => {
                let members: &Members = self.arena.alloc(self.whole.members(&assemblies));
                self.members.insert(assemblies.clone(), members);
                self.handover.grow(self.whole.sites.len());
                members
            }
        };
        let pick = |all: &[f64], places: &[usize]| -> Vec<f64> {
            places.iter().map(|&at| all[at]).collect()
        };
        let state = State {
            t: self.start,
            q: pick(&self.handover.q, &members.excerpt.q).into(),
            v: pick(&self.handover.v, &members.excerpt.v).into(),
        };
        let parts = (members.sites.as_slice(), Given::default());
        let course = Course::new(&members.excerpt.model, &state, self.options, parts)?;
        Ok(Box::new(Clock::new(members, course, assemblies)))
    }

    /// What no closed contact joins any more parts; everything takes its next leg.
    fn part(&mut self, lead: usize, t: f64) -> Result<(), SimError> {
        let mut clock = self.take(lead);
        let groups = clock.groups();
        if groups.len() <= 1 {
            let power = clock.course.account(t)?;
            clock.course.resume(t, power, true)?;
            clock.go(t)?;
            self.put(clock);
            return self.set_out(lead, t);
        }
        clock.course.account(t)?;
        let arc = clock.course.rebound_time();
        self.handover.take(&mut clock);
        self.idle.insert(clock.assemblies.clone(), clock);
        let mut leads = Vec::with_capacity(groups.len());
        for group in groups {
            let mut clock = self.form(group, t)?;
            let power = clock.course.account(t)?;
            clock.course.resume(t, power, false)?;
            clock.course.expect_rebound(arc);
            clock.go(t)?;
            leads.push(clock.assemblies[0]);
            self.put(clock);
        }
        leads.into_iter().try_for_each(|lead| self.set_out(lead, t))
    }

    /// Watch the new leg of a cluster.
    fn set_out(&mut self, lead: usize, t: f64) -> Result<(), SimError> {
        let Some(clock) = &self.clocks[lead] else { return Ok(()) };
        let (t1, count) = (clock.t1, clock.assemblies.len());
        for &assembly in &clock.assemblies {
            self.stamps[assembly] += 1;
            let rests = clock.ends == Ends::Never;
            let before = std::mem::replace(&mut self.resting[assembly], rests);
            self.moving = self.moving + usize::from(before) - usize::from(rests);
        }
        if t1.is_finite() {
            let stamp = self.stamps[lead];
            let entry = Entry { t: t1, due: Due::Leg, a: (lead, stamp), b: (lead, stamp), site: 0 };
            self.queue.push(entry);
        }
        for k in 0..count {
            let assembly = self.clocks[lead].as_ref().map_or(lead, |clock| clock.assemblies[k]);
            self.renew(assembly, t)?;
        }
        Ok(())
    }

    /// A new window of an assembly, and whom it may meet in it.
    fn renew(&mut self, assembly: usize, t: f64) -> Result<(), SimError> {
        if self.whole.exposed[assembly].is_empty() {
            return Ok(());
        }
        let lead = self.lead[assembly];
        let mut clock = self.take(lead);
        let window = &mut self.windows[assembly];
        let bounds = clock.open_window(&self.whole, (assembly, self.grid.size), t, window);
        let (t1, until, stamp) = (clock.t1, window.until, window.stamp);
        self.put(clock);
        self.grid.set(assembly, bounds?);
        if until < t1 {
            let (a, b) = ((assembly, stamp), (assembly, 0));
            let entry = Entry { t: until, due: Due::Window, a, b, site: 0 };
            self.queue.push(entry);
        }
        let mut near = std::mem::take(&mut self.near);
        self.grid.near(assembly, &mut near);
        near.retain(|&other| self.lead[other] != lead);
        self.windows[assembly].learn(near.len());
        let result = near.iter().try_for_each(|&other| self.foresee(assembly, other, t));
        self.near = near;
        result
    }

    /// When two assemblies meet within the windows of both.
    fn foresee(&mut self, a: usize, b: usize, t: f64) -> Result<(), SimError> {
        self.find_sites(a, b);
        if self.sites.is_empty() {
            return Ok(());
        }
        let to = self.windows[a].until.min(self.windows[b].until);
        let (mut one, mut other) = (self.take(self.lead[a]), self.take(self.lead[b]));
        let to = to.min(one.t1).min(other.t1);
        let mut meeting =
            Meeting { whole: &self.whole, clocks: [&mut one, &mut other], sites: &self.sites };
        let search = (&mut self.locator, &mut self.guards);
        let found = meeting.first((t, to), search, &mut self.met);
        self.put(one);
        self.put(other);
        let site = self.met.pop();
        self.met.clear();
        if let Some((t, site)) = found?.zip(site) {
            let (a, b) = (a.min(b), a.max(b));
            let stamped = |assembly: usize| (assembly, self.stamps[assembly]);
            let entry = Entry { t, due: Due::Meeting, a: stamped(a), b: stamped(b), site };
            self.queue.push(entry);
        }
        Ok(())
    }

    /// The sites between two assemblies.
    fn find_sites(&mut self, a: usize, b: usize) {
        self.whole.sites_between(a, b, &mut self.sites);
    }

    fn take(&mut self, lead: usize) -> Box<Clock<'a>> {
        self.clocks[lead].take().expect("every cluster has a clock")
    }

    fn put(&mut self, clock: Box<Clock<'a>>) {
        let lead = clock.assemblies[0];
        self.clocks[lead] = Some(clock);
    }
}

/// A few times the median size of what may meet.
fn cell_size(whole: &Whole<'_>) -> f64 {
    let size = |features: &Vec<crate::model::FeatureId>| {
        let reaches = features.iter().map(|&f| reach(&whole.model.feature(f).shape));
        reaches.fold(0.0, f64::max)
    };
    let mut sizes: Vec<f64> =
        whole.exposed.iter().map(size).filter(|s| s.is_finite() && *s > 0.0).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    CELL * sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}
