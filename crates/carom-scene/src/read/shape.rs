//! Shapes of bodies and features.

use crate::convex_pieces::{Auto, Cut, MOST_PIECES, Standing};
use crate::direction::unit;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Material;
use crate::read::terrain::terrain;
use crate::read::view::View;
use crate::shelf::Shelf;
use crate::solid::{Solid, polygon_moments};
use crate::spec::body::{PLANE, ROD, ROUND, SHAPE};
use crate::spec::words::SHAPES;
use carom::model::Hull;
use carom::spatial::Pose;
use nalgebra::{Unit, Vector3};

/// A shape and where its centre sits in the body frame.
pub(crate) struct PlacedSolid {
    pub solid: Solid,
    pub pose: Pose,
}

/// Most pieces that one mesh may be cut into.
const LARGEST_COUNT: usize = 256;

/// The shape of a body, if it has one.
pub(crate) fn body_shape(
    body: &View<'_>,
    shelf: &mut Shelf<'_>,
) -> Result<Option<PlacedSolid>, Flaw> {
    match body.text("shape") {
        Some("plane") => {
            let solid = Solid::Plane { normal: upward(body.planar) };
            Ok(Some(PlacedSolid { solid, pose: Pose::identity() }))
        }
        Some(_) => Ok(Some(PlacedSolid { solid: Solid::Point, pose: Pose::identity() })),
        None => body.sub("shape", &SHAPE).map(|shape| placed_solid(&shape, shelf)).transpose(),
    }
}

/// The one shape of a table, with its place.
pub(crate) fn placed_solid(table: &View<'_>, shelf: &mut Shelf<'_>) -> Result<PlacedSolid, Flaw> {
    let mut words = SHAPES.iter().copied().filter(|word| table.has(word));
    let Some(word) = words.next() else {
        let fault = Fault::Missing {
            owner: table.owner.clone(),
            what: "shape such as",
            name: "sphere",
            expected: "one of point, rod, box, disk, ellipse, sphere, ellipsoid, capsule, cylinder, polygon, convex, mesh, terrain, plane",
        };
        return Err(Flaw::at(table.spot, fault));
    };
    if let Some(second) = words.next() {
        return Err(table.conflict(word, second, "a table holds one shape"));
    }
    let swept = ["box", "polygon", "convex", "mesh"];
    if table.has("rounding") && !swept.contains(&word) {
        return Err(table.not_here(
            "rounding",
            format!("a {word} has none"),
            "leave it out, or give a box, a polygon, a convex hull or a mesh",
        ));
    }
    let of_meshes = ["scale", "hull", "pieces", "max_pieces", "concavity"];
    if let Some(key) = table.first_of(&of_meshes).filter(|_| word != "mesh") {
        return Err(table.not_here(
            key,
            format!("a {word} has none"),
            "leave it out, or give a mesh",
        ));
    }
    let mut pose = table.pose()?;
    if word == "point" {
        if table.has("position") {
            return Err(table.conflict("point", "position", "the point is its own position"));
        }
        pose.r = table.vector("point").unwrap_or_else(Vector3::zeros);
    }
    Ok(PlacedSolid { solid: solid(table, word, shelf)?, pose })
}

