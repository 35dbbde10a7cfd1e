//! A whole robot: links and joints to parts.

use super::collision;
use super::element::{Element, Grammar};
use super::joint::{RobotJoint, joint};
use super::link;
use crate::assemble::{duplicate, ordered};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{BodyPart, JointPart, MotionPart, Parts, Reference};
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use crate::warning::Cautions;
use carom::model::JointKind;
use carom::spatial::{Inertia, Pose};
use std::collections::HashMap;

const ROBOT: Grammar = Grammar {
    tags: &["link", "joint", "material"],
    left_out: &[
        ("transmission", "motors are stated in the scene: ratio, rotor_inertia"),
        ("gazebo", "it belongs to another simulator"),
        ("ros2_control", "it belongs to a controller"),
        ("sensor", "sensors are not simulated"),
    ],
    silent: &[],
    attributes: &["name", "version"],
    foreign: &[],
};

/// Read a robot; every name gets the prefix. The root link is fixed to the world for now.
pub(crate) fn read(
    text: &str,
    source: usize,
    prefix: &str,
    cautions: &mut Cautions,
) -> Result<Parts, Flaw> {
    if let Some(at) = crowded(text) {
        let message = format!("a tag has more than {MOST_ATTRIBUTES} attributes");
        let spot = Spot { source, start: at, end: at };
        return Err(Flaw::at(spot, Fault::Syntax { format: "URDF", message }));
    }
    let document = roxmltree::Document::parse(text).map_err(|fault| {
        let at = offset(text, fault.pos());
        let spot = Spot { source, start: at, end: at };
        // The parser repeats the place, which is shown anyway.
        let text = fault.to_string();
        let message = match text.rsplit_once(" at ") {
            Some((message, place)) if place.starts_with(|c: char| c.is_ascii_digit()) => message,
            _ => text.as_str(),
        };
        Flaw::at(spot, Fault::Syntax { format: "XML", message: shorten(message) })
    })?;
    let node = document.root_element();
    let robot = Element { node, source, owner: "the robot".into() };
    if node.tag_name().name() != "robot" {
        let message =
            format!("the outer tag is <{}>, not <robot>", shorten(node.tag_name().name()));
        return Err(Flaw::at(robot.spot(), Fault::Syntax { format: "URDF", message }));
    }
    robot.check(&ROBOT, cautions)?;
    let mut parts = links(&robot, prefix, cautions)?;
    let joints = joints(&robot, prefix, cautions)?;
    attach(&robot, &mut parts, joints)?;
    Ok(parts)
}

/// Attributes of a tag at most: the parser compares each with all others.
const MOST_ATTRIBUTES: usize = 1000;

/// Where a tag begins that has too many attributes, if one has.
fn crowded(text: &str) -> Option<usize> {
    let mut rest = 0;
    while let Some(open) = text[rest..].find('<').map(|i| rest + i) {
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>")];
        if let Some((head, end)) = skipped.iter().find(|(head, _)| text[open..].starts_with(head)) {
            let body = open + head.len();
            rest = body + text[body..].find(end)? + end.len();
            continue;
        }
        let (mut quote, mut count, mut length) = (None, 0, 0);
        for byte in text[open..].bytes() {
            length += 1;
            match (quote, byte) {
                (Some(q), b) if b == q => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => count += 1,
                (None, b'>') => break,
                _ => {}
            }
            if count > MOST_ATTRIBUTES {
                return Some(open);
            }
        }
        rest = open + length;
    }
    None
}

/// Byte of a line and column of the parser.
fn offset(text: &str, at: roxmltree::TextPos) -> usize {
    let line = text.split_inclusive('\n').take((at.row as usize).saturating_sub(1));
    let start: usize = line.map(str::len).sum();
    let rest = &text[start..];
    let column = (at.col as usize).saturating_sub(1);
    start + rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i)
}

fn links(robot: &Element<'_, '_>, prefix: &str, cautions: &mut Cautions) -> Result<Parts, Flaw> {
    let mut parts = Parts::default();
    let mut first: HashMap<String, Spot> = HashMap::new();
    for tag in robot.all("link") {
        let name = format!("{prefix}{}", tag.needed_text("name")?);
        let tag = Element { owner: format!("link `{}`", shorten(&name)), ..tag };
        let spot = tag.spot_of("name");
        if let Some(before) = first.insert(name.clone(), spot) {
            return Err(duplicate("link", &name, spot, before));
        }
        let (inertia, doubt, inertia_spot) = link::inertia(&tag, &name, cautions)?;
        let number = parts.bodies.len();
        parts.features.extend(collision::features(&tag, (number, &name), cautions)?);
        let joint = JointPart::new(&name, spot, JointKind::Fixed, Pose::identity());
        parts.bodies.push(BodyPart {
            name,
            spot,
            inertia_spot,
            inertia,
            doubt,
            joint,
            is_fixed_root: true,
            motion: MotionPart::default(),
        });
    }
    if parts.bodies.is_empty() {
        return Err(robot.missing("tag", "link", "at least one tag <link name=\"…\">"));
    }
    Ok(parts)
}

