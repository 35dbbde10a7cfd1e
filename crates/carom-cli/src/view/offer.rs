//! The values of a scene that can be changed, found from what it states.
//!
//! The values are those in force, from the scene as it was built; the paths follow from where they
//! are stated, from the file. Where a part of a list is changed that is not stated at all, such as
//! one component of gravity, the whole list is stated first ([`Parameter::seed`]).

use carom::model::{FeatureId, Shape};
use carom_scene::{Scene, Space};
use serde_json::{Map, Value};

use super::parameter::{Parameter, key, list, number, upwards};
use super::starts::starts;

/// Names of the axes.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// All values of `scene` that can be changed; `tree` is what its file states.
pub fn offer(scene: &Scene, tree: &Value) -> Vec<Parameter> {
    let mut all = contacts(scene, tree);
    all.extend(sides(tree));
    all.extend(gravity(scene, tree));
    all.extend(planes(scene, tree));
    all.extend(starts(scene, tree));
    all.extend(bodies(tree));
    all.extend(joints(tree));
    all.extend(motors(tree));
    all.push(until(scene));
    all
}

/// The named tables under a key, such as all bodies.
pub fn tables<'a>(
    tree: &'a Value,
    name: &str,
) -> impl Iterator<Item = (&'a String, &'a Map<String, Value>)> {
    let all = tree.get(name).and_then(Value::as_object);
    all.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_object()?)))
}

/// Restitution and friction that pairs state.
fn contacts(scene: &Scene, tree: &Value) -> Vec<Parameter> {
    let list = tree.get("contact").and_then(Value::as_array);
    let mut all = Vec::new();
    for (i, table) in list.into_iter().flatten().enumerate() {
        let Some(table) = table.as_object() else { continue };
        surface(table, &format!("contact.{i}"), &contact_name(scene, table, i), &mut all);
    }
    all
}

/// The name of a contact, or its two sides.
fn contact_name(scene: &Scene, table: &Map<String, Value>, i: usize) -> String {
    if let Some(name) = table.get("name").and_then(Value::as_str) {
        return name.into();
    }
    let between = table.get("between").and_then(Value::as_array);
    let sides: Vec<&str> = between.into_iter().flatten().filter_map(Value::as_str).collect();
    match sides[..] {
        [a, b] => format!("{a} – {b}"),
        _ => scene.model.pairs().get(i).map_or_else(|| format!("contact {i}"), |p| p.name.clone()),
    }
}

/// Restitution and friction that bodies and features state for their side.
fn sides(tree: &Value) -> Vec<Parameter> {
    let mut all = Vec::new();
    for (name, body) in tables(tree, "body") {
        let path = format!("body.{}", key(name));
        surface(body, &path, name, &mut all);
        let features = body.get("feature").and_then(Value::as_object);
        for (feature, table) in features.into_iter().flatten() {
            let Some(table) = table.as_object() else { continue };
            let path = format!("{path}.feature.{}", key(feature));
            surface(table, &path, &format!("{name}.{feature}"), &mut all);
        }
    }
    all
}

/// What a table states of a surface.
fn surface(table: &Map<String, Value>, path: &str, name: &str, all: &mut Vec<Parameter>) {
    for (word, label) in [
        ("restitution", "restitution"),
        ("friction", "friction"),
        ("static_friction", "static friction"),
    ] {
        let Some(value) = table.get(word).and_then(Value::as_f64) else { continue };
        all.push(Parameter {
            path: format!("{path}.{word}"),
            label: format!("{name}: {label}"),
            value,
            unit: "",
            range: if word == "restitution" { [0.0, 1.0] } else { upwards(value, 1.0) },
            group: "contact",
            seed: None,
            grip: None,
        });
    }
}

/// The components of gravity.
fn gravity(scene: &Scene, tree: &Value) -> Vec<Parameter> {
    let size = if scene.space == Space::Planar { 2 } else { 3 };
    let g = scene.model.gravity();
    let seed =
        tree.get("gravity").is_none().then(|| format!("gravity={}", list(&g.as_slice()[..size])));
    let component = |k: usize| Parameter {
        path: format!("gravity.{k}"),
        label: format!("gravity {}", AXES[k]),
        value: g[k],
        unit: "m/s²",
        range: [-20_f64.max(2.0 * g[k].abs()), 20_f64.max(2.0 * g[k].abs())],
        group: "gravity",
        seed: seed.clone(),
        grip: None,
    };
    (0..size).map(component).collect()
}

/// Slopes of planes.
fn planes(scene: &Scene, tree: &Value) -> Vec<Parameter> {
    let mut all = Vec::new();
    for (name, body) in tables(tree, "body") {
        let path = format!("body.{}.shape", key(name));
        if let Some(shape) = body.get("shape") {
            all.extend(plane(scene, shape, &path, name));
        }
        let features = body.get("feature").and_then(Value::as_object);
        for (feature, shape) in features.into_iter().flatten() {
            let path = format!("body.{}.feature.{}", key(name), key(feature));
            all.extend(plane(scene, shape, &path, &format!("{name}.{feature}")));
        }
    }
    all
}

