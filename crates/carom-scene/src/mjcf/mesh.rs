//! Meshes, for the inertia of the solid that they bound, and for contact features where the scene asks for them.
//!
//! # Law
//! Each triangle and a point c make a tetrahedron of volume V and corners p₀ = c, p₁, p₂, p₃. Over it
//! ```text
//! ∫ dV = V = (p₁ − c) · ((p₂ − c) × (p₃ − c)) / 6                                     (1)
//! ∫ x dV = V (p₀ + p₁ + p₂ + p₃)/4                                                     (2)
//! ∫ x xᵀ dV = V/20 (Σᵢ pᵢ pᵢᵀ + s sᵀ),   s = Σᵢ pᵢ                                      (3)
//! ```
//! With signed volumes the sums do not depend on c and are those of the solid (`inertia="exact"`).
//! `inertia="legacy"`, the default, takes |V| as MuJoCo does, with c the centre of the surface for the centre of
//! mass and then with c that centre of mass for the rest: the same for solids that are star-shaped about both,
//! more for others.
//!
//! # Limits
//! `inertia="convex"` and `"shell"` are refused where the mesh gives a body its inertia.
//!
//! # Tests
//! `eq1_eq3_box` here; models with meshes in `bench/mjcf.sh`.

use super::defaults::Defaults;
use super::item::Item;
use super::settings::Settings;
use super::tag::{Reader, Tag};
use crate::convex_pieces::{Cut, convex_pieces};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::mesh_file::{Triangles, read_mesh};
use crate::solid::Solid;
use crate::source::shorten;
use crate::suggest::nearest;
use carom::spatial::{Inertia, Pose, rotation};
use nalgebra::{Matrix3, Vector3, Vector4};
use std::collections::HashMap;

/// Mass per density and moments of a solid, in the frame of its file.
#[derive(Debug, Clone, Copy)]
struct Moments {
    volume: f64,
    com: Vector3<f64>,
    /// ∫ x xᵀ dV about the centre of mass.
    second: Matrix3<f64>,
}

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
        Self { assets, fields, defaults, settings, reader, cut, known: HashMap::new() }
    }

    /// Inertia of a geom of type mesh in the frame of its body.
    pub fn inertia(
        &mut self,
        geom: &Item<'_>,
        pose: &Pose,
        (mass, density): (Option<f64>, f64),
    ) -> Result<Option<Inertia>, Flaw> {
        let wanted = geom.needed("mesh", "the name of a mesh")?;
        let tag = self.asset(geom)?;
        let m = match self.known.get(&wanted.value) {
            Some(known) => *known,
            None => {
                let found = self.moments(tag)?;
                *self.known.entry(wanted.value.clone()).or_insert(found)
            }
        };
        let density = mass.map_or(density, |mass| mass / m.volume);
        let second = m.second * density;
        let about_com = Matrix3::identity() * second.trace() - second;
        let inertia = Inertia { mass: density * m.volume, com: m.com, about_com };
        Ok(Some(inertia.in_frame(pose)))
    }

    /// The convex shapes that a geom of type mesh touches with; none if meshes touch nothing.
    pub fn solid(&mut self, geom: &Item<'_>) -> Result<Option<Solid>, Flaw> {
        let Some(cut) = self.cut else { return Ok(None) };
        let tag = self.asset(geom)?;
        let item = self.defaults.item(tag, 0)?;
        let mesh = self.vertices(&item)?;
        let pieces = convex_pieces(&mesh, cut).map_err(|(because, _)| {
            let instead = "cut it into convex pieces that share no point, or write meshes = \"hull\" or \"none\"";
            let (owner, key) = (tag.called(), "file".to_string());
            Flaw::at(tag.spot, Fault::NotHere { owner, key, because, instead })
        })?;
        Ok(Some(Solid::Mesh { pieces: pieces.into(), rounding: 0.0 }))
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
        let way = item.word("inertia", &["convex", "exact", "legacy", "shell"])?;
        if let Some(word @ ("convex" | "shell")) = way {
            let fault = Fault::NotHere {
                owner: tag.called(),
                key: "inertia".into(),
                because: format!("inertia of a {word} mesh is not computed"),
                instead: "use \"exact\" or \"legacy\", or state the inertia by <inertial>",
            };
            return Err(Flaw::value(item.spot_of("inertia"), "inertia", "", fault));
        }
        let mesh = self.vertices(&item)?;
        let moments = moments(&mesh, way == Some("exact"));
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
                let path = self.reader.path(&self.settings.mesh_path(&file.value));
                read_mesh(&path, self.reader.files, self.reader.sources)
                    .map_err(|fault| Flaw::value(file.spot, "file", "", fault))?
            }
            (None, true) => inline(item)?,
            (None, false) => return Err(item.missing("file", "an STL or OBJ file")),
        };
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
    let Some(face) = item.numbers("face", 0..=usize::MAX)? else {
        return Err(item.missing("face", "triangles: hulls of points are not computed"));
    };
    let points: Vec<_> = vertex.chunks_exact(3).map(|c| Vector3::new(c[0], c[1], c[2])).collect();
    let corners: Vec<_> =
        face.chunks_exact(3).map(|c| [c[0] as usize, c[1] as usize, c[2] as usize]).collect();
    if let Some(bad) = face.iter().find(|i| **i < 0.0 || **i >= points.len() as f64) {
        return Err(item.range("face", *bad, "numbers of vertices, from 0"));
    }
    Ok(Triangles { points, corners, ..Triangles::default() })
}

