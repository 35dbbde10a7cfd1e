//! A question without an answer, as users see it.

use std::process::ExitCode;

use carom_agility::AgilityError;

use crate::exit;

/// What is wrong and what to do.
#[derive(Debug)]
pub struct Refusal {
    message: String,
    hint: String,
    code: u8,
}

impl Refusal {
    /// Bad input.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), code: exit::FAILED }
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

    /// Says it and gives the exit code.
    pub fn report(&self) -> ExitCode {
        exit::fail(&self.message, &self.hint);
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
        Self { message: error.to_string(), hint: error.hint().to_string(), code }
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::new(format!("cannot write: {error}"), "choose another folder with --out")
    }
}

impl From<carom_figure::FigureError> for Refusal {
    fn from(error: carom_figure::FigureError) -> Self {
        Self::new(error.to_string(), "leave --out away to have the numbers only")
    }
}
