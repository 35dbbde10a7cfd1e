//! Johnson's block matrix, its inverse, and the impact through it.
//!
//! # Law
//! ```text
//! [M Aᵀ; A 0]⁻¹ = [M† A†ᵀ; A† Λ†]                                            (1)
//! M†M + A†ᵀA = I,   A†M + Λ†A = 0                                            (2)
//! v⁺ = v⁻ − A†ᵀ(A v⁻ + c),   p = Λ†(A v⁻ + c)      for A v⁺ = −c             (3)
//! ```
//! c = e A v⁻ per row; e = 0 is plastic. His P̂ is minus the impulse on the system, so p = −P̂. M may
//! be singular: (1) exists if no motion without mass lies in the null space of A.
//!
//! # How it is computed
//! The block matrix is scaled symmetrically and inverted by elimination with complete pivoting.
//! Only independent rows of A enter; the impulses of all rows follow from Aᵀp = A_Iᵀp_I by minimum
//! norm, and the rows left out are checked.
//!
//! # Source
//! Johnson 2024, eqs. (20)–(25), (40)–(45), read; the transpose missing in (A M⁻¹ A)⁻¹ is restored.
//!
//! # Tests
//! `tests/laws/constraint.rs`: `section3_eq18_to_eq25_plastic_impact`, `section4_ball_on_a_slope`.

use crate::numeric::thresholds::impact::DEPENDENT;
use nalgebra::{DMatrix, DVector};

use super::error::{ImpactError, Reason};
use crate::complementarity::MinNorm;

/// The inverse of the block matrix by blocks, for independent rows.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix {
    /// M†, n × n.
    pub M_dagger: DMatrix<f64>,
    /// A†, m × n for the m independent rows.
    pub A_dagger: DMatrix<f64>,
    /// Λ†, m × m.
    pub Lambda_dagger: DMatrix<f64>,
    /// Which rows of A were taken.
    pub independent: Vec<usize>,
}

impl BlockMatrix {
    /// Inverts the block matrix of M and the independent rows of A.
    pub fn new(M: &DMatrix<f64>, A: &DMatrix<f64>) -> Result<Self, ImpactError> {
        let independent = independent_rows(A);
        let (n, m) = (M.nrows(), independent.len());
        let mut K = DMatrix::zeros(n + m, n + m);
        K.view_mut((0, 0), (n, n)).copy_from(M);
        for (r, &i) in independent.iter().enumerate() {
            K.view_mut((n + r, 0), (1, n)).copy_from(&A.row(i));
            K.view_mut((0, n + r), (n, 1)).copy_from(&A.row(i).transpose());
        }
        let inverse = invert_scaled(K)?;
        Ok(Self {
            M_dagger: inverse.view((0, 0), (n, n)).into_owned(),
            A_dagger: inverse.view((n, 0), (m, n)).into_owned(),
            Lambda_dagger: inverse.view((n, n), (m, m)).into_owned(),
            independent,
        })
    }

    /// v⁺ and p of (3) for A v⁺ = target (one entry per row of A); the last number is the largest
    /// miss of a row that was left out, relative to the largest velocity.
    pub fn impact(
        &self,
        A: &DMatrix<f64>,
        v_pre: &DVector<f64>,
        target: &DVector<f64>,
    ) -> (DVector<f64>, DVector<f64>, f64) {
        let u_pre = A * v_pre;
        let change = DVector::from_iterator(
            self.independent.len(),
            self.independent.iter().map(|&i| u_pre[i] - target[i]),
        );
        let v_post = v_pre - self.A_dagger.transpose() * &change;
        let p_independent = &self.Lambda_dagger * &change;
        let p = self.share(A, &p_independent);
        let scale = u_pre.amax().max(target.amax()).max(f64::MIN_POSITIVE);
        let miss = (A * &v_post - target).amax() / scale;
        (v_post, p, miss)
    }

    /// Impulses of all rows with the same Aᵀp, of minimum norm.
    fn share(&self, A: &DMatrix<f64>, p_independent: &DVector<f64>) -> DVector<f64> {
        let (m, n) = A.shape();
        if self.independent.len() == m {
            return p_independent.clone();
        }
        let mut body = DVector::zeros(n);
        for (&i, p) in self.independent.iter().zip(p_independent) {
            body += A.row(i).transpose() * *p;
        }
        let mut system = MinNorm::with_capacity(n.max(m));
        system.reset(n, m);
        for j in 0..n {
            system.set_rhs(j, body[j]);
            for i in 0..m {
                system.set(j, i, A[(i, j)]);
            }
        }
        DVector::from_row_slice(system.solve(DEPENDENT))
    }
}

/// Rows of A, in order, that are not combinations of those before.
fn independent_rows(A: &DMatrix<f64>) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut basis: Vec<DVector<f64>> = Vec::new();
    for i in 0..A.nrows() {
        let row = A.row(i).transpose();
        let mut rest = row.clone();
        for _ in 0..2 {
            for q in &basis {
                rest -= q * q.dot(&rest);
            }
        }
        let length = rest.norm();
        if length > DEPENDENT * row.norm() {
            basis.push(rest / length);
            chosen.push(i);
        }
    }
    chosen
}

/// K⁻¹ through S K S with unit-sized rows.
fn invert_scaled(mut K: DMatrix<f64>) -> Result<DMatrix<f64>, ImpactError> {
    let size = K.nrows();
    let mut scale = DVector::from_element(size, 1.0);
    for _ in 0..8 {
        for i in 0..size {
            let largest = K.row(i).amax();
            if largest > 0.0 {
                let factor = 1.0 / largest.sqrt();
                K.row_mut(i).scale_mut(factor);
                K.column_mut(i).scale_mut(factor);
                scale[i] *= factor;
            }
        }
    }
    let factors = K.full_piv_lu();
    let pivots = factors.u().diagonal().abs();
    let largest = pivots.amax();
    let rank = pivots.iter().filter(|&&p| p > DEPENDENT * largest).count();
    let singular = || ImpactError::NotApplicable {
        law: "constraint",
        reason: Reason::SingularBlock { rank, size },
    };
    if rank < size {
        return Err(singular());
    }
    let mut inverse = factors.try_inverse().ok_or_else(singular)?;
    for i in 0..size {
        inverse.row_mut(i).scale_mut(scale[i]);
        inverse.column_mut(i).scale_mut(scale[i]);
    }
    Ok(inverse)
}
