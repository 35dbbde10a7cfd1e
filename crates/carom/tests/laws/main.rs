//! One module per impact law: each numbered equation of its header is carried by a test here.
#![allow(non_snake_case)]

#[path = "../impact_support/mod.rs"]
mod impact_support;

/// A vector from its entries.
macro_rules! dvector {
    ($($x:expr),+ $(,)?) => { nalgebra::DVector::from_row_slice(&[$($x),+]) };
}

/// A matrix from its rows, separated by semicolons.
macro_rules! dmatrix {
    ($($($x:expr),+);+ $(;)?) => {{
        let rows = [$([$($x),+]),+];
        nalgebra::DMatrix::from_row_slice(rows.len(), rows[0].len(), rows.as_flattened())
    }};
}

mod brach;
mod constraint;
mod newton;
mod oracle;
mod poisson;
mod restitution_matrix;
mod samples;
mod whittaker;
