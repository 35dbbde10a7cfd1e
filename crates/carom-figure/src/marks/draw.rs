//! What a figure consists of when its layout is known: paths and texts in pixels, y down.

use super::colour::Colour;
use super::text::{Role, TextBox, Words};

/// A place on the canvas, px.
pub(crate) type Point = [f64; 2];

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

impl Segment {
    /// With every point moved.
    pub fn map(self, at: impl Fn(Point) -> Point) -> Self {
        match self {
            Self::Move(p) => Self::Move(at(p)),
            Self::Line(p) => Self::Line(at(p)),
            Self::Quad(a, p) => Self::Quad(at(a), at(p)),
            Self::Cubic(a, b, p) => Self::Cubic(at(a), at(b), at(p)),
            Self::Close => Self::Close,
        }
    }
}

/// A path of lines and curves.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Path(pub Vec<Segment>);

impl Path {
    /// An open chain of lines.
    pub fn chain(points: &[Point]) -> Self {
        let piece =
            |(k, p): (usize, &Point)| if k == 0 { Segment::Move(*p) } else { Segment::Line(*p) };
        Self(points.iter().enumerate().map(piece).collect())
    }

    /// A closed chain of lines.
    pub fn polygon(points: &[Point]) -> Self {
        let mut path = Self::chain(points);
        path.0.push(Segment::Close);
        path
    }

    /// One line.
    pub fn line(a: Point, b: Point) -> Self {
        Self::chain(&[a, b])
    }

    /// A rectangle with sides along the axes.
    pub fn rectangle(r: &Rect) -> Self {
        Self::polygon(&[[r.x0, r.y0], [r.x1, r.y0], [r.x1, r.y1], [r.x0, r.y1]])
    }

    /// A circle, as four cubics (radius right to 3e-4).
    pub fn circle(c: Point, r: f64) -> Self {
        const K: f64 = 0.552_284_749_8;
        let at = |x: f64, y: f64| [c[0] + x * r, c[1] + y * r];
        Self(vec![
            Segment::Move(at(1.0, 0.0)),
            Segment::Cubic(at(1.0, K), at(K, 1.0), at(0.0, 1.0)),
            Segment::Cubic(at(-K, 1.0), at(-1.0, K), at(-1.0, 0.0)),
            Segment::Cubic(at(-1.0, -K), at(-K, -1.0), at(0.0, -1.0)),
            Segment::Cubic(at(K, -1.0), at(1.0, -K), at(1.0, 0.0)),
            Segment::Close,
        ])
    }

    /// Appends another path.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A rectangle on the canvas, y0 above y1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Rect {
    pub x0: f64,
    pub y0: f64,
    pub x1: f64,
    pub y1: f64,
}

impl Rect {
    /// Width, px.
    pub fn width(&self) -> f64 {
        self.x1 - self.x0
    }

    /// Height, px.
    pub fn height(&self) -> f64 {
        self.y1 - self.y0
    }

    /// Grown on all sides.
    pub fn grown(&self, by: f64) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    /// Whether a point is inside or on the edge.
    pub fn holds(&self, p: Point) -> bool {
        p[0] >= self.x0 && p[0] <= self.x1 && p[1] >= self.y0 && p[1] <= self.y1
    }

    /// Whether the insides meet.
    pub fn meets(&self, other: &Self) -> bool {
        self.x0 < other.x1 && other.x0 < self.x1 && self.y0 < other.y1 && other.y0 < self.y1
    }

    /// Whether another one is inside.
    pub fn contains(&self, other: &Self) -> bool {
        self.holds([other.x0, other.y0]) && self.holds([other.x1, other.y1])
    }
}

/// How a path is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    pub colour: Colour,
    pub width: f64,
    pub dash: &'static [f64],
    pub opacity: f64,
}

impl Pen {
    /// An unbroken opaque line.
    pub fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: &[], opacity: 1.0 }
    }
}

/// One thing on the canvas.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// Filled, stroked or both.
    Shape { path: Path, fill: Option<(Colour, f64)>, pen: Option<Pen> },
    /// A text whose baseline starts at a point; `upright` reads from below to above.
    Text { words: Words, at: Point, upright: bool, colour: Colour },
}

/// All marks in the order of drawing, and where the texts are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Canvas {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
    pub texts: Vec<TextBox>,
    /// Notes that found no place.
    pub left_out: Vec<String>,
    /// Panel that is being drawn.
    pub panel: Option<usize>,
}

/// Where a text sits relative to its point: 0 left or top, 0.5 middle, 1 right or bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Anchor(pub f64, pub f64);

impl Canvas {
    /// Strokes a path.
    pub fn stroke(&mut self, path: Path, pen: Pen) {
        if !path.is_empty() && pen.width > 0.0 {
            self.marks.push(Mark::Shape { path, fill: None, pen: Some(pen) });
        }
    }

    /// Fills a path.
    pub fn fill(&mut self, path: Path, colour: Colour, opacity: f64) {
        if !path.is_empty() && opacity > 0.0 {
            self.marks.push(Mark::Shape { path, fill: Some((colour, opacity)), pen: None });
        }
    }

    /// Places a text with its anchor on a point.
    pub fn text(&mut self, words: Words, at: Point, anchor: Anchor, look: (Role, Colour)) {
        let (w, h) = (words.width, words.height());
        let corner = [at[0] - anchor.0 * w, at[1] - anchor.1 * h];
        let area = Rect { x0: corner[0], y0: corner[1], x1: corner[0] + w, y1: corner[1] + h };
        self.texts.push(TextBox::new(words.text.clone(), look.0, self.panel, &area));
        let baseline = [corner[0], corner[1] + words.ascent()];
        self.marks.push(Mark::Text { words, at: baseline, upright: false, colour: look.1 });
    }

    /// Places a text that reads upwards, centred on a point.
    pub fn text_upright(&mut self, words: Words, centre: Point, look: (Role, Colour)) {
        let (w, h) = (words.width, words.height());
        let area = Rect {
            x0: centre[0] - h / 2.0,
            y0: centre[1] - w / 2.0,
            x1: centre[0] + h / 2.0,
            y1: centre[1] + w / 2.0,
        };
        self.texts.push(TextBox::new(words.text.clone(), look.0, self.panel, &area));
        let baseline = [area.x0 + words.ascent(), area.y1];
        self.marks.push(Mark::Text { words, at: baseline, upright: true, colour: look.1 });
    }
}
