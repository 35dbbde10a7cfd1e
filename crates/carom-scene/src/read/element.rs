//! Loops, springs between points and constant forces.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{GearPart, LoadPart, LoopPart, Parts, PlacePart, PointSpringPart, Reference};
use crate::read::view::View;
use crate::spec::element::{ANCHOR, END, LOAD, LOOP, POINT_SPRING};
use carom::model::{LoadAxes, LoopKind};
use carom::spatial::{Pose, rotation};
use nalgebra::Vector3;

/// All of them, added to the parts.
pub(crate) fn elements(scene: &View<'_>, parts: &mut Parts) -> Result<(), Flaw> {
    for view in scene.list("loop", &LOOP) {
        if view.text("type") == Some("gear") {
            parts.gears.push(gear(&view)?);
        } else {
            parts.loops.push(closed_loop(&view)?);
        }
    }
    for view in scene.list("spring", &POINT_SPRING) {
        parts.springs.push(spring(&view)?);
    }
    for view in scene.list("load", &LOAD) {
        parts.loads.push(force(&view)?);
    }
    Ok(())
}

/// Keys that another type of loop has.
fn foreign(view: &View<'_>, keys: &[&'static str], word: &str) -> Result<(), Flaw> {
    match view.first_of(keys) {
        Some(key) => Err(view.not_here(
            key,
            format!("a loop of type `{word}` has none"),
            "leave it out, or change the type",
        )),
        None => Ok(()),
    }
}

fn gear(view: &View<'_>) -> Result<GearPart, Flaw> {
    foreign(view, &["a", "b", "length"], "gear")?;
    let list = view.node("joints").and_then(|n| n.list()).unwrap_or_default();
    let [first, second] = list else {
        return Err(view.missing("joints", "two names of joints"));
    };
    let reference = |node: &crate::value::Node| Reference {
        name: node.text().unwrap_or("").into(),
        spot: node.spot,
    };
    let (follower, leader) = (reference(first), reference(second));
    let name = view
        .text("name")
        .map_or_else(|| format!("{}-{}", follower.name, leader.name), str::to_string);
    Ok(GearPart {
        name,
        spot: view.spot,
        follower,
        leader,
        ratio: view.number_or("ratio", 1.0),
        offset: view.angle("offset").unwrap_or(0.0),
    })
}

fn closed_loop(view: &View<'_>) -> Result<LoopPart, Flaw> {
    let word = view
        .text("type")
        .ok_or_else(|| view.missing("type", "point, hinge, weld, distance or gear"))?;
    foreign(view, &["joints", "ratio", "offset"], word)?;
    let kind = match word {
        "point" => LoopKind::Point,
        "hinge" => LoopKind::Hinge,
        "weld" => LoopKind::Weld,
        _ => {
            let length =
                view.number("length").ok_or_else(|| view.missing("length", "a number > 0"))?;
            LoopKind::Distance { length }
        }
    };
    if word != "distance" {
        foreign(view, &["length"], word)?;
    }
    let side = |key: &str| -> Result<PlacePart, Flaw> {
        let Some(anchor) = view.sub(key, &ANCHOR) else { return Ok(PlacePart::world()) };
        let mut part = place(&anchor);
        if anchor.has("rotation") && kind != LoopKind::Weld {
            return Err(anchor.not_here(
                "rotation",
                format!("a {word} has no orientation"),
                "leave it out",
            ));
        }
        if anchor.has("axis") && (kind != LoopKind::Hinge || view.planar) {
            let because = match view.planar {
                true => "hinges of a planar scene turn about z".to_string(),
                false => format!("a {word} has no axis"),
            };
            return Err(anchor.not_here("axis", because, "leave it out"));
        }
        if kind == LoopKind::Weld {
            part.placement = anchor.pose()?;
        } else if let Some(axis) = anchor.direction("axis")? {
            part.placement.R = rotation::with_z_along(&axis);
        }
        Ok(part)
    };
    let sides = [side("a")?, side("b")?];
    Ok(LoopPart { name: named(view, &sides), spot: view.spot, kind, sides })
}

fn spring(view: &View<'_>) -> Result<PointSpringPart, Flaw> {
    let side = |key: &str| match view.sub(key, &END) {
        Some(end) => place(&end),
        None => PlacePart::world(),
    };
    let sides = [side("a"), side("b")];
    if sides[0].body.is_none() && sides[1].body.is_none() {
        return Err(view.missing("a", "an end with a body, { body = \"…\", position = … }"));
    }
    Ok(PointSpringPart {
        name: named(view, &sides),
        spot: view.spot,
        sides,
        stiffness: view.number_or("stiffness", 0.0),
        rest: view.number_or("rest", 0.0),
        damping: view.number_or("damping", 0.0),
    })
}

fn force(view: &View<'_>) -> Result<LoadPart, Flaw> {
    let place = place(view);
    let Some(body) = place.body else { return Err(view.missing("body", "the name of a body")) };
    let moment = match (view.number("moment"), view.vector("moment"), view.planar) {
        (Some(m), _, true) => Vector3::new(0.0, 0.0, m),
        (None, Some(m), false) => m,
        (None, None, _) => Vector3::zeros(),
        (_, _, planar) => {
            let expected = if planar { "one number in a planar scene" } else { "3 numbers" };
            let found = view.node("moment").map_or("missing", |n| n.found());
            let (owner, key) = (view.owner.clone(), String::from("moment"));
            let fault = Fault::WrongType { owner, key, expected: expected.into(), found };
            return Err(view.flaw("moment", fault));
        }
    };
    let axes = match view.text("axes") {
        Some("body") => LoadAxes::Body,
        _ => LoadAxes::World,
    };
    Ok(LoadPart {
        body,
        point: place.placement.r,
        force: view.vector("force").unwrap_or_else(Vector3::zeros),
        moment,
        axes,
    })
}

/// Body and position of a table that has both.
fn place(view: &View<'_>) -> PlacePart {
    let body = view
        .text("body")
        .filter(|name| *name != "world")
        .map(|name| Reference { name: name.into(), spot: view.spot_of("body") });
    let r = view.vector("position").unwrap_or_else(Vector3::zeros);
    PlacePart { body, placement: Pose::translation(r) }
}

/// The name of a loop or spring: its own, or those of its two bodies.
fn named(view: &View<'_>, sides: &[PlacePart; 2]) -> String {
    let word = |side: &PlacePart| {
        side.body.as_ref().map_or_else(|| String::from("world"), |body| body.name.clone())
    };
    view.text("name")
        .map_or_else(|| format!("{}-{}", word(&sides[0]), word(&sides[1])), str::to_string)
}
