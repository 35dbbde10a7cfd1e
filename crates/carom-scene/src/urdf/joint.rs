//! Joints.

use super::element::{Element, Grammar};
use crate::direction::unit;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{JointPart, MimicPart, Reference};
use crate::suggest::nearest;
use crate::warning::{Caution, Cautions};
use carom::model::{JointKind, Limits};
use carom::spatial::rotation;
use nalgebra::{Matrix3, Unit, Vector3};

const TYPES: &[&str] = &["fixed", "revolute", "continuous", "prismatic", "planar", "floating"];

const JOINT: Grammar = Grammar {
    tags: &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"],
    left_out: &[
        ("safety_controller", "soft limits belong to a controller"),
        ("calibration", "it does not act on the motion"),
    ],
    silent: &[],
    attributes: &["name", "type"],
    foreign: &["dont_collapse"],
};

const DYNAMICS: Grammar = Grammar {
    foreign: &["D", "K", "mu_coulomb", "mu_viscous", "spring_stiffness", "spring_reference"],
    ..leaf(&["damping", "friction"])
};

const LIMIT: Grammar = Grammar {
    foreign: &["command_effort", "current", "gear_velocity", "acceleration", "jerk"],
    ..leaf(&["lower", "upper", "effort", "velocity"])
};

const fn leaf(attributes: &'static [&'static str]) -> Grammar {
    Grammar { tags: &[], left_out: &[], silent: &[], attributes, foreign: &[] }
}

/// A joint of a robot, and the names of the two links.
pub(crate) struct RobotJoint {
    pub part: JointPart,
    pub parent: Reference,
    pub child: Reference,
    /// For a planar joint whose axis is not z: the turn from its frame to one whose z is the axis.
    pub turn: Option<Matrix3<f64>>,
}

/// Read one joint.
pub(crate) fn joint(
    tag: &Element<'_, '_>,
    prefix: &str,
    cautions: &mut Cautions,
) -> Result<RobotJoint, Flaw> {
    tag.check(&JOINT, cautions)?;
    let name = format!("{prefix}{}", tag.needed_text("name")?);
    let word = joint_type(tag)?;
    let link = |which: &'static str, cautions: &mut Cautions| -> Result<Reference, Flaw> {
        let end = tag.needed(which, "a tag with the attribute link")?;
        end.check(&leaf(&["link"]), cautions)?;
        let name = format!("{prefix}{}", end.needed_text("link")?);
        Ok(Reference { name, spot: end.spot_of("link") })
    };
    let parent = link("parent", cautions)?;
    let child = link("child", cautions)?;
    let placement = tag.origin(cautions)?;
    let axis = if word == "fixed" { Vector3::x_axis() } else { axis(tag, cautions)? };
    let kind = match word {
        "fixed" => JointKind::Fixed,
        "prismatic" => JointKind::Prismatic { axis },
        "planar" => JointKind::Planar,
        "floating" => JointKind::Free,
        _ => JointKind::Revolute { axis },
    };
    let mut part = JointPart::new(&name, tag.spot_of("name"), kind, placement);
    part.parent = Some(parent.clone());
    if part.is_single() {
        if let Some(limit) = limit(tag, word)? {
            limits(&limit, &mut part, word, cautions)?;
        }
        dynamics(tag, &mut part, cautions)?;
        part.mimic = mimic(tag, prefix, cautions)?;
    }
    let tilted = word == "planar" && axis != Vector3::z_axis();
    let turn = tilted.then(|| rotation::with_z_along(&axis));
    Ok(RobotJoint { part, parent, child, turn })
}

fn joint_type<'a>(tag: &Element<'a, '_>) -> Result<&'a str, Flaw> {
    let word = tag.needed_text("type")?;
    if TYPES.contains(&word) {
        return Ok(word);
    }
    let fault = Fault::Word {
        owner: tag.owner.clone(),
        key: "type".into(),
        word: crate::source::shorten(word),
        allowed: TYPES.iter().map(|t| (*t).to_string()).collect(),
        suggestion: nearest(word, TYPES.iter().copied()),
    };
    Err(Flaw::value(tag.spot_of("type"), "type", "", fault))
}

