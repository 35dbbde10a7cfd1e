//! One event: cluster by cluster, from the guards that fired to the modes that follow.
//!
//! # Order
//! 1. Who touches: closed sites, sites whose gap has closed, and what touches those without approach.
//!    They make clusters; only clusters in which something happened are worked on.
//! 2. Positions return to zero gaps.
//! 3. If some approach: the impact law, all touching sites of the cluster together, until none does.
//! 4. Sites that touch without normal velocity: modes by the Coulomb problem. If it has no solution, an
//!    impact without collision; if that does not decide, or a guard has told a jam that is none, one time step carries the
//!    cluster over.
//! 5. What neither moves nor accelerates is at rest, exactly.
//!
//! What each step decided is told in the event; clusters in which nothing happened keep everything, to
//! the bit.

use super::accumulation::{Accumulation, shared_height};
use super::clusters::{Cluster, Clusters};
use super::flow::Flow;
use super::guards::Watch;
use super::impacts::Impacts;
use super::jump::Jump;
use super::laws::Laws;
use super::modes::Choice;
use super::outcome::SimError;
use super::projection::Projector;
use super::rush;
use super::sharings::Sharings;
use super::step::Carrier;
use crate::contact::{Mode, SiteGeometry};
use crate::dynamics::{SingularInertia, elements, energy, forces};
use crate::numeric::thresholds::{SLIP_ENDED, STILL, VELOCITY_NOISE};
use crate::record::{Event, Ledger};

/// Rounds of choosing modes until slips agree with their friction.
const SLIP_ROUNDS: usize = 4;

/// What a guard has decided about a site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Forced {
    Opens,
    Slips([f64; 2]),
    Stops,
    /// Sticks through the step that begins, whatever friction that takes.
    Captured,
    Jams,
}

/// Where the event happens.
pub(crate) struct Place<'e> {
    pub t: f64,
    /// Remaining time below which accumulating impacts end, s.
    pub accumulated: f64,
    /// Relative tolerance of the run.
    pub rtol: f64,
    /// Energy that may be made, J: what the tolerance of the run makes of the energies turned over.
    pub bound: f64,
    pub fired: &'e [(usize, Watch)],
    pub laws: &'e Laws<'e>,
    /// The run begins: everything is decided.
    pub start: bool,
    /// Clusters whose events crowd are carried by a time step.
    pub crowded: bool,
    /// Time steps carry the cluster from one to the next, see [`super::rush`].
    pub rushed: bool,
    /// The flow cannot go on.
    pub stalled: bool,
}

/// Buffers of an event, and what the next needs to know of the last.
pub(crate) struct Transition {
    pub event: Event,
    pub(super) jump: Jump,
    pub(super) choice: Choice,
    pub(super) accumulation: Accumulation,
    pub(super) carrier: Carrier,
    pub(super) projector: Projector,
    /// The cluster that is worked on, and its degrees of freedom.
    pub(super) cluster: Cluster,
    pub(super) dofs: Vec<usize>,
    pub(super) before: Vec<Mode>,
    pub(super) forced: Vec<Option<Forced>>,
    /// When guards last decided, s.
    forced_at: f64,
    /// When the redundant forces of a site were shared anew.
    pub(super) shared: Vec<Sharings>,
    clusters: Clusters,
    pub(super) touching: Vec<usize>,
    involved: Vec<bool>,
}

impl Transition {
    /// `slowness` is the time √(length/g) of the whole mechanism, s.
    pub fn new(flow: &Flow<'_>, slowness: f64) -> Self {
        let (nv, ns) = (flow.model.nv(), flow.sites.len());
        Self {
            event: Event::empty(flow.model.nq(), nv),
            jump: Jump::new(nv),
            choice: Choice::new(nv),
            accumulation: Accumulation::default(),
            carrier: Carrier::new(nv, slowness),
            projector: Projector::new(flow.model, true),
            cluster: Cluster::default(),
            dofs: Vec::with_capacity(nv),
            before: vec![Mode::Open; ns],
            forced: vec![None; ns],
            forced_at: f64::NAN,
            shared: vec![Sharings::NONE; ns],
            clusters: Clusters::default(),
            touching: Vec::with_capacity(ns),
            involved: vec![false; flow.parts.count],
        }
    }

