//! What a panel can show: one noun each. Numbers are in units of the axes.

use super::style::{Dash, Hatch, Marker, Style};
use crate::marks::colour::Colour;
use crate::marks::text::Role;

/// A line through points, or the points alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub(crate) name: Option<String>,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) colour: Option<Colour>,
    pub(crate) dash: Option<Dash>,
    pub(crate) marker: Option<Marker>,
    pub(crate) width: f64,
    pub(crate) radius: f64,
    pub(crate) opacity: f64,
    pub(crate) right: bool,
}

impl Line {
    /// A line with a name in the legend. Points that are not finite part it.
    pub fn new(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self { name: Some(name.into()), ..Self::unnamed(x, y) }
    }

    /// A line that the legend does not mention.
    pub fn unnamed(x: &[f64], y: &[f64]) -> Self {
        let n = x.len().min(y.len());
        Self {
            name: None,
            x: x[..n].to_vec(),
            y: y[..n].to_vec(),
            colour: None,
            dash: None,
            marker: None,
            width: 1.5,
            radius: 3.0,
            opacity: 1.0,
            right: false,
        }
    }

    /// Points without a line.
    pub fn points(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self { width: 0.0, marker: Some(Marker::Dot), ..Self::new(name, x, y) }
    }

    /// In a colour of its own; unbroken unless a dash is stated.
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    /// With a pattern of its own.
    pub fn dash(mut self, dash: Dash) -> Self {
        self.dash = Some(dash);
        self
    }

    /// With a sign at each point.
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// With a width, px.
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// With a radius of the signs, px.
    pub fn radius(mut self, radius: f64) -> Self {
        self.radius = radius;
        self
    }

    /// Partly transparent.
    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    /// On the right axis.
    pub fn right(mut self) -> Self {
        self.right = true;
        self
    }

    /// The look as the k-th series of its panel.
    pub(crate) fn style(&self, k: usize) -> Style {
        let series = Style::of_series(k);
        let own = if self.colour.is_some() { Dash::Solid } else { series.dash };
        Style {
            colour: self.colour.unwrap_or(series.colour),
            dash: self.dash.unwrap_or(own),
            width: self.width,
            marker: self.marker,
            radius: self.radius,
            opacity: self.opacity,
        }
    }
}

/// The area between two curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    pub(crate) name: Option<String>,
    pub(crate) x: Vec<f64>,
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
    pub(crate) colour: Colour,
    pub(crate) opacity: f64,
    pub(crate) hatch: Hatch,
}

impl Band {
    /// A band; an empty name keeps it out of the legend.
    pub fn new(name: impl Into<String>, x: &[f64], low: &[f64], high: &[f64]) -> Self {
        let name = name.into();
        let n = x.len().min(low.len()).min(high.len());
        Self {
            name: (!name.is_empty()).then_some(name),
            x: x[..n].to_vec(),
            low: low[..n].to_vec(),
            high: high[..n].to_vec(),
            colour: Colour::Series(7),
            opacity: 0.25,
            hatch: Hatch::None,
        }
    }

    /// In a colour.
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = colour;
        self
    }

    /// How dense, 0 to 1.
    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    /// With lines inside.
    pub fn hatch(mut self, hatch: Hatch) -> Self {
        self.hatch = hatch;
        self
    }
}

/// Arrows from the zero line, such as impulses at their times.
#[derive(Debug, Clone, PartialEq)]
pub struct Stems {
    pub(crate) name: Option<String>,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) colour: Colour,
    pub(crate) marker: Marker,
    pub(crate) right: bool,
}

impl Stems {
    /// Stems with a name in the legend.
    pub fn new(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self {
            name: Some(name.into()),
            x: x.to_vec(),
            y: y.to_vec(),
            colour: Colour::Series(1),
            marker: Marker::Triangle,
            right: false,
        }
    }

    /// In a colour.
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = colour;
        self
    }

    /// With this sign at the tip.
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = marker;
        self
    }

    /// On the right axis.
    pub fn right(mut self) -> Self {
        self.right = true;
        self
    }
}

/// A line across the panel at one number.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    pub(crate) at: f64,
    pub(crate) vertical: bool,
    pub(crate) label: String,
    pub(crate) colour: Colour,
    pub(crate) dash: Dash,
}

impl Guide {
    /// Upright, at a number of the horizontal axis.
    pub fn vertical(at: f64, label: impl Into<String>) -> Self {
        Self { at, vertical: true, label: label.into(), colour: Colour::Soft, dash: Dash::Dashed }
    }

    /// Level, at a number of the left axis.
    pub fn horizontal(at: f64, label: impl Into<String>) -> Self {
        Self { vertical: false, ..Self::vertical(at, label) }
    }

    /// In a colour.
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = colour;
        self
    }

    /// With a pattern.
    pub fn dash(mut self, dash: Dash) -> Self {
        self.dash = dash;
        self
    }
}

