//! `carom schema`: the JSON Schema of scenes, for editors.

use std::process::ExitCode;

use crate::exit;

/// Print the schema.
pub fn run() -> ExitCode {
    exit::print_all(&format!("{:#}\n", carom_scene::schema()))
}
