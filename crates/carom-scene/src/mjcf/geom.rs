//! Geoms: shape, place, inertia, and how they meet others.
//!
//! # Law
//! A solid of density ρ has m = ρV unless its mass is stated; both give the moments of `solid.rs`.
//! Sizes are half of ours: radius and half-length, half extents. With `fromto` a solid lies between two
//! points, its z axis from the second to the first (equation (3) of `orientation.rs`).

use super::hfield::ground;
use super::item::Item;
use super::mesh::Meshes;
use super::orientation::{pose, with_z};
use super::settings::Settings;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::solid::Solid;
use crate::source::Spot;
use crate::urdf::link::z_to_x;
use carom::spatial::{Inertia, Pose};
use nalgebra::Vector3;

const TYPES: &[&str] =
    &["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];

/// A geom.
#[derive(Debug, Clone)]
pub(crate) struct Geom {
    pub name: Option<String>,
    pub spot: Spot,
    /// Number of its body in the list of parts.
    pub body: usize,
    /// Frame of the solid in the frame of the body.
    pub pose: Pose,
    /// The solid; none for meshes that are here for their inertia alone.
    pub solid: Option<Solid>,
    /// Mass, centre of mass and inertia in the frame of the body, if it counts.
    pub inertia: Option<Inertia>,
    pub surface: GeomSurface,
}

/// How a geom meets others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GeomSurface {
    pub contype: i64,
    pub conaffinity: i64,
    pub condim: i64,
    /// Sliding, 1; spinning and rolling, m.
    pub friction: [f64; 3],
    pub priority: i64,
}

/// Friction of a geom that states none, as MuJoCo has it.
const FRICTION: [f64; 3] = [1.0, 0.005, 0.0001];

/// Read a geom of a body; `outer` is the pose of the frame around it; if it `weighs`, the body has its inertia.
pub(crate) fn geom(
    item: &Item<'_>,
    (body, outer, weighs): (usize, &Pose, bool),
    settings: &Settings,
    meshes: &mut Meshes<'_, '_>,
) -> Result<Geom, Flaw> {
    let kind = match item.word("type", TYPES)? {
        Some(kind) => kind,
        None if item.has("mesh") => "mesh",
        None => "sphere",
    };
    let (pose, solid) = placed(item, kind, settings, meshes)?;
    let pose = outer.then(&pose);
    let group = item.whole("group", 0)? as f64;
    let counts = weighs && group >= settings.groups[0] && group <= settings.groups[1];
    let touching = match kind {
        "mesh" => meshes.solid(item)?,
        "hfield" => ground(item, &meshes.fields)?,
        _ => solid.clone(),
    };
    let inertia = match weight(item)?.filter(|_| counts) {
        Some(weight) => inertia(item, kind, (&pose, solid.clone(), weight), meshes)?,
        None => None,
    };
    let frictions = item.numbers("friction", 1..=3)?;
    let mut friction = FRICTION;
    for (own, stated) in friction.iter_mut().zip(frictions.unwrap_or_default()) {
        *own = stated;
    }
    if let Some(negative) = friction.into_iter().find(|mu| *mu < 0.0) {
        return Err(item.range("friction", negative, "numbers ≥ 0"));
    }
    Ok(Geom {
        name: item.tag.text("name").map(str::to_string),
        spot: item.tag.spot,
        body,
        pose,
        solid: touching,
        inertia,
        surface: GeomSurface {
            contype: item.whole("contype", 1)?,
            conaffinity: item.whole("conaffinity", 1)?,
            condim: item.whole("condim", 3)?,
            friction,
            priority: item.whole("priority", 0)?,
        },
    })
}

/// The solid of a geom and where it sits in the frame around it.
fn placed(
    item: &Item<'_>,
    kind: &str,
    settings: &Settings,
    meshes: &mut Meshes<'_, '_>,
) -> Result<(Pose, Option<Solid>), Flaw> {
    if matches!(kind, "mesh" | "hfield" | "sdf") {
        return Ok((pose(item, settings)?, None));
    }
    if kind != "plane" && item.has("mesh") {
        let (frame, size) = fitted(item, kind, settings, meshes)?;
        let (solid, turn) = solid(kind, size);
        return Ok((frame.then(&turn), Some(solid)));
    }
    let (pose, half) = match item.numbers("fromto", 6..=6)? {
        Some(ends) if matches!(kind, "capsule" | "cylinder" | "box" | "ellipsoid") => {
            let (pose, half) = between(item, &ends)?;
            (pose, Some(half))
        }
        _ => (pose(item, settings)?, None),
    };
    if kind == "plane" {
        return Ok((pose, Some(Solid::Plane { normal: Vector3::z_axis() })));
    }
    let size = sizes(item, kind, half)?;
    let (solid, turn) = solid(kind, size);
    Ok((pose.then(&turn), Some(solid)))
}

/// The solid of three sizes as MJCF means them, and how it is turned.
fn solid(kind: &str, size: [f64; 3]) -> (Solid, Pose) {
    match kind {
        "sphere" => (Solid::Sphere { radius: size[0] }, Pose::identity()),
        "capsule" => (Solid::Capsule { radius: size[0], length: 2.0 * size[1] }, z_to_x()),
        "cylinder" => {
            (Solid::Cylinder { radius: size[0], length: 2.0 * size[1] }, Pose::identity())
        }
        "box" => (Solid::Box { edges: size.map(|s| 2.0 * s) }, Pose::identity()),
        _ => (Solid::Ellipsoid { semi_axes: size }, Pose::identity()),
    }
}