/// The axis, which is x if none is stated.
fn axis(tag: &Element<'_, '_>, cautions: &mut Cautions) -> Result<Unit<Vector3<f64>>, Flaw> {
    let Some(axis) = tag.one("axis")? else { return Ok(Vector3::x_axis()) };
    axis.check(&leaf(&["xyz"]), cautions)?;
    let v = axis.vector("xyz")?.ok_or_else(|| axis.missing("attribute", "xyz", "3 numbers"))?;
    unit(v).ok_or_else(|| {
        let fault = Fault::ZeroAxis { owner: tag.owner.clone(), key: "axis".into() };
        Flaw::value(axis.spot_of("xyz"), "xyz", "", fault)
    })
}

/// The limit tag; revolute and prismatic joints must have one.
fn limit<'a, 'i>(tag: &Element<'a, 'i>, word: &str) -> Result<Option<Element<'a, 'i>>, Flaw> {
    match tag.one("limit")? {
        None if word != "continuous" => {
            Err(tag.missing("tag", "limit", "a tag <limit lower upper effort velocity/>"))
        }
        other => Ok(other),
    }
}

fn limits(
    limit: &Element<'_, '_>,
    part: &mut JointPart,
    word: &str,
    cautions: &mut Cautions,
) -> Result<(), Flaw> {
    limit.check(&LIMIT, cautions)?;
    if let Some(effort) = limit.number("effort")? {
        if effort < 0.0 {
            return Err(limit.range("effort", effort, "a number ≥ 0"));
        }
        part.coordinate.effort = effort;
    }
    if let Some(velocity) = limit.number("velocity")?.filter(|v| v.is_finite()) {
        let caution = Caution::VelocityLimit { joint: part.name.clone(), velocity };
        cautions.push((caution, limit.spot_of("velocity")));
    }
    // A continuous joint turns without end, whatever its limit says.
    if word == "continuous" {
        return Ok(());
    }
    let lower = limit.number("lower")?.unwrap_or(0.0);
    let upper = limit.number("upper")?.unwrap_or(0.0);
    if lower > upper {
        return Err(limit.range("lower", lower, "at most the upper limit"));
    }
    if lower == upper {
        let caution = Caution::NoRoom { joint: part.name.clone(), lower, upper };
        cautions.push((caution, limit.spot()));
        return Ok(());
    }
    part.coordinate.limits = Some(Limits { lower, upper, restitution: 0.0 });
    Ok(())
}

fn dynamics(
    tag: &Element<'_, '_>,
    part: &mut JointPart,
    cautions: &mut Cautions,
) -> Result<(), Flaw> {
    let Some(dynamics) = tag.one("dynamics")? else { return Ok(()) };
    dynamics.check(&DYNAMICS, cautions)?;
    part.coordinate.damping = dynamics.not_negative("damping", 0.0)?;
    part.coordinate.friction = dynamics.not_negative("friction", 0.0)?;
    part.coordinate.static_friction = part.coordinate.friction;
    Ok(())
}

fn mimic(
    tag: &Element<'_, '_>,
    prefix: &str,
    cautions: &mut Cautions,
) -> Result<Option<MimicPart>, Flaw> {
    let Some(mimic) = tag.one("mimic")? else { return Ok(None) };
    mimic.check(&leaf(&["joint", "multiplier", "offset"]), cautions)?;
    let name = format!("{prefix}{}", mimic.needed_text("joint")?);
    Ok(Some(MimicPart {
        leader: Reference { name, spot: mimic.spot_of("joint") },
        ratio: mimic.finite("multiplier")?.unwrap_or(1.0),
        offset: mimic.finite("offset")?.unwrap_or(0.0),
    }))
}
