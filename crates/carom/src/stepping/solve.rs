//! The Coulomb problem of a step, cluster by cluster: which contacts belong together, and which solver they get.
//!
//! Clusters of up to [`FEW`] contacts go to the dense solver, which has an answer for every mechanism and shares redundant
//! forces evenly; larger ones to the sparse solver, where rolling and spinning friction are further rows of the contact whose
//! normal force bounds them.

use super::parts::Parts;
use super::rows::Rows;
use crate::coulomb::sparse::Effort;
use crate::coulomb::sparse::problem::ROWS;
use crate::coulomb::{Duty, Method, Problem, Solver, SparseProblem, SparseSolver};
use nalgebra::DVector;

/// Contacts of a cluster up to which the dense solver is used.
const FEW: usize = 10;

/// What is asked of one contact of the rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    /// b of its rows, tangents first.
    pub b: [f64; 3],
    /// One coefficient of friction.
    pub friction: f64,
    /// Whether it is bilateral.
    pub held: bool,
    /// The impulse that presses on it, where that is given.
    pub pressed: Option<f64>,
    /// The contact whose normal force bounds it, and which comes before it.
    pub follows: Option<usize>,
    /// The first guess.
    pub guess: [f64; 3],
}

impl Ask {
    /// What must not move.
    pub fn held(b: f64, guess: f64) -> Self {
        let (b, guess) = ([b, 0.0, 0.0], [guess, 0.0, 0.0]);
        Self { b, friction: 0.0, held: true, pressed: None, follows: None, guess }
    }

    /// A contact of Coulomb's law.
    pub fn contact(b: [f64; 3], friction: f64, guess: [f64; 3]) -> Self {
        Self { b, friction, held: false, pressed: None, follows: None, guess }
    }
}

/// How well the last problem was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quality {
    /// The largest certificate of a cluster.
    pub residual: f64,
    /// How the last cluster was solved.
    pub by: Method,
}

/// Solvers and their buffers.
#[derive(Default)]
pub(crate) struct Solve {
    /// Forces of all contacts, tangents first.
    pub x: Vec<[f64; 3]>,
    /// Σ Zᵀx at all degrees of freedom.
    pub s: Vec<f64>,
    label: Vec<usize>,
    order: Vec<usize>,
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
    /// Rolling and spinning friction that follows each contact.
    moments: Vec<[Option<usize>; 2]>,
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

impl Solve {
    /// Solve the problem of all rows.
    pub fn solve(&mut self, parts: &Parts, rows: &Rows, asks: &[Ask], effort: &Effort) -> Quality {
        self.x.clear();
        self.x.resize(rows.len(), [0.0; 3]);
        self.s.clear();
        self.s.resize(parts.of_dof.len(), 0.0);
        self.find_clusters(parts, rows);
        let mut quality = Quality { residual: 0.0, by: Method::Nothing };
        let mut start = 0;
        while start < self.order.len() {
            let root = self.root_of(rows, self.order[start]);
            let same = |k: &usize| self.root_of(rows, *k) == root;
            let end = start + self.order[start..].iter().take_while(|k| same(k)).count();
            let own = self.order[start..end].iter().filter(|&&k| asks[k].follows.is_none());
            let found = if own.count() <= FEW {
                self.solve_dense(parts, rows, asks, start..end)
            } else {
                self.solve_sparse(parts, rows, asks, (start..end, effort))
            };
            quality.residual = quality.residual.max(found.residual);
            quality.by =
                if found.by as usize > quality.by as usize { found.by } else { quality.by };
            start = end;
        }
        self.gather(parts, rows);
        quality
    }

    /// The cluster of contact k of the last problem, if it moves anything.
    pub fn cluster(&self, rows: &Rows, k: usize) -> Option<usize> {
        rows.parts(k)[0].map(|part| self.label[part])
    }

    /// The cluster of a part in the last problem.
    pub fn cluster_of_part(&self, part: usize) -> usize {
        self.label[part]
    }

    /// Contacts in the order of their clusters.
    fn find_clusters(&mut self, parts: &Parts, rows: &Rows) {
        self.label.clear();
        self.label.extend(0..parts.dofs.len());
        for k in 0..rows.len() {
            if let [Some(a), Some(b)] = rows.parts(k) {
                let (a, b) = (root(&mut self.label, a), root(&mut self.label, b));
                self.label[a.max(b)] = a.min(b);
            }
        }
        for part in 0..self.label.len() {
            self.label[part] = root(&mut self.label, part);
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        // A contact that moves nothing has no problem.
        order.extend((0..rows.len()).filter(|&k| rows.parts(k)[0].is_some()));
        order.sort_by_key(|&k| self.root_of(rows, k));
        self.order = order;
    }

    fn root_of(&self, rows: &Rows, k: usize) -> usize {
        rows.parts(k)[0].map_or(usize::MAX, |part| self.label[part])
    }

    fn solve_dense(
        &mut self,
        parts: &Parts,
        rows: &Rows,
        asks: &[Ask],
        range: std::ops::Range<usize>,
    ) -> Quality {
        let members = &self.order[range];
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
        for (i, &k) in members.iter().enumerate() {
            let from = self.dense.contacts[i].rows();
            self.x[k][..from.len()].copy_from_slice(&self.dense_x.as_slice()[from]);
        }
        Quality { residual: solved.residual, by: solved.by }
    }

    fn solve_sparse(
        &mut self,
        parts: &Parts,
        rows: &Rows,
        asks: &[Ask],
        (range, effort): (std::ops::Range<usize>, &Effort),
    ) -> Quality {
        let members = &self.order[range];
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
        let solved = self.sparse_solver.solve(&self.sparse, effort, &mut self.sparse_x);
        let mut row = 0;
        for &k in members.iter().filter(|&&k| asks[k].follows.is_none()) {
            for of in [Some(k)].into_iter().chain(self.moments[k]).flatten() {
                for i in 0..rows.rows(of) {
                    self.x[of][i] = self.sparse_x[row] * self.sparse.unit(row);
                    row += 1;
                }
            }
        }
        self.present.iter().for_each(|&part| self.place[part] = usize::MAX);
        Quality { residual: solved.residual, by: solved.by }
    }

    /// s of the forces found.
    fn gather(&mut self, parts: &Parts, rows: &Rows) {
        for k in 0..rows.len() {
            for part in rows.parts(k).into_iter().flatten() {
                let dofs = &parts.dofs[part];
                let Z = rows.factor(parts, k, part);
                for (x, row) in self.x[k].iter().zip(Z.chunks_exact(dofs.len())) {
                    dofs.iter().zip(row).for_each(|(&dof, z)| self.s[dof] += z * x);
                }
            }
        }
    }
}

/// Root of a part, the way to it shortened.
fn root(label: &mut [usize], mut part: usize) -> usize {
    while label[part] != part {
        label[part] = label[label[part]];
        part = label[part];
    }
    part
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
