//! The same questions without a terminal: words of the command line in, JSON out.

use std::sync::atomic::AtomicBool;

use carom_scene::Scene;
use clap::Parser;
use serde_json::Value;

use super::refusal::Refusal;
use super::{capability, optimize};
use crate::args::{Cli, Command};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// `carom capability`.
    Capability,
    /// `carom optimize`.
    Optimize,
}

/// What `carom capability SCENE --json` or `carom optimize SCENE --json` with these words prints, for a scene at hand.
/// A search ends early once `stop` is set.
pub fn answer(
    question: Question,
    scene: &Scene,
    words: &[String],
    stop: &AtomicBool,
) -> Result<Value, Refusal> {
    let command = match question {
        Question::Capability => "capability",
        Question::Optimize => "optimize",
    };
    let start = ["carom", command, "scene", "--json", "--quiet"].map(String::from);
    let cli = Cli::try_parse_from(start.iter().chain(words));
    let told = |error: clap::Error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Refusal::new(
            first,
            "`carom capability --help` and `carom optimize --help` tell what may be asked",
        )
    };
    match cli.map_err(told)?.command {
        Command::Capability(args) => capability::value(scene, &args),
        Command::Optimize(args) => optimize::value(scene, &args, stop),
        _ => Err(Refusal::new(
            "this is no question about agility",
            "ask for a capability or a posture",
        )),
    }
}
