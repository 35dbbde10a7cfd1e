//! The impact of a cluster: contact space, law, velocities after.
//!
//! # Law
//! All touching sites of the cluster form one contact space. Bilateral rows hold through the
//! impact, B v⁺ = B v⁻, and are eliminated:
//! ```text
//! G' = G_cc − G_cb G_bb⁻¹ G_bc,   p_b = −G_bb⁻¹ G_bc p                (1)
//! v⁺ = v⁻ + M⁻¹ (Jᵀp + Bᵀp_b)                                        (2)
//! W_b = p_b·B v                                                       (3)
//! ```
//! Joint friction is bounded and has no impulse, and impulses of contacts are forces at points: neither it nor
//! rolling and spinning friction take part. (3) is the work of prescribed motions, B v ≠ 0, in the impact.
//!
//! The law finds u⁺ = u⁻ + G p, whose terms cancel where bodies are nearly wedged and p is large. What that does to the works is
//! of the order of p²; velocities (2) do not know of it. Where it could be seen in the ledger, works are those of (2):
//! ```text
//! ε |p|ᵀ|G||p| > bound of the ledger:   u⁺ = J v⁺,   W = p·(u⁻ + J v⁺)/2             (5)
//! ```
//! if u⁺ changes by no more than its round-off, and the answer counts only if it makes no energy, see [`super::impacts`].
//!
//! # Tests
//! `crates/carom-scene/tests/prescribed.rs`: `eq3_a_moving_table_works_in_the_impact`; (5): `tests/hybrid_wild.rs`,
//! spatial-chain 86 of seed 112.

use super::flow::Flow;
use super::rows::Rows;
use crate::complementarity::MinNorm;
use crate::impact::net::resolve_or_comply;
use crate::impact::press::{press, press_together};
use crate::impact::{ContactSpace, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace};
use crate::numeric::reshape;
use crate::numeric::thresholds::{ACCEPTED, TERMS_NOISE, VELOCITY_NOISE};
use nalgebra::DMatrix;

/// Scratch of one impact.
pub(crate) struct Jump {
    pub space: ContactSpace,
    pub solution: ImpactSolution,
    work: Box<ImpactWorkspace>,
    /// −G_bb⁻¹ G_bc.
    held: DMatrix<f64>,
    system: MinNorm,
    impulses: Vec<f64>,
    dv: Vec<f64>,
    /// (3), J.
    pub jolt: f64,
}

impl Jump {
    pub fn new(nv: usize) -> Self {
        Self {
            space: ContactSpace::default(),
            solution: ImpactSolution::default(),
            work: Box::default(),
            held: DMatrix::zeros(0, 0),
            system: MinNorm::default(),
            impulses: Vec::new(),
            dv: vec![0.0; nv],
            jolt: 0.0,
        }
    }

    /// Fill the contact space from assembled rows; `restitution(k)` is that of the k-th site.
    pub fn prepare(&mut self, all: &Rows, v: &[f64], restitution: impl Fn(usize) -> f64) {
        let nb = all.nb();
        let rows = all.hit_rows();
        let G = &all.problem.G;
        self.eliminate(G, nb, rows);
        self.space.resize(rows);
        for i in 0..rows {
            self.space.u_pre[i] = contact_velocity(all, nb + i, v);
            for j in 0..rows {
                let through: f64 = (0..nb).map(|b| G[(nb + i, b)] * self.held[(b, j)]).sum();
                self.space.G[(i, j)] = G[(nb + i, nb + j)] + through;
            }
        }
        for k in 0..all.hits {
            let c = all.contact(k);
            let friction = [c.friction, c.static_friction];
            self.space.push_contact(c.tangents, friction, restitution(k), true);
        }
        self.space.classify();
    }

    /// −G_bb⁻¹ G_bc of equation (1).
    fn eliminate(&mut self, G: &DMatrix<f64>, nb: usize, rows: usize) {
        if nb == 0 {
            return;
        }
        reshape(&mut self.held, nb, rows);
        for j in 0..rows {
            self.system.reset(nb, nb);
            for a in 0..nb {
                self.system.set_rhs(a, -G[(a, nb + j)]);
                for b in 0..nb {
                    self.system.set(a, b, G[(a, b)]);
                }
            }
            let x = self.system.solve(MinNorm::RANK_TOLERANCE);
            for (b, &x) in x.iter().enumerate() {
                self.held[(b, j)] = x;
            }
        }
    }

