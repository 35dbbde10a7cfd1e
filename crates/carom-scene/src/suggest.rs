//! Did you mean …?

use crate::error::Flaw;
use crate::fault::Fault;
use strsim::osa_distance;

/// Names longer than this are not compared.
const LONGEST: usize = 48;

/// The candidate nearest to a misspelt word, if one is near enough.
///
/// Near enough is an edit distance (insertion, deletion, exchange, swap of neighbours) of at most
/// a third of the length of the longer of the two, rounded, and at least one edit.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if word.len().max(candidate.len()) > LONGEST {
            continue;
        }
        let edits = osa_distance(&word.to_lowercase(), &candidate.to_lowercase());
        let allowed = ((word.chars().count().max(candidate.chars().count()) + 1) / 3).max(1);
        if edits <= allowed && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate.to_string())
}

/// A part that lacks what every new one states, and has nearly the name of one of a robot, is meant to be that one.
pub(crate) fn misspelt(
    flaw: Flaw,
    what: &'static str,
    name: &str,
    suggestion: Option<String>,
) -> Flaw {
    if suggestion.is_none() || !matches!(*flaw.fault, Fault::Missing { .. }) {
        return flaw;
    }
    let (owner, name) = ("the scene".into(), crate::source::shorten(name));
    Flaw { fault: Box::new(Fault::UnknownName { owner, what, name, suggestion }), ..flaw }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_nearest_word() {
        let keys = ["mass", "shape", "restitution", "friction"];
        assert_eq!(nearest("mas", keys).as_deref(), Some("mass"));
        assert_eq!(nearest("restituion", keys).as_deref(), Some("restitution"));
        assert_eq!(nearest("hsape", keys).as_deref(), Some("shape"));
        assert_eq!(nearest("Mass", keys).as_deref(), Some("mass"));
        assert_eq!(nearest("gravity", keys), None);
    }
}
