//! Joints.

use crate::error::Flaw;
use crate::expression::Formula;
use crate::fault::Fault;
use crate::parts::{At, JointPart, MimicPart, Reference};
use crate::read::view::View;
use crate::spec::joint::{LIMITS, MIMIC, PRESCRIBED, SPRING};
use carom::control::{Added, Prescribed, TimeFunction};
use carom::model::{Coordinate, JointKind, Limits, Spring};
use nalgebra::Vector3;
use std::sync::Arc;

/// Keys that only a joint with one degree of freedom has.
const SINGLE: &[&str] = &[
    "initial",
    "initial_rate",
    "spring",
    "damping",
    "friction",
    "static_friction",
    "torque",
    "limits",
    "effort",
    "ratio",
    "offset",
    "rotor_inertia",
    "mimic",
    "prescribed",
];

/// Keys that a joint of a URDF already has.
const GIVEN: &[&str] = &["child", "type", "parent", "position", "rotation", "axis"];

/// A joint as it is written in a scene.
pub(crate) fn joint(name: &str, view: &View<'_>) -> Result<JointPart, Flaw> {
    let kind = kind(name, view)?;
    let mut part = JointPart::new(name, view.spot, kind, view.pose()?);
    part.parent = view
        .text("parent")
        .filter(|parent| *parent != "world")
        .map(|parent| Reference { name: parent.into(), spot: view.spot_of("parent") });
    extend(&mut part, view)?;
    Ok(part)
}

/// Add to a joint of a URDF what a scene states about it.
pub(crate) fn add_to_joint(part: &mut JointPart, view: &View<'_>) -> Result<(), Flaw> {
    if let Some(key) = view.first_of(GIVEN) {
        return Err(view.not_here(
            key,
            "the joint comes from a URDF, which states it",
            "change the URDF, or give the new joint another name",
        ));
    }
    // The effort of a URDF is the joint's; the model bounds the motor's, which works through the
    // transmission: τ_motor = ratio × τ_joint.
    if let (Some(ratio), false) = (view.number("ratio"), view.has("effort")) {
        part.coordinate.effort *= ratio.abs();
    }
    extend(part, view)
}

fn kind(name: &str, view: &View<'_>) -> Result<JointKind, Flaw> {
    let word = view.text("type").ok_or_else(|| {
        view.missing("type", "fixed, revolute, prismatic, planar, spherical or free")
    })?;
    let axis = view.direction("axis")?;
    let axial = matches!(word, "revolute" | "prismatic");
    if axis.is_some() && (!axial || (view.planar && word == "revolute")) {
        let because = match axial {
            true => "a revolute joint of a planar scene turns about z".to_string(),
            false => format!("a {word} joint has no axis"),
        };
        return Err(view.not_here("axis", because, "leave it out"));
    }
    if view.planar && matches!(word, "spherical" | "free") {
        let kind = if word == "free" { "free" } else { "spherical" };
        return Err(view.flaw("type", Fault::NotPlanar { joint: name.into(), kind }));
    }
    Ok(match word {
        "fixed" => JointKind::Fixed,
        "revolute" => JointKind::Revolute { axis: axis.unwrap_or(Vector3::z_axis()) },
        "prismatic" => JointKind::Prismatic { axis: axis.unwrap_or(Vector3::x_axis()) },
        "planar" => JointKind::Planar,
        "spherical" => JointKind::Spherical,
        _ => JointKind::Free,
    })
}

/// Everything that acts on the degree of freedom.
fn extend(part: &mut JointPart, view: &View<'_>) -> Result<(), Flaw> {
    if !part.is_single() {
        if let Some(key) = view.first_of(SINGLE) {
            return Err(view.not_here(
                key,
                format!("a {} joint has not one degree of freedom", part.kind.word()),
                "use a chain of revolute and prismatic joints",
            ));
        }
        return Ok(());
    }
    let turns = part.turns();
    let c = &mut part.coordinate;
    c.damping = view.number("damping").unwrap_or(c.damping);
    read_friction(view, c)?;
    c.effort = view.number("effort").unwrap_or(c.effort);
    c.ratio = view.number("ratio").unwrap_or(c.ratio);
    c.rotor_inertia = view.number("rotor_inertia").unwrap_or(c.rotor_inertia);
    c.offset = view.angle_or_length("offset", turns)?.unwrap_or(c.offset);
    if let Some(spring) = view.sub("spring", &SPRING) {
        c.spring = Some(read_spring(&spring, turns)?);
    }
    if view.has("limits") {
        c.limits = Some(limits(view, c, turns)?);
    }
    part.torque = view.number_or("torque", part.torque);
    if let Some(mimic) = view.sub("mimic", &MIMIC) {
        part.mimic = Some(read_mimic(&mimic, turns)?);
    }
    if let Some(table) = view.sub("prescribed", &PRESCRIBED) {
        if let Some(key) = view.first_of(&["initial", "initial_rate", "mimic"]) {
            return Err(view.not_here(
                key,
                "the motion of the joint is prescribed",
                "leave it out; the joint starts where the motion does",
            ));
        }
        part.prescribed = Some(read_prescribed(&table, turns)?);
        part.coordinate.prescribed = true;
    }
    let at = |key: &str| -> Result<Option<At<f64>>, Flaw> {
        let value = view.angle_or_length(key, turns)?;
        Ok(value.map(|value| At { value, spot: view.spot_of(key) }))
    };
    part.start = at("initial")?;
    part.start_rate = at("initial_rate")?;
    Ok(())
}

