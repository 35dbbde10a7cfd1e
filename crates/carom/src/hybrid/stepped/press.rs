//! Forces and impulses of a step: (1) to (3), (6) and (7) of [`crate::stepping`].

use super::run::{Stepped, Touch};
use crate::contact::{Instant, Mode};
use crate::coulomb::sparse::Effort;
use crate::dynamics::response::{ResponseScratch, sweep_outward};
use crate::dynamics::{SingularInertia, elements, forces, integrate};
use crate::hybrid::bilateral::{Bilateral, Form, bilaterals};
use crate::hybrid::outcome::SimError;
use crate::hybrid::posture::Posture;
use crate::hybrid::sampling::Teller;
use crate::model::Model;
use crate::numeric::thresholds::{ACCEPTED, SWEPT};
use crate::record::Rescue;
use crate::stepping::{Ask, Parts, Rows};
use carom_ode::FlowError;
use std::borrow::Cow;

/// Contacts of a cluster up to which it is solved to round-off; above, sweeps go on from the step before.
const EXACT: usize = 64;

impl Stepped<'_> {
    /// (1), and the velocity of the middle.
    pub(super) fn drift(&mut self, h: f64) {
        for (i, v) in self.v.iter().enumerate() {
            self.dv[i] = 0.5 * h * v;
            self.v_middle[i] = v + 0.5 * h * self.vdot[i];
        }
        integrate::step(self.model, &self.q, &self.dv, &mut self.q_middle);
    }

    /// v̇ without contacts at the middle.
    pub(super) fn accelerate(&mut self, (t, h): (f64, f64)) -> Result<(), SimError> {
        let middle = t + 0.5 * h;
        self.user.fill(0.0);
        self.middle.place(&self.q_middle, &self.v_middle);
        for force in &mut self.given.forces {
            let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
            force.add(middle, state, (self.model, &self.middle.kin), &mut self.user);
        }
        elements::add_loads(self.model, &self.middle.kin, &mut self.user);
        self.find_forces().map_err(|source| failed(t, source))?;
        if self.given.motors.is_idle() {
            return Ok(());
        }
        self.before.clear();
        self.before.extend_from_slice(&self.modes[..self.pool.declared]);
        self.closed.clear();
        self.closed.extend((0..self.pool.declared).filter(|&s| self.modes[s].is_closed()));
        let sites = &self.pool.sites[..self.pool.declared];
        let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
        self.given.motors.step_to(middle, &self.before, &self.closed);
        let known = (self.model, &self.middle.kin, &self.middle.products, &self.middle.art);
        self.given.motors.push((middle, state), known, (sites, &self.free), &mut self.user);
        self.find_forces().map_err(|source| failed(t, source))
    }

    /// The free acceleration under the user's forces, springs and dampers.
    fn find_forces(&mut self) -> Result<(), SingularInertia> {
        self.tau.copy_from_slice(&self.user);
        forces::add_joint_forces(self.model, &self.q_middle, &self.v, &mut self.tau);
        elements::add_spring_forces(self.model, &self.middle.kin, &mut self.tau);
        self.middle.forward(&self.q_middle, &self.v_middle, &self.tau, &mut self.free)
    }

    /// Sites that touch, equation (6), and what is asked of them, (3) and (7).
    pub(super) fn touch(&mut self, (t, h): (f64, f64)) {
        self.look(h);
        self.rows.clear();
        self.asks.clear();
        self.touches.clear();
        self.hold(t + h, h);
        self.judge_conditions(t + 0.5 * h);
        // What follows another contact comes last.
        for followers in [false, true] {
            self.leaders = self.touches.len();
            for i in 0..self.pool.candidates.len() {
                let site = self.pool.candidates[i];
                if self.pool.sites[site].follows().is_some() == followers {
                    self.consider(site, h);
                }
            }
        }
    }

    /// Sites that may touch before the end of the step.
    pub(super) fn look(&mut self, h: f64) {
        let fastest = self.speed(&self.middle);
        self.pool.find(self.model, &self.middle.kin, h * fastest + h * h * self.gravity());
        self.make_room();
    }

    /// Bilateral rows come first.
    fn hold(&mut self, t: f64, h: f64) {
        let given = (self.model, self.given.prescribed.as_slice());
        let known = (&self.middle.kin, &self.middle.products);
        bilaterals(given, known, (t, &self.q_middle), &mut self.bilaterals);
        self.held.resize(self.bilaterals.len(), 0.0);
        for (row, guess) in self.bilaterals.iter().zip(&self.held) {
            push_bilateral(&mut self.rows, &self.middle.instant(), &self.parts, row);
            let k = self.rows.len() - 1;
            let u = self.rows.times(&self.parts, k, &self.v)[0];
            let rate = self.rows.times(&self.parts, k, &self.free)[0];
            self.asks.push(Ask::held(u + h * rate - row.target[1], *guess));
            let u = [u, 0.0, 0.0];
            self.touches.push(Touch { site: usize::MAX, u, collides: false });
        }
    }

    fn consider(&mut self, site: usize, h: f64) {
        self.observe_middle(site);
        let s = &self.states[site];
        let of = self.pool.sites[site].follows();
        let leader = of.map(|of| self.leader(of));
        if leader == Some(None) || self.is_out_of_play(site) {
            self.open(site);
            return;
        }
        let fall = h * h * self.gravity();
        if !s.gap.is_finite() || s.gap > h * s.speed + fall + s.noise {
            self.open(site);
            return;
        }
        let parts = &self.parts;
        self.rows.push_site(&self.middle.instant(), parts, (&self.pool.sites[site], s), true);
        let k = self.rows.len() - 1;
        let u = self.rows.times(parts, k, &self.v);
        let rate = self.rows.times(parts, k, &self.free);
        let surface = &self.pool.sites[site].surface;
        let slipped = matches!(self.modes[site], Mode::Slip { .. });
        let friction = if slipped { surface.friction } else { surface.static_friction };
        let guess = self.guesses[site];
        if let Some(follows) = leader {
            let b = std::array::from_fn(|i| u[i] + h * rate[i]);
            self.asks.push(Ask { follows, ..Ask::contact(b, friction, guess) });
            self.touches.push(Touch { site, u, collides: false });
            return;
        }
        let normal = self.rows.rows(k) - 1;
        let a = (rate[normal] + s.gamma[2]).abs().max(self.gravity());
        let put = self.put.binary_search(&site).is_ok();
        if !put && s.gap > 0.5 * h * h * a + s.noise {
            self.rows.pop();
            self.open(site);
            return;
        }
        let collides = -u[normal] > 2.0 * h * a;
        let mut b = [0.0; 3];
        (0..=normal).for_each(|i| b[i] = u[i] + h * rate[i]);
        if collides {
            b[normal] += surface.restitution * u[normal];
        }
        let pressed = self.pool.sites[site].pressed_by().map(|force| h * force);
        self.asks.push(Ask { pressed, ..Ask::contact(b, friction, guess) });
        self.touches.push(Touch { site, u, collides });
    }

    /// The place of a site that others follow, if it touches without a collision.
    fn leader(&self, of: usize) -> Option<usize> {
        let first = self.bilaterals.len();
        let sites = &self.touches[first..self.leaders];
        let at = sites.binary_search_by_key(&of, |touch| touch.site).ok()?;
        (!sites[at].collides).then_some(first + at)
    }

    /// A site that does not touch.
    fn open(&mut self, site: usize) {
        self.guesses[site] = [0.0; 3];
        self.let_go(site);
        if let Some(force) = self.forces.get_mut(site) {
            *force = [0.0; 3];
        }
        if self.modes[site].is_closed() {
            let mode = std::mem::replace(&mut self.modes[site], Mode::Open);
            self.note(site, mode, [[0.0; 3]; 3], [0.0; 2]);
        }
    }

    /// The impulses of the step and the velocity after it, (2) and (3).
    pub(super) fn press(&mut self, (t, h): (f64, f64), teller: &mut Teller<'_>) {
        let quality = self.solve.solve(&self.parts, &self.rows, &self.asks, &effort);
        self.residual = self.residual.max(quality.residual);
        if teller.strict && quality.residual > ACCEPTED {
            let sites = self.touches.iter().map(|t| t.site).filter(|&s| s < self.pool.declared);
            teller.broken.get_or_insert((Rescue::Soft, t, sites.collect()));
        }
        let places = self.residuals.len();
        self.residuals[self.steps as usize % places] = quality.residual;
        self.respond_middle();
        for i in 0..self.v.len() {
            self.v_next[i] = self.v[i] + h * self.free[i] + self.dv[i];
        }
        let collision = self.touches.iter().any(|touch| touch.collides);
        for i in 0..self.v.len() {
            let change = if collision { h * self.free[i] } else { self.v_next[i] - self.v[i] };
            self.vdot[i] = change / h;
        }
    }

    /// dv = M̂⁻¹Jᵀx of the forces found.
    fn respond_middle(&mut self) {
        respond(self.soft, &self.middle, &self.solve.s, &mut self.response, &mut self.dv);
    }

    /// Largest speed of a point of a link that is as far from its origin as the mechanism is from the world's, m/s.
    fn speed(&self, posture: &Posture<'_>) -> f64 {
        posture.kin.links.iter().fold(0.0, |s, l| s.max(l.V.v.norm() + l.V.w.norm() * self.reach))
    }
}

