//! `carom new`: a scene to start from, with comments.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::args::NewArgs;
use crate::exit;

/// The scene that is written.
const SCENE: &str = include_str!("new.toml");

/// Writes `NAME.toml`; never over another file.
pub fn run(args: &NewArgs) -> ExitCode {
    if args.name.trim_end_matches(".toml").is_empty() || args.name.ends_with('/') {
        return exit::fail("a scene needs a name", "for example `carom new first`");
    }
    let path = match args.name.ends_with(".toml") {
        true => PathBuf::from(&args.name),
        false => PathBuf::from(format!("{}.toml", args.name)),
    };
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let text = SCENE.replace("NAME.toml", &format!("{stem}.toml"));
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
    match file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
        Ok(()) => {
            let shown = path.display();
            exit::say(format_args!("{shown}: now `carom run {shown}` or `carom view {shown}`"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            let message = format!("cannot write `{}`: {error}", path.display());
            exit::fail(&message, "give another name; nothing is overwritten")
        }
    }
}