/// The slope of a plane, if the shape is one that slopes along x only.
fn plane(scene: &Scene, shape: &Value, path: &str, name: &str) -> Option<Parameter> {
    let id: FeatureId = scene.model.feature_named(name)?;
    let Shape::HalfSpace { normal } = scene.model.feature(id).shape else { return None };
    let planar = scene.space == Space::Planar;
    let (up, across) = if planar { (normal.y, normal.z) } else { (normal.z, normal.y) };
    let value = (0.0 - normal.x).atan2(up);
    // A wall, or a plane that leans across x, is no slope.
    if across != 0.0 || value.abs() > 1.5 {
        return None;
    }
    let seed = match (shape.as_str(), shape.get("plane").and_then(Value::as_object)) {
        (Some(_), _) => Some(format!("{path}={{ plane = {{ slope = {} }} }}", number(value))),
        (_, Some(plane)) if plane.contains_key("normal") => {
            Some(format!("{path}.plane={{ slope = {} }}", number(value)))
        }
        (_, Some(_)) => None,
        (None, None) => return None,
    };
    Some(Parameter {
        path: format!("{path}.plane.slope"),
        label: format!("{name}: slope"),
        value,
        unit: "rad",
        range: [-1.2, 1.2],
        group: "plane",
        seed,
        grip: None,
    })
}

/// Masses and densities that bodies state.
fn bodies(tree: &Value) -> Vec<Parameter> {
    let mut all = Vec::new();
    for (name, body) in tables(tree, "body") {
        for (word, unit) in [("mass", "kg"), ("density", "kg/m³")] {
            let Some(value) = body.get(word).and_then(Value::as_f64) else { continue };
            all.push(Parameter {
                path: format!("body.{}.{word}", key(name)),
                label: format!("{name}: {word}"),
                value,
                unit,
                range: [value / 10.0, value * 5.0],
                group: "body",
                seed: None,
                grip: None,
            });
        }
    }
    all
}

/// Springs, dampers and motions that joints state.
fn joints(tree: &Value) -> Vec<Parameter> {
    const NUMBERS: [(&str, &str, &str, &str); 4] = [
        ("/spring/stiffness", ".spring.stiffness", "stiffness", "N/m or N·m/rad"),
        ("/damping", ".damping", "damping", "N·s/m or N·m·s/rad"),
        ("/prescribed/amplitude", ".prescribed.amplitude", "amplitude", "m or rad"),
        ("/prescribed/frequency", ".prescribed.frequency", "frequency", "Hz"),
    ];
    let inner = tables(tree, "body").filter_map(|(name, body)| {
        Some((format!("body.{}.joint", key(name)), name.clone(), body.get("joint")?))
    });
    let outer = tree.get("joint").and_then(Value::as_object).into_iter().flatten();
    let outer = outer.map(|(name, table)| (format!("joint.{}", key(name)), name.clone(), table));
    let mut all = Vec::new();
    for (path, name, table) in inner.chain(outer) {
        let name = table.get("name").and_then(Value::as_str).map_or(name, String::from);
        for (place, end, word, unit) in NUMBERS {
            let Some(value) = table.pointer(place).and_then(Value::as_f64) else { continue };
            all.push(positive((format!("{path}{end}"), format!("{name}: {word}")), value, unit));
        }
    }
    all
}

/// Limits of motors, and gains of what they are told.
fn motors(tree: &Value) -> Vec<Parameter> {
    const NUMBERS: [(&str, &str, &str); 3] = [
        ("actuator", "limit", "N·m or N"),
        ("controller", "stiffness", "1/s² or per error"),
        ("controller", "damping", "1/s or per rate"),
    ];
    let mut all = Vec::new();
    for (table, word, unit) in NUMBERS {
        for (name, entry) in tables(tree, table) {
            let Some(value) = entry.get(word).and_then(Value::as_f64) else { continue };
            let path = format!("{table}.{}.{word}", key(name));
            all.push(positive((path, format!("{name}: {word}")), value, unit));
        }
    }
    all
}

/// A positive number of a mechanism at a path, with its label.
fn positive((path, label): (String, String), value: f64, unit: &'static str) -> Parameter {
    let range = upwards(value, f64::MIN_POSITIVE);
    Parameter { path, label, value, unit, range, group: "body", seed: None, grip: None }
}

/// How long the run is.
fn until(scene: &Scene) -> Parameter {
    let value = scene.options.solver.until;
    Parameter {
        path: "solver.until".into(),
        label: "end time".into(),
        value,
        unit: "s",
        range: [value / 10.0, value * 3.0],
        group: "solver",
        seed: None,
        grip: None,
    }
}
