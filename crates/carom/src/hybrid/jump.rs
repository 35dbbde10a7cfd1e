//! The impact at an event: contact space, law, velocities after.
//!
//! # Law
//! All closed and newly touching sites form one contact space. Bilateral rows hold through the
//! impact, B v⁺ = B v⁻, and are eliminated:
//! ```text
//! G' = G_cc − G_cb G_bb⁻¹ G_bc,   p_b = −G_bb⁻¹ G_bc p                (1)
//! v⁺ = v⁻ + M⁻¹ (Jᵀp + Bᵀp_b)                                        (2)
//! ```

use super::motion::Motion;
use super::transition::NO_VELOCITY;
use crate::complementarity::MinNorm;
use crate::contact::Instant;
use crate::impact::press::{press, press_together};
use crate::impact::{ContactSpace, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace};
use nalgebra::DMatrix;

/// Scratch of one impact.
pub(crate) struct Jump {
    pub space: ContactSpace,
    pub solution: ImpactSolution,
    work: ImpactWorkspace,
    /// −G_bb⁻¹ G_bc.
    held: DMatrix<f64>,
    system: MinNorm,
    impulses: Vec<f64>,
    dv: Vec<f64>,
}

impl Jump {
    pub fn new(nv: usize) -> Self {
        Self {
            space: ContactSpace::default(),
            solution: ImpactSolution::default(),
            work: ImpactWorkspace::new(),
            held: DMatrix::zeros(0, 0),
            system: MinNorm::default(),
            impulses: Vec::new(),
            dv: vec![0.0; nv],
        }
    }

    /// Fill the contact space from the assembled rows of `motion`; `restitution(k)` is that of its
    /// k-th active site.
    pub fn prepare(&mut self, motion: &Motion<'_>, v: &[f64], restitution: impl Fn(usize) -> f64) {
        let nb = motion.bilaterals.len();
        let rows = motion.system.rows() - nb;
        self.eliminate(motion, nb, rows);
        self.space.resize(rows);
        let zero = NO_VELOCITY * motion.scales.velocity;
        for i in 0..rows {
            // What round-off of the run leaves is no motion, however slow the impact.
            let u = motion.block.times(nb + i, v);
            self.space.u_pre[i] = if u.abs() <= zero { 0.0 } else { u };
            for j in 0..rows {
                let through: f64 =
                    (0..nb).map(|b| motion.system.G[(nb + i, b)] * self.held[(b, j)]).sum();
                self.space.G[(i, j)] = motion.system.G[(nb + i, nb + j)] + through;
            }
        }
        for (k, &site) in motion.active.iter().enumerate() {
            let s = &motion.sites[site];
            let friction = [s.surface.friction, s.surface.static_friction];
            self.space.push_contact(s.tangents, friction, restitution(k), true);
        }
        self.space.classify();
    }

    /// −G_bb⁻¹ G_bc of equation (1).
    fn eliminate(&mut self, motion: &Motion<'_>, nb: usize, rows: usize) {
        if nb == 0 {
            return;
        }
        self.held = DMatrix::zeros(nb, rows);
        for j in 0..rows {
            self.system.reset(nb, nb);
            for a in 0..nb {
                self.system.set_rhs(a, -motion.system.G[(a, nb + j)]);
                for b in 0..nb {
                    self.system.set(a, b, motion.system.G[(a, b)]);
                }
            }
            let x = self.system.solve(MinNorm::RANK_TOLERANCE);
            for (b, &x) in x.iter().enumerate() {
                self.held[(b, j)] = x;
            }
        }
    }

    /// Ask the law.
    pub fn resolve(&mut self, law: &dyn ImpactLaw) -> Result<(), ImpactError> {
        law.resolve(&self.space, &mut self.work, &mut self.solution)
    }

    /// An impact without collision: a contact of the space is pressed, or several as one; whether they
    /// take an impulse.
    pub fn press(&mut self, set: &[usize]) -> Result<bool, ImpactError> {
        match set {
            [contact] => press(&mut self.space, *contact, &mut self.work, &mut self.solution),
            _ => press_together(&self.space, set, &mut self.work, &mut self.solution),
        }
    }

    /// v ← v⁺, equation (2).
    pub fn apply(&mut self, motion: &mut Motion<'_>, v: &mut [f64]) {
        let nb = motion.bilaterals.len();
        let p = &self.solution.impulses;
        self.impulses.clear();
        self.impulses.extend(
            (0..nb).map(|b| p.iter().enumerate().map(|(j, p)| self.held[(b, j)] * p).sum::<f64>()),
        );
        self.impulses.extend(p.iter());
        let at = Instant { model: motion.model, kin: &motion.kin, art: &motion.art };
        motion.block.response(&at, &self.impulses, &mut motion.response, &mut self.dv);
        v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
    }
}
