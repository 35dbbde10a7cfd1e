//! Arguments.

use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Rigid bodies that hit, rebound, stick, slip and roll.
#[derive(Debug, Parser)]
#[command(name = "carom", version)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read a scene or a robot description and print what was understood.
    Check(SceneArgs),
    /// Print the JSON Schema of scenes.
    Schema,
}

/// A scene and changes to it.
#[derive(Debug, clap::Args)]
pub struct SceneArgs {
    /// Scene (TOML) or robot description (.urdf).
    pub file: PathBuf,
    /// Change a value before the scene is read, for example body.ball.mass=0.2.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
}
