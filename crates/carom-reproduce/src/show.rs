//! Numbers for readers: typographic minus, powers of ten.

/// A number with so many decimals.
pub fn fixed(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    // No negative zero.
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.replace('-', "") } else { text.replace('-', "−") }
}

/// A number as a power of ten with two digits, for errors and bounds.
pub fn power(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let text = format!("{x:.1e}");
    match text.split_once('e') {
        Some((mantissa, "0")) => mantissa.replace('-', "−"),
        Some((mantissa, exponent)) => {
            let raised: String = exponent.chars().map(superscript).collect();
            format!("{}·10{raised}", mantissa.replace('-', "−"))
        }
        None => text,
    }
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + (c as u32 - '0' as u32)).unwrap_or(c),
        _ => c,
    }
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_typeset() {
        assert_eq!(fixed(-0.25, 3), "−0.250");
        assert_eq!(fixed(-1e-9, 2), "0.00");
        assert_eq!(power(1.23e-12), "1.2·10⁻¹²");
        assert_eq!(power(-4.56e7), "−4.6·10⁷");
        assert_eq!(power(2.0), "2.0");
        assert_eq!(power(0.0), "0");
        assert_eq!(percent(-0.2034), "−20.3 %");
    }
}