/// Equations (1) to (3), with signed volumes or their sizes.
fn moments(mesh: &Triangles, signed: bool) -> Moments {
    let corner = |t: &[usize; 3]| t.map(|i| mesh.points[i]);
    let (mut area, mut centre) = (0.0, Vector3::zeros());
    for t in &mesh.corners {
        let [a, b, c] = corner(t);
        let size = (b - a).cross(&(c - a)).norm();
        area += size;
        centre += (a + b + c) * (size / 3.0);
    }
    let centre = if area > 0.0 { centre / area } else { Vector3::zeros() };
    let (_, first, _) = sums(mesh, centre, signed);
    let com = centre + first;
    let (volume, _, second) = sums(mesh, com, signed);
    Moments { volume, com, second }
}

/// Volume, centre of mass and second moments about a point, from tetrahedra with that point.
fn sums(mesh: &Triangles, c: Vector3<f64>, signed: bool) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for t in &mesh.corners {
        let p = t.map(|i| mesh.points[i] - c);
        let v = p[0].dot(&p[1].cross(&p[2])) / 6.0;
        let v = if signed { v } else { v.abs() };
        let s: Vector3<f64> = p.iter().sum();
        volume += v;
        first += s * (v / 4.0);
        let squares: Matrix3<f64> = p.iter().map(|x| x * x.transpose()).sum();
        second += (squares + s * s.transpose()) * (v / 20.0);
    }
    let centre = if volume != 0.0 { first / volume } else { Vector3::zeros() };
    (volume, centre, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box a × b × c with one corner at p, of twelve triangles that face outward.
    fn brick(p: Vector3<f64>, edges: [f64; 3]) -> Triangles {
        let at = |i: usize| {
            let bit = |k: usize| if i >> k & 1 == 1 { edges[k] } else { 0.0 };
            p + Vector3::new(bit(0), bit(1), bit(2))
        };
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = |f: &[usize; 4]| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]];
        Triangles {
            points: (0..8).map(at).collect(),
            corners: faces.iter().flat_map(halves).collect(),
            ..Triangles::default()
        }
    }

    #[test]
    fn eq1_eq3_box() {
        let edges = [0.3, 0.5, 0.2];
        for signed in [true, false] {
            let m = moments(&brick(Vector3::new(1.0, -2.0, 0.5), edges), signed);
            assert!((m.volume - 0.03).abs() < 1e-15);
            assert!((m.com - Vector3::new(1.15, -1.75, 0.6)).norm() < 1e-14);
            let exact = Matrix3::from_diagonal(&Vector3::from(edges.map(|e| e * e / 12.0 * 0.03)));
            assert!((m.second - exact).norm() < 1e-15);
        }
    }
}
