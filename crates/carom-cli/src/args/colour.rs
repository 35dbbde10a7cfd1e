//! Whether there are colours.

use std::ffi::OsString;

use clap::ValueEnum;

use crate::exit::Color;

/// What `--color` says among the arguments; `auto` if nothing, or nothing that is understood, in which case the fault
/// is found when all arguments are read.
pub fn colour_of(args: impl IntoIterator<Item = OsString>) -> Color {
    let mut found = Color::default();
    let mut args = args.into_iter().map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        let word = match arg.strip_prefix("--color") {
            // What follows `--` is no option.
            _ if arg == "--" => break,
            Some("") => args.next(),
            Some(rest) => rest.strip_prefix('=').map(String::from),
            None => None,
        };
        found = word.and_then(|word| Color::from_str(&word, false).ok()).unwrap_or(found);
    }
    found
}

impl From<Color> for clap::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_found_anywhere() {
        let of = |args: &[&str]| colour_of(args.iter().map(OsString::from));
        assert_eq!(of(&["carom", "run", "a.toml"]), Color::Auto);
        assert_eq!(of(&["carom", "--color", "never", "run"]), Color::Never);
        assert_eq!(of(&["carom", "run", "--color=always"]), Color::Always);
        assert_eq!(of(&["carom", "--color", "pink"]), Color::Auto);
        assert_eq!(of(&["carom", "run", "--", "--color=always"]), Color::Auto);
        assert_eq!(of(&["carom", "--colorful=always"]), Color::Auto);
    }
}