    /// Work through one event. `flow` must have been accelerated at `y` under the modes before;
    /// `tell` hears of each [`Event`] that comes of it.
    pub fn pass(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), SimError> {
        self.before.copy_from_slice(&flow.contacts.modes);
        self.read_guards(flow, place);
        self.pass_conditions(flow, place, y);
        self.end_carried(flow, place, y, ledger);
        self.find_touching(flow, place, y);
        self.start_motors(flow, place);
        self.tell_lost(flow, place.t, y, tell);
        let all = place.start || place.fired.iter().any(|f| !f.1.is_contact());
        let happened =
            |site: &usize| place.fired.iter().any(|(s, watch)| s == site && watch.is_contact());
        for i in 0..self.clusters.len() {
            if all || self.clusters.get(i).sites.iter().any(happened) {
                self.cluster.copy_from(self.clusters.get(i));
                self.work(flow, place, i, y, (ledger, tell))?;
            }
        }
        self.end_motors(flow, place, y, tell)?;
        self.tell_conditions(flow, place.t, y, tell);
        if self.all_rest(flow) {
            self.tell_rest(flow, place.t, y, tell);
        }
        Ok(())
    }

    /// Work on one cluster.
    fn work(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        index: usize,
        y: &mut [f64],
        (ledger, tell): (&mut Ledger, &mut dyn FnMut(&Event)),
    ) -> Result<(), SimError> {
        let (nq, nv) = (flow.model.nq(), flow.model.nv());
        self.wake(flow, index);
        self.event.clear();
        if place.rushed && self.cluster.sites.len() > rush::FEW {
            return self.carry(flow, place, index, y, (ledger, tell));
        }
        let touches = |site: usize| place.fired.contains(&(site, Watch::Gap));
        self.cluster.sites.retain(|&site| touches(site) || !is_apart(flow, site, place.rtol));
        // Bodies that overlap at the start or after a time step are put in touch, which takes or gives energy.
        let overlapping = (place.start || self.carrier.ended).then(|| {
            flow.posture.place(&y[..nq], &y[nq..nq + nv]);
            stored(flow, y)
        });
        let cluster = std::mem::take(&mut self.cluster);
        let moved = self.projector.positions(flow, &cluster, place.t, y);
        self.cluster = cluster;
        let moved = moved.map_err(|e| singular(place.t, e))?;
        if let Some(before) = overlapping.filter(|_| moved) {
            ledger.carried += stored(flow, y) - before;
        }
        let impacts = self.impacts(flow, place, &mut y[..nq + nv], ledger, tell)?;
        let mut impact = impacts == Impacts::Some;
        if place.stalled && impacts == Impacts::None {
            self.pose(flow, place.t, y)?;
            impact = self.jam(flow, place, &mut y[..nq + nv], ledger, tell)?;
        }
        if (place.stalled && !impact) || place.crowded || impacts == Impacts::Stuck {
            return self.carry(flow, place, index, y, (ledger, tell));
        }
        let jams = |site: &usize| self.forced[*site] == Some(Forced::Jams);
        if !impact && self.cluster.sites.iter().any(jams) {
            impact = self.jam(flow, place, &mut y[..nq + nv], ledger, tell)?;
            if !impact {
                return self.carry(flow, place, index, y, (ledger, tell));
            }
        }
        if impact {
            // What an impact did to the modes is told with the impact, and friction is that after it.
            self.remember(flow);
            for &site in &self.cluster.sites {
                self.forced[site].take_if(|f| matches!(f, Forced::Slips(_)));
            }
        }
        // Closing a contact that still had a little normal velocity may turn its slip around, and
        // takes away the accelerations that belonged to it.
        for _ in 0..SLIP_ROUNDS {
            let mut stands = self.stand(flow, place, &mut y[..nq + nv], impact, ledger)?;
            for _ in 0..=self.cluster.sites.len() {
                if stands || !self.jam(flow, place, &mut y[..nq + nv], ledger, tell)? {
                    break;
                }
                impact = true;
                stands = self.stand(flow, place, &mut y[..nq + nv], impact, ledger)?;
            }
            if !stands {
                return self.carry(flow, place, index, y, (ledger, tell));
            }
            let before = energy::kinetic_energy(flow.model, &flow.posture.kin, &y[nq..nq + nv]);
            let made = self.project(flow, before, &mut y[..nq + nv]);
            // What is captured is taken along by its support, with the energy that this needs.
            let captured = |&site: &usize| self.forced[site] == Some(Forced::Captured);
            if self.cluster.sites.iter().any(captured) {
                ledger.carried += made;
            } else if made > place.bound {
                // What the modes ask for is farther from the motion than any error of it.
                self.projector.take_back(&mut y[nq..nq + nv]);
                return self.carry(flow, place, index, y, (ledger, tell));
            } else {
                ledger.carry(made);
            }
            let moved = made.abs() > STILL * before;
            if !moved && self.slips_agree(flow, &y[nq..nq + nv]) {
                break;
            }
        }
        self.note_sharing(place.t);
        self.tell_changes(flow, place.t, &y[..nq + nv], tell);
        self.settle(flow, &mut y[nq..nq + nv]);
        Ok(())
    }

