//! Numbers for people.

/// A number with six digits, without trailing zeros: 0.04, 118.897, 2.4e-9.
pub fn short_number(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !x.is_finite() || (1e-3..1e6).contains(&x.abs()) {
        let digits = (5 - x.abs().log10().floor() as i32).clamp(0, 12) as usize;
        let text = format!("{x:.digits$}");
        return match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        };
    }
    let text = format!("{x:.5e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if mantissa.contains('.') => {
            format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::short_number;

    #[test]
    fn six_digits() {
        let cases = [
            (0.0, "0"),
            (-0.04, "-0.04"),
            (118.89720000000001, "118.897"),
            (2.4e-9, "2.4e-9"),
            (1e9, "1e9"),
            (1.0 / 3.0, "0.333333"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
            (100000.0, "100000"),
        ];
        for (x, text) in cases {
            assert_eq!(short_number(x), text);
        }
    }
}
