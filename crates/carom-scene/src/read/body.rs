//! Bodies: joint, features, start.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{At, BodyPart, FeaturePart, Given, JointPart, Material, MotionPart, Turn};
use crate::read::inertia::inertia;
use crate::read::joint::joint;
use crate::read::shape::{PlacedSolid, body_shape, material, placed_solid};
use crate::read::view::View;
use crate::shelf::Shelf;
use crate::spec::body::FEATURE;
use crate::spec::joint::INLINE_JOINT;
use crate::suggest::misspelt;
use carom::model::JointKind;
use carom::spatial::Pose;
use nalgebra::Vector3;

/// Keys of the start of a free body.
const MOTION: &[&str] = &["position", "rotation", "velocity", "angular_velocity"];

/// Keys of a body that a URDF states.
const GIVEN: &[&str] = &["mass", "density", "depth", "com", "inertia", "shape", "joint"];

/// A body of the scene. One that states nothing of its own and has nearly the name of a body of a robot is meant to be that
/// one.
pub(crate) fn new_body(
    (name, near): (&str, Option<String>),
    view: &View<'_>,
    outer_joint: Option<JointPart>,
    shelf: &mut Shelf<'_>,
) -> Result<BodyPart, Flaw> {
    let own = view.first_of(GIVEN).is_some() || view.has("feature") || outer_joint.is_some();
    if !own && near.is_some() {
        return Err(misspelt(view.missing("shape", "a shape"), "body", name, near));
    }
    body(name, view, outer_joint, shelf).map_err(|flaw| misspelt(flaw, "body", name, near))
}

/// A body of the scene with a joint of its own, or the one from `[joint.NAME]`.
fn body(
    name: &str,
    view: &View<'_>,
    outer_joint: Option<JointPart>,
    shelf: &mut Shelf<'_>,
) -> Result<BodyPart, Flaw> {
    let shape = body_shape(view, shelf)?;
    let inertia = inertia(name, view, shape.as_ref())?;
    let inertia_spot =
        view.first_of(&["inertia", "mass", "density"]).map_or(view.spot, |key| view.spot_of(key));
    let inline = match view.sub("joint", &INLINE_JOINT) {
        Some(table) => Some(joint(table.text("name").unwrap_or(name), &table)?),
        None => None,
    };
    let stated = match (inline, outer_joint) {
        (Some(inline), Some(outer)) => {
            let fault = Fault::TwoParents {
                what: "body",
                body: name.into(),
                first: inline.name,
                second: outer.name,
            };
            return Err(Flaw::at(outer.spot, fault).also(inline.spot));
        }
        (one, other) => one.or(other),
    };
    let (joint, motion) = carried(name, view, stated, inertia.mass > 0.0)?;
    Ok(BodyPart {
        name: name.into(),
        spot: view.spot,
        inertia_spot,
        inertia,
        doubt: None,
        joint,
        is_fixed_root: false,
        motion,
        given: Given::default(),
    })
}

/// The joint of a body and its start: position is a start for free bodies, a place for fixed ones.
fn carried(
    name: &str,
    view: &View<'_>,
    stated: Option<JointPart>,
    has_mass: bool,
) -> Result<(JointPart, MotionPart), Flaw> {
    let Some(joint) = stated else {
        if has_mass {
            let kind = if view.planar { JointKind::Planar } else { JointKind::Free };
            let joint = JointPart::new(name, view.spot, kind, Pose::identity());
            return Ok((joint, motion(view)?));
        }
        if let Some(key) = view.first_of(&["velocity", "angular_velocity"]) {
            return Err(view.not_here(
                key,
                "a body without mass and joint is fixed to the world",
                "give it a mass, or a joint",
            ));
        }
        let joint = JointPart::new(name, view.spot, JointKind::Fixed, view.pose()?);
        return Ok((joint, MotionPart::default()));
    };
    let motion = motion_of(view, &joint)?;
    Ok((joint, motion))
}

/// The start of a body behind a joint, as far as the joint lets it be chosen.
pub(crate) fn motion_of(view: &View<'_>, joint: &JointPart) -> Result<MotionPart, Flaw> {
    let allowed: &[&str] = match joint.kind {
        JointKind::Planar | JointKind::Free => MOTION,
        JointKind::Spherical => &["rotation", "angular_velocity"],
        _ => &[],
    };
    if let Some(key) = MOTION.iter().find(|key| view.has(key) && !allowed.contains(key)) {
        let because =
            format!("its {} joint `{}` does not let it be chosen", joint.kind.word(), joint.name);
        return Err(view.not_here(
            key,
            because,
            "the place of the joint is joint.position, its start joint.initial",
        ));
    }
    motion(view)
}

