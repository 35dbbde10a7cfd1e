//! Runs whose process was killed: brought back before they are read, and said so.

use std::path::Path;

use carom_report::recover;

/// Completes the folder of a run that was killed and tells what came back. What cannot be completed
/// is told by whoever reads the folder next.
pub fn salvage(run: &Path) {
    if let Ok(Some(found)) = recover(run) {
        eprintln!("note: {found}");
    }
}
