//! How two columns of a study go together.
//!
//! ```text
//! r = Σ (xᵢ − x̄)(yᵢ − ȳ) / √(Σ (xᵢ − x̄)² Σ (yᵢ − ȳ)²)            (1)
//! ```
//! The rank correlation is (1) of the [`ranks`].
//!
//! Tests: below, `eq1_correlation`.

/// Linear correlation (1) of the pairs of two columns; NaN without spread.
pub fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

/// Places in order of size, from 0; equal numbers in the order in which they stand.
pub fn ranks(x: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let mut ranks = vec![0.0; x.len()];
    order.into_iter().enumerate().for_each(|(rank, i)| ranks[i] = rank as f64);
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_correlation() {
        let x = [1.0, 2.0, 3.0, 4.0];
        assert!((correlation(&x, &[2.0, 4.0, 6.0, 8.0]) - 1.0).abs() < 1e-15);
        assert!((correlation(&x, &[1.0, -1.0, -1.0, 1.0])).abs() < 1e-15);
        assert_eq!(ranks(&[3.0, 1.0, 2.0]), [2.0, 0.0, 1.0]);
        assert!(correlation(&x, &[1.0; 4]).is_nan());
    }
}
