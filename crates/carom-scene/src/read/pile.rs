//! Piles: features any two of which may touch.

use crate::assemble::{Assembly, duplicate};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{Material, PairPart, Parts};
use crate::read::shape::check_order;
use crate::read::view::View;
use crate::source::Spot;
use crate::spec::run::PILE;
use crate::suggest::nearest;
use carom::model::Surface;

/// A pile by the numbers of its features.
pub(crate) struct PilePart {
    pub name: String,
    pub spot: Spot,
    pub features: Vec<usize>,
    pub surface: Surface,
}

/// All piles of a scene.
pub(crate) fn piles(scene: &View<'_>, parts: &Parts) -> Result<Vec<PilePart>, Flaw> {
    let mut piles = Vec::new();
    for (i, pile) in scene.list("pile", &PILE).into_iter().enumerate() {
        let mut features = Vec::new();
        let names = pile.node("of").and_then(|n| n.list());
        for node in names.ok_or_else(|| pile.missing("of", "a list of at least one name"))? {
            features.extend(named(&pile, parts, node.text().unwrap_or(""), node.spot)?);
        }
        features.sort_unstable();
        features.dedup();
        let name = pile.text("name").map_or_else(|| format!("pile {}", i + 1), str::to_string);
        piles.push(PilePart { name, spot: pile.spot, features, surface: surface(&pile)? });
    }
    Ok(piles)
}

/// The features that a name or a pattern stands for.
fn named(pile: &View<'_>, parts: &Parts, name: &str, spot: Spot) -> Result<Vec<usize>, Flaw> {
    let found: Vec<usize> = (0..parts.features.len())
        .filter(|&i| {
            let f = &parts.features[i];
            [&f.name, &f.group, &parts.bodies[f.body].name].iter().any(|n| matches(name, n))
        })
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let features = parts.features.iter().map(|f| f.name.as_str());
    let mut known: Vec<&str> =
        features.chain(parts.features.iter().map(|f| parts.bodies[f.body].name.as_str())).collect();
    known.sort_unstable();
    known.dedup();
    let fault = Fault::UnknownName {
        owner: pile.owner.clone(),
        what: "body or feature",
        name: crate::source::shorten(name),
        suggestion: nearest(name, known),
    };
    Err(Flaw::word(spot, fault))
}

/// Whether a name fits a pattern in which `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, mut rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(head) else { return false };
    while let Some((piece, after)) = rest.split_once('*') {
        let Some(at) = left.find(piece) else { return false };
        left = &left[at + piece.len()..];
        rest = after;
    }
    left.ends_with(rest)
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
        assembly
            .builder
            .add_group(&pile.name, features, pile.surface)
            .map_err(|source| Flaw::at(pile.spot, Fault::Model { source }))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, fits) in [
            ("grain*", "grain12", true),
            ("grain*", "grain", true),
            ("grain*", "a grain", false),
            ("*.foot", "leg.foot", true),
            ("l*.f*t", "leg.foot", true),
            ("l*.f*x", "leg.foot", false),
            ("floor", "floor", true),
            ("*", "anything", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
