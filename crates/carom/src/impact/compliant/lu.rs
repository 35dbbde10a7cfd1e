//! Small dense systems without a symmetric matrix: LU with partial pivoting, row major.

/// LU with partial pivoting, row major, in place; false if singular.
pub(super) fn factor(a: &mut [f64], n: usize, pivots: &mut Vec<usize>) -> bool {
    pivots.clear();
    for k in 0..n {
        let best =
            (k..n).fold(k, |b, i| if a[i * n + k].abs() > a[b * n + k].abs() { i } else { b });
        if a[best * n + k] == 0.0 || !a[best * n + k].is_finite() {
            return false;
        }
        pivots.push(best);
        if best != k {
            for j in 0..n {
                a.swap(k * n + j, best * n + j);
            }
        }
        let (top, below) = a.split_at_mut((k + 1) * n);
        let row = &top[k * n..];
        for lower in below.chunks_exact_mut(n) {
            let f = lower[k] / row[k];
            lower[k] = f;
            if f != 0.0 {
                for (x, y) in lower[k + 1..].iter_mut().zip(&row[k + 1..]) {
                    *x -= f * y;
                }
            }
        }
    }
    true
}

/// b := A⁻¹ b with the factor.
pub(super) fn substitute(a: &[f64], n: usize, pivots: &[usize], b: &mut [f64]) {
    for k in 0..n {
        b.swap(k, pivots[k]);
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|j| a[i * n + j] * b[j]).sum();
        b[i] -= known;
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i * n + j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
}