fn solid(table: &View<'_>, word: &'static str, shelf: &mut Shelf<'_>) -> Result<Solid, Flaw> {
    let numbers = table.numbers(word).unwrap_or_default();
    let at = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
    let radius = table.number_or(word, 0.0);
    Ok(match word {
        "point" => Solid::Point,
        "rod" => rod(table)?,
        "box" => rounded_box(table, [at(0), at(1), at(2)]),
        "polygon" => polygon(table)?,
        "convex" => convex(table)?,
        "mesh" => mesh(table, shelf)?,
        "terrain" => terrain(table, shelf)?,
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

/// The corners under a key.
pub(crate) fn corners(table: &View<'_>, key: &str) -> Vec<Vector3<f64>> {
    let list = table.node(key).and_then(|node| node.list()).unwrap_or_default();
    let corner = |node: &crate::value::Node| {
        let numbers: Vec<f64> =
            node.list().unwrap_or_default().iter().filter_map(|n| n.number()).collect();
        let at = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
        Vector3::new(at(0), at(1), at(2))
    };
    list.iter().map(corner).collect()
}

/// A box, which a rounding makes a polygon or a convex hull.
fn rounded_box(table: &View<'_>, edges: [f64; 3]) -> Solid {
    let rounding = table.number_or("rounding", 0.0);
    let [a, b, c] = edges.map(|e| 0.5 * e);
    if rounding == 0.0 {
        return Solid::Box { edges };
    }
    if table.planar {
        let corners = [[-a, -b], [a, -b], [a, b], [-a, b]];
        return Solid::Polygon { corners: corners.into(), rounding };
    }
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |i| Vector3::new(a * sign(i, 0), b * sign(i, 1), c * sign(i, 2));
    let points: Vec<_> = (0..8).map(corner).collect();
    match Hull::of(&points) {
        Some(hull) => Solid::Convex { hull: hull.into(), rounding },
        None => Solid::Box { edges },
    }
}

fn polygon(table: &View<'_>) -> Result<Solid, Flaw> {
    if !table.planar {
        return Err(table.not_here(
            "polygon",
            "a polygon lies in the x–y plane of a planar scene",
            "write convex = [[x, y, z], …]",
        ));
    }
    let mut corners: Vec<[f64; 2]> = corners(table, "polygon").iter().map(|c| [c.x, c.y]).collect();
    let n = corners.len();
    let turn = |c: &[[f64; 2]], k: usize| {
        let (p, q, r) = (c[k], c[(k + 1) % n], c[(k + 2) % n]);
        let (d, e) = ([q[0] - p[0], q[1] - p[1]], [r[0] - q[0], r[1] - q[1]]);
        (d[0] * e[1] - d[1] * e[0]) / (d[0].hypot(d[1]) * e[0].hypot(e[1]))
    };
    if polygon_moments(&corners).0 < 0.0 {
        corners.reverse();
    }
    // Once around: the turns of a polygon that crosses itself add up to more.
    let angles: f64 = (0..n).map(|k| turn(&corners, k).clamp(-1.0, 1.0).asin()).sum();
    let straight = |k: usize| turn(&corners, k).is_nan() || turn(&corners, k) <= 1e-9;
    if (0..n).any(straight) || n > 4 && angles > 2.5 * std::f64::consts::TAU {
        return Err(table.not_here(
            "polygon",
            "its corners do not make a convex polygon, each corner a true one",
            "leave out corners on a side, or write several features, each a convex polygon",
        ));
    }
    Ok(Solid::Polygon { corners: corners.into(), rounding: table.number_or("rounding", 0.0) })
}

fn convex(table: &View<'_>) -> Result<Solid, Flaw> {
    if table.planar {
        return Err(table.not_here(
            "convex",
            "a convex hull has a volume",
            "write polygon = [[x, y], …]",
        ));
    }
    let Some(hull) = Hull::of(&corners(table, "convex")) else {
        return Err(table.not_here(
            "convex",
            "its points lie in a plane",
            "give points that enclose a volume",
        ));
    };
    Ok(Solid::Convex { hull: hull.into(), rounding: table.number_or("rounding", 0.0) })
}

/// The convex pieces of a mesh file.
fn mesh(table: &View<'_>, shelf: &mut Shelf<'_>) -> Result<Solid, Flaw> {
    if table.planar {
        return Err(table.not_here("mesh", "a mesh has a volume", "write polygon = [[x, y], …]"));
    }
    let file = table.text("mesh").ok_or_else(|| table.missing("mesh", "a path"))?;
    let mesh = shelf.mesh(file).map_err(|fault| table.flaw("mesh", fault))?;
    let scale = scale(table);
    let cut = cut(table)?;
    let Standing { pieces, found } =
        shelf.hulls((file, &mesh), scale, cut).map_err(|(because, instead)| {
            let because = format!("`{}`: {because}", crate::source::shorten(file));
            table.not_here("mesh", because, instead)
        })?;
    let rounding = table.number_or("rounding", 0.0);
    Ok(Solid::Mesh { pieces: pieces.into(), rounding, found })
}

/// What becomes of the mesh of a shape.
fn cut(table: &View<'_>) -> Result<Cut, Flaw> {
    let word = table.text("pieces");
    if table.flag("hull") == Some(true) {
        return match word {
            Some(_) => Err(table.conflict("hull", "pieces", "a hull is one piece")),
            None => Ok(Cut::Hull),
        };
    }
    match (word, table.first_of(&["max_pieces", "concavity"])) {
        (Some("auto"), _) => Ok(Cut::Auto(auto(table)?)),
        (_, Some(key)) => Err(unasked(table, key, "pieces = \"auto\"")),
        (_, None) => Ok(Cut::Pieces),
    }
}

/// How meshes of a robot file are cut.
pub(crate) fn auto_of_robot(table: &View<'_>) -> Result<Auto, Flaw> {
    let asks = table.text("meshes") == Some("auto");
    if let Some(key) = table.first_of(&["max_pieces", "concavity"]).filter(|_| !asks) {
        return Err(unasked(table, key, "meshes = \"auto\""));
    }
    auto(table)
}

/// How meshes are cut.
fn auto(table: &View<'_>) -> Result<Auto, Flaw> {
    let most = table.number("max_pieces").map_or(MOST_PIECES, |n| n as usize);
    if most > LARGEST_COUNT {
        let fault = Fault::Range {
            owner: table.owner.clone(),
            key: "max_pieces".into(),
            value: most as f64,
            allowed: format!("a whole number from 1 to {LARGEST_COUNT}"),
        };
        return Err(table.flaw("max_pieces", fault));
    }
    Ok(Auto { most, concavity: table.number("concavity") })
}

/// A key that has a meaning only where meshes are cut.
fn unasked(table: &View<'_>, key: &'static str, by: &str) -> Flaw {
    let because = format!("meshes are cut only where {by} asks for it");
    table.not_here(key, because, "leave it out, or ask for it")
}

/// How a mesh is stretched along its axes.
pub(crate) fn scale(table: &View<'_>) -> Vector3<f64> {
    match (table.number("scale"), table.vector("scale")) {
        (Some(all), _) => Vector3::repeat(all),
        (_, axes) => axes.unwrap_or_else(|| Vector3::repeat(1.0)),
    }
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
