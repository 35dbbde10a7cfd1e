//! Matrices and vectors that change their shape without giving back memory.

use nalgebra::{DMatrix, DVector};

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
