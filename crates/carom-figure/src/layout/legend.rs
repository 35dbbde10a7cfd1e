//! Legends: inside a panel where nothing is drawn, otherwise above it.

use super::data::{bar_marks, head, styled};
use super::plan::Plan;
use crate::content::item::{BarSort, Item};
use crate::content::panel::LegendPlace;
use crate::content::style::{Dash, Marker, Style};
use crate::marks::busy::Busy;
use crate::marks::colour::Colour;
use crate::marks::draw::{Anchor, Canvas, Path, Pen, Rect};
use crate::marks::size;
use crate::marks::text::{Role, Words};

/// Width of the sample of a line, px.
const SAMPLE: f64 = 26.0;
/// Distance of rows, px.
const ROW: f64 = 15.5;
/// Space between columns, px.
const SPACE: f64 = 16.0;
/// Space around an inner legend, px.
const PAD: f64 = 7.0;

/// What stands before the name.
#[derive(Debug, Clone, PartialEq)]
enum Sample {
    Line(Style),
    Box(BarSort),
    Area(Option<(Colour, f64)>, Option<(Colour, f64, Dash)>),
    Stem(Colour, Marker),
    Arrow(Colour, f64),
}

/// A name with its sample.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    name: String,
    sample: Sample,
}

/// Named items; a name that comes twice with the same look is one entry.
pub(crate) fn entries(items: &[Item]) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    let mut add = |name: &Option<String>, sample: Sample| {
        let Some(name) = name.clone().filter(|n| !n.is_empty()) else { return };
        let entry = Entry { name, sample };
        if !all.contains(&entry) {
            all.push(entry);
        }
    };
    for (item, style) in styled(items) {
        match item {
            Item::Line(l) => add(&l.name, Sample::Line(style)),
            Item::Band(b) => {
                add(&b.name, Sample::Box(BarSort::new("", b.colour, b.opacity, b.hatch)))
            }
            Item::Stems(s) => add(&s.name, Sample::Stem(s.colour, s.marker)),
            Item::Area(a) => add(&a.name, Sample::Area(a.fill, a.edge)),
            Item::Arrow(a) => add(&a.name, Sample::Arrow(a.colour, a.width)),
            Item::Timeline(t) => {
                t.sorts.iter().for_each(|s| add(&Some(s.name.clone()), Sample::Box(s.clone())));
            }
            Item::Guide(_) | Item::Note(_) | Item::Ground(_) | Item::Label(_) => {}
        }
    }
    all
}

/// A legend with its place, relative to the upper left corner of the axes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Legend {
    entries: Vec<Entry>,
    /// Number of entries side by side.
    columns: usize,
    /// Width of a column.
    column: f64,
    /// Place inside; above the axes if there is none.
    pub inside: Option<Rect>,
    /// Height of a legend above the axes.
    pub above: f64,
}

fn width(entry: &Entry) -> f64 {
    SAMPLE + 5.0 + Words::new(&entry.name, size::LEGEND).width
}

impl Legend {
    /// The legend of a plan at the origin.
    pub fn new(place: LegendPlace, plan: &Plan, busy: &Busy) -> Self {
        let entries = entries(&plan.items);
        if entries.is_empty() || place == LegendPlace::None {
            return Self::default();
        }
        if place == LegendPlace::Auto
            && let Some(legend) = Self::inside(&entries, plan, busy)
        {
            return legend;
        }
        Self::level(entries, plan.plot.width())
    }

    /// Side by side within a width.
    pub fn level(entries: Vec<Entry>, room: f64) -> Self {
        let widest = entries.iter().map(width).fold(0.0, f64::max);
        let fit = ((room + SPACE) / (widest + SPACE)).floor().max(1.0) as usize;
        let columns = fit.min(entries.len());
        // Even rows look better than one long and one short.
        let rows = entries.len().div_ceil(columns);
        let columns = entries.len().div_ceil(rows);
        Self {
            columns,
            column: widest + SPACE,
            inside: None,
            above: rows as f64 * ROW + 3.0,
            entries,
        }
    }

