//! The Dormand–Prince pair of orders 5 and 4, seven stages, the last one shared with the next step.
//!
//! # Law
//! ```text
//! kₛ = f(t + cₛh, y₀ + h Σ aₛⱼ kⱼ),  y₁ = y₀ + h Σ bₛ kₛ        (1)
//! e = h Σ (bₛ − b̂ₛ) kₛ                                          (2)
//! u₄ = cubic Hermite + θ²(1−θ)² h Σ dₛ kₛ                       (3)
//! u₅ = cubic Hermite + θ²(1−θ)² (F₃ + θ F₄)                     (4)
//! ```
//! (3) costs nothing and has a local error of O(h⁵). (4) has O(h⁶) and costs two evaluations,
//! fₐ = f(t + h/5, u₄) and f_b = f(t + 4h/5, u₄): since u₄ is off by O(h⁵), h fₐ and h f_b are off by
//! O(h⁶). With ρ = h f − (derivative of the cubic) at the two nodes, the derivative of the added
//! term there, 2θ(1−θ)(1−2θ)F₃ + θ²(1−θ)(3−5θ)F₄, gives
//! ```text
//! F₄ = −(ρₐ + ρ_b)/0.064,  F₃ = (2ρₐ + ρ_b)/0.192               (5)
//! ```
//! The nodes 1/5, 4/5 make the remainder of (4) the smallest among symmetric pairs; the Lobatto
//! nodes would make (5) singular.
//!
//! # Source
//! Coefficients of (1)–(3) as in SciPy 1.17 `RK45` (the pair behind MATLAB's ode45, which
//! Flickinger 2011 section 2.6 uses), checked by the order conditions. (4), (5) derived here.
//!
//! # Tests
//! Here: `rows_sum_to_their_nodes`, `weights_integrate_polynomials`, `eq3_weights_annihilate_cubics`.
//! `tests/flow_orders.rs`: `dormand_prince_step`, `dormand_prince_dense`, `dormand_prince_refined`.

use super::dense::Dense;
use super::flow_error::FlowError;
use super::rate::Rate;
use super::stages::{Row, Stages};
use super::step_control::ControlLaw;
use super::tolerance::Tolerance;

/// Stages stored: seven, and two for the refined interpolant.
pub(super) const STAGES: usize = 9;
/// Where the rate at the end of the step is kept.
pub(super) const END: usize = 6;

/// Step control of the pair.
pub(super) const CONTROL: ControlLaw =
    ControlLaw { error_order: 5.0, beta: 0.04, safety: 0.9, shrink: 0.2, grow: 10.0 };

const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
const A2: Row<1> = [(0, 1.0 / 5.0)];
const A3: Row<2> = [(0, 3.0 / 40.0), (1, 9.0 / 40.0)];
const A4: Row<3> = [(0, 44.0 / 45.0), (1, -56.0 / 15.0), (2, 32.0 / 9.0)];
const A5: Row<4> =
    [(0, 19372.0 / 6561.0), (1, -25360.0 / 2187.0), (2, 64448.0 / 6561.0), (3, -212.0 / 729.0)];
const A6: Row<5> = [
    (0, 9017.0 / 3168.0),
    (1, -355.0 / 33.0),
    (2, 46732.0 / 5247.0),
    (3, 49.0 / 176.0),
    (4, -5103.0 / 18656.0),
];
const B: Row<5> = [
    (0, 35.0 / 384.0),
    (2, 500.0 / 1113.0),
    (3, 125.0 / 192.0),
    (4, -2187.0 / 6784.0),
    (5, 11.0 / 84.0),
];
/// b − b̂.
const E: Row<6> = [
    (0, 71.0 / 57600.0),
    (2, -71.0 / 16695.0),
    (3, 71.0 / 1920.0),
    (4, -17253.0 / 339200.0),
    (5, 22.0 / 525.0),
    (6, -1.0 / 40.0),
];
/// d of equation (3).
const D: Row<6> = [
    (0, -12715105075.0 / 11282082432.0),
    (2, 87487479700.0 / 32700410799.0),
    (3, -10690763975.0 / 1880347072.0),
    (4, 701980252875.0 / 199316789632.0),
    (5, -1453857185.0 / 822651844.0),
    (6, 69997945.0 / 29380423.0),
];
/// Nodes of the refined interpolant.
const NODES: [f64; 2] = [0.2, 0.8];

