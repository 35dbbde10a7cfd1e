//! The scene that a command takes.

use std::path::PathBuf;

use clap::Args;

/// A scene and changes to it.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Scene (TOML) or robot description (.urdf, or MJCF .xml)
    pub file: PathBuf,
    /// Change a value before the scene is read, for example body.ball.mass=0.2
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
}
