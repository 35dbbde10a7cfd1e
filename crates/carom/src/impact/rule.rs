//! The user's choice for several contacts, around any law.
//!
//! Two questions have one answer each: do touching contacts take part, and which of several approaching contacts goes
//! first? *Together*: they do, and all at once, as the law itself has it. *Sequential*: they wait until they approach,
//! and the most approaching contact goes first, see [`sequence`](super::sequence). The result names what was done:
//! [`ImpactSolution::rule`](super::ImpactSolution).
//!
//! # Tests
//! `tests/sequence.rs`: `rule_is_chosen_by_the_user`.

use super::contact_space::ContactSpace;
use super::error::ImpactError;
use super::law::{ImpactLaw, Promises};
use super::sequence::Sequence;
use super::solution::ImpactSolution;
use super::workspace::ImpactWorkspace;

/// How several contacts are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SeveralContacts {
    /// All contacts that touch take part at once.
    #[default]
    Together,
    /// One impact after another, most approaching first.
    Sequential,
}

impl SeveralContacts {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::Together, Self::Sequential];

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Together => "together",
            Self::Sequential => "sequential",
        }
    }
}

/// A law with a rule for several contacts chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithRule<L> {
    /// The law, with the limit of impacts that the sequential rule uses.
    pub sequence: Sequence<L>,
    /// The rule.
    pub several: SeveralContacts,
}

impl<L> WithRule<L> {
    /// The law under a rule, with the default limit of impacts.
    pub fn new(law: L, several: SeveralContacts) -> Self {
        Self { sequence: Sequence::new(law), several }
    }
}

impl<L: ImpactLaw> ImpactLaw for WithRule<L> {
    fn name(&self) -> &'static str {
        self.sequence.law.name()
    }

    fn promises(&self) -> Promises {
        self.sequence.law.promises()
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        match self.several {
            SeveralContacts::Together => self.sequence.law.resolve(space, work, out),
            SeveralContacts::Sequential => self.sequence.resolve(space, work, out),
        }
    }
}
