//! COLLADA (DAE): the polygons of a scene where its nodes put them.
//!
//! Each instance of a geometry is an object of its own. The unit of the file is honoured; `up_axis` is not, as in the usual
//! programs for robots, whose descriptions are written for these. Lines and points are no triangles and are passed over;
//! triangle strips and fans, and geometries that are no meshes, are faults.
//!
//! By hand: what is needed of the format are 150 lines on the XML parser that robot files need anyway, with its positions in
//! every message. No crate was measured against it.
//!
//! # Tests
//! Here: `a_scene_of_nodes`, `faults_of_collada`; and `crates/carom-report/tests/looks.rs`.

use super::Triangles;
use nalgebra::{Matrix4, Rotation3, Unit, Vector3};
use roxmltree::Node;

/// Nodes within nodes, at most.
const DEPTH: usize = 64;

/// Triangles at most: instances of instances multiply.
const MOST_TRIANGLES: usize = 10_000_000;

/// The triangles of a text.
pub(super) fn read(text: &str) -> Result<Triangles, String> {
    let document =
        crate::xml::document(text, 0, "COLLADA").map_err(|flaw| flaw.fault.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(format!("the outer tag is <{}>, not <COLLADA>", root.tag_name().name()));
    }
    let unit = child(root, "asset").and_then(|a| child(a, "unit"));
    let metre = match unit.and_then(|u| u.attribute("meter")) {
        Some(text) => text.trim().parse().ok().filter(|m: &f64| m.is_finite() && *m > 0.0),
        None => Some(1.0),
    };
    let metre = metre.ok_or("`meter` of <unit> is no number > 0")?;
    let start = Matrix4::new_scaling(metre);
    let mut reader = Reader { found: Triangles::default(), object: 0 };
    for scene in root.descendants().filter(|n| is(n, "visual_scene")) {
        reader.nodes(scene, &start, DEPTH)?;
    }
    if reader.object == 0 {
        // A file without a scene has its geometries as they are.
        for geometry in root.descendants().filter(|n| is(n, "geometry")) {
            reader.geometry(geometry, &start)?;
        }
    }
    let Reader { mut found, object } = reader;
    if object < 2 {
        found.objects.clear();
    }
    if found.colours.iter().all(Option::is_none) {
        found.colours.clear();
    }
    Ok(found)
}

/// Tags by their local names: files differ in namespaces.
fn is(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|n| is(n, name))
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

fn bad(node: Node<'_, '_>, what: &str) -> String {
    format!("line {}: <{}> {what}", line(node), node.tag_name().name())
}

fn numbers<T: std::str::FromStr>(node: Node<'_, '_>) -> Result<Vec<T>, String> {
    let words = node.text().unwrap_or_default().split_ascii_whitespace();
    let all: Option<Vec<T>> = words.map(|word| word.parse().ok()).collect();
    all.ok_or_else(|| bad(node, "holds something that is no number"))
}

/// The element that `#id` names.
fn named<'a, 'i>(node: Node<'a, 'i>, key: &str) -> Result<Node<'a, 'i>, String> {
    let url = node.attribute(key).ok_or_else(|| bad(node, &format!("has no `{key}`")))?;
    let id = url.strip_prefix('#').unwrap_or(url);
    let found = node.document().descendants().find(|n| n.attribute("id") == Some(id));
    found.ok_or_else(|| bad(node, &format!("names `{url}`, which is not in the file")))
}

struct Reader {
    found: Triangles,
    object: usize,
}

impl Reader {
    /// Geometries of a node and of those within it.
    fn nodes(
        &mut self,
        parent: Node<'_, '_>,
        X: &Matrix4<f64>,
        depth: usize,
    ) -> Result<(), String> {
        if depth == 0 {
            return Err(bad(parent, "holds nodes too deep within each other"));
        }
        for node in parent.children().filter(|n| is(n, "node")) {
            self.node(node, X, depth)?;
        }
        Ok(())
    }

    fn node(&mut self, node: Node<'_, '_>, X: &Matrix4<f64>, depth: usize) -> Result<(), String> {
        let placed = X * placement(node)?;
        for instance in node.children() {
            if is(&instance, "instance_geometry") {
                self.geometry(named(instance, "url")?, &placed)?;
            } else if is(&instance, "instance_node") {
                if depth == 1 {
                    return Err(bad(instance, "leads too deep"));
                }
                self.node(named(instance, "url")?, &placed, depth - 1)?;
            }
        }
        self.nodes(node, &placed, depth - 1)
    }

    /// The polygons of a geometry.
    fn geometry(&mut self, geometry: Node<'_, '_>, X: &Matrix4<f64>) -> Result<(), String> {
        let mesh = child(geometry, "mesh").ok_or_else(|| bad(geometry, "is no <mesh>"))?;
        for part in mesh.children().filter(Node::is_element) {
            match part.tag_name().name() {
                "triangles" | "polylist" | "polygons" => self.polygons(part, X)?,
                "tristrips" | "trifans" => return Err(bad(part, "is not read; use triangles")),
                _ => {}
            }
        }
        self.object += 1;
        Ok(())
    }

