//! Which folders of a crate use which.
//!
//! A crate states the order of its folders, and the files beside them, in `tests/layering.rs`. What
//! counts is every path through `crate::` or `super::` outside comments and strings, so `use` lines
//! that run over several lines, nested braces and paths in the middle of code are all seen. A path
//! through the root of the crate must name a folder: a re-export would hide where it leads.

use std::collections::BTreeSet;
use std::path::Path;

use crate::place::rust_files;

/// What speaks against an order of the folders in `src`: one line for each use of a folder that
/// comes later, for each folder or file missing in the order, and for each name without a folder.
///
/// # Panics
/// If the folder cannot be read.
pub fn upward_uses(src: &Path, order: &[&str]) -> Vec<String> {
    let rank = |name: &str| order.iter().position(|other| *other == name);
    let (mut faults, mut found) = (Vec::new(), BTreeSet::new());
    for file in rust_files(src) {
        let inside = file.strip_prefix(src).unwrap_or(&file);
        let module = module_path(inside);
        let Some(own) = module.first() else { continue };
        let Some(own_rank) = rank(own) else {
            faults.push(format!("{}: `{own}` is missing in the order", inside.display()));
            continue;
        };
        found.insert(own.clone());
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        for (line, used) in uses(&text, &module) {
            let place = format!("{}:{line}", inside.display());
            match rank(&used) {
                None => faults.push(format!("{place}: `{used}` is no folder of the crate")),
                Some(r) if r > own_rank => {
                    faults.push(format!("{place}: `{own}` uses `{used}`, which comes later"));
                }
                Some(_) => {}
            }
        }
    }
    let missing = order.iter().filter(|name| !found.contains(**name));
    faults.extend(missing.map(|name| format!("`{name}` is in the order, but not in the crate")));
    faults
}

/// The modules that lead to a file: `hybrid/jam.rs` is `hybrid`, `jam`.
fn module_path(inside: &Path) -> Vec<String> {
    let mut path: Vec<String> = inside
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if path.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        path.pop();
    }
    path
}

/// A word or a mark of the code, with its line.
#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Mark(char),
    /// `::`
    Path,
}

