//! `--set path=value`: change any value of a scene before it is read.
//!
//! The path is keys joined by dots, lists by number from 0 (`contact.0.restitution`); a key with a
//! dot in it is quoted (`body."a.b".mass`). The value is TOML; a bare word such as `newton` or
//! `20deg` counts as a text. Keys that do not exist yet are made, so that a misspelt one is found
//! by the same check as in a file; but a body, joint, actuator or controller whose name is nearly that
//! of another is not made on the way to a value within it, nor is a joint that stands within a body.

use crate::error::Flaw;
use crate::fault::{Fault, OverrideProblem};
use crate::source::{Sources, Spot};
use crate::suggest::nearest;
use crate::toml::parse_value;
use crate::value::{Node, Table, Value};

/// Tables whose keys are names of parts: a new one nearly like an old one is a slip of the pen.
const NAMED: [&str; 4] = ["body", "joint", "actuator", "controller"];

/// Longest path.
const DEEPEST: usize = 16;

/// Apply one override to the tree.
pub(crate) fn apply(root: &mut Table, sources: &mut Sources, text: &str) -> Result<(), Flaw> {
    let source = sources.add_override(text);
    let spot = Spot { source, start: 0, end: text.len() };
    let fail =
        |problem| Flaw::at(spot, Fault::Override { text: crate::source::shorten(text), problem });
    let (path, split) = split_path(text).map_err(fail)?;
    let value = read_value(text, split + 1, source).map_err(fail)?;
    set(root, &path, value, spot).map_err(fail)
}

/// An override as its keys and the text of its value, by the same rules as when it is applied; none
/// if it is no override.
pub fn override_parts(text: &str) -> Option<(Vec<String>, &str)> {
    let (keys, split) = split_path(text).ok()?;
    Some((keys, text[split + 1..].trim()))
}

/// All keys of an override, those within its value included, as they will be read: without quotes and escapes. None if it is
/// no override.
pub fn override_keys(text: &str) -> Option<Vec<String>> {
    let (mut keys, value) = override_parts(text)?;
    let mut nodes: Vec<Node> = parse_value(value, 0, 0).into_iter().collect();
    while let Some(node) = nodes.pop() {
        match node.value {
            Value::Table(table) => {
                keys.extend(table.entries().iter().map(|entry| entry.key.clone()));
                nodes.extend(table.entries().iter().map(|entry| entry.node.clone()));
            }
            Value::List(list) => nodes.extend(list),
            _ => {}
        }
    }
    Some(keys)
}

/// The keys before `=`, and where `=` is.
fn split_path(text: &str) -> Result<(Vec<String>, usize), OverrideProblem> {
    let mut keys = Vec::new();
    let mut key = String::new();
    let mut quoted = false;
    let mut was_quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => {
                quoted = !quoted;
                was_quoted = true;
            }
            '.' | '=' if !quoted => {
                let name = if was_quoted { key.as_str() } else { key.trim() };
                if name.is_empty() && !was_quoted {
                    return Err(OverrideProblem::EmptyKey);
                }
                keys.push(name.to_string());
                if keys.len() > DEEPEST {
                    return Err(OverrideProblem::TooDeep { limit: DEEPEST });
                }
                key.clear();
                was_quoted = false;
                if c == '=' {
                    return Ok((keys, at));
                }
            }
            _ => key.push(c),
        }
    }
    Err(OverrideProblem::NoValue)
}

fn read_value(text: &str, start: usize, source: usize) -> Result<Node, OverrideProblem> {
    let written = text[start..].trim();
    let offset = start + (text[start..].len() - text[start..].trim_start().len());
    let spot = Spot { source, start: offset, end: offset + written.len() };
    match parse_value(written, source, offset) {
        Ok(node) => Ok(node),
        Err(_) if is_word(written) => Ok(Node { value: Value::Text(written.into()), spot }),
        Err(message) => Err(OverrideProblem::Value { message }),
    }
}

/// Whether a text without quotes is meant as a text: `newton`, `20deg`, `robots/leg.urdf`.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-./+".contains(c))
}

