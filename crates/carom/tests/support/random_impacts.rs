//! Random impact problems and small tools shared by tests.
#![allow(dead_code, non_snake_case)]

use carom::impact::{ContactSpace, ImpactContact, ImpactProblem, Reduction};
use nalgebra::{DMatrix, DVector};

/// A small deterministic generator (SplitMix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0..count.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn vector(&mut self, n: usize) -> DVector<f64> {
        DVector::from_fn(n, |_, _| self.range(-1.0, 1.0))
    }

    pub fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.range(-1.0, 1.0))
    }

    /// A symmetric positive definite matrix whose condition grows with `spread`.
    pub fn mass_matrix(&mut self, n: usize, spread: f64) -> DMatrix<f64> {
        let A = self.matrix(n, n);
        let weights = DVector::from_fn(n, |_, _| (spread * self.range(-1.0, 1.0)).exp());
        let M = &A * DMatrix::from_diagonal(&weights) * A.transpose();
        &M + DMatrix::identity(n, n) * 0.1
    }

    /// Contacts with the given numbers of tangents; contact 0 approaches, the others approach, touch or separate.
    pub fn problem(&mut self, n: usize, tangents: &[usize], spread: f64) -> ImpactProblem {
        let contacts = tangents
            .iter()
            .enumerate()
            .map(|(i, &t)| {
                let friction = self.range(0.0, 1.0);
                ImpactContact {
                    name: format!("C{i}"),
                    tangents: self.matrix(t, n),
                    normal: self.vector(n),
                    friction,
                    static_friction: friction * self.range(1.0, 1.5),
                    restitution: self.range(0.0, 1.0),
                    touching: true,
                }
            })
            .collect();
        let M = self.mass_matrix(n, spread);
        let v = self.vector(n);
        let mut problem = ImpactProblem::new(M, v, contacts).unwrap();
        self.approach(&mut problem);
        problem
    }

    /// Adjusts v⁻ so that the normals have u = −0.1 … −2 (contact 0) or that or exactly 0 (the others).
    fn approach(&mut self, problem: &mut ImpactProblem) {
        let n = problem.nv();
        let k = problem.contacts.len();
        let J = DMatrix::from_fn(k, n, |i, j| problem.contacts[i].normal[j]);
        let goal = DVector::from_fn(k, |i, _| {
            if i > 0 && self.below(2) == 0 { 0.0 } else { self.range(-2.0, -0.1) }
        });
        let miss = goal - &J * &problem.velocity;
        let step = J.svd(true, true).solve(&miss, 1e-12).unwrap();
        problem.velocity += step;
    }
}

/// The contact space of a problem.
pub fn reduce(problem: &ImpactProblem) -> ContactSpace {
    let mut reduction = Reduction::default();
    reduction.reduce(problem).unwrap();
    reduction.space
}

/// A contact space from G, u⁻ and one (tangents, [μd, μs], e) per contact.
pub fn space(
    G: DMatrix<f64>,
    u: DVector<f64>,
    contacts: &[(usize, [f64; 2], f64)],
) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(u.len());
    space.G = G;
    space.u_pre = u;
    for (tangents, friction, e) in contacts {
        space.push_contact(*tangents, *friction, *e, true);
    }
    space.classify();
    space
}
