//! SVG of a canvas.
//!
//! Letters are outlines, each glyph defined once and used by reference: a figure then looks the same in every browser,
//! paper and slide, whatever fonts are installed, and its layout is exact; only letters that our font lacks are left to
//! the reader's fonts, each in a place of known width. Each text keeps its words in an
//! `aria-label`, for screen readers and for search. Nothing is fetched, nothing depends on scripts, and the same figure
//! gives the same bytes.

use crate::marks::colour::{Colour, Theme};
use crate::marks::draw::{Canvas, Mark, Path, Pen, Segment};
use crate::marks::font::{self, Weight};
use crate::marks::missing;
use crate::marks::text::{Glyph, Words};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Units of the glyph outlines per size.
const EM: f64 = 1000.0;

/// Writes a canvas; `prefix` keeps the names of several figures in one page apart.
/// With `mm` the picture is so many millimetres wide on paper.
pub(crate) fn svg(
    canvas: &Canvas,
    title: &str,
    prefix: &str,
    (theme, mm): (Theme, Option<f64>),
) -> String {
    let (w, h) = (number(canvas.width), number(canvas.height));
    let size = match mm {
        Some(mm) => {
            let high = mm * canvas.height / canvas.width;
            format!("width=\"{}mm\" height=\"{}mm\"", number(mm), number(high))
        }
        None => format!("width=\"{w}\" height=\"{h}\""),
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" {size} role=\"img\">\n"
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    let writer = Writer { theme, prefix };
    writer.glyphs(canvas, &mut out);
    let _ = writeln!(
        out,
        "<rect width=\"{w}\" height=\"{h}\" {}/>",
        writer.paint("fill", Colour::Paper)
    );
    for mark in &canvas.marks {
        writer.mark(mark, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

struct Writer<'a> {
    theme: Theme,
    prefix: &'a str,
}

impl Writer<'_> {
    fn paint(&self, what: &str, colour: Colour) -> String {
        let css = self.theme.css(colour);
        match self.theme {
            Theme::Page => format!("style=\"{what}:{css}\""),
            _ => format!("{what}=\"{css}\""),
        }
    }

    fn id(&self, glyph: u16, weight: Weight) -> String {
        format!("{}{}{glyph}", self.prefix, if weight == Weight::Regular { "r" } else { "b" })
    }

    /// Outlines of all glyphs in use.
    fn glyphs(&self, canvas: &Canvas, out: &mut String) {
        let mut used: BTreeSet<(Weight, u16)> = BTreeSet::new();
        for mark in &canvas.marks {
            if let Mark::Text { words, .. } = mark {
                let known = words.glyphs.iter().filter(|g| g.missing.is_none());
                used.extend(known.map(|g| (words.weight, g.id)));
            }
        }
        out.push_str("<defs>\n");
        for (weight, id) in used {
            let outline = Path(font::outline(id, weight).into_iter().map(enlarged).collect());
            if !outline.is_empty() {
                let _ = writeln!(
                    out,
                    "<path id=\"{}\" d=\"{}\"/>",
                    self.id(id, weight),
                    data(&outline, 0)
                );
            }
        }
        out.push_str("</defs>\n");
    }

    fn mark(&self, mark: &Mark, out: &mut String) {
        match mark {
            Mark::Shape { path, fill, pen } => self.shape(path, *fill, *pen, out),
            Mark::Text { words, at, upright, colour } => {
                let turn = if *upright { "rotate(-90)" } else { "" };
                let _ = write!(
                    out,
                    "<g role=\"text\" aria-label=\"{}\" transform=\"translate({} {}){turn}\" {}>",
                    escaped(&words.text),
                    number(at[0]),
                    number(at[1]),
                    self.paint("fill", *colour)
                );
                self.words(words, out);
                out.push_str("</g>\n");
            }
        }
    }

    fn words(&self, words: &Words, out: &mut String) {
        for glyphs in words.glyphs.chunk_by(|a, b| a.size == b.size && a.y == b.y) {
            let scale = glyphs[0].size / EM;
            let _ = write!(
                out,
                "<g transform=\"translate(0 {}) scale({})\">",
                number(glyphs[0].y),
                exact(scale)
            );
            for g in glyphs.iter().filter(|g| is_drawn(g, words.weight)) {
                if let Some(letter) = g.missing {
                    out.push_str(&foreign(letter, g.x / scale, words.weight));
                    continue;
                }
                let _ = write!(
                    out,
                    "<use href=\"#{}\" x=\"{:.0}\"/>",
                    self.id(g.id, words.weight),
                    g.x / scale
                );
            }
            out.push_str("</g>");
        }
    }

    fn shape(&self, path: &Path, fill: Option<(Colour, f64)>, pen: Option<Pen>, out: &mut String) {
        let mut css: Vec<(&str, String)> = Vec::new();
        match fill {
            Some((colour, opacity)) => {
                css.push(("fill", self.theme.css(colour)));
                if opacity < 1.0 {
                    css.push(("fill-opacity", number(opacity)));
                }
            }
            None => css.push(("fill", "none".into())),
        }
        if let Some(pen) = pen {
            css.push(("stroke", self.theme.css(pen.colour)));
            css.push(("stroke-width", number(pen.width)));
            css.push(("stroke-linejoin", "round".into()));
            css.push(("stroke-linecap", if pen.dash.is_empty() { "round" } else { "butt" }.into()));
            if !pen.dash.is_empty() {
                let lengths: Vec<String> = pen.dash.iter().map(|d| number(*d)).collect();
                css.push(("stroke-dasharray", lengths.join(" ")));
            }
            if pen.opacity < 1.0 {
                css.push(("stroke-opacity", number(pen.opacity)));
            }
        }
        let look: Vec<String> = match self.theme {
            Theme::Page => {
                let all: Vec<String> = css.iter().map(|(k, v)| format!("{k}:{v}")).collect();
                vec![format!("style=\"{}\"", all.join(";"))]
            }
            _ => css.iter().map(|(k, v)| format!("{k}=\"{v}\"")).collect(),
        };
        let _ = writeln!(out, "<path d=\"{}\" {}/>", data(path, 2), look.join(" "));
    }
}

/// A letter that the reader's own fonts draw, in the middle of its place.
fn foreign(letter: char, x: f64, weight: Weight) -> String {
    let weight = if weight == Weight::Regular { "normal" } else { "600" };
    format!(
        "<text x=\"{:.0}\" font-size=\"{EM:.0}\" font-weight=\"{weight}\" font-family=\"sans-serif\" text-anchor=\"middle\">{}</text>",
        x + 0.5 * missing::WIDTH * EM,
        escaped(&letter.to_string())
    )
}

/// Whether a glyph has an outline; a space has none.
fn is_drawn(glyph: &Glyph, weight: Weight) -> bool {
    !glyph.outline(weight).is_empty()
}

fn enlarged(segment: Segment) -> Segment {
    segment.map(|p| [p[0] * EM, p[1] * EM])
}

/// The `d` of a path.
fn data(path: &Path, decimals: usize) -> String {
    let mut out = String::new();
    let point = |p: [f64; 2], out: &mut String| {
        let _ = write!(out, "{} {}", rounded(p[0], decimals), rounded(p[1], decimals));
    };
    for segment in &path.0 {
        match segment {
            Segment::Move(p) => {
                out.push('M');
                point(*p, &mut out);
            }
            Segment::Line(p) => {
                out.push('L');
                point(*p, &mut out);
            }
            Segment::Quad(a, p) => {
                out.push('Q');
                point(*a, &mut out);
                out.push(' ');
                point(*p, &mut out);
            }
            Segment::Cubic(a, b, p) => {
                out.push('C');
                point(*a, &mut out);
                out.push(' ');
                point(*b, &mut out);
                out.push(' ');
                point(*p, &mut out);
            }
            Segment::Close => out.push('Z'),
        }
    }
    out
}

/// At most two decimals, no trailing zeros.
fn number(x: f64) -> String {
    rounded(x, 2)
}

/// Enough digits for a factor.
fn exact(x: f64) -> String {
    rounded(x, 6)
}

fn rounded(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

/// A text inside XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write the others.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.346), "12.35");
        assert_eq!(rounded(1500.0, 0), "1500");
    }

    #[test]
    fn words_are_safe_in_xml() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot; ");
    }
}
