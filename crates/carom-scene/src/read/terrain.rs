//! Ground: heights over a grid, a polygon, triangles, a mesh file; in the plane heights over a range and points of a line.

use super::shape::{corners, scale};
use super::view::View;
use crate::error::Flaw;
use crate::height_field::{Triangles as Mesh, height_field};
use crate::shelf::Shelf;
use crate::solid::Solid;
use crate::spec::body::TERRAIN;
use carom::model::Terrain;
use nalgebra::Vector3;

/// Most triangles.
const MOST: usize = 2_000_000;

/// The ground of a shape.
pub(crate) fn terrain(table: &View<'_>, shelf: &mut Shelf<'_>) -> Result<Solid, Flaw> {
    let Some(ground) = table.sub("terrain", &TERRAIN) else {
        return Err(table.missing("terrain", "a table with heights, outline, points or a mesh"));
    };
    let ways = ["heights", "outline", "points", "mesh"];
    let mut stated = ways.into_iter().filter(|way| ground.has(way));
    let Some(way) = stated.next() else {
        return Err(ground.missing("heights", "heights, or outline, points or a mesh"));
    };
    if let Some(second) = stated.next() {
        return Err(ground.conflict(way, second, "ground is stated once"));
    }
    for (key, of) in [("size", "heights"), ("triangles", "points"), ("scale", "mesh")] {
        if ground.has(key) && way != of {
            return Err(ground.not_here(key, format!("it belongs to {of}"), "leave it out"));
        }
    }
    if table.planar {
        return line(&ground, way);
    }
    let (points, triangles) = match way {
        "heights" => grid(&ground)?,
        "outline" => outline(&ground)?,
        "points" => listed(&ground)?,
        _ => {
            let file = ground.text("mesh").unwrap_or_default();
            let mesh = shelf.mesh(file).map_err(|fault| ground.flaw("mesh", fault))?;
            let scale = scale(&ground);
            let mut corners = mesh.corners.clone();
            if scale.product() < 0.0 {
                corners.iter_mut().for_each(|t| t.swap(1, 2));
            }
            (mesh.points.iter().map(|p| p.component_mul(&scale)).collect(), corners)
        }
    };
    if triangles.len() > MOST {
        let because = format!("{} triangles are more than {MOST}", triangles.len());
        return Err(ground.not_here(way, because, "simplify it"));
    }
    let made = Terrain::new(&points, &triangles).map_err(|fault| {
        ground.not_here(
            way,
            fault.to_string(),
            "give triangles that turn alike and share edges in pairs",
        )
    })?;
    Ok(Solid::Terrain { ground: made.into() })
}

/// Ground of the plane.
fn line(ground: &View<'_>, way: &str) -> Result<Solid, Flaw> {
    if let Some(key) = ["outline", "mesh", "triangles"].into_iter().find(|key| ground.has(key)) {
        let because = "ground of a planar scene is a line";
        return Err(ground.not_here(key, because, "write heights and a size, or points"));
    }
    let points: Vec<[f64; 2]> = match way {
        "heights" => {
            let Some(size) = ground.number("size") else {
                return Err(match ground.has("size") {
                    true => ground.not_here("size", "a line has one length", "write that along x"),
                    false => ground.missing("size", "a length in m"),
                });
            };
            let heights = ground.numbers("heights").unwrap_or_default();
            let last = heights.len() - 1;
            let at = |k: usize| size * (k as f64 / last as f64 - 0.5);
            heights.iter().enumerate().map(|(k, &height)| [at(k), height]).collect()
        }
        _ => corners(ground, "points").iter().map(|p| [p.x, p.y]).collect(),
    };
    if points.len() > MOST {
        let because = format!("{} points are more than {MOST}", points.len());
        return Err(ground.not_here(way, because, "simplify it"));
    }
    let made = Terrain::line(&points).map_err(|fault| {
        let remedy = "give points in turn, each another place, of segments that do not cross";
        ground.not_here(way, fault.to_string(), remedy)
    })?;
    Ok(Solid::Terrain { ground: made.into() })
}

/// Heights over a grid.
fn grid(ground: &View<'_>) -> Result<Mesh, Flaw> {
    let size = ground.numbers("size").ok_or_else(|| ground.missing("size", "two lengths in m"))?;
    if size.len() != 2 {
        return Err(ground.not_here("size", "a grid has two lengths", "write [along x, along y]"));
    }
    let rows = ground.node("heights").and_then(|node| node.list()).unwrap_or_default();
    let heights: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| row.list().unwrap_or_default().iter().filter_map(|n| n.number()).collect())
        .collect();
    Ok(height_field(&heights, [size[0], size[1]]))
}

/// A flat convex polygon, as a fan.
fn outline(ground: &View<'_>) -> Result<Mesh, Flaw> {
    let points = corners(ground, "outline");
    let fan: Vec<[usize; 3]> = (1..points.len() - 1).map(|k| [0, k, k + 1]).collect();
    let across =
        |t: &[usize; 3]| (points[t[1]] - points[t[0]]).cross(&(points[t[2]] - points[t[0]]));
    let sum: Vector3<f64> = fan.iter().map(across).sum();
    let n = points.len();
    let turns = (0..n).map(|k| across(&[k, (k + 1) % n, (k + 2) % n]));
    let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
    let flat = |p: &Vector3<f64>| {
        sum.dot(&(p - points[0])).abs() <= carom::model::hull::FLAT * size * sum.norm()
    };
    if sum.norm() == 0.0
        || !points.iter().all(flat)
        || !turns.into_iter().all(|t| t.dot(&sum) > 0.0)
    {
        return Err(ground.not_here(
            "outline",
            "its corners do not make a flat convex polygon, each corner a true one",
            "write points and triangles",
        ));
    }
    Ok((points, fan))
}

/// Points and triangles.
fn listed(ground: &View<'_>) -> Result<Mesh, Flaw> {
    let points = corners(ground, "points");
    if !ground.has("triangles") {
        return Err(ground.missing("triangles", "three numbers of points each"));
    }
    let whole = |x: f64| (x >= 0.0 && x.fract() == 0.0).then_some(x as usize);
    let triangle = |t: &Vector3<f64>| Some([whole(t.x)?, whole(t.y)?, whole(t.z)?]);
    let triangles: Option<Vec<_>> = corners(ground, "triangles").iter().map(triangle).collect();
    let Some(triangles) = triangles else {
        return Err(ground.not_here(
            "triangles",
            "a number is not that of a point",
            "count points from 0",
        ));
    };
    Ok((points, triangles))
}
