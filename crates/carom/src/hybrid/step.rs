//! One time step that carries a cluster over where events find no way on.
//!
//! # Law
//! Moreau–Jean with θ = ½ on the same Coulomb problem, impulses and velocities, without restitution:
//! ```text
//! v° = v + M⁻¹Jᵀp°,               0 ≤ pₙ° ⟂ uₙ° + g/h ≥ 0,  Coulomb on uₜ°         (1)
//! v⁺ = v° + h v̇_free + M⁻¹Jᵀp,   0 ≤ pₙ ⟂ uₙ⁺ + g/h ≥ 0,  Coulomb on uₜ⁺          (2)
//! q⁺ = q ⊕ h (v° + v⁺)/2                                                            (3)
//! ```
//! after what overlaps has been parted by as little as the inertia allows,
//! ```text
//! q ← q ⊕ M⁻¹Jₙᵀπ,                0 ≤ π ⟂ g + Gₙₙ π ≥ 0                              (4)
//! ```
//! for all sites of the cluster that (3) could reach: (1) stops what would close within the step, so that
//! the gaps of (3) are not negative but for curvature. Both problems always have a solution (Stewart &
//! Trinkle 1996, Anitescu & Potra 1997). During the step the cluster moves with the constant acceleration
//! (v⁺ − v°)/h, which is (3), so that other clusters go on by themselves and may meet it; at its end gaps
//! are projected. With that acceleration, which is the right one only where M does not change, a step may make energy, ΔE > 0,
//! of the order of h². What it carried pays for it, from (1) on,
//! ```text
//! v ← v √(1 − ΔE/T),   T its kinetic energy                                           (5)
//! ```
//! which keeps directions, and contacts closed; if that is more than it carried it rests. The energy that the step lost is a
//! line of the ledger.
//!
//! The rows of (2) turn with v°. What forces do because of that is next to nothing at the length of (6),
//! ```text
//! W = p·(J (v° + h v̇_free) + ½ G p) ≤ TURN · T(v° + h v̇_free)                          (7)
//! ```
//! but where a chain is stretched against its contact, G is singular along what the contact takes and forces without bound
//! answer a turn that they cannot stop. Beyond (7) the rows are those of the start, with which W ≤ 0.
//!
//! # Length
//! h starts at [`FIRST`] of the time √(ℓ/g) and doubles while the cluster needs one step after another. Gaps at its end are those of
//! the velocities but for the third order,
//! ```text
//! |g(q⁺)| ≤ ℓ θ³/12,   θ = h ω ≤ TURN                                               (6)
//! ```
//! ω the fastest turn of a link. A step is not shorter than what time resolves.
//!
//! # Tests
//! `crates/carom-scene/tests/jams.rs`: `eq1_to_eq3_a_crowd_is_carried_over`; (4): `eq1_a_pile_of_discs_comes_to_rest`;
//! (5): `tests/hybrid_wild.rs`, legged 32 of seed 54; (6): rattle 210 of seed 411. (7) has a case that takes a
//! minute: `hybrid_campaign --only spatial-chain:225 --seed 603`.

use super::event::{Place, Transition, singular, stored};
use super::flow::Flow;
use super::outcome::SimError;
use super::rows::Rows;
use super::sparse_step::Sparse;
use crate::contact::{Mode, SiteGeometry};
use crate::coulomb::velocity;
use crate::dynamics::{elements, energy, forces, integrate};
use crate::numeric::thresholds::TIME_RESOLUTION;
use crate::record::{Event, EventKind, Ledger, Rescue};

/// Length of the first step, in units of the time scale of the cluster.
const FIRST: f64 = crate::numeric::thresholds::run::FIRST_STEP;
/// A step was lately if not more than this many times its length has passed.
const LATELY: f64 = 10.0;
/// Least time scale of a cluster, a fraction of that of the mechanism.
const OWN: f64 = 1e-3;
/// Longest step in the same units, and in a [rush](super::rush): there steps follow each other for long.
const LONGEST: [f64; 2] = [3e-4, 5e-4];
/// θ of (6), rad: a contact a metre from the axis overlaps by less than 1e-9 m.
const TURN: f64 = 2e-3;
/// Times that (4) is solved: it is linear in the gaps.
const PARTINGS: usize = 3;
/// Contacts from which on the problem of a step is solved without G.
const MANY: usize = 24;