    /// Velocities return to the modes; the energy that it makes.
    fn project(&mut self, flow: &mut Flow<'_>, before: f64, y: &mut [f64]) -> f64 {
        let (q, v) = y.split_at_mut(flow.model.nq());
        let starts = |site: &&usize| matches!(self.forced[**site], Some(Forced::Slips(_)));
        self.projector.starting.clear();
        self.projector.starting.extend(self.cluster.sites.iter().filter(starts));
        if !self.projector.velocities(flow, v) {
            return 0.0;
        }
        flow.posture.place(q, v);
        energy::kinetic_energy(flow.model, &flow.posture.kin, v) - before
    }

    /// Modes before are those now, for the sites of the cluster.
    pub(super) fn remember(&mut self, flow: &Flow<'_>) {
        for &site in &self.cluster.sites {
            self.before[site] = flow.contacts.modes[site];
        }
    }

    /// What the guards have decided, with the forces just before, which `flow` holds.
    fn read_guards(&mut self, flow: &Flow<'_>, place: &Place<'_>) {
        // Friction that was at its limit at this instant still is.
        let same = std::mem::replace(&mut self.forced_at, place.t) == place.t;
        for forced in &mut self.forced {
            *forced = forced.filter(|f| same && matches!(f, Forced::Slips(_)));
        }
        for &(site, watch) in place.fired {
            if watch.is_contact() {
                self.forced[site] = None;
            }
        }
        for &(site, watch) in place.fired {
            match watch {
                Watch::NormalForce => {
                    let passed = flow.has_jammed(site);
                    self.forced[site] = Some(if passed { Forced::Jams } else { Forced::Opens });
                    // Friction of a joint that leaves its stop is at its limit already, (1) of `stops`.
                    if let (Some(friction), SiteGeometry::Limit { side, .. }) =
                        (flow.stops.friction(site), &flow.sites[site].geometry)
                    {
                        self.forced[friction] = Some(Forced::Slips([*side, 0.0]));
                    }
                }
                Watch::Stability | Watch::Instability => {
                    self.forced[site] = Some(Forced::Jams);
                }
                Watch::Cone if self.forced[site].is_none() => {
                    let f = flow.contacts.forces[site];
                    let size = f[0].hypot(f[1]);
                    self.forced[site] = Some(Forced::Slips([-f[0] / size, -f[1] / size]));
                }
                Watch::Capture if self.forced[site].is_none() => {
                    self.forced[site] = Some(Forced::Captured);
                }
                Watch::Slip if self.forced[site].is_none() => {
                    let s = &flow.contacts.states[site];
                    let least = (SLIP_ENDED * s.speed).max(flow.contacts.slip_noise[site]);
                    if s.u[0].hypot(s.u[1]) <= least || flow.sites[site].tangents == 1 {
                        self.forced[site] = Some(Forced::Stops);
                    }
                }
                _ => {}
            }
        }
    }

