//! Names of parts by number.

/// A body of a model, in the order of building; parents come before children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) usize);

/// A contact feature of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub(crate) usize);

/// A pair of features that may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(pub(crate) usize);

impl BodyId {
    /// Position in [`Model::bodies`](super::Model::bodies).
    pub fn index(self) -> usize {
        self.0
    }
}

impl FeatureId {
    /// Position in [`Model::features`](super::Model::features).
    pub fn index(self) -> usize {
        self.0
    }
}

impl PairId {
    /// Position in [`Model::pairs`](super::Model::pairs).
    pub fn index(self) -> usize {
        self.0
    }
}