/// Whether rows turn within the step, see (7).
#[derive(Clone, Copy)]
enum Turning {
    Seen,
    Left,
}

/// Steps under way.
pub(crate) struct Carrier {
    /// Whether a degree of freedom is being carried.
    pub carries: Vec<bool>,
    /// When the last step of a degree of freedom ended, s, and how long it was.
    pub last: Vec<(f64, f64)>,
    /// Sites that took an impulse in a step that has not been worked through yet.
    pub pressed: Vec<usize>,
    /// A step has ended at the event at hand: what its gaps are projected by belongs to it.
    pub ended: bool,
    /// The step that carries a degree of freedom, by number.
    step: Vec<u64>,
    count: u64,
    /// How far the ledger was open when the first of the steps under way began, J, and what rows have booked since.
    open: f64,
    booked: f64,
    sparse: Sparse,
    dv: Vec<f64>,
    /// √(length/g) of the whole mechanism, s.
    slowness: f64,
}

impl Carrier {
    pub fn new(nv: usize, slowness: f64) -> Self {
        Self {
            slowness,
            carries: vec![false; nv],
            last: vec![(f64::NEG_INFINITY, 0.0); nv],
            pressed: Vec::new(),
            ended: false,
            step: vec![0; nv],
            count: 0,
            open: 0.0,
            booked: 0.0,
            sparse: Sparse::default(),
            dv: vec![0.0; nv],
        }
    }

    /// Nothing is carried any more.
    pub fn clear(&mut self) {
        self.carries.fill(false);
        self.pressed.clear();
        (self.open, self.booked) = (0.0, 0.0);
    }
}

/// How far the ledger is open at a state, J.
fn open(flow: &mut Flow<'_>, ledger: &Ledger, q: &[f64], v: &[f64]) -> f64 {
    flow.posture.place(q, v);
    let stored = energy::kinetic_energy(flow.model, &flow.posture.kin, v)
        + energy::gravity_energy(flow.model, &flow.posture.kin)
        + forces::spring_energy(flow.model, q)
        + elements::point_spring_energy(flow.model, &flow.posture.kin);
    stored - ledger.stored() + ledger.closure()
}

/// (5) for the degrees of freedom whose step has ended; nothing if they have less than that.
fn pay(flow: &mut Flow<'_>, q: &[f64], v: &mut [f64], (ended, made): (&[bool], f64)) {
    let own: Vec<f64> = v.iter().zip(ended).map(|(v, own)| if *own { *v } else { 0.0 }).collect();
    flow.posture.place(q, &own);
    let kinetic = energy::kinetic_energy(flow.model, &flow.posture.kin, &own);
    if kinetic > 0.0 {
        let factor = (1.0 - made / kinetic).max(0.0).sqrt();
        v.iter_mut().zip(ended).filter(|(_, own)| **own).for_each(|(v, _)| *v *= factor);
    }
}

