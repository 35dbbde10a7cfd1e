//! What a scene file states, overrides included, before it is given a meaning.
//!
//! For programs that offer the values of a scene to be changed: where a value is stated decides by
//! which path `--set` reaches it.

use crate::error::SceneError;
use crate::files::is_urdf;
use crate::overrides;
use crate::source::Sources;
use crate::toml;
use crate::value::{Node, Table, Value};
use serde_json::Value as Json;

/// The tables of a scene file as JSON, after its overrides `path=value`. A robot description has
/// none of its own: what is left are the overrides.
pub fn stated<S: AsRef<str>>(text: &str, name: &str, changes: &[S]) -> Result<Json, SceneError> {
    let mut sources = Sources::default();
    let source = sources.add_file(name, text);
    let mut build = || {
        let mut root = match is_urdf(text, name) {
            true => Table::default(),
            false => toml::parse(&sources, source)?,
        };
        for change in changes {
            overrides::apply(&mut root, &mut sources, change.as_ref())?;
        }
        Ok(root)
    };
    let built: Result<Table, crate::error::Flaw> = build();
    built.map(|root| table(&root)).map_err(|flaw| flaw.resolve(&sources))
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
        assert_eq!(
            stated("<robot/>", "a.urdf", &["solver.until=3"]).unwrap()["solver"]["until"],
            3
        );
    }
}
