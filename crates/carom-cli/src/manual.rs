//! `carom completions` and `carom man`: what shells and readers of manuals want, from the command line itself.

use std::path::Path;
use std::process::ExitCode;

use carom_report::ReportError;
use carom_report::run::disk::replace;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit;

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "carom", &mut script);
    exit::print_all(&String::from_utf8_lossy(&script))
}

/// Prints the manual page, or writes the pages of all commands.
pub fn man(args: &ManArgs) -> ExitCode {
    let Some(folder) = &args.out else {
        return exit::print_all(&page(Cli::command()));
    };
    match write(folder) {
        Ok(names) => exit::print_all(&names),
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// A page in the language of manuals. What is missing on memory is missing nowhere else.
fn page(command: clap::Command) -> String {
    let mut text = Vec::new();
    let _ = Man::new(command).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes `carom.1` and `carom-COMMAND.1`; gives their names, one a line.
fn write(folder: &Path) -> Result<String, ReportError> {
    std::fs::create_dir_all(folder).map_err(ReportError::io("create", folder))?;
    let mut whole = Cli::command();
    whole.build();
    let parts = whole.get_subcommands().filter(|part| part.get_name() != "help");
    let parts = parts.map(|part| (format!("carom-{}", part.get_name()), part.clone()));
    let all: Vec<(String, clap::Command)> =
        std::iter::once(("carom".to_string(), Cli::command())).chain(parts).collect();
    let mut names = String::new();
    for (name, command) in all {
        let path = folder.join(format!("{name}.1"));
        replace(&path, page(command).as_bytes())?;
        names.push_str(&format!("{}\n", path.display()));
    }
    Ok(names)
}
