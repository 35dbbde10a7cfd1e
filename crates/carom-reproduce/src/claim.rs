//! What a source says, what we found, the verdict that follows, and why it is not "agrees".
//!
//! A verdict cannot be written down: it is a function of the [`Evidence`], which is computed. Neither can a source be
//! blamed by words alone: a [`Reason`] counts only if its check, computed as well, holds; otherwise the next one does,
//! and where none is left the matter is open.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::scan::{Scan, scanned};

/// Whether a source's statement holds in our computation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Why a statement does not simply agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The source errs, and a proof says so.
    Source,
    /// How we read or tested the text decides.
    Reading,
    /// True only for some values of what the text leaves open.
    SomeValues,
    /// Not known.
    Open,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Source, Self::Reading, Self::SomeValues, Self::Open];

    /// The words used on pages and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Source => "source in error",
            Self::Reading => "our reading",
            Self::SomeValues => "some values only",
            Self::Open => "open",
        }
    }

    /// A name for files and style sheets.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Reading => "reading",
            Self::SomeValues => "values",
            Self::Open => "open",
        }
    }
}

/// A possible cause with the words for it. It counts only if its check holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The cause.
    pub cause: Cause,
    /// The proof, the reading, or what was tried.
    pub words: String,
    /// Whether what the words rest on was found in the computation.
    pub holds: bool,
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
    /// A number that the text does not state, or only to some digits, was varied: the statement, tested at each value.
    /// Decided only if all give one answer.
    Scans(Vec<Scan>),
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
            Self::Readings(readings) => match unanimous(readings.iter().map(|(_, h)| *h)) {
                Some(holds) => decided(holds),
                None => Verdict::Undecidable { why: divided(readings) },
            },
            Self::Scans(scans) => match unanimous(scans.iter().flat_map(Scan::answers)) {
                Some(holds) => decided(holds),
                None => Verdict::Undecidable { why: scanned(scans) },
            },
            Self::Missing { why } => Verdict::Undecidable { why: why.clone() },
        }
    }
}

/// The one answer of all, if there is one.
fn unanimous(mut answers: impl Iterator<Item = bool>) -> Option<bool> {
    let first = answers.next()?;
    answers.all(|a| a == first).then_some(first)
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
    /// Whether carom says it of itself: no source does.
    pub own: bool,
    /// Possible causes, the first that holds counts.
    pub reasons: Vec<Reason>,
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
        Self {
            place: place.into(),
            statement: statement.into(),
            found: found.into(),
            evidence,
            own: false,
            reasons: Vec::new(),
        }
    }

    /// Says that carom claims this of itself.
    pub fn own(self) -> Self {
        Self { own: true, ..self }
    }

    /// The source errs, by this proof, whose check was computed.
    pub fn source_errs(self, proof: impl Into<String>, check: bool) -> Self {
        self.because(Cause::Source, proof, check)
    }

    /// Our way to read or to test the text decides, and how.
    pub fn our_reading(self, words: impl Into<String>) -> Self {
        self.because(Cause::Reading, words, true)
    }

    /// True only for some values of what is unstated, shown by this check.
    pub fn some_values(self, words: impl Into<String>, check: bool) -> Self {
        self.because(Cause::SomeValues, words, check)
    }

    /// Nobody knows; what was tried.
    pub fn open(self, tried: impl Into<String>) -> Self {
        self.because(Cause::Open, tried, true)
    }

    /// One more possible cause.
    pub fn because(mut self, cause: Cause, words: impl Into<String>, holds: bool) -> Self {
        self.reasons.push(Reason { cause, words: words.into(), holds });
        self
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.evidence.verdict()
    }

    /// Why it is not "agrees": the first reason whose check holds; then what the evidence itself tells. Where values or
    /// readings divide, nothing is open: they are the cause.
    pub fn cause(&self) -> Option<(Cause, String)> {
        let verdict = self.verdict();
        if verdict == Verdict::Agrees {
            return None;
        }
        let divided =
            verdict != Verdict::Differs && !matches!(self.evidence, Evidence::Missing { .. });
        let counts = |r: &&Reason| r.holds && !(divided && r.cause == Cause::Open);
        let reason = self.reasons.iter().find(counts);
        Some(match (reason, &self.evidence) {
            (Some(r), _) => (r.cause, r.words.clone()),
            (None, Evidence::Readings(all)) if divided && !all.is_empty() => {
                (Cause::SomeValues, "The text does not say which reading it means.".into())
            }
            (None, Evidence::Scans(scans)) if divided => {
                let name = scans.first().map_or("it", |s| s.parameter.as_str());
                (Cause::SomeValues, format!("The text does not fix the value of {name}."))
            }
            (None, Evidence::Missing { .. }) => {
                (Cause::Open, "The text gives nothing to compare with.".into())
            }
            (None, _) => (Cause::Open, String::new()),
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} [{}]: {} — {}",
            self.verdict().word(),
            self.place,
            self.statement,
            self.found
        )?;
        match self.cause() {
            Some((cause, words)) => write!(f, " ({}: {words})", cause.word()),
            None => Ok(()),
        }
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

    #[test]
    fn a_scan_is_decided_only_by_all_values() {
        let scan = |holds: [bool; 3]| {
            let at = [0.4, 0.5, 0.6].into_iter().zip(holds);
            let scans = vec![Scan::new("", "e", "", at)];
            Claim::new("4.2", "It settles.", Evidence::Scans(scans), "")
        };
        assert_eq!(scan([true; 3]).verdict(), Verdict::Agrees);
        assert_eq!(scan([false; 3]).verdict(), Verdict::Differs);
        let divided = scan([true, true, false]);
        let why = "holds for e = 0.4 to 0.5; fails for e = 0.6".to_string();
        assert_eq!(divided.verdict(), Verdict::Undecidable { why });
        assert_eq!(divided.cause().map(|(c, _)| c), Some(Cause::SomeValues));
        assert!(scan([true; 3]).cause().is_none());
    }

    #[test]
    fn a_source_is_blamed_only_if_the_proof_was_checked() {
        let claim = |check| {
            Claim::test("1", "x", false, "").source_errs("because", check).open("tried a, b")
        };
        assert_eq!(claim(true).cause(), Some((Cause::Source, "because".into())));
        assert_eq!(claim(false).cause(), Some((Cause::Open, "tried a, b".into())));
        assert_eq!(Claim::test("1", "x", true, "").source_errs("y", true).cause(), None);
        assert_eq!(Claim::test("1", "x", false, "").cause(), Some((Cause::Open, String::new())));
    }
}
