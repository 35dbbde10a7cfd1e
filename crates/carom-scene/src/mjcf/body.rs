//! Bodies: the chain of their joints, their inertia, their geoms.
//!
//! # Law
//! Joints of one body act in the order in which they are written. With the anchor a of a joint in the
//! frame of the body, T(a) the shift by it, and X the frame of the body before the joint moves,
//! ```text
//! X ← X T(a) R(axis, angle) T(−a)   hinge and ball                                (1)
//! X ← X T(axis · position)          slide                                        (2)
//! ```
//! so that each joint but the last carries a massless body BODY.JOINT, and the last the body itself,
//! behind a fixed joint where its anchor is not the origin. Coordinates have MuJoCo's order.
//!
//! # Tests
//! `tests/mjcf.rs`: `eq1_eq2_several_joints`.

use super::defaults::Defaults;
use super::geom::{Geom, geom};
use super::inertia::{geoms_weigh, inertia};
use super::item::Item;
use super::joint::{ModelJoint, joint};
use super::left_out::LeftOut;
use super::mesh::Meshes;
use super::orientation::pose;
use super::settings::{Settings, prefixed};
use super::tag::Tag;
use crate::assemble::duplicate;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{At, BodyPart, Given, JointPart, MotionPart, Reference, Turn};
use crate::source::Spot;
use carom::model::JointKind;
use carom::spatial::{Inertia, Pose};
use nalgebra::Vector3;
use std::collections::{HashMap, HashSet};

/// A body as MJCF sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelBody {
    /// Number of its part.
    pub part: usize,
    /// The body that its rigid part moves with; none is the world.
    pub weld: Option<usize>,
    /// The body that carries that rigid part.
    pub weld_parent: Option<usize>,
    /// Where the file writes it, in the world.
    pub place: Pose,
}

/// A site with a name.
#[derive(Debug, Clone)]
pub(crate) struct ModelSite {
    pub name: String,
    /// Name of its body; none is the world.
    pub body: Option<String>,
    /// The site in the frame of its body.
    pub placement: Pose,
}

/// A joint in its place, in MuJoCo's order.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    /// Number of the part that it carries.
    pub part: usize,
    pub joint: ModelJoint,
}

/// A tag that waits to be read, with its class and the frame around it.
struct Entry<'a> {
    tag: &'a Tag,
    class: usize,
    frame: Pose,
}

/// What a body holds, frames flattened.
#[derive(Default)]
struct Contents<'a> {
    joints: Vec<Entry<'a>>,
    geoms: Vec<Entry<'a>>,
    bodies: Vec<Entry<'a>>,
    sites: Vec<Entry<'a>>,
    inertial: Option<&'a Tag>,
}

/// The tree of bodies while it is read.
pub(crate) struct Tree<'a> {
    pub settings: &'a Settings,
    pub defaults: &'a Defaults<'a>,
    pub prefix: &'a str,
    pub left_out: &'a mut LeftOut,
    pub parts: Vec<BodyPart>,
    /// Bodies by their names, prefix included; the world is one of them.
    pub bodies: HashMap<String, ModelBody>,
    pub geoms: Vec<Geom>,
    pub sites: Vec<ModelSite>,
    pub seats: Vec<Seat>,
    /// Names of joints that are written or were given.
    names: HashSet<String>,
}

