//! One experiment on the page.

use std::fmt::Write;

use super::filter::classes;
use super::html::{escape, rich, time};
use super::summary::{covers, grouped};
use crate::claim::Verdict;
use crate::outcome::Timing;
use crate::record::{Drawn, Found, Listed, Record, Shown};
use crate::table::Table;

/// Writes the section of an experiment.
pub fn section(text: &mut String, record: &Record) {
    let Some(e) = record.experiment() else { return };
    let _ = write!(
        text,
        "<section class=\"experiment\" id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}{}</p>\n",
        e.name,
        escape(e.title),
        escape(e.source.reference()),
        if e.covers.is_empty() {
            String::new()
        } else {
            format!(" · {}", escape(&covers(e.covers)))
        },
    );
    match &record.result {
        Err([trouble, hint]) => {
            let _ = writeln!(
                text,
                "<p class=\"error\">Not computed: {}. {}</p>",
                escape(trouble),
                escape(hint)
            );
        }
        Ok(found) => body(text, e.name, found),
    }
    text.push_str("</section>\n");
}

fn body(text: &mut String, name: &str, found: &Found) {
    for paragraph in found.summary.split("\n\n").filter(|p| !p.is_empty()) {
        let _ = writeln!(text, "<p>{}</p>", rich(paragraph));
    }
    readings(text, &found.readings);
    claims(text, name, &found.claims);
    for drawn in &found.figures {
        figure(text, name, drawn);
    }
    for one in &found.tables {
        table(text, one);
    }
    timings(text, &found.timings);
    data(text, name, &found.data);
}

fn readings(text: &mut String, readings: &[String]) {
    if readings.is_empty() {
        return;
    }
    text.push_str("<h3>How the text was read</h3>\n<ul class=\"readings\">\n");
    for reading in readings {
        let _ = writeln!(text, "<li>{}</li>", rich(reading));
    }
    text.push_str("</ul>\n");
}

fn claims(text: &mut String, name: &str, claims: &[Shown]) {
    if claims.is_empty() {
        return;
    }
    text.push_str(
        "<h3>Claims</h3>\n<div class=\"claims\" role=\"table\">\n<div class=\"claim head\" role=\"row\">\
         <div role=\"columnheader\">verdict</div><div role=\"columnheader\">the source says</div>\
         <div role=\"columnheader\">carom finds</div></div>\n",
    );
    for (k, claim) in claims.iter().enumerate() {
        let _ = writeln!(
            text,
            "<div class=\"claim {}\" id=\"{name}-{}\" role=\"row\"><div role=\"cell\">{}</div><div role=\"cell\">{}</div>\
             <div role=\"cell\">{}</div></div>",
            classes(claim),
            k + 1,
            judged(claim),
            said(claim),
            answered(claim),
        );
    }
    text.push_str("</div>\n");
}

/// Verdict and cause.
fn judged(claim: &Shown) -> String {
    let class = match claim.verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::Undecidable { .. } => "undecidable",
    };
    let mut text = format!("<span class=\"verdict {class}\">{}</span>", claim.verdict.word());
    if let Some((cause, _)) = &claim.cause {
        let _ = write!(text, "<span class=\"cause\">{}</span>", cause.word());
    }
    if claim.own {
        text.push_str("<span class=\"cause\">carom's own</span>");
    }
    text
}

/// Place, our words, theirs.
fn said(claim: &Shown) -> String {
    let pages = claim.pages.as_ref().map_or(String::new(), |p| format!(" · {}", escape(p)));
    let mut text = format!(
        "<span class=\"place\">{}{pages}</span> {}",
        escape(&claim.place),
        rich(&claim.statement)
    );
    if let Some(quote) = &claim.quote {
        let _ = write!(text, "<q>{}</q>", rich(quote));
    }
    text
}

/// What was found, for which values it holds, and why it is not "agrees".
fn answered(claim: &Shown) -> String {
    let mut text = rich(&claim.found);
    if let Verdict::Undecidable { why } = &claim.verdict {
        let _ = write!(text, "<p class=\"why\">Not decidable: {}</p>", rich(why));
    }
    if let Some((cause, words)) = &claim.cause {
        let head = cause.word();
        let head = format!("{}{}", head[..1].to_uppercase(), &head[1..]);
        let _ = write!(text, "<p class=\"why\"><b>{head}.</b> {}</p>", rich(words));
    }
    text
}

/// The figure inline, so that it follows the theme of the page, and its files.
fn figure(text: &mut String, name: &str, drawn: &Drawn) {
    let stands_for = match drawn.stands_for.is_empty() {
        true => String::new(),
        false => format!("In the form of {} · ", escape(&drawn.stands_for)),
    };
    let path = format!("{name}/{}", escape(&drawn.name));
    let _ = writeln!(
        text,
        "<figure><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"scrolls\">{}</div><figcaption>{stands_for}<a href=\"{path}.svg\">SVG</a>, \
         <a href=\"{path}.png\">PNG</a></figcaption></figure>",
        drawn.svg
    );
}

/// Links to the numbers.
fn data(text: &mut String, name: &str, data: &[Listed]) {
    if data.is_empty() {
        return;
    }
    text.push_str("<h3>Data</h3>\n<ul class=\"data\">\n");
    for file in data {
        let shown = escape(&file.name);
        let _ = writeln!(
            text,
            "<li><a href=\"{name}/{shown}.csv\">{shown}.csv</a>, {} {}</li>",
            if file.rows < 10 { file.rows.to_string() } else { grouped(file.rows as f64) },
            if file.rows == 1 { "row" } else { "rows" }
        );
    }
    text.push_str("</ul>\n");
}

fn table(text: &mut String, table: &Table) {
    let _ = write!(
        text,
        "<h3>{}</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"scrolls\"><table>\n<thead><tr>",
        escape(&table.title)
    );
    for (column, head) in table.header.iter().enumerate() {
        let _ = write!(text, "<th{}>{}</th>", numeric(table, column), rich(head));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(text, "<td{}>{}</td>", numeric(table, column), escape(cell));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table></div>\n");
}

/// Columns of numbers are set flush right.
fn numeric(table: &Table, column: usize) -> &'static str {
    let number = |cell: &String| {
        cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || "+-−–".contains(c))
    };
    let all = table.rows.iter().filter_map(|row| row.get(column)).all(number);
    if all { " class=\"n\"" } else { "" }
}

fn timings(text: &mut String, timings: &[Timing]) {
    if timings.is_empty() {
        return;
    }
    text.push_str(
        "<h3>Computing times</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"scrolls\"><table>\n<thead><tr><th>computed</th>\
         <th class=\"n\">published CPU</th><th class=\"n\">carom, wall</th><th class=\"n\">repetitions</th>\
         <th class=\"n\">speed-up</th></tr></thead>\n<tbody>\n",
    );
    for timing in timings {
        let [fast, slow] = timing.range();
        let repeated = timing.ours.len() > 1;
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&timing.what),
            timing.published.map_or("–".into(), time),
            time(timing.median()),
            if repeated {
                format!("{}: {} to {}", timing.ours.len(), time(fast), time(slow))
            } else {
                "–".into()
            },
            timing.speed_up().map_or("–".into(), |[x, low, high]| format!(
                "{}× ({} to {})",
                grouped(x),
                grouped(low),
                grouped(high)
            )),
        );
    }
    text.push_str("</tbody>\n</table></div>\n");
}
