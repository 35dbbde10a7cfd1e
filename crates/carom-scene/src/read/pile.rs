//! Piles: features any two of which may touch.

use crate::assemble::{Assembly, duplicate};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{Material, PairPart, Parts};
use crate::read::contact::resistance;
use crate::read::selection::Selection;
use crate::read::shape::check_order;
use crate::read::view::View;
use crate::source::Spot;
use crate::spec::run::PILE;
use carom::model::{ModelError, Resistance, Surface};

/// A pile by the numbers of its features.
pub(crate) struct PilePart {
    pub name: String,
    pub spot: Spot,
    pub features: Vec<usize>,
    pub surface: Surface,
    pub resistance: Resistance,
}

/// All piles of a scene.
pub(crate) fn piles(scene: &View<'_>, parts: &Parts) -> Result<Vec<PilePart>, Flaw> {
    let mut piles = Vec::new();
    let list = scene.list("pile", &PILE);
    if list.is_empty() {
        return Ok(piles);
    }
    let selection = Selection::new(scene, parts)?;
    for (i, pile) in list.into_iter().enumerate() {
        let mut features = Vec::new();
        let names = pile.node("of").and_then(|n| n.list());
        for node in names.ok_or_else(|| pile.missing("of", "a list of at least one name"))? {
            features.extend(selection.features(&pile.owner, node)?);
        }
        features.sort_unstable();
        features.dedup();
        let name = pile.text("name").map_or_else(|| format!("pile {}", i + 1), str::to_string);
        let (surface, resistance) = (surface(&pile)?, resistance(&pile)?);
        piles.push(PilePart { name, spot: pile.spot, features, surface, resistance });
    }
    Ok(piles)
}

fn surface(pile: &View<'_>) -> Result<Surface, Flaw> {
    let stated = Material {
        restitution: pile.number("restitution"),
        friction: pile.number("friction"),
        static_friction: pile.number("static_friction"),
    };
    check_order(pile, &stated)?;
    let restitution =
        stated.restitution.ok_or_else(|| pile.missing("restitution", "a number in [0, 1]"))?;
    let (static_friction, friction) =
        stated.frictions().ok_or_else(|| pile.missing("friction", "a number ≥ 0"))?;
    Ok(Surface { restitution, static_friction, friction })
}

/// Add the piles to the model.
pub(crate) fn add_piles(
    assembly: &mut Assembly,
    piles: &[PilePart],
    pairs: &[PairPart],
) -> Result<(), Flaw> {
    for pile in piles {
        if let Some(pair) = pairs.iter().find(|pair| pair.name == pile.name) {
            return Err(duplicate("contact", &pile.name, pile.spot, pair.spot));
        }
        let features = pile.features.iter().map(|&i| assembly.features[i]).collect();
        assembly.builder.add_group(&pile.name, features, pile.surface).map_err(|source| {
            match source {
                ModelError::Unsupported { a, b, .. } => {
                    let pile_name = pile.name.clone();
                    Flaw::at(pile.spot, Fault::PileShapes { pile: pile_name, a, b })
                }
                source => Flaw::at(pile.spot, Fault::Model { source }),
            }
        })?;
        assembly
            .builder
            .set_group_resistance(&pile.name, pile.resistance)
            .map_err(|source| Flaw::at(pile.spot, Fault::Model { source }))?;
    }
    Ok(())
}
