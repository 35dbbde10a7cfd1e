//! What a source says, what we found, and the verdict that follows.
//!
//! A verdict cannot be written down: it is a function of the [`Evidence`], which is computed.

use std::fmt;

/// Whether a source's statement holds in our computation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Agrees,
    /// It does not.
    Differs,
    /// The text does not say enough to tell.
    Undecidable {
        /// What is missing or contradictory.
        why: String,
    },
}

impl Verdict {
    /// The word used on pages and in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Undecidable { .. } => "not decidable",
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// The statement, tested on our numbers.
    Test(bool),
    /// A published number beside ours: agrees if they differ by at most `tolerance`.
    Number {
        /// The published one.
        published: f64,
        /// Ours.
        ours: f64,
        /// Half a unit of the last digit that the source states, or what its wording allows.
        tolerance: f64,
    },
    /// The text can be read in several ways: the statement, tested under each. Decided only if all give one answer.
    Readings(Vec<(String, bool)>),
    /// The text lacks what a test would need.
    Missing {
        /// What it lacks.
        why: String,
    },
}

impl Evidence {
    /// The verdict that follows.
    pub fn verdict(&self) -> Verdict {
        let decided = |holds: bool| if holds { Verdict::Agrees } else { Verdict::Differs };
        match self {
            Self::Test(holds) => decided(*holds),
            Self::Number { published, ours, tolerance } => {
                decided((published - ours).abs() <= *tolerance)
            }
            Self::Readings(readings) => match readings.first() {
                Some((_, first)) if readings.iter().all(|(_, holds)| holds == first) => {
                    decided(*first)
                }
                _ => Verdict::Undecidable { why: divided(readings) },
            },
            Self::Missing { why } => Verdict::Undecidable { why: why.clone() },
        }
    }
}

fn divided(readings: &[(String, bool)]) -> String {
    let names = |wanted: bool| {
        let names: Vec<_> = readings
            .iter()
            .filter(|(_, holds)| *holds == wanted)
            .map(|(n, _)| n.as_str())
            .collect();
        names.join("; ")
    };
    match readings.is_empty() {
        true => "no reading of the text could be computed".into(),
        false => format!("holds under: {}. Fails under: {}", names(true), names(false)),
    }
}

/// One statement of a source beside what we found.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Where the source says it: section, figure or table.
    pub place: String,
    /// What it says, in our words.
    pub statement: String,
    /// What we found, with numbers.
    pub found: String,
    /// What the verdict rests on.
    pub evidence: Evidence,
}

impl Claim {
    /// A claim that was tested.
    pub fn test(
        place: impl Into<String>,
        statement: impl Into<String>,
        holds: bool,
        found: impl Into<String>,
    ) -> Self {
        Self::new(place, statement, Evidence::Test(holds), found)
    }

    /// A claim with its evidence.
    pub fn new(
        place: impl Into<String>,
        statement: impl Into<String>,
        evidence: Evidence,
        found: impl Into<String>,
    ) -> Self {
        Self { place: place.into(), statement: statement.into(), found: found.into(), evidence }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.evidence.verdict()
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]: {} — {}", self.verdict().word(), self.place, self.statement, self.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_from_evidence() {
        assert_eq!(Evidence::Test(true).verdict(), Verdict::Agrees);
        assert_eq!(Evidence::Test(false).verdict(), Verdict::Differs);
        let number = |ours| Evidence::Number { published: 0.45, ours, tolerance: 0.005 }.verdict();
        assert_eq!(number(0.4545), Verdict::Agrees);
        assert_eq!(number(0.4561), Verdict::Differs);
        assert_eq!(number(f64::NAN), Verdict::Differs);
    }

    #[test]
    fn readings_must_be_of_one_mind() {
        let readings = |holds: &[bool]| {
            let all = holds.iter().enumerate().map(|(i, h)| (format!("reading {i}"), *h));
            Evidence::Readings(all.collect()).verdict()
        };
        assert_eq!(readings(&[true, true]), Verdict::Agrees);
        assert_eq!(readings(&[false, false]), Verdict::Differs);
        let Verdict::Undecidable { why } = readings(&[true, false]) else { panic!() };
        assert_eq!(why, "holds under: reading 0. Fails under: reading 1");
        assert!(matches!(readings(&[]), Verdict::Undecidable { .. }));
        let missing = Evidence::Missing { why: "no scale".into() };
        assert_eq!(missing.verdict(), Verdict::Undecidable { why: "no scale".into() });
    }
}
