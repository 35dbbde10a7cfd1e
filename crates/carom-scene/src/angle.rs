//! Angles as texts: `"20deg"`, `"0.3rad"`, `"0.25turn"`, `"pi/4"`, `"-3pi/4"`, and `"0"`.
//!
//! A number needs its unit, because degrees are as likely to be meant as radians; only zero is the
//! same in all of them. Numbers that are not texts are radians.

use std::f64::consts::{PI, TAU};

/// The angle in radians, if the text is one.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    for unit in ["deg", "°", "rad", "turn", "turns"] {
        if let Some(number) = text.strip_suffix(unit) {
            let number = decimal(number.trim_end())?;
            return Some(match unit {
                "rad" => number,
                "turn" | "turns" => number * TAU,
                _ => number.to_radians(),
            });
        }
    }
    if let Some(number) = decimal(text) {
        return (number == 0.0).then_some(number);
    }
    let (top, bottom) = match text.split_once('/') {
        Some((top, bottom)) => (top.trim_end(), decimal(bottom.trim_start())?),
        None => (text, 1.0),
    };
    let factor = top.strip_suffix("pi").or_else(|| top.strip_suffix('π'))?.trim_end();
    let factor = match factor.strip_suffix('*').map_or(factor, str::trim_end) {
        "" | "+" => 1.0,
        "-" => -1.0,
        number => decimal(number)?,
    };
    Some(factor * PI / bottom).filter(|x| x.is_finite())
}

/// Whether a text would be an angle if it had a unit.
pub(crate) fn lacks_unit(text: &str) -> bool {
    decimal(text.trim()).is_some_and(|number| number != 0.0)
}

/// A plain decimal number: no words such as `nan` or `infinity`.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !plain {
        return None;
    }
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_forms() {
        let cases = [
            ("20deg", 20f64.to_radians()),
            (" -3.5 deg", (-3.5f64).to_radians()),
            ("90°", PI / 2.0),
            ("0.3rad", 0.3),
            ("0.25turn", PI / 2.0),
            ("pi", PI),
            ("-pi/4", -PI / 4.0),
            ("-3pi/4", -3.0 * PI / 4.0),
            ("5*pi/36", 5.0 * PI / 36.0),
            ("2π", TAU),
            ("0", 0.0),
            (" -0.0 ", 0.0),
            ("0e5", 0.0),
        ];
        for (text, radians) in cases {
            assert_eq!(parse(text), Some(radians), "{text}");
        }
    }

    #[test]
    fn refuses_the_rest() {
        for text in [
            "",
            "deg",
            "20",
            "20 degrees",
            "nandeg",
            "infrad",
            "pi/0",
            "pi/",
            "x*pi",
            "1e999deg",
            "1e-3",
            ".",
            "-",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(lacks_unit("20") && lacks_unit(" -1.5e-3"));
        assert!(!lacks_unit("0") && !lacks_unit("") && !lacks_unit("20 degrees"));
    }
}
