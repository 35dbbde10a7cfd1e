//! The mechanism as a flow: ẏ = f(t, y) within one set of contact modes.
//!
//! # Law
//! ```text
//! y = (q, v, works),  q̇ = N(q) v                                        (1)
//! v̇ = M⁻¹(τ − h + Jᵀλ),  λ by the modes, cluster by cluster, see crate::coulomb   (2)
//! works: applied, dampers, sliding friction at each site, those of one pair of polytopes together   (3)
//! redundant λ: least change from the reference of the last event         (4)
//! ```
//! The dry friction of a joint that slides is a known force −τd sgn u, part of τ: it needs no row among those of λ. A robot has
//! one in every joint, and what λ costs grows with the square of its rows.
//!
//! Clusters at rest take no part: their forces stay as they are.
//!
//! # Limits
//! The slip direction of a spatial contact follows uₜ while uₜ has a component along the reference
//! taken at the start of the step, and stays at the reference otherwise: the right-hand side is
//! smooth across the end of a slip, so its zero can be located like any other.

use super::bilateral::{Bilateral, Form, bilaterals};
use super::clusters::{Clusters, Parts};
use super::conditions::Conditions;
use super::creep::Creep;
use super::features::Facings;
use super::guards::Watch;
use super::motors::Motors;
use super::posture::Posture;
use super::projection::Projector;
use super::rows::Rows;
use super::stops::Stops;
use crate::contact::{Mode, Site, SiteGeometry, SiteState, polytope_pairs, state_of};
use crate::control::{ForceLaw, Prescribed};
use crate::coulomb::{self, ModeSystem, Tangent, scale, velocity};
use crate::dynamics::loops::Measure;
use crate::dynamics::response::{ResponseScratch, sweep_outward};
use crate::dynamics::{Flight, SingularInertia, elements, forces, integrate};
use crate::model::Model;
use crate::numeric::thresholds::{FORCE_NOISE, HELD_SLIP, NO_SLIP};
use crate::spatial::Force;
use carom_ode::{Projection, Rate};
use nalgebra::{DVector, Vector3};

/// What is known of the contacts under the present modes, one entry per site.
pub(crate) struct Contacts {
    pub modes: Vec<Mode>,
    pub states: Vec<SiteState>,
    /// Count of the posture that the state of a site belongs to.
    pub seen: Vec<u64>,
    /// Force: two tangents, normal, N.
    pub forces: Vec<[f64; 3]>,
    /// Acceleration along the same axes, m/s².
    pub accelerations: Vec<[f64; 3]>,
    /// Reference of redundant forces, equation (4), N.
    pub references: Vec<[f64; 3]>,
    /// A/Gₙₙ of a slipping site, see [`crate::coulomb`]; one for all others.
    pub stability: Vec<f64>,
    /// μd λₙ Gₜₜ of a slipping site, m/s²: how fast friction can turn its slip.
    pub nimble: Vec<f64>,
    /// Force that the terms of the site's normal acceleration amount to, (5) of [`super::guards`], N.
    pub terms: Vec<f64>,
    /// Size of the forces of the cluster of the site, (5) of [`super::guards`], N.
    pub loads: Vec<f64>,
    /// Round-off of the forces of the cluster of the site, a fraction of the largest.
    pub force_noise: Vec<f64>,
    /// Round-off of slip velocities in the cluster of the site, m/s.
    pub slip_noise: Vec<f64>,
    /// Slip that counts as none at a site that others hold, m/s.
    pub held_noise: Vec<f64>,
    /// Open sites that closed ones hold in place, see [`super::held_open`].
    pub held_open: Vec<bool>,
    /// Slips that others hold through the step: their friction keeps its direction.
    pub held: Vec<bool>,
}

impl Contacts {
    /// To what the gap of an open site is known, m; (2) of [`super::held_open`].
    pub fn gap_noise(&self, site: usize, rtol: f64) -> f64 {
        let state = &self.states[site];
        if self.held_open[site] { state.noise.max(rtol * state.length()) } else { state.noise }
    }

