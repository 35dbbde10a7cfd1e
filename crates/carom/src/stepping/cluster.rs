//! The Coulomb problem of one cluster, and which solver it gets.
//!
//! Clusters of up to [`FEW`] contacts go to the dense solver, which has an answer for every mechanism and shares redundant
//! forces evenly; larger ones to the sparse solver, where rolling and spinning friction are further rows of the contact whose
//! normal force bounds them.

use super::parts::Parts;
use super::rows::Rows;
use super::solve::Ask;
use crate::coulomb::sparse::Effort;
use crate::coulomb::sparse::problem::ROWS;
use crate::coulomb::{Duty, Method, Problem, Solver, SparseProblem, SparseSolver};
use nalgebra::DVector;

/// Contacts of a cluster up to which the dense solver is used.
pub(super) const FEW: usize = 10;

/// The effort that so many contacts are worth.
pub(crate) type Efforts<'e> = &'e (dyn Fn(usize) -> Effort + Sync);

/// How well a problem was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quality {
    /// The largest certificate of a cluster.
    pub residual: f64,
    /// How the hardest cluster was solved.
    pub by: Method,
}

impl Default for Quality {
    fn default() -> Self {
        Self { residual: 0.0, by: Method::Nothing }
    }
}

/// Solvers of a cluster with their buffers.
#[derive(Default)]
pub(super) struct Worker {
    /// Forces of its members, tangents first, and how well they were found.
    x: Vec<[f64; 3]>,
    quality: Quality,
    /// Place of a part in the sparse problem.
    place: Vec<usize>,
    present: Vec<usize>,
    dense: Problem,
    dense_solver: Solver,
    dense_x: DVector<f64>,
    modes: Vec<crate::coulomb::Mode>,
    sparse: SparseProblem,
    sparse_solver: SparseSolver,
    sparse_x: Vec<f64>,
    /// Rolling and spinning friction that follows each contact, and the place of a contact among the members.
    moments: Vec<[Option<usize>; 2]>,
    among: Vec<usize>,
}

/// b of a contact with its moments.
#[derive(Default)]
struct Stacked {
    values: [f64; ROWS],
    count: usize,
}

impl Stacked {
    fn extend(&mut self, more: &[f64]) {
        self.values[self.count..self.count + more.len()].copy_from_slice(more);
        self.count += more.len();
    }

    fn get(&self) -> &[f64] {
        &self.values[..self.count]
    }
}

impl Worker {
    /// What was found for these members, to those of the step.
    pub fn give(&self, members: &[usize], x: &mut [[f64; 3]], quality: &mut Quality) {
        members.iter().zip(&self.x).for_each(|(&k, own)| x[k] = *own);
        quality.residual = quality.residual.max(self.quality.residual);
        if self.quality.by as usize > quality.by as usize {
            quality.by = self.quality.by;
        }
    }

    /// By the dense solver.
    pub fn solve_dense(&mut self, parts: &Parts, rows: &Rows, asks: &[Ask], members: &[usize]) {
        self.x.clear();
        self.x.resize(members.len(), [0.0; 3]);
        let total = members.iter().map(|&k| rows.rows(k)).sum();
        self.dense.resize(total);
        for &k in members {
            let ask = &asks[k];
            if let Some(at) = ask.follows.and_then(|of| members.iter().position(|&m| m == of)) {
                self.dense.push_follower(at, rows.rows(k), [ask.friction; 2]);
                continue;
            }
            let duty = if ask.held { Duty::Held } else { Duty::Coulomb };
            self.dense.push(rows.rows(k) - 1, [ask.friction; 2], duty);
            if let (Some(push), Some(c)) = (ask.pressed, self.dense.contacts.last_mut()) {
                (c.driven, c.preload) = (true, push);
            }
        }
        for (i, &a) in members.iter().enumerate() {
            let first = self.dense.contacts[i].first;
            (0..rows.rows(a)).for_each(|r| self.dense.b[first + r] = asks[a].b[r]);
            for (j, &b) in members.iter().enumerate().take(i + 1) {
                let other = self.dense.contacts[j].first;
                couple(parts, rows, (a, b), |r, c, g| {
                    self.dense.G[(first + r, other + c)] = g;
                    self.dense.G[(other + c, first + r)] = g;
                });
            }
        }
        let solved = self.dense_solver.solve(&self.dense, &[], &mut self.dense_x, &mut self.modes);
        for (i, x) in self.x.iter_mut().enumerate() {
            let from = self.dense.contacts[i].rows();
            x[..from.len()].copy_from_slice(&self.dense_x.as_slice()[from]);
        }
        self.quality = Quality { residual: solved.residual, by: solved.by };
    }

