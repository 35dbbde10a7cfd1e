//! Gentle changes: numbers of about the same size, values that other scenes have under the same key, tables twice or of
//! another scene, another law or method. Most results load.

use crate::random::Random;
use crate::rough::token;
use crate::seeds::Seed;
use std::ops::Range;

/// Factors of numbers; most change little.
const FACTORS: &[f64] = &[0.5, 0.8, 0.9, 0.99, 1.0 + 1e-12, 1.01, 1.1, 1.25, 2.0, -1.0, 0.0, 10.0];

const LAWS: &[&str] = &[
    "law={ formulation = \"differential\" }",
    "law={ formulation = \"differential\", restitution = \"kinetic\" }",
    "law={ formulation = \"differential\", restitution = \"kinematic\" }",
    "law={ formulation = \"differential\", rule = \"sequential\" }",
    "law={ formulation = \"newton\" }",
    "law={ formulation = \"poisson\" }",
    "law={ formulation = \"matrix\" }",
    "law={ formulation = \"matrix\", rotational = 0.3, arm = 0.01 }",
    "law={ formulation = \"constraint\", complementarity = true }",
    "law={ formulation = \"compliant\" }",
    "law={ formulation = \"dissipation\" }",
];

const METHODS: &[&str] = &[
    "solver.rtol=1e-6",
    "solver.rtol=1e-10",
    "solver={ method = \"rk4\", step = 0.002 }",
    "solver={ method = \"rk4\", step = 0.002, friction_events = \"projected\" }",
    "solver={ scheme = \"moreau\", step = 0.003 }",
    "solver.strict=true",
    "output.interval=0.01",
    "output.impact_duration=1e-3",
];

/// All values of scenes, by key.
pub struct Values(Vec<(String, String)>);

impl Values {
    pub fn of(seeds: &[Seed]) -> Self {
        let mut values = Vec::new();
        for (_, bytes) in seeds.iter().filter(|(name, _)| name.ends_with(".toml")) {
            let text = String::from_utf8_lossy(bytes);
            for (key, value) in entries(&text) {
                values.push((key.to_string(), text[value].to_string()));
            }
        }
        Self(values)
    }

    /// A value that some scene has under this key.
    fn pick(&self, key: &str, random: &mut Random) -> Option<&str> {
        let start = random.below(self.0.len());
        let all = self.0[start..].iter().chain(&self.0[..start]);
        all.into_iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

/// Every `key = value` of a TOML text, also within inline tables: the key, and where the value stands.
fn entries(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut entries = Vec::new();
    for (at, _) in text.match_indices('=') {
        let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let before = &text[line..at];
        if before.contains('#') || before.matches('"').count() % 2 == 1 {
            continue;
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let key = before.trim_end();
        let key = &key[key.trim_end_matches(word).len()..];
        let start = at + 1 + text[at + 1..].len() - text[at + 1..].trim_start_matches(' ').len();
        if !key.is_empty() {
            entries.push((key, start..start + length(&text[start..])));
        }
    }
    entries
}

/// How long the value is with which a text begins.
fn length(text: &str) -> usize {
    let (mut depth, mut quoted) = (0_i32, false);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '{' => depth += 1,
            ']' | '}' if depth == 0 => return i,
            ']' | '}' => depth -= 1,
            ',' | '\n' | '#' if depth == 0 => return text[..i].trim_end().len(),
            _ => {}
        }
    }
    text.len()
}

/// Where the tables of a text stand: from a header to the next.
fn tables(text: &str) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = text.match_indices("\n[").map(|(i, _)| i + 1).collect();
    starts.extend(text.starts_with('[').then_some(0));
    starts.sort_unstable();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(a, b)| a..b).collect()
}

/// One number of a text in place of another of about its size.
fn nudge(text: &mut String, random: &mut Random) {
    for _ in 0..64 {
        let (start, end) = if text.is_empty() { return } else { token(text.as_bytes(), random) };
        let Some(Ok(number)) = text.get(start..end).map(str::parse::<f64>) else { continue };
        let changed = number * FACTORS[random.below(FACTORS.len())];
        text.replace_range(start..end, &format!("{changed}"));
        return;
    }
}

/// One change.
fn change(text: &mut String, seeds: &[Seed], values: &Values, random: &mut Random) {
    let entry = |text: &str, random: &mut Random| {
        let all = entries(text);
        let (key, range) = all.get(random.below(all.len()))?;
        Some((key.to_string(), range.clone()))
    };
    match random.below(12) {
        // What another scene says under this key.
        0 | 1 => {
            if let Some((key, range)) = entry(text, random)
                && let Some(value) = values.pick(&key, random)
            {
                text.replace_range(range, value);
            }
        }
        // Two values of one key change places.
        2 => {
            if let Some((key, one)) = entry(text, random)
                && let Some((_, two)) =
                    entries(text).into_iter().find(|(k, r)| *k == key && r.start >= one.end)
            {
                let (first, second) =
                    (text[one.clone()].to_string(), text[two.clone()].to_string());
                text.replace_range(two, &first);
                text.replace_range(one, &second);
            }
        }
        // A line is gone, so that its default holds.
        3 => {
            if let Some((_, range)) = entry(text, random) {
                let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
                let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i);
                text.replace_range(start..end, "");
            }
        }
        // A table twice, under another name where it has one.
        4 | 5 => {
            let all = tables(text);
            if let Some(range) = all.get(random.below(all.len())) {
                let table = text[range.clone()].to_string();
                let again = match table.split_once(']') {
                    Some((head, rest)) if !head.starts_with("[[") => {
                        format!("\n{head}_again]{rest}")
                    }
                    _ => format!("\n{table}"),
                };
                text.push_str(&again);
            }
        }
        // A table of another scene.
        6 => {
            let other = String::from_utf8_lossy(&seeds[random.below(seeds.len())].1).into_owned();
            let all = tables(&other);
            if let Some(range) = all.get(random.below(all.len())) {
                text.push('\n');
                text.push_str(&other[range.clone()]);
            }
        }
        _ => nudge(text, random),
    }
}

/// A gentle case: name, text and overrides.
pub fn gentle(
    seeds: &[Seed],
    values: &Values,
    random: &mut Random,
) -> (String, String, Vec<String>) {
    let (name, bytes) = &seeds[random.below(seeds.len())];
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for _ in 0..=random.below(3) {
        change(&mut text, seeds, values, random);
    }
    let mut overrides = Vec::new();
    if random.below(2) == 0 {
        overrides.push(random.pick(LAWS).to_string());
    }
    if random.below(3) == 0 {
        overrides.push(random.pick(METHODS).to_string());
    }
    (name.clone(), text, overrides)
}