/// First names below the root that the text leads to, each with its line.
fn uses(text: &str, module: &[String]) -> Vec<(usize, String)> {
    let tokens = tokens(text);
    let mut here = module.to_vec();
    // Depth of the braces, and the depths at which modules inside the file began.
    let (mut depth, mut modules) = (0, Vec::new());
    // What is found, and the end of the path that was followed last.
    let (mut found, mut followed) = (Vec::new(), 0);
    for at in 0..tokens.len() {
        let word = |i: usize| match tokens.get(i) {
            Some((_, Token::Word(word))) => Some(word.as_str()),
            _ => None,
        };
        match &tokens[at].1 {
            Token::Mark('{') => {
                if let (Some("mod"), Some(name)) =
                    (word(at.wrapping_sub(2)), word(at.wrapping_sub(1)))
                {
                    here.push(name.to_owned());
                    modules.push(depth);
                }
                depth += 1;
            }
            Token::Mark('}') => {
                depth -= 1;
                if modules.last() == Some(&depth) {
                    modules.pop();
                    here.pop();
                }
            }
            Token::Word(word)
                if (word == "crate" || word == "super")
                    && at >= followed
                    && matches!(tokens.get(at + 1), Some((_, Token::Path))) =>
            {
                followed = follow(&tokens, at, here.clone(), &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Follows the path that begins at a token, into its braces too; returns where it ends.
fn follow(
    tokens: &[(usize, Token)],
    mut at: usize,
    mut path: Vec<String>,
    found: &mut Vec<(usize, String)>,
) -> usize {
    while let Some((line, token)) = tokens.get(at) {
        match token {
            Token::Word(word) if word == "crate" => path.clear(),
            Token::Word(word) if word == "super" => drop(path.pop()),
            Token::Word(word) if word == "self" => {}
            Token::Word(word) => {
                found.push((*line, path.first().unwrap_or(word).clone()));
                // The first name is all that matters; what follows cannot lead back.
                return skip(tokens, at);
            }
            Token::Mark('{') => {
                at += 1;
                while !matches!(tokens.get(at), None | Some((_, Token::Mark('}')))) {
                    at = follow(tokens, at, path.clone(), found).max(at + 1);
                }
                return at + 1;
            }
            Token::Mark('*') => {
                found.extend(path.first().map(|first| (*line, first.clone())));
                return at + 1;
            }
            Token::Path => {}
            Token::Mark(_) => return at,
        }
        at += 1;
    }
    at
}

/// The end of the path at a token: past its names and its braces.
fn skip(tokens: &[(usize, Token)], mut at: usize) -> usize {
    let mut depth = 0;
    while let Some((_, token)) = tokens.get(at) {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') if depth == 0 => return at,
            Token::Mark('}') => depth -= 1,
            Token::Mark(',' | ';') if depth == 0 => return at,
            Token::Mark(mark) if depth == 0 && *mark != '*' => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Words and marks of a text without comments, strings and characters.
fn tokens(text: &str) -> Vec<(usize, Token)> {
    let chars: Vec<char> = text.chars().collect();
    let get = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let (mut i, mut line, mut tokens) = (0, 1, Vec::new());
    while i < chars.len() {
        let start = i;
        let c = chars[i];
        if c == '/' && get(i + 1) == '/' {
            i = end_of(&chars, i, |i| get(i) == '\n');
        } else if c == '/' && get(i + 1) == '*' {
            i = end_of(&chars, i + 2, |i| get(i - 1) == '*' && get(i) == '/') + 1;
        } else if c == 'r' && (get(i + 1) == '"' || get(i + 1) == '#' && "#\"".contains(get(i + 2)))
        {
            let quote = end_of(&chars, i, |i| get(i) == '"');
            let hashes = quote - i - 1;
            let closes = |i| get(i) == '"' && (1..=hashes).all(|k| get(i + k) == '#');
            i = end_of(&chars, quote + 1, closes) + 1 + hashes;
        } else if c == '"' {
            i = end_of(&chars, i + 1, |i| get(i) == '"' && !escaped(&chars, i)) + 1;
        } else if c == '\'' && (get(i + 1) == '\\' || get(i + 2) == '\'') {
            i = end_of(&chars, i + 2, |i| get(i) == '\'' && !escaped(&chars, i)) + 1;
        } else if c.is_alphanumeric() || c == '_' {
            i = end_of(&chars, i, |i| !(get(i).is_alphanumeric() || get(i) == '_'));
            tokens.push((line, Token::Word(chars[start..i].iter().collect())));
        } else if c == ':' && get(i + 1) == ':' {
            tokens.push((line, Token::Path));
            i += 2;
        } else {
            if !c.is_whitespace() {
                tokens.push((line, Token::Mark(c)));
            }
            i += 1;
        }
        line += chars[start..i.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

fn end_of(chars: &[char], from: usize, ends: impl Fn(usize) -> bool) -> usize {
    (from..chars.len()).find(|i| ends(*i)).unwrap_or(chars.len())
}

/// Whether an odd number of backslashes stands before a character.
fn escaped(chars: &[char], at: usize) -> bool {
    chars[..at].iter().rev().take_while(|c| **c == '\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(text: &str, module: &[&str]) -> Vec<String> {
        let module: Vec<String> = module.iter().map(|name| (*name).to_owned()).collect();
        uses(text, &module).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn plain_nested_and_split_paths() {
        let text =
            "use crate::{\n    page::{Account, Table},\n    run,\n};\nlet x = crate::plots::y();";
        assert_eq!(used(text, &["a", "b"]), ["page", "run", "plots"]);
        assert_eq!(used("use super::c::D;\nuse super::super::e::F;", &["a", "b"]), ["a", "e"]);
        assert_eq!(used("use super::{super::e, g};", &["a", "b"]), ["e", "a"]);
        assert_eq!(used("use super::*;", &["a", "b"]), ["a"]);
    }

    #[test]
    fn modules_inside_a_file_lead_to_it() {
        assert_eq!(used("mod tests { use super::*; use super::page::X; }", &["a"]), ["a", "a"]);
        assert_eq!(used("mod tests { fn f() {} } use super::page::X;", &["a"]), ["page"]);
    }

    #[test]
    fn comments_strings_and_visibility_lead_nowhere() {
        let text = "// crate::x\n/* crate::y */ pub(crate) fn f() { g(\"crate::z\\\"crate::z\", r#\"crate::w\"#, '\"'); crate::t(); }";
        assert_eq!(used(text, &["a"]), ["t"]);
    }

    #[test]
    fn lines_are_counted() {
        let found = uses("/* \n\n */ \"\n\"\nuse crate::x;", &["a".to_owned()]);
        assert_eq!(found, [(5, "x".to_owned())]);
    }

    #[test]
    fn paths_of_files() {
        assert_eq!(module_path(Path::new("hybrid/jam.rs")), ["hybrid", "jam"]);
        assert_eq!(module_path(Path::new("hybrid/mod.rs")), ["hybrid"]);
        assert!(module_path(Path::new("lib.rs")).is_empty());
    }
}
