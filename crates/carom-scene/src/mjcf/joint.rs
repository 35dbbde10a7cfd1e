//! Joints.
//!
//! # Law
//! The coordinate q of a hinge or slide is MuJoCo's; the joint's own angle is that from the posture of
//! the file,
//! ```text
//! angle = q − ref                                                              (1)
//! spring rest = springref − ref,   limits = range − ref                         (2)
//! ```
//! Tests: `tests/mjcf.rs`: `eq1_eq2_reference`.

use super::item::Item;
use super::settings::Settings;
use crate::direction::unit;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::JointPart;
use carom::model::{Coordinate, JointKind, Limits, Spring};
use carom::spatial::Pose;
use nalgebra::Vector3;

const TYPES: &[&str] = &["free", "ball", "slide", "hinge"];

/// A joint of a body, before it has a place in the chain.
#[derive(Debug, Clone)]
pub(crate) struct ModelJoint {
    pub part: JointPart,
    /// Where it sits in the frame of the body.
    pub anchor: Vector3<f64>,
    /// q of the posture of the file.
    pub reference: f64,
    /// Angle or position at which its spring rests.
    pub rest: f64,
    /// Its own damping, without that of motors.
    pub damping: f64,
    /// Bound on the sum of the forces of its motors.
    pub forces: Option<[f64; 2]>,
    /// Time constant and damping ratio that stand for stiffness and damping.
    pub spring_damper: Option<[f64; 2]>,
}

/// Read `<joint>` or `<freejoint>`; `name` is the one it gets, `outer` the frame around it.
pub(crate) fn joint(
    item: &Item<'_>,
    name: &str,
    outer: &Pose,
    settings: &Settings,
) -> Result<ModelJoint, Flaw> {
    let free = item.tag.name == "freejoint";
    let kind = if free { "free" } else { item.word("type", TYPES)?.unwrap_or("hinge") };
    let axis = item.vector("axis")?.unwrap_or_else(Vector3::z);
    let axis = unit(outer.direction(&axis)).ok_or_else(|| {
        let (owner, key) = (item.tag.called(), "axis".to_string());
        Flaw::value(item.spot_of("axis"), "axis", "", Fault::ZeroAxis { owner, key })
    })?;
    let kind = match kind {
        "free" => JointKind::Free,
        "ball" => JointKind::Spherical,
        "slide" => JointKind::Prismatic { axis },
        _ => JointKind::Revolute { axis },
    };
    let mut part = JointPart::new(name, item.tag.spot, kind, Pose::identity());
    let shifts = matches!(kind, JointKind::Free | JointKind::Prismatic { .. });
    let stated = item.vector("pos")?.unwrap_or_else(Vector3::zeros);
    let anchor = if shifts { Vector3::zeros() } else { outer.point(&stated) };
    let single = part.is_single();
    let turns = matches!(kind, JointKind::Revolute { .. });
    let read = |name: &'static str| -> Result<f64, Flaw> {
        let x = item.number(name, 0.0)?;
        Ok(if turns { settings.angle(x) } else { x })
    };
    let reference = if single { read("ref")? } else { 0.0 };
    let rest = if single { read("springref")? - reference } else { 0.0 };
    let c = &mut part.coordinate;
    if !free {
        dynamics(item, settings, c)?;
    }
    if single {
        c.offset = -reference;
        let stiffness = first(item, "stiffness")?;
        if stiffness > 0.0 && settings.spring {
            c.spring = Some(Spring { stiffness, rest });
        }
        c.limits = limits(item, settings, (turns, reference))?;
    }
    Ok(ModelJoint {
        damping: part.coordinate.damping,
        part,
        anchor,
        reference,
        rest,
        forces: forces(item, settings)?,
        spring_damper: spring_damper(item)?,
    })
}

/// What acts on every degree of freedom alike.
fn dynamics(item: &Item<'_>, settings: &Settings, c: &mut Coordinate) -> Result<(), Flaw> {
    c.damping = if settings.damper { first(item, "damping")? } else { 0.0 };
    c.rotor_inertia = item.not_negative("armature", 0.0)?;
    let friction = item.not_negative("frictionloss", 0.0)?;
    // Of balls and free joints it is named (`left_out.rs`).
    let acts = settings.friction && !matches!(item.text("type"), Some("ball" | "free"));
    c.friction = if acts { friction } else { 0.0 };
    c.static_friction = c.friction;
    Ok(())
}

/// The linear coefficient of a spring or damper; further ones make a polynomial.
fn first(item: &Item<'_>, name: &'static str) -> Result<f64, Flaw> {
    let list = item.numbers(name, 1..=3)?.unwrap_or_default();
    if let Some(bad) = list.iter().skip(1).find(|x| **x != 0.0) {
        return Err(item.range(name, *bad, "one number: polynomials are not simulated"));
    }
    match list.first() {
        Some(&x) if x < 0.0 => {
            Err(item.range(name, x, "a number ≥ 0: what makes energy is not simulated"))
        }
        Some(&x) => Ok(x),
        None => Ok(0.0),
    }
}

/// Equation (2); a range of equal ends, or none at all, is no limit.
fn limits(
    item: &Item<'_>,
    settings: &Settings,
    (turns, reference): (bool, f64),
) -> Result<Option<Limits>, Flaw> {
    let range = item.ends("range")?;
    let Some(range) = limited(item, ("limited", "range"), range, settings.auto_limits)? else {
        return Ok(None);
    };
    if !settings.limit {
        return Ok(None);
    }
    let angle = |x: f64| if turns { settings.angle(x) } else { x };
    let (lower, upper) = (angle(range[0]) - reference, angle(range[1]) - reference);
    if (lower, upper) == (f64::NEG_INFINITY, f64::INFINITY) {
        return Ok(None);
    }
    if lower >= upper {
        return Err(item.range("range", range[0], "a lower end below the upper end"));
    }
    Ok(Some(Limits { lower, upper, restitution: 0.0 }))
}

/// A range that is in force: stated so, or by being there.
pub(crate) fn limited(
    item: &Item<'_>,
    (flag, key): (&'static str, &'static str),
    range: Option<Vec<f64>>,
    auto: bool,
) -> Result<Option<Vec<f64>>, Flaw> {
    match (item.maybe(flag)?, range) {
        (Some(false), _) | (None, None) => Ok(None),
        (Some(true), None) => Err(item.missing(key, "two numbers, since it is limited")),
        (Some(true), Some(range)) => Ok(Some(range)),
        (None, Some(range)) if auto => Ok((range[0] != 0.0 || range[1] != 0.0).then_some(range)),
        (None, Some(_)) => {
            Err(item.missing(flag, "true or false: the compiler has autolimits=\"false\""))
        }
    }
}

fn forces(item: &Item<'_>, settings: &Settings) -> Result<Option<[f64; 2]>, Flaw> {
    let range = item.ends("actuatorfrcrange")?;
    let keys = ("actuatorfrclimited", "actuatorfrcrange");
    Ok(limited(item, keys, range, settings.auto_limits)?.map(|r| [r[0], r[1]]))
}

fn spring_damper(item: &Item<'_>) -> Result<Option<[f64; 2]>, Flaw> {
    let stated = item.numbers("springdamper", 2..=2)?;
    Ok(stated.filter(|s| s[0] > 0.0 && s[1] > 0.0).map(|s| [s[0], s[1]]))
}
