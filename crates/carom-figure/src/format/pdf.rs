//! PDF of a canvas: one page, vector paths, letters as outlines, nothing from elsewhere.
//!
//! The page is as large as asked for; y goes up in PDF, so everything is drawn under one transformation. Opacities are
//! graphics states, one for each that occurs. The same figure gives the same bytes.

use crate::marks::colour::{Colour, Theme};
use crate::marks::draw::{Canvas, Mark, Path, Segment};
use std::collections::BTreeSet;
use std::fmt::Write;

/// PDF of a canvas with `scale` points per unit.
pub(crate) fn pdf(canvas: &Canvas, title: &str, theme: Theme, scale: f64) -> Vec<u8> {
    let (width, height) = (canvas.width * scale, canvas.height * scale);
    let mut page =
        format!("{s} 0 0 {m} 0 {h} cm\n1 j\n", s = n(scale), m = n(-scale), h = n(height));
    let mut writer = Writer { theme, opacities: BTreeSet::new(), out: String::new() };
    writer.colour(Colour::Paper, "rg");
    let _ = writeln!(writer.out, "0 0 {} {} re f", n(canvas.width), n(canvas.height));
    for mark in &canvas.marks {
        writer.mark(mark);
    }
    page.push_str(&writer.out);
    let states: String = writer
        .opacities
        .iter()
        .map(|k| format!("/O{k} << /ca {o} /CA {o} >> ", o = n(f64::from(*k) / 1000.0)))
        .collect();
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R /Resources << /ExtGState << {states}>> >> >>",
            n(width),
            n(height)
        ),
        format!("<< /Length {} >>\nstream\n{page}endstream", page.len()),
        format!("<< /Title {} /Producer (carom) >>", text(title)),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (k, object) in objects.iter().enumerate() {
        places.push(file.len());
        let _ = write!(file, "{} 0 obj\n{object}\nendobj\n", k + 1);
    }
    let start = file.len();
    let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(file, "{place:010} 00000 n ");
    }
    let _ = write!(
        file,
        "trailer\n<< /Size {} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    file.into_bytes()
}

struct Writer {
    theme: Theme,
    /// In thousandths.
    opacities: BTreeSet<u32>,
    out: String,
}

impl Writer {
    fn colour(&mut self, colour: Colour, operator: &str) {
        let [r, g, b] = self.theme.rgb(colour).map(|x| n(f64::from(x) / 255.0));
        let _ = writeln!(self.out, "{r} {g} {b} {operator}");
    }

    fn opacity(&mut self, opacity: f64) {
        let k = (opacity.clamp(0.0, 1.0) * 1000.0).round() as u32;
        self.opacities.insert(k);
        let _ = writeln!(self.out, "/O{k} gs");
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Shape { path, fill, pen } => {
                if let Some((colour, opacity)) = fill {
                    self.opacity(*opacity);
                    self.colour(*colour, "rg");
                    self.path(path, |p| p);
                    self.out.push_str("f\n");
                }
                if let Some(pen) = pen {
                    self.opacity(pen.opacity);
                    self.colour(pen.colour, "RG");
                    let lengths: Vec<String> = pen.dash.iter().map(|d| n(*d)).collect();
                    let cap = if lengths.is_empty() { 1 } else { 0 };
                    let _ = writeln!(
                        self.out,
                        "{cap} J\n{} w\n[{}] 0 d",
                        n(pen.width),
                        lengths.join(" ")
                    );
                    self.path(path, |p| p);
                    self.out.push_str("S\n");
                }
            }
            Mark::Text { words, at, upright, colour } => {
                self.opacity(1.0);
                self.colour(*colour, "rg");
                for g in &words.glyphs {
                    let outline = Path(g.outline(words.weight));
                    if outline.is_empty() {
                        continue;
                    }
                    self.path(&outline, |p| {
                        let p = [p[0] * g.size + g.x, p[1] * g.size + g.y];
                        let p = if *upright { [p[1], -p[0]] } else { p };
                        [p[0] + at[0], p[1] + at[1]]
                    });
                    self.out.push_str("f\n");
                }
            }
        }
    }

    fn path(&mut self, path: &Path, at: impl Fn([f64; 2]) -> [f64; 2]) {
        let mut last = [0.0, 0.0];
        let point = |p: [f64; 2]| format!("{} {}", n(p[0]), n(p[1]));
        for segment in &path.0 {
            let _ = match segment.map(&at) {
                Segment::Move(p) => {
                    last = p;
                    writeln!(self.out, "{} m", point(p))
                }
                Segment::Line(p) => {
                    last = p;
                    writeln!(self.out, "{} l", point(p))
                }
                Segment::Quad(a, p) => {
                    // The same curve as a cubic.
                    let third = |from: [f64; 2], to: [f64; 2]| {
                        [
                            from[0] + (to[0] - from[0]) * 2.0 / 3.0,
                            from[1] + (to[1] - from[1]) * 2.0 / 3.0,
                        ]
                    };
                    let (b, c) = (third(last, a), third(p, a));
                    last = p;
                    writeln!(self.out, "{} {} {} c", point(b), point(c), point(p))
                }
                Segment::Cubic(a, b, p) => {
                    last = p;
                    writeln!(self.out, "{} {} {} c", point(a), point(b), point(p))
                }
                Segment::Close => writeln!(self.out, "h"),
            };
        }
    }
}

/// Three decimals, without zeros at the end.
fn n(x: f64) -> String {
    let text = format!("{x:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A text of any letters: UTF-16 in hexadecimal.
fn text(words: &str) -> String {
    let digits: String = words.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{digits}>")
}
