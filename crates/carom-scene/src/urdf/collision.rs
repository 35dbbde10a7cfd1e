//! Collision shapes as contact features.

use super::element::{Element, Grammar};
use super::link::z_to_x;
use crate::convex_pieces::{Cut, OF_ROBOTS, Standing};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{FeaturePart, Material};
use crate::shelf::Shelf;
use crate::solid::Solid;
use crate::warning::{Caution, Cautions};
use carom::spatial::Pose;
use nalgebra::Vector3;

const COLLISION: Grammar = Grammar {
    tags: &["origin", "geometry"],
    left_out: &[("verbose", "it has no meaning in URDF")],
    silent: &["material"],
    attributes: &["name"],
    foreign: &[],
};

const GEOMETRY: Grammar = Grammar {
    tags: &["sphere", "box", "cylinder", "capsule", "mesh"],
    left_out: &[],
    silent: &[],
    attributes: &[],
    foreign: &["name"],
};

const fn shape(attributes: &'static [&'static str]) -> Grammar {
    Grammar { tags: &[], left_out: &[], silent: &[], attributes, foreign: &[] }
}

/// How collision meshes become features.
pub(crate) struct RobotMeshes<'r, 's> {
    pub cut: Cut,
    /// The robot file, beside which they lie.
    pub robot: &'r str,
    pub shelf: &'r mut Shelf<'s>,
}

impl RobotMeshes<'_, '_> {
    fn solid(&mut self, tag: &Element<'_, '_>) -> Result<Solid, Flaw> {
        let name = tag.needed_text("filename")?;
        let spot = tag.spot_of("filename");
        let path = self.shelf.of_robot(self.robot, name.trim());
        let mesh = self.shelf.mesh(&path).map_err(|fault| Flaw::at(spot, fault))?;
        let scale = tag.vector("scale")?.unwrap_or_else(|| Vector3::repeat(1.0));
        let standing =
            self.shelf.hulls((&path, &mesh), scale, self.cut).map_err(|(because, instead)| {
                let fault = Fault::NotHere {
                    owner: tag.owner.clone(),
                    key: "filename".into(),
                    because,
                    instead: if matches!(self.cut, Cut::Auto(_)) { instead } else { OF_ROBOTS },
                };
                Flaw::at(spot, fault)
            })?;
        let Standing { pieces, found } = standing;
        Ok(Solid::Mesh { pieces: pieces.into(), rounding: 0.0, found })
    }
}

/// The contact features of a link with the given number and name.
pub(crate) fn features(
    link: &Element<'_, '_>,
    (number, name): (usize, &str),
    mut meshes: Option<&mut RobotMeshes<'_, '_>>,
    cautions: &mut Cautions,
) -> Result<Vec<FeaturePart>, Flaw> {
    let mut found = Vec::new();
    for collision in link.all("collision") {
        collision.check(&COLLISION, cautions)?;
        let pose = collision.origin(cautions)?;
        match solid(&collision, link, meshes.as_deref_mut(), cautions)? {
            Some((solid, turn)) => found.push((collision, pose.then(&turn), solid)),
            None => continue,
        }
    }
    let several = found.len() > 1;
    let mut parts: Vec<FeaturePart> = Vec::new();
    for (i, (collision, pose, solid)) in found.iter().enumerate() {
        let own = collision.text("name").map(str::trim).filter(|n| !n.is_empty() && *n != name);
        let mut group = match own {
            Some(own) => format!("{name}.{own}"),
            None if several => format!("{name}.{}", i + 1),
            None => name.to_string(),
        };
        // Exporters repeat names; a number keeps them apart.
        if parts.iter().any(|p| p.group == group) {
            group = format!("{group}.{}", i + 1);
        }
        for (suffix, shape) in solid.features() {
            parts.push(FeaturePart {
                name: format!("{group}{suffix}"),
                group: group.clone(),
                spot: collision.spot(),
                body: number,
                placement: *pose,
                shape,
                approximates: solid.approximation(),
                material: Material::default(),
            });
        }
    }
    Ok(parts)
}

/// The solid of a collision, and how it is turned against URDF's convention; none for a mesh that is left out.
fn solid(
    collision: &Element<'_, '_>,
    link: &Element<'_, '_>,
    meshes: Option<&mut RobotMeshes<'_, '_>>,
    cautions: &mut Cautions,
) -> Result<Option<(Solid, Pose)>, Flaw> {
    let geometry = collision.needed("geometry", "a tag <geometry>")?;
    geometry.check(&GEOMETRY, cautions)?;
    let mut shapes = GEOMETRY.tags.iter().flat_map(|tag| geometry.all(tag));
    let Some(tag) = shapes.next() else {
        return Err(geometry.missing(
            "tag",
            "sphere",
            "one of sphere, box, cylinder, capsule, mesh",
        ));
    };
    if let Some(second) = shapes.next() {
        let fault = Fault::Conflict {
            owner: geometry.owner.clone(),
            first: format!("<{}>", tag.node.tag_name().name()),
            second: format!("<{}>", second.node.tag_name().name()),
            reason: "a geometry holds one shape",
        };
        return Err(Flaw::at(second.spot(), fault).also(tag.spot()));
    }
    let straight = Pose::identity();
    Ok(Some(match tag.node.tag_name().name() {
        "sphere" => {
            tag.check(&shape(&["radius"]), cautions)?;
            (Solid::Sphere { radius: tag.length("radius")? }, straight)
        }
        "box" => {
            tag.check(&shape(&["size"]), cautions)?;
            (Solid::Box { edges: box_edges(&tag)? }, straight)
        }
        "mesh" => {
            tag.check(&shape(&["filename", "scale"]), cautions)?;
            if let Some(meshes) = meshes {
                return Ok(Some((meshes.solid(&tag)?, straight)));
            }
            tag.needed_text("filename")?;
            cautions.push((Caution::Mesh { owner: link.owner.clone() }, tag.spot()));
            return Ok(None);
        }
        round => {
            tag.check(&shape(&["radius", "length"]), cautions)?;
            let (radius, length) = (tag.length("radius")?, tag.length("length")?);
            match round {
                "capsule" => (Solid::Capsule { radius, length }, z_to_x()),
                _ => (Solid::Cylinder { radius, length }, straight),
            }
        }
    }))
}

fn box_edges(tag: &Element<'_, '_>) -> Result<[f64; 3], Flaw> {
    let size = tag.vector("size")?.ok_or_else(|| tag.missing("attribute", "size", "3 lengths"))?;
    match size.iter().find(|x| **x <= 0.0) {
        Some(&x) => Err(tag.range("size", x, "three numbers > 0")),
        None => Ok(size.into()),
    }
}
