//! Did you mean …?

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
        let edits = distance(&word.to_lowercase(), &candidate.to_lowercase());
        let allowed = ((word.chars().count().max(candidate.chars().count()) + 1) / 3).max(1);
        if edits <= allowed && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate.to_string())
}

/// Edit distance with swaps of neighbours, by rows.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let exchange = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = exchange.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
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

    #[test]
    fn distance_is_a_metric_on_examples() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("sitting", "kitten"), 3);
    }
}
