//! Why there is no jump.

use carom::impact::ImpactError;
use carom_agility::JumpStartError;
use thiserror::Error;

/// Why a jump cannot even start.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StudyError {
    /// There is no posture.
    #[error(transparent)]
    Start(#[from] JumpStartError),
    /// There is no such law.
    #[error(transparent)]
    Law(#[from] ImpactError),
}

impl StudyError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Start(error) => error.hint(),
            Self::Law(error) => error.hint(),
        }
    }
}
