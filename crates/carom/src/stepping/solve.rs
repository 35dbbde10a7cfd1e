//! The Coulomb problem of a step, cluster by cluster: which contacts belong together, and who solves them.
//!
//! Clusters are problems of their own. Small ones are solved one after the other; every large one has a [`Worker`] of its own, who
//! remembers what helped the step before, and knows no other: so large ones are solved side by side, by as many threads as there
//! are, and the bytes are the same for any number of them. Only forces are kept; their sum is taken in the order of contacts.
//!
//! # Tests
//! `tests/stepping.rs`: `clusters_are_solved_by_any_number_of_threads_to_the_bit`.

use super::cluster::{Efforts, FEW, Quality, Worker};
use super::parts::Parts;
use super::rows::Rows;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::ops::Range;

/// Contacts of the second largest cluster from which threads are used: an estimate, that bytes do not depend on.
const WORTH_A_THREAD: usize = 32;

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

/// Solvers of clusters, and what they have found.
#[derive(Default)]
pub(crate) struct Solve {
    /// Forces of all contacts, tangents first.
    pub x: Vec<[f64; 3]>,
    /// Σ Zᵀx at all degrees of freedom.
    pub s: Vec<f64>,
    label: Vec<usize>,
    order: Vec<usize>,
    /// Where small and large clusters begin and end in the order.
    small: Vec<Range<usize>>,
    large: Vec<Range<usize>>,
    /// One for all small clusters, then one for each large one.
    workers: Vec<Worker>,
}

impl Solve {
    /// Solve the problem of all rows, with the effort that so many contacts of a cluster are worth.
    pub fn solve(
        &mut self,
        parts: &Parts,
        rows: &Rows,
        asks: &[Ask],
        effort: Efforts<'_>,
    ) -> Quality {
        self.x.clear();
        self.x.resize(rows.len(), [0.0; 3]);
        self.s.clear();
        self.s.resize(parts.of_dof.len(), 0.0);
        self.find_clusters(parts, rows);
        self.cut(rows, asks);
        let Self { x, order, small, large, workers, .. } = self;
        workers.resize_with(workers.len().max(large.len() + 1), Worker::default);
        let mut quality = Quality::default();
        let (few, many) = workers.split_at_mut(1);
        for range in small.iter() {
            let members = &order[range.clone()];
            few[0].solve_dense(parts, rows, asks, members);
            few[0].give(members, x, &mut quality);
        }
        let many = &mut many[..large.len()];
        let work = |(worker, range): (&mut Worker, &Range<usize>)| {
            worker.solve_sparse(parts, rows, asks, (&order[range.clone()], effort));
        };
        if large.iter().filter(|range| range.len() >= WORTH_A_THREAD).count() > 1 {
            many.par_iter_mut().zip(&*large).for_each(work);
        } else {
            many.iter_mut().zip(&*large).for_each(work);
        }
        for (worker, range) in many.iter().zip(&*large) {
            worker.give(&order[range.clone()], x, &mut quality);
        }
        self.gather(parts, rows);
        quality
    }

    /// Small and large clusters.
    fn cut(&mut self, rows: &Rows, asks: &[Ask]) {
        self.small.clear();
        self.large.clear();
        let mut start = 0;
        while start < self.order.len() {
            let root = self.root_of(rows, self.order[start]);
            let same = |k: &usize| self.root_of(rows, *k) == root;
            let end = start + self.order[start..].iter().take_while(|k| same(k)).count();
            let own = self.order[start..end].iter().filter(|&&k| asks[k].follows.is_none());
            let few = own.count() <= FEW;
            if few { &mut self.small } else { &mut self.large }.push(start..end);
            start = end;
        }
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