    /// The three numbers of the k-th contact in a vector of all rows: two tangents, normal.
    pub fn pick(&self, k: usize, x: &[f64]) -> [f64; 3] {
        let c = &self.space.contacts[k];
        let mut rows = [0.0; 3];
        rows[2] = x[c.normal()];
        rows[..c.tangents].copy_from_slice(&x[c.tangent_rows()]);
        rows
    }

    /// Ask the law, with the compliant path under it.
    pub fn resolve(&mut self, law: &dyn ImpactLaw) -> Result<(), ImpactError> {
        resolve_or_comply(law, &self.space, &mut self.work, &mut self.solution)
    }

    /// An impact without collision: a contact of the space is pressed, or several as one; whether they
    /// take an impulse.
    pub fn press(&mut self, set: &[usize]) -> Result<bool, ImpactError> {
        match set {
            [contact] => press(&mut self.space, *contact, &mut self.work, &mut self.solution),
            _ => press_together(&self.space, set, &mut self.work, &mut self.solution),
        }
    }

    /// Whether the impulses change velocities by more than their round-off,
    /// ```text
    /// |Δu| > 1e-9 max |G||p|                                                        (4)
    /// ```
    /// those of bodies that are wedged press each other without end and move nothing.
    pub fn moves(&self) -> bool {
        let (space, solution) = (&self.space, &self.solution);
        let p = &solution.impulses;
        let pushed = |i: usize| (0..p.len()).map(|j| (space.G[(i, j)] * p[j]).abs()).sum::<f64>();
        let most = (0..p.len()).map(pushed).fold(0.0, f64::max);
        (&solution.u_post - &space.u_pre).amax() > ACCEPTED * most
    }

    /// v ← v⁺, equation (2).
    pub fn apply(&mut self, rows: &mut Rows, flow: &Flow<'_>, v: &mut [f64]) {
        let nb = rows.nb();
        let p = &self.solution.impulses;
        self.impulses.clear();
        self.impulses.extend(
            (0..nb).map(|b| p.iter().enumerate().map(|(j, p)| self.held[(b, j)] * p).sum::<f64>()),
        );
        let motions = rows.bilaterals.iter().zip(&self.impulses).filter(|(row, _)| row.prescribed);
        self.jolt = motions.map(|(row, p)| p * row.target[1]).sum();
        self.impulses.extend(p.iter());
        rows.response(&flow.posture.instant(), &self.impulses, &mut self.dv);
        v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
    }

    /// (5) after [`apply`](Self::apply), with the bound of the ledger in J; whether that was needed.
    pub fn book(&mut self, rows: &Rows, v: &[f64], bound: f64) -> bool {
        let (space, solution) = (&self.space, &mut self.solution);
        let p = &solution.impulses;
        let pushed = |i: usize| (0..p.len()).map(|j| (space.G[(i, j)] * p[j]).abs()).sum::<f64>();
        let blur: f64 = (0..p.len()).map(|i| p[i].abs() * pushed(i)).sum();
        if f64::EPSILON * blur <= bound {
            return false;
        }
        for (k, c) in space.contacts.iter().enumerate() {
            for i in c.rows() {
                let u = contact_velocity(rows, rows.nb() + i, v);
                let change = u - solution.u_post[i];
                if change.abs() > TERMS_NOISE * pushed(i) {
                    continue;
                }
                solution.u_post[i] = u;
                let work = 0.5 * p[i] * change;
                let normal = i == c.normal();
                let works =
                    if normal { &mut solution.normal_works } else { &mut solution.friction_works };
                works[k] += work;
                *if normal { &mut solution.normal_work } else { &mut solution.friction_work } +=
                    work;
            }
        }
        true
    }
}

/// Velocity along a row; what round-off leaves is no motion, however slow the impact.
fn contact_velocity(rows: &Rows, i: usize, v: &[f64]) -> f64 {
    let u = rows.block.times(i, v);
    let noise = VELOCITY_NOISE * rows.block.size(i, v);
    if u.abs() <= noise { 0.0 } else { u }
}