/// Equation (1); leaves y₁ in `st.y` and f(t₁, y₁) in stage [`END`].
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
    st.evaluate(rate, t + h, 5)?;
    st.combine(h, y0, B);
    st.evaluate(rate, t + h, END)
}

/// Error of component `i`, equation (2).
pub(super) fn error_of(st: &Stages, h: f64, i: usize) -> f64 {
    h * st.weighted(&E, i)
}

/// Norm of equation (2) in units of the tolerance; `e` is scratch.
pub(super) fn error_norm(
    st: &Stages,
    h: f64,
    tolerance: &Tolerance,
    scale: &[f64],
    e: &mut [f64],
) -> f64 {
    st.weigh(h, E, e);
    tolerance.norm(&e[..scale.len()], scale)
}

/// Row F₃ of equation (3).
pub(super) fn dense_row(st: &Stages, h: f64, row: &mut [f64]) {
    st.weigh(h, D, row);
}

/// Evaluates the rate at the two nodes of equation (4) on the fourth-order interpolant.
pub(super) fn evaluate_nodes<R: Rate>(
    rate: &mut R,
    dense: &Dense<'_>,
    st: &mut Stages,
) -> Result<(), FlowError<R::Error>> {
    for (s, x) in NODES.into_iter().enumerate() {
        let t = dense.t0 + x * dense.h;
        dense.state(t, &mut st.y);
        st.evaluate(rate, t, END + 1 + s)?;
    }
    Ok(())
}

/// Rows F₃ and F₄ of equation (5) from the rates of [`evaluate_nodes`]; rows 0–2 must be filled.
pub(super) fn refined_rows(st: &Stages, h: f64, rows: &mut [f64]) {
    let (a, b) = (st.k(END + 1), st.k(END + 2));
    let n = a.len();
    for i in 0..n {
        let (f0, f1, f2) = (rows[i], rows[n + i], rows[2 * n + i]);
        // d/dθ of θ(F₀ + (1−θ)(F₁ + θF₂)) = F₀ + (1−2θ)F₁ + (2θ − 3θ²)F₂
        let cubic = |x: f64| f0 + (1.0 - 2.0 * x) * f1 + x * (2.0 - 3.0 * x) * f2;
        let ra = h * a[i] - cubic(NODES[0]);
        let rb = h * b[i] - cubic(NODES[1]);
        rows[3 * n + i] = (2.0 * ra + rb) / 0.192;
        rows[4 * n + i] = -(ra + rb) / 0.064;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_sum_to_their_nodes() {
        let sums: [f64; 6] = [
            A2.iter().map(|x| x.1).sum(),
            A3.iter().map(|x| x.1).sum(),
            A4.iter().map(|x| x.1).sum(),
            A5.iter().map(|x| x.1).sum(),
            A6.iter().map(|x| x.1).sum(),
            B.iter().map(|x| x.1).sum(),
        ];
        for (s, c) in sums.into_iter().zip(&C[1..]) {
            assert!((s - c).abs() < 1e-14, "{s} {c}");
        }
    }

    #[test]
    fn weights_integrate_polynomials() {
        for degree in 0..5 {
            let q: f64 = B.iter().map(|&(s, w)| w * C[s].powi(degree)).sum();
            assert!((q - 1.0 / f64::from(degree + 1)).abs() < 1e-14);
            let e: f64 = E.iter().map(|&(s, w)| w * C[s].powi(degree)).sum();
            assert!(degree == 4 || e.abs() < 1e-15, "the companion has order 4: {e}");
            assert!(degree < 4 || e.abs() > 1e-4);
        }
    }

    #[test]
    fn eq3_weights_annihilate_cubics() {
        // A solution of degree ≤ 3 is met by the Hermite part, so Σ d cᵐ = 0 for m ≤ 2, and for
        // y = θ⁴ (rate 4θ³) the added term θ²(1−θ)² must come out with weight 1.
        for m in 0..3 {
            let q: f64 = D.iter().map(|&(s, w)| w * C[s].powi(m)).sum();
            assert!(q.abs() < 1e-13, "{m} {q}");
        }
        let q: f64 = D.iter().map(|&(s, w)| w * 4.0 * C[s].powi(3)).sum();
        assert!((q - 1.0).abs() < 1e-13, "{q}");
    }
}
