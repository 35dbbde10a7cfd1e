//! JSON Schema as far as the schema of scenes uses it; an unknown word of the schema is a failure.

use serde_json::Value;

/// Whether a value fits a schema; where it does not.
pub fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    check(schema, schema, value, "")
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{path}: {what}: {value}"));
    for (word, rule) in schema.as_object().ok_or("a schema is a table")? {
        let holds = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" | "properties" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|r| r.strip_prefix("#/$defs/")).ok_or("$ref")?;
                return check(root, &root["$defs"][name], value, path);
            }
            "type" => has_type(rule.as_str().unwrap_or(""), value),
            "enum" => rule.as_array().is_some_and(|list| list.contains(value)),
            "const" => number(rule) == number(value),
            "not" => check(root, rule, value, path).is_err(),
            "anyOf" => rule
                .as_array()
                .is_some_and(|list| list.iter().any(|s| check(root, s, value, path).is_ok())),
            "minimum" => number(value).is_none_or(|x| x >= number(rule).unwrap()),
            "maximum" => number(value).is_none_or(|x| x <= number(rule).unwrap()),
            "exclusiveMinimum" => number(value).is_none_or(|x| x > number(rule).unwrap()),
            "minItems" => value.as_array().is_none_or(|l| l.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|l| l.len() as u64 <= rule.as_u64().unwrap()),
            "required" => value.as_object().is_none_or(|table| {
                rule.as_array().unwrap().iter().all(|k| table.contains_key(k.as_str().unwrap()))
            }),
            "pattern" => value.as_str().is_none_or(|text| {
                regex_lite::Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)
            }),
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{path}/{i}"))?;
                }
                true
            }
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let path = format!("{path}/{key}");
                    match (&schema["properties"][key], rule) {
                        (Value::Null, Value::Bool(false)) => {
                            return Err(format!("{path}: unknown key"));
                        }
                        (Value::Null, rule) => check(root, rule, inner, &path)?,
                        (known, _) => check(root, known, inner, &path)?,
                    }
                }
                true
            }
            other => return Err(format!("the validator does not know `{other}`")),
        };
        if !holds {
            return fail(word);
        }
    }
    Ok(())
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}
