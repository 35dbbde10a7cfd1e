//! The mechanism as a flow: ẏ = f(t, y) within one set of contact modes.
//!
//! # Law
//! ```text
//! y = (q, v, works),  q̇ = N(q) v                                        (1)
//! v̇ = M⁻¹(τ − h + Jᵀλ),  λ by the modes, see crate::contact              (2)
//! works: applied, dampers, sliding friction at each site                 (3)
//! ```
//!
//! # Limits
//! The slip direction of a spatial contact follows uₜ while uₜ has a component along the reference
//! taken at the start of the step, and stays at the reference otherwise: the right-hand side is
//! smooth across the end of a slip, so its zero can be located like any other.

use super::drive::Drive;
use super::watch::Watch;
use crate::contact::delassus::{Instant, RowBlock};
use crate::contact::site_state::{SiteState, site_state};
use crate::contact::{ContactForces, ContactSystem, Mode, Press, Site, SolverScratch, solve_modes};
use crate::control::{ForceLaw, Prescribed};
use crate::dynamics::jacobian::VelocityProducts;
use crate::dynamics::response::ResponseScratch;
use crate::dynamics::{
    Articulated, Flight, ForwardScratch, Kinematics, SingularInertia, forces, forward_dynamics,
    integrate,
};
use crate::model::Model;
use carom_ode::{Projection, Rate};
use nalgebra::Vector3;

/// Slip below this fraction of the velocity scale is round-off: its direction is that of the reference.
/// It occurs where a contact has let go that other contacts of the same body hold in place.
const NO_SLIP: f64 = 1e-9;

/// A bilateral row: its terms, and the acceleration and position it must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bilateral {
    pub terms: [(usize, f64); 2],
    pub count: usize,
    /// Acceleration, velocity and position residuals' right-hand sides.
    pub target: [f64; 3],
    /// Prescribed motions do work, couplings do not.
    pub prescribed: bool,
}

/// Sizes that turn round-off into absolute numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scales {
    /// Length, m.
    pub length: f64,
    /// Velocity, m/s.
    pub velocity: f64,
    /// Force, N.
    pub force: f64,
}

impl Scales {
    /// Time, s.
    pub fn time(&self) -> f64 {
        self.length / self.velocity
    }
}

/// The mechanism within one set of modes.
pub(crate) struct Motion<'a> {
    pub model: &'a Model,
    pub sites: &'a [Site],
    pub forces: Vec<Box<dyn ForceLaw + 'a>>,
    pub prescribed: Vec<Prescribed>,
    pub drive: Drive<'a>,
    pub modes: Vec<Mode>,
    /// Degrees of freedom at exact rest.
    pub frozen: Vec<bool>,
    pub watches: Vec<(usize, Watch)>,
    pub kin: Kinematics,
    pub products: VelocityProducts,
    pub art: Articulated,
    pub response: ResponseScratch,
    pub states: Vec<SiteState>,
    pub block: RowBlock,
    pub system: ContactSystem,
    pub bilaterals: Vec<Bilateral>,
    /// Closed sites in the order of the system's contacts, after the bilateral rows.
    pub active: Vec<usize>,
    pub contact: ContactForces,
    pub solver: SolverScratch,
    pub press: Vec<Press>,
    pub vdot: Vec<f64>,
    pub scales: Scales,
    /// The last singular inertia met in a trial stage.
    pub singular: Option<SingularInertia>,
    forward: ForwardScratch,
    /// The short way to v̇ where nothing but joint forces and gravity acts.
    flight: Option<Flight>,
    pub(super) tau: Vec<f64>,
    pub(super) user: Vec<f64>,
    pub(super) dv: Vec<f64>,
    pub(super) q_scratch: Vec<f64>,
    /// q and v that `kin` belongs to.
    pub(super) placed: Vec<f64>,
    /// The inertias of `kin` belong to its poses.
    pub(super) inertias_fresh: bool,
    /// `products` belong to `kin`.
    pub(super) products_fresh: bool,
    /// `art` belongs to the q of `kin`.
    pub(super) art_fresh: bool,
}

