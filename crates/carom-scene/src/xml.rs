//! XML documents with places: what the readers of robot files share.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::{Spot, shorten};

/// Attributes of a tag at most: the parser compares each with all others.
const MOST_ATTRIBUTES: usize = 1000;

/// Tags inside each other at most: readers go down by recursion.
const DEEPEST: usize = 400;

/// The document of a text, or the place where it is none.
pub(crate) fn document<'a>(
    text: &'a str,
    source: usize,
    format: &'static str,
) -> Result<roxmltree::Document<'a>, Flaw> {
    let here = |at: usize| Spot { source, start: at, end: at };
    if let Some(at) = crowded(text) {
        let message = format!("a tag has more than {MOST_ATTRIBUTES} attributes");
        return Err(Flaw::at(here(at), Fault::Syntax { format, message }));
    }
    let document = roxmltree::Document::parse(text).map_err(|fault| {
        // The parser repeats the place, which is shown anyway.
        let told = fault.to_string();
        let message = match told.rsplit_once(" at ") {
            Some((message, place)) if place.starts_with(|c: char| c.is_ascii_digit()) => message,
            _ => told.as_str(),
        };
        let fault_at = here(offset(text, fault.pos()));
        Flaw::at(fault_at, Fault::Syntax { format: "XML", message: shorten(message) })
    })?;
    if let Some(at) = deep(&document) {
        let message = format!("tags stand inside each other more than {DEEPEST} deep");
        return Err(Flaw::at(here(at), Fault::Syntax { format, message }));
    }
    Ok(document)
}

/// The name of the outer tag of a text that looks like XML, without parsing it as a whole.
pub(crate) fn outer_tag(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let skipped = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")];
        let Some((_, end)) = skipped.iter().find(|(head, _)| rest.starts_with(head)) else { break };
        rest = rest[rest.find(end)? + end.len()..].trim_start();
    }
    let name = rest.strip_prefix('<')?;
    let end = name.find(|c: char| c.is_whitespace() || c == '/' || c == '>')?;
    Some(&name[..end])
}

/// Where a tag begins that lies too deep, if one does.
fn deep(document: &roxmltree::Document<'_>) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    for node in document.root_element().descendants().filter(roxmltree::Node::is_element) {
        let range = node.range();
        while open.last().is_some_and(|end| *end <= range.start) {
            open.pop();
        }
        open.push(range.end);
        if open.len() > DEEPEST {
            return Some(range.start);
        }
    }
    None
}

/// Where a tag begins that has too many attributes, if one has.
fn crowded(text: &str) -> Option<usize> {
    let mut rest = 0;
    while let Some(open) = text[rest..].find('<').map(|i| rest + i) {
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>")];
        if let Some((head, end)) = skipped.iter().find(|(head, _)| text[open..].starts_with(head)) {
            let body = open + head.len();
            rest = body + text[body..].find(end)? + end.len();
            continue;
        }
        let (mut quote, mut count, mut length) = (None, 0, 0);
        for byte in text[open..].bytes() {
            length += 1;
            match (quote, byte) {
                (Some(q), b) if b == q => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => count += 1,
                (None, b'>') => break,
                _ => {}
            }
            if count > MOST_ATTRIBUTES {
                return Some(open);
            }
        }
        rest = open + length;
    }
    None
}

/// Byte of a line and column of the parser.
fn offset(text: &str, at: roxmltree::TextPos) -> usize {
    let line = text.split_inclusive('\n').take((at.row as usize).saturating_sub(1));
    let start: usize = line.map(str::len).sum();
    let rest = &text[start..];
    let column = (at.col as usize).saturating_sub(1);
    start + rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_tags() {
        for (text, name) in [
            ("<robot/>", Some("robot")),
            ("\u{feff}<?xml version=\"1.0\"?>\n<!-- a > b -->\n<mujoco model='m'>", Some("mujoco")),
            ("<!DOCTYPE x>\n<x>", Some("x")),
            ("a = 1", None),
            ("<!-- open", None),
        ] {
            assert_eq!(outer_tag(text), name, "{text}");
        }
    }

    #[test]
    fn too_deep_and_too_many() {
        let deep = format!("<a>{}{}</a>", "<a>".repeat(500), "</a>".repeat(500));
        assert!(document(&deep, 0, "URDF").is_err());
        let wide = format!("<a>{}</a>", "<a/>".repeat(5000));
        assert!(document(&wide, 0, "URDF").is_ok());
        let attributes: String = (0..1001).map(|i| format!(" a{i}='1'")).collect();
        assert!(document(&format!("<a{attributes}/>"), 0, "URDF").is_err());
    }
}
