//! Equalities between bodies: `<connect>` and `<weld>` as loops.
//!
//! # Law
//! X₁, X₂ are the frames of the bodies where the file writes them (q = ref), a is the anchor in body 1, P the stated pose of
//! body 2 in body 1 (`relpose`, unless its quaternion is zero). What stays together is
//! ```text
//! connect:  the points a of body 1 and X₂⁻¹ X₁ a of body 2                                (1)
//! weld:     the frames P, or X₁⁻¹ X₂ where none is stated, of body 1 and that of body 2   (2)
//! sites:    the points, or frames, of both sites                                          (3)
//! ```
//! They are hard here: `solref`, `solimp` and `torquescale` have no meaning, and neither has the anchor of a weld, which
//! tells where its softness acts.
//!
//! # Tests
//! `tests/mjcf.rs`: `eq1_connect_closes_a_loop`, `eq2_weld_holds_the_frame`, `eq3_sites_are_frames`.

use super::body::{ModelBody, Tree};
use super::contact::unknown;
use super::item::Item;
use super::settings::prefixed;
use super::tag::Attribute;
use crate::error::Flaw;
use crate::parts::{LoopPart, PlacePart, Reference};
use carom::model::LoopKind;
use carom::spatial::{Pose, rotation};
use nalgebra::{Vector3, Vector4};

/// The loop of one `<connect>` or `<weld>`.
pub(crate) fn closing(item: &Item<'_>, tree: &Tree<'_>) -> Result<LoopPart, Flaw> {
    let kind = if item.tag.name == "weld" { LoopKind::Weld } else { LoopKind::Point };
    let sides = match item.has("site1") || item.has("site2") {
        true => [site(item, "site1", tree)?, site(item, "site2", tree)?],
        false => frames(item, kind, tree)?,
    };
    let name = match item.text("name") {
        Some(name) => prefixed(tree.prefix, name),
        None => {
            let word =
                |side: &PlacePart| side.body.as_ref().map_or("world".into(), |b| b.name.clone());
            format!("{}-{}", word(&sides[0]), word(&sides[1]))
        }
    };
    Ok(LoopPart { name, spot: item.tag.spot, kind, sides })
}

/// Equations (1) and (2).
fn frames(item: &Item<'_>, kind: LoopKind, tree: &Tree<'_>) -> Result<[PlacePart; 2], Flaw> {
    let (one, first) = match item.attribute("body1") {
        Some(wanted) => body(item, wanted, tree)?,
        None => return Err(item.missing("body1", "the name of a body")),
    };
    let (two, second) = match item.attribute("body2") {
        Some(wanted) => body(item, wanted, tree)?,
        None => (Pose::identity(), None),
    };
    let placed = |body: Option<Reference>, placement: Pose| PlacePart { body, placement };
    if kind == LoopKind::Point {
        let anchor = item.vector("anchor")?;
        let a = anchor.ok_or_else(|| item.missing("anchor", "three numbers"))?;
        let there = two.inverse().point(&one.point(&a));
        return Ok([placed(first, Pose::translation(a)), placed(second, Pose::translation(there))]);
    }
    let stated = item.numbers("relpose", 7..=7)?;
    let relative = stated.and_then(|p| {
        let Q = Vector4::new(p[3], p[4], p[5], p[6]);
        let r = Vector3::new(p[0], p[1], p[2]);
        (Q.norm() > 0.0).then(|| Pose::new(rotation::from_quaternion(&Q.normalize()), r))
    });
    let relative = relative.unwrap_or_else(|| one.inverse().then(&two));
    Ok([placed(first, relative), placed(second, Pose::identity())])
}

/// A body by its name, and where it is written; the world is no body.
fn body(
    item: &Item<'_>,
    wanted: &Attribute,
    tree: &Tree<'_>,
) -> Result<(Pose, Option<Reference>), Flaw> {
    if wanted.value == "world" {
        return Ok((Pose::identity(), None));
    }
    let name = prefixed(tree.prefix, &wanted.value);
    let found: Option<&ModelBody> = tree.bodies.get(&name);
    let found = found.ok_or_else(|| {
        let mut known: Vec<&str> = tree.bodies.keys().map(String::as_str).collect();
        known.sort_unstable();
        unknown(item.tag, "body", wanted, known.into_iter())
    })?;
    Ok((found.place, Some(Reference { name, spot: wanted.spot })))
}

/// Equation (3).
fn site(item: &Item<'_>, key: &'static str, tree: &Tree<'_>) -> Result<PlacePart, Flaw> {
    let wanted = item.needed(key, "the name of a site")?;
    let found = tree.sites.iter().find(|site| site.name == wanted.value);
    let known = || tree.sites.iter().map(|site| site.name.as_str());
    let site = found.ok_or_else(|| unknown(item.tag, "site", wanted, known()))?;
    let body = site.body.clone().map(|name| Reference { name, spot: wanted.spot });
    Ok(PlacePart { body, placement: site.placement })
}
