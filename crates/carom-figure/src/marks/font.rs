//! The font of the figures, carried along: a subset of Source Sans 3 (SIL Open Font License, see `assets/`), renamed
//! as that licence asks for changed versions.
//!
//! Advances and outlines come from the same file that draws, so a measured text is as wide as a drawn one. Kerning is
//! not applied. Letters outside Latin, Greek, Cyrillic and the signs of formulas are those of `missing`.

use super::draw::Segment;
use std::sync::OnceLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Thickness of the letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    Regular,
    Semibold,
}

const REGULAR: &[u8] = include_bytes!("../../assets/figure-regular.ttf");
const SEMIBOLD: &[u8] = include_bytes!("../../assets/figure-semibold.ttf");

fn face(weight: Weight) -> Option<&'static Face<'static>> {
    static FACES: OnceLock<[Option<Face<'static>>; 2]> = OnceLock::new();
    let faces = FACES.get_or_init(|| [REGULAR, SEMIBOLD].map(|bytes| Face::parse(bytes, 0).ok()));
    faces[weight as usize].as_ref()
}

/// The glyph of a letter; 0 if there is none.
pub(crate) fn glyph(c: char, weight: Weight) -> u16 {
    face(weight).and_then(|f| f.glyph_index(c)).map_or(0, |g| g.0)
}

/// Width of a glyph in parts of the size.
pub(crate) fn advance(glyph: u16, weight: Weight) -> f64 {
    let Some(face) = face(weight) else { return 0.5 };
    let units = face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(500);
    f64::from(units) / f64::from(face.units_per_em())
}

/// Outline of a glyph in parts of the size, y down, baseline at 0.
pub(crate) fn outline(glyph: u16, weight: Weight) -> Vec<Segment> {
    let Some(face) = face(weight) else { return Vec::new() };
    let mut pen = Collector { scale: 1.0 / f64::from(face.units_per_em()), segments: Vec::new() };
    face.outline_glyph(GlyphId(glyph), &mut pen);
    pen.segments
}

struct Collector {
    scale: f64,
    segments: Vec<Segment>,
}

impl Collector {
    fn at(&self, x: f32, y: f32) -> [f64; 2] {
        [f64::from(x) * self.scale, -f64::from(y) * self.scale]
    }
}

impl OutlineBuilder for Collector {
    fn move_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Move(self.at(x, y)));
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Line(self.at(x, y)));
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.segments.push(Segment::Quad(self.at(x1, y1), self.at(x, y)));
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.segments.push(Segment::Cubic(self.at(x1, y1), self.at(x2, y2), self.at(x, y)));
    }
    fn close(&mut self) {
        self.segments.push(Segment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_figures_say() {
        for weight in [Weight::Regular, Weight::Semibold] {
            for c in "abcXYZ0123456789−·×±≤≥≈°–…→λμθφωΔΣπ√∞′/()ЖяѳőŞ".chars()
            {
                assert_ne!(glyph(c, weight), 0, "{c}");
            }
        }
    }

    #[test]
    fn digits_are_equally_wide() {
        let widths: Vec<f64> =
            ('0'..='9').map(|c| advance(glyph(c, Weight::Regular), Weight::Regular)).collect();
        assert!(widths.iter().all(|w| *w == widths[0] && *w > 0.4));
    }
}
