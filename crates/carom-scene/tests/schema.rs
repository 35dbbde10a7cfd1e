//! The JSON Schema against every shipped scene and against the reader.

mod validator;

use carom_scene::{Scene, schema};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use validator::validate;

fn scenes() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = [here.join("../../scenes"), here.join("tests/good")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

/// TOML as JSON.
fn json_of(text: &str) -> Value {
    fn convert(value: &toml::de::DeValue<'_>) -> Value {
        use toml::de::DeValue;
        match value {
            DeValue::String(text) => json!(text),
            DeValue::Integer(i) => json!(i.as_str().parse::<i64>().unwrap()),
            DeValue::Float(x) => json!(x.as_str().parse::<f64>().unwrap()),
            DeValue::Boolean(b) => json!(b),
            DeValue::Datetime(_) => Value::Null,
            DeValue::Array(list) => list.iter().map(|v| convert(v.get_ref())).collect(),
            DeValue::Table(table) => {
                table.iter().map(|(k, v)| (k.get_ref().to_string(), convert(v.get_ref()))).collect()
            }
        }
    }
    let root = toml::de::DeTable::parse(text).unwrap();
    root.get_ref().iter().map(|(k, v)| (k.get_ref().to_string(), convert(v.get_ref()))).collect()
}

#[test]
fn every_shipped_scene_loads_and_validates() {
    let files = scenes();
    assert!(files.len() >= 10);
    for file in files {
        Scene::load(&file).unwrap_or_else(|e| panic!("{}", e.report()));
        let text = std::fs::read_to_string(&file).unwrap();
        validate(&schema(), &json_of(&text)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
}

#[test]
fn the_schema_rejects_what_the_reader_rejects() {
    let cases = [
        json!({"gravty": [0, 0, -9.81]}),
        json!({"body": {"ball": {"mas": 1}}}),
        json!({"body": {"ball": {"mass": 0}}}),
        json!({"body": {"ball": {"mass": "heavy"}}}),
        json!({"body": {"ball": {"shape": "plain"}}}),
        json!({"body": {"ball": {"rotation": ["20 degrees", 0, 0]}}}),
        json!({"contact": [{"between": ["a"]}]}),
        json!({"contact": [{"restitution": 0.5}]}),
        json!({"contact": [{"between": ["a", "b"], "restitution": 1.5}]}),
        json!({"law": {"formulation": "newtn"}}),
        json!({"solver": {"max_events": 1.5}}),
        json!({"joint": {"a": {"ratio": 0}}}),
    ];
    for case in cases {
        assert!(validate(&schema(), &case).is_err(), "{case}");
    }
}

/// Keys of the table at a path of the schema.
fn keys<'a>(schema: &'a Value, table: &str) -> Vec<&'a str> {
    let place = if table == "scene" {
        &schema["properties"]
    } else {
        &schema["$defs"][table]["properties"]
    };
    place.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The reader's own list of keys, from its message about an unknown one.
fn keys_of_reader(text: &str) -> Vec<String> {
    let report = Scene::parse(text, "x.toml").unwrap_err().report();
    let line =
        report.lines().find(|l| l.contains("known are ")).unwrap_or_else(|| panic!("{report}"));
    let list = line.split("known are ").nth(1).unwrap();
    let mut keys: Vec<String> = list.split(", ").map(str::to_string).collect();
    keys.sort();
    keys
}

#[test]
fn schema_and_reader_know_the_same_keys() {
    let schema = schema();
    let tables = [
        ("scene", "xyzzy = 1"),
        ("body", "[body.a]\nxyzzy = 1"),
        ("rotation", "[body.a]\nrotation = { xyzzy = 1 }"),
        ("shape", "[body.a]\nshape = { xyzzy = 1 }"),
        ("rod", "[body.a]\nshape = { rod = { xyzzy = 1 } }"),
        ("round", "[body.a]\nshape = { capsule = { xyzzy = 1 } }"),
        ("terrain", "[body.a]\nshape = { terrain = { xyzzy = 1 } }"),
        ("plane", "[body.a]\nshape = { plane = { xyzzy = 1 } }"),
        ("feature", "[body.a.feature.b]\nxyzzy = 1"),
        ("joint", "[joint.a]\nxyzzy = 1"),
        ("inline_joint", "[body.a.joint]\nxyzzy = 1"),
        ("spring", "[joint.a]\nspring = { xyzzy = 1 }"),
        ("limits", "[joint.a]\nlimits = { xyzzy = 1 }"),
        ("mimic", "[joint.a]\nmimic = { xyzzy = 1 }"),
        ("prescribed", "[joint.a]\nprescribed = { xyzzy = 1 }"),
        ("loop", "[[loop]]\nxyzzy = 1"),
        ("anchor", "[[loop]]\na = { xyzzy = 1 }"),
        ("point_spring", "[[spring]]\nxyzzy = 1"),
        ("end", "[[spring]]\na = { xyzzy = 1 }"),
        ("load", "[[load]]\nxyzzy = 1"),
        ("actuator", "[actuator.a]\nxyzzy = 1"),
        ("controller", "[controller.a]\nxyzzy = 1"),
        ("force", "[force.a]\nxyzzy = 1"),
        ("contact", "[[contact]]\nxyzzy = 1"),
        ("pile", "[[pile]]\nxyzzy = 1"),
        ("combine", "[combine]\nxyzzy = 1"),
        ("urdf", "[[urdf]]\nxyzzy = 1"),
        ("mjcf", "[[mjcf]]\nxyzzy = 1"),
        ("initial", "[initial]\nxyzzy = 1"),
        ("motion", "[initial.body.a]\nxyzzy = 1"),
        ("law", "[law]\nxyzzy = 1"),
        ("energy_control", "[law.energy_control]\nxyzzy = 1"),
        ("solver", "[solver]\nxyzzy = 1"),
        ("output", "[output]\nxyzzy = 1"),
        ("study", "[study]\nxyzzy = 1"),
        ("vary", "[study]\nvary.a = { xyzzy = 1 }"),
    ];
    for (table, text) in tables {
        assert_eq!(keys(&schema, table), keys_of_reader(text), "{table}");
    }
    assert_eq!(schema["$defs"].as_object().unwrap().len() + 1, tables.len());
}
