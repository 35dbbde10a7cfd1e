//! What damage is let pass.

use crate::error::ReportError;

/// Decides about each damage that a reader meets.
#[derive(Debug, Default)]
pub(crate) struct Care {
    /// What was let pass; none if nothing is.
    passed: Option<Vec<ReportError>>,
}

impl Care {
    /// The first damage is an error.
    pub fn strict() -> Self {
        Self::default()
    }

    /// Damage is noted, and what can still be read is read.
    pub fn lenient() -> Self {
        Self { passed: Some(Vec::new()) }
    }

    /// Meets a damage.
    pub fn meet(&mut self, damage: ReportError) -> Result<(), ReportError> {
        match &mut self.passed {
            None => Err(damage),
            Some(passed) => {
                passed.push(damage);
                Ok(())
            }
        }
    }

    /// Meets what a check found.
    pub fn check(&mut self, found: Result<(), ReportError>) -> Result<(), ReportError> {
        found.or_else(|damage| self.meet(damage))
    }

    /// What was let pass.
    pub fn passed(self) -> Vec<ReportError> {
        self.passed.unwrap_or_default()
    }
}
