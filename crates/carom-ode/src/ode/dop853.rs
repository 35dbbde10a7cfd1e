//! The eighth-order method of Dormand and Prince with error estimates of orders 5 and 3.
//!
//! # Law
//! ```text
//! kₛ = f(t + cₛh, y₀ + h Σ aₛⱼ kⱼ),  y₁ = y₀ + h Σ bₛ kₛ,  s = 1…12        (1)
//! ε = |h| ‖e₅‖² / √(‖e₅‖² + 0.01 ‖e₃‖²),  e = Σ Eₛ kₛ                     (2)
//! F₃…F₆ = h Σ Dₛ kₛ over sixteen stages                                    (3)
//! ```
//! (2) falls as h⁸. (3) makes the interpolant of `dense.rs` one of order 7; its three stages more
//! are evaluated only when the interpolant is asked for.
//!
//! # Source
//! See `dop853_table.rs`.
//!
//! # Tests
//! Here: `rows_sum_to_their_nodes`, `weights_integrate_polynomials`.
//! `tests/flow_orders.rs`: `dop853_step`, `dop853_dense`.

use super::dop853_table::{
    A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A14, A15, A16, B, C, D4, D5, D6, D7, E3, E5,
};
use super::flow_error::FlowError;
use super::rate::Rate;
use super::stages::Stages;
use super::step_control::ControlLaw;
use super::tolerance::Tolerance;

/// Stages stored: twelve, the rate at the end, and three for the interpolant.
pub(super) const STAGES: usize = 16;
/// Where the rate at the end of the step is kept.
pub(super) const END: usize = 12;

/// Step control of the method.
pub(super) const CONTROL: ControlLaw =
    ControlLaw { error_order: 8.0, beta: 0.0, safety: 0.9, shrink: 1.0 / 3.0, grow: 6.0 };

/// Equation (1); leaves y₁ in `st.y`. The rate at the end is not evaluated yet.
pub(super) fn step<R: Rate>(
    rate: &mut R,
    (t, h): (f64, f64),
    y0: &[f64],
    st: &mut Stages,
) -> Result<(), FlowError<R::Error>> {
    st.combine(h, y0, A2);
    st.evaluate(rate, t + C[1] * h, 1)?;
    st.combine(h, y0, A3);
    st.evaluate(rate, t + C[2] * h, 2)?;
    st.combine(h, y0, A4);
    st.evaluate(rate, t + C[3] * h, 3)?;
    st.combine(h, y0, A5);
    st.evaluate(rate, t + C[4] * h, 4)?;
    st.combine(h, y0, A6);
    st.evaluate(rate, t + C[5] * h, 5)?;
    st.combine(h, y0, A7);
    st.evaluate(rate, t + C[6] * h, 6)?;
    st.combine(h, y0, A8);
    st.evaluate(rate, t + C[7] * h, 7)?;
    st.combine(h, y0, A9);
    st.evaluate(rate, t + C[8] * h, 8)?;
    st.combine(h, y0, A10);
    st.evaluate(rate, t + C[9] * h, 9)?;
    st.combine(h, y0, A11);
    st.evaluate(rate, t + C[10] * h, 10)?;
    st.combine(h, y0, A12);
    st.evaluate(rate, t + h, 11)?;
    st.combine(h, y0, B);
    Ok(())
}

/// Error of component `i` by the fifth-order companion.
pub(super) fn error_of(st: &Stages, h: f64, i: usize) -> f64 {
    h * st.weighted(&E5, i)
}

/// Equation (2) in units of the tolerance; `e` is scratch.
pub(super) fn error_norm(
    st: &Stages,
    h: f64,
    tolerance: &Tolerance,
    scale: &[f64],
    e: &mut [f64],
) -> f64 {
    let e = &mut e[..scale.len()];
    st.weigh(1.0, E5, e);
    let e5 = tolerance.norm(e, scale);
    st.weigh(1.0, E3, e);
    let e3 = tolerance.norm(e, scale);
    // The companion of order 3 must not hide a NaN behind a zero of the other.
    if e5 == 0.0 && e3.is_finite() {
        return 0.0;
    }
    // Squares of what comes to rest may be below the least number.
    h * e5 * (e5 / e5.hypot(0.1 * e3))
}

/// Evaluates the three stages that serve only equation (3).
pub(super) fn extra_stages<R: Rate>(
    rate: &mut R,
    (t, h): (f64, f64),
    y0: &[f64],
    st: &mut Stages,
) -> Result<(), FlowError<R::Error>> {
    st.combine(h, y0, A14);
    st.evaluate(rate, t + C[13] * h, 13)?;
    st.combine(h, y0, A15);
    st.evaluate(rate, t + C[14] * h, 14)?;
    st.combine(h, y0, A16);
    st.evaluate(rate, t + C[15] * h, 15)
}

/// Rows F₃ … F₆ of equation (3), one after the other.
pub(super) fn dense_rows(st: &Stages, h: f64, rows: &mut [f64]) {
    let n = rows.len() / 4;
    let (low, high) = rows.split_at_mut(2 * n);
    st.weigh(h, D4, &mut low[..n]);
    st.weigh(h, D5, &mut low[n..]);
    st.weigh(h, D6, &mut high[..n]);
    st.weigh(h, D7, &mut high[n..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(row: &[(usize, f64)]) -> f64 {
        row.iter().map(|x| x.1).sum()
    }

    #[test]
    fn rows_sum_to_their_nodes() {
        let rows: [(&[(usize, f64)], f64); 15] = [
            (&A2, C[1]),
            (&A3, C[2]),
            (&A4, C[3]),
            (&A5, C[4]),
            (&A6, C[5]),
            (&A7, C[6]),
            (&A8, C[7]),
            (&A9, C[8]),
            (&A10, C[9]),
            (&A11, C[10]),
            (&A12, C[11]),
            (&B, 1.0),
            (&A14, C[13]),
            (&A15, C[14]),
            (&A16, C[15]),
        ];
        for (row, c) in rows {
            assert!((sum(row) - c).abs() < 2e-13, "{} {c}", sum(row));
        }
    }

    #[test]
    fn weights_integrate_polynomials() {
        for degree in 0..8 {
            let q: f64 = B.iter().map(|&(s, w)| w * C[s].powi(degree)).sum();
            assert!((q - 1.0 / f64::from(degree + 1)).abs() < 1e-13, "{degree}");
        }
        for degree in 0..4 {
            let e: f64 = E5.iter().map(|&(s, w)| w * C[s].powi(degree)).sum();
            assert!(e.abs() < 1e-13, "{degree} {e}");
        }
    }
}