fn joints(
    robot: &Element<'_, '_>,
    prefix: &str,
    cautions: &mut Cautions,
) -> Result<Vec<RobotJoint>, Flaw> {
    let mut joints = Vec::new();
    let mut first: HashMap<String, Spot> = HashMap::new();
    for tag in robot.all("joint") {
        let owner = match tag.text("name") {
            Some(name) => format!("joint `{prefix}{}`", shorten(name)),
            None => "a joint".to_string(),
        };
        let found = joint(&Element { owner, ..tag }, prefix, cautions)?;
        if let Some(before) = first.insert(found.part.name.clone(), found.part.spot) {
            return Err(duplicate("joint", &found.part.name, found.part.spot, before));
        }
        joints.push(found);
    }
    Ok(joints)
}

/// Hang every child link on its joint; exactly one link must stay without.
fn attach(robot: &Element<'_, '_>, parts: &mut Parts, joints: Vec<RobotJoint>) -> Result<(), Flaw> {
    let numbers: HashMap<String, usize> =
        parts.bodies.iter().enumerate().map(|(i, b)| (b.name.clone(), i)).collect();
    let find = |reference: &Reference, joint: &str| {
        numbers.get(&reference.name).copied().ok_or_else(|| {
            let mut known: Vec<&str> = numbers.keys().map(String::as_str).collect();
            known.sort_unstable();
            let fault = Fault::UnknownName {
                owner: format!("joint `{}`", shorten(joint)),
                what: "link",
                name: shorten(&reference.name),
                suggestion: nearest(&reference.name, known),
            };
            Flaw::word(reference.spot, fault)
        })
    };
    let names: Vec<String> = joints.iter().map(|j| j.part.name.clone()).collect();
    for joint in joints {
        find(&joint.parent, &joint.part.name)?;
        let child = find(&joint.child, &joint.part.name)?;
        let body = &parts.bodies[child];
        if !body.is_fixed_root {
            let fault = Fault::TwoParents {
                what: "link",
                body: body.name.clone(),
                first: body.joint.name.clone(),
                second: joint.part.name,
            };
            return Err(Flaw::word(joint.child.spot, fault).also(body.joint.spot));
        }
        parts.bodies[child].is_fixed_root = false;
        hang(parts, child, joint);
    }
    check_root(robot, parts)?;
    // The joint of the root has the name of the link, unless another joint has it.
    if let Some(root) = parts.bodies.iter_mut().find(|b| b.is_fixed_root) {
        while names.contains(&root.joint.name) {
            root.joint.name.push_str(".base");
        }
    }
    Ok(())
}

/// Put a joint before a body. A planar joint across another axis than z gets a massless body whose
/// z is the axis; the link sits on it, turned back.
fn hang(parts: &mut Parts, child: usize, joint: RobotJoint) {
    let Some(R) = joint.turn else {
        parts.bodies[child].joint = joint.part;
        return;
    };
    let mut plane = joint.part;
    plane.placement = plane.placement.then(&Pose::rotation(R));
    let link = &mut parts.bodies[child];
    let (spot, name) = (link.spot, format!("{}.plane", link.name));
    let mut back = JointPart::new(
        &format!("{}.turn", plane.name),
        plane.spot,
        JointKind::Fixed,
        Pose::rotation(R.transpose()),
    );
    back.parent = Some(Reference { name: name.clone(), spot });
    link.joint = back;
    parts.bodies.push(BodyPart {
        name,
        spot,
        inertia_spot: spot,
        inertia: Inertia::massless(),
        doubt: None,
        joint: plane,
        is_fixed_root: false,
        motion: MotionPart::default(),
    });
}

fn check_root(robot: &Element<'_, '_>, parts: &Parts) -> Result<(), Flaw> {
    let roots: Vec<&BodyPart> = parts.bodies.iter().filter(|b| b.is_fixed_root).collect();
    match roots[..] {
        [_] => Ok(()),
        // Every link is carried by another one: the order of assembly finds and names the ring.
        [] => Err(ordered(parts).err().unwrap_or_else(|| robot.missing("tag", "link", "a root"))),
        [first, second, ..] => {
            let names = roots.iter().map(|b| b.name.clone()).collect();
            Err(Flaw::at(second.spot, Fault::SeveralRoots { roots: names }).also(first.spot))
        }
    }
}