impl<'a> Tree<'a> {
    /// An empty tree; all names of joints of the model are taken.
    pub fn new(
        model: &Tag,
        (settings, defaults): (&'a Settings, &'a Defaults<'a>),
        prefix: &'a str,
        left_out: &'a mut LeftOut,
    ) -> Self {
        let mut names = HashSet::new();
        let mut open: Vec<&Tag> = model.all("worldbody").collect();
        while let Some(tag) = open.pop() {
            if matches!(tag.name.as_str(), "joint" | "freejoint") {
                names.extend(tag.text("name").map(|name| prefixed(prefix, name)));
            }
            open.extend(tag.children.iter());
        }
        Self {
            settings,
            defaults,
            prefix,
            left_out,
            parts: Vec::new(),
            bodies: HashMap::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            seats: Vec::new(),
            names,
        }
    }

    /// Everything under `<worldbody>`, which sits at `place`.
    pub fn world(
        &mut self,
        tag: &'a Tag,
        place: &Pose,
        meshes: &mut Meshes<'_, '_>,
    ) -> Result<(), Flaw> {
        let class = self.defaults.inside(tag, 0)?;
        let mut contents = Contents::default();
        self.collect(tag, class, *place, &mut contents)?;
        let name = prefixed(self.prefix, "world");
        if let Some(entry) = contents.joints.first() {
            let because = "the world does not move".to_string();
            return Err(not_here(entry.tag, because, "put it into a body"));
        }
        if !contents.geoms.is_empty() && !self.bodies.contains_key(&name) {
            let joint = self.fixed(&name, tag.spot, Pose::identity());
            self.push(&name, tag.spot, joint, None)?;
        }
        let part = self.bodies.get(&name).map_or(0, |body| body.part);
        for entry in &contents.geoms {
            let item = self.defaults.item(entry.tag, entry.class)?;
            self.left_out.geom(&item);
            self.geoms.push(geom(&item, (part, &entry.frame, false), self.settings, meshes)?);
        }
        self.keep_sites(&contents, None)?;
        for entry in contents.bodies {
            self.body(&entry, None, meshes)?;
        }
        Ok(())
    }

    /// A body and all that it carries.
    fn body(
        &mut self,
        entry: &Entry<'a>,
        parent: Option<(&str, ModelBody)>,
        meshes: &mut Meshes<'_, '_>,
    ) -> Result<(), Flaw> {
        let tag = entry.tag;
        let item = Item::plain(tag);
        self.left_out.body(&item);
        let name = match tag.text("name") {
            Some(name) => prefixed(self.prefix, name),
            None => prefixed(self.prefix, &format!("body{}", self.bodies.len() + 1)),
        };
        let class = self.defaults.inside(tag, entry.class)?;
        let mut contents = Contents::default();
        self.collect(tag, class, Pose::identity(), &mut contents)?;
        let at = entry.frame.then(&pose(&item, self.settings)?);
        let joints = self.joints(&contents, &name)?;
        let moves = !joints.is_empty();
        let part = self.chain((&name, tag.spot), at, joints, parent.map(|p| p.0))?;
        let above = parent.and_then(|p| p.1.weld);
        let place = parent.map_or(at, |p| p.1.place.then(&at));
        let (weld, weld_parent) = match moves {
            true => (Some(part), above),
            false => (above, parent.and_then(|p| p.1.weld_parent)),
        };
        let body = ModelBody { part, weld, weld_parent, place };
        self.keep_sites(&contents, Some(&name))?;
        self.bodies.insert(name.clone(), body);
        let first = self.geoms.len();
        let weigh = geoms_weigh(contents.inertial, self.settings);
        for entry in &contents.geoms {
            let item = self.defaults.item(entry.tag, entry.class)?;
            self.left_out.geom(&item);
            self.geoms.push(geom(&item, (part, &entry.frame, weigh), self.settings, meshes)?);
        }
        let (own, spot) = inertia(contents.inertial, &self.geoms[first..], tag, self.settings)?;
        (self.parts[part].inertia, self.parts[part].inertia_spot) = (own, spot);
        for entry in contents.bodies {
            self.body(&entry, Some((&name, body)), meshes)?;
        }
        Ok(())
    }

    /// What a body holds, with the tags of its frames in their places.
    fn collect(
        &mut self,
        tag: &'a Tag,
        class: usize,
        frame: Pose,
        into: &mut Contents<'a>,
    ) -> Result<(), Flaw> {
        for child in &tag.children {
            let entry = Entry { tag: child, class, frame };
            match child.name.as_str() {
                "joint" | "freejoint" => into.joints.push(entry),
                "geom" => into.geoms.push(entry),
                "body" => into.bodies.push(entry),
                "inertial" => match into.inertial.replace(child) {
                    None => {}
                    Some(_) => {
                        let (first, second) = ("<inertial>", "<inertial>");
                        let reason = "a body has one inertia";
                        return Err(Item::plain(child).conflict(first, second, reason));
                    }
                },
                "frame" => {
                    let inner = frame.then(&pose(&Item::plain(child), self.settings)?);
                    let class = self.defaults.inside(child, class)?;
                    self.collect(child, class, inner, into)?;
                }
                "site" => into.sites.push(entry),
                "camera" | "light" => {}
                "plugin" => {
                    let why = "plugins are programs of MuJoCo";
                    self.left_out.tell("<plugin> of a body", tag.called(), why, child.spot);
                }
                "flexcomp" | "composite" => {
                    let because = "bodies are rigid here".to_string();
                    return Err(not_here(child, because, "leave it out"));
                }
                other => {
                    let because = format!("<{other}> takes bodies from another model");
                    let instead = "save the model with MuJoCo, which writes them out";
                    return Err(not_here(child, because, instead));
                }
            }
        }
        Ok(())
    }

    /// Sites by their names, which loops may join.
    fn keep_sites(&mut self, contents: &Contents<'a>, body: Option<&str>) -> Result<(), Flaw> {
        for entry in &contents.sites {
            let Some(name) = entry.tag.text("name") else { continue };
            let item = self.defaults.item(entry.tag, entry.class)?;
            let placement = entry.frame.then(&pose(&item, self.settings)?);
            let (name, body) = (name.to_string(), body.map(str::to_string));
            self.sites.push(ModelSite { name, body, placement });
        }
        Ok(())
    }

    fn joints(&mut self, contents: &Contents<'a>, body: &str) -> Result<Vec<ModelJoint>, Flaw> {
        let mut joints = Vec::new();
        for entry in &contents.joints {
            let item = self.defaults.item(entry.tag, entry.class)?;
            self.left_out.joint(&item);
            let name = match entry.tag.text("name") {
                Some(name) => prefixed(self.prefix, name),
                None => self.free_name(body),
            };
            joints.push(joint(&item, &name, &entry.frame, self.settings)?);
        }
        let free = |j: &ModelJoint| j.part.kind == JointKind::Free;
        if joints.len() > 1
            && let Some(bad) = joints.iter().position(free)
        {
            let because = "a body with a free joint has no other joint".to_string();
            return Err(not_here(contents.joints[bad].tag, because, "leave one of them out"));
        }
        Ok(joints)
    }

    /// A name for a joint that has none.
    fn free_name(&mut self, body: &str) -> String {
        let mut name = body.to_string();
        let mut number = 1;
        while !self.names.insert(name.clone()) {
            number += 1;
            name = format!("{body}.{number}");
        }
        name
    }

    fn fixed(&mut self, body: &str, spot: Spot, placement: Pose) -> JointPart {
        let name = self.free_name(body);
        JointPart::new(&name, spot, JointKind::Fixed, placement)
    }

    /// The parts of one body, equations (1) and (2); the number of the last.
    fn chain(
        &mut self,
        (name, spot): (&str, Spot),
        pose: Pose,
        joints: Vec<ModelJoint>,
        parent: Option<&str>,
    ) -> Result<usize, Flaw> {
        let mut carrier = parent.map(str::to_string);
        let mut at = pose;
        let count = joints.len();
        for (k, mut joint) in joints.into_iter().enumerate() {
            let (a, spot_of_joint) = (joint.anchor, joint.part.spot);
            let last = k + 1 == count && a == Vector3::zeros();
            let own = match last {
                true => name.to_string(),
                false => format!("{name}.{}", joint.part.name),
            };
            if joint.part.kind == JointKind::Free && parent.is_some() {
                let fault = Fault::NotHere {
                    owner: format!("body `{name}`"),
                    key: "freejoint".into(),
                    because: "another body carries it".into(),
                    instead: "only bodies of the world may be free",
                };
                return Err(Flaw::word(spot_of_joint, fault));
            }
            let given = given(&joint, &at, spot_of_joint);
            if joint.part.kind != JointKind::Free {
                joint.part.placement = at.then(&Pose::translation(a));
            }
            let mut part = joint.part.clone();
            part.parent = carrier.map(|name| Reference { name, spot });
            let number = self.push(&own, spot, part, None)?;
            self.parts[number].given = given;
            self.seats.push(Seat { part: number, joint });
            carrier = Some(own);
            at = Pose::translation(-a);
            if last {
                return Ok(number);
            }
        }
        let mut joint = self.fixed(name, spot, at);
        joint.parent = carrier.map(|name| Reference { name, spot });
        self.push(name, spot, joint, None)
    }

    fn push(
        &mut self,
        name: &str,
        spot: Spot,
        joint: JointPart,
        body: Option<ModelBody>,
    ) -> Result<usize, Flaw> {
        if let Some(before) = self.bodies.get(name) {
            return Err(duplicate("body", name, spot, self.parts[before.part].spot));
        }
        let part = self.parts.len();
        self.parts.push(BodyPart {
            name: name.into(),
            spot,
            inertia_spot: spot,
            inertia: Inertia::massless(),
            doubt: None,
            joint,
            is_fixed_root: false,
            motion: MotionPart::default(),
            given: Given::default(),
        });
        let world = ModelBody { part, weld: None, weld_parent: None, place: Pose::identity() };
        self.bodies.insert(name.into(), body.unwrap_or(world));
        Ok(part)
    }
}

/// The start that the file itself gives a joint.
fn given(joint: &ModelJoint, at: &Pose, spot: Spot) -> Given {
    let mut given = Given::default();
    if joint.part.kind == JointKind::Free {
        let turn = Turn { R: at.R, angle: None };
        given.motion.position = Some(At { value: at.r, spot });
        given.motion.rotation = Some(At { value: turn, spot });
    } else if joint.part.is_single() {
        given.angle = Some(0.0);
    }
    given
}

fn not_here(tag: &Tag, because: String, instead: &'static str) -> Flaw {
    let (owner, key) = ("the body".to_string(), format!("<{}>", tag.name));
    Flaw::word(tag.spot, Fault::NotHere { owner, key, because, instead })
}
