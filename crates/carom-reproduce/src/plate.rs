//! A figure of an experiment, with its name on disk.

use carom_figure::Figure;

/// A figure in the form of a published one.
#[derive(Debug, Clone, PartialEq)]
pub struct Plate {
    /// Name of the files without their ending.
    pub name: String,
    /// What it stands for: `figure 2.6`, or empty.
    pub stands_for: String,
    /// The figure, with heading and caption.
    pub figure: Figure,
}