impl Transition {
    /// Begin a step: the cluster moves with the mean velocity, its sites wait.
    pub(super) fn carry(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        index: usize,
        y: &mut [f64],
        (ledger, tell): (&mut Ledger, &mut dyn FnMut(&Event)),
    ) -> Result<(), SimError> {
        let (nq, nv) = (flow.model.nq(), flow.model.nv());
        let t = place.t;
        if !self.carrier.carries.iter().any(|c| *c) {
            self.carrier.open = open(flow, ledger, &y[..nq], &y[nq..nq + nv]);
            self.carrier.booked = 0.0;
        }
        let dofs = std::mem::take(&mut self.dofs);
        flow.free(t, &y[..nq], &y[nq..nq + nv]).map_err(|e| singular(t, e))?;
        let h = self.length(flow, place, &dofs);
        self.reach(flow, index, (t, h), y);
        self.part_overlaps(flow, t, y, ledger)?;
        for c in &mut self.projector.rows.problem.contacts {
            // Where static friction alone leaves no way on, the dynamic one does.
            c.static_friction = c.friction;
        }
        self.start_event(flow, t, &y[..nq + nv]);
        // (1): what would close within the step stops now; (2): forces through the step.
        self.solve_step(flow, &y[nq..nq + nv], (h, 0.0), Turning::Left);
        let stopped = self.carrier.dv.iter();
        y[nq..nq + nv].iter_mut().zip(stopped).for_each(|(v, d)| *v += d);
        self.solve_step(flow, &y[nq..nq + nv], (h, h), Turning::Seen);
        if self.drives(flow, &y[nq..nq + nv], h) {
            self.solve_step(flow, &y[nq..nq + nv], (h, h), Turning::Left);
        }
        flow.posture.place(&y[..nq], &y[nq..nq + nv]);
        let after = energy::kinetic_energy(flow.model, &flow.posture.kin, &y[nq..nq + nv]);
        self.event.v_post.copy_from_slice(&y[nq..nq + nv]);
        self.event.energy_after = after;
        ledger.carry(after - self.event.energy_before);
        self.carrier.count += 1;
        for &j in &dofs {
            self.carrier.carries[j] = true;
            self.carrier.step[j] = self.carrier.count;
            self.carrier.last[j] = (t + h, h);
            (flow.frozen[j], flow.held[j]) = (true, flow.vdot[j] + self.carrier.dv[j] / h);
        }
        for k in 0..self.projector.rows.sites.len() {
            let site = self.projector.rows.sites[k];
            if self.choice.x[self.projector.rows.contact(k).normal()] > 0.0 {
                self.carrier.pressed.push(site);
            }
            flow.contacts.modes[site] = Mode::Open;
            flow.carried[site] = Some(t + h);
        }
        self.dofs = dofs;
        self.event.kind = EventKind::Step;
        self.event.rescue = Some(Rescue::Step);
        self.event.solved = Some(self.choice.solved.into());
        self.event.remaining_time = Some(h);
        self.tell_sites(flow);
        tell(&self.event);
        self.event.clear();
        Ok(())
    }

