//! The page around the sections.

use std::fmt::Write;

use carom_report::figure::Theme;

use super::section::section;
use super::summary::overview;
use crate::runner::Report;

const STYLE: &str = include_str!("style.css");

/// The page: title, overview with verdict counts, table of contents, one section per experiment.
pub fn page(reports: &[Report], total_seconds: f64) -> String {
    let mut text = String::new();
    let figures = Theme::stylesheet(":root", "@media (prefers-color-scheme:dark){:root");
    let _ = write!(
        text,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Published experiments, computed by carom</title>\n<style>\n{STYLE}{figures}}}</style>\n</head>\n<body>\n"
    );
    contents(&mut text, reports);
    text.push_str("<main>\n");
    overview(&mut text, reports, total_seconds);
    for report in reports {
        section(&mut text, report);
    }
    let _ = write!(
        text,
        "<footer>carom {} · verdicts are computed from the numbers beside them</footer>\n</main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    text
}

fn contents(text: &mut String, reports: &[Report]) {
    text.push_str(
        "<nav aria-label=\"Contents\">\n<a class=\"top\" href=\"#overview\">Overview</a>\n",
    );
    let mut source = None;
    for report in reports {
        let e = report.experiment;
        if source != Some(e.source) {
            source = Some(e.source);
            let _ = writeln!(text, "<h2>{}</h2>", escape(e.source.short()));
        }
        let _ = writeln!(text, "<a href=\"#{}\">{}</a>", e.name, escape(e.title));
    }
    text.push_str("</nav>\n");
}

/// Text as HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// A time for readers: three digits and a unit.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 99.95 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 1e-3 => format!("{:.3} ms", significant(s * 1e3)),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// A number cut to three significant digits.
fn significant(x: f64) -> f64 {
    let scale = 10f64.powi(2 - x.abs().log10().floor() as i32);
    (x * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }

    #[test]
    fn times_have_units() {
        assert_eq!(time(1320.97), "1321 s");
        assert_eq!(time(2.04), "2.0 s");
        assert_eq!(time(12.3e-6), "12 µs");
    }
}