fn set(root: &mut Table, path: &[String], value: Node, spot: Spot) -> Result<(), OverrideProblem> {
    let Some((last, way)) = path.split_last() else { return Err(OverrideProblem::EmptyKey) };
    inner_joint(root, way)?;
    let mut table = root;
    let mut i = 0;
    while i < way.len() {
        if table.get(&way[i]).is_none() {
            if i == 1
                && NAMED.contains(&path[0].as_str())
                && let Some(suggestion) = nearest(&way[i], table.entries().iter().map(|e| &*e.key))
            {
                let at = path[..=i].join(".");
                return Err(OverrideProblem::Misspelt { at, suggestion });
            }
            let empty = Node { value: Value::Table(Table::default()), spot };
            table.insert(&way[i], spot, empty);
        }
        let at = || path[..=i].join(".");
        let Some(node) = table.get_mut(&way[i]) else { return Err(OverrideProblem::EmptyKey) };
        let found = node.found();
        match &mut node.value {
            Value::Table(next) => table = next,
            Value::List(list) => {
                let (entry, used) = list_entry(list, &path[i + 1..], &at())?;
                i += used;
                if i + 1 == path.len() {
                    *entry = value;
                    return Ok(());
                }
                let found = entry.found();
                match &mut entry.value {
                    Value::Table(next) => table = next,
                    _ => {
                        return Err(OverrideProblem::NotATable { at: path[..=i].join("."), found });
                    }
                }
            }
            _ => return Err(OverrideProblem::NotATable { at: at(), found }),
        }
        i += 1;
    }
    table.insert(last, spot, value);
    Ok(())
}

/// A way to a joint that stands within a body of the scene, or to nearly that: it is told where the joint is.
fn inner_joint(root: &Table, way: &[String]) -> Result<(), OverrideProblem> {
    let [first, name, ..] = way else { return Ok(()) };
    let apart = table(root.get("joint"));
    if first != "joint" || apart.is_some_and(|joints| joints.get(name).is_some()) {
        return Ok(());
    }
    let bodies = table(root.get("body")).map_or(&[][..], Table::entries);
    let inner = bodies.iter().filter_map(|body| {
        let joint = table(table(Some(&body.node))?.get("joint"))?;
        Some((joint.get("name").and_then(Node::text).unwrap_or(&body.key), &*body.key))
    });
    let inner: Vec<(&str, &str)> = inner.collect();
    let apart = apart.map_or(&[][..], Table::entries).iter().map(|e| &*e.key);
    let suggestion = match inner.iter().any(|(known, _)| known == name) {
        true => Some(name.clone()),
        false => nearest(name, inner.iter().map(|(name, _)| *name).chain(apart)),
    };
    let Some(joint) = suggestion else { return Ok(()) };
    match inner.iter().find(|(known, _)| *known == joint) {
        Some((_, body)) => {
            let (at, body) = (way[..2].join("."), body.to_string());
            Err(OverrideProblem::Within { at, joint, body })
        }
        None => Ok(()),
    }
}

fn table(node: Option<&Node>) -> Option<&Table> {
    match &node?.value {
        Value::Table(table) => Some(table),
        _ => None,
    }
}

/// Follow numbers into a list (and lists in it); how many parts of the path were used.
fn list_entry<'a>(
    list: &'a mut [Node],
    path: &[String],
    at: &str,
) -> Result<(&'a mut Node, usize), OverrideProblem> {
    let index = path.first().cloned().unwrap_or_default();
    let length = list.len();
    let fault = OverrideProblem::NoSuchEntry { at: at.into(), length, index: index.clone() };
    let Ok(number) = index.parse::<usize>() else { return Err(fault) };
    let Some(entry) = list.get_mut(number) else { return Err(fault) };
    if path.len() > 1 && matches!(entry.value, Value::List(_)) {
        let inner_at = format!("{at}.{index}");
        let Value::List(inner) = &mut entry.value else { return Err(fault) };
        let (entry, used) = list_entry(inner, &path[1..], &inner_at)?;
        return Ok((entry, used + 1));
    }
    Ok((entry, 1))
}