/// Frame and sizes of a shape that is fitted to a mesh, equation (5) of `moments.rs`.
fn fitted(
    item: &Item<'_>,
    kind: &str,
    settings: &Settings,
    meshes: &mut Meshes<'_, '_>,
) -> Result<(Pose, [f64; 3]), Flaw> {
    if settings.fit_box {
        let fault = Fault::NotHere {
            owner: item.tag.called(),
            key: "mesh".into(),
            because: "shapes are not fitted to the bounding box of a mesh (fitaabb)".into(),
            instead: "state the size of the shape, or leave fitaabb out",
        };
        return Err(Flaw::value(item.spot_of("mesh"), "mesh", "", fault));
    }
    let (frame, b) = meshes.fitted(item)?;
    let scale = item.number("fitscale", 1.0)?;
    let r = 0.5 * (b[0] + b[1]);
    let size = match kind {
        "sphere" => [(b[0] + b[1] + b[2]) / 3.0, 0.0, 0.0],
        "capsule" => [r, (b[2] - 0.5 * r).max(0.0), 0.0],
        "cylinder" => [r, b[2], 0.0],
        _ => b,
    };
    Ok((pose(item, settings)?.then(&frame), size.map(|s| s * scale)))
}

/// The frame between two points, and half their distance.
fn between(item: &Item<'_>, ends: &[f64]) -> Result<(Pose, f64), Flaw> {
    let (a, b) = (Vector3::new(ends[0], ends[1], ends[2]), Vector3::new(ends[3], ends[4], ends[5]));
    let R = with_z(a - b).ok_or_else(|| {
        let (owner, key) = (item.tag.called(), "fromto".to_string());
        Flaw::value(item.spot_of("fromto"), "fromto", "", Fault::ZeroAxis { owner, key })
    })?;
    Ok((Pose::new(R, (a + b) * 0.5), 0.5 * (a - b).norm()))
}

/// Three sizes of a shape as MJCF means them; `half` is the half-length of `fromto`.
fn sizes(item: &Item<'_>, kind: &str, half: Option<f64>) -> Result<[f64; 3], Flaw> {
    let stated = item.numbers("size", 1..=3)?.ok_or_else(|| item.missing("size", "numbers > 0"))?;
    let needed = match (kind, half) {
        ("sphere", _) | (_, Some(_)) => 1,
        ("capsule" | "cylinder", None) => 2,
        _ => 3,
    };
    if stated.len() < needed {
        let (owner, key, found) = (item.tag.called(), "size".to_string(), stated.len());
        let expected = format!("{needed} numbers for a {kind}");
        let fault = Fault::Length { owner, key, expected, found };
        return Err(Flaw::value(item.spot_of("size"), "size", "", fault));
    }
    if let Some(bad) = stated.iter().take(needed).find(|s| **s <= 0.0) {
        return Err(item.range("size", *bad, "numbers > 0"));
    }
    let at = |i: usize| stated.get(i).copied().unwrap_or(0.0);
    Ok(match (kind, half) {
        ("capsule" | "cylinder", Some(half)) => [at(0), half, 0.0],
        (_, Some(half)) => [at(0), at(0), half],
        _ => [at(0), at(1), at(2)],
    })
}

/// Mass, if it is stated, and density; none of what weighs nothing.
fn weight(item: &Item<'_>) -> Result<Option<(Option<f64>, f64)>, Flaw> {
    let mass = item.numbers("mass", 1..=1)?.map(|m| m[0]);
    let density = item.not_negative("density", 1000.0)?;
    if let Some(m) = mass.filter(|m| *m < 0.0) {
        return Err(item.range("mass", m, "a number ≥ 0"));
    }
    let none = mass == Some(0.0) || (mass.is_none() && density == 0.0);
    Ok((!none).then_some((mass, density)))
}

/// Mass, centre of mass and inertia in the frame of the body; none without a volume.
fn inertia(
    item: &Item<'_>,
    kind: &str,
    (pose, solid, (mass, density)): (&Pose, Option<Solid>, (Option<f64>, f64)),
    meshes: &mut Meshes<'_, '_>,
) -> Result<Option<Inertia>, Flaw> {
    let (solid, pose) = match solid {
        Some(solid) => (solid, *pose),
        None if kind == "mesh" => return meshes.inertia(item, pose, (mass, density)),
        None if kind == "sdf" => {
            let fault = Fault::NotHere {
                owner: item.tag.called(),
                key: "type".into(),
                because: "the inertia of a signed distance field is not computed".into(),
                instead: "state the inertia of the body by <inertial>",
            };
            return Err(Flaw::value(item.spot_of("type"), "type", "", fault));
        }
        None => return Ok(None),
    };
    if item.flag("shellinertia", false)? {
        let fault = Fault::NotHere {
            owner: item.tag.called(),
            key: "shellinertia".into(),
            because: "inertia of shells is not computed".into(),
            instead: "state the inertia of the body by <inertial>",
        };
        return Err(Flaw::value(item.spot_of("shellinertia"), "shellinertia", "", fault));
    }
    let Some(volume) = solid.volume(None) else { return Ok(None) };
    let mass = mass.unwrap_or(density * volume);
    let Some(about_com) = solid.inertia(mass) else { return Ok(None) };
    Ok(Some(Inertia { mass, com: Vector3::zeros(), about_com }.in_frame(&pose)))
}
