//! The scenes of the experiments, as text.

use carom_scene::Scene;

use crate::error::Trouble;

/// A scene file under `experiments/`, carried by the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneText {
    /// Path in the repository.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl SceneText {
    /// Reads it with overrides `path=value`.
    pub fn read<S: AsRef<str>>(&self, overrides: &[S]) -> Result<Scene, Trouble> {
        Ok(Scene::parse_with(self.text, self.name, overrides)?)
    }
}

/// Appendix A.
pub const MASS_SPRING_FRICTION: SceneText = SceneText {
    name: "experiments/flickinger/mass_spring_friction.toml",
    text: include_str!("../../../../experiments/flickinger/mass_spring_friction.toml"),
};

/// Section 2.3.
pub const DOUBLE_PENDULUM: SceneText = SceneText {
    name: "experiments/flickinger/double_pendulum.toml",
    text: include_str!("../../../../experiments/flickinger/double_pendulum.toml"),
};

/// Section 2.4 with elliptical wheels, and the 2009 paper.
pub const BICYCLE_ELLIPSE: SceneText = SceneText {
    name: "experiments/flickinger/bicycle_ellipse.toml",
    text: include_str!("../../../../experiments/flickinger/bicycle_ellipse.toml"),
};

/// Section 2.4 with round wheels.
pub const BICYCLE_ROUND: SceneText = SceneText {
    name: "experiments/flickinger/bicycle_round.toml",
    text: include_str!("../../../../experiments/flickinger/bicycle_round.toml"),
};
