//! From generalised coordinates to contact space and back.
//!
//! # Law
//! With M = L Lᵀ, Y = L⁻¹Jᵀ and an orthonormal basis Q of the columns of L⁻¹Bᵀ,
//! ```text
//! Y ← Y − Q QᵀY                    (1)
//! G = YᵀY,   u⁻ = J v⁻             (2)
//! v⁺ = v⁻ + L⁻ᵀ Y p                (3)
//! ```
//! (1) removes the directions that the bilateral rows B hold, so B v⁺ = B v⁻. Dependent rows of B are dropped when
//! what is left of them after orthogonalisation is below [`DEPENDENT`] of their length. G is symmetric and positive
//! semi-definite by construction, whatever the round-off.
//!
//! # Tests
//! `eq1_bilateral_rows_hold`, `eq2_gram_matrix`, `eq3_lift` below.

use nalgebra::{DMatrix, DVector};

use super::contact_space::{ContactSpace, reshape, reshape_vector};
use super::error::ImpactError;
use super::problem::ImpactProblem;
use super::solution::ImpactAnswer;

/// A bilateral row whose independent part is below this fraction of its length is redundant.
pub const DEPENDENT: f64 = crate::numeric::thresholds::impact::REDUCTION_DEPENDENT;

/// A contact space together with what is needed to come back.
#[derive(Clone, Debug, Default)]
pub struct Reduction {
    /// The reduced problem.
    pub space: ContactSpace,
    /// Columns N Jᵀ: velocity per unit of contact impulse, n × m.
    pub response: DMatrix<f64>,
    L: DMatrix<f64>,
    Q: DMatrix<f64>,
    rank: usize,
}

impl Reduction {
    /// Fills `space` and `response` from a valid problem; allocates only if the problem is larger than any before.
    pub fn reduce(&mut self, problem: &ImpactProblem) -> Result<(), ImpactError> {
        self.factor(&problem.mass_matrix)?;
        self.orthogonalise(&problem.bilateral);
        self.fill_rows(problem);
        let (n, m) = self.response.shape();
        for j in 0..m {
            forward(&self.L, self.response.column_mut(j).as_mut_slice());
            for k in 0..self.rank {
                let q = self.Q.column(k);
                let s = q.dot(&self.response.column(j));
                self.response.column_mut(j).axpy(-s, &q, 1.0);
            }
        }
        for j in 0..m {
            for i in 0..=j {
                let g = self.response.column(i).dot(&self.response.column(j));
                self.space.G[(i, j)] = g;
                self.space.G[(j, i)] = g;
            }
        }
        for j in 0..m {
            backward(&self.L, &mut self.response.as_mut_slice()[j * n..(j + 1) * n]);
        }
        self.space.kinetic_energy = problem.kinetic_energy(&problem.velocity);
        self.space.classify();
        Ok(())
    }

    /// Completes an answer whose `solution` is resolved: v⁺ and the energies.
    pub fn lift(&self, problem: &ImpactProblem, out: &mut ImpactAnswer) {
        reshape_vector(&mut out.velocity, problem.nv());
        self.velocity_after(&problem.velocity, &out.solution.impulses, &mut out.velocity);
        out.energy_before = self.space.kinetic_energy;
        out.energy_after = problem.kinetic_energy(&out.velocity);
    }

    /// v⁺ = v⁻ + N Jᵀ p.
    pub fn velocity_after(
        &self,
        v_pre: &DVector<f64>,
        p: &DVector<f64>,
        v_post: &mut DVector<f64>,
    ) {
        v_post.copy_from(v_pre);
        v_post.gemv(1.0, &self.response, p, 1.0);
    }

    /// Lower Cholesky factor of M.
    fn factor(&mut self, M: &DMatrix<f64>) -> Result<(), ImpactError> {
        let n = M.nrows();
        reshape(&mut self.L, n, n);
        let L = &mut self.L;
        for j in 0..n {
            for i in j..n {
                let s = M[(i, j)] - (0..j).map(|k| L[(i, k)] * L[(j, k)]).sum::<f64>();
                if i > j {
                    L[(i, j)] = s / L[(j, j)];
                } else if s > f64::EPSILON * M[(j, j)].abs() {
                    L[(j, j)] = s.sqrt();
                } else {
                    return Err(ImpactError::MassMatrix { pivot: j, value: s });
                }
            }
        }
        Ok(())
    }

    /// Orthonormal basis of L⁻¹Bᵀ by Gram–Schmidt, twice, which is enough for orthogonality to round-off.
    fn orthogonalise(&mut self, B: &DMatrix<f64>) {
        let n = self.L.nrows();
        reshape(&mut self.Q, n, B.nrows());
        self.rank = 0;
        for row in 0..B.nrows() {
            let k = self.rank;
            for i in 0..n {
                self.Q[(i, k)] = B[(row, i)];
            }
            forward(&self.L, self.Q.column_mut(k).as_mut_slice());
            let length = self.Q.column(k).norm();
            for _ in 0..2 {
                for j in 0..k {
                    let (done, mut rest) = self.Q.columns_range_pair_mut(0..k, k..k + 1);
                    let s = done.column(j).dot(&rest.column(0));
                    rest.column_mut(0).axpy(-s, &done.column(j), 1.0);
                }
            }
            let left = self.Q.column(k).norm();
            if left > DEPENDENT * length {
                self.Q.column_mut(k).unscale_mut(left);
                self.rank += 1;
            }
        }
    }

