//! The impact laws of a run: one for the scene, others for single pairs.
//!
//! # Rule
//! An event is resolved by one law. The colliding contacts choose it:
//! - all of one law: that law, for the touching contacts too, which have no restitution of their own;
//! - of different laws: the law of the scene, for all of them.
//!
//! Joint limits have the law of the scene.
//!
//! # Limits
//! In a sequence of impacts at one instant (the sequential rule) the law chosen at its beginning
//! holds to its end.
//!
//! # Tests
//! `tests/pair_laws.rs`: `a_pair_has_its_own_law`, `different_laws_give_way_to_that_of_the_scene`.

use crate::impact::{ContactSpace, ImpactLaw};
use crate::model::PairId;

/// A law for every pair.
pub(crate) struct Laws<'a> {
    scene: Box<dyn ImpactLaw + 'a>,
    pairs: Vec<(PairId, Box<dyn ImpactLaw + 'a>)>,
}

impl<'a> Laws<'a> {
    /// One law for all.
    pub fn new(scene: Box<dyn ImpactLaw + 'a>) -> Self {
        Self { scene, pairs: Vec::new() }
    }

    /// Gives a pair its own law, instead of an earlier one.
    pub fn set(&mut self, pair: PairId, law: Box<dyn ImpactLaw + 'a>) {
        self.pairs.retain(|(other, _)| *other != pair);
        self.pairs.push((pair, law));
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
            Some(place) if laws.all(|other| other == first) => self.pairs[place].1.as_ref(),
            _ => self.scene.as_ref(),
        }
    }

    fn place(&self, pair: Option<PairId>) -> Option<usize> {
        let pair = pair?;
        self.pairs.iter().position(|(other, _)| *other == pair)
    }
}
