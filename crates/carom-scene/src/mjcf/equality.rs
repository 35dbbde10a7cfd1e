//! Equalities between joints.
//!
//! # Law
//! With the angles φ = q − ref,
//! ```text
//! φ₁ = a₀ + a₁ φ₂          joint to joint                               (1)
//! φ₁ = a₀                  joint alone                                  (2)
//! ```
//! (1) is a tie as `mimic` in a scene, (2) a prescribed angle. Terms of higher order are not simulated. Equalities between
//! bodies are loops, in [`super::closing`].
//! Tests: `tests/mjcf.rs`: `eq1_eq2_equalities`.

use super::body::{Seat, Tree};
use super::closing::closing;
use super::contact::unknown;
use super::defaults::Defaults;
use super::item::Item;
use super::left_out::LeftOut;
use super::settings::{Settings, prefixed};
use super::tag::Tag;
use crate::error::Flaw;
use crate::parts::{BodyPart, LoopPart, MimicPart, Reference};
use carom::control::Prescribed;

/// All equalities between bodies.
pub(crate) fn loops(
    model: &Tag,
    (defaults, settings): (&Defaults<'_>, &Settings),
    tree: &Tree<'_>,
) -> Result<Vec<LoopPart>, Flaw> {
    let mut all = Vec::new();
    if !settings.equality {
        return Ok(all);
    }
    for tag in model.all("equality").flat_map(|section| &section.children) {
        let item = defaults.item(tag, 0)?;
        if matches!(tag.name.as_str(), "connect" | "weld") && item.flag("active", true)? {
            all.push(closing(&item, tree)?);
        }
    }
    Ok(all)
}

/// Read all equalities of joints into the joints of the parts.
pub(crate) fn equalities(
    model: &Tag,
    (defaults, settings, prefix): (&Defaults<'_>, &Settings, &str),
    (seats, parts): (&[Seat], &mut [BodyPart]),
    left_out: &mut LeftOut,
) -> Result<(), Flaw> {
    if !settings.equality {
        return Ok(());
    }
    for tag in model.all("equality").flat_map(|section| &section.children) {
        let item = defaults.item(tag, 0)?;
        if !item.flag("active", true)? {
            continue;
        }
        left_out.soft(&item);
        if matches!(tag.name.as_str(), "connect" | "weld") {
            continue;
        }
        if tag.name != "joint" {
            let why = "the bodies move as if it were not there";
            left_out.tell(&format!("equality <{}>", tag.name), tag.called(), why, tag.spot);
            continue;
        }
        joint(&item, prefix, (seats, &mut *parts), left_out)?;
    }
    Ok(())
}

fn joint(
    item: &Item<'_>,
    prefix: &str,
    (seats, parts): (&[Seat], &mut [BodyPart]),
    left_out: &mut LeftOut,
) -> Result<(), Flaw> {
    let find = |key: &'static str| -> Result<Option<usize>, Flaw> {
        let Some(wanted) = item.tag.attribute(key) else { return Ok(None) };
        let name = prefixed(prefix, &wanted.value);
        let known = || seats.iter().map(|s| s.joint.part.name.as_str());
        let seat = known().position(|n| n == name);
        seat.ok_or_else(|| unknown(item.tag, "joint", wanted, known())).map(Some)
    };
    let Some(first) = find("joint1")? else {
        return Err(item.missing("joint1", "the name of a joint"));
    };
    let second = find("joint2")?;
    let mut a = item.numbers("polycoef", 1..=5)?.unwrap_or_else(|| vec![0.0, 1.0]);
    a.resize(5, 0.0);
    let single = |seat: usize| seats[seat].joint.part.is_single();
    let curved = second.is_some() && a[2..].iter().any(|x| *x != 0.0);
    if curved || !single(first) || second.is_some_and(|s| !single(s)) {
        let why = "only straight lines between hinges and slides are";
        left_out.tell("equality <joint> of its kind", item.tag.called(), why, item.tag.spot);
        return Ok(());
    }
    let follower = &mut parts[seats[first].part].joint;
    match second {
        Some(second) => {
            let name = seats[second].joint.part.name.clone();
            let leader = Reference { name, spot: item.spot_of("joint2") };
            follower.mimic = Some(MimicPart { leader, ratio: a[1], offset: a[0] });
        }
        None => follower.prescribed = Some(Prescribed { offset: a[0], ..Prescribed::default() }),
    }
    Ok(())
}
