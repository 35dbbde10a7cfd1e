//! Which known name a misspelt one was meant to be.

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
    let letters = |s: &str| -> Vec<char> {
        s.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
    };
    let (a, b) = (letters(a), letters(b));
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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
