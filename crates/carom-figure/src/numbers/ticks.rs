//! Where an axis has its ticks, and what they say.
//!
//! Steps are 1, 2, 2.5 or 5 times a power of ten, 1, 2 or 5 between decades. Numbers below 10⁻³ and from 10⁵ on share
//! a power of ten, which goes to the label of the axis. A minus is a minus, not a hyphen.

use super::scale::Scale;

/// The ticks of one axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ticks {
    /// Numbers with labels.
    pub major: Vec<(f64, String)>,
    /// Numbers between, on logarithmic axes.
    pub minor: Vec<f64>,
    /// Power of ten to multiply the labels with.
    pub power: i32,
}

/// Ticks for an axis with at most `most` labels.
pub(crate) fn ticks(scale: &Scale, most: usize) -> Ticks {
    if scale.log { logarithmic(scale.range, most.max(2)) } else { linear(scale.range, most.max(2)) }
}

/// The smallest nice step with at most `most` ticks.
fn nice_step(span: f64, most: usize) -> f64 {
    let rough = span / most as f64;
    let power = 10f64.powi(rough.log10().floor() as i32);
    let nice = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * power);
    // The last is never too small but for round-off.
    nice.into_iter().find(|step| *step >= rough * (1.0 - 1e-12)).unwrap_or(10.0 * power)
}

fn linear(range: [f64; 2], most: usize) -> Ticks {
    let [low, high] = [range[0].min(range[1]), range[0].max(range[1])];
    let step = nice_step(high - low, most);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    // i/10^d is the nearest float to the decimal number, i·step need not be.
    let power = common_power(low.abs().max(high.abs()));
    let decimals = decimals_of(step / 10f64.powi(power));
    let label = |x: f64| number(x / 10f64.powi(power), decimals);
    let major = (first..=last).map(|i| i as f64 * step).map(|x| (x, label(x))).collect();
    Ticks { major, minor: Vec::new(), power }
}

/// The power of ten that labels of this size share.
fn common_power(size: f64) -> i32 {
    let exponent = if size > 0.0 { (size * (1.0 + 1e-12)).log10().floor() as i32 } else { 0 };
    if (-3..5).contains(&exponent) { 0 } else { exponent.div_euclid(3) * 3 }
}

/// Digits after the point that tell multiples of a step apart.
fn decimals_of(step: f64) -> usize {
    (0..12)
        .find(|d| {
            let scaled = step * 10f64.powi(*d);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1e-30)
        })
        .unwrap_or(12) as usize
}

fn logarithmic(range: [f64; 2], most: usize) -> Ticks {
    let [low, high] = [range[0].min(range[1]), range[0].max(range[1])];
    let inside = |x: &f64| *x >= low * (1.0 - 1e-9) && *x <= high * (1.0 + 1e-9);
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = (last - first).max(1) as usize;
    let every = decades.div_ceil(most) as i32;
    let multiples = |m: &'static [f64]| {
        (first..=last).flat_map(move |k| m.iter().map(move |m| (*m, k))).collect::<Vec<_>>()
    };
    let value = |(m, k): &(f64, i32)| m * 10f64.powi(*k);
    let whole: Vec<i32> =
        (first..=last).filter(|k| inside(&10f64.powi(*k)) && k.rem_euclid(every) == 0).collect();
    let minor: Vec<f64> = match every {
        1 => multiples(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
            .iter()
            .map(value)
            .filter(inside)
            .collect(),
        _ => (first..=last).map(|k| 10f64.powi(k)).filter(inside).collect(),
    };
    let major: Vec<(f64, String)> = if whole.len() >= 2 {
        whole.iter().map(|k| (10f64.powi(*k), power_of_ten(*k))).collect()
    } else {
        let few = multiples(&[1.0, 2.0, 5.0]);
        few.iter().filter(|mk| inside(&value(mk))).map(|mk| (value(mk), multiple(*mk))).collect()
    };
    Ticks { major, minor, power: 0 }
}

/// 10ᵏ, or the plain number where that is short.
fn power_of_ten(k: i32) -> String {
    match k {
        0 => "1".into(),
        _ => format!("10{}", superscript(k)),
    }
}

fn multiple((m, k): (f64, i32)) -> String {
    match k {
        -3..=-1 => number(m * 10f64.powi(k), (-k) as usize),
        0..=3 => number(m * 10f64.powi(k), 0),
        _ => format!("{m}·{}", power_of_ten(k)),
    }
}

/// A whole number in superscript.
pub(crate) fn superscript(k: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    k.to_string().chars().map(digit).collect()
}

/// A number with so many decimals and a typographic minus; no minus before zero.
pub(crate) fn number(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    let is_zero = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    match text.strip_prefix('-') {
        Some(digits) if is_zero => digits.into(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: [f64; 2], log: bool, most: usize) -> (Vec<String>, i32) {
        let ticks = ticks(&Scale { range, pixels: [0.0, 100.0], log }, most);
        (ticks.major.into_iter().map(|(_, label)| label).collect(), ticks.power)
    }

    #[test]
    fn steps_are_nice() {
        assert_eq!(labels([0.0, 1.0], false, 5).0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels([-1.2, 1.2], false, 5).0, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels([0.0, 10.0], false, 4).0, ["0.0", "2.5", "5.0", "7.5", "10.0"]);
        assert_eq!(labels([0.0, 3.0], false, 4).0, ["0", "1", "2", "3"]);
    }

    #[test]
    fn small_and_large_numbers_share_a_power() {
        assert_eq!(
            labels([0.0, 2e-5], false, 4),
            (vec!["0".into(), "5".into(), "10".into(), "15".into(), "20".into()], -6)
        );
        assert_eq!(labels([0.0, 3e6], false, 4).1, 6);
        assert_eq!(labels([0.0, 2e4], false, 4).1, 0);
    }

    #[test]
    fn decades_and_parts_of_one() {
        assert_eq!(labels([1e-3, 1e2], true, 8).0, ["10⁻³", "10⁻²", "10⁻¹", "1", "10¹", "10²"]);
        assert_eq!(labels([0.9, 6.0], true, 8).0, ["1", "2", "5"]);
        assert!(labels([1e-16, 1e4], true, 6).0.len() <= 6);
    }

    #[test]
    fn zero_has_no_minus() {
        assert_eq!(number(-0.001, 1), "0.0");
        assert_eq!(number(-0.06, 1), "−0.1");
    }
}
