//! Return to active constraints: closed gaps, sticking contacts and bilateral rows.
//!
//! ```text
//! q ← q ⊕ (−M⁻¹Jₙᵀ (Jₙ M⁻¹ Jₙᵀ)⁺ g),   v ← v − M⁻¹Jᵀ (J M⁻¹ Jᵀ)⁺ (J v − target)        (1)
//! ```
//! the smallest change in the metric of M, cluster by cluster; redundant rows by least norm. Positions
//! take normals only: rolling is a constraint on velocities. The inverse is that of the forces of the flow, damped where
//! rows are nearly redundant ([`linear`](crate::coulomb::linear), (6)): what no force holds there, a residual r would
//! change the velocity by r/√σ for.
//!
//! At an event a slip that starts is among the rows of J:
//! ```text
//! uₜ = 0   of a site that stuck until its friction reached the limit, and of one whose slip is none     (2)
//! ```
//! The return of another slip that is none would else give it a velocity, whose direction its friction would follow.
//!
//! # Tests
//! (2): `tests/hybrid_wild.rs`, legged 78 of seed 115.

use super::clusters::Cluster;
use super::flow::Flow;
use super::rows::Rows;
use crate::contact::Mode;
use crate::coulomb::{self, Duty, ModeSystem, Tangent};
use crate::dynamics::{SingularInertia, integrate};
use carom_ode::Projection;
use nalgebra::DVector;

/// Newton steps of one return.
const MOST_CORRECTIONS: usize = 4;

/// Buffers of a projection.
pub(crate) struct Projector {
    pub rows: Rows,
    system: ModeSystem,
    modes: Vec<coulomb::Mode>,
    x: DVector<f64>,
    dv: Vec<f64>,
    q: Vec<f64>,
    /// The duties of the rows have just been decided: a slip that starts has no velocity.
    decided: bool,
    /// Sites whose friction has just reached its limit, (2).
    pub starting: Vec<usize>,
}

impl Projector {
    /// For events if `decided`, otherwise for the flow.
    pub fn new(model: &crate::model::Model, decided: bool) -> Self {
        Self {
            decided,
            starting: Vec::new(),
            rows: Rows::new(model),
            system: ModeSystem::default(),
            modes: Vec::new(),
            x: DVector::zeros(0),
            dv: vec![0.0; model.nv()],
            q: vec![0.0; model.nq()],
        }
    }

    /// The rows of a cluster at the posture that is placed and articulated.
    pub fn assemble(&mut self, flow: &mut Flow<'_>, cluster: &Cluster, t: f64, y: &[f64]) {
        self.rows.sites.clone_from(&cluster.sites);
        let mut all = std::mem::take(&mut self.rows.bilaterals);
        let (q, v, _) = flow.split(y);
        flow.posture.place(q, v);
        flow.bilaterals((t, q), &mut all);
        let mut place = 0;
        all.retain(|_| {
            place += 1;
            cluster.bilaterals.contains(&(place - 1))
        });
        self.rows.bilaterals = all;
        for &site in &self.rows.sites {
            flow.observe(site, q, v);
        }
        self.rows.assemble(&flow.posture.instant(), &flow.sites, &flow.contacts.states);
    }

    /// Bring q back to zero gaps of the cluster and to its bilateral rows; whether it moved. The rows
    /// are left assembled.
    pub fn positions(
        &mut self,
        flow: &mut Flow<'_>,
        cluster: &Cluster,
        t: f64,
        y: &mut [f64],
    ) -> Result<bool, SingularInertia> {
        let (nq, nv) = (flow.model.nq(), flow.model.nv());
        let mut moved = false;
        for corrections in 0.. {
            flow.posture.articulate(&y[..nq], &y[nq..nq + nv])?;
            self.assemble(flow, cluster, t, y);
            if corrections == MOST_CORRECTIONS || !self.gaps(flow) {
                break;
            }
            self.correct(flow);
            integrate::step(flow.model, &y[..nq], &self.dv, &mut self.q);
            y[..nq].copy_from_slice(&self.q);
            moved = true;
        }
        Ok(moved)
    }

    /// Bring v back to the closed sites and bilateral rows of the rows at hand; whether it moved.
    pub fn velocities(&mut self, flow: &Flow<'_>, v: &mut [f64]) -> bool {
        let worth = self.slips(flow, v);
        if worth {
            self.correct(flow);
            v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
        }
        worth
    }

