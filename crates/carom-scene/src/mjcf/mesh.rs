//! Meshes: the triangles of a file or of the model itself, for inertia ([`super::moments`]), for shapes that are fitted to them, and for
//! contact features where the scene asks for them.
//!
//! # Rule
//! Coordinates count as MuJoCo keeps them, in single precision; what is computed from them is not. Points without triangles stand for
//! their hull.
//!
//! # Limits
//! The hull of few corners (`maxhullvert`) is the whole one here; where the inertia depends on it the mesh is refused.
//!
//! # Tests
//! `tests/mjcf_collections.rs`; models with meshes in `bench/mjcf.sh`.

use super::defaults::Defaults;
use super::item::Item;
use super::moments::{Meant, Moments, moments};
use super::settings::Settings;
use super::tag::{Reader, Tag};
use crate::convex_pieces::{Cut, OF_ROBOTS, Standing, convex_pieces};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::mesh_file::{Triangles, read_cloud};
use crate::solid::Solid;
use crate::source::shorten;
use crate::suggest::nearest;
use carom::model::Hull;
use carom::spatial::{Inertia, Pose, rotation};
use nalgebra::{Matrix3, Vector3, Vector4};
use std::collections::HashMap;

/// The meshes of a model, read where a geom needs them.
pub(crate) struct Meshes<'a, 'r> {
    pub assets: HashMap<String, &'a Tag>,
    /// Height fields.
    pub fields: HashMap<String, &'a Tag>,
    pub defaults: &'a Defaults<'a>,
    pub settings: &'a Settings,
    pub reader: &'a mut Reader<'r>,
    /// What meshes are as contact features.
    pub cut: Option<Cut>,
    known: HashMap<String, Moments>,
    standing: HashMap<String, Solid>,
}

impl<'a, 'r> Meshes<'a, 'r> {
    /// The meshes that a model declares.
    pub fn new(
        model: &'a Tag,
        defaults: &'a Defaults<'a>,
        settings: &'a Settings,
        (reader, cut): (&'a mut Reader<'r>, Option<Cut>),
    ) -> Self {
        let declared = model.all("asset").flat_map(|section| section.all("mesh"));
        let assets = declared.filter_map(|tag| Some((name(tag)?, tag))).collect();
        let declared = model.all("asset").flat_map(|section| section.all("hfield"));
        let fields = declared.filter_map(|tag| Some((name(tag)?, tag))).collect();
        let (known, standing) = (HashMap::new(), HashMap::new());
        Self { assets, fields, defaults, settings, reader, cut, known, standing }
    }

    /// Inertia of a geom of type mesh in the frame of its body.
    pub fn inertia(
        &mut self,
        geom: &Item<'_>,
        pose: &Pose,
        (mass, density): (Option<f64>, f64),
    ) -> Result<Option<Inertia>, Flaw> {
        let m = self.moments_of(geom)?;
        let density = mass.map_or(density, |mass| mass / m.volume);
        let second = m.second * density;
        let about_com = Matrix3::identity() * second.trace() - second;
        let inertia = Inertia { mass: density * m.volume, com: m.com, about_com };
        Ok(Some(inertia.in_frame(pose)))
    }

    /// The frame and the half edges of the box of equation (5) of `moments.rs`.
    pub fn fitted(&mut self, geom: &Item<'_>) -> Result<(Pose, [f64; 3]), Flaw> {
        Ok(self.moments_of(geom)?.box_of_inertia())
    }

    fn moments_of(&mut self, geom: &Item<'_>) -> Result<Moments, Flaw> {
        let wanted = geom.needed("mesh", "the name of a mesh")?;
        let tag = self.asset(geom)?;
        if let Some(known) = self.known.get(&wanted.value) {
            return Ok(*known);
        }
        let found = self.moments(tag)?;
        Ok(*self.known.entry(wanted.value.clone()).or_insert(found))
    }

    /// The convex shapes that a geom of type mesh touches with; none if meshes touch nothing.
    pub fn solid(&mut self, geom: &Item<'_>) -> Result<Option<Solid>, Flaw> {
        let Some(cut) = self.cut else { return Ok(None) };
        let wanted = geom.needed("mesh", "the name of a mesh")?.value.clone();
        if let Some(known) = self.standing.get(&wanted) {
            return Ok(Some(known.clone()));
        }
        let tag = self.asset(geom)?;
        let item = self.defaults.item(tag, 0)?;
        let mesh = self.vertices(&item)?;
        let standing = convex_pieces(&mesh, cut).map_err(|(because, instead)| {
            let instead = if matches!(cut, Cut::Auto(_)) { instead } else { OF_ROBOTS };
            let (owner, key) = (tag.called(), "file".to_string());
            Flaw::at(tag.spot, Fault::NotHere { owner, key, because, instead })
        })?;
        let Standing { pieces, found } = standing;
        let solid = Solid::Mesh { pieces: pieces.into(), rounding: 0.0, found };
        self.standing.insert(wanted, solid.clone());
        Ok(Some(solid))
    }