    fn polygons(&mut self, part: Node<'_, '_>, X: &Matrix4<f64>) -> Result<(), String> {
        let inputs: Vec<Node> = part.children().filter(|n| is(n, "input")).collect();
        let offset = |n: &Node| n.attribute("offset").and_then(|o| o.parse::<usize>().ok());
        let stride = inputs.iter().filter_map(offset).max().unwrap_or(0).saturating_add(1);
        let input = inputs.iter().find(|n| n.attribute("semantic") == Some("VERTEX"));
        let input = input.ok_or_else(|| bad(part, "has no input VERTEX"))?;
        let at = offset(input).unwrap_or(0);
        let points = positions(named(*input, "source")?, X)?;
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for p in part.children().filter(|n| is(n, "p")) {
            let all: Vec<usize> = numbers(p)?;
            if !all.len().is_multiple_of(stride) {
                return Err(bad(p, &format!("is no multiple of {stride} numbers")));
            }
            let own: Vec<usize> = all.chunks_exact(stride).map(|c| c[at]).collect();
            if let Some(beyond) = own.iter().find(|i| **i >= points.len()) {
                return Err(bad(p, &format!("names point {beyond} of {}", points.len())));
            }
            lists.push(own);
        }
        let mut triangles = Vec::new();
        match (part.tag_name().name(), child(part, "vcount")) {
            ("triangles", _) => {
                let all = lists.concat();
                if !all.len().is_multiple_of(3) {
                    return Err(bad(part, "has a triangle without three corners"));
                }
                triangles.extend(all.chunks_exact(3).map(|t| [t[0], t[1], t[2]]));
            }
            ("polylist", Some(counts)) => {
                let (all, mut from) = (lists.concat(), 0_usize);
                for count in numbers::<usize>(counts)? {
                    let corners = from.checked_add(count).and_then(|to| all.get(from..to));
                    fan(
                        corners.ok_or_else(|| bad(counts, "counts more corners than there are"))?,
                        &mut triangles,
                    );
                    from += count;
                }
            }
            ("polylist", None) => return Err(bad(part, "has no <vcount>")),
            _ => lists.iter().for_each(|corners| fan(corners, &mut triangles)),
        }
        self.keep(&points, triangles, colour(part), X)
    }

    fn keep(
        &mut self,
        points: &[Vector3<f64>],
        triangles: Vec<[usize; 3]>,
        colour: Option<[f64; 3]>,
        X: &Matrix4<f64>,
    ) -> Result<(), String> {
        let found = &mut self.found;
        if found.corners.len() + triangles.len() > MOST_TRIANGLES {
            return Err(format!("it holds more than {MOST_TRIANGLES} triangles"));
        }
        let first = found.points.len();
        found.points.extend_from_slice(points);
        // A mirror turns triangles inside out.
        let mirrored = X.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        for mut t in triangles {
            if mirrored {
                t.swap(1, 2);
            }
            found.corners.push(t.map(|i| first + i));
            found.objects.push(self.object);
            found.colours.push(colour);
        }
        Ok(())
    }
}

/// A polygon as triangles about its first corner.
fn fan(corners: &[usize], triangles: &mut Vec<[usize; 3]>) {
    for pair in corners.get(1..).unwrap_or_default().windows(2) {
        triangles.push([corners[0], pair[0], pair[1]]);
    }
}

/// The product of the transforms of a node, in their order.
fn placement(node: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let mut X = Matrix4::identity();
    for part in node.children().filter(Node::is_element) {
        let name = part.tag_name().name();
        let wanted = match name {
            "matrix" => 16,
            "translate" | "scale" => 3,
            "rotate" => 4,
            "lookat" | "skew" => return Err(bad(part, "is not read; use <matrix>")),
            _ => continue,
        };
        let x: Vec<f64> = numbers(part)?;
        if x.len() != wanted {
            return Err(bad(part, &format!("has {wanted} numbers")));
        }
        X *= match name {
            "matrix" => Matrix4::from_row_slice(&x),
            "translate" => Matrix4::new_translation(&Vector3::new(x[0], x[1], x[2])),
            "scale" => Matrix4::new_nonuniform_scaling(&Vector3::new(x[0], x[1], x[2])),
            _ => {
                let axis = Unit::try_new(Vector3::new(x[0], x[1], x[2]), f64::MIN_POSITIVE);
                let axis = axis.ok_or_else(|| bad(part, "has no axis"))?;
                Rotation3::from_axis_angle(&axis, x[3].to_radians()).to_homogeneous()
            }
        };
    }
    Ok(X)
}

