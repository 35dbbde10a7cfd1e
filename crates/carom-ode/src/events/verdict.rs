//! What five samples of a guard say about an interval.
//!
//! # Law
//! With the guard turned so that it counts when it falls (φ = ±g), and the Bernstein coefficients
//! bₖ ± mₖ of `quartic.rs`: *plus* if bₖ − mₖ > η, *minus* if bₖ + mₖ < −η, *open* otherwise.
//! ```text
//! start        coefficients 1…4                   verdict
//! φ ≥ −η       none below −η                      clear; zero at the end if |φ(b)| ≤ η
//! φ > η        plus… (any) minus…                 one root        (Descartes)
//! |φ| ≤ η      all minus                          falls at the start
//! −η ≤ φ ≤ −η/2  all within 4η, φ(b) < −η         falls at the start: where it leaves zero is not known better
//!              plus… (any) minus…                 one root
//! φ < −η       minus… (any) plus…                 clear: it only rises
//!              none above η                       clear: it does not rise
//! otherwise                                       split
//! ```
//! A start within η of zero is thus divided out: a gap that is exactly zero after an impact
//! neither hides nor fakes the next crossing.
//!
//! # Tests
//! `table_rows`; `tests/flow_events.rs`.

use super::guard::{Direction, Guard};
use super::quartic::Quartic;

/// Interior coefficients are sums of samples with weights up to about 8, and so is their noise.
const COEFFICIENT_NOISE: f64 = 16.0;

/// Samples, in units of η, among which the place where a guard leaves zero is not sought.
const WITHIN: f64 = 4.0;

/// What is known of a guard on an interval [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    /// No crossing in (0, 1], and a state away from zero or rising at the end.
    Clear,
    /// One crossing, near this place.
    Root(f64),
    /// No crossing before the end, where the guard is zero and not seen to rise.
    EndZero,
    /// Zero at the start, falling from there on.
    Falls,
    /// Not decided; look at the part up to this place first.
    Split(f64),
}

/// A guard on an interval.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portrait {
    /// +1 or −1: the guard times this falls when it counts; 0 if it is zero throughout.
    pub(super) sign: f64,
    /// The turned guard.
    pub(super) quartic: Quartic,
    /// What it says.
    pub(super) verdict: Verdict,
}

impl Portrait {
    /// Nothing known yet.
    pub(super) const BLANK: Self =
        Self { sign: 0.0, quartic: Quartic { b: [0.0; 5], margin: 0.0 }, verdict: Verdict::Clear };

    /// From five samples, the derivatives by x there (NaN: not supplied) and the value that counts
    /// as zero. `forced` decides by the ends alone, for intervals not worth splitting.
    pub(super) fn new(
        guard: &Guard,
        eta: f64,
        f: [f64; 5],
        slopes: [f64; 5],
        forced: bool,
    ) -> Self {
        let sign = orientation(guard.direction, eta, &f, slopes[0]);
        // A guard that is not a number is silent; the locator counts it as unresolved.
        if sign == 0.0 || f.iter().any(|f| f.is_nan()) {
            return Self { sign, ..Self::BLANK };
        }
        let slopes = slopes.map(|s| sign * s);
        let quartic = Quartic::new(f.map(|f| sign * f), slopes);
        // Its samples leave zero, but no further than round-off may.
        let leaves = f.iter().all(|f| f.abs() <= WITHIN * eta)
            && (0.5..=1.0).contains(&(-sign * f[0] / eta))
            && sign * f[4] < -eta;
        let verdict = if forced || leaves && quartic.margin <= COEFFICIENT_NOISE * eta {
            decide(&quartic, eta, slopes[0])
        } else {
            judge(&quartic, eta, slopes)
        };
        Self { sign, quartic, verdict }
    }
}

