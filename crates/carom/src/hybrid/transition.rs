//! The modes that follow an event.
//!
//! # Order
//! 1. Who touches: closed sites whose force did not vanish, and sites whose gap has closed.
//! 2. If some approach: the impact law, all touching sites together, until none approaches.
//! 3. Sites that touch without normal velocity: modes by the contact laws ([`crate::contact`]).
//! 4. What neither moves nor accelerates is at rest, exactly.
//!
//! # Limits
//! A velocity counts as zero below [`ZERO_VELOCITY`] of the largest contact velocity of the event,
//! and below 1e-13 of the velocity scale of the run.

use super::jump::Jump;
use super::laws::Laws;
use super::motion::Motion;
use super::outcome::SimError;
use super::watch::Watch;
use crate::contact::{
    ContactFailure, ContactForces, Freedom, Instant, Mode, Press, SearchScratch, find_modes,
};
use crate::dynamics::{SingularInertia, energy};
use crate::impact::contact_space::ZERO_VELOCITY;
use crate::record::{ContactChange, Event, EventKind, Ledger};

/// Contact velocities below this fraction of the velocity scale are round-off.
pub(super) const NO_VELOCITY: f64 = 1e-13;
/// Rounds of choosing modes until slips agree with their friction.
const SLIP_ROUNDS: usize = 4;
/// Slip starts of one site at one instant after which it is known to neither stick nor slip.
const MOST_SLIP_STARTS: usize = 8;
/// Slip below this fraction of the velocity scale has ended, m/s per m/s.
const SLIP_ENDED: f64 = 1e-9;

/// Why an event leads nowhere.
pub(crate) enum Dead {
    Error(SimError),
    NoSolution,
    Ambiguous,
}

impl From<SimError> for Dead {
    fn from(e: SimError) -> Self {
        Self::Error(e)
    }
}

/// Scratch and tolerances of transitions.
pub(crate) struct Transition {
    pub jump: Jump,
    pub event: Event,
    pub(super) search: SearchScratch,
    pub(super) forces: ContactForces,
    pub(super) press: Vec<Press>,
    pub(super) freedoms: Vec<Freedom>,
    forced: Vec<Option<Forced>>,
    pub(super) before: Vec<Mode>,
    pub(super) touching: Vec<usize>,
    pub(super) dv: Vec<f64>,
    pub(super) islands: Vec<usize>,
    pub(super) awake: Vec<bool>,
    pub(super) zeno_closes: Vec<bool>,
    pub(super) was_closed: bool,
    pub(super) floors: Vec<f64>,
    /// When each site last lifted off, s.
    pub(super) lifted: Vec<f64>,
    /// When each site could last stick no longer, s, and how often before at that very time.
    let_slip: Vec<(f64, usize)>,
    /// Sites that need not be watched yet, see `sinking.rs`.
    pub(super) spared: Vec<bool>,
}

/// What a guard has decided about a site.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Forced {
    Opens,
    Slips([f64; 2]),
    Stops,
}

/// Where the event happens.
pub(crate) struct Place<'e> {
    pub t: f64,
    /// Time since the start times the Zeno fraction, s.
    pub zeno: f64,
    pub fired: &'e [(usize, Watch)],
    pub laws: &'e Laws<'e>,
}

impl Transition {
    pub fn new(motion: &Motion<'_>) -> Self {
        let (nv, ns) = (motion.model.nv(), motion.sites.len());
        let rows = motion.system.G.nrows();
        let event = Event {
            t: 0.0,
            kind: EventKind::Impact,
            contacts: Vec::with_capacity(ns),
            actuators: Vec::new(),
            q: vec![0.0; motion.model.nq()],
            v_pre: vec![0.0; nv],
            v_post: vec![0.0; nv],
            energy_before: 0.0,
            energy_after: 0.0,
            attenuation_work: 0.0,
            remaining_time: None,
        };
        Self {
            jump: Jump::new(nv),
            event,
            search: SearchScratch::with_capacity(rows, rows),
            forces: ContactForces::with_capacity(rows),
            press: Vec::with_capacity(rows),
            freedoms: Vec::with_capacity(rows),
            forced: vec![None; ns],
            before: vec![Mode::Open; ns],
            touching: Vec::with_capacity(ns),
            dv: vec![0.0; nv],
            islands: Vec::with_capacity(motion.model.tree().links.len()),
            awake: Vec::with_capacity(motion.model.tree().links.len()),
            zeno_closes: Vec::with_capacity(ns),
            was_closed: false,
            floors: Vec::with_capacity(ns),
            lifted: vec![f64::NEG_INFINITY; ns],
            let_slip: vec![(f64::NEG_INFINITY, 0); ns],
            spared: vec![false; ns],
        }
    }

