//! Pixels of a canvas, drawn from the same marks as the SVG.

use crate::marks::colour::{Colour, Theme};
use crate::marks::draw::{Canvas, Mark, Path, Pen, Segment};
use crate::marks::text::Words;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

/// Why a figure has no pixels.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// No picture of that size can be made.
    #[error("a picture of {width} × {height} pixels cannot be made")]
    Size {
        /// Width, px.
        width: f64,
        /// Height, px.
        height: f64,
    },
    /// The picture could not be encoded.
    #[error("a picture of {width} × {height} pixels could not be written as PNG")]
    Encoding {
        /// Width, px.
        width: u32,
        /// Height, px.
        height: u32,
    },
}

impl FigureError {
    /// What may be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Size { .. } => "choose a smaller scale, or SVG",
            Self::Encoding { .. } => "write SVG instead",
        }
    }
}

/// Largest side of a picture, px.
pub(crate) const LARGEST: f64 = 20_000.0;

/// PNG of a canvas with `scale` pixels per unit.
pub(crate) fn png(canvas: &Canvas, theme: Theme, scale: f64) -> Result<Vec<u8>, FigureError> {
    let (width, height) = ((canvas.width * scale).round(), (canvas.height * scale).round());
    let size = FigureError::Size { width, height };
    if !(width >= 1.0 && height >= 1.0 && width <= LARGEST && height <= LARGEST) {
        return Err(size);
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or(size)?;
    let [r, g, b] = theme.rgb(Colour::Paper);
    pixels.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
    let mut painter = Painter { pixels, theme, scale };
    for mark in &canvas.marks {
        painter.mark(mark);
    }
    let (width, height) = (painter.pixels.width(), painter.pixels.height());
    painter.pixels.encode_png().map_err(|_| FigureError::Encoding { width, height })
}

struct Painter {
    pixels: Pixmap,
    theme: Theme,
    scale: f64,
}

impl Painter {
    fn paint(&self, colour: Colour, opacity: f64) -> Paint<'static> {
        let [r, g, b] = self.theme.rgb(colour);
        let mut paint = Paint::default();
        paint.set_color_rgba8(r, g, b, (opacity * 255.0).round() as u8);
        paint.anti_alias = true;
        paint
    }

    fn mark(&mut self, mark: &Mark) {
        let s = self.scale as f32;
        let zoom = Transform::from_scale(s, s);
        match mark {
            Mark::Shape { path, fill, pen } => {
                let Some(path) = built(path) else { return };
                if let Some((colour, opacity)) = fill {
                    let paint = self.paint(*colour, *opacity);
                    self.pixels.fill_path(&path, &paint, FillRule::Winding, zoom, None);
                }
                if let Some(pen) = pen {
                    let paint = self.paint(pen.colour, pen.opacity);
                    self.pixels.stroke_path(&path, &paint, &stroke(pen), zoom, None);
                }
            }
            Mark::Text { words, at, upright, colour } => {
                let turn =
                    if *upright { Transform::from_rotate(-90.0) } else { Transform::identity() };
                let place = turn.post_translate(at[0] as f32, at[1] as f32).post_concat(zoom);
                self.words(words, place, *colour);
            }
        }
    }

    fn words(&mut self, words: &Words, place: Transform, colour: Colour) {
        let paint = self.paint(colour, 1.0);
        for (outline, own) in outlined(words) {
            let place = own.post_concat(place);
            self.pixels.fill_path(&outline, &paint, FillRule::Winding, place, None);
        }
    }
}

/// Outlines of letters, and where each goes from the start of the baseline.
pub(crate) fn outlined(words: &Words) -> impl Iterator<Item = (tiny_skia::Path, Transform)> {
    words.glyphs.iter().filter_map(|g| {
        let outline = built(&Path(g.outline(words.weight)))?;
        let size = g.size as f32;
        let own = Transform::from_scale(size, size).post_translate(g.x as f32, g.y as f32);
        Some((outline, own))
    })
}

fn stroke(pen: &Pen) -> Stroke {
    let lengths: Vec<f32> = pen.dash.iter().map(|d| *d as f32).collect();
    let dash = if lengths.is_empty() { None } else { StrokeDash::new(lengths, 0.0) };
    let line_cap = if pen.dash.is_empty() { LineCap::Round } else { LineCap::Butt };
    Stroke {
        width: pen.width as f32,
        line_cap,
        line_join: LineJoin::Round,
        dash,
        ..Stroke::default()
    }
}

fn built(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    let p = |p: &[f64; 2]| (p[0] as f32, p[1] as f32);
    for segment in &path.0 {
        match segment {
            Segment::Move(a) => builder.move_to(p(a).0, p(a).1),
            Segment::Line(a) => builder.line_to(p(a).0, p(a).1),
            Segment::Quad(a, b) => builder.quad_to(p(a).0, p(a).1, p(b).0, p(b).1),
            Segment::Cubic(a, b, c) => {
                builder.cubic_to(p(a).0, p(a).1, p(b).0, p(b).1, p(c).0, p(c).1);
            }
            Segment::Close => builder.close(),
        }
    }
    builder.finish()
}
