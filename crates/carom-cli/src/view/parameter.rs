//! One value that can be changed, and a range that makes sense for it.

use serde_json::{Value, json};

/// How a value of the start is changed by moving a body of the picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Grip {
    /// Name of the body.
    pub body: String,
    /// `x`, `y`, `z` along the axes of the world, `turn` of a planar body, or `joint`: along or about the body's joint.
    pub way: &'static str,
    /// Change of the value per metre or radian.
    pub gain: f64,
}

/// A value that can be changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Path as for `--set`.
    pub path: String,
    /// Name for people.
    pub label: String,
    /// The value in force.
    pub value: f64,
    /// Unit; empty for a pure number.
    pub unit: &'static str,
    /// Lower and upper end of a range that makes sense; other values may be given.
    pub range: [f64; 2],
    /// `contact`, `gravity`, `initial`, `body`, `plane` or `solver`.
    pub group: &'static str,
    /// A change that must come first, where the value is part of something not stated yet.
    pub seed: Option<String>,
    /// How it is changed in the picture.
    pub grip: Option<Grip>,
}

impl Parameter {
    /// As the page reads it.
    pub fn to_json(&self) -> Value {
        let [min, max] = self.range;
        json!({
            "path": self.path,
            "label": self.label,
            "value": self.value,
            "unit": self.unit,
            "min": min,
            "max": max,
            "step": step(max - min),
            "group": self.group,
            "grip": self.grip.as_ref().map(|g| json!({ "body": g.body, "way": g.way, "gain": g.gain })),
        })
    }
}

/// 1, 2 or 5 times a power of ten, near a two-hundredth of a range.
fn step(width: f64) -> f64 {
    let rough = width / 200.0;
    // A width of zero, or one that is no number, has any step.
    if !(rough > 0.0 && rough.is_finite()) {
        return 0.01;
    }
    let exponent = rough.log10().floor() as i32;
    let factor = rough / 10_f64.powi(exponent);
    let digit = if factor < 1.5 {
        1
    } else if factor < 3.5 {
        2
    } else if factor < 7.5 {
        5
    } else {
        10
    };
    // By way of text, so that it is the number that people write.
    format!("{digit}e{exponent}").parse().unwrap_or(0.01)
}

/// A range around a value, at least `reach` to both sides.
pub fn around(value: f64, reach: f64) -> [f64; 2] {
    let reach = reach.max(value.abs());
    [value - reach, value + reach]
}

/// From zero to twice the value, at least to `least`.
pub fn upwards(value: f64, least: f64) -> [f64; 2] {
    [0.0, least.max(2.0 * value)]
}

/// A key of a path, in quotes if it needs them.
pub fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if !name.is_empty() && name.chars().all(bare) { name.into() } else { format!("\"{name}\"") }
}

/// A number of TOML: shortest text that reads back as the same bits.
pub fn number(x: f64) -> String {
    format!("{x:?}")
}

/// A list of TOML.
pub fn list(numbers: &[f64]) -> String {
    let all: Vec<String> = numbers.iter().map(|x| number(*x)).collect();
    format!("[{}]", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(step(1.0), 0.005);
        assert_eq!(step(40.0), 0.2);
        assert_eq!(step(6.0), 0.02);
        assert_eq!(step(0.0), 0.01);
        assert_eq!(step(f64::NAN), 0.01);
    }

    #[test]
    fn keys_and_numbers() {
        assert_eq!(
            (key("ball"), key("a.b"), key("")),
            ("ball".into(), "\"a.b\"".into(), "\"\"".into())
        );
        assert_eq!(list(&[0.0, -9.81, 1e-7]), "[0.0, -9.81, 1e-7]");
        assert_eq!((around(0.2, 1.0), around(-3.0, 1.0)), ([-0.8, 1.2], [-6.0, 0.0]));
    }
}