    /// Work through one event. `motion` must have been accelerated at `y` under the modes before;
    /// `tell` hears of each [`Event`] that comes of it.
    pub fn pass(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), Dead> {
        let (nq, nv) = (motion.model.nq(), motion.model.nv());
        self.before.copy_from_slice(&motion.modes);
        self.was_closed = motion.modes.iter().any(Mode::is_closed);
        self.read_guards(motion, place);
        if self.wavers(place) {
            return Err(Dead::NoSolution);
        }
        motion.grow_scales(&y[nq..nq + nv]);
        self.find_touching(motion, place, &y[..nq + nv]);
        self.start_drive(motion, place);
        motion.close_gaps(place.t, y).map_err(|e| singular(place.t, e))?;
        let impacts = self.impacts(motion, place, &mut y[..nq + nv], ledger, tell)?;
        motion.frozen.fill(false);
        // What an impact did to the modes is told with the impact.
        let mut impact = impacts > 0;
        if impact {
            self.before.copy_from_slice(&motion.modes);
        }
        // Closing a contact that still had a little normal velocity may turn its slip around.
        for _ in 0..SLIP_ROUNDS {
            let mut stood = self.stand(motion, place, &y[..nq + nv], impact);
            for _ in 0..=self.touching.len() {
                if !matches!(stood, Err(Dead::NoSolution)) {
                    break;
                }
                self.jam(motion, place, &mut y[..nq + nv], ledger, tell)?;
                impact = true;
                stood = self.stand(motion, place, &y[..nq + nv], impact);
            }
            stood?;
            motion.project_state(place.t, y).map_err(|e| singular(place.t, e))?;
            if slips_agree(motion, &y[..nq + nv]) {
                break;
            }
        }
        let approaches =
            |&site: &usize| !motion.modes[site].is_closed() && motion.states[site].u[2] < 0.0;
        if self.touching.iter().any(approaches) {
            // By less than counts as an approach, and without a force that would stop it.
            motion.articulate().map_err(|e| singular(place.t, e))?;
            motion.still_normals(place.t, y, &self.touching);
        }
        self.tell_changes(motion, place.t, &y[..nq + nv], tell);
        self.end_drive(motion, place, &y[..nq + nv], tell)?;
        if self.settle(motion, &mut y[nq..nq + nv]) {
            self.tell_rest(motion, place.t, &y[..nq + nv], tell);
        }
        Ok(())
    }