    fn inside(entries: &[Entry], plan: &Plan, busy: &Busy) -> Option<Self> {
        let widest = entries.iter().map(width).fold(0.0, f64::max);
        let r = plan.plot;
        for columns in [1, 2, entries.len()] {
            if columns > entries.len() {
                continue;
            }
            let rows = entries.len().div_ceil(columns);
            let w = columns as f64 * (widest + SPACE) - SPACE + 2.0 * PAD;
            let h = rows as f64 * ROW + PAD;
            let (fx, fy) = (r.width() - w - 12.0, r.height() - h - 12.0);
            if fx < 0.0 || fy < 0.0 || w * h > 0.3 * r.width() * r.height() {
                continue;
            }
            for (sx, sy) in [
                (1.0, 0.0),
                (0.0, 0.0),
                (1.0, 1.0),
                (0.0, 1.0),
                (0.5, 0.0),
                (0.5, 1.0),
                (1.0, 0.5),
                (0.0, 0.5),
            ] {
                let (x0, y0) = (r.x0 + 6.0 + sx * fx, r.y0 + 6.0 + sy * fy);
                let place = Rect { x0, y0, x1: x0 + w, y1: y0 + h };
                if busy.count(&place.grown(3.0)) == 0 {
                    return Some(Self {
                        entries: entries.to_vec(),
                        columns,
                        column: widest + SPACE,
                        inside: Some(place),
                        above: 0.0,
                    });
                }
            }
        }
        None
    }

    /// Draws it; the corner is that of the axes.
    pub fn draw(&self, corner: [f64; 2], canvas: &mut Canvas) -> Option<Rect> {
        let place = self.inside.map(|r| Rect {
            x0: r.x0 + corner[0],
            y0: r.y0 + corner[1],
            x1: r.x1 + corner[0],
            y1: r.y1 + corner[1],
        });
        let first = match &place {
            Some(r) => {
                canvas.fill(Path::rectangle(r), Colour::Paper, 0.9);
                canvas.stroke(Path::rectangle(r), Pen::solid(Colour::Faint, 0.8));
                [r.x0 + PAD, r.y0 + PAD / 2.0]
            }
            None => [corner[0], corner[1] - self.above],
        };
        for (k, entry) in self.entries.iter().enumerate() {
            let (row, column) = (k / self.columns, k % self.columns);
            let x = first[0] + column as f64 * self.column;
            entry.draw([x, first[1] + (row as f64 + 0.5) * ROW], canvas);
        }
        place
    }
}

impl Entry {
    fn draw(&self, [x, y]: [f64; 2], canvas: &mut Canvas) {
        let (end, middle) = (x + SAMPLE, x + SAMPLE / 2.0);
        match &self.sample {
            Sample::Line(style) => {
                let pen = Pen {
                    dash: style.dash.lengths(),
                    opacity: style.opacity,
                    ..Pen::solid(style.colour, style.width)
                };
                canvas.stroke(Path::line([x, y], [end, y]), pen);
                if let Some(marker) = style.marker {
                    sample_marker(marker, [middle, y], style, canvas);
                }
            }
            Sample::Box(sort) => {
                let area = Rect { x0: x + 2.0, y0: y - 5.0, x1: end - 2.0, y1: y + 5.0 };
                bar_marks(&area, sort, canvas);
            }
            Sample::Area(fill, edge) => {
                let area = Rect { x0: x + 3.0, y0: y - 4.5, x1: end - 3.0, y1: y + 4.5 };
                if let Some((colour, opacity)) = fill {
                    canvas.fill(Path::rectangle(&area), *colour, *opacity);
                }
                if let Some((colour, width, dash)) = edge {
                    let pen = Pen { dash: dash.lengths(), ..Pen::solid(*colour, *width) };
                    canvas.stroke(Path::rectangle(&area), pen);
                }
            }
            Sample::Stem(colour, marker) => {
                canvas.stroke(
                    Path::line([middle, y + 6.0], [middle, y - 3.0]),
                    Pen::solid(*colour, 1.2),
                );
                sample_marker(
                    *marker,
                    [middle, y - 3.0],
                    &Style { colour: *colour, ..Style::default() },
                    canvas,
                );
            }
            Sample::Arrow(colour, width) => {
                canvas.stroke(Path::line([x, y], [end - 2.0, y]), Pen::solid(*colour, *width));
                canvas.fill(head([x, y], [end, y]), *colour, 1.0);
            }
        }
        let words = Words::new(&self.name, size::LEGEND);
        canvas.text(words, [end + 5.0, y], Anchor(0.0, 0.5), (Role::Legend, Colour::Ink));
    }
}

fn sample_marker(marker: Marker, at: [f64; 2], style: &Style, canvas: &mut Canvas) {
    let path = marker.path(at, style.radius);
    match marker {
        Marker::Cross => canvas.stroke(path, Pen::solid(style.colour, 1.3)),
        Marker::Circle => {
            canvas.fill(path.clone(), Colour::Paper, 1.0);
            canvas.stroke(path, Pen::solid(style.colour, 1.3));
        }
        _ => canvas.fill(path, style.colour, style.opacity),
    }
}