    /// Copies Jᵀ into `response`, u⁻ and the contacts into the space.
    fn fill_rows(&mut self, problem: &ImpactProblem) {
        let (n, m) = (problem.nv(), problem.rows());
        self.space.resize(m);
        reshape(&mut self.response, n, m);
        let mut row = 0;
        for c in &problem.contacts {
            let tangents = c.tangents.nrows();
            for k in 0..tangents {
                for i in 0..n {
                    self.response[(i, row)] = c.tangents[(k, i)];
                }
                row += 1;
            }
            self.response.column_mut(row).copy_from(&c.normal);
            row += 1;
            self.space.push_contact(
                tangents,
                [c.friction, c.static_friction],
                c.restitution,
                c.touching,
            );
        }
        for j in 0..m {
            self.space.u_pre[j] = self.response.column(j).dot(&problem.velocity);
        }
    }
}

/// x ← L⁻¹ x.
fn forward(L: &DMatrix<f64>, x: &mut [f64]) {
    for i in 0..x.len() {
        let s: f64 = (0..i).map(|k| L[(i, k)] * x[k]).sum();
        x[i] = (x[i] - s) / L[(i, i)];
    }
}

/// x ← L⁻ᵀ x.
fn backward(L: &DMatrix<f64>, x: &mut [f64]) {
    for i in (0..x.len()).rev() {
        let s: f64 = (i + 1..x.len()).map(|k| L[(k, i)] * x[k]).sum();
        x[i] = (x[i] - s) / L[(i, i)];
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::ImpactContact;
    use super::*;

    /// Numbers without pattern in [-1, 1).
    fn noise(i: usize) -> f64 {
        let x = (i as f64 + 1.0) * 12.9898;
        2.0 * (x.sin() * 43758.5453).rem_euclid(1.0) - 1.0
    }

    fn problem(bilateral: usize) -> ImpactProblem {
        let n = 5;
        let A = DMatrix::from_fn(n, n, |i, j| noise(n * i + j));
        let contact = |k: usize| ImpactContact {
            name: format!("A{k}"),
            tangents: DMatrix::from_fn(k, n, |i, j| noise(100 + 20 * k + n * i + j)),
            normal: DVector::from_fn(n, |i, _| noise(200 + 20 * k + i)),
            friction: 0.5,
            static_friction: 0.5,
            restitution: 0.5,
            touching: true,
        };
        ImpactProblem {
            mass_matrix: &A * A.transpose() + DMatrix::identity(n, n) * 0.3,
            velocity: DVector::from_fn(n, |i, _| noise(300 + i)),
            contacts: (0..3).map(contact).collect(),
            // The last row repeats the first: redundant rows are dropped.
            bilateral: DMatrix::from_fn(bilateral, n, |i, j| {
                noise(400 + n * (i % bilateral.saturating_sub(1).max(1)) + j)
            }),
        }
    }

    fn jacobian(problem: &ImpactProblem) -> DMatrix<f64> {
        let mut rows = Vec::new();
        for c in &problem.contacts {
            rows.extend((0..c.tangents.nrows()).map(|k| c.tangents.row(k).into_owned()));
            rows.push(c.normal.transpose());
        }
        DMatrix::from_rows(
            &rows
                .iter()
                .map(|r| nalgebra::RowDVector::from_row_slice(r.as_slice()))
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn eq1_bilateral_rows_hold() {
        let problem = problem(3);
        let mut reduction = Reduction::default();
        reduction.reduce(&problem).expect("positive definite");
        assert!((&problem.bilateral * &reduction.response).amax() < 1e-13);
        // Against the bordered system [M Bᵀ; B 0], with the two independent rows of B.
        let B = problem.bilateral.rows(0, 2);
        let mut K = DMatrix::zeros(7, 7);
        K.view_mut((0, 0), (5, 5)).copy_from(&problem.mass_matrix);
        K.view_mut((5, 0), (2, 5)).copy_from(&B);
        K.view_mut((0, 5), (5, 2)).copy_from(&B.transpose());
        let mut rhs = DMatrix::zeros(7, 6);
        rhs.view_mut((0, 0), (5, 6)).copy_from(&jacobian(&problem).transpose());
        let x = K.lu().solve(&rhs).expect("regular");
        assert!((x.rows(0, 5) - &reduction.response).amax() < 1e-12);
    }

    #[test]
    fn eq2_gram_matrix() {
        let problem = problem(0);
        let mut reduction = Reduction::default();
        reduction.reduce(&problem).expect("positive definite");
        let J = jacobian(&problem);
        let inverse = problem.mass_matrix.clone().try_inverse().expect("regular");
        assert!((&J * inverse * J.transpose() - &reduction.space.G).amax() < 1e-12);
        assert_eq!(reduction.space.G, reduction.space.G.transpose());
        assert!((&J * &problem.velocity - &reduction.space.u_pre).amax() < 1e-14);
        let rows: Vec<_> = reduction.space.contacts.iter().map(|c| (c.first, c.normal())).collect();
        assert_eq!(rows, [(0, 0), (1, 2), (3, 5)]);
    }

    #[test]
    fn eq3_lift() {
        let problem = problem(2);
        let mut reduction = Reduction::default();
        reduction.reduce(&problem).expect("positive definite");
        let p = DVector::from_fn(6, |i, _| noise(500 + i));
        let mut v = DVector::zeros(5);
        reduction.velocity_after(&problem.velocity, &p, &mut v);
        let mut u = DVector::zeros(6);
        reduction.space.velocity_after(&p, &mut u);
        assert!((jacobian(&problem) * &v - u).amax() < 1e-12);
        assert!((&problem.bilateral * (&v - &problem.velocity)).amax() < 1e-13);
    }

    #[test]
    fn indefinite_mass_is_named() {
        let mut problem = problem(0);
        problem.mass_matrix[(2, 2)] = -1.0;
        let error = Reduction::default().reduce(&problem).expect_err("indefinite");
        assert!(matches!(error, ImpactError::MassMatrix { pivot: 2, value } if value < 0.0));
    }
}
