//! Matrices and vectors that change their shape without giving back memory.

use nalgebra::{DMatrix, DVector, Dyn, SVD};

/// Gives a matrix a new shape, all zero, without giving back its memory.
pub fn reshape(A: &mut DMatrix<f64>, rows: usize, columns: usize) {
    if A.shape() == (rows, columns) {
        A.fill(0.0);
        return;
    }
    let mut data: Vec<f64> = std::mem::replace(A, DMatrix::zeros(0, 0)).data.into();
    data.clear();
    data.resize(rows * columns, 0.0);
    *A = DMatrix::from_vec(rows, columns, data);
}

/// Gives a vector a new length, all zero, without giving back its memory.
pub fn reshape_vector(x: &mut DVector<f64>, rows: usize) {
    if x.len() == rows {
        x.fill(0.0);
        return;
    }
    let mut data: Vec<f64> = std::mem::replace(x, DVector::zeros(0)).data.into();
    data.clear();
    data.resize(rows, 0.0);
    *x = DVector::from_vec(data);
}

/// Rounds of the iteration of a singular value decomposition, per singular value: two or three are what it takes.
const ROUNDS: usize = 100;

/// Singular values in falling order, and both sets of vectors; none where the iteration comes to no end, as with numbers that are
/// not finite: without a bound it goes on for ever then.
pub fn svd(A: DMatrix<f64>) -> Option<SVD<f64, Dyn, Dyn>> {
    let most = ROUNDS * (1 + A.nrows().min(A.ncols()));
    let finite = A.iter().all(|x| x.is_finite());
    finite.then(|| SVD::try_new(A, true, true, 5.0 * f64::EPSILON, most)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite_have_no_singular_values() {
        let mut A = DMatrix::from_row_slice(3, 3, &[2.0, 0.1, 0.0, 0.1, 1.0, 0.3, 0.0, 0.3, 0.5]);
        let found = svd(A.clone()).unwrap();
        assert!((found.recompose().unwrap() - &A).amax() < 1e-14);
        A.row_mut(0).fill(f64::NAN);
        assert!(svd(A).is_none());
    }
}