    /// By the sparse solver.
    pub fn solve_sparse(
        &mut self,
        parts: &Parts,
        rows: &Rows,
        asks: &[Ask],
        (members, effort): (&[usize], Efforts<'_>),
    ) {
        self.x.clear();
        self.x.resize(members.len(), [0.0; 3]);
        self.among.resize(rows.len(), 0);
        members.iter().enumerate().for_each(|(i, &k)| self.among[k] = i);
        self.place.resize(parts.dofs.len(), usize::MAX);
        self.present.clear();
        for part in members.iter().flat_map(|&k| rows.parts(k)).flatten() {
            if self.place[part] == usize::MAX {
                self.place[part] = self.present.len();
                self.present.push(part);
            }
        }
        self.sparse.reset(self.present.iter().map(|&part| parts.dofs[part].len()));
        self.sparse_x.clear();
        self.moments.clear();
        self.moments.resize(rows.len(), [None; 2]);
        for &k in members {
            if let Some(of) = asks[k].follows {
                let free = usize::from(self.moments[of][0].is_some());
                self.moments[of][free] = Some(k);
            }
        }
        for &k in members.iter().filter(|&&k| asks[k].follows.is_none()) {
            let ask = &asks[k];
            let duty = if ask.held { Duty::Held } else { Duty::Coulomb };
            let own = rows.parts(k).map(|part| part.map(|p| self.place[p]));
            let (present, followers) = (&self.present, self.moments[k]);
            let (mut b, mut laws) = (Stacked::default(), [(0, 0.0); 2]);
            b.extend(&ask.b[..rows.rows(k)]);
            for (law, m) in laws.iter_mut().zip(followers.into_iter().flatten()) {
                *law = (rows.rows(m), asks[m].friction);
                b.extend(&asks[m].b[..rows.rows(m)]);
            }
            let laws = &laws[..followers.iter().flatten().count()];
            let law = ([ask.friction; 2], duty, laws);
            self.sparse.push_with(b.get(), law, own, |place, out| {
                let blocks = [Some(k)].into_iter().chain(followers).flatten();
                let entries = blocks.flat_map(|of| rows.factor(parts, of, present[place]));
                out.iter_mut().zip(entries).for_each(|(to, z)| *to = *z);
            });
            if let (Some(push), Some(c)) = (ask.pressed, self.sparse.contacts.last_mut()) {
                (c.driven, c.preload) = (true, push);
            }
            for of in [Some(k)].into_iter().chain(followers).flatten() {
                for guess in &asks[of].guess[..rows.rows(of)] {
                    let unit = self.sparse.unit(self.sparse_x.len());
                    self.sparse_x.push(guess / unit);
                }
            }
        }
        let effort = effort(members.len());
        let solved = self.sparse_solver.solve(&self.sparse, &effort, &mut self.sparse_x);
        let mut row = 0;
        for &k in members.iter().filter(|&&k| asks[k].follows.is_none()) {
            for of in [Some(k)].into_iter().chain(self.moments[k]).flatten() {
                for i in 0..rows.rows(of) {
                    self.x[self.among[of]][i] = self.sparse_x[row] * self.sparse.unit(row);
                    row += 1;
                }
            }
        }
        self.present.iter().for_each(|&part| self.place[part] = usize::MAX);
        self.quality = Quality { residual: solved.residual, by: solved.by };
    }
}

/// The block of G of two contacts.
fn couple(
    parts: &Parts,
    rows: &Rows,
    (a, b): (usize, usize),
    mut set: impl FnMut(usize, usize, f64),
) {
    for r in 0..rows.rows(a) {
        for c in 0..rows.rows(b) {
            let mut g = 0.0;
            for part in rows.parts(a).into_iter().flatten() {
                if !rows.parts(b).contains(&Some(part)) {
                    continue;
                }
                let n = parts.dofs[part].len();
                let left = &rows.factor(parts, a, part)[r * n..(r + 1) * n];
                let right = &rows.factor(parts, b, part)[c * n..(c + 1) * n];
                g += left.iter().zip(right).map(|(l, r)| l * r).sum::<f64>();
            }
            set(r, c, g);
        }
    }
}