/// A text at a point, moved to where it covers nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub(crate) at: [f64; 2],
    pub(crate) text: String,
    pub(crate) colour: Colour,
}

impl Note {
    /// A note.
    pub fn new(x: f64, y: f64, text: impl Into<String>) -> Self {
        Self { at: [x, y], text: text.into(), colour: Colour::Ink }
    }

    /// In a colour.
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = colour;
        self
    }
}

/// A closed shape, such as a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    pub(crate) name: Option<String>,
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) fill: Option<(Colour, f64)>,
    pub(crate) edge: Option<(Colour, f64, Dash)>,
    pub(crate) hatch: Hatch,
}

impl Area {
    /// A polygon, filled as a solid with an edge.
    pub fn new(points: Vec<[f64; 2]>) -> Self {
        Self {
            name: None,
            points,
            fill: Some((Colour::Solid, 1.0)),
            edge: Some((Colour::Ink, 1.2, Dash::Solid)),
            hatch: Hatch::None,
        }
    }

    /// With an entry in the legend.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Filled with a colour and opacity.
    pub fn fill(mut self, colour: Colour, opacity: f64) -> Self {
        self.fill = Some((colour, opacity));
        self
    }

    /// Not filled.
    pub fn hollow(mut self) -> Self {
        self.fill = None;
        self
    }

    /// With an edge of a colour, width and pattern.
    pub fn edge(mut self, colour: Colour, width: f64, dash: Dash) -> Self {
        self.edge = Some((colour, width, dash));
        self
    }

    /// Without an edge.
    pub fn no_edge(mut self) -> Self {
        self.edge = None;
        self
    }

    /// With lines inside; meant for convex shapes.
    pub fn hatch(mut self, hatch: Hatch) -> Self {
        self.hatch = hatch;
        self
    }
}

/// A surface that ends the plane: everything behind it is solid and hatched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    pub(crate) point: [f64; 2],
    pub(crate) normal: [f64; 2],
}

impl Ground {
    /// A straight surface through a point; the normal points out of the solid.
    pub fn new(point: [f64; 2], normal: [f64; 2]) -> Self {
        Self { point, normal }
    }
}

/// An arrow between two points.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrow {
    pub(crate) name: Option<String>,
    pub(crate) from: [f64; 2],
    pub(crate) to: [f64; 2],
    pub(crate) colour: Colour,
    pub(crate) width: f64,
}

impl Arrow {
    /// An arrow.
    pub fn new(from: [f64; 2], to: [f64; 2]) -> Self {
        Self { name: None, from, to, colour: Colour::Ink, width: 1.5 }
    }

    /// With an entry in the legend.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// In a colour.
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = colour;
        self
    }

    /// With a width, px.
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }
}

/// A sort of bar in a timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct BarSort {
    pub(crate) name: String,
    pub(crate) colour: Colour,
    pub(crate) opacity: f64,
    pub(crate) hatch: Hatch,
}

impl BarSort {
    /// A sort with its look.
    pub fn new(name: impl Into<String>, colour: Colour, opacity: f64, hatch: Hatch) -> Self {
        Self { name: name.into(), colour, opacity, hatch }
    }
}

/// Bars over intervals, one row per thing; the rows are the left axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    pub(crate) rows: Vec<String>,
    pub(crate) sorts: Vec<BarSort>,
    /// Row, sort, from, to.
    pub(crate) bars: Vec<(usize, usize, f64, f64)>,
}

impl Timeline {
    /// Rows from above, and the sorts of bars.
    pub fn new(rows: Vec<String>, sorts: Vec<BarSort>) -> Self {
        Self { rows, sorts, bars: Vec::new() }
    }

    /// Adds a bar; rows and sorts count from 0, others are passed over.
    pub fn bar(&mut self, row: usize, sort: usize, from: f64, to: f64) {
        if row < self.rows.len() && sort < self.sorts.len() {
            self.bars.push((row, sort, from, to));
        }
    }
}

/// A text at a fixed place: `anchor` as in [`Anchor`](crate::marks::draw::Anchor), `shift` in px.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub at: [f64; 2],
    pub shift: [f64; 2],
    pub anchor: [f64; 2],
    pub text: String,
    pub role: Role,
}

/// Anything that a panel shows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    Line(Line),
    Band(Band),
    Stems(Stems),
    Guide(Guide),
    Note(Note),
    Area(Area),
    Ground(Ground),
    Arrow(Arrow),
    Timeline(Timeline),
    Label(Label),
}

macro_rules! into_item {
    ($($noun:ident),*) => { $(
        impl From<$noun> for Item {
            fn from(item: $noun) -> Self {
                Self::$noun(item)
            }
        }
    )* };
}
into_item!(Line, Band, Stems, Guide, Note, Area, Ground, Arrow, Timeline, Label);
