//! Where a polynomial of low degree first falls through zero.
//!
//! # Rule
//! ```text
//! p(x) = c₀ + c₁ x + …,  x ≥ 0;  first x with p > 0 just before and p ≤ 0 after, or from which on p ≤ 0 falls          (1)
//! |roots| ≤ 2 max |c₍ₙ₋ᵢ₎ / cₙ|^(1/i)                                                                               (2)
//! ```
//! Degree two in closed form, without cancellation. Above, zeros of the derivative part the line into pieces on which p is
//! monotone, derivative after derivative from the straight line up; each piece is searched by Newton's method inside a
//! bracket. (2) is Fujiwara's bound (1916): nothing happens beyond.
//!
//! # Tests
//! `eq1_first_fall_of_random_products`, `eq1_what_starts_at_zero`, `eq2_nothing_beyond`.

/// Coefficients up to the fourth power.
const MOST: usize = 5;
/// Steps of Newton's method or bisections; 53 halvings would do alone.
const ROUNDS: usize = 80;

/// The first x in [0, span] at which c₀ + c₁ x + c₂ x² falls through zero, (1).
pub fn first_fall_of_square([c, b, a]: [f64; 3], span: f64) -> Option<f64> {
    if c <= 0.0 && (b < 0.0 || (b == 0.0 && a < 0.0)) {
        return Some(0.0);
    }
    let half = 0.5 * b;
    let square = half * half - a * c;
    // Below zero all the way it falls from its top on.
    let top = (c <= 0.0 && square < 0.0 && a < 0.0).then(|| -half / a);
    // Upwards, or it turns before it reaches zero.
    if square < 0.0 || (a >= 0.0 && b >= 0.0) {
        return top.filter(|x| *x <= span);
    }
    let root = square.sqrt();
    let x = if b < 0.0 { c / (root - half) } else { -(half + root) / a };
    (x >= 0.0 && x <= span).then_some(x)
}

/// The first x in [0, span] at which Σ cₖ xᵏ falls through zero, (1).
pub fn first_fall(c: &[f64; MOST], span: f64) -> Option<f64> {
    let degree = (0..MOST).rev().find(|&k| c[k] != 0.0)?;
    if degree <= 2 {
        return first_fall_of_square([c[0], c[1], c[2]], span);
    }
    if c[0] <= 0.0 && c[1] < 0.0 {
        return Some(0.0);
    }
    let span = span.min(bound(&c[..=degree]));
    // Zeros of the derivative of order k, from that which is a straight line to the first.
    let (mut knots, mut count) = ([0.0; MOST], 0);
    for order in (1..degree).rev() {
        let d = derivative(c, degree, order);
        let (mut next, mut found) = ([0.0; MOST], 0);
        for (from, to) in pieces(&knots[..count], span) {
            let (a, b) = (value(&d, from), value(&d, to));
            if (a < 0.0) != (b < 0.0) {
                next[found] = root(&d, (from, to), a);
                found += 1;
            }
        }
        (knots, count) = (next, found);
    }
    let falls = |&(from, to): &(f64, f64)| value(c, from) > 0.0 && value(c, to) <= 0.0;
    pieces(&knots[..count], span).find(falls).map(|(from, to)| root(c, (from, to), value(c, from)))
}

/// Equation (2).
fn bound(c: &[f64]) -> f64 {
    let n = c.len() - 1;
    let size = |i: usize| (c[n - i] / c[n]).abs().powf(1.0 / i as f64);
    2.0 * (1..=n).map(size).fold(0.0, f64::max)
}

/// The pieces of [0, span] between the knots.
fn pieces(knots: &[f64], span: f64) -> impl Iterator<Item = (f64, f64)> {
    let ends = std::iter::once(0.0).chain(knots.iter().copied());
    ends.zip(knots.iter().copied().chain(std::iter::once(span)))
}

fn derivative(c: &[f64; MOST], degree: usize, order: usize) -> [f64; MOST] {
    let mut d = [0.0; MOST];
    for k in order..=degree {
        let factor: usize = (k + 1 - order..=k).product();
        d[k - order] = factor as f64 * c[k];
    }
    d
}

