//! On which page of a source a section begins and a figure or table stands, by its own lists of them.
//!
//! Only the theses have such lists. Hurmuzlu & Marghitu is cited by its pages as a whole, the others have none.

use crate::experiment::Source;

type Entry = (&'static str, u16);

#[rustfmt::skip]
const MORGAN: &[Entry] = &[
    ("1", 1), ("2", 5), ("2.1", 5), ("2.2", 6), ("2.2.1", 6), ("2.2.2", 8), ("2.2.3", 12), ("2.3", 17), ("3", 21),
    ("4", 24), ("4.1", 24), ("4.2", 26), ("5", 28),
    ("figure 2.1", 5), ("figure 2.2", 9), ("figure 2.3", 10), ("figure 2.4", 11), ("figure 2.5", 12),
    ("figure 2.6", 15), ("figure 2.7", 16), ("figure 2.8", 17), ("figure 2.9", 19), ("figure 3.1", 21),
];

#[rustfmt::skip]
const FLICKINGER: &[Entry] = &[
    ("2.1", 7), ("2.2", 9), ("2.3", 10), ("2.4", 10), ("2.5", 12), ("2.6", 13), ("3.1", 23), ("3.2", 26), ("3.3", 29),
    ("3.4", 30), ("3.4.1", 30), ("3.4.2", 32), ("3.5", 32), ("3.6", 35), ("3.6.1", 36), ("3.7", 37), ("3.7.1", 37),
    ("3.7.2", 39), ("3.7.3", 40), ("4.1", 44), ("4.2", 49), ("5.1", 57), ("5.2", 58), ("5.2.1", 59), ("5.2.2", 59),
    ("5.2.3", 61), ("5.3", 63), ("5.3.1", 63), ("5.3.2", 64), ("5.3.3", 65), ("5.4", 66), ("5.5", 68), ("6.1", 74),
    ("6.2", 76), ("6.3", 77), ("6.4", 79), ("6.4.1", 81), ("6.4.2", 82), ("6.4.3", 84), ("A", 92),
    ("figure 3.2", 31), ("figure 3.3", 32), ("figure 3.4", 33), ("figure 3.5", 33), ("figure 3.6", 35),
    ("figure 3.7", 36), ("figure 3.8", 36), ("figure 3.9", 37), ("figure 3.10", 38), ("figure 3.11", 39),
    ("figure 3.12", 40), ("figure 3.13", 40), ("figure 3.14", 41), ("figure 3.15", 41), ("figure 4.1", 45),
    ("figure 4.2", 47), ("figure 4.3", 49), ("figure 4.4", 50), ("figure 4.5", 51), ("figure 4.6", 52),
    ("figure 4.7", 53), ("figure 4.8", 53), ("figure 4.9", 54), ("figure 4.10", 54), ("figure 4.11", 55),
    ("figure 5.2", 60), ("figure 5.3", 60), ("figure 5.4", 61), ("figure 5.5", 61), ("figure 5.6", 62),
    ("figure 5.7", 62), ("figure 5.8", 64), ("figure 5.9", 64), ("figure 5.10", 65), ("figure 5.11", 65),
    ("figure 5.12", 66), ("figure 5.13", 66), ("figure 5.14", 70), ("figure 5.15", 71), ("figure 5.16", 71),
    ("figure 6.1", 78), ("figure 6.2", 79), ("figure 6.3", 80), ("figure 6.4", 81), ("figure 6.5", 83),
    ("figure 6.6", 84), ("figure 6.7", 86), ("figure 6.8", 87), ("figure 6.9", 87), ("figure 6.10", 87),
    ("figure 6.11", 88), ("figure 6.12", 88), ("figure 6.13", 89), ("table 2.1", 11), ("table 2.2", 11),
    ("table 2.3", 13), ("table 2.4", 20), ("table 6.2", 82),
];

/// The pages of a place such as `5.2.1, figure 5.2` or `section 2.2.3`: where the section begins, where figures stand.
pub fn pages(source: Source, place: &str) -> Option<String> {
    let list = match source {
        Source::Morgan => MORGAN,
        Source::Flickinger => FLICKINGER,
        Source::Hurmuzlu => return Some("in pp. 82–92".into()),
        Source::FlickingerBowling | Source::Johnson | Source::Beyond => return None,
    };
    let mut found: Vec<u16> = keys(place)
        .iter()
        .filter_map(|key| list.iter().find(|(k, _)| k == key).map(|(_, page)| *page))
        .collect();
    found.sort_unstable();
    found.dedup();
    let words: Vec<String> = found.iter().map(u16::to_string).collect();
    match words.len() {
        0 => None,
        1 => Some(format!("p. {}", words[0])),
        _ => Some(format!("pp. {}", words.join(", "))),
    }
}

/// `section 6.4.3, figures 6.11 and 6.12` as `6.4.3`, `figure 6.11`, `figure 6.12`.
fn keys(place: &str) -> Vec<String> {
    let (mut keys, mut kind) = (Vec::new(), "");
    for word in place.split([' ', ',']).filter(|w| !w.is_empty()) {
        let number = word.trim_matches(|c: char| "()ab".contains(c));
        match word {
            "figure" | "figures" => kind = "figure ",
            "table" | "tables" => kind = "table ",
            "section" | "sections" | "chapter" | "chapters" | "before" => kind = "",
            // Equations have no pages.
            _ if word.starts_with('(') => {}
            _ if kind.is_empty() && number.starts_with("A.") => keys.push("A".into()),
            _ => keys.push(format!("{kind}{number}")),
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_pages() {
        let page = |place: &str| pages(Source::Flickinger, place);
        assert_eq!(page("5.2.1, figure 5.2").as_deref(), Some("pp. 59, 60"));
        assert_eq!(page("section 6.4.3, figures 6.11 and 6.12").as_deref(), Some("pp. 84, 88"));
        assert_eq!(page("A.4, figure A.2").as_deref(), Some("p. 92"));
        assert_eq!(page("table 2.1, 4.1").as_deref(), Some("p. 11"));
        let page = |place: &str| pages(Source::Morgan, place);
        assert_eq!(page("section 2.3, figure 2.9(b)").as_deref(), Some("pp. 17, 19"));
        assert_eq!(page("chapter 3, (3.1)").as_deref(), Some("p. 21"));
        assert_eq!(pages(Source::Johnson, "section 1"), None);
    }
}