    /// The asset that a geom names.
    fn asset(&self, geom: &Item<'_>) -> Result<&'a Tag, Flaw> {
        let wanted = geom.needed("mesh", "the name of a mesh")?;
        let Some(&tag) = self.assets.get(&wanted.value) else {
            let mut known: Vec<&str> = self.assets.keys().map(String::as_str).collect();
            known.sort_unstable();
            let fault = Fault::UnknownName {
                owner: geom.tag.called(),
                what: "mesh",
                name: shorten(&wanted.value),
                suggestion: nearest(&wanted.value, known),
            };
            return Err(Flaw::word(wanted.spot, fault));
        };
        Ok(tag)
    }

    fn moments(&mut self, tag: &'a Tag) -> Result<Moments, Flaw> {
        let item = self.defaults.item(tag, 0)?;
        let meant = match item.word("inertia", &["convex", "exact", "legacy", "shell"])? {
            Some("convex") => Meant::Convex,
            Some("exact") => Meant::Exact,
            Some("shell") => Meant::Shell,
            _ => Meant::Legacy,
        };
        if meant == Meant::Convex && item.has("maxhullvert") {
            let fault = Fault::NotHere {
                owner: tag.called(),
                key: "maxhullvert".into(),
                because: "the inertia of a hull of few corners is not computed".into(),
                instead: "leave it out, or state the inertia of the body by <inertial>",
            };
            return Err(Flaw::value(item.spot_of("maxhullvert"), "maxhullvert", "", fault));
        }
        let mesh = self.vertices(&item)?;
        let none = Moments { volume: 0.0, com: Vector3::zeros(), second: Matrix3::zeros() };
        let moments = moments(&mesh, meant).unwrap_or(none);
        if moments.volume > 0.0 && moments.volume.is_finite() {
            return Ok(moments);
        }
        let (owner, key) = (tag.called(), "file".to_string());
        let allowed = "a mesh that bounds a volume > 0, its triangles facing outward".to_string();
        let fault = Fault::Range { owner, key, value: moments.volume, allowed };
        Err(Flaw::word(item.spot_of("file"), fault))
    }

    /// The triangles of a mesh, moved and scaled.
    fn vertices(&mut self, item: &Item<'_>) -> Result<Triangles, Flaw> {
        let mut mesh = match (item.tag.attribute("file"), item.has("vertex")) {
            (Some(file), _) => {
                let path = self.reader.asset(&self.settings.mesh_path(&file.value), file);
                read_cloud(&path, self.reader.files, self.reader.sources)
                    .map_err(|fault| Flaw::value(file.spot, "file", "", fault))?
            }
            (None, true) => inline(item)?,
            (None, false) => return Err(made(item)),
        };
        for p in &mut mesh.points {
            *p = p.map(|x| f64::from(x as f32));
        }
        if mesh.corners.is_empty() {
            mesh = hull(&mesh.points).ok_or_else(|| {
                let (owner, key) = (item.tag.called(), "vertex".to_string());
                let because = "its points lie in a plane".to_string();
                let instead = "give points around a volume, or triangles";
                Flaw::at(item.tag.spot, Fault::NotHere { owner, key, because, instead })
            })?;
        }
        let shift = item.vector("refpos")?.unwrap_or_else(Vector3::zeros);
        let turn = item.numbers("refquat", 4..=4)?.map_or(Matrix3::identity(), |q| {
            rotation::from_quaternion(&Vector4::from_iterator(q).normalize()).transpose()
        });
        let scale = item.vector("scale")?.unwrap_or_else(|| Vector3::repeat(1.0));
        for p in &mut mesh.points {
            *p = (turn * (*p - shift)).component_mul(&scale);
        }
        if scale.product() < 0.0 {
            mesh.corners.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(mesh)
    }
}

/// The name of a mesh: the one that it has, or that of its file.
fn name(tag: &Tag) -> Option<String> {
    let of_file = || {
        let file = tag.text("file")?.rsplit(['/', '\\']).next()?;
        Some(file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string())
    };
    tag.text("name").map(str::to_string).or_else(of_file)
}

/// A mesh that is written into the model.
fn inline(item: &Item<'_>) -> Result<Triangles, Flaw> {
    let vertex = item.numbers("vertex", 0..=usize::MAX)?.unwrap_or_default();
    let face = item.numbers("face", 0..=usize::MAX)?.unwrap_or_default();
    let points: Vec<_> = vertex.chunks_exact(3).map(|c| Vector3::new(c[0], c[1], c[2])).collect();
    let corners: Vec<_> =
        face.chunks_exact(3).map(|c| [c[0] as usize, c[1] as usize, c[2] as usize]).collect();
    if let Some(bad) = face.iter().find(|i| **i < 0.0 || **i >= points.len() as f64) {
        return Err(item.range("face", *bad, "numbers of vertices, from 0"));
    }
    Ok(Triangles { points, corners, ..Triangles::default() })
}

/// The hull of some points as triangles; none if they lie in a plane.
fn hull(points: &[Vector3<f64>]) -> Option<Triangles> {
    let hull = Hull::of(points)?;
    let fan = |(_, f): &(Vector3<f64>, Vec<usize>)| -> Vec<[usize; 3]> {
        (1..f.len() - 1).map(|k| [f[0], f[k], f[k + 1]]).collect()
    };
    let corners = hull.faces.iter().flat_map(fan).collect();
    Some(Triangles { points: hull.corners, corners, ..Triangles::default() })
}

/// A mesh of neither a file nor points.
fn made(item: &Item<'_>) -> Flaw {
    let plugin = item.tag.children.iter().find(|child| child.name == "plugin");
    let (key, spot) = match (item.attribute("builtin"), plugin) {
        (Some(builtin), _) => ("builtin", builtin.spot),
        (None, Some(plugin)) => ("plugin", plugin.spot),
        (None, None) => return item.missing("file", "an STL or OBJ file"),
    };
    let because = "meshes that a program makes are not made here".to_string();
    let instead = "write its points and triangles, or an STL or OBJ file";
    let (owner, key) = (item.tag.called(), key.to_string());
    Flaw::at(spot, Fault::NotHere { owner, key, because, instead })
}
