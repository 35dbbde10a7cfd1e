//! One experiment on the page.

use std::fmt::Write;

use carom_figure::Theme;

use super::html::{escape, rich, time};
use super::summary::{covers, grouped};
use crate::claim::{Claim, Verdict};
use crate::outcome::{Outcome, Timing};
use crate::plate::Plate;
use crate::runner::Report;
use crate::table::Table;

/// Writes the section of an experiment.
pub fn section(text: &mut String, report: &Report) {
    let e = report.experiment;
    let _ = write!(
        text,
        "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}{}</p>\n",
        e.name,
        escape(e.title),
        escape(e.source.reference()),
        if e.covers.is_empty() {
            String::new()
        } else {
            format!(" · {}", escape(&covers(e.covers)))
        },
    );
    match &report.result {
        Err(trouble) => {
            let _ = writeln!(
                text,
                "<p class=\"error\">Not computed: {}. {}</p>",
                escape(&trouble.to_string()),
                escape(&trouble.hint())
            );
        }
        Ok(outcome) => body(text, outcome),
    }
    text.push_str("</section>\n");
}

fn body(text: &mut String, outcome: &Outcome) {
    for paragraph in outcome.summary.split("\n\n").filter(|p| !p.is_empty()) {
        let _ = writeln!(text, "<p>{}</p>", rich(paragraph));
    }
    readings(text, &outcome.readings);
    claims(text, &outcome.claims);
    for plate in &outcome.figures {
        figure(text, plate);
    }
    for one in &outcome.tables {
        table(text, one);
    }
    timings(text, &outcome.timings);
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

fn claims(text: &mut String, claims: &[Claim]) {
    if claims.is_empty() {
        return;
    }
    text.push_str(
        "<h3>Claims</h3>\n<div class=\"claims\" role=\"table\">\n<div class=\"claim head\" role=\"row\">\
         <div role=\"columnheader\">verdict</div><div role=\"columnheader\">the source says</div>\
         <div role=\"columnheader\">carom finds</div></div>\n",
    );
    for claim in claims {
        let verdict = claim.verdict();
        let class = match verdict {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Undecidable { .. } => "undecidable",
        };
        let why = match &verdict {
            Verdict::Undecidable { why } => {
                format!("<p class=\"why\">Not decidable: {}</p>", rich(why))
            }
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "<div class=\"claim\" role=\"row\"><div role=\"cell\"><span class=\"verdict {class}\">{}</span></div>\
             <div role=\"cell\"><span class=\"place\">{}</span> {}</div><div role=\"cell\">{}{why}</div></div>",
            verdict.word(),
            escape(&claim.place),
            rich(&claim.statement),
            rich(&claim.found),
        );
    }
    text.push_str("</div>\n");
}

/// The figure inline, so that it follows the theme of the page.
fn figure(text: &mut String, plate: &Plate) {
    let stands_for = match plate.stands_for.is_empty() {
        true => String::new(),
        false => format!("<figcaption>In the form of {}</figcaption>", escape(&plate.stands_for)),
    };
    let _ = writeln!(
        text,
        "<figure><div class=\"scroll\">{}</div>{stands_for}</figure>",
        plate.figure.svg(Theme::Page)
    );
}

fn table(text: &mut String, table: &Table) {
    let _ = write!(
        text,
        "<h3>{}</h3>\n<div class=\"scroll\"><table>\n<thead><tr>",
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
        "<h3>Computing times</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th>computed</th>\
         <th class=\"n\">published CPU</th><th class=\"n\">carom, wall</th><th class=\"n\">speed-up</th></tr></thead>\n\
         <tbody>\n",
    );
    for timing in timings {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&timing.what),
            timing.published.map_or("–".into(), time),
            time(timing.ours),
            timing.speed_up().map_or("–".into(), |x| format!("{}×", grouped(x))),
        );
    }
    text.push_str("</tbody>\n</table></div>\n");
}
