//! Radau IIA: nodes, weights and the polynomials through them.
//!
//! ```text
//! a_ij = ∫₀^{c_i} ℓ_j(τ) dτ,   ℓ_j the Lagrange polynomials of the nodes                (1)
//! ```
//! The last node is 1, so its row of weights is the quadrature of the whole step, exact to degree 2s − 2.
#![allow(clippy::excessive_precision)]

/// Largest number of nodes.
pub const MOST: usize = 5;

/// Nodes of order 9, zeros of P₅(2x − 1) − P₄(2x − 1).
const NODES_5: [f64; 5] = [
    0.057_104_196_114_517_682_193,
    0.276_843_013_638_123_827_68,
    0.583_590_432_368_916_820_06,
    0.860_240_135_656_219_447_85,
    1.0,
];

/// Nodes of order 7.
const NODES_4: [f64; 4] = [
    0.088_587_959_512_703_947_396,
    0.409_466_864_440_734_710_86,
    0.787_659_461_760_847_056_03,
    1.0,
];

/// One method.
#[derive(Clone, Debug)]
pub struct Tableau {
    /// Number of nodes s.
    pub s: usize,
    /// Nodes.
    pub c: [f64; MOST],
    /// Weights (1).
    pub a: [[f64; MOST]; MOST],
    /// Their square, for equations of second order.
    pub a2: [[f64; MOST]; MOST],
    /// `inside[n][j]`: coefficient of τⁿ of the polynomial through the nodes that is 1 at node j.
    inside: [[f64; MOST]; MOST],
    /// The same with τ = 0 as a further point, which comes first.
    whole: [[f64; MOST + 1]; MOST + 1],
}

impl Tableau {
    /// The method with these nodes in (0, 1].
    pub fn new(nodes: &[f64]) -> Self {
        let s = nodes.len();
        let mut t = Self {
            s,
            c: [0.0; MOST],
            a: [[0.0; MOST]; MOST],
            a2: [[0.0; MOST]; MOST],
            inside: [[0.0; MOST]; MOST],
            whole: [[0.0; MOST + 1]; MOST + 1],
        };
        t.c[..s].copy_from_slice(nodes);
        let mut points = [0.0; MOST + 1];
        points[1..=s].copy_from_slice(nodes);
        for j in 0..=s {
            let l = lagrange(&points[..=s], j);
            for n in 0..=s {
                t.whole[n][j] = l[n];
            }
        }
        for j in 0..s {
            let l = lagrange(nodes, j);
            for n in 0..s {
                t.inside[n][j] = l[n];
            }
            for i in 0..s {
                t.a[i][j] =
                    (0..s).map(|n| l[n] * nodes[i].powi(n as i32 + 1) / (n + 1) as f64).sum();
            }
        }
        for i in 0..s {
            for j in 0..s {
                t.a2[i][j] = (0..s).map(|k| t.a[i][k] * t.a[k][j]).sum();
            }
        }
        t
    }

    /// Order 9.
    pub fn fine() -> Self {
        Self::new(&NODES_5)
    }

    /// Order 7, to compare with.
    pub fn coarse() -> Self {
        Self::new(&NODES_4)
    }

    /// Value at τ of the polynomial through the values at the nodes.
    pub fn inside(&self, at: impl Fn(usize) -> f64, tau: f64) -> f64 {
        (0..self.s).rev().fold(0.0, |sum, n| sum * tau + self.inside_coefficient(&at, n))
    }

    /// Its coefficient of τⁿ.
    pub fn inside_coefficient(&self, at: &impl Fn(usize) -> f64, n: usize) -> f64 {
        (0..self.s).map(|j| self.inside[n][j] * at(j)).sum()
    }

    /// Coefficient of τⁿ of the polynomial through `start` at τ = 0 and the values at the nodes.
    pub fn whole_coefficient(&self, start: f64, at: &impl Fn(usize) -> f64, n: usize) -> f64 {
        self.whole[n][0] * start + (0..self.s).map(|j| self.whole[n][j + 1] * at(j)).sum::<f64>()
    }
}

/// Coefficients of the polynomial that is 1 at point j and 0 at the others.
fn lagrange(points: &[f64], j: usize) -> [f64; MOST + 1] {
    let mut l = [0.0; MOST + 1];
    l[0] = 1.0;
    let mut degree = 0;
    for (i, x) in points.iter().enumerate() {
        if i == j {
            continue;
        }
        let scale = 1.0 / (points[j] - x);
        for n in (0..=degree + 1).rev() {
            let lower = if n > 0 { l[n - 1] } else { 0.0 };
            l[n] = scale * (lower - x * l[n]);
        }
        degree += 1;
    }
    l
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_weights_integrate_polynomials() {
        for t in [Tableau::fine(), Tableau::coarse()] {
            let s = t.s;
            for degree in 0..2 * s - 1 {
                let sum: f64 = (0..s).map(|j| t.a[s - 1][j] * t.c[j].powi(degree as i32)).sum();
                assert!((sum - 1.0 / (degree + 1) as f64).abs() < 1e-14, "{s} {degree} {sum}");
            }
            for i in 0..s {
                let sum: f64 = t.a[i][..s].iter().sum();
                assert!((sum - t.c[i]).abs() < 1e-14);
            }
            let cubic = |x: f64| 1.0 - x + 2.0 * x * x * x;
            assert!((t.inside(|j| cubic(t.c[j]), 0.3) - cubic(0.3)).abs() < 1e-13);
        }
    }
}
