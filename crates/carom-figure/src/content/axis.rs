//! An axis: quantity, unit, range.

use crate::numbers::scale::Extent;
use crate::numbers::ticks::superscript;

/// A quantity on an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) log: bool,
    pub(crate) range: Option<[f64; 2]>,
    pub(crate) include: Vec<f64>,
    pub(crate) margin: Option<f64>,
}

impl Axis {
    /// A quantity with its unit; an empty unit is a pure number.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), ..Self::default() }
    }

    /// Logarithmic.
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// With a fixed range.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        if low < high && (!self.log || low > 0.0) {
            self.range = Some([low, high]);
        }
        self
    }

    /// With a range that holds this number.
    pub fn include(mut self, x: f64) -> Self {
        self.include.push(x);
        self
    }

    /// With this part of the range added on both sides of the data.
    pub fn margin(mut self, margin: f64) -> Self {
        self.margin = Some(margin.max(0.0));
        self
    }

    /// The label: quantity / unit, with the power of ten that the ticks share.
    pub(crate) fn label(&self, power: i32) -> String {
        let factor = if power == 0 { String::new() } else { format!("10{}", superscript(power)) };
        match (self.unit.is_empty(), power) {
            (true, 0) => self.name.clone(),
            (true, _) => format!("{} / {factor}", self.name),
            (false, 0) if self.unit.contains(['/', '·', ' ']) => {
                format!("{} / ({})", self.name, self.unit)
            }
            (false, 0) => format!("{} / {}", self.name, self.unit),
            (false, _) => format!("{} / ({factor} {})", self.name, self.unit),
        }
    }

    /// The range for some numbers.
    pub(crate) fn range_of(&self, mut extent: Extent, margin: f64) -> [f64; 2] {
        extent.add_all(&self.include, self.log);
        self.range.unwrap_or_else(|| extent.range(self.margin.unwrap_or(margin), self.log))
    }
}

impl<N: Into<String>, U: Into<String>> From<(N, U)> for Axis {
    fn from((name, unit): (N, U)) -> Self {
        Self::new(name, unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_name_quantity_and_unit() {
        assert_eq!(Axis::new("t", "s").label(0), "t / s");
        assert_eq!(Axis::new("speed", "m/s").label(0), "speed / (m/s)");
        assert_eq!(Axis::new("gap", "m").label(-6), "gap / (10⁻⁶ m)");
        assert_eq!(Axis::new("μ", "").label(0), "μ");
        assert_eq!(Axis::new("condition", "").label(6), "condition / 10⁶");
    }
}
