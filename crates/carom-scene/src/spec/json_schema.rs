//! The format as JSON Schema (draft 2020-12), for editors.
//!
//! What a schema cannot say (that names exist, that exactly one shape is given, that planar scenes
//! have two coordinates) is checked by the reader only.

use super::kind::{Field, Kind, Range, TableSpec};
use super::scene::{ALL, SCENE};
use serde_json::{Map, Value, json};

/// The JSON Schema of scenes.
pub fn schema() -> Value {
    let mut root = table(&SCENE);
    let defs: Map<String, Value> =
        ALL.iter().skip(1).map(|(name, spec)| ((*name).to_string(), table(spec))).collect();
    if let Value::Object(map) = &mut root {
        map.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
        map.insert("title".into(), json!("carom scene"));
        map.insert("$defs".into(), Value::Object(defs));
    }
    root
}

fn table(spec: &TableSpec) -> Value {
    let properties: Map<String, Value> =
        spec.fields().map(|f| (f.key.to_string(), property(f))).collect();
    let required: Vec<&str> =
        spec.fields().filter(|f| is_always_needed(f)).map(|f| f.key).collect();
    let mut out = json!({
        "type": "object",
        "description": spec.doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    // "needed, or `other`": one of two keys.
    for field in spec.fields() {
        let other = field.default.strip_prefix("needed, or `").and_then(|o| o.strip_suffix('`'));
        if let Some(other) = other {
            out["anyOf"] = json!([{"required": [field.key]}, {"required": [other]}]);
        }
    }
    out
}

/// Whether a table without the key is an error whatever else holds. A joint that adds to one of a
/// URDF has neither child nor type, and controllers need what their type needs.
fn is_always_needed(field: &Field) -> bool {
    let sometimes = ["child", "type", "body", "goal", "stiffness", "file", "vary"];
    field.default == "needed" && !sometimes.contains(&field.key)
}

fn property(field: &Field) -> Value {
    let mut out = kind(&field.kind);
    let unit =
        if field.unit.is_empty() { String::new() } else { format!(" Unit: {}.", field.unit) };
    let default = match field.default {
        "needed" => String::new(),
        default => format!(" Default: {default}."),
    };
    out["description"] = json!(format!("{}{unit}{default}", field.doc));
    out
}

fn kind(k: &Kind) -> Value {
    match k {
        Kind::Text => json!({"type": "string"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Count => json!({"type": "integer", "minimum": 1}),
        Kind::Number(range) => number(*range),
        Kind::Angle(range) => json!({"anyOf": [number(*range), {
            "type": "string",
            "pattern": r"^\s*([+-]?(0+\.?0*|\.0+)([eE][+-]?[0-9]+)?|[+-]?[0-9.]+([eE][+-]?[0-9]+)?\s*(deg|°|rad|turns?)|[+-]?([0-9.]+([eE][+-]?[0-9]+)?)?\s*\*?\s*(pi|π)(\s*/\s*[0-9.eE+-]+)?)\s*$"
        }]}),
        Kind::Vector => list(number(Range::Finite), 2, 3),
        Kind::Sizes => list(number(Range::Positive), 2, 3),
        Kind::Numbers(n, range) => list(number(*range), *n, *n),
        Kind::Angles(n) => list(kind(&Kind::Angle(Range::Finite)), *n, *n),
        Kind::Matrix => list(list(number(Range::Finite), 3, 3), 3, 3),
        Kind::Corners(n) => {
            json!({"type": "array", "items": kind(&Kind::Vector), "minItems": n})
        }
        Kind::Rows => {
            let row = json!({"type": "array", "items": number(Range::Finite), "minItems": 2});
            json!({"anyOf": [row, {"type": "array", "items": row, "minItems": 2}]})
        }
        Kind::Texts(n) => list(json!({"type": "string"}), *n, *n),
        Kind::Names => json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
        Kind::Word(words) => json!({"enum": words}),
        Kind::Table(spec) => reference(spec),
        Kind::Named(spec) => json!({"type": "object", "additionalProperties": reference(spec)}),
        Kind::NamedAngles => {
            json!({"type": "object", "additionalProperties": kind(&Kind::Angle(Range::Finite))})
        }
        Kind::NamedTexts => {
            json!({"type": "object", "additionalProperties": {"type": "string"}})
        }
        Kind::NamedLists => json!({"type": "object", "additionalProperties": kind(&Kind::Names)}),
        Kind::TextPairs => json!({"type": "array", "items": kind(&Kind::Texts(2))}),
        Kind::NamedOrTexts(spec) => json!({
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "string"}, reference(spec)]}
        }),
        Kind::List(spec) => json!({"type": "array", "items": reference(spec)}),
        Kind::Any(kinds) => json!({"anyOf": kinds.iter().map(kind).collect::<Vec<_>>()}),
    }
}

fn number(range: Range) -> Value {
    match range {
        Range::Positive => json!({"type": "number", "exclusiveMinimum": 0}),
        Range::NotNegative | Range::NotNegativeMayBeInfinite => {
            json!({"type": "number", "minimum": 0})
        }
        Range::Unit => json!({"type": "number", "minimum": 0, "maximum": 1}),
        Range::Tolerance => json!({"type": "number", "exclusiveMinimum": 0, "maximum": 0.01}),
        Range::NotZero => json!({"type": "number", "not": {"const": 0}}),
        Range::Finite | Range::MayBeInfinite => json!({"type": "number"}),
    }
}

fn list(items: Value, least: usize, most: usize) -> Value {
    json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
}

/// Tables are told apart by their address: each is one static.
fn reference(spec: &TableSpec) -> Value {
    let name = ALL.iter().find(|(_, s)| std::ptr::eq(*s, spec)).map_or("scene", |(name, _)| name);
    json!({"$ref": format!("#/$defs/{name}")})
}