    /// Slip along its reference and its rate, of a site that slips; m/s and m/s².
    pub fn along_reference(&self, site: usize, tangents: usize) -> [f64; 2] {
        let Mode::Slip { reference } = self.modes[site] else { return [0.0; 2] };
        let along = |of: &[f64; 3]| -> f64 {
            (0..tangents).map(|i| of[i] * self.states[site].axes[i].dot(&reference)).sum()
        };
        [along(&self.states[site].u), along(&self.accelerations[site])]
    }

    /// Slip up to which a slipping site has no direction of its own, m/s. It is asked for wherever a direction is: were it
    /// larger within a step than between steps, directions and forces would jump from step to step, even beyond a pole.
    fn least_slip(&self, site: usize) -> f64 {
        let none = if self.held[site] { HELD_SLIP } else { NO_SLIP };
        (none * self.states[site].speed).max(self.slip_noise[site])
    }
}

/// What acts on the mechanism beside contacts.
#[derive(Default)]
pub(crate) struct Given<'a> {
    pub forces: Vec<Box<dyn ForceLaw + 'a>>,
    pub prescribed: Vec<Prescribed>,
    pub motors: Motors<'a>,
    pub conditions: Conditions<'a>,
}

impl Given<'_> {
    /// Whether nothing but gravity, springs and dampers acts, so that what rests stays at rest.
    pub fn is_nothing(&self) -> bool {
        self.forces.is_empty()
            && self.prescribed.is_empty()
            && self.motors.is_idle()
            && self.conditions.is_empty()
    }
}

/// Buffers of one evaluation.
pub(super) struct Scratch {
    pub(super) rows: Rows,
    pub(super) system: ModeSystem,
    modes: Vec<coulomb::Mode>,
    reference: Vec<f64>,
    pub(super) x: DVector<f64>,
    w: DVector<f64>,
    response: ResponseScratch,
    tau: Vec<f64>,
    user: Vec<f64>,
    /// Friction of joints that slide, and the sites and degrees of freedom of these joints.
    sliding: Vec<f64>,
    loose: Vec<(usize, usize)>,
    inward: Vec<f64>,
    bilaterals: Vec<Bilateral>,
}

/// The mechanism within one set of modes.
pub(crate) struct Flow<'a> {
    pub model: &'a Model,
    pub sites: Vec<Site>,
    /// Pairs of polytopes, whose sites follow their features.
    pub facings: Facings,
    /// Which work of (3) each site adds to, and how many there are.
    pub works: (Vec<usize>, usize),
    pub parts: Parts,
    /// Stops of joints with dry friction.
    pub stops: Stops,
    pub given: Given<'a>,
    pub posture: Posture<'a>,
    pub contacts: Contacts,
    /// Slips that are too slow to be followed explicitly.
    pub creep: Creep,
    /// Closed sites that move, and bilateral rows.
    pub clusters: Clusters,
    /// Degrees of freedom at exact rest or carried by a time step, and their acceleration then.
    pub frozen: Vec<bool>,
    pub held: Vec<f64>,
    /// Until when a time step carries the cluster of a site, s.
    pub carried: Vec<Option<f64>>,
    pub watches: Vec<(usize, Watch)>,
    /// Open sites that overlapped at the last event, (3) of [`super::guards`].
    pub overlaps: Vec<bool>,
    /// Sites whose slip was against its reference when the guards were armed, (7) of [`super::guards`].
    pub against: Vec<bool>,
    /// Events of friction are projected at the start of steps, not located.
    pub projected: bool,
    /// Least and largest value of each guard of forces at the stages of the step under way.
    pub glimpses: Vec<[f64; 2]>,
    pub vdot: Vec<f64>,
    /// Largest relative residual of the forces last found.
    pub residual: f64,
    /// Moment and force of each loop on its second body, at its frame there.
    pub loops: Vec<Force>,
    /// The last singular inertia met in a trial stage.
    pub singular: Option<SingularInertia>,
    /// The short way to v̇ where nothing but joint forces and gravity acts.
    flight: Option<Flight>,
    /// Taken out while it works.
    pub projector: Option<Projector>,
    pub(super) scratch: Scratch,
}

