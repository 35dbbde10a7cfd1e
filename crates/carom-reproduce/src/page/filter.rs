//! Choice of the claims that are shown: by verdict, by cause, or carom's own. Style sheets do it, no script.

use std::fmt::Write;

use crate::claim::{Cause, Verdict};
use crate::record::{Record, Shown};

/// A choice: name of its class, words.
type Choice = (String, &'static str);

/// Every choice but "all".
fn choices() -> Vec<Choice> {
    let verdicts = [("agrees", "agrees"), ("differs", "differs"), ("undecidable", "not decidable")];
    let verdicts = verdicts.into_iter().map(|(class, word)| (class.to_string(), word));
    let causes = Cause::ALL.into_iter().map(|c| (format!("cause-{}", c.slug()), c.word()));
    verdicts.chain(causes).chain([("own".to_string(), "carom's own")]).collect()
}

/// The classes of a claim, by which it is chosen. Verdicts and causes are those of sources.
pub fn classes(claim: &Shown) -> String {
    if claim.own {
        return "own".into();
    }
    let verdict = match claim.verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::Undecidable { .. } => "undecidable",
    };
    match &claim.cause {
        Some((cause, _)) => format!("{verdict} cause-{}", cause.slug()),
        None => verdict.into(),
    }
}

/// Writes the choices with their numbers, and the rules that hide all other claims.
pub fn filter(text: &mut String, records: &[Record]) {
    let claims: Vec<String> = records
        .iter()
        .filter_map(|r| r.result.as_ref().ok())
        .flat_map(|f| f.claims.iter().map(classes))
        .collect();
    let count = |class: &str| claims.iter().filter(|c| c.split(' ').any(|w| w == class)).count();
    let mut rules = String::new();
    text.push_str("<fieldset class=\"filter\"><legend>Claims shown</legend>\n");
    let mut choice = |class: &str, words: &str, number: usize, first: bool| {
        let _ = writeln!(
            text,
            "<label><input type=\"radio\" name=\"show\" id=\"show-{class}\"{}> {words} <span>{number}</span></label>",
            if first { " checked" } else { "" }
        );
    };
    choice("all", "all", claims.len(), true);
    for (class, words) in choices() {
        choice(&class, words, count(&class), false);
        let chosen = format!("body:has(#show-{class}:checked)");
        let _ = write!(
            rules,
            "{chosen} .claim:not(.head,.{class}){{display:none}}\n\
             {chosen} section.experiment:not(:has(.claim.{class})){{display:none}}\n\
             {chosen} section.experiment>:not(h2,.source,.claims){{display:none}}\n"
        );
    }
    let _ = write!(text, "</fieldset>\n<style>\n{rules}</style>\n");
}
