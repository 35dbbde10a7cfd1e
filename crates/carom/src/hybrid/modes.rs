//! The modes of a cluster for the motion that follows an event.
//!
//! # Rule
//! Sites that leave are open. The others make a Coulomb problem of forces: a site that slips slides along
//! its slip, one without slip may stick or start to slip. The modes before are tried first, so that of
//! several answers the one that continues the motion is taken.
//!
//! *Closing.* A contact that an impact leaves with a rebound too short to be told ([`accumulation`](super::accumulation)) is
//! at rest, but still has that velocity. It is taken away first, by the smallest change in the metric of M, which loses energy:
//! ```text
//! v ← v − M⁻¹Jₙᵀ (Jₙ M⁻¹ Jₙᵀ)⁺ Jₙ v                                        (2)
//! ```
//! again and again, because it may slow down others that close then as well. Slips turn with it: modes chosen before may pull
//! after, and a jam, whose impulses are found for uₙ = 0, would gain pₙ uₙ. A slip no larger than what (2) has changed it by, but for round-off, is none.
//!
//! A slip is none below
//! ```text
//! rtol √(ℓ a)                                                              (1)
//! ```
//! ℓ the size of the numbers that place the cluster and a its largest acceleration: velocities are not
//! known better. Such a contact may stick or start to slip, in a direction that its velocity cannot tell.
//!
//! A contact that starts to slip in the answer x, but with no acceleration to speak of, is held by others and sticks, if its modes
//! have an answer then: among those nearest to x, whose friction is at its limit as well,
//! ```text
//! w = G x′ + b,   ‖x′ − x‖ least,   residual(x′) ≤ ACCEPTED                  (3)
//! ```
//! Where contacts are nearly redundant an acceleration that is next to nothing may take forces without bound to stop.
//!
//! A guard that has fired decides where two modes meet: a normal force that vanished opens the site,
//! friction that reached its limit lets it slip. With redundant contacts neither need be so: if other
//! forces inside all cones hold the same motion, they become the reference and no mode changes
//! ([`share`](crate::coulomb::share)), unless they have just done so: contacts that are nearly redundant can press each
//! other out of their cones as fast as they are shared, and must let go, as must those of [`super::sharings`], (1).
//!
//! # Tests
//! Limits that are reached together: `crates/carom-scene/tests/redundant.rs`; (2): `tests/hybrid_wild.rs`, struck 15 of seed 41,
//! 7 of seed 52 and legged 39 of seed 1001; (3): there, legged 168 of seed 601.

use super::event::{Forced, Place, Transition, singular};
use super::flow::Flow;
use super::held_open::HeldOpen;
use super::outcome::SimError;
use crate::contact::Mode;
use crate::coulomb::share::{Room, Share};
use crate::coulomb::{
    self, Duty, Method, ModeSystem, Solved, Solver, Tangent, residual, scale, velocity,
};
use crate::dynamics::energy::kinetic_energy;
use crate::numeric::thresholds::{
    ACCEPTED, JAMS, STILL, TIME_RESOLUTION, VELOCITY_NOISE, ZERO_VELOCITY,
};
use crate::record::Ledger;
use nalgebra::{DVector, Vector2};

/// Friction of a contact that is captured, see [`super::capture`]: more than any force between bodies asks for.
const ENFORCED: f64 = 1e6;

/// Buffers of a choice, and how the last one was made.
pub(crate) struct Choice {
    pub solver: Solver,
    pub system: ModeSystem,
    share: Share,
    pub modes: Vec<coulomb::Mode>,
    warm: Vec<coulomb::Mode>,
    pub x: DVector<f64>,
    pub w: DVector<f64>,
    reference: Vec<f64>,
    /// Contacts that may stick by (3), the forces of that, and what they make.
    still: Vec<usize>,
    near: [DVector<f64>; 2],
    held_open: HeldOpen,
    held_sites: Vec<usize>,
    dv: Vec<f64>,
    stays: Vec<bool>,
    /// What (2) has changed the slips of sites by, m/s.
    turned: Vec<(usize, Vector2<f64>)>,
    all: Vec<usize>,
    /// Redundant forces have been shared anew instead of changing a mode.
    shares: bool,
    pub solved: Solved,
}