/// The points behind an input `VERTEX`.
fn positions(vertices: Node<'_, '_>, X: &Matrix4<f64>) -> Result<Vec<Vector3<f64>>, String> {
    let input = vertices.children().find(|n| n.attribute("semantic") == Some("POSITION"));
    let input = input.ok_or_else(|| bad(vertices, "has no input POSITION"))?;
    let source = named(input, "source")?;
    let array = child(source, "float_array");
    let array = array.ok_or_else(|| bad(source, "has no <float_array>"))?;
    let numbers: Vec<f64> = numbers(array)?;
    let accessor = source.descendants().find(|n| is(n, "accessor"));
    let stride = accessor.and_then(|a| a.attribute("stride")).map_or(Some(3), |s| s.parse().ok());
    let stride: usize = stride
        .filter(|s| *s >= 3)
        .ok_or_else(|| bad(source, "has points of less than 3 numbers"))?;
    let point = |c: &[f64]| X.transform_point(&[c[0], c[1], c[2]].into()).coords;
    Ok(numbers.chunks_exact(stride).map(point).collect())
}

/// The diffuse colour of a part's material, if it has one. Materials are bound by symbols that nearly always are their names.
fn colour(part: Node<'_, '_>) -> Option<[f64; 3]> {
    let symbol = part.attribute("material")?;
    let all = || part.document().descendants();
    let bound = all().find(|n| is(n, "instance_material") && n.attribute("symbol") == Some(symbol));
    let material = match bound {
        Some(bound) => named(bound, "target").ok()?,
        None => all().find(|n| is(n, "material") && n.attribute("id") == Some(symbol))?,
    };
    let effect = named(child(material, "instance_effect")?, "url").ok()?;
    let diffuse = effect.descendants().find(|n| is(n, "diffuse"))?;
    let rgba: Vec<f64> = numbers(child(diffuse, "color")?).ok()?;
    Some([*rgba.first()?, *rgba.get(1)?, *rgba.get(2)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron of four triangles, in centimetres, twice: shifted, and turned and mirrored.
    fn file() -> String {
        "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'>
         <asset><unit meter='0.01'/></asset>
         <library_geometries><geometry id='g'><mesh>
         <source id='s'><float_array id='a' count='12'>0 0 0 100 0 0 0 100 0 0 0 100</float_array>
         <technique_common><accessor source='#a' count='4' stride='3'/></technique_common></source>
         <vertices id='v'><input semantic='POSITION' source='#s'/></vertices>
         <polylist count='2'><input semantic='VERTEX' source='#v' offset='0'/>
         <input semantic='NORMAL' source='#n' offset='1'/><vcount>3 3</vcount>
         <p>0 0 2 0 1 0 0 0 1 0 3 0</p></polylist>
         <triangles count='2'><input semantic='VERTEX' source='#v' offset='0'/>
         <p>0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
         <library_visual_scenes><visual_scene>
         <node><translate>200 0 0</translate><instance_geometry url='#g'/></node>
         <node><rotate>0 0 1 90</rotate><scale>-1 1 1</scale><instance_geometry url='#g'/></node>
         </visual_scene></library_visual_scenes></COLLADA>"
            .into()
    }

    #[test]
    fn a_scene_of_nodes() {
        let found = read(&file()).unwrap();
        assert_eq!(found.corners.len(), 8);
        assert_eq!(found.objects, [0, 0, 0, 0, 1, 1, 1, 1]);
        let near = |p: &Vector3<f64>, x: [f64; 3]| (p - Vector3::from(x)).norm() < 1e-15;
        let corner = |t: usize, k: usize| &found.points[found.corners[t][k]];
        // The last triangle of each: corners 1, 2, 3 of the file.
        assert!(near(corner(3, 0), [3.0, 0.0, 0.0]) && near(corner(3, 2), [2.0, 0.0, 1.0]));
        // x → −x, then turned by 90°: (1, 0, 0) → (0, −1, 0), (0, 1, 0) → (−1, 0, 0).
        assert!(near(corner(7, 0), [0.0, -1.0, 0.0]));
        // Both have the same volume, and both enclose it: the mirror keeps the outside outside.
        for object in 0..2 {
            let volume: f64 = (4 * object..4 * object + 4)
                .map(|t| corner(t, 0).dot(&corner(t, 1).cross(corner(t, 2))) / 6.0)
                .sum();
            assert!((volume - 1.0 / 6.0).abs() < 1e-15, "{object}: {volume}");
        }
    }

    #[test]
    fn faults_of_collada() {
        for (from, to, part) in [
            ("#v' offset='0'/>\n         <p>", "#w' offset='0'/>\n         <p>", "`#w`"),
            ("0 3 2 1 2 3", "0 3 2 1 2 4", "names point 4 of 4"),
            ("0 3 2 1 2 3", "0 3 2 1 2", "three corners"),
            ("<vcount>3 3", "<vcount>3 4", "counts more"),
            ("meter='0.01'", "meter='0'", "meter"),
            ("200 0 0", "200 0", "<translate> has 3 numbers"),
            ("0 0 1 90", "0 0 0 90", "no axis"),
            ("100 0 0 0 100", "1x0 0 0 0 100", "no number"),
            ("<COLLADA", "<COLADA", ""),
        ] {
            let text = file().replacen(from, to, 1);
            assert_ne!(text, file(), "{from}");
            let fault = read(&text).unwrap_err();
            assert!(fault.contains(part), "{fault}");
        }
    }
}
