//! A gallery: a picture of every scene, its film on demand, and a way to its report.
//!
//! Pictures, films and reports lie beside the page; nothing moves unless the reader asks for it.

use super::html::escaped;
use crate::run::{Summary, significant};

/// The style of the page.
const STYLE: &str = include_str!("gallery.css");
/// Films play when they are asked for.
const SCRIPT: &str = include_str!("gallery.js");

/// One scene of a gallery.
#[derive(Debug, Clone, PartialEq)]
pub struct Exhibit {
    /// Names of its files begin so.
    pub name: String,
    /// Title of the scene.
    pub title: String,
    /// What it shows, in a paragraph.
    pub description: String,
    /// How it went; a scene that has no run tells why.
    pub outcome: Result<Numbers, String>,
    /// Whether there is a film.
    pub film: bool,
}

/// What a run is summed up by.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// Whether it is drawn flat.
    pub planar: bool,
    /// The law in words.
    pub law: String,
    /// Numbers with their names.
    pub rows: Vec<(&'static str, String)>,
}

impl Numbers {
    /// The numbers of a run.
    pub fn of(summary: &Summary, planar: bool, law: String) -> Self {
        let minus = |x: f64| significant(x).replace('-', "−");
        let stop = &summary.stop;
        let ended = match stop.reason.as_str() {
            "reached-end" => format!("{} s", minus(stop.t)),
            other => format!("{}, {} s", other.replace('-', " "), minus(stop.t)),
        };
        let rows = vec![
            ("ended", ended),
            ("impacts", summary.counts.impacts.to_string()),
            ("events", summary.counts.events.to_string()),
            ("energy lost", format!("{} J", minus(summary.energy.lost))),
        ];
        Self { planar, law, rows }
    }
}

/// The page.
pub fn gallery(exhibits: &[Exhibit], carom: &str) -> String {
    let cards: String = exhibits.iter().map(card).collect();
    let count = exhibits.len();
    let noun = if count == 1 { "scene" } else { "scenes" };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Gallery · carom</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>Gallery</h1>\
         <p class=\"note\">{count} {noun}, simulated and drawn by carom {}</p></header>\n\
         <main>\n{cards}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(carom)
    )
}

fn card(exhibit: &Exhibit) -> String {
    let [name, title, description] =
        [&exhibit.name, &exhibit.title, &exhibit.description].map(|text| quoted(text));
    let numbers = match &exhibit.outcome {
        Ok(numbers) => numbers,
        Err(why) => {
            return format!(
                "<article class=\"failed\"><h2>{title}</h2><p class=\"trouble\">{}</p></article>\n",
                quoted(why)
            );
        }
    };
    let film = match exhibit.film {
        true => format!(
            "<button type=\"button\" class=\"play\" data-name=\"{name}\" aria-pressed=\"false\" \
             aria-label=\"Play {title}\">▶</button>"
        ),
        false => String::new(),
    };
    let rows: String = numbers
        .rows
        .iter()
        .map(|(label, value)| format!("<div><dt>{label}</dt><dd>{}</dd></div>", quoted(value)))
        .collect();
    let space = if numbers.planar { "planar" } else { "spatial" };
    format!(
        "<article><div class=\"picture\"><img src=\"{name}.png\" alt=\"{title}\" width=\"480\" \
         height=\"300\">{film}</div><h2><a href=\"{name}.html\">{title}</a></h2>\
         <p class=\"note\">{name}.toml · {} · {space}</p><p>{description}</p><dl>{rows}</dl></article>\n",
        quoted(&numbers.law)
    )
}

/// Text of an element or of an attribute.
fn quoted(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        let evil = "<img src=x onerror=alert(1)>\"'&";
        let numbers =
            Numbers { planar: true, law: evil.into(), rows: vec![("ended", evil.into())] };
        let exhibit = |outcome| Exhibit {
            name: "a".into(),
            title: evil.into(),
            description: evil.into(),
            outcome,
            film: true,
        };
        let page = gallery(&[exhibit(Ok(numbers)), exhibit(Err(evil.into()))], evil);
        assert!(!page.contains("<img src=x"));
        assert!(!page.contains("onerror=alert(1)>\""), "no attribute ends early");
        assert_eq!(page.matches("<article").count(), 2);
        assert_eq!(page.matches("class=\"play\"").count(), 1, "what failed has no film");
    }
}