/// dv = M̂⁻¹Jᵀx with s = Zᵀx.
pub(super) fn respond(
    model: &Model,
    posture: &Posture<'_>,
    s: &[f64],
    scratch: &mut ResponseScratch,
    dv: &mut [f64],
) {
    for ((d, s), D_inv) in dv.iter_mut().zip(s).zip(&posture.art.D_inv) {
        *d = s / D_inv.sqrt();
    }
    sweep_outward(model, &posture.kin, &posture.art, scratch, dv);
}

/// Append the row of a coupling, a prescribed motion or a loop.
pub(super) fn push_bilateral(rows: &mut Rows, at: &Instant<'_>, parts: &Parts, row: &Bilateral) {
    match &row.form {
        Form::Joints { terms, count } => rows.push_combination(at, parts, &terms[..*count]),
        Form::Loop(_, equation) => rows.push_loop(at, parts, equation),
    }
}

/// How much may be done for the problem of so many contacts.
pub(super) fn effort(contacts: usize) -> Effort {
    if contacts <= EXACT {
        return Effort { target: ACCEPTED, sweeps: 400, factor: 1e7 };
    }
    Effort { target: SWEPT, sweeps: 200, factor: 2e9 }
}

pub(super) fn failed(t: f64, source: SingularInertia) -> SimError {
    SimError::Flow { modes: String::from("time step"), source: FlowError::Rate { t, source } }
}

/// M̂ of (2) as a mechanism: springs and dampers of joints taken at the middle of steps of length h.
pub(in crate::hybrid) fn softened(model: &Model, h: f64) -> Cow<'_, Model> {
    let coordinates = model.coordinates().iter();
    if !coordinates.clone().any(|c| c.spring.is_some() || c.damping != 0.0) {
        return Cow::Borrowed(model);
    }
    Cow::Owned(model.stiffened(|c| {
        let stiffness = c.spring.map_or(0.0, |s| s.stiffness);
        c.ratio * c.ratio * (0.5 * h * c.damping + 0.25 * h * h * stiffness)
    }))
}