impl Choice {
    pub fn new(nv: usize) -> Self {
        Self {
            solver: Solver::default(),
            system: ModeSystem::default(),
            share: Share::default(),
            modes: Vec::new(),
            warm: Vec::new(),
            x: DVector::zeros(0),
            w: DVector::zeros(0),
            reference: Vec::new(),
            still: Vec::new(),
            near: [DVector::zeros(0), DVector::zeros(0)],
            held_open: HeldOpen::default(),
            held_sites: Vec::new(),
            dv: vec![0.0; nv],
            stays: Vec::new(),
            turned: Vec::new(),
            all: Vec::new(),
            shares: false,
            solved: Solved { by: Method::Nothing, residual: 0.0, softness: 0.0, unique: true },
        }
    }
}

impl Transition {
    /// Modes of the cluster; whether there are any. `impact`: velocities have just jumped.
    pub(super) fn choose_modes(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        impact: bool,
        ledger: &mut Ledger,
    ) -> Result<bool, SimError> {
        self.look(flow, y);
        self.choice.turned.clear();
        self.cluster.sites.iter().for_each(|&site| flow.contacts.held_open[site] = false);
        let zero = self.slowest(flow, place.t);
        if impact && self.all_leave(flow, zero) {
            self.cluster.sites.iter().for_each(|&site| flow.contacts.modes[site] = Mode::Open);
            self.projector.rows.sites.clear();
            return Ok(true);
        }
        self.free(flow, place.t, y)?;
        self.assemble(flow, place.t, y, |_| true);
        self.projector.rows.accelerations(&flow.vdot, &flow.contacts.states);
        self.accumulation.find_floors(flow, &self.projector.rows, place.rtol, y);
        // What was taken away may have slowed down others, which close as well: each round has one more at least.
        for _ in 0..self.cluster.sites.len() {
            if !impact || !self.close(flow, place.t, (y, zero), ledger) {
                break;
            }
            self.free(flow, place.t, y)?;
        }
        let y = &*y;
        self.choice.shares = false;
        let forced = !impact
            && self
                .cluster
                .sites
                .iter()
                .any(|&s| matches!(self.forced[s], Some(Forced::Opens | Forced::Slips(_))));
        if forced
            && !self.shared_lately(flow, place.t)
            && self.try_modes(flow, place, (y, zero), (impact, false)) == Some(Room::Roomy)
        {
            self.choice.shares = true;
            self.adopt(flow);
            return Ok(true);
        }
        let mut found = self.try_modes(flow, place, (y, zero), (impact, true));
        if forced && found.is_none() {
            // The guard has misjudged which contact lets go.
            found = self.try_modes(flow, place, (y, zero), (impact, false));
        }
        if found.is_some() {
            self.adopt(flow);
        }
        Ok(found.is_some())
    }

    /// Observe the sites of the cluster at a state.
    fn look(&self, flow: &mut Flow<'_>, y: &[f64]) {
        let (q, v) = y.split_at(flow.model.nq());
        flow.posture.place(q, v);
        for &site in &self.cluster.sites {
            flow.observe(site, q, v);
        }
    }

    /// Accelerations without contact forces at a state, which stays placed.
    fn free(&self, flow: &mut Flow<'_>, t: f64, y: &[f64]) -> Result<(), SimError> {
        let (q, v) = y.split_at(flow.model.nq());
        flow.free(t, q, v).map_err(|e| singular(t, e))?;
        flow.posture.place(q, v);
        Ok(())
    }