impl<'a> Flow<'a> {
    pub fn new(model: &'a Model, sites: &[Site], given: Given<'a>) -> Self {
        let (nv, ns) = (model.nv(), sites.len());
        let facings = Facings::new(polytope_pairs(model, sites));
        Self {
            model,
            works: facings.works(ns),
            facings,
            parts: Parts::new(model, sites, &given.prescribed),
            stops: Stops::new(sites),
            sites: sites.to_vec(),
            given,
            posture: Posture::new(model),
            contacts: Contacts {
                modes: vec![Mode::Open; ns],
                states: vec![SiteState::default(); ns],
                seen: vec![0; ns],
                forces: vec![[0.0; 3]; ns],
                accelerations: vec![[0.0; 3]; ns],
                references: vec![[0.0; 3]; ns],
                stability: vec![1.0; ns],
                nimble: vec![0.0; ns],
                terms: vec![0.0; ns],
                loads: vec![0.0; ns],
                force_noise: vec![FORCE_NOISE; ns],
                held_noise: vec![0.0; ns],
                held_open: vec![false; ns],
                held: vec![false; ns],
                slip_noise: vec![0.0; ns],
            },
            creep: Creep::new(),
            clusters: Clusters::default(),
            frozen: vec![false; nv],
            held: vec![0.0; nv],
            carried: vec![None; ns],
            watches: Vec::with_capacity(2 * ns),
            overlaps: vec![false; ns],
            against: vec![false; ns],
            projected: false,
            glimpses: Vec::with_capacity(2 * ns),
            vdot: vec![0.0; nv],
            residual: 0.0,
            loops: vec![Force::zero(); model.loops().len()],
            singular: None,
            flight: Flight::of(model).filter(|_| bare(model)),
            projector: Some(Projector::new(model, false)),
            scratch: Scratch {
                rows: Rows::new(model),
                system: ModeSystem::default(),
                modes: Vec::new(),
                reference: Vec::new(),
                x: DVector::zeros(0),
                w: DVector::zeros(0),
                response: ResponseScratch::new(model),
                tau: vec![0.0; nv],
                user: vec![0.0; nv],
                sliding: vec![0.0; nv],
                loose: Vec::new(),
                inward: vec![0.0; nv],
                bilaterals: Vec::new(),
            },
        }
    }

    /// Length of y.
    pub fn len(&self) -> usize {
        self.model.nq() + self.model.nv() + 2 + self.works.1
    }

