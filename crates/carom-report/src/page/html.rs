//! The page around a document: one HTML file without anything from elsewhere.
//!
//! The page is built once from `viewer/` and lies in the program. Data goes where it has the comment
//! [`PLACE`], as JSON in a script that is no script: `<` becomes `\u003c`, which is the same text in
//! JSON and can end no element of HTML, whatever the texts of a scene contain.
//!
//! # Tests
//! `tests/report.rs`.

use crate::document::RunDocument;
use crate::error::ReportError;
use crate::looks::Looks;
use serde_json::Value;

/// The page as it was built.
pub const PAGE: &str = include_str!("../../assets/page.html");

/// Where the data goes.
const PLACE: &str = "<!--carom:data-->";

/// A report: the page with a run in it.
pub fn report(document: &RunDocument) -> Result<String, ReportError> {
    report_with(document, None)
}

/// The same with what robots look like.
pub fn report_with(document: &RunDocument, looks: Option<&Looks>) -> Result<String, ReportError> {
    let title = escaped(&format!("{} · carom", document.title));
    let mut scripts = data("carom-run", &document.to_json()?);
    if let Some(looks) = looks {
        scripts += &data("carom-looks", &looks.to_json()?);
    }
    Ok(filled(&scripts, Some(&title)))
}

/// A lesson: what it is about, and questions with the documents of their runs.
pub fn lesson(title: &str, head: &Value, questions: &[(Value, String)]) -> String {
    let parts: Vec<String> = questions
        .iter()
        .map(|(question, document)| format!("{{\"question\":{question},\"document\":{document}}}"))
        .collect();
    let json = format!("{{\"head\":{head},\"questions\":[{}]}}", parts.join(","));
    filled(&data("carom-lesson", &json), Some(&escaped(&format!("{title} · carom"))))
}

/// A comparison: the page with several runs in it, each with its name.
pub fn comparison(runs: &[(String, RunDocument)]) -> Result<String, ReportError> {
    let mut parts = Vec::with_capacity(runs.len());
    for (name, document) in runs {
        let label = serde_json::Value::from(name.as_str());
        parts.push(format!("{{\"label\":{label},\"document\":{}}}", document.to_json()?));
    }
    let names: Vec<&str> = runs.iter().map(|(name, _)| name.as_str()).collect();
    let title = escaped(&format!("{} · carom", names.join(", ")));
    let json = format!("{{\"runs\":[{}]}}", parts.join(","));
    Ok(filled(&data("carom-runs", &json), Some(&title)))
}

/// The page for a live viewer; `settings` is the JSON that it finds its server by.
pub fn live_page(settings: &str) -> String {
    filled(&data("carom-live", settings), None)
}

fn filled(script: &str, title: Option<&str>) -> String {
    let page = match title {
        Some(title) => PAGE.replacen("<title>carom</title>", &format!("<title>{title}</title>"), 1),
        None => PAGE.to_string(),
    };
    page.replacen(PLACE, script, 1)
}

fn data(id: &str, json: &str) -> String {
    let safe = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}\">{safe}</script>")
}

/// Text as the content of an element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
