//! The page around the sections.

use std::fmt::Write;

use carom_figure::Theme;

use super::filter::filter;
use super::section::section;
use super::summary::overview;
use crate::record::Record;
use crate::stamp::Stamp;

const STYLE: &str = include_str!("style.css");

/// The page: title, overview with verdict counts, table of contents, one section per experiment. Records of experiments
/// that this build does not know are left out.
pub fn page(records: &[Record], stamp: &Stamp) -> String {
    let mut text = String::new();
    let figures = Theme::stylesheet(":root", "@media (prefers-color-scheme:dark){:root");
    let _ = write!(
        text,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Published experiments, computed by carom</title>\n<style>\n{STYLE}{figures}}}</style>\n</head>\n<body>\n"
    );
    contents(&mut text, records);
    text.push_str("<main>\n");
    overview(&mut text, records, stamp);
    filter(&mut text, records);
    for record in records {
        section(&mut text, record);
    }
    let _ = write!(
        text,
        "<footer>{} · verdicts are computed from the numbers beside them</footer>\n</main>\n</body>\n</html>\n",
        escape(&stamp.words())
    );
    text
}

/// Beside the page where there is room, folded above it where there is not.
fn contents(text: &mut String, records: &[Record]) {
    let links = links(records);
    let _ = write!(
        text,
        "<nav aria-label=\"Contents\">\n{links}</nav>\n<details class=\"contents\"><summary>Contents</summary>\n\
         {links}</details>\n"
    );
}

fn links(records: &[Record]) -> String {
    let mut text = String::from("<a class=\"top\" href=\"#overview\">Overview</a>\n");
    let mut source = None;
    for e in records.iter().filter_map(Record::experiment) {
        if source != Some(e.source) {
            source = Some(e.source);
            let _ = writeln!(text, "<h2>{}</h2>", escape(e.source.short()));
        }
        let _ = writeln!(text, "<a href=\"#{}\">{}</a>", e.name, escape(e.title));
    }
    text
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
        s if s >= 0.09995 => format!("{:.0} ms", s * 1e3),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// Text as HTML, with `v_t` as v and a subscript.
pub fn rich(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let (mut i, mut plain) = (0, String::new());
    while i < chars.len() {
        let alone = i == 1 || i >= 2 && !chars[i - 2].is_alphanumeric();
        let index = chars[i] == '_' && i > 0 && chars[i - 1].is_alphabetic() && alone;
        let length = chars[i + 1..].iter().take_while(|c| c.is_alphanumeric()).count();
        if index && length > 0 {
            let word: String = chars[i + 1..=i + length].iter().collect();
            out.push_str(&escape(&plain));
            plain.clear();
            let _ = write!(out, "<sub>{}</sub>", escape(&word));
            i += length + 1;
        } else {
            plain.push(chars[i]);
            i += 1;
        }
    }
    out + &escape(&plain)
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
        assert_eq!(time(0.91), "910 ms");
        assert_eq!(time(0.0211), "21.1 ms");
        assert_eq!(time(12.3e-6), "12 µs");
    }

    #[test]
    fn indices_are_set_lower() {
        assert_eq!(rich("p_n < |v_t|"), "p<sub>n</sub> &lt; |v<sub>t</sub>|");
        assert_eq!(rich("energy_end and a_"), "energy_end and a_");
        assert_eq!(rich("W_restitution"), "W<sub>restitution</sub>");
    }
}
