//! COLLADA: geometries where the nodes of the scene put them, one mesh per material.
//!
//! The unit of the file is honoured; `up_axis` is not, as in the usual viewers of robots, whose descriptions are written
//! for these.

use super::mesh::Mesh;
use super::obj::fan;
use nalgebra::{Matrix4, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node};

/// Nodes within nodes, at most.
const DEPTH: usize = 64;

/// The meshes of a file.
pub(super) fn read(text: &str) -> Result<Vec<Mesh>, String> {
    let document = Document::parse(text).map_err(|fault| fault.to_string())?;
    let root = document.root_element();
    let unit =
        child(root, "asset").and_then(|a| child(a, "unit")).and_then(|u| u.attribute("meter"));
    let metre: f64 = unit.and_then(|u| u.parse().ok()).unwrap_or(1.0);
    let start = Matrix4::new_scaling(metre);
    let mut meshes = Vec::new();
    let scenes = root.descendants().filter(|n| n.has_tag_name_of("visual_scene"));
    for scene in scenes {
        nodes(scene, &start, DEPTH, &mut meshes);
    }
    if meshes.is_empty() {
        // A file without a scene has its geometries as they are.
        for geometry in root.descendants().filter(|n| n.has_tag_name_of("geometry")) {
            meshes.extend(geometry_meshes(geometry, &start));
        }
    }
    Ok(meshes)
}

/// Tags by their local names: files differ in namespaces.
trait Tagged {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Tagged for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|n| n.has_tag_name_of(name))
}

fn numbers(node: Node<'_, '_>) -> Vec<f64> {
    let words = node.text().unwrap_or_default().split_ascii_whitespace();
    words.map(|word| word.parse().unwrap_or(f64::NAN)).collect()
}

/// The element that `#id` names.
fn named<'a, 'i>(node: Node<'a, 'i>, url: Option<&str>) -> Option<Node<'a, 'i>> {
    let id = url?.strip_prefix('#')?;
    node.document().descendants().find(|n| n.attribute("id") == Some(id))
}

/// Geometries of a node and of those within it.
fn nodes(parent: Node<'_, '_>, X: &Matrix4<f64>, depth: usize, meshes: &mut Vec<Mesh>) {
    if depth == 0 {
        return;
    }
    for node in parent.children().filter(|n| n.has_tag_name_of("node")) {
        let placed = X * placement(node);
        for instance in node.children() {
            let of = |name: &str| instance.has_tag_name_of(name);
            let Some(target) = named(node, instance.attribute("url")) else { continue };
            if of("instance_geometry") {
                meshes.extend(geometry_meshes(target, &placed));
            } else if of("instance_node") {
                nodes(target, &placed, depth - 1, meshes);
            }
        }
        nodes(node, &placed, depth - 1, meshes);
    }
}

/// The product of the transforms of a node, in their order.
fn placement(node: Node<'_, '_>) -> Matrix4<f64> {
    let mut X = Matrix4::identity();
    for part in node.children().filter(Node::is_element) {
        let x = numbers(part);
        X *= match (part.tag_name().name(), x.len()) {
            ("matrix", 16) => Matrix4::from_row_slice(&x),
            ("translate", 3) => Matrix4::new_translation(&Vector3::new(x[0], x[1], x[2])),
            ("scale", 3) => Matrix4::new_nonuniform_scaling(&Vector3::new(x[0], x[1], x[2])),
            ("rotate", 4) => {
                let axis = Vector3::new(x[0], x[1], x[2]);
                match Unit::try_new(axis, f64::MIN_POSITIVE) {
                    Some(axis) => {
                        Rotation3::from_axis_angle(&axis, x[3].to_radians()).to_homogeneous()
                    }
                    None => continue,
                }
            }
            _ => continue,
        };
    }
    X
}

/// The polygons of a geometry, by their materials.
fn geometry_meshes(geometry: Node<'_, '_>, X: &Matrix4<f64>) -> Vec<Mesh> {
    let Some(mesh) = child(geometry, "mesh") else { return Vec::new() };
    mesh.children().filter_map(|part| polygons(mesh, part, X)).collect()
}

fn polygons(mesh: Node<'_, '_>, part: Node<'_, '_>, X: &Matrix4<f64>) -> Option<Mesh> {
    let kind = part.tag_name().name();
    if !matches!(kind, "triangles" | "polylist" | "polygons") {
        return None;
    }
    let inputs: Vec<Node> = part.children().filter(|n| n.has_tag_name_of("input")).collect();
    let offset = |n: &Node| n.attribute("offset").and_then(|o| o.parse::<usize>().ok());
    let stride = inputs.iter().filter_map(offset).max().unwrap_or(0) + 1;
    let input = inputs.iter().find(|n| n.attribute("semantic") == Some("VERTEX"))?;
    let at = offset(input).unwrap_or(0);
    let points = positions(named(mesh, input.attribute("source"))?, X)?;
    let lists = part.children().filter(|n| n.has_tag_name_of("p"));
    let indices: Vec<Vec<u32>> = lists
        .map(|p| numbers(p).chunks(stride).filter_map(|c| Some(*c.get(at)? as u32)).collect())
        .collect();
    let mut triangles = Vec::new();
    match (kind, child(part, "vcount")) {
        ("triangles", _) => {
            triangles = indices.concat().chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        }
        ("polylist", Some(counts)) => {
            let (all, mut from) = (indices.concat(), 0_usize);
            for count in numbers(counts).iter().map(|n| *n as usize) {
                fan(all.get(from..from.checked_add(count)?)?, &mut triangles);
                from += count;
            }
        }
        _ => indices.iter().for_each(|corners| fan(corners, &mut triangles)),
    }
    Some(Mesh { points, triangles, colour: colour(part) })
}

/// The points behind an input `VERTEX`.
fn positions(vertices: Node<'_, '_>, X: &Matrix4<f64>) -> Option<Vec<Vector3<f64>>> {
    let input = vertices.children().find(|n| n.attribute("semantic") == Some("POSITION"));
    let source = named(vertices, input?.attribute("source"))?;
    let array = numbers(child(source, "float_array")?);
    let accessor = source.descendants().find(|n| n.has_tag_name_of("accessor"));
    let stride: usize =
        accessor.and_then(|a| a.attribute("stride")).and_then(|s| s.parse().ok()).unwrap_or(3);
    let point =
        |c: &[f64]| Some(X.transform_point(&[*c.first()?, *c.get(1)?, *c.get(2)?].into()).coords);
    array.chunks_exact(stride.max(3)).map(point).collect()
}

/// The diffuse colour of a part's material. Materials are bound by symbols that nearly always are their names.
fn colour(part: Node<'_, '_>) -> Option<[f64; 3]> {
    let symbol = part.attribute("material")?;
    let all = || part.document().descendants();
    let bound = all()
        .find(|n| n.has_tag_name_of("instance_material") && n.attribute("symbol") == Some(symbol));
    let material = match bound {
        Some(bound) => named(part, bound.attribute("target"))?,
        None => {
            all().find(|n| n.has_tag_name_of("material") && n.attribute("id") == Some(symbol))?
        }
    };
    let effect = named(part, child(material, "instance_effect")?.attribute("url"))?;
    let diffuse = effect.descendants().find(|n| n.has_tag_name_of("diffuse"))?;
    let rgba = numbers(child(diffuse, "color")?);
    Some([*rgba.first()?, *rgba.get(1)?, *rgba.get(2)?])
}