impl<'a> Motion<'a> {
    pub fn new(model: &'a Model, sites: &'a [Site], scales: Scales) -> Self {
        let nv = model.nv();
        let rows =
            sites.iter().map(|s| s.tangents + 1).sum::<usize>() + model.couplings().len() + nv;
        Self {
            model,
            sites,
            forces: Vec::new(),
            prescribed: Vec::new(),
            drive: Drive::default(),
            modes: vec![Mode::Open; sites.len()],
            frozen: vec![false; nv],
            watches: Vec::with_capacity(2 * sites.len()),
            kin: Kinematics::new(model),
            products: VelocityProducts::new(model),
            art: Articulated::new(model),
            response: ResponseScratch::new(model),
            states: vec![SiteState::default(); sites.len()],
            block: RowBlock::with_capacity(model, rows),
            system: ContactSystem::with_capacity(rows),
            bilaterals: Vec::with_capacity(model.couplings().len() + nv),
            active: Vec::with_capacity(sites.len()),
            contact: ContactForces::with_capacity(rows),
            solver: SolverScratch::with_capacity(rows),
            press: Vec::with_capacity(rows),
            vdot: vec![0.0; nv],
            scales,
            singular: None,
            forward: ForwardScratch::new(model),
            flight: Flight::of(model),
            tau: vec![0.0; nv],
            user: vec![0.0; nv],
            dv: vec![0.0; nv],
            q_scratch: vec![0.0; model.nq()],
            placed: vec![f64::NAN; model.nq() + nv],
            inertias_fresh: false,
            products_fresh: false,
            art_fresh: false,
        }
    }

    /// Length of y.
    pub fn len(&self) -> usize {
        self.model.nq() + self.model.nv() + 2 + self.sites.len()
    }

