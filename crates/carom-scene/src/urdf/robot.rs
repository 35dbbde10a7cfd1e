//! A whole robot: links and joints to parts.

use super::collision::{self, RobotMeshes};
use super::element::{Element, Grammar};
use super::joint::{RobotJoint, joint};
use super::link;
use crate::assemble::{duplicate, ordered};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{BodyPart, Given, JointPart, MotionPart, Parts, Reference};
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use crate::warning::Cautions;
use crate::xml::document;
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
    (meshes, cautions): (Option<RobotMeshes<'_, '_>>, &mut Cautions),
) -> Result<Parts, Flaw> {
    let document = document(text, source, "URDF")?;
    let node = document.root_element();
    let robot = Element { node, source, owner: "the robot".into() };
    if node.tag_name().name() != "robot" {
        let message =
            format!("the outer tag is <{}>, not <robot>", shorten(node.tag_name().name()));
        return Err(Flaw::at(robot.spot(), Fault::Syntax { format: "URDF", message }));
    }
    robot.check(&ROBOT, cautions)?;
    let mut parts = links(&robot, prefix, meshes, cautions)?;
    let joints = joints(&robot, prefix, cautions)?;
    attach(&robot, &mut parts, joints)?;
    Ok(parts)
}

fn links(
    robot: &Element<'_, '_>,
    prefix: &str,
    mut meshes: Option<RobotMeshes<'_, '_>>,
    cautions: &mut Cautions,
) -> Result<Parts, Flaw> {
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
        parts.features.extend(collision::features(
            &tag,
            (number, &name),
            meshes.as_mut(),
            cautions,
        )?);
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
            given: Given::default(),
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
        given: Given::default(),
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
