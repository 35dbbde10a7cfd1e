//! Scratch of all laws, sized once and reused.
//!
//! Each law owns one field, whose type is defined beside the law, so that two laws never share a buffer.

use super::brach::BrachScratch;
use super::compliant::CompliantScratch;
use super::differential::DifferentialScratch;
use super::mode_search::ModeSearch;
use super::newton::FrictionScratch;
use super::reduction::Reduction;
use super::restitution_matrix::MatrixScratch;
use super::sequence::SequenceScratch;

/// Scratch memory for impacts; make one per thread and keep it.
#[derive(Debug, Default)]
pub struct ImpactWorkspace {
    /// Used by [`ImpactLaw::resolve_problem`](super::ImpactLaw::resolve_problem).
    pub(crate) reduction: Reduction,
    /// Contact problem with friction: Newton, Poisson, restitution matrix.
    pub(crate) friction: FrictionScratch,
    /// Enumeration of modes: Whittaker, Brach, constraint.
    pub(crate) modes: ModeSearch,
    /// No-slip trial of the restitution matrix.
    pub(crate) matrix: MatrixScratch,
    /// Zero-loss ratio of Brach.
    pub(crate) brach: BrachScratch,
    /// Masses, springs and paths of the compliant law.
    pub(crate) compliant: CompliantScratch,
    pub(crate) differential: DifferentialScratch,
    pub(crate) sequence: SequenceScratch,
}

impl ImpactWorkspace {
    /// An empty workspace; buffers grow at the first use.
    pub fn new() -> Self {
        Self::default()
    }
}
