//! `<replicate>`: frames written out.
//!
//! # Law
//! Copy i = 0, 1, …, count − 1 of what it holds stands in a frame of the pose
//! ```text
//! X_i = X₁ⁱ,   X₁ = T(offset) R(euler)                                               (1)
//! ```
//! and every name in it gets the ending `sep` and i, with as many digits as count has; of one inside another first that of the inner.
//! Motors, equalities and contacts that name what is copied are copied with it.
//!
//! # Tests
//! `tests/mjcf_collections.rs`: `eq1_replicate_writes_frames_out`.

use super::item::Item;
use super::orientation::orientation;
use super::settings::Settings;
use super::tag::{Attribute, Tag};
use crate::error::Flaw;
use carom::spatial::{Pose, rotation};
use nalgebra::Vector3;
use std::collections::HashSet;

/// Sections whose elements are copied with what they name.
const NAMING: &[&str] = &["actuator", "equality", "contact"];

/// More copies of one thing are a mistake.
const MOST: i64 = 10_000;

/// Names by what they name.
type Names = HashSet<(&'static str, String)>;

/// One thing that was copied: its names, and the endings that they have got.
struct Copies {
    names: Names,
    endings: Vec<String>,
}

/// Write all copies out.
pub(crate) fn replicate(model: &mut Tag, settings: &Settings) -> Result<(), Flaw> {
    let mut copied = Vec::new();
    for section in model.children.iter_mut().filter(|s| s.name == "worldbody") {
        expand(section, settings, &mut copied)?;
    }
    // Inner ones first: what names them gets their endings first.
    for copies in &copied {
        for section in model.children.iter_mut().filter(|s| NAMING.contains(&s.name.as_str())) {
            let old = std::mem::take(&mut section.children);
            section.children = old.into_iter().flat_map(|tag| follow(tag, copies)).collect();
        }
    }
    Ok(())
}

fn expand(tag: &mut Tag, settings: &Settings, copied: &mut Vec<Copies>) -> Result<(), Flaw> {
    for child in &mut tag.children {
        expand(child, settings, copied)?;
    }
    let old = std::mem::take(&mut tag.children);
    for child in old {
        match child.name.as_str() {
            "replicate" => tag.children.extend(copies(child, settings, copied)?),
            _ => tag.children.push(child),
        }
    }
    Ok(())
}

/// The frames of one `<replicate>`, equation (1).
fn copies(tag: Tag, settings: &Settings, copied: &mut Vec<Copies>) -> Result<Vec<Tag>, Flaw> {
    let item = Item::plain(&tag);
    let count = item.needed("count", "a whole number").and_then(|_| item.whole("count", 0))?;
    if !(1..=MOST).contains(&count) {
        return Err(item.range("count", count as f64, "a whole number from 1 to 10000"));
    }
    let offset = item.vector("offset")?.unwrap_or_else(Vector3::zeros);
    let step = Pose::new(orientation(&item, settings)?, offset);
    let (sep, digits) = (item.text("sep").unwrap_or(""), count.to_string().len());
    let endings: Vec<String> = (0..count).map(|i| format!("{sep}{i:0digits$}")).collect();
    let mut at = Pose::identity();
    let mut frames = Vec::new();
    for ending in &endings {
        let mut frame = framed(&tag, &at);
        frame.children = tag.children.clone();
        frame.children.iter_mut().for_each(|child| end_names(child, ending));
        frames.push(frame);
        at = at.then(&step);
    }
    let mut names = Names::new();
    tag.children.iter().for_each(|child| collect(child, &mut names));
    copied.push(Copies { names, endings });
    Ok(frames)
}

/// A `<frame>` in place of a tag, of a pose.
fn framed(tag: &Tag, at: &Pose) -> Tag {
    let written = |name: &str, numbers: &[f64]| {
        let value: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        Attribute { name: name.into(), value: value.join(" "), name_spot: tag.spot, spot: tag.spot }
    };
    let Q = rotation::to_quaternion(&at.R);
    let mut attributes = vec![written("pos", at.r.as_slice()), written("quat", Q.as_slice())];
    attributes.extend(tag.attribute("childclass").cloned());
    Tag { name: "frame".into(), spot: tag.spot, attributes, children: Vec::new() }
}

/// What the name of a tag in a body names.
fn sort_of(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "body" => "body",
        "joint" | "freejoint" => "joint",
        "geom" => "geom",
        "site" => "site",
        _ => return None,
    })
}

/// What an attribute of a motor, an equality or a contact names.
fn named_by(attribute: &str) -> Option<&'static str> {
    Some(match attribute {
        "body" | "body1" | "body2" => "body",
        "joint" | "joint1" | "joint2" | "jointinparent" => "joint",
        "geom1" | "geom2" => "geom",
        "site" | "site1" | "site2" | "refsite" | "cranksite" | "slidersite" => "site",
        _ => return None,
    })
}

fn collect(tag: &Tag, names: &mut Names) {
    if let (Some(sort), Some(name)) = (sort_of(&tag.name), tag.text("name")) {
        names.insert((sort, name.to_string()));
    }
    tag.children.iter().for_each(|child| collect(child, names));
}

fn end_names(tag: &mut Tag, ending: &str) {
    for attribute in tag.attributes.iter_mut().filter(|a| a.name == "name") {
        attribute.value.push_str(ending);
    }
    tag.children.iter_mut().for_each(|child| end_names(child, ending));
}

/// A tag that may name what was copied: as it is, or its copies.
fn follow(tag: Tag, copies: &Copies) -> Vec<Tag> {
    let follows = |a: &Attribute| {
        named_by(&a.name).is_some_and(|sort| copies.names.contains(&(sort, a.value.clone())))
    };
    if !tag.attributes.iter().any(follows) {
        return vec![tag];
    }
    let copy = |ending: &String| {
        let mut copy = tag.clone();
        for attribute in &mut copy.attributes {
            if attribute.name == "name" || follows(attribute) {
                attribute.value.push_str(ending);
            }
        }
        copy
    };
    copies.endings.iter().map(copy).collect()
}
