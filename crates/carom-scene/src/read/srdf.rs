//! SRDF: pairs of links that a robot's semantic description says never touch.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use crate::xml::document;

/// The bodies of all `<disable_collisions>`, by number.
pub(crate) fn disabled(
    text: &str,
    source: usize,
    prefix: &str,
    robot: &Parts,
) -> Result<Vec<(usize, usize)>, Flaw> {
    let document = document(text, source, "SRDF")?;
    let mut all = Vec::new();
    for node in document.root_element().children().filter(|n| n.has_tag_name("disable_collisions"))
    {
        let start = node.range().start;
        let spot = Spot { source, start, end: start };
        let body = |key: &'static str| {
            let owner = "<disable_collisions>".to_string();
            let (what, expected) = ("attribute", "the name of a link");
            let missing = Fault::Missing { owner, what, name: key, expected };
            let name = node.attribute(key).ok_or_else(|| Flaw::at(spot, missing))?;
            let full = format!("{prefix}{name}");
            let known = || robot.bodies.iter().map(|b| b.name.as_str());
            known().position(|n| n == full).ok_or_else(|| {
                let owner = "<disable_collisions>".to_string();
                let suggestion = nearest(&full, known());
                let fault =
                    Fault::UnknownName { owner, what: "link", name: shorten(name), suggestion };
                Flaw::at(spot, fault)
            })
        };
        all.push((body("link1")?, body("link2")?));
    }
    Ok(all)
}
