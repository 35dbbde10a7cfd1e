//! The rows of one cluster: bilateral ones first, then those of its sites; G and b of its problem.

use super::bilateral::{Bilateral, Form};
use crate::contact::{Instant, RowBlock, Site, SiteState};
use crate::coulomb::{Contact, Duty, Problem};
use crate::dynamics::response::ResponseScratch;
use crate::model::Model;

/// Rows and the Coulomb problem that they make.
pub(crate) struct Rows {
    pub sites: Vec<usize>,
    /// How many of them, the first ones, take part in impacts.
    pub hits: usize,
    pub bilaterals: Vec<Bilateral>,
    pub block: RowBlock,
    pub problem: Problem,
    response: ResponseScratch,
}

impl Rows {
    pub fn new(model: &Model) -> Self {
        Self {
            sites: Vec::new(),
            hits: 0,
            bilaterals: Vec::new(),
            block: RowBlock::with_capacity(model, 12),
            problem: Problem::default(),
            response: ResponseScratch::new(model),
        }
    }

    /// Number of bilateral rows, which come first.
    pub fn nb(&self) -> usize {
        self.bilaterals.len()
    }

    /// The contact of the k-th site.
    pub fn contact(&self, k: usize) -> &Contact {
        &self.problem.contacts[self.nb() + k]
    }

    /// Rows and G of `self.bilaterals` and `self.sites`, whose states must belong to the instant.
    pub fn assemble(&mut self, at: &Instant<'_>, sites: &[Site], states: &[SiteState]) {
        self.block.clear();
        for row in &self.bilaterals {
            match &row.form {
                Form::Joints { terms, count } => {
                    self.block.push_combination(at, &terms[..*count]);
                }
                Form::Loop(_, equation) => self.block.push_loop(at, equation),
            }
        }
        for &site in &self.sites {
            states[site].push_rows(&sites[site], at, &mut self.block);
        }
        self.problem.resize(self.block.rows());
        for _ in &self.bilaterals {
            self.problem.push(0, [0.0; 2], Duty::Held);
        }
        for &site in &self.sites {
            let s = &sites[site];
            let friction = [s.surface.friction, s.surface.static_friction];
            if let Some(k) = s.follows().and_then(|of| self.sites.iter().position(|&s| s == of)) {
                self.problem.push_follower(self.bilaterals.len() + k, s.tangents, friction);
                continue;
            }
            self.problem.push(s.tangents, friction, Duty::Coulomb);
            if let (Some(force), Some(c)) = (s.pressed_by(), self.problem.contacts.last_mut()) {
                (c.driven, c.preload) = (true, force);
            }
        }
        self.hits = self.sites.iter().take_while(|&&site| sites[site].hits()).count();
        self.block.gram(at.art, &mut self.problem.G);
    }

    /// Gₜₜ of the first tangent of a site alone; the rows at hand are gone.
    pub fn mobility(&mut self, at: &Instant<'_>, (site, state): (&Site, &SiteState)) -> f64 {
        self.block.clear();
        state.push_rows(site, at, &mut self.block);
        self.problem.resize(self.block.rows());
        self.block.gram(at.art, &mut self.problem.G);
        self.problem.G[(0, 0)]
    }

    /// b: accelerations of the rows under v̇.
    pub fn accelerations(&mut self, vdot: &[f64], states: &[SiteState]) {
        let nb = self.bilaterals.len();
        for (i, row) in self.bilaterals.iter().enumerate() {
            self.problem.b[i] = self.block.sum(i, vdot, -row.target[2]);
        }
        for (k, &site) in self.sites.iter().enumerate() {
            let c = self.problem.contacts[nb + k];
            let gamma = states[site].gamma;
            for i in c.rows() {
                let own = if i == c.normal() { 2 } else { i - c.first };
                self.problem.b[i] = self.block.sum(i, vdot, gamma[own]);
            }
        }
    }

    /// b: what v̇ makes of the rows as they stand, J v̇; those of joints do not turn, and keep what is prescribed.
    pub fn without_turning(&mut self, vdot: &[f64]) {
        for i in 0..self.problem.rows() {
            let prescribed = match self.bilaterals.get(i) {
                Some(row) if matches!(row.form, Form::Joints { .. }) => row.target[2],
                _ => 0.0,
            };
            self.problem.b[i] = self.block.sum(i, vdot, -prescribed);
        }
    }

    /// Force that the terms of the k-th site's normal acceleration under v̇ amount to alone, (5) of [`super::guards`].
    pub fn terms(&self, k: usize, vdot: &[f64], state: &SiteState) -> f64 {
        let n = self.contact(k).normal();
        let turning = state.speed * state.speed / state.length();
        let sum = self.block.size(n, vdot) + state.gamma[2].abs() + turning;
        let force = sum / self.problem.G[(n, n)];
        if force.is_finite() { force } else { 0.0 }
    }

    /// What presses the k-th site, a force or an impulse.
    pub fn preload(&mut self, k: usize, push: f64) {
        let at = self.nb() + k;
        self.problem.contacts[at].preload = push;
    }

    /// The sites that take part in impacts.
    pub fn hitting(&self) -> &[usize] {
        &self.sites[..self.hits]
    }

    /// Number of rows of the sites that take part in impacts.
    pub fn hit_rows(&self) -> usize {
        self.problem.contacts.get(self.nb() + self.hits).map_or(self.problem.rows(), |c| c.first)
            - self.nb()
    }

    /// The three numbers of the k-th site in a vector of all rows: two tangents, normal.
    pub fn pick(&self, k: usize, x: &[f64]) -> [f64; 3] {
        let c = self.contact(k);
        let mut rows = [0.0; 3];
        rows[2] = x[c.normal()];
        rows[..c.tangents].copy_from_slice(&x[c.tangent_rows()]);
        rows
    }

    /// out = M⁻¹ Jᵀ x.
    pub fn response(&mut self, at: &Instant<'_>, x: &[f64], out: &mut [f64]) {
        self.block.response(at, x, &mut self.response, out);
    }
}
