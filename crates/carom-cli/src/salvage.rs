//! Runs whose process was killed: brought back before they are read, and said so.

use std::path::Path;
use std::process::ExitCode;

use carom_report::{Account, ReportError, recover};

use crate::args::DamageArgs;
use crate::exit;

/// Completes the folder of a run that was killed and tells what came back. What cannot be completed
/// is told by whoever reads the folder next.
pub fn salvage(run: &Path) {
    if let Ok(Some(found)) = recover(run) {
        exit::say(format_args!("note: {found}"));
    }
}

/// Tells what is damaged in a run of which the rest is shown all the same.
pub fn regret(damage: &[ReportError]) {
    for fault in damage {
        exit::say(format_args!("warning: {fault}"));
    }
}

/// A run on disk that is to be shown as it is: brought back if need be, and never changed. Messages
/// are printed already if there is none.
pub fn account(run: &Path, overrides: &[String], care: DamageArgs) -> Result<Account, ExitCode> {
    if let Some(change) = overrides.first() {
        let message = format!("`--set {change}` cannot change a run that is done");
        let hint = "give the scene instead of the run, or `carom run` it again";
        return Err(exit::fail(&message, hint));
    }
    salvage(run);
    load(run, care).map_err(|error| exit::fail(&error.to_string(), error.hint()))
}

/// Reads a run; if damage may pass, it is told.
pub fn load(run: &Path, care: DamageArgs) -> Result<Account, ReportError> {
    if !care.damaged {
        return Account::load(run);
    }
    let (account, damage) = Account::load_damaged(run)?;
    regret(&damage);
    Ok(account)
}
