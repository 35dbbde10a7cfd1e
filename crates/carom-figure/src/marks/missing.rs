//! Letters that the font of the figures lacks: pixels show their number in a frame, so that a reader can look it up;
//! an SVG carries the letter itself, which the fonts of the reader's machine draw.

use super::draw::Segment;
use super::font::{self, Weight};

/// Width of a missing letter in parts of the size: that of an ideograph.
pub(crate) const WIDTH: f64 = 1.0;

/// Left, upper, right and lower edge of the frame in parts of the size, y down from the baseline.
const FRAME: [f64; 4] = [0.07, -0.76, 0.93, 0.14];
/// Thickness of the frame.
const EDGE: f64 = 0.04;
/// Size of the digits where two or three stand in a row, and the baselines of the rows.
const DIGITS: [f64; 2] = [0.46, 0.42];
const ROWS: [f64; 2] = [-0.38, 0.04];

/// Whether a letter asks only for a variant of the one before, or joins two: nothing is drawn for it.
pub(crate) fn is_silent(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// A frame with the number of the letter in hexadecimal digits, two rows of two or three.
pub(crate) fn outline(c: char, weight: Weight) -> Vec<Segment> {
    let mut segments = frame();
    let code = format!("{:04X}", u32::from(c));
    let code = if code.len() > 4 { format!("{code:0>6}") } else { code };
    let (across, digits) = (code.len() / 2, code.as_bytes());
    let size = DIGITS[across - 2];
    for (row, base) in ROWS.into_iter().enumerate() {
        let ids: Vec<u16> = digits[row * across..][..across]
            .iter()
            .map(|d| font::glyph(char::from(*d), weight))
            .collect();
        let width: f64 = ids.iter().map(|id| size * font::advance(*id, weight)).sum();
        // Three digits in a row are a little condensed to stay inside.
        let narrow = ((FRAME[2] - FRAME[0] - 4.0 * EDGE) / width).min(1.0);
        let mut x = 0.5 * (WIDTH - narrow * width);
        for id in ids {
            let at = |p: [f64; 2]| [x + narrow * size * p[0], base + size * p[1]];
            segments.extend(font::outline(id, weight).into_iter().map(|s| s.map(at)));
            x += narrow * size * font::advance(id, weight);
        }
    }
    segments
}

/// Two rectangles that turn opposite ways, so that the inner one is a hole.
fn frame() -> Vec<Segment> {
    let [x0, y0, x1, y1] = FRAME;
    let outer = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let (a, b, c, d) = (x0 + EDGE, y0 + EDGE, x1 - EDGE, y1 - EDGE);
    let inner = [[a, b], [a, d], [c, d], [c, b]];
    let mut segments = Vec::new();
    for ring in [outer, inner] {
        segments.push(Segment::Move(ring[0]));
        segments.extend(ring[1..].iter().map(|p| Segment::Line(*p)));
        segments.push(Segment::Close);
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_stays_in_its_frame() {
        for c in ['中', 'א', '\u{1F680}', '\u{10FFFF}'] {
            let points = outline(c, Weight::Semibold).into_iter().flat_map(|s| match s {
                Segment::Move(p) | Segment::Line(p) => vec![p],
                Segment::Quad(a, p) => vec![a, p],
                Segment::Cubic(a, b, p) => vec![a, b, p],
                Segment::Close => vec![],
            });
            let (mut count, [x0, y0, x1, y1]) = (0, FRAME);
            for p in points {
                count += 1;
                assert!(p[0] >= x0 && p[0] <= x1 && p[1] >= y0 && p[1] <= y1, "{c}: {p:?}");
            }
            assert!(count > 8 + 4 * 4, "digits are drawn");
        }
    }
}
