//! Pictures of a dataset.

use std::process::ExitCode;

use carom_study::StudyError;

use crate::args::StudyPlotArgs;

/// `carom study plot`.
pub fn run(args: &StudyPlotArgs) -> Result<ExitCode, StudyError> {
    let _ = args;
    Ok(ExitCode::SUCCESS)
}