    /// Closed sites, sites whose gap has just closed, and open ones of the same parts without a gap,
    /// again and again until no part is added; and the clusters that they make. Those that separate are
    /// among them: bodies wedged between two surfaces hit them in turn without time passing.
    fn find_touching(&mut self, flow: &mut Flow<'_>, place: &Place<'_>, y: &[f64]) {
        let (q, v, _) = flow.split(y);
        flow.posture.place(q, v);
        self.touching.clear();
        let fired = |site: usize| place.fired.iter().any(|&(s, w)| s == site && w == Watch::Gap);
        for site in 0..flow.sites.len() {
            let closed = flow.contacts.modes[site].is_closed() || fired(site);
            let muted = !closed && flow.given.conditions.mutes(site);
            if closed || (!muted && self.was_pressed(flow, site)) {
                flow.observe(site, q, v);
                self.touching.push(site);
            }
        }
        self.involved.fill(false);
        for &(site, _) in place.fired.iter().filter(|f| f.1.is_contact()) {
            flow.parts.of_site[site].into_iter().flatten().for_each(|p| self.involved[p] = true);
        }
        let joins = |flow: &Flow<'_>, involved: &mut [bool], site: usize| {
            let mut grew = false;
            for part in flow.parts.of_site[site].into_iter().flatten() {
                grew |= !std::mem::replace(&mut involved[part], true);
            }
            grew
        };
        let mut grew = true;
        while grew {
            grew = false;
            for site in 0..flow.sites.len() {
                let parts = flow.parts.of_site[site];
                if !parts.into_iter().flatten().any(|part| self.involved[part]) {
                    continue;
                }
                if self.touching.contains(&site) {
                    grew |= joins(flow, &mut self.involved, site);
                    continue;
                }
                if flow.given.conditions.mutes(site) {
                    continue;
                }
                flow.observe(site, q, v);
                let s = &flow.contacts.states[site];
                if s.gap <= NEAR * s.noise {
                    self.touching.push(site);
                    grew |= joins(flow, &mut self.involved, site);
                }
            }
        }
        for site in 0..flow.sites.len() {
            let Some(of) = flow.sites[site].follows() else { continue };
            let closes = self.touching.contains(&of);
            if closes != self.touching.contains(&site) {
                self.touching.retain(|&s| s != site);
                self.touching.extend(closes.then_some(site));
            }
        }
        self.touching.sort_unstable();
        self.clusters.find(&flow.parts, &self.touching);
    }

    /// Nothing of the cluster is at rest or held open any more; `dofs` are its degrees of freedom.
    fn wake(&mut self, flow: &mut Flow<'_>, index: usize) {
        self.dofs.clear();
        for j in 0..flow.frozen.len() {
            if self.clusters.holds(index, flow.parts.of_dof[j]) {
                flow.frozen[j] = false;
                self.dofs.push(j);
            }
        }
        // Also of sites that have come apart since, and are no longer of the cluster.
        for site in 0..flow.sites.len() {
            let parts = flow.parts.of_site[site].into_iter().flatten();
            flow.contacts.held_open[site] &=
                !parts.into_iter().any(|p| self.clusters.holds(index, p));
        }
    }

    /// Whether a part belongs to the cluster of this index.
    pub(super) fn holds(&self, index: usize, part: usize) -> bool {
        self.clusters.holds(index, part)
    }

    /// Whether every slipping site of the cluster slips the way its friction assumes.
    fn slips_agree(&mut self, flow: &Flow<'_>, v: &[f64]) -> bool {
        let rows = &self.projector.rows;
        rows.sites.iter().enumerate().all(|(k, &site)| {
            let Mode::Slip { reference } = flow.contacts.modes[site] else { return true };
            let s = &flow.contacts.states[site];
            let (mut along, mut slip, mut size) = (0.0, 0.0_f64, 0.0_f64);
            for (t, i) in rows.contact(k).tangent_rows().enumerate() {
                let u = rows.block.times(i, v);
                along += u * s.axes[t].dot(&reference);
                slip = slip.hypot(u);
                size = size.max(rows.block.size(i, v));
            }
            along >= ALIGNED * slip - VELOCITY_NOISE * size
        })
    }
}

/// Cosine between a slip and the friction that opposes it below which modes are chosen again.
const ALIGNED: f64 = 0.999;

/// Gaps up to this many times their round-off are closed.
const NEAR: f64 = 8.0;

/// Whether a site that a time step has pressed is still open: the step was cut short before it closed. What a guard has found
/// to touch is not asked: the round-off of a gap says nothing where the numbers that it is a difference of are zero themselves.
fn is_apart(flow: &Flow<'_>, site: usize, rtol: f64) -> bool {
    let s = &flow.contacts.states[site];
    !flow.contacts.modes[site].is_closed() && s.gap > shared_height(s.noise, rtol)
}

pub(super) fn singular(t: f64, source: SingularInertia) -> SimError {
    let source = carom_ode::FlowError::Rate { t, source };
    SimError::Flow { modes: String::from("at an event"), source }
}

/// Energy that is stored in the posture at hand, J.
pub(super) fn stored(flow: &Flow<'_>, y: &[f64]) -> f64 {
    let (q, v, _) = flow.split(y);
    let kin = &flow.posture.kin;
    energy::kinetic_energy(flow.model, kin, v)
        + energy::gravity_energy(flow.model, kin)
        + forces::spring_energy(flow.model, q)
        + elements::point_spring_energy(flow.model, kin)
}
