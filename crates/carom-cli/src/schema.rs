//! `carom schema`: the JSON Schema of scenes, for editors.

use std::io::Write;
use std::process::ExitCode;

/// Print the schema.
pub fn run() -> ExitCode {
    // A closed pipe (`carom schema | head`) is no fault of ours.
    let text = format!("{:#}\n", carom_scene::schema());
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