    /// q, v and works of a state.
    pub fn split<'y>(&self, y: &'y [f64]) -> (&'y [f64], &'y [f64], &'y [f64]) {
        let (q, rest) = y.split_at(self.model.nq());
        let (v, works) = rest.split_at(self.model.nv());
        (q, v, works)
    }

    /// The state of one site; the posture must be placed.
    pub fn observe(&mut self, site: usize, q: &[f64], v: &[f64]) {
        if std::mem::replace(&mut self.contacts.seen[site], self.posture.count)
            != self.posture.count
        {
            let known = (&self.posture.kin, &self.posture.products);
            self.contacts.states[site] = state_of(self.model, (&self.sites, site), known, (q, v));
        }
    }

    /// v̇ without contact forces; returns the power of user forces and motors.
    pub fn free(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<f64, SingularInertia> {
        self.scratch.sliding.fill(0.0);
        self.freely(t, q, v)
    }

    /// The same with the given friction of joints that slide.
    fn freely(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<f64, SingularInertia> {
        let s = &mut self.scratch;
        s.user.fill(0.0);
        self.posture.pose(q, v);
        for force in &mut self.given.forces {
            force.add(t, (q, v), (self.model, &self.posture.kin), &mut s.user);
        }
        elements::add_loads(self.model, &self.posture.kin, &mut s.user);
        s.tau.copy_from_slice(&s.user);
        forces::add_joint_forces(self.model, q, v, &mut s.tau);
        elements::add_spring_forces(self.model, &self.posture.kin, &mut s.tau);
        s.tau.iter_mut().zip(&s.sliding).for_each(|(tau, friction)| *tau += friction);
        self.posture.forward(q, v, &s.tau, &mut self.vdot)?;
        let power: f64 = s.user.iter().zip(v).map(|(f, v)| f * v).sum();
        if self.given.motors.rests() {
            return Ok(power);
        }
        Ok(power + self.drive_joints(t, q, v))
    }

    /// v̇ of the state under the present modes, and all that belongs to its contacts. Returns the
    /// power of applied forces.
    pub fn accelerate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<f64, SingularInertia> {
        self.slide();
        let mut power = self.freely(t, q, v)?;
        if !self.clusters.is_empty() {
            self.posture.place(q, v);
            self.creep.at(t);
            let mut rows = std::mem::take(&mut self.scratch.bilaterals);
            self.bilaterals((t, q), &mut rows);
            self.scratch.bilaterals = rows;
            self.scratch.inward.fill(0.0);
            self.loops.fill(Force::zero());
            self.residual = 0.0;
            for cluster in 0..self.clusters.len() {
                power += self.press(cluster, (q, v));
            }
            let s = &mut self.scratch;
            let kin = &self.posture.kin;
            sweep_outward(self.model, kin, &self.posture.art, &mut s.response, &mut s.inward);
            self.vdot.iter_mut().zip(&s.inward).for_each(|(a, d)| *a += d);
            for &(site, dof) in &self.scratch.loose {
                let ratio = self.model.coordinates()[dof].ratio;
                self.contacts.accelerations[site] = [ratio * self.vdot[dof], 0.0, 0.0];
            }
        }
        self.rest_frozen();
        Ok(power)
    }

    /// The friction of joints that slide, which is known, and the sites that it belongs to.
    fn slide(&mut self) {
        let (s, c) = (&mut self.scratch, &mut self.contacts);
        s.sliding.fill(0.0);
        s.loose.clear();
        for cluster in 0..self.clusters.len() {
            for &i in &self.clusters.get(cluster).sites {
                let site = &self.sites[i];
                let SiteGeometry::JointFriction { dof, limit } = site.geometry else { continue };
                let Mode::Slip { reference } = c.modes[i] else { continue };
                let [along, _] = slip_direction(site, (&c.states[i], 0.0), &reference);
                let force = -site.surface.friction * limit * along;
                c.forces[i] = [force, 0.0, limit];
                c.stability[i] = 1.0;
                s.sliding[dof] += self.model.coordinates()[dof].ratio * force;
                s.loose.push((i, dof));
            }
        }
    }

    /// How fast the friction of joints that slide can turn their slips.
    pub fn measure_loose(&mut self) {
        let s = &mut self.scratch;
        for &(site, _) in &s.loose {
            let mobility = s.rows.mobility(
                &self.posture.instant(),
                (&self.sites[site], &self.contacts.states[site]),
            );
            let pressed = self.contacts.forces[site][2];
            self.contacts.nimble[site] = self.sites[site].surface.friction * pressed * mobility;
        }
    }

    /// Forces of one cluster; returns the power of its prescribed motions.
    fn press(&mut self, cluster: usize, (q, v): (&[f64], &[f64])) -> f64 {
        let s = &mut self.scratch;
        let members = self.clusters.get(cluster);
        s.rows.sites.clear();
        let loose = |site: &&usize| s.loose.iter().any(|(i, _)| i == *site);
        s.rows.sites.extend(members.sites.iter().filter(|site| !loose(site)));
        s.rows.bilaterals.clear();
        s.rows.bilaterals.extend(members.bilaterals.iter().map(|&b| s.bilaterals[b]));
        for place in 0..members.sites.len() {
            self.observe(self.clusters.get(cluster).sites[place], q, v);
        }
        let s = &mut self.scratch;
        s.rows.assemble(&self.posture.instant(), &self.sites, &self.contacts.states);
        s.rows.accelerations(&self.vdot, &self.contacts.states);
        for (k, &site) in s.rows.sites.iter().enumerate() {
            self.contacts.terms[site] = s.rows.terms(k, &self.vdot, &self.contacts.states[site]);
        }
        self.read_modes();
        let s = &mut self.scratch;
        s.system.follow(&s.rows.problem, &s.modes, &s.reference, &mut s.x);
        let noise = s.system.noise().max(FORCE_NOISE);
        let members = self.clusters.get(cluster);
        members.sites.iter().for_each(|&site| self.contacts.force_noise[site] = noise);
        velocity(&s.rows.problem, &s.x, &mut s.w);
        self.keep_forces();
        if self.creep.differentiates {
            self.differentiate_creep();
        }
        let s = &mut self.scratch;
        s.rows.block.add_inward(s.x.as_slice(), &mut s.inward);
        for (row, x) in s.rows.bilaterals.iter().zip(s.x.iter()) {
            let Form::Loop(i, equation) = &row.form else { continue };
            match equation.measure {
                Measure::Shift { d, .. } => self.loops[*i].f += d * *x,
                Measure::Turn { d } => self.loops[*i].n += d * *x,
            }
        }
        let prescribed = s.rows.bilaterals.iter().zip(s.x.iter()).filter(|(row, _)| row.prescribed);
        prescribed.map(|(row, force)| force * row.target[1] - ghost_power(self.model, row)).sum()
    }

    /// The bilateral rows of a state, which must be placed.
    pub fn bilaterals(&self, at: (f64, &[f64]), rows: &mut Vec<Bilateral>) {
        let known = (&self.posture.kin, &self.posture.products);
        bilaterals((self.model, &self.given.prescribed), known, at, rows);
    }

    /// The modes of the rows at hand in the tangent bases of this instant, and their reference.
    fn read_modes(&mut self) {
        let s = &mut self.scratch;
        let c = &self.contacts;
        s.modes.clear();
        s.modes.extend(s.rows.bilaterals.iter().map(|_| coulomb::Mode::held(Tangent::Stick)));
        for (k, &site) in s.rows.sites.iter().enumerate() {
            let contact = *s.rows.contact(k);
            s.modes.push(match c.modes[site] {
                Mode::Open => coulomb::Mode::OPEN,
                Mode::Stick => contact.closed(Tangent::Stick),
                Mode::Slip { reference } => {
                    let (state, least) = (&c.states[site], c.least_slip(site));
                    let d = self.creep.direction(site, &state.axes).unwrap_or_else(|| {
                        slip_direction(&self.sites[site], (state, least), &reference)
                    });
                    contact.closed(Tangent::Slip(d))
                }
            });
        }
        s.reference.clear();
        if s.rows.sites.iter().any(|&site| c.references[site] != [0.0; 3]) {
            s.reference.resize(s.rows.problem.rows(), 0.0);
            for (k, &site) in s.rows.sites.iter().enumerate() {
                let rows = *s.rows.contact(k);
                let from = c.references[site];
                s.reference[rows.normal()] = from[2];
                s.reference[rows.tangent_rows()].copy_from_slice(&from[..rows.tangents]);
            }
        }
    }

    /// What the solution says about the sites.
    fn keep_forces(&mut self) {
        let s = &self.scratch;
        let nb = s.rows.nb();
        let (x, w) = (s.x.as_slice(), s.w.as_slice());
        let size = scale(&s.rows.problem, &s.x);
        let mut worst = w[..nb].iter().fold(0.0_f64, |m, w| m.max(w.abs()));
        for (k, &site) in s.rows.sites.iter().enumerate() {
            let c = s.rows.contact(k);
            self.contacts.forces[site] = s.rows.pick(k, x);
            self.contacts.accelerations[site] = s.rows.pick(k, w);
            let mode = &s.modes[nb + k];
            worst = worst.max(w[c.normal()].abs());
            if mode.tangent == Tangent::Stick {
                worst = c.tangent_rows().fold(worst, |m, i| m.max(w[i].abs()));
            }
            let nimble = c.tangent_rows().fold(0.0_f64, |g, i| g.max(s.rows.problem.G[(i, i)]));
            self.contacts.nimble[site] = c.friction * x[c.normal()] * nimble;
        }
        self.residual = self.residual.max(worst / size);
        self.measure_stability();
    }

    /// How far the slips of the cluster at hand are from jamming.
    fn measure_stability(&mut self) {
        let s = &mut self.scratch;
        let nb = s.rows.nb();
        let slips = |k: usize| matches!(s.modes[nb + k].tangent, Tangent::Slip(_));
        for (k, &site) in s.rows.sites.iter().enumerate() {
            let c = s.rows.contact(k);
            let own = slips(k) && !c.driven && c.leader.is_none();
            self.contacts.stability[site] =
                if own { s.system.stability(&s.rows.problem, c.normal()) } else { 1.0 };
        }
    }

    /// v̇ where nothing but joint forces and gravity acts and there is a short way; whether it was
    /// taken. The posture is not touched.
    fn fly(&mut self, q: &[f64], v: &[f64]) -> bool {
        let alone = self.clusters.is_empty() && self.given.motors.rests();
        let Some(flight) = self.flight.as_mut().filter(|_| alone && self.given.forces.is_empty())
        else {
            return false;
        };
        self.scratch.tau.fill(0.0);
        forces::add_joint_forces(self.model, q, v, &mut self.scratch.tau);
        if !flight.forward(q, v, &self.scratch.tau, &mut self.vdot) {
            return false;
        }
        self.rest_frozen();
        true
    }

    /// What is at exact rest stays there, what is carried goes on.
    fn rest_frozen(&mut self) {
        for ((a, frozen), held) in self.vdot.iter_mut().zip(&self.frozen).zip(&self.held) {
            if *frozen {
                *a = *held;
            }
        }
    }

    /// Fastest turn of any link, rad/s.
    pub fn fastest_turn(&self) -> f64 {
        self.posture.kin.links.iter().fold(0.0_f64, |s, l| s.max(l.V.w.norm_squared())).sqrt()
    }

    /// Closed sites whose bodies move form the clusters of the flow.
    pub fn regroup(&mut self) {
        let mut closed = std::mem::take(&mut self.scratch.rows.sites);
        closed.clear();
        let modes = &self.contacts.modes;
        closed.extend((0..self.sites.len()).filter(|&i| modes[i].is_closed() && self.moves(i)));
        self.clusters.find(&self.parts, &closed);
        self.scratch.rows.sites = closed;
        for site in 0..self.sites.len() {
            if !self.contacts.modes[site].is_closed() {
                self.contacts.forces[site] = [0.0; 3];
                self.contacts.references[site] = [0.0; 3];
            }
        }
    }

    /// Whether a site belongs to a part that is not at rest.
    pub fn moves(&self, site: usize) -> bool {
        let parts = self.parts.of_site[site];
        let of_dof = &self.parts.of_dof;
        (0..of_dof.len()).any(|j| !self.frozen[j] && parts.contains(&Some(of_dof[j])))
    }

    /// A step begins at t: renew the reference directions of spatial slips from the present slip velocities, or, where these
    /// are too small to have one, from the friction that the step before has found; whether there were any. Accelerations are
    /// then those of this state: what was looked at last, rows that are told for instance, must not decide which slips are slow.
    pub fn refresh_references(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<bool, SingularInertia> {
        self.forget_glimpses();
        let slips = |i: usize, modes: &[Mode]| {
            self.sites[i].tangents == 2 && matches!(modes[i], Mode::Slip { .. })
        };
        if !(0..self.sites.len()).any(|i| slips(i, &self.contacts.modes)) {
            return Ok(false);
        }
        self.accelerate(t, q, v)?;
        self.posture.place(q, v);
        self.creep.at(t);
        for i in 0..self.sites.len() {
            if let Mode::Slip { reference } = self.contacts.modes[i]
                && self.sites[i].tangents == 2
            {
                self.observe(i, q, v);
                let s = &self.contacts.states[i];
                let slip = s.axes[0] * s.u[0] + s.axes[1] * s.u[1];
                let size = slip.norm();
                let least = self.contacts.least_slip(i);
                if size > least && slip.dot(&reference) > 0.0 {
                    self.contacts.modes[i] = Mode::Slip { reference: slip / size };
                } else if let Some(d) = self.creep.found(i, &s.axes).filter(|_| size <= least) {
                    let reference = s.axes[0] * d[0] + s.axes[1] * d[1];
                    self.contacts.modes[i] = Mode::Slip { reference };
                }
            }
        }
        Ok(true)
    }

    /// ẏ from the acceleration just found and the power of applied forces.
    pub fn fill_rate(&self, y: &[f64], power: f64, dydt: &mut [f64]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let (q, v, _) = self.split(y);
        integrate::coordinate_rate(self.model, q, v, &mut dydt[..nq]);
        dydt[nq..nq + nv].copy_from_slice(&self.vdot);
        let works = &mut dydt[nq + nv..];
        works.fill(0.0);
        works[0] = power;
        works[1] = -forces::damper_power(self.model, v)
            - elements::point_damper_power(self.model, &self.posture.kin);
        for cluster in 0..self.clusters.len() {
            for &site in &self.clusters.get(cluster).sites {
                if matches!(self.contacts.modes[site], Mode::Slip { .. }) {
                    let (f, u) = (self.contacts.forces[site], self.contacts.states[site].u);
                    works[2 + self.works.0[site]] += f[0] * u[0] + f[1] * u[1];
                }
            }
        }
    }
}

/// Whether nothing acts but joint forces and gravity.
fn bare(model: &Model) -> bool {
    model.springs().is_empty() && model.loads().is_empty()
}

/// What the inertia that is not there takes of the power of a prescribed motion, W.
fn ghost_power(model: &Model, row: &Bilateral) -> f64 {
    let Form::Joints { terms: [(dof, ratio), _], .. } = row.form else { return 0.0 };
    let ghost = model.tree().nodes[dof].ghost;
    if ghost == 0.0 { 0.0 } else { ghost * row.target[1] * row.target[2] / (ratio * ratio) }
}

/// The slip direction in the tangent basis of the site's state; slip below `least` has none of its
/// own.
fn slip_direction(
    site: &Site,
    (state, least): (&SiteState, f64),
    reference: &Vector3<f64>,
) -> [f64; 2] {
    let r = [state.axes[0].dot(reference), state.axes[1].dot(reference)];
    if site.tangents < 2 {
        return [r[0].signum(), 0.0];
    }
    let u = [state.u[0], state.u[1]];
    let d = if u[0].hypot(u[1]) > least && u[0] * r[0] + u[1] * r[1] > 0.0 { u } else { r };
    let size = d[0].hypot(d[1]);
    if size == 0.0 { [1.0, 0.0] } else { [d[0] / size, d[1] / size] }
}

impl Rate for Flow<'_> {
    type Error = SingularInertia;

    fn rate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), SingularInertia> {
        let (q, v, _) = self.split(y);
        if self.fly(q, v) {
            self.fill_rate(y, 0.0, dydt);
            return Ok(());
        }
        let power = match self.accelerate(t, q, v) {
            // A trial stage far off: NaN makes the integrator take a shorter step.
            Err(e) => {
                self.singular = Some(e);
                dydt.fill(f64::NAN);
                return Ok(());
            }
            Ok(power) => power,
        };
        self.glimpse();
        self.fill_rate(y, power, dydt);
        Ok(())
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, SingularInertia> {
        self.project_state(t, y)
    }

    fn unknowns(&self) -> usize {
        self.creep.sites.len()
    }

    fn steer(&mut self, z: &[f64]) {
        self.steer_creep(z);
    }

    fn velocities(&self, w: &mut [[f64; 2]], wdot: &mut [[f64; 2]]) {
        self.creep_velocities(w, wdot);
    }

    fn turning(
        &mut self,
        t: f64,
        y: &[f64],
        D: &mut [[f64; 2]],
        B: &mut [[f64; 2]],
    ) -> Result<bool, SingularInertia> {
        self.turning_creep((t, y), D, B)
    }

    fn steered(&mut self, t0: f64, h: f64, nodes: &[f64]) {
        self.follow_creep(t0, h, nodes);
    }
}