    /// Bring the normal velocities of the rows at hand, which all close, to zero; whether it moved.
    pub fn close(&mut self, flow: &Flow<'_>, v: &mut [f64]) -> bool {
        self.modes.clear();
        self.modes.resize(self.rows.nb(), coulomb::Mode::held(Tangent::Stick));
        self.rows.problem.b.rows_range_mut(..self.rows.nb()).fill(0.0);
        let mut worth = false;
        for k in 0..self.rows.sites.len() {
            let c = *self.rows.contact(k);
            let u = self.rows.block.times(c.normal(), v);
            let hits = !c.driven && c.leader.is_none();
            worth |= hits && u.abs() > 4.0 * f64::EPSILON * self.rows.block.size(c.normal(), v);
            self.rows.problem.b[c.normal()] = u;
            self.modes.push(if hits { c.closed(Tangent::Smooth) } else { coulomb::Mode::OPEN });
        }
        if worth {
            self.correct(flow);
            v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
        }
        worth
    }

    /// Undo the last return of velocities.
    pub fn take_back(&self, v: &mut [f64]) {
        v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v -= d);
    }

    /// Position residuals into b; whether they are worth a correction.
    fn gaps(&mut self, flow: &Flow<'_>) -> bool {
        let mut worth = false;
        self.modes.clear();
        for (i, row) in self.rows.bilaterals.iter().enumerate() {
            self.rows.problem.b[i] = row.value - row.target[0];
            worth |= self.rows.problem.b[i].abs() > 8.0 * f64::EPSILON * row.size;
            self.modes.push(coulomb::Mode::held(Tangent::Stick));
        }
        for (k, &site) in self.rows.sites.iter().enumerate() {
            let n = self.rows.contact(k).normal();
            let state = &flow.contacts.states[site];
            self.rows.problem.b[n] = state.gap;
            worth |= state.gap.abs() > state.noise;
            // Only the normal row is held: no friction follows it.
            self.modes.push(self.rows.contact(k).closed(Tangent::Smooth));
        }
        worth
    }

    /// Velocity residuals into b; whether they are worth a correction.
    fn slips(&mut self, flow: &Flow<'_>, v: &[f64]) -> bool {
        let mut worth = false;
        self.modes.clear();
        let nb = self.rows.nb();
        for (i, row) in self.rows.bilaterals.iter().enumerate() {
            self.rows.problem.b[i] = self.rows.block.times(i, v) - row.target[1];
            let size = self.rows.block.size(i, v) + row.target[1].abs();
            worth |= self.rows.problem.b[i].abs() > 4.0 * f64::EPSILON * size;
            self.modes.push(coulomb::Mode::held(Tangent::Stick));
        }
        for (k, &site) in self.rows.sites.iter().enumerate() {
            let c = self.rows.problem.contacts[nb + k];
            let mode = flow.contacts.modes[site];
            let none = c.duty == Duty::Coulomb || self.starting.contains(&site);
            let starts = self.decided && none && mode.is_closed();
            let rests = c.rough() && (mode == Mode::Stick || starts);
            for i in c.rows() {
                let held = rests || i == c.normal() && mode.is_closed();
                let u = self.rows.block.times(i, v);
                self.rows.problem.b[i] = u;
                worth |= held && u.abs() > 4.0 * f64::EPSILON * self.rows.block.size(i, v);
            }
            self.modes.push(match mode {
                Mode::Open => coulomb::Mode::OPEN,
                _ if rests => c.closed(Tangent::Stick),
                _ => c.closed(Tangent::Smooth),
            });
        }
        worth
    }

    /// dv = −M⁻¹Jᵀ(J M⁻¹ Jᵀ)⁺ b for the residuals in b.
    fn correct(&mut self, flow: &Flow<'_>) {
        self.system.follow(&self.rows.problem, &self.modes, &[], &mut self.x);
        self.rows.response(&flow.posture.instant(), self.x.as_slice(), &mut self.dv);
    }
}

impl Flow<'_> {
    /// Bring (q, v) back to the closed gaps, sticking contacts and bilateral rows of all clusters.
    pub fn project_state(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, SingularInertia> {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let mut moved = integrate::normalize(self.model, &mut y[..nq]) > 0.0;
        let Some(mut projector) = self.projector.take() else { return Ok(Projection::Unchanged) };
        let clusters = std::mem::take(&mut self.clusters);
        let mut result = Ok(());
        for i in 0..clusters.len() {
            match projector.positions(self, clusters.get(i), t, y) {
                Ok(by) => moved |= by,
                Err(e) => {
                    result = Err(e);
                    break;
                }
            }
            moved |= projector.velocities(self, &mut y[nq..nq + nv]);
        }
        self.clusters = clusters;
        self.projector = Some(projector);
        result.map(|()| if moved { Projection::Moved } else { Projection::Unchanged })
    }
}