    /// q, v and works of a state.
    pub fn split<'y>(&self, y: &'y [f64]) -> (&'y [f64], &'y [f64], &'y [f64]) {
        let (q, rest) = y.split_at(self.model.nq());
        let (v, works) = rest.split_at(self.model.nv());
        (q, v, works)
    }

    /// Whether nothing but gravity, springs and dampers acts, so that what rests stays at rest.
    pub fn autonomous(&self) -> bool {
        self.forces.is_empty() && self.prescribed.is_empty() && self.drive.is_idle()
    }

    /// Poses, then v̇ without contact forces.
    pub fn free(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), SingularInertia> {
        self.place(q, v);
        self.free_acceleration(t, q, v).map(|_| ())
    }

    /// v̇ without contact forces; returns the power of user forces.
    fn free_acceleration(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<f64, SingularInertia> {
        self.user.fill(0.0);
        for force in &mut self.forces {
            force.add(t, (q, v), (self.model, &self.kin), &mut self.user);
        }
        self.tau.copy_from_slice(&self.user);
        forces::add_joint_forces(self.model, q, v, &mut self.tau);
        let parts = (&mut self.art, &mut self.forward);
        self.art_fresh = false;
        forward_dynamics(self.model, &self.kin, &self.tau, parts, &mut self.vdot)?;
        self.art_fresh = true;
        let power: f64 = self.user.iter().zip(v).map(|(f, v)| f * v).sum();
        if self.drive.rests() {
            return Ok(power);
        }
        Ok(power + self.drive_joints(t, q, v))
    }

    /// Bilateral rows and the rows of `active`, with G; needs articulated inertias.
    pub fn assemble(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.block.clear();
        self.system.clear();
        self.collect_bilaterals(t);
        let at = Instant { model: self.model, kin: &self.kin, art: &self.art };
        for row in &self.bilaterals {
            let terms = &row.terms[..row.count];
            self.block.push_combination(&at, &mut self.response, terms);
            self.system.push(0, 0.0, 0.0, true);
        }
        for &site in &self.active {
            let s = &self.sites[site];
            self.states[site] = site_state(self.model, s, (&self.kin, &self.products), (q, v));
            self.states[site].push_rows(s, &at, &mut self.response, &mut self.block);
            self.system.push(s.tangents, s.surface.friction, s.surface.static_friction, false);
        }
        self.block.gram(&self.art, &mut self.system.G);
    }

    /// Free accelerations of the assembled rows.
    pub fn fill_free(&mut self) {
        for (i, row) in self.bilaterals.iter().enumerate() {
            self.system.b[i] = self.block.times(i, &self.vdot) - row.target[2];
        }
        for (k, &site) in self.active.iter().enumerate() {
            let c = self.system.contacts[self.bilaterals.len() + k];
            let gamma = self.states[site].gamma;
            for i in c.first..=c.normal() {
                let own = if i == c.normal() { 2 } else { i - c.first };
                self.system.b[i] = self.block.times(i, &self.vdot) + gamma[own];
            }
        }
    }

    fn collect_bilaterals(&mut self, t: f64) {
        self.bilaterals.clear();
        let coordinates = self.model.coordinates();
        for c in self.model.couplings() {
            let terms = [
                (c.follower, coordinates[c.follower].ratio),
                (c.leader, -c.ratio * coordinates[c.leader].ratio),
            ];
            // φ_f = r φ_l + o, with φ = ratio q + offset on both sides.
            let offset =
                c.offset + c.ratio * coordinates[c.leader].offset - coordinates[c.follower].offset;
            let target = [offset, 0.0, 0.0];
            self.bilaterals.push(Bilateral { terms, count: 2, target, prescribed: false });
        }
        for p in &self.prescribed {
            let c = &coordinates[p.dof];
            let mut target = p.at(t);
            target[0] -= c.offset;
            let terms = [(p.dof, c.ratio), (p.dof, 0.0)];
            self.bilaterals.push(Bilateral { terms, count: 1, target, prescribed: true });
        }
    }

    /// v̇ of the state under the present modes; fills `contact`, `states` and `vdot`. Returns the
    /// power of applied forces.
    pub fn accelerate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<f64, SingularInertia> {
        self.pose(q, v);
        let mut power = self.free_acceleration(t, q, v)?;
        if !self.bilateral_free() || !self.active.is_empty() {
            self.place(q, v);
            self.assemble(t, q, v);
            self.fill_free();
            self.choose_press();
            solve_modes(&self.system, &self.press, &mut self.solver, &mut self.contact);
            let at = Instant { model: self.model, kin: &self.kin, art: &self.art };
            self.block.response(&at, &self.contact.lambda, &mut self.response, &mut self.dv);
            self.vdot.iter_mut().zip(&self.dv).for_each(|(a, d)| *a += d);
            for (i, row) in self.bilaterals.iter().enumerate().filter(|(_, row)| row.prescribed) {
                power += self.contact.lambda[i] * row.target[1];
            }
        }
        self.rest_frozen();
        Ok(power)
    }

    /// v̇ where nothing but joint forces and gravity acts and there is a short way; whether it was
    /// taken. `kin` is not touched.
    fn fly(&mut self, q: &[f64], v: &[f64]) -> bool {
        let alone = self.active.is_empty() && self.drive.rests() && self.bilateral_free();
        let Some(flight) = self.flight.as_mut().filter(|_| alone && self.forces.is_empty()) else {
            return false;
        };
        self.tau.fill(0.0);
        forces::add_joint_forces(self.model, q, v, &mut self.tau);
        if !flight.forward(q, v, &self.tau, &mut self.vdot) {
            return false;
        }
        self.rest_frozen();
        true
    }

    /// No prescribed motion and no coupling.
    fn bilateral_free(&self) -> bool {
        self.prescribed.is_empty() && self.model.couplings().is_empty()
    }

    /// What is at exact rest stays there.
    fn rest_frozen(&mut self) {
        for (a, frozen) in self.vdot.iter_mut().zip(&self.frozen) {
            if *frozen {
                *a = 0.0;
            }
        }
    }

    /// Modes in the tangent bases of this instant.
    fn choose_press(&mut self) {
        self.press.clear();
        self.press.extend(self.bilaterals.iter().map(|_| Press::Stick));
        for &site in &self.active {
            self.press.push(match self.modes[site] {
                Mode::Open => Press::Open,
                Mode::Stick => Press::Stick,
                Mode::Slip { reference } => {
                    let least = NO_SLIP * self.scales.velocity;
                    let state = &self.states[site];
                    Press::Slip(slip_direction(&self.sites[site], (state, least), &reference))
                }
            });
        }
    }

    /// Contact force of a site: two tangents, normal. Zero for open ones.
    pub fn site_force(&self, site: usize) -> [f64; 3] {
        let Some(k) = self.active.iter().position(|&s| s == site) else { return [0.0; 3] };
        let c = self.system.contacts[self.bilaterals.len() + k];
        let mut force = [0.0; 3];
        force[2] = self.contact.lambda[c.normal()];
        force[..c.tangents].copy_from_slice(&self.contact.lambda[c.first..c.normal()]);
        force
    }

    /// Fastest turn of any link, rad/s.
    pub fn fastest_turn(&self) -> f64 {
        self.kin.links.iter().fold(0.0_f64, |s, l| s.max(l.V.w.norm_squared())).sqrt()
    }

    /// Renew the reference directions of spatial slips from the present slip velocities; whether
    /// there were any.
    pub fn refresh_references(&mut self, q: &[f64], v: &[f64]) -> bool {
        let slips =
            |i: &usize| self.sites[*i].tangents == 2 && matches!(self.modes[*i], Mode::Slip { .. });
        if !self.active.iter().any(slips) {
            return false;
        }
        self.place(q, v);
        for k in 0..self.active.len() {
            let i = self.active[k];
            if let Mode::Slip { reference } = self.modes[i]
                && self.sites[i].tangents == 2
            {
                self.observe(i, q, v);
                let s = &self.states[i];
                let slip = s.axes[0] * s.u[0] + s.axes[1] * s.u[1];
                let size = slip.norm();
                if size > NO_SLIP * self.scales.velocity && slip.dot(&reference) > 0.0 {
                    self.modes[i] = Mode::Slip { reference: slip / size };
                }
            }
        }
        true
    }

    /// Let the velocity scale follow the fastest coordinate.
    pub fn grow_scales(&mut self, v: &[f64]) {
        self.scales.velocity = v.iter().fold(self.scales.velocity, |s, v| s.max(v.abs()));
    }
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
    let d = if u[0] * r[0] + u[1] * r[1] > least { u } else { r };
    let size = d[0].hypot(d[1]);
    if size == 0.0 { [1.0, 0.0] } else { [d[0] / size, d[1] / size] }
}

impl Rate for Motion<'_> {
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
        self.fill_rate(y, power, dydt);
        Ok(())
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, SingularInertia> {
        self.project_state(t, y)
    }
}

impl Motion<'_> {
    /// ẏ from the acceleration just found and the power of applied forces.
    pub fn fill_rate(&self, y: &[f64], power: f64, dydt: &mut [f64]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let (q, v, _) = self.split(y);
        integrate::coordinate_rate(self.model, q, v, &mut dydt[..nq]);
        dydt[nq..nq + nv].copy_from_slice(&self.vdot);
        let works = &mut dydt[nq + nv..];
        works.fill(0.0);
        works[0] = power;
        works[1] = -forces::damper_power(self.model, v);
        for (k, &site) in self.active.iter().enumerate() {
            if matches!(self.modes[site], Mode::Slip { .. }) {
                let c = self.system.contacts[self.bilaterals.len() + k];
                let u = self.states[site].u;
                works[2 + site] =
                    (0..c.tangents).map(|i| self.contact.lambda[c.first + i] * u[i]).sum();
            }
        }
    }
}
