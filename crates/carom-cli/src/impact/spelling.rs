//! Which known name a misspelt one was meant to be.

use strsim::levenshtein;

/// The known name within two edits of `name`, if any; exact names never get here.
pub fn meant(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let close = |k: &&&'static str| {
        let limit = if k.len() < 5 { 1 } else { 2 };
        distance(name, k) <= limit
    };
    known.iter().filter(close).min_by_key(|k| distance(name, k)).copied()
}

/// Edit distance with letters compared without case; a hyphen counts as an underscore.
fn distance(a: &str, b: &str) -> usize {
    let plain = |s: &str| s.to_ascii_lowercase().replace('-', "_");
    levenshtein(&plain(a), &plain(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_recognised() {
        let known = &["restitution", "friction", "static_friction", "name", "id"];
        assert_eq!(meant("restituton", known), Some("restitution"));
        assert_eq!(meant("Static-Friction", known), Some("static_friction"));
        assert_eq!(meant("nam", known), Some("name"));
        assert_eq!(meant("comment", known), None);
        assert_eq!(meant("kind", known), None);
    }
}
