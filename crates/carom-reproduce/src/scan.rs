//! A statement tested over the values of something that the text does not state.

use crate::show::power;

/// Values below this are written as powers of ten.
const SMALL: f64 = 1e-3;

/// One number varied: at which values a statement holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// Under which reading of everything else; may be empty.
    pub reading: String,
    /// What was varied: `e`, `slope`.
    pub parameter: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Values in rising order, and whether the statement holds there.
    pub at: Vec<(f64, bool)>,
}

impl Scan {
    /// A scan; values are put in order.
    pub fn new(
        reading: impl Into<String>,
        parameter: impl Into<String>,
        unit: impl Into<String>,
        at: impl IntoIterator<Item = (f64, bool)>,
    ) -> Self {
        let mut at: Vec<(f64, bool)> = at.into_iter().collect();
        at.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { reading: reading.into(), parameter: parameter.into(), unit: unit.into(), at }
    }

    /// Whether the statement holds, value by value.
    pub fn answers(&self) -> impl Iterator<Item = bool> + '_ {
        self.at.iter().map(|(_, holds)| *holds)
    }

    /// Values at which it holds, or fails: neighbours as ranges, `0.4 to 0.5, 0.9`.
    pub fn values(&self, wanted: bool) -> String {
        let mut runs: Vec<[f64; 2]> = Vec::new();
        let mut open = false;
        for (value, holds) in &self.at {
            match runs.last_mut() {
                _ if *holds != wanted => open = false,
                Some(run) if open => run[1] = *value,
                _ => {
                    runs.push([*value; 2]);
                    open = true;
                }
            }
        }
        let unit = match self.unit.as_str() {
            "" => String::new(),
            "°" => "°".into(),
            unit => format!(" {unit}"),
        };
        let word = |[a, b]: &[f64; 2]| match a == b {
            true => format!("{}{unit}", number(*a)),
            false => format!("{} to {}{unit}", number(*a), number(*b)),
        };
        runs.iter().map(word).collect::<Vec<_>>().join(", ")
    }

    /// Where it holds and where it fails, in words.
    pub fn words(&self) -> String {
        let part = |verb: &str, wanted: bool| {
            let values = self.values(wanted);
            (!values.is_empty()).then(|| format!("{verb} for {} = {values}", self.parameter))
        };
        let parts: Vec<_> =
            [part("holds", true), part("fails", false)].into_iter().flatten().collect();
        match self.reading.is_empty() {
            true => parts.join("; "),
            false => format!("{}: {}", self.reading, parts.join("; ")),
        }
    }
}

/// All scans in words.
pub fn scanned(scans: &[Scan]) -> String {
    match scans.iter().all(|s| s.at.is_empty()) {
        true => "no value could be computed".into(),
        false => scans.iter().map(Scan::words).collect::<Vec<_>>().join(". "),
    }
}

/// A value without digits that only round-off has; small ones as powers of ten.
fn number(x: f64) -> String {
    if x != 0.0 && x.abs() < SMALL {
        return power(x);
    }
    let text = format!("{:.6}", x);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_ranges() {
        let at = [(0.3, true), (0.1, true), (0.1 + 0.1, true), (0.4, false), (0.5, true)];
        let scan = Scan::new("flat", "e", "", at);
        assert_eq!(scan.values(true), "0.1 to 0.3, 0.5");
        assert_eq!(scan.words(), "flat: holds for e = 0.1 to 0.3, 0.5; fails for e = 0.4");
        let slope = Scan::new("", "slope", "°", [(5.0, false), (-5.0, false)]);
        assert_eq!(scanned(&[slope]), "fails for slope = −5 to 5°");
        let tiny = Scan::new("", "share", "", [(1e-9, false), (1e-8, true), (0.1, true)]);
        assert_eq!(tiny.words(), "holds for share = 1.0·10⁻⁸ to 0.1; fails for share = 1.0·10⁻⁹");
        assert_eq!(scanned(&[]), "no value could be computed");
    }
}