    /// (4) at the rows at hand, which are assembled anew where something moved.
    fn part_overlaps(
        &mut self,
        flow: &mut Flow<'_>,
        t: f64,
        y: &mut [f64],
        ledger: &mut Ledger,
    ) -> Result<(), SimError> {
        let overlaps = |flow: &Flow<'_>, rows: &Rows| {
            rows.sites.iter().any(|&site| {
                let s = &flow.contacts.states[site];
                s.gap < -s.noise
            })
        };
        if !overlaps(flow, &self.projector.rows) {
            return Ok(());
        }
        let nq = flow.model.nq();
        let before = stored(flow, y);
        for _ in 0..PARTINGS {
            let rows = &mut self.projector.rows;
            rows.problem.b.fill(0.0);
            for k in 0..rows.sites.len() {
                let n = rows.contact(k).normal();
                rows.problem.b[n] = flow.contacts.states[rows.sites[k]].gap;
            }
            for c in &mut rows.problem.contacts {
                (c.friction, c.static_friction) = (0.0, 0.0);
            }
            self.press_step(flow, 0.0);
            let mut q = y[..nq].to_vec();
            integrate::step(flow.model, &y[..nq], &self.carrier.dv, &mut q);
            y[..nq].copy_from_slice(&q);
            let (q, v, _) = flow.split(y);
            flow.posture.articulate(q, v).map_err(|e| singular(t, e))?;
            self.projector.assemble(flow, &self.cluster, t, y);
            if !overlaps(flow, &self.projector.rows) {
                break;
            }
        }
        ledger.carried += stored(flow, y) - before;
        Ok(())
    }

    /// Solves the problem at hand, of forces that act for `span`, and what its impulses do to the velocities.
    fn press_step(&mut self, flow: &Flow<'_>, span: f64) {
        let (rows, choice) = (&mut self.projector.rows, &mut self.choice);
        choice.solved = if rows.sites.len() < MANY || !self.carrier.sparse.read(rows, flow) {
            choice.solver.solve(&rows.problem, &[], &mut choice.x, &mut choice.modes)
        } else {
            self.carrier.sparse.solve(rows, span, &mut choice.x)
        };
        rows.response(&flow.posture.instant(), choice.x.as_slice(), &mut self.carrier.dv);
    }

    /// √(ℓ/a) of the cluster, s, but not less than [`OWN`] of that of the mechanism, since a joint at a limit that is zero
    /// has no length of its own, and not more than it: where nothing accelerates there is no such time.
    pub(super) fn time_scale(&self, flow: &Flow<'_>) -> f64 {
        let mut length = 0.0_f64;
        for &site in &self.cluster.sites {
            length = length.max(flow.contacts.states[site].length());
        }
        let g = self.projector.rows.problem.b.iter();
        let g = g.fold(flow.model.gravity().norm(), |g, b| g.max(b.abs()));
        let own = (length / g.max(f64::MIN_POSITIVE)).sqrt();
        own.clamp(OWN * self.carrier.slowness, self.carrier.slowness)
    }

    /// The Coulomb problem of a step of length h whose forces act for `span` of it, and what its impulses
    /// do to the velocities. The rows must be assembled.
    fn solve_step(&mut self, flow: &Flow<'_>, v: &[f64], (h, span): (f64, f64), turning: Turning) {
        let rows = &mut self.projector.rows;
        match turning {
            Turning::Seen => rows.accelerations(&flow.vdot, &flow.contacts.states),
            Turning::Left => rows.without_turning(&flow.vdot),
        }
        for k in 0..rows.sites.len() {
            let (site, c) = (rows.sites[k], *rows.contact(k));
            if let Some(force) = flow.sites[site].pressed_by() {
                rows.preload(k, span * force);
            }
            for i in c.rows() {
                rows.problem.b[i] = rows.block.sum(i, v, span * rows.problem.b[i]);
            }
            if c.leader.is_none() {
                rows.problem.b[c.normal()] += flow.contacts.states[site].gap.max(0.0) / h;
            }
        }
        for (i, row) in rows.bilaterals.iter().enumerate() {
            rows.problem.b[i] = rows.block.sum(i, v, span * rows.problem.b[i] - row.target[1]);
        }
        self.press_step(flow, span);
    }

    /// Whether forces of the step at hand do more work than (7) allows.
    fn drives(&mut self, flow: &mut Flow<'_>, v: &[f64], h: f64) -> bool {
        let (rows, x) = (&self.projector.rows, &self.choice.x);
        velocity(&rows.problem, x, &mut self.choice.w);
        let free: Vec<f64> = v.iter().zip(&flow.vdot).map(|(v, a)| v + h * a).collect();
        // G p is w − b.
        let answered = self.choice.w.iter().zip(rows.problem.b.iter()).map(|(w, b)| w - b);
        let work = |(i, Gp): (usize, f64)| x[i] * (rows.block.sum(i, &free, 0.0) + 0.5 * Gp);
        let work: f64 = answered.enumerate().map(work).sum();
        work > TURN * energy::kinetic_energy(flow.model, &flow.posture.kin, &free)
    }

    /// Length of the step, twice the last one if that ended not long ago.
    fn length(&self, flow: &Flow<'_>, place: &Place<'_>, dofs: &[usize]) -> f64 {
        let scale = self.time_scale(flow);
        let before = dofs.iter().map(|&j| self.carrier.last[j]);
        let recent = before.filter(|(end, h)| place.t - end <= LATELY * h).map(|(_, h)| 2.0 * h);
        let h =
            recent.fold(FIRST * scale, f64::max).min(LONGEST[usize::from(place.rushed)] * scale);
        h.min(TURN / flow.fastest_turn()).max(TIME_RESOLUTION * place.t.abs())
    }

    /// Rows of the sites of the cluster and of all others of its parts that the step could close.
    fn reach(&mut self, flow: &mut Flow<'_>, index: usize, (t, h): (f64, f64), y: &[f64]) {
        let (q, v, _) = flow.split(y);
        flow.posture.place(q, v);
        let mut cluster = std::mem::take(&mut self.cluster);
        for site in 0..flow.sites.len() {
            let parts = flow.parts.of_site[site];
            let inside = parts.into_iter().flatten().all(|part| self.holds(index, part));
            if !inside || cluster.sites.contains(&site) {
                continue;
            }
            flow.observe(site, q, v);
            let s = &flow.contacts.states[site];
            let fall = h * (s.speed + h * flow.vdot.iter().fold(0.0_f64, |m, a| m.max(a.abs())));
            if s.gap <= 2.0 * fall {
                cluster.sites.push(site);
            }
        }
        cluster.sites.sort_unstable();
        for k in (0..cluster.sites.len()).rev() {
            let of = flow.sites[cluster.sites[k]].follows();
            if of.is_some_and(|of| cluster.sites.binary_search(&of).is_err()) {
                cluster.sites.remove(k);
            }
        }
        self.projector.assemble(flow, &cluster, t, y);
        self.cluster = cluster;
    }

    /// End the steps whose time has come, or whose cluster is met by another, with the energy that the
    /// ledger did not see.
    pub(super) fn end_carried(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
    ) {
        self.carrier.ended = false;
        if !self.carrier.carries.iter().any(|c| *c) {
            return;
        }
        let (nq, nv) = (flow.model.nq(), flow.model.nv());
        let met: Vec<usize> = place
            .fired
            .iter()
            .filter(|f| f.1.is_contact())
            .flat_map(|f| flow.parts.of_site[f.0].into_iter().flatten())
            .collect();
        let mut ended = vec![false; nv];
        // A step that is met ends for all that it carries: their contacts belong to it.
        let carrier = &mut self.carrier;
        let cut: Vec<u64> = (0..nv)
            .filter(|&j| carrier.carries[j] && met.contains(&flow.parts.of_dof[j]))
            .map(|j| carrier.step[j])
            .collect();
        for j in 0..nv {
            let due = self.carrier.last[j].0 <= place.t || cut.contains(&self.carrier.step[j]);
            if self.carrier.carries[j] && due {
                self.carrier.carries[j] = false;
                (flow.frozen[j], flow.held[j]) = (false, 0.0);
                ended[j] = true;
            }
        }
        self.carrier.ended = ended.contains(&true);
        if !self.carrier.ended {
            return;
        }
        for site in 0..flow.sites.len() {
            let free = |part: &Option<usize>| {
                part.is_none_or(|p| {
                    !(0..nv).any(|j| flow.parts.of_dof[j] == p && self.carrier.carries[j])
                })
            };
            if flow.parts.of_site[site].iter().all(free) {
                flow.carried[site] = None;
            }
        }
        let (q, v) = y[..nq + nv].split_at_mut(nq);
        let Carrier { open: before, booked, .. } = self.carrier;
        ledger.carried -= booked;
        let mut made = open(flow, ledger, q, v) - before;
        if made > 0.0 {
            pay(flow, q, v, (&ended, made));
            made = open(flow, ledger, q, v) - before;
        }
        ledger.carry(made);
        (self.carrier.open, self.carrier.booked) = (0.0, 0.0);
    }

    /// While a step carries a cluster its motion is not that of the forces: what the ledger is open by is
    /// the step's.
    pub(super) fn account(&mut self, ledger: &mut Ledger) {
        if self.carrier.carries.iter().any(|c| *c) {
            let made = ledger.closure() - self.carrier.open;
            ledger.carried += made;
            self.carrier.booked += made;
        }
    }

    /// Whether a site took an impulse in the step that has just ended and still stands for something; asked once.
    pub(super) fn was_pressed(&mut self, flow: &Flow<'_>, site: usize) -> bool {
        let place = self.carrier.pressed.iter().position(|&s| s == site);
        let ended = place.filter(|_| flow.carried[site].is_none());
        let idle = matches!(flow.sites[site].geometry, SiteGeometry::Idle { .. });
        ended.map(|place| self.carrier.pressed.swap_remove(place)).is_some() && !idle
    }
}
