//! The `visual` elements of a robot description.

use carom::spatial::Pose;
use carom::spatial::rotation::from_rpy;
use nalgebra::Vector3;
use roxmltree::{Document, Node};

/// What a visual element shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shown {
    /// Edges, m.
    Box(Vector3<f64>),
    /// Radius and length along z, m.
    Cylinder(f64, f64),
    /// Radius, m.
    Ball(f64),
    /// A file, and what its coordinates are multiplied by.
    File(String, Vector3<f64>),
}

/// One visual element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Visual {
    /// The link that carries it.
    pub link: String,
    /// Its place in the frame of the link.
    pub pose: Pose,
    /// What it shows.
    pub shown: Shown,
    /// Red, green, blue from 0 to 1, if the description tells.
    pub colour: Option<[f64; 3]>,
}

/// Names of the links of a description and its visual elements; nothing if it is none. The description was read for the
/// mechanics before: what is odd in a visual element is left out here.
pub(super) fn visuals(text: &str) -> (Vec<String>, Vec<Visual>) {
    let Ok(document) = Document::parse(text) else { return Default::default() };
    let robot = document.root_element();
    let (mut names, mut all) = (Vec::new(), Vec::new());
    for link in children(robot, "link") {
        let Some(name) = link.attribute("name") else { continue };
        names.push(name.to_string());
        all.extend(children(link, "visual").filter_map(|v| visual(robot, v, name)));
    }
    (names, all)
}

fn children<'a, 'i>(node: Node<'a, 'i>, name: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |n| n.is_element() && n.tag_name().name() == name)
}

fn numbers(text: Option<&str>) -> Option<Vector3<f64>> {
    let x: Vec<f64> =
        text?.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(Vector3::new(*x.first()?, *x.get(1)?, *x.get(2)?))
}

fn visual(robot: Node<'_, '_>, node: Node<'_, '_>, link: &str) -> Option<Visual> {
    let origin = children(node, "origin").next();
    let of = |word| numbers(origin.and_then(|o| o.attribute(word))).unwrap_or_default();
    let (r, turn) = (of("xyz"), of("rpy"));
    let pose = Pose::new(from_rpy(turn.x, turn.y, turn.z), r);
    let geometry = children(node, "geometry").next()?;
    let shape = geometry.children().find(Node::is_element)?;
    let number = |word| shape.attribute(word)?.trim().parse::<f64>().ok();
    let shown = match shape.tag_name().name() {
        "box" => Shown::Box(numbers(shape.attribute("size"))?),
        "cylinder" => Shown::Cylinder(number("radius")?, number("length")?),
        "sphere" => Shown::Ball(number("radius")?),
        "mesh" => {
            let scale = numbers(shape.attribute("scale")).unwrap_or(Vector3::from([1.0; 3]));
            Shown::File(shape.attribute("filename")?.into(), scale)
        }
        _ => return None,
    };
    Some(Visual { link: link.into(), pose, shown, colour: colour(robot, node) })
}

/// The colour of a visual element: its own, or that of the robot's material of the same name.
fn colour(robot: Node<'_, '_>, visual: Node<'_, '_>) -> Option<[f64; 3]> {
    let material = children(visual, "material").next()?;
    let own = |m: Node<'_, '_>| {
        numbers(
            children(m, "color")
                .next()
                .and_then(|c| c.attribute("rgba").map(str::to_string))
                .as_deref(),
        )
    };
    let name = material.attribute("name");
    let shared =
        || children(robot, "material").filter(|m| m.attribute("name") == name).find_map(own);
    own(material).or_else(shared).map(Into::into)
}
