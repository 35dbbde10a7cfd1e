//! What can go wrong.

use std::path::PathBuf;

use carom::hybrid::SimError;
use carom::impact::ImpactError;
use carom_figure::FigureError;
use carom_report::ReportError;
use carom_scene::SceneError;
use thiserror::Error;

/// Why an experiment could not be computed or written.
#[derive(Debug, Error)]
pub enum Trouble {
    /// A scene of the experiment does not read.
    #[error("the scene of the experiment: {0}")]
    Scene(#[from] SceneError),
    /// An impact could not be resolved.
    #[error("an impact of the experiment: {0}")]
    Impact(#[from] ImpactError),
    /// A simulation failed.
    #[error("a run of the experiment: {0}")]
    Simulation(#[from] SimError),
    /// Something that the experiment looks for did not happen.
    #[error("{experiment}: {what} was not found in the result")]
    Absent {
        /// Which experiment.
        experiment: &'static str,
        /// What it looked for.
        what: String,
    },
    /// A figure could not be drawn.
    #[error("a figure of the experiment: {0}")]
    Figure(#[from] FigureError),
    /// The folder holds something else.
    #[error("{} exists and is no folder of `carom reproduce`", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// The disk or the folder refuses.
    #[error("{0}")]
    Disk(#[from] ReportError),
    /// A folder could not be made.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Trouble {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Scene(_) => {
                "a scene under experiments/ was changed; `carom check` tells more".into()
            }
            Self::Impact(error) => error.hint().to_string(),
            Self::Simulation(error) => error.hint().to_string(),
            Self::Absent { .. } => {
                "the mechanics changed; compare with the last version that passed".into()
            }
            Self::Figure(_) => "the figure is too large to be drawn as pixels".into(),
            Self::Disk(error) => error.hint().to_string(),
            Self::Foreign { .. } => "choose another folder with --out".into(),
            Self::Write { .. } => "choose a folder that can be written with --out".into(),
        }
    }
}