    /// What the guards have decided, with the forces just before, which `motion` holds.
    fn read_guards(&mut self, motion: &Motion<'_>, place: &Place<'_>) {
        self.forced.fill(None);
        for &(site, watch) in place.fired {
            match watch {
                Watch::Gap => {}
                Watch::NormalForce => self.forced[site] = Some(Forced::Opens),
                Watch::Cone if self.forced[site].is_none() => {
                    let f = motion.site_force(site);
                    let size = f[0].hypot(f[1]);
                    self.forced[site] = Some(Forced::Slips([-f[0] / size, -f[1] / size]));
                }
                Watch::Slip if self.forced[site].is_none() => {
                    let u = motion.states[site].u;
                    if u[0].hypot(u[1]) <= SLIP_ENDED * motion.scales.velocity
                        || motion.sites[site].tangents == 1
                    {
                        self.forced[site] = Some(Forced::Stops);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a site that can no longer stick has time and again not been able to slip either: its
    /// slip would go the other way than its friction assumes, which is a paradox.
    fn wavers(&mut self, place: &Place<'_>) -> bool {
        let mut wavers = false;
        for &(site, _) in place.fired.iter().filter(|f| f.1 == Watch::Cone) {
            let (t, count) = self.let_slip[site];
            let count = if place.t - t <= 1e-13 * place.t.abs() { count + 1 } else { 0 };
            self.let_slip[site] = (place.t, count);
            wavers |= count > MOST_SLIP_STARTS;
        }
        wavers
    }

    /// Whether the normal force of a site has vanished.
    pub(super) fn opens(&self, site: usize) -> bool {
        self.forced[site] == Some(Forced::Opens)
    }

    /// Closed sites, and sites whose gap has just closed. Leaves them in `motion.active`.
    fn find_touching(&mut self, motion: &mut Motion<'_>, place: &Place<'_>, y: &[f64]) {
        let (q, v) = y.split_at(motion.model.nq());
        let least = 64.0 * f64::EPSILON * motion.scales.length;
        self.touching.clear();
        motion.place(q, v);
        for site in 0..motion.sites.len() {
            let fired = place.fired.contains(&(site, Watch::Gap));
            let closed = motion.modes[site].is_closed();
            if !closed && !fired {
                motion.observe(site, q, v);
            }
            let near =
                !closed && motion.states[site].gap <= least && motion.states[site].u[2] <= 0.0;
            if closed || fired || near {
                self.touching.push(site);
            }
        }
        motion.active.clone_from(&self.touching);
    }

    pub(super) fn start_event(&mut self, motion: &Motion<'_>, t: f64, q: &[f64], v: &[f64]) {
        self.event.t = t;
        self.event.q.copy_from_slice(q);
        self.event.v_pre.copy_from_slice(v);
        self.event.v_post.copy_from_slice(v);
        self.event.energy_before = energy::kinetic_energy(motion.model, &motion.kin, v);
        self.event.energy_after = self.event.energy_before;
        self.event.attenuation_work = 0.0;
        self.event.remaining_time = None;
    }

    /// Modes of all sites for the motion that follows.
    pub(super) fn choose_modes(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        y: &[f64],
        impact: bool,
    ) -> Result<(), Dead> {
        let (q, v) = y.split_at(motion.model.nq());
        motion.place(q, v);
        let local = self.slowest_zero(motion, q, v);
        if impact && self.all_leave(motion, local) {
            motion.modes.fill(Mode::Open);
            motion.active.clear();
            return Ok(());
        }
        for site in 0..motion.sites.len() {
            if !self.touching.contains(&site) {
                motion.modes[site] = Mode::Open;
            }
        }
        // Floors by the acceleration that a contact would have if it let go.
        motion.active.clone_from(&self.touching);
        motion.free(place.t, q, v).map_err(|e| singular(place.t, e))?;
        motion.assemble(place.t, q, v);
        motion.fill_free();
        self.find_floors(motion);
        motion.active.clear();
        for i in 0..self.touching.len() {
            let site = self.touching[i];
            let lifted = !impact && self.opens(site) && !motion.drive.let_go(site);
            // Without an impact, what was closed has no normal velocity but round-off.
            let closed = !impact && self.before[site].is_closed();
            let separates = !closed && motion.states[site].u[2] > local.max(self.floors[i]);
            if lifted || separates {
                motion.modes[site] = Mode::Open;
            } else {
                motion.active.push(site);
            }
        }
        motion.assemble(place.t, q, v);
        motion.fill_free();
        if motion.system.rows() == 0 {
            return Ok(());
        }
        self.read_freedoms(motion, local, impact);
        let found = find_modes(
            &motion.system,
            &self.freedoms,
            &mut self.search,
            &mut self.press,
            &mut self.forces,
        );
        match found {
            Ok(()) => self.adopt(motion),
            Err(ContactFailure::NoSolution { .. }) => return Err(Dead::NoSolution),
            Err(ContactFailure::Ambiguous { .. }) => return Err(Dead::Ambiguous),
            Err(source) => return Err(SimError::Contact { t: place.t, source }.into()),
        }
        Ok(())
    }

    /// Whether nothing was closed before the impact and every touching site clearly leaves: the
    /// floors found before the impact then hold, and there are no modes to choose.
    fn all_leave(&self, motion: &Motion<'_>, zero: f64) -> bool {
        !self.was_closed
            && self.touching.len() == self.floors.len()
            && self
                .touching
                .iter()
                .zip(&self.floors)
                .all(|(&site, floor)| motion.states[site].u[2] > 2.0 * floor.max(zero))
    }

    /// Observe the touching sites; the velocity that counts as zero.
    fn slowest_zero(&self, motion: &mut Motion<'_>, q: &[f64], v: &[f64]) -> f64 {
        let mut fastest = 0.0_f64;
        for &site in &self.touching {
            motion.observe(site, q, v);
            fastest = motion.states[site].u.iter().fold(fastest, |s, u| s.max(u.abs()));
        }
        for change in &self.event.contacts {
            fastest = change.u_pre.iter().fold(fastest, |s, u| s.max(u.abs()));
        }
        (ZERO_VELOCITY * fastest).max(NO_VELOCITY * motion.scales.velocity)
    }

    fn read_freedoms(&mut self, motion: &Motion<'_>, zero: f64, impact: bool) {
        self.freedoms.clear();
        self.freedoms.extend(motion.bilaterals.iter().map(|_| Freedom::Held));
        for &site in &motion.active {
            let u = motion.states[site].u;
            let slip = u[0].hypot(u[1]);
            let forced = if impact { None } else { self.forced[site] };
            let closed_stick = !impact && self.before[site] == Mode::Stick;
            self.freedoms.push(match forced {
                Some(Forced::Slips(d)) => Freedom::Sliding(d),
                Some(Forced::Stops) => Freedom::Still,
                _ if closed_stick || slip <= zero || motion.sites[site].tangents == 0 => {
                    Freedom::Still
                }
                _ if motion.sites[site].tangents == 1 => Freedom::Sliding([u[0].signum(), 0.0]),
                _ => Freedom::Sliding([u[0] / slip, u[1] / slip]),
            });
        }
    }

    /// Take over the modes that were found.
    fn adopt(&mut self, motion: &mut Motion<'_>) {
        let nb = motion.bilaterals.len();
        for (k, &site) in motion.active.iter().enumerate() {
            let axes = motion.states[site].axes;
            motion.modes[site] = match self.press[nb + k] {
                Press::Open => Mode::Open,
                Press::Stick => Mode::Stick,
                Press::Slip(d) => Mode::Slip { reference: axes[0] * d[0] + axes[1] * d[1] },
            };
        }
        let at = Instant { model: motion.model, kin: &motion.kin, art: &motion.art };
        let mut dv = std::mem::take(&mut self.dv);
        motion.block.response(&at, &self.forces.lambda, &mut motion.response, &mut dv);
        motion.vdot.iter_mut().zip(&dv).for_each(|(a, d)| *a += d);
        self.dv = dv;
        let modes = &motion.modes;
        motion.active.retain(|&site| modes[site].is_closed());
    }

    /// One event for all modes that changed without an impulse.
    fn tell_changes(
        &mut self,
        motion: &Motion<'_>,
        t: f64,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) {
        let (q, v) = y.split_at(motion.model.nq());
        let mut kind: Option<EventKind> = None;
        self.event.contacts.clear();
        for (site, (&before, &after)) in self.before.iter().zip(&motion.modes).enumerate() {
            let Some(sort) = change_kind(&before, &after) else { continue };
            if sort == EventKind::LiftOff {
                self.lifted[site] = t;
            }
            kind = Some(kind.map_or(sort, |k| most_telling(k, sort)));
            let u = motion.states[site].u;
            self.event.contacts.push(ContactChange {
                site,
                before,
                after,
                u_pre: u,
                u_post: u,
                impulse: [0.0; 3],
                normal_work: 0.0,
                friction_work: 0.0,
            });
        }
        if let Some(kind) = kind {
            self.start_event(motion, t, q, v);
            self.event.kind = kind;
            tell(&self.event);
        }
    }

    fn tell_rest(&mut self, motion: &Motion<'_>, t: f64, y: &[f64], tell: &mut dyn FnMut(&Event)) {
        let (q, v) = y.split_at(motion.model.nq());
        self.start_event(motion, t, q, v);
        self.event.contacts.clear();
        self.event.kind = EventKind::Rest;
        tell(&self.event);
    }
}

/// Whether every slipping site slips the way its friction assumes.
fn slips_agree(motion: &mut Motion<'_>, y: &[f64]) -> bool {
    let (q, v) = y.split_at(motion.model.nq());
    motion.place(q, v);
    let zero = NO_VELOCITY * motion.scales.velocity;
    (0..motion.active.len()).all(|k| {
        let site = motion.active[k];
        let Mode::Slip { reference } = motion.modes[site] else { return true };
        motion.observe(site, q, v);
        let s = &motion.states[site];
        (s.axes[0] * s.u[0] + s.axes[1] * s.u[1]).dot(&reference) >= -zero
    })
}

pub(super) fn singular(t: f64, source: SingularInertia) -> SimError {
    let source = carom_ode::FlowError::Rate { t, source };
    SimError::Flow { modes: String::from("at an event"), source }
}

/// The sort of a change of mode.
fn change_kind(before: &Mode, after: &Mode) -> Option<EventKind> {
    match (before, after) {
        (Mode::Open, Mode::Open) | (Mode::Stick, Mode::Stick) => None,
        (Mode::Open, _) => Some(EventKind::Touch),
        (_, Mode::Open) => Some(EventKind::LiftOff),
        (Mode::Slip { .. }, Mode::Stick) => Some(EventKind::SlipStop),
        (Mode::Stick, Mode::Slip { .. }) => Some(EventKind::SlipStart),
        (Mode::Slip { reference: a }, Mode::Slip { reference: b }) => {
            (a.dot(b) < 0.0).then_some(EventKind::SlipReversal)
        }
    }
}

/// Of two changes at one instant, the one that names the event.
fn most_telling(a: EventKind, b: EventKind) -> EventKind {
    let rank = |k: EventKind| match k {
        EventKind::LiftOff => 0,
        EventKind::Touch => 1,
        EventKind::SlipReversal => 2,
        EventKind::SlipStart => 3,
        _ => 4,
    };
    if rank(b) < rank(a) { b } else { a }
}
