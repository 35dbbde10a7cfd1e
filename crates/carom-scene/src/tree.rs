//! What a scene file states, overrides included, before it is given a meaning.
//!
//! For programs that offer the values of a scene to be changed: where a value is stated decides by
//! which path `--set` reaches it.

use crate::error::SceneError;
use crate::files::{Format, format};
use crate::overrides;
use crate::read::mjcf_table::scene_of;
use crate::source::Sources;
use crate::toml;
use crate::value::{Node, Table, Value};
use serde_json::Value as Json;
use std::path::Path;

/// The tables of a scene file as JSON, after its overrides `path=value`. A robot description is the scene that includes
/// it from beside itself.
pub fn stated<S: AsRef<str>>(text: &str, name: &str, changes: &[S]) -> Result<Json, SceneError> {
    root(text, name, changes).map(|root| table(&root))
}

/// The same as a text, with all keys in the order of the file, which is the order of bodies and coordinates.
pub fn stated_in_order<S: AsRef<str>>(
    text: &str,
    name: &str,
    changes: &[S],
) -> Result<String, SceneError> {
    let mut out = String::new();
    write_table(&root(text, name, changes)?, &mut out);
    Ok(out)
}

/// The tree of a file after its overrides.
fn root<S: AsRef<str>>(text: &str, name: &str, changes: &[S]) -> Result<Table, SceneError> {
    let mut sources = Sources::default();
    let source = sources.add_file(name, text);
    let mut build = || {
        let mut root = match format(text, name) {
            Format::Toml => toml::parse(&sources, source)?,
            Format::Urdf => scene_of("urdf", &beside(name), source),
            Format::Mjcf => scene_of("mjcf", &beside(name), source),
        };
        for change in changes {
            overrides::apply(&mut root, &mut sources, change.as_ref())?;
        }
        Ok(root)
    };
    let built: Result<Table, crate::error::Flaw> = build();
    built.map_err(|flaw| flaw.resolve(&sources))
}

/// The name of a file as seen from its folder.
fn beside(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.into(), |n| n.to_string_lossy().into_owned())
}

fn write_table(from: &Table, out: &mut String) {
    out.push('{');
    for (k, entry) in from.entries().iter().enumerate() {
        let comma = if k > 0 { "," } else { "" };
        out.push_str(&format!("{comma}{}:", Json::from(entry.key.as_str())));
        write_node(&entry.node, out);
    }
    out.push('}');
}

fn write_node(node: &Node, out: &mut String) {
    match &node.value {
        Value::Table(inner) => write_table(inner, out),
        Value::List(list) => {
            out.push('[');
            for (k, node) in list.iter().enumerate() {
                out.push_str(if k > 0 { "," } else { "" });
                write_node(node, out);
            }
            out.push(']');
        }
        _ => out.push_str(&json(node).to_string()),
    }
}

fn table(from: &Table) -> Json {
    let entry = |e: &crate::value::Entry| (e.key.clone(), json(&e.node));
    Json::Object(from.entries().iter().map(entry).collect())
}

fn json(node: &Node) -> Json {
    match &node.value {
        Value::Text(text) => text.clone().into(),
        Value::Integer(i) => (*i).into(),
        Value::Float(x) => (*x).into(),
        Value::Flag(flag) => (*flag).into(),
        Value::Date => Json::Null,
        Value::List(list) => list.iter().map(json).collect(),
        Value::Table(inner) => table(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_are_stated_too() {
        let text = "gravity = [0, -9.81]\n[body.a]\nmass = 1\nrotation = \"20deg\"\n";
        let tree = stated(text, "a.toml", &["body.a.mass=2", "solver.until=3"]).unwrap();
        assert_eq!(tree["body"]["a"]["mass"], 2);
        assert_eq!(tree["body"]["a"]["rotation"], "20deg");
        assert_eq!(tree["gravity"][1], -9.81);
        assert_eq!(tree["solver"]["until"], 3);
        assert!(stated(text, "a.toml", &["body.a.mass"]).is_err());
        let ordered =
            stated_in_order(text, "a.toml", &["body.a.mass=2", "solver.until=3"]).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&ordered).unwrap(), tree);
        assert_eq!(
            stated_in_order("b = 1\na = [1, {c = 2}]", "x", &["0=3"; 0]).unwrap(),
            r#"{"b":1,"a":[1,{"c":2}]}"#
        );
    }

    #[test]
    fn a_robot_is_the_scene_that_includes_it() {
        let changes = ["urdf.0.floating_base=true", "solver.until=3"];
        let tree = stated_in_order("<robot/>", "robots/a.urdf", &changes).unwrap();
        assert_eq!(
            tree,
            r#"{"urdf":[{"file":"a.urdf","floating_base":true}],"solver":{"until":3}}"#
        );
        let tree = stated("<mujoco/>", "a.xml", &[""; 0]).unwrap();
        assert_eq!(tree["mjcf"][0]["file"], "a.xml");
    }
}