    /// (2) after an impact; whether velocities changed.
    fn close(
        &mut self,
        flow: &mut Flow<'_>,
        t: f64,
        (y, zero): (&mut [f64], f64),
        ledger: &mut Ledger,
    ) -> bool {
        let rises = |(&site, &floor): (&usize, &f64)| {
            let u = flow.contacts.states[site].u[2];
            zero < u && u <= floor
        };
        if !self.cluster.sites.iter().zip(&self.accumulation.floors).any(rises) {
            return false;
        }
        let mut stays = std::mem::take(&mut self.choice.stays);
        self.staying(flow, zero, true, |_| false, &mut stays);
        self.assemble(flow, t, y, |k| stays[k]);
        self.choice.stays = stays;
        let (q, v) = y.split_at_mut(flow.model.nq());
        let before = kinetic_energy(flow.model, &flow.posture.kin, v);
        let slip = |flow: &Flow<'_>, site: usize| {
            let u = flow.contacts.states[site].u;
            Vector2::new(u[0], u[1])
        };
        let (sites, turned) = (self.cluster.sites.iter(), &mut self.choice.turned);
        if turned.is_empty() {
            turned.extend(sites.map(|&site| (site, Vector2::zeros())));
        }
        turned.iter_mut().for_each(|(site, u)| *u += slip(flow, *site));
        self.projector.close(flow, v);
        flow.posture.place(q, v);
        ledger.carry(kinetic_energy(flow.model, &flow.posture.kin, v) - before);
        self.look(flow, y);
        self.choice.turned.iter_mut().for_each(|(site, u)| *u -= slip(flow, *site));
        true
    }

    /// The modes of the cluster are found: what was shared counts from the next event on.
    pub(super) fn note_sharing(&mut self, t: f64) {
        if std::mem::take(&mut self.choice.shares) {
            self.cluster.sites.iter().for_each(|&site| self.shared[site].note(t));
        }
    }

    /// Whether the forces of a site that fires were shared anew so lately, or so often, that redundancy does not explain it.
    fn shared_lately(&self, flow: &Flow<'_>, t: f64) -> bool {
        let recent = JAMS * self.time_scale(flow);
        let lately =
            |site: &usize| self.forced[*site].is_some() && self.shared[*site].end(t, recent);
        self.cluster.sites.iter().any(lately)
    }

    /// Rows of the closed sites of the cluster with their accelerations without contact forces.
    pub(super) fn pose(&mut self, flow: &mut Flow<'_>, t: f64, y: &[f64]) -> Result<(), SimError> {
        let (q, v, _) = flow.split(y);
        flow.free(t, q, v).map_err(|e| singular(t, e))?;
        flow.posture.place(q, v);
        let closed: Vec<bool> =
            self.cluster.sites.iter().map(|&s| flow.contacts.modes[s].is_closed()).collect();
        self.assemble(flow, t, y, |k| closed[k]);
        self.projector.rows.accelerations(&flow.vdot, &flow.contacts.states);
        Ok(())
    }

    /// Rows of the sites of the cluster that `which` names by place.
    fn assemble(&mut self, flow: &mut Flow<'_>, t: f64, y: &[f64], which: impl Fn(usize) -> bool) {
        let mut cluster = std::mem::take(&mut self.cluster);
        let mut all = std::mem::take(&mut self.choice.all);
        all.clone_from(&cluster.sites);
        let mut place = 0;
        cluster.sites.retain(|_| {
            place += 1;
            which(place - 1)
        });
        self.projector.assemble(flow, &cluster, t, y);
        cluster.sites.clone_from(&all);
        self.cluster = cluster;
        self.choice.all = all;
    }

    /// Which sites of the cluster stay closed, if forces let them.
    fn staying(
        &self,
        flow: &Flow<'_>,
        zero: f64,
        impact: bool,
        lifted: impl Fn(usize) -> bool,
        stays: &mut Vec<bool>,
    ) {
        stays.clear();
        for (k, &site) in self.cluster.sites.iter().enumerate() {
            if let Some(of) = flow.sites[site].follows() {
                // With the site that it follows, or not at all.
                let leader = self.cluster.sites.iter().position(|&s| s == of);
                stays.push(leader.is_some_and(|k| stays[k]));
                continue;
            }
            // Without an impact, what was closed has no normal velocity but round-off.
            let closed = !impact && self.before[site].is_closed();
            let floor = zero.max(self.accumulation.floors[k]);
            stays.push(!lifted(site) && (closed || flow.contacts.states[site].u[2] <= floor));
        }
    }

    /// One problem: with the guards' decisions, or without. None if it has no solution.
    fn try_modes(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        (y, zero): (&[f64], f64),
        (impact, by_guard): (bool, bool),
    ) -> Option<Room> {
        let lifted = |site: usize| {
            by_guard
                && !impact
                && self.forced[site] == Some(Forced::Opens)
                && !flow.given.motors.let_go(site)
        };
        let mut stays = std::mem::take(&mut self.choice.stays);
        self.staying(flow, zero, impact, lifted, &mut stays);
        self.assemble(flow, place.t, y, |k| stays[k]);
        for (k, &site) in self.cluster.sites.iter().enumerate() {
            if !stays[k] {
                flow.contacts.modes[site] = Mode::Open;
            }
        }
        self.choice.stays = stays;
        let rows = &mut self.projector.rows;
        rows.accelerations(&flow.vdot, &flow.contacts.states);
        let nb = rows.nb();
        let slow = zero.max(place.rtol * self.accumulation.pace);
        self.choice.warm.clear();
        self.choice.warm.extend((0..nb).map(|_| coulomb::Mode::held(Tangent::Stick)));
        for k in 0..rows.sites.len() {
            let site = rows.sites[k];
            let s = &flow.contacts.states[site];
            let slip = s.u[0].hypot(s.u[1]);
            let turned =
                self.choice.turned.iter().find(|c| c.0 == site).map_or(0.0, |c| c.1.norm());
            let forced = if impact || !by_guard { None } else { self.forced[site] };
            let stuck = !impact && self.before[site] == Mode::Stick;
            let tangents = flow.sites[site].tangents;
            let held = flow.stops.leaving(site, |stop| rows.sites.contains(&stop));
            let c = &mut rows.problem.contacts[nb + k];
            c.duty = match forced {
                _ if tangents == 0 => Duty::Coulomb,
                _ if let Some(side) = held => Duty::Sliding([side, 0.0]),
                Some(Forced::Slips(d)) => Duty::Sliding(d),
                Some(Forced::Stops) => Duty::Coulomb,
                Some(Forced::Captured) => {
                    (c.friction, c.static_friction) = (ENFORCED, ENFORCED);
                    Duty::Coulomb
                }
                _ if stuck || slip <= slow.max(turned + VELOCITY_NOISE * s.speed) => Duty::Coulomb,
                _ if tangents == 1 => Duty::Sliding([s.u[0].signum(), 0.0]),
                _ => Duty::Sliding([s.u[0] / slip, s.u[1] / slip]),
            };
            self.choice.warm.push(match (self.before[site], c.duty) {
                _ if tangents == 0 => coulomb::Mode::held(Tangent::Smooth),
                (Mode::Open, _) if !impact && !c.driven => coulomb::Mode::OPEN,
                (_, Duty::Sliding(d)) => c.closed(Tangent::Slip(d)),
                _ => c.closed(Tangent::Stick),
            });
        }
        let choice = &mut self.choice;
        if rows.problem.rows() == 0 {
            return Some(Room::Unique);
        }
        let problem = &rows.problem;
        // At the start there is no motion before that could be continued.
        let warm = if place.start { &[] } else { choice.warm.as_slice() };
        choice.solved = choice.solver.solve(problem, warm, &mut choice.x, &mut choice.modes);
        if !choice.solved.accepted() {
            return None;
        }
        velocity(problem, &choice.x, &mut choice.w);
        if by_guard && !impact && self.slips_back(flow) {
            return None;
        }
        self.stick_where_still();
        let Choice { share, modes, x, reference, .. } = &mut self.choice;
        Some(share.reference(&self.projector.rows.problem, modes, x, reference))
    }

    /// Whether a contact that friction can no longer hold would slip back against the friction that it
    /// starts with: it can neither stick nor slip, which needs μs > μd or a paradox.
    fn slips_back(&self, flow: &Flow<'_>) -> bool {
        let rows = &self.projector.rows;
        let still = STILL * scale(&rows.problem, &self.choice.x);
        rows.sites.iter().enumerate().any(|(k, &site)| {
            let Some(Forced::Slips(d)) = self.forced[site] else { return false };
            let c = rows.contact(k);
            let held = self.choice.modes[rows.nb() + k].held || c.driven;
            let along: f64 = c.tangent_rows().zip(d).map(|(i, d)| self.choice.w[i] * d).sum();
            // The guard knows the limit to the round-off of the forces.
            let mobility = c.tangent_rows().fold(0.0_f64, |g, i| g.max(rows.problem.G[(i, i)]));
            let known = flow.contacts.force_noise[site] * flow.contacts.loads[site] * mobility;
            held && along < -still.max(known)
        })
    }

    /// A contact whose friction is at its limit but does not start to slip sticks, (3): others hold it.
    fn stick_where_still(&mut self) {
        let problem = &self.projector.rows.problem;
        let Choice { system, modes, warm, x, w, still, near: [near, answer], .. } =
            &mut self.choice;
        let slow = STILL * scale(problem, x);
        still.clear();
        for (k, (c, mode)) in problem.contacts.iter().zip(&*modes).enumerate() {
            let starts = c.duty == Duty::Coulomb && matches!(mode.tangent, Tangent::Slip(_));
            let w = c.tangent_rows().fold(0.0_f64, |s, i| s.hypot(w[i]));
            if (mode.held || c.driven) && starts && w <= slow {
                still.push(k);
            }
        }
        // The modes before have served.
        let mut stick = |which: &[usize]| {
            warm.clone_from(modes);
            which.iter().for_each(|&k| warm[k].tangent = Tangent::Stick);
            system.follow(problem, warm, x.as_slice(), near);
            velocity(problem, near, answer);
            let holds = residual(problem, near, answer) <= ACCEPTED;
            if holds {
                modes.clone_from(warm);
            }
            holds
        };
        if !still.is_empty() && !stick(still) && still.len() > 1 {
            still.iter().for_each(|k| _ = stick(&[*k]));
        }
    }

    /// Take over the modes that were found, their reference and v̇.
    fn adopt(&mut self, flow: &mut Flow<'_>) {
        let rows = &mut self.projector.rows;
        if rows.problem.rows() == 0 {
            return;
        }
        let nb = rows.nb();
        for (k, &site) in rows.sites.iter().enumerate() {
            let axes = flow.contacts.states[site].axes;
            let mode = self.choice.modes[nb + k];
            flow.contacts.modes[site] = match mode.tangent {
                _ if !mode.held && !rows.contact(k).driven => Mode::Open,
                Tangent::Slip(d) => Mode::Slip { reference: axes[0] * d[0] + axes[1] * d[1] },
                Tangent::Stick | Tangent::Smooth => Mode::Stick,
            };
            flow.contacts.forces[site] = rows.pick(k, self.choice.x.as_slice());
            flow.contacts.references[site] = match self.choice.reference.is_empty() {
                true => [0.0; 3],
                false => rows.pick(k, &self.choice.reference),
            };
        }
        let Choice { held_open, held_sites, modes, x, w, .. } = &mut self.choice;
        velocity(&rows.problem, x, w);
        let scale = scale(&rows.problem, x);
        held_open.find(rows, modes, (w.as_slice(), scale), held_sites);
        held_sites.iter().for_each(|&site| flow.contacts.held_open[site] = true);
        rows.response(&flow.posture.instant(), self.choice.x.as_slice(), &mut self.choice.dv);
        flow.vdot.iter_mut().zip(&self.choice.dv).for_each(|(a, d)| *a += d);
    }

    /// Whether nothing was closed before the impact and every touching site clearly leaves: there are
    /// no modes to choose.
    fn all_leave(&self, flow: &Flow<'_>, zero: f64) -> bool {
        self.cluster.bilaterals.is_empty()
            && !self.accumulation.was_closed
            && self.cluster.sites.len() == self.accumulation.floors.len()
            && self
                .cluster
                .sites
                .iter()
                .zip(&self.accumulation.floors)
                .all(|(&site, floor)| flow.contacts.states[site].u[2] > 2.0 * floor.max(zero))
    }

    /// The velocity that counts as zero among the sites of the cluster.
    fn slowest(&self, flow: &Flow<'_>, t: f64) -> f64 {
        let (mut fastest, mut speed) = (0.0_f64, 0.0_f64);
        let free = self.projector.rows.problem.b.iter();
        let free = free.fold(flow.model.gravity().norm(), |s, b| s.max(b.abs()));
        for &site in &self.cluster.sites {
            let s = &flow.contacts.states[site];
            fastest = s.u.iter().fold(fastest, |m, u| m.max(u.abs()));
            speed = speed.max(s.speed);
        }
        for change in &self.event.contacts {
            fastest = change.u_pre.iter().fold(fastest, |m, u| m.max(u.abs()));
        }
        (ZERO_VELOCITY * fastest).max(VELOCITY_NOISE * speed).max(TIME_RESOLUTION * t.abs() * free)
    }
}
