//! `[[mjcf]]`: included models of MuJoCo, and such a model as a scene of its own.

use crate::convex_pieces::Cut;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::files::Files;
use crate::mjcf;
use crate::mjcf::tag::{Attribute, Reader};
use crate::parts::Parts;
use crate::read::shape::auto_of_robot;
use crate::read::view::View;
use crate::source::{Sources, Spot, shorten};
use crate::spec::run::MJCF;
use crate::suggest::nearest;
use crate::value::{Node, Table, Value};
use crate::warning::Cautions;
use std::path::Path;

/// The scene that consists of one robot file under the given key.
pub(crate) fn scene_of(key: &str, name: &str, source: usize) -> Table {
    let spot = Spot { source, start: 0, end: 0 };
    let node = |value| Node { value, spot };
    let mut robot = Table::default();
    robot.insert("file", spot, node(Value::Text(name.into())));
    let mut root = Table::default();
    root.insert(key, spot, node(Value::List(vec![node(Value::Table(robot))])));
    root
}

/// All included models, put behind the parts that are there.
pub(crate) fn models(
    scene: &View<'_>,
    (sources, files): (&mut Sources, &mut Files),
    parts: &mut Parts,
    cautions: &mut Cautions,
) -> Result<(), Flaw> {
    for table in scene.list("mjcf", &MJCF) {
        let file = table.text("file").ok_or_else(|| table.missing("file", "a path"))?;
        let source = files.source(file, sources).map_err(|fault| table.flaw("file", fault))?;
        let keyframe = table.text("keyframe").map(|name| Attribute {
            name: "keyframe".into(),
            value: name.into(),
            name_spot: table.spot,
            spot: table.spot_of("keyframe"),
        });
        let request = mjcf::Request {
            source,
            prefix: table.text("prefix").unwrap_or(""),
            place: table.pose()?,
            keyframe,
            restitution: table.number_or("restitution", 0.0),
            contacts: table.flag("contacts").unwrap_or(true),
            meshes: Cut::stated(table.text("meshes"), auto_of_robot(&table)?),
        };
        let folder = match files.is_scene(file) {
            true => String::new(),
            false => Path::new(file).parent().map_or_else(String::new, |p| p.display().to_string()),
        };
        let here = folder.clone();
        let (folders, included, texts) = (Vec::new(), Vec::new(), Vec::new());
        let reader = Reader { sources, files, folder, here, folders, included, texts };
        let mut robot = mjcf::read(&request, reader, cautions)?;
        controls(&table, &mut robot, request.prefix)?;
        parts.append(robot);
    }
    Ok(())
}

/// `ctrl`: what motors are told, by name.
fn controls(table: &View<'_>, robot: &mut Parts, prefix: &str) -> Result<(), Flaw> {
    let Some(named) = table.node("ctrl").and_then(|n| n.table()) else { return Ok(()) };
    for entry in named.entries() {
        let name = format!("{prefix}{}", entry.key);
        let Some(value) = entry.node.number() else {
            let (owner, key) = (table.owner.clone(), entry.key.clone());
            let fault = Fault::Unreadably { owner, key, expected: "a number" };
            return Err(Flaw::value(entry.node.spot, &entry.key, "", fault));
        };
        match robot.motors.iter_mut().find(|m| m.name == name || m.name == entry.key) {
            Some(motor) => motor.value = value,
            None => {
                let fault = Fault::UnknownName {
                    owner: table.owner.clone(),
                    what: "motor",
                    name: shorten(&entry.key),
                    suggestion: nearest(&entry.key, robot.motors.iter().map(|m| m.name.as_str())),
                };
                return Err(Flaw::word(entry.key_spot, fault));
            }
        }
    }
    Ok(())
}