/// Which way the guard is turned, by the first sign seen.
fn orientation(direction: Direction, eta: f64, f: &[f64; 5], slope: f64) -> f64 {
    match direction {
        Direction::Falling => 1.0,
        Direction::Rising => -1.0,
        Direction::Either if f[0].abs() > eta => f[0].signum(),
        Direction::Either if slope.abs() > COEFFICIENT_NOISE * eta => slope.signum(),
        Direction::Either => f.iter().find(|f| f.abs() > eta).map_or(0.0, |f| f.signum()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
    Open,
}

fn signs(q: &Quartic, eta: f64) -> [Sign; 5] {
    std::array::from_fn(|k| {
        let (m, zero) = (q.margin_of(k), if k % 4 == 0 { eta } else { COEFFICIENT_NOISE * eta });
        match q.b[k] {
            b if b - m > zero => Sign::Plus,
            b if b + m < -zero => Sign::Minus,
            _ => Sign::Open,
        }
    })
}

/// Whether the signs change once: `first`, at most one of any kind, then the `other` to the end.
fn once(signs: &[Sign], first: Sign, other: Sign) -> bool {
    let lead = signs.iter().take_while(|&&s| s == first).count();
    signs.iter().skip(lead + 1).all(|&s| s == other) && signs.last() == Some(&other)
}

fn judge(q: &Quartic, eta: f64, slopes: [f64; 5]) -> Verdict {
    let s = signs(q, eta);
    let tail = &s[1..];
    if s[0] == Sign::Minus {
        let silent = sinks(q, eta) || once(tail, Sign::Minus, Sign::Plus);
        return if silent { Verdict::Clear } else { Verdict::Split(0.5) };
    }
    if stays(q, eta) {
        let rose = s[..4].contains(&Sign::Plus);
        let rising = slopes[4] > 0.0;
        let back = s[4] == Sign::Open && rose && !rising;
        return if back { Verdict::EndZero } else { Verdict::Clear };
    }
    if s[0] == Sign::Plus { judge_armed(q, &s) } else { judge_zero(q, &s, slopes[0]) }
}

/// Whether no coefficient says that the guard falls below zero.
fn stays(q: &Quartic, eta: f64) -> bool {
    let zero = COEFFICIENT_NOISE * eta;
    (1..4).all(|k| q.b[k] - q.margin_of(k) >= -zero) && q.b[4] >= -eta
}

/// Whether no coefficient says that the guard rises above zero.
fn sinks(q: &Quartic, eta: f64) -> bool {
    let zero = COEFFICIENT_NOISE * eta;
    (1..4).all(|k| q.b[k] + q.margin_of(k) <= zero) && q.b[4] <= eta
}

/// The guard starts above zero and may fall below it.
fn judge_armed(q: &Quartic, s: &[Sign; 5]) -> Verdict {
    if once(&s[1..], Sign::Plus, Sign::Minus) {
        return Verdict::Root(q.root());
    }
    match q.minimum() {
        Some(x) if x > 0.05 && x < 0.95 => Verdict::Split(x),
        _ => Verdict::Split(0.5),
    }
}

/// The guard starts at zero, which is divided out, and may fall below it.
fn judge_zero(q: &Quartic, s: &[Sign; 5], slope: f64) -> Verdict {
    if s[1..].iter().all(|&s| s == Sign::Minus) {
        return Verdict::Falls;
    }
    if !once(&s[1..], Sign::Plus, Sign::Minus) {
        return Verdict::Split(0.5);
    }
    match s[1] {
        Sign::Plus => Verdict::Root(q.deflated_root(slope)),
        // The first coefficient is too small to tell a short arc from a fall.
        _ if slope > 0.0 => Verdict::Root(q.deflated_root(slope)),
        _ if slope <= 0.0 => Verdict::Falls,
        _ => Verdict::Split(0.5),
    }
}

/// A decision by the ends alone.
fn decide(q: &Quartic, eta: f64, slope: f64) -> Verdict {
    let (start, end) = (q.b[0], q.b[4]);
    match start {
        _ if end >= -eta || start < -eta => Verdict::Clear,
        s if s > eta => Verdict::Root(q.root()),
        _ if slope > 0.0 => Verdict::Root(q.deflated_root(slope)),
        _ => Verdict::Falls,
    }
}

#[cfg(test)]
mod tests {
    use super::super::quartic::tests::POINTS;
    use super::*;

    fn verdict(f: impl Fn(f64) -> f64, end: [f64; 2]) -> Verdict {
        let slopes = [end[0], f64::NAN, f64::NAN, f64::NAN, end[1]];
        Portrait::new(&Guard::falling(1e-14), 1e-14, POINTS.map(f), slopes, false).verdict
    }

    #[test]
    fn table_rows() {
        let none = [f64::NAN; 2];
        assert_eq!(verdict(|x| 1.0 + x, none), Verdict::Clear);
        assert!(matches!(verdict(|x| 0.3 - x, none), Verdict::Root(x) if (x - 0.3).abs() < 1e-9));
        assert_eq!(verdict(|x| 1.0 - x, none), Verdict::EndZero);
        assert_eq!(verdict(|x| (1.0 - x).powi(2), none), Verdict::EndZero);
        assert_eq!(verdict(|x| (1.0 - x).powi(2), [-2.0, 1e-18]), Verdict::Clear);
        assert_eq!(verdict(|x| x, none), Verdict::Clear);
        assert_eq!(verdict(|_| 0.0, none), Verdict::Clear);
        assert_eq!(verdict(|x| x * (1.0 - x), none), Verdict::EndZero);
        assert_eq!(verdict(|x| -x, none), Verdict::Falls);
        assert!(
            matches!(verdict(|x| x * (0.4 - x), none), Verdict::Root(x) if (x - 0.4).abs() < 1e-9)
        );
        assert_eq!(verdict(|x| x - 0.5, none), Verdict::Clear);
        assert_eq!(verdict(|x| -1.0 - x, none), Verdict::Clear);
        // Leaving zero slowly is seen at once, and what stays below does not rise.
        assert_eq!(verdict(|x| -1e-14 * (0.9 + x), none), Verdict::Falls);
        assert!(matches!(verdict(|x| -1e-14 * (0.9 + 9.0 * x), none), Verdict::Split(_)));
        assert_eq!(verdict(|x| -1e-14 * (15.0 + 0.1 * x), none), Verdict::Clear);
        let dip = |x: f64| (x - 0.6) * (x - 0.6) - 0.01;
        assert!(matches!(verdict(dip, none), Verdict::Split(x) if (x - 0.6).abs() < 1e-5));
    }
}