/// Dynamic and static dry friction; one means both.
fn read_friction(view: &View<'_>, c: &mut Coordinate) -> Result<(), Flaw> {
    let (dynamic, fixed) = (view.number("friction"), view.number("static_friction"));
    let Some(one) = dynamic.or(fixed) else { return Ok(()) };
    (c.friction, c.static_friction) = (dynamic.unwrap_or(one), fixed.unwrap_or(one));
    if c.static_friction >= c.friction {
        return Ok(());
    }
    let fault = Fault::Range {
        owner: view.owner.clone(),
        key: "static_friction".into(),
        value: c.static_friction,
        allowed: format!("at least `friction` = {}", c.friction),
    };
    Err(view.flaw("static_friction", fault))
}

fn read_spring(view: &View<'_>, turns: bool) -> Result<Spring, Flaw> {
    let stiffness =
        view.number("stiffness").ok_or_else(|| view.missing("stiffness", "a number ≥ 0"))?;
    Ok(Spring { stiffness, rest: view.angle_or_length("rest", turns)?.unwrap_or(0.0) })
}

fn limits(view: &View<'_>, c: &Coordinate, turns: bool) -> Result<Limits, Flaw> {
    let before = c.limits;
    let found = match view.sub("limits", &LIMITS) {
        Some(table) => Limits {
            lower: table
                .angle_or_length("lower", turns)?
                .or(before.map(|l| l.lower))
                .unwrap_or(f64::NEG_INFINITY),
            upper: table
                .angle_or_length("upper", turns)?
                .or(before.map(|l| l.upper))
                .unwrap_or(f64::INFINITY),
            restitution: table.number_or("restitution", 0.0),
        },
        None => limit_pair(view, turns)?,
    };
    if found.upper > found.lower {
        return Ok(found);
    }
    Err(view.flaw(
        "limits",
        Fault::Range {
            owner: view.owner.clone(),
            key: "limits".into(),
            value: found.upper,
            allowed: "a lower end below the upper end".into(),
        },
    ))
}

fn limit_pair(view: &View<'_>, turns: bool) -> Result<Limits, Flaw> {
    let list = view.node("limits").and_then(|n| n.list()).unwrap_or_default();
    let ends: Vec<f64> = list.iter().filter_map(crate::read::view::angle_of).collect();
    let texts = list.iter().any(|n| n.text().is_some());
    match ends[..] {
        [lower, upper] if turns || !texts => Ok(Limits { lower, upper, restitution: 0.0 }),
        _ => Err(view.flaw(
            "limits",
            Fault::Unreadably {
                owner: view.owner.clone(),
                key: "limits".into(),
                expected: "two numbers in metres",
            },
        )),
    }
}

pub(crate) fn read_prescribed(view: &View<'_>, turns: bool) -> Result<Prescribed, Flaw> {
    let number = |key: &str, turns: bool| -> Result<f64, Flaw> {
        Ok(view.angle_or_length(key, turns)?.unwrap_or(0.0))
    };
    Ok(Prescribed {
        dof: 0,
        offset: number("offset", turns)?,
        rate: number("rate", turns)?,
        amplitude: number("amplitude", turns)?,
        frequency: view.number_or("frequency", 0.0),
        phase: number("phase", true)?,
        added: expression(view)?.map(|formula| Added(Arc::new(InTime(formula)))),
    })
}

/// A function of time by its expression.
#[derive(Debug)]
struct InTime(Formula);

impl TimeFunction for InTime {
    fn at(&self, t: f64) -> [f64; 3] {
        self.0.jet(t)
    }
}

/// The expression of a motion, which knows t alone and has two derivatives.
fn expression(view: &View<'_>) -> Result<Option<Formula>, Flaw> {
    let Some(text) = view.text("expression") else { return Ok(None) };
    let (owner, key) = (view.owner.clone(), "expression".to_string());
    let found = Formula::of_names(text, &["t".to_string()]).map_err(|source| {
        let (owner, key) = (owner.clone(), key.clone());
        view.flaw("expression", Fault::Expression { owner, key, source })
    })?;
    match found.kinked_part() {
        None => Ok(Some(found)),
        Some(part) => {
            let because = "velocities of prescribed motions are continuous".into();
            let instead = "use smooth functions: tanh, sqrt(x^2 + c^2)";
            let fault = Fault::NotHere { owner, key: part.into(), because, instead };
            Err(view.flaw("expression", fault))
        }
    }
}

fn read_mimic(view: &View<'_>, turns: bool) -> Result<MimicPart, Flaw> {
    let name = view.text("joint").ok_or_else(|| view.missing("joint", "the name of a joint"))?;
    Ok(MimicPart {
        leader: Reference { name: name.into(), spot: view.spot_of("joint") },
        ratio: view.number_or("ratio", 1.0),
        offset: view.angle_or_length("offset", turns)?.unwrap_or(0.0),
    })
}
