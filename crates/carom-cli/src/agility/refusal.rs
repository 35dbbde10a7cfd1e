//! A question without an answer, as users see it.

use std::process::ExitCode;

use carom_agility::AgilityError;
use carom_report::ReportError;

use crate::exit;

/// What is wrong and what to do.
#[derive(Debug)]
pub struct Refusal {
    /// Message and hint; none if they were told already.
    words: Option<(String, String)>,
    code: u8,
}

impl Refusal {
    /// Bad input.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { words: Some((message.into(), hint.into())), code: exit::FAILED }
    }

    /// An error that was told already.
    pub fn told(_: ExitCode) -> Self {
        Self { words: None, code: exit::FAILED }
    }

    /// A name that is not there, with those that are.
    pub fn unknown(what: &str, name: &str, known: &[String]) -> Self {
        let list = match known.len() {
            0 => "there is none".to_string(),
            1..=12 => format!("there are {}", known.join(", ")),
            n => format!("there are {} and {} more", known[..12].join(", "), n - 12),
        };
        Self::new(format!("no {what} is called `{name}`"), list)
    }

    /// What is wrong and what to do.
    pub fn words(&self) -> (&str, &str) {
        self.words.as_ref().map_or(("", ""), |(message, hint)| (message, hint))
    }

    /// Says it and gives the exit code.
    pub fn report(&self) -> ExitCode {
        if let Some((message, hint)) = &self.words {
            exit::fail(message, hint);
        }
        ExitCode::from(self.code)
    }
}

impl From<AgilityError> for Refusal {
    fn from(error: AgilityError) -> Self {
        // The input is sound, but the mechanism cannot do it.
        let mechanics = matches!(
            error,
            AgilityError::Powerless { .. }
                | AgilityError::OutOfReach { .. }
                | AgilityError::NoPosture { .. }
                | AgilityError::Contradiction { .. }
        );
        let code = if mechanics { exit::STOPPED } else { exit::FAILED };
        Self { words: Some((error.to_string(), error.hint().to_string())), code }
    }
}

impl From<ReportError> for Refusal {
    fn from(error: ReportError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<carom_figure::FigureError> for Refusal {
    fn from(error: carom_figure::FigureError) -> Self {
        Self::new(error.to_string(), "leave --out away to have the numbers only")
    }
}
