//! Shapes of bodies and features.

use crate::direction::unit;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Material;
use crate::read::view::View;
use crate::solid::Solid;
use crate::spec::body::{PLANE, ROD, ROUND, SHAPE};
use crate::spec::words::SHAPES;
use carom::spatial::Pose;
use nalgebra::{Unit, Vector3};

/// A shape and where its centre sits in the body frame.
pub(crate) struct PlacedSolid {
    pub solid: Solid,
    pub pose: Pose,
}

/// The shape of a body, if it has one.
pub(crate) fn body_shape(body: &View<'_>) -> Result<Option<PlacedSolid>, Flaw> {
    match body.text("shape") {
        Some("plane") => {
            let solid = Solid::Plane { normal: upward(body.planar) };
            Ok(Some(PlacedSolid { solid, pose: Pose::identity() }))
        }
        Some(_) => Ok(Some(PlacedSolid { solid: Solid::Point, pose: Pose::identity() })),
        None => body.sub("shape", &SHAPE).map(|shape| placed_solid(&shape)).transpose(),
    }
}

/// The one shape of a table, with its place.
pub(crate) fn placed_solid(table: &View<'_>) -> Result<PlacedSolid, Flaw> {
    let mut words = SHAPES.iter().copied().filter(|word| table.has(word));
    let Some(word) = words.next() else {
        let fault = Fault::Missing {
            owner: table.owner.clone(),
            what: "shape such as",
            name: "sphere",
            expected: "one of point, rod, box, disk, ellipse, sphere, ellipsoid, capsule, cylinder, plane",
        };
        return Err(Flaw::at(table.spot, fault));
    };
    if let Some(second) = words.next() {
        return Err(table.conflict(word, second, "a table holds one shape"));
    }
    let mut pose = table.pose()?;
    if word == "point" {
        if table.has("position") {
            return Err(table.conflict("point", "position", "the point is its own position"));
        }
        pose.r = table.vector("point").unwrap_or_else(Vector3::zeros);
    }
    Ok(PlacedSolid { solid: solid(table, word)?, pose })
}

fn solid(table: &View<'_>, word: &'static str) -> Result<Solid, Flaw> {
    let numbers = table.numbers(word).unwrap_or_default();
    let at = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
    let radius = table.number_or(word, 0.0);
    Ok(match word {
        "point" => Solid::Point,
        "rod" => rod(table)?,
        "box" => Solid::Box { edges: [at(0), at(1), at(2)] },
        "disk" => Solid::Disk { radius },
        "ellipse" => Solid::Ellipse { semi_axes: [at(0), at(1)] },
        "sphere" => Solid::Sphere { radius },
        "ellipsoid" => Solid::Ellipsoid { semi_axes: [at(0), at(1), at(2)] },
        "capsule" => {
            let (radius, length) = round(table, word)?;
            Solid::Capsule { radius, length }
        }
        "cylinder" if table.planar => {
            return Err(table.not_here(
                word,
                "a cylinder stands across the x–y plane",
                "write disk = radius",
            ));
        }
        "cylinder" => {
            let (radius, length) = round(table, word)?;
            Solid::Cylinder { radius, length }
        }
        _ => Solid::Plane { normal: normal(table)? },
    })
}

fn rod(table: &View<'_>) -> Result<Solid, Flaw> {
    if let Some(length) = table.number("rod") {
        return Ok(Solid::Rod { length, area: None });
    }
    let Some(rod) = table.sub("rod", &ROD) else {
        return Err(table.missing("rod", "a length in m"));
    };
    let length = rod.number("length").ok_or_else(|| rod.missing("length", "a length in m"))?;
    Ok(Solid::Rod { length, area: rod.number("area") })
}

fn round(table: &View<'_>, word: &'static str) -> Result<(f64, f64), Flaw> {
    let Some(sizes) = table.sub(word, &ROUND) else {
        return Err(table.missing(word, "a table with radius and length"));
    };
    let radius = sizes.number("radius").ok_or_else(|| sizes.missing("radius", "a radius in m"))?;
    let length = sizes.number("length").ok_or_else(|| sizes.missing("length", "a length in m"))?;
    Ok((radius, length))
}

fn normal(table: &View<'_>) -> Result<Unit<Vector3<f64>>, Flaw> {
    let Some(plane) = table.sub("plane", &PLANE) else { return Ok(upward(table.planar)) };
    if plane.has("normal") && plane.has("slope") {
        return Err(plane.conflict("normal", "slope", "a plane has a normal or a slope"));
    }
    if let Some(slope) = plane.angle("slope") {
        let (sin, cos) = slope.sin_cos();
        let normal =
            if table.planar { Vector3::new(-sin, cos, 0.0) } else { Vector3::new(-sin, 0.0, cos) };
        return Ok(unit(normal).unwrap_or_else(|| upward(table.planar)));
    }
    Ok(plane.direction("normal")?.unwrap_or_else(|| upward(table.planar)))
}

/// Away from the ground: y in planar scenes, z in spatial ones.
fn upward(planar: bool) -> Unit<Vector3<f64>> {
    if planar { Vector3::y_axis() } else { Vector3::z_axis() }
}

/// Restitution and friction of a body or feature.
pub(crate) fn material(table: &View<'_>) -> Result<Material, Flaw> {
    let material = Material {
        restitution: table.number("restitution"),
        friction: table.number("friction"),
        static_friction: table.number("static_friction"),
    };
    check_order(table, &material)?;
    Ok(material)
}

/// Static friction is at least dynamic friction.
pub(crate) fn check_order(table: &View<'_>, material: &Material) -> Result<(), Flaw> {
    let (Some(static_friction), Some(friction)) = (material.static_friction, material.friction)
    else {
        return Ok(());
    };
    if static_friction >= friction {
        return Ok(());
    }
    let fault = Fault::FrictionOrder { owner: table.owner.clone(), static_friction, friction };
    Err(Flaw::at(table.spot_of("static_friction"), fault))
}
