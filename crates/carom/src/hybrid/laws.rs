//! The impact laws of a run: one for the scene, others for single pairs.
//!
//! # Rule
//! An event is resolved by one law. The colliding contacts choose it:
//! - all of one law: that law, for the touching contacts too, which have no restitution of their own;
//! - of different laws: the law of the scene, for all of them.
//!
//! Pairs that were given a law together have one law; given each its own, they have different ones,
//! even if these are alike.
//!
//! Joint limits have the law of the scene.
//!
//! # Limits
//! In a sequence of impacts at one instant (the sequential rule) the law chosen at its beginning
//! holds to its end.
//!
//! # Tests
//! `tests/pair_laws.rs`: `a_pair_has_its_own_law`, `different_laws_give_way_to_that_of_the_scene`,
//! `pairs_that_share_a_law_have_one`.

use crate::impact::{ContactSpace, ImpactLaw};
use crate::model::PairId;

/// A law for every pair.
pub(crate) struct Laws<'a> {
    scene: Box<dyn ImpactLaw + 'a>,
    shared: Vec<Box<dyn ImpactLaw + 'a>>,
    /// Which of them a pair has, by the number of the pair.
    pairs: Vec<Option<usize>>,
}

impl<'a> Laws<'a> {
    /// One law for all.
    pub fn new(scene: Box<dyn ImpactLaw + 'a>) -> Self {
        Self { scene, shared: Vec::new(), pairs: Vec::new() }
    }

    /// Gives pairs a law that they share, instead of earlier ones.
    pub fn set(&mut self, pairs: &[PairId], law: Box<dyn ImpactLaw + 'a>) {
        for pair in pairs.iter().map(|pair| pair.index()) {
            if self.pairs.len() <= pair {
                self.pairs.resize(pair + 1, None);
            }
            self.pairs[pair] = Some(self.shared.len());
        }
        self.shared.push(law);
    }

    /// Whether some law takes energy away after its impacts, so that those of elastic contacts are a series that ends.
    pub fn attenuate(&self) -> bool {
        let takes = |law: &dyn ImpactLaw| law.attenuated().is_some_and(|(_, limit)| limit < 1.0);
        takes(self.scene.as_ref()) || self.shared.iter().any(|law| takes(law.as_ref()))
    }

    /// The law of an event; `pair_of` tells the pair of a contact of the space.
    pub fn choose(
        &self,
        space: &ContactSpace,
        pair_of: impl Fn(usize) -> Option<PairId>,
    ) -> &(dyn ImpactLaw + 'a) {
        if self.pairs.is_empty() {
            return self.scene.as_ref();
        }
        let mut laws = space.colliding().map(|k| self.place(pair_of(k)));
        let first = laws.next().flatten();
        match first {
            Some(place) if laws.all(|other| other == first) => self.shared[place].as_ref(),
            _ => self.scene.as_ref(),
        }
    }

    fn place(&self, pair: Option<PairId>) -> Option<usize> {
        self.pairs.get(pair?.index()).copied().flatten()
    }
}