/// Position and velocity at the start.
pub(crate) fn motion(view: &View<'_>) -> Result<MotionPart, Flaw> {
    let at = |key: &str, value: Vector3<f64>| At { value, spot: view.spot_of(key) };
    let angle = if view.planar { view.angle("rotation") } else { None };
    let rotation = view.rotation("rotation")?.map(|R| Turn { R, angle });
    Ok(MotionPart {
        position: view.vector("position").map(|v| at("position", v)),
        rotation: rotation.map(|value| At { value, spot: view.spot_of("rotation") }),
        velocity: view.vector("velocity").map(|v| at("velocity", v)),
        angular_velocity: angular_velocity(view)?.map(|v| at("angular_velocity", v)),
    })
}

fn angular_velocity(view: &View<'_>) -> Result<Option<Vector3<f64>>, Flaw> {
    const KEY: &str = "angular_velocity";
    let (rate, vector) = (view.angle(KEY), view.vector(KEY));
    let expected = match (view.planar, rate, vector) {
        (true, Some(rate), _) => return Ok(Some(Vector3::new(0.0, 0.0, rate))),
        (false, None, vector) => return Ok(vector),
        (true, None, None) => return Ok(None),
        (true, None, Some(_)) => "one number in a planar scene",
        (false, Some(_), _) => "3 numbers in a spatial scene",
    };
    let found = view.node(KEY).map_or("missing", |n| n.found());
    let fault = Fault::WrongType {
        owner: view.owner.clone(),
        key: KEY.into(),
        expected: expected.into(),
        found,
    };
    Err(view.flaw(KEY, fault))
}

/// What a scene adds to a link of a URDF.
pub(crate) fn add_to_body(part: &mut BodyPart, view: &View<'_>) -> Result<(), Flaw> {
    if let Some(key) = view.first_of(GIVEN) {
        return Err(view.not_here(
            key,
            "the body comes from a URDF, which states it",
            "change the URDF, or give the new body another name",
        ));
    }
    let motion = motion_of(view, &part.joint)?;
    merge_motion(&mut part.motion, motion, &part.name)
}

/// Put a second statement of the start beside a first one.
pub(crate) fn merge_motion(
    into: &mut MotionPart,
    from: MotionPart,
    body: &str,
) -> Result<(), Flaw> {
    merge(&mut into.position, from.position, body, "position")?;
    merge(&mut into.rotation, from.rotation, body, "rotation")?;
    merge(&mut into.velocity, from.velocity, body, "velocity")?;
    merge(&mut into.angular_velocity, from.angular_velocity, body, "angular_velocity")
}

fn merge<T>(
    into: &mut Option<At<T>>,
    from: Option<At<T>>,
    body: &str,
    key: &str,
) -> Result<(), Flaw> {
    match (&into, from) {
        (_, None) => Ok(()),
        (Some(first), Some(second)) => Err(twice(body, key, second.spot).also(first.spot)),
        (None, second) => {
            *into = second;
            Ok(())
        }
    }
}

/// The same quantity stated in two places.
pub(crate) fn twice(name: &str, key: &str, spot: crate::source::Spot) -> Flaw {
    let fault = Fault::Conflict {
        owner: format!("`{name}`"),
        first: key.into(),
        second: key.into(),
        reason: "the same value is stated in two places",
    };
    Flaw::at(spot, fault)
}

/// The contact features of a body: that of its shape, and those stated.
pub(crate) fn features(
    number: usize,
    name: &str,
    view: &View<'_>,
    shelf: &mut Shelf<'_>,
) -> Result<Vec<FeaturePart>, Flaw> {
    let own = material(view)?;
    let mut parts = Vec::new();
    if let Some(placed) = body_shape(view, shelf)? {
        push_features(&mut parts, (number, name), &placed, view, own);
    }
    for (key, table) in view.named("feature", &FEATURE) {
        let stated = material(&table)?;
        let side = Material {
            restitution: stated.restitution.or(own.restitution),
            friction: stated.frictions().or(own.frictions()).map(|f| f.1),
            static_friction: stated.frictions().or(own.frictions()).map(|f| f.0),
        };
        let placed = placed_solid(&table, shelf)?;
        push_features(&mut parts, (number, &format!("{name}.{key}")), &placed, &table, side);
    }
    Ok(parts)
}

fn push_features(
    parts: &mut Vec<FeaturePart>,
    (body, name): (usize, &str),
    placed: &PlacedSolid,
    view: &View<'_>,
    material: Material,
) {
    for (suffix, shape) in placed.solid.features() {
        parts.push(FeaturePart {
            name: format!("{name}{suffix}"),
            group: name.to_string(),
            spot: view.spot,
            body,
            placement: placed.pose,
            shape,
            approximates: placed.solid.approximation(),
            material,
        });
    }
}
