//! `carom new`: a scene to start from, with comments.

use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::plain;

use crate::args::NewArgs;
use crate::exit;
use crate::job::quoted;

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
    // Commands are to be copied from there, whatever the name: quoted for a shell, on one line.
    let text =
        SCENE.replace("NAME.toml", &quoted(&plain(&format!("{stem}.toml")).replace('\n', " ")));
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
    match file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
        Ok(()) => {
            let (shown, word) = (path.display(), quoted(&path.display().to_string()));
            exit::say(format_args!("{shown}: now `carom run {word}` or `carom view {word}`"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            let message = format!("cannot write `{}`: {error}", path.display());
            exit::fail(&message, "give another name; nothing is overwritten")
        }
    }
}
