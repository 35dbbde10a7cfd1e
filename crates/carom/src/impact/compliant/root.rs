//! Where a polynomial first falls below zero.

/// Parts into which the interval is cut to look for sign changes.
const PARTS: usize = 12;

/// Value at x.
pub(super) fn value(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |s, c| s * x + c)
}

/// Slope at x.
pub(super) fn slope(c: &[f64], x: f64) -> f64 {
    c.iter().enumerate().skip(1).rev().fold(0.0, |s, (n, c)| s * x + n as f64 * c)
}

/// First x in [0, end] at which the polynomial, which may start at zero up to `slack`, falls below zero for good.
///
/// A fall by less than `slack` does not count, a start above zero is followed to its zero, a start at zero to −`slack`.
/// Zeros are bracketed by [`PARTS`] samples and by the minima between them that the slopes show.
pub(super) fn first_fall(c: &[f64], end: f64, slack: f64) -> Option<f64> {
    let start = c.first().copied().unwrap_or(0.0);
    let mut power = 1.0;
    let mut swing = 0.0;
    for c in &c[1.min(c.len())..] {
        power *= end;
        swing += c.abs() * power;
    }
    if swing <= start + slack {
        return None;
    }
    let (mut a, mut s_a, mut highest) = (0.0, slope(c, 0.0), start);
    if start < -slack {
        return Some(0.0);
    }
    for part in 1..=PARTS {
        let b = end * part as f64 / PARTS as f64;
        let (g_b, s_b) = (value(c, b), slope(c, b));
        if g_b < -slack {
            return Some(zero(c, a, b, if highest > slack { 0.0 } else { slack }));
        }
        if s_a < 0.0 && s_b > 0.0 {
            let low = minimum(c, a, b);
            if value(c, low) < -slack {
                return Some(zero(c, a, low, if highest > slack { 0.0 } else { slack }));
            }
        }
        (a, s_a, highest) = (b, s_b, highest.max(g_b));
    }
    None
}

/// Zero of the polynomial plus `shift` between a, where that is not negative, and b, where it is.
fn zero(c: &[f64], mut a: f64, mut b: f64, shift: f64) -> f64 {
    let mut x = 0.5 * (a + b);
    for _ in 0..200 {
        let g = value(c, x) + shift;
        if g == 0.0 {
            return x;
        }
        if g > 0.0 {
            a = x
        } else {
            b = x
        }
        let next = x - g / slope(c, x);
        let next = if next > a && next < b { next } else { 0.5 * (a + b) };
        if (next - x).abs() <= f64::EPSILON * next {
            return next;
        }
        x = next;
    }
    x
}

/// Where the slope vanishes between a, where it is negative, and b, where it is positive.
fn minimum(c: &[f64], mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        let x = 0.5 * (a + b);
        if slope(c, x) < 0.0 { a = x } else { b = x }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_are_found_and_starts_at_zero_are_not() {
        assert!((first_fall(&[1.0, -2.0], 1.0, 1e-13).unwrap() - 0.5).abs() < 1e-15);
        assert_eq!(first_fall(&[0.0, 1.0], 1.0, 1e-13), None);
        assert_eq!(first_fall(&[-1e-14, 1.0], 1.0, 1e-13), None);
        // x (1 − x), back to zero at 1
        let back = first_fall(&[0.0, 1.0, -1.0], 2.0, 1e-13);
        assert!((back.unwrap() - 1.0).abs() < 1e-15);
        // a dip between two samples: (x − ½)² − 1e-6
        let dip = first_fall(&[0.25 - 1e-6, -1.0, 1.0], 1.0, 1e-13).unwrap();
        assert!((dip - 0.499).abs() < 1e-12, "{dip}");
    }
}
