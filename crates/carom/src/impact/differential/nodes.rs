//! Nodes and weights of Radau IIA of high order.
//!
//! # Law
//! The nodes of [−1, 1] are the zeros of P_s − P_{s−1}, the last is 1. With the weights b the Legendre polynomials up to
//! degree s − 1 are orthogonal on the nodes, so that the polynomial that is 1 at node j and 0 at the others is
//! ```text
//! ℓⱼ(x) = bⱼ Σₙ (n + ½) Pₙ(xⱼ) Pₙ(x),   bⱼ = (1 + xⱼ)/(s P_{s−1}(xⱼ))²                    (1)
//! aᵢⱼ = ½ ∫₋₁^{xᵢ} ℓⱼ,   ∫₋₁^x Pₙ = (P_{n+1}(x) − P_{n−1}(x))/(2n + 1)                      (2)
//! ```
//! which has no cancellation, unlike coefficients of powers. The quadrature through the start and all nodes but the last
//! differs from b by what vanishes on all polynomials of degree s − 1:
//! ```text
//! eⱼ = bₛ ωⱼ/ωₛ,   ωⱼ = 1/Π_{i≠j}(xⱼ − xᵢ)  over the start and all nodes                    (3)
//! ```
//!
//! # Tests
//! `eq1_and_eq2_are_exact_on_polynomials`, `eq3_vanishes_on_polynomials` below.

use std::sync::LazyLock;

/// Number of nodes s; order 2s − 1, and s + 1 of the estimate (3).
pub(super) const NODES: usize = 9;

/// The method on [0, 1].
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// Nodes in (0, 1].
    pub c: [f64; NODES],
    /// Weights (2), row by row; the last row is the quadrature of the step.
    pub a: [[f64; NODES]; NODES],
    /// Weights (3): of the start, then of the nodes.
    pub e: [f64; NODES + 1],
    /// (n + ½) bⱼ Pₙ(xⱼ).
    basis: [[f64; NODES]; NODES],
}

/// The method, computed once.
pub(super) static METHOD: LazyLock<Nodes> = LazyLock::new(Nodes::new);

impl Nodes {
    fn new() -> Self {
        let s = NODES as f64;
        let mut x = [1.0; NODES];
        for (j, x) in x.iter_mut().rev().enumerate().skip(1) {
            *x = zero((std::f64::consts::TAU * j as f64 / (2.0 * s - 1.0)).cos());
        }
        let mut nodes = Self {
            c: x.map(|x| 0.5 * (1.0 + x)),
            a: [[0.0; NODES]; NODES],
            e: [0.0; NODES + 1],
            basis: [[0.0; NODES]; NODES],
        };
        for j in 0..NODES {
            let p = legendre(x[j]);
            let b = (1.0 + x[j]) / (s * p[NODES - 1]).powi(2);
            nodes.basis[j] = std::array::from_fn(|n| (n as f64 + 0.5) * b * p[n]);
        }
        for i in 0..NODES {
            let integral = integrals(x[i]);
            nodes.a[i] = std::array::from_fn(|j| 0.5 * dot(&nodes.basis[j], &integral));
        }
        let point = |j: usize| if j == 0 { 0.0 } else { nodes.c[j - 1] };
        let omega = |j: usize| -> f64 {
            let others = (0..=NODES).filter(|i| *i != j);
            1.0 / others.map(|i| point(j) - point(i)).product::<f64>()
        };
        let unit = nodes.a[NODES - 1][NODES - 1] / omega(NODES);
        nodes.e = std::array::from_fn(|j| unit * omega(j));
        nodes
    }

    /// ℓⱼ at a place of [0, 1], (1).
    pub fn at(&self, tau: f64) -> [f64; NODES] {
        let p = legendre(2.0 * tau - 1.0);
        std::array::from_fn(|j| self.basis[j].iter().zip(p).map(|(b, p)| b * p).sum())
    }

    /// ∫₀^τ ℓⱼ, (2) at any place of [0, 1].
    pub fn until(&self, tau: f64) -> [f64; NODES] {
        let integral = integrals(2.0 * tau - 1.0);
        std::array::from_fn(|j| 0.5 * dot(&self.basis[j], &integral))
    }
}

/// P₀ to P_s.
fn legendre(x: f64) -> [f64; NODES + 1] {
    let mut p = [1.0; NODES + 1];
    p[1] = x;
    for n in 1..NODES {
        let k = n as f64;
        p[n + 1] = ((2.0 * k + 1.0) * x * p[n] - k * p[n - 1]) / (k + 1.0);
    }
    p
}

/// ∫₋₁^x of P₀ to P_{s−1}, (2).
fn integrals(x: f64) -> [f64; NODES] {
    let p = legendre(x);
    std::array::from_fn(|n| match n {
        0 => x + 1.0,
        _ => (p[n + 1] - p[n - 1]) / (2 * n + 1) as f64,
    })
}

fn dot(a: &[f64; NODES], b: &[f64; NODES]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Zero of P_s − P_{s−1} near `x`, by Newton's method.
fn zero(mut x: f64) -> f64 {
    let s = NODES as f64;
    for _ in 0..20 {
        let p = legendre(x);
        let (a, b, c) = (p[NODES], p[NODES - 1], p[NODES - 2]);
        let slope = (s * (x * a - b) - (s - 1.0) * (x * b - c)) / (x * x - 1.0);
        x -= (a - b) / slope;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_and_eq2_are_exact_on_polynomials() {
        let nodes = Nodes::new();
        assert!(nodes.c.windows(2).all(|c| c[0] < c[1]) && nodes.c[0] > 0.0);
        for degree in 0..2 * NODES - 1 {
            let power = |c: f64, n: usize| c.powi(n as i32);
            for i in 0..NODES {
                if degree >= NODES && i + 1 < NODES {
                    continue;
                }
                let sum: f64 = (0..NODES).map(|j| nodes.a[i][j] * power(nodes.c[j], degree)).sum();
                let exact = power(nodes.c[i], degree + 1) / (degree + 1) as f64;
                assert!((sum - exact).abs() < 2e-15, "{i} {degree} {:e}", sum - exact);
            }
            if degree < NODES {
                let l = nodes.at(0.37);
                let sum: f64 = (0..NODES).map(|j| l[j] * power(nodes.c[j], degree)).sum();
                assert!((sum - power(0.37, degree)).abs() < 1e-14);
                let sum: f64 =
                    (0..NODES).map(|j| nodes.until(0.37)[j] * power(nodes.c[j], degree)).sum();
                assert!((sum - power(0.37, degree + 1) / (degree + 1) as f64).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn eq3_vanishes_on_polynomials() {
        let nodes = Nodes::new();
        let apply = |degree: i32| -> f64 {
            let start = if degree == 0 { nodes.e[0] } else { 0.0 };
            start + (0..NODES).map(|j| nodes.e[j + 1] * nodes.c[j].powi(degree)).sum::<f64>()
        };
        assert!((0..NODES as i32).all(|n| apply(n).abs() < 1e-15));
        assert!(apply(NODES as i32).abs() > 1e-8);
    }
}
