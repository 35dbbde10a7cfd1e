//! Claims that are tested under several readings of the text.

use crate::claim::{Claim, Evidence};
use crate::table::Table;

/// A claim from its result under each reading: name of the reading, whether the statement holds, numbers in words.
pub fn under_readings(
    (place, statement): (&str, &str),
    results: impl Iterator<Item = (String, (bool, String))>,
) -> Claim {
    let (mut evidence, mut found) = (Vec::new(), Vec::new());
    for (name, (holds, words)) in results {
        found.push(format!("{name}: {words}"));
        evidence.push((name, holds));
    }
    Claim::new(place, statement, Evidence::Readings(evidence), found.join("; "))
}

/// How many claims hold under each reading. All claims must have been tested under the same ones, in the same order.
pub fn agreement(title: &str, names: impl Iterator<Item = String>, claims: &[Claim]) -> Table {
    let mut table = Table::new(title, &["reading", "hold", "of"]);
    for (k, name) in names.enumerate() {
        let holds = claims.iter().filter(|c| match &c.evidence {
            Evidence::Readings(all) => all.get(k).is_some_and(|(_, holds)| *holds),
            _ => false,
        });
        table.row([name, holds.count().to_string(), claims.len().to_string()]);
    }
    table
}
