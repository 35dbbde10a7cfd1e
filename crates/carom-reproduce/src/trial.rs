//! One simulated scene with its time.

use std::time::Instant;

use carom::hybrid::Run;
use carom_scene::Scene;

use crate::error::Trouble;

/// A scene, its run in memory, and how long the run took.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The scene as it was run.
    pub scene: Scene,
    /// The run.
    pub run: Run,
    /// Wall time of the simulation alone, s.
    pub seconds: f64,
}

impl Trial {
    /// Reads a scene from its text with overrides `path=value` (see `carom run --set`) and runs it to its end.
    pub fn run<S: AsRef<str>>(text: &str, name: &str, overrides: &[S]) -> Result<Self, Trouble> {
        let scene = Scene::parse_with(text, name, overrides)?;
        let simulation = scene.simulation()?;
        let start = Instant::now();
        let result = simulation.run_until(scene.options.solver.until);
        let seconds = start.elapsed().as_secs_f64();
        let run = result.map_err(|failure| failure.0)?;
        Ok(Self { scene, run, seconds })
    }
}