fn value(c: &[f64; MOST], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |p, c| p * x + c)
}

fn slope(c: &[f64; MOST], x: f64) -> f64 {
    (1..MOST).rev().fold(0.0, |p, k| p * x + k as f64 * c[k])
}

/// The zero between two ends with different signs; `at` is the value at the first.
fn root(c: &[f64; MOST], (mut from, mut to): (f64, f64), at: f64) -> f64 {
    let mut x = 0.5 * (from + to);
    for _ in 0..ROUNDS {
        let p = value(c, x);
        if p == 0.0 {
            return x;
        }
        if (p < 0.0) == (at < 0.0) {
            from = x
        } else {
            to = x
        }
        let newton = x - p / slope(c, x);
        let next = if newton > from && newton < to { newton } else { 0.5 * (from + to) };
        if next == x || !(next > from && next < to) {
            return x;
        }
        let moved = (next - x).abs();
        x = next;
        if moved <= 2.0 * f64::EPSILON * x.abs() {
            return x;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ cₖ xᵏ with these roots and leading coefficient.
    fn with_roots(roots: &[f64], lead: f64) -> [f64; MOST] {
        let mut c = [0.0; MOST];
        c[0] = lead;
        for (n, r) in roots.iter().enumerate() {
            for k in (0..=n + 1).rev() {
                let lower = if k > 0 { c[k - 1] } else { 0.0 };
                c[k] = lower - r * c[k];
            }
        }
        c
    }

    #[test]
    fn eq1_first_fall_of_random_products() {
        let mut seed = 5_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        for case in 0..2000 {
            let n = 1 + case % 4;
            let mut roots: Vec<f64> = (0..n).map(|_| 4.0 * random() - 1.5).collect();
            roots.sort_unstable_by(f64::total_cmp);
            if roots.windows(2).any(|r| r[1] - r[0] < 1e-3) || roots.iter().any(|r| r.abs() < 1e-3)
            {
                continue;
            }
            let c = with_roots(&roots, if random() < 0.5 { -2.0 } else { 0.7 });
            // Signs just before each root tell where it falls.
            let before = |r: f64| value(&c, r - 5e-4) > 0.0;
            let starts = c[0] <= 0.0 && c[1] < 0.0;
            let expected = roots.iter().copied().find(|&r| r > 0.0 && before(r));
            let expected = if starts { Some(0.0) } else { expected };
            let found = first_fall(&c, f64::INFINITY);
            match (found, expected) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{roots:?}: {a} {b}"),
                (a, b) => assert_eq!(a, b, "{roots:?}"),
            }
            if let Some(x) = expected {
                assert_eq!(first_fall(&c, 0.5 * x), (x == 0.0).then_some(0.0));
            }
        }
    }

    #[test]
    fn eq1_what_starts_at_zero() {
        // A ball that has just left a floor, by round-off below it, returns.
        assert!((first_fall_of_square([-1e-17, 1.0, -5.0], 1.0).unwrap() - 0.2).abs() < 1e-15);
        assert_eq!(first_fall_of_square([0.0, 1.0, 0.0], 1e300), None);
        assert_eq!(first_fall_of_square([-1e-3, -1.0, 5.0], 1.0), Some(0.0));
        assert_eq!(first_fall_of_square([0.0, 0.0, -1.0], 1.0), Some(0.0));
        assert_eq!(first_fall_of_square([1.0, -1.0, 5.0], 1.0), None);
        assert_eq!(first_fall_of_square([-1.0, 1.0, -1.0], 1.0), Some(0.5));
        let quartic = with_roots(&[-1e-17, 0.5, 3.0, 4.0], -1.0);
        assert!((first_fall(&quartic, 10.0).unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn eq2_nothing_beyond() {
        for roots in [[-3.0, 1.0, 2.0, 700.0], [1e-3, 2e-3, 3e-3, 5e-3]] {
            let c = with_roots(&roots, 1.0);
            assert!(roots.iter().all(|r| r.abs() <= bound(&c)));
        }
    }
}
