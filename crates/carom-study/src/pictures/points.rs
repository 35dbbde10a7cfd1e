//! Scatter plots and bifurcation diagrams.

use super::picture::{Drawn, Frame, Kind, Picture, not_empty, rows};
use super::scan::Scan;
use crate::dataset::Reader;
use crate::error::StudyError;
use carom_figure::{Axis, Colour, LegendPlace, Line, Marker, Panel};
use std::collections::{BTreeMap, HashSet};

/// Points are told apart on a grid of this many places each way.
const PLACES: f64 = 2048.0;
/// Different classes at most.
const CLASSES: usize = 8;

/// The panel of points.
pub fn panels(picture: &Picture, reader: &Reader, scan: &Scan<'_>) -> Result<Drawn, StudyError> {
    let (x, y) = (picture.the_x()?, picture.the_y()?);
    let mut places = vec![reader.place(x)?];
    places.extend(columns_of(picture, reader, y)?);
    let ranges = scan.ranges(&places)?;
    let all = ranges[1..]
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let ranges = [ranges[0], all];
    not_empty(picture, &ranges)?;
    let mut groups: BTreeMap<String, Cloud> = BTreeMap::new();
    let mut count = 0;
    match picture.value.as_deref() {
        None => {
            let cloud = groups.entry(String::new()).or_insert_with(|| Cloud::new(ranges));
            count += scan.numbers(&places, |row| cloud.row(row))?;
        }
        Some(value) => scan.classes(&places, reader.place(value)?, |row, class| {
            count += 1;
            let class = class.unwrap_or("null");
            let known = groups.contains_key(class) || groups.len() < CLASSES;
            let name = if known { class } else { "others" };
            groups.entry(name.into()).or_insert_with(|| Cloud::new(ranges)).row(row);
        })?,
    }
    let mut panel = Panel::new().x(axis(picture, x, ranges[0])).y(axis(picture, y, ranges[1]));
    let small = picture.kind == Kind::Bifurcation;
    let named = groups.len() > 1;
    for (k, (name, cloud)) in groups.into_iter().enumerate() {
        let words = match (&picture.value, named) {
            (Some(value), _) => format!("{} = {name}", picture.label(value).0),
            _ => name,
        };
        let line = Line::points(words, &cloud.x, &cloud.y).colour(Colour::Series(k as u8));
        panel = panel.add(match small {
            true => {
                let radius = if cloud.x.len() > 2000 { 0.55 } else { 1.1 };
                line.marker(Marker::Square).radius(radius).opacity(0.7)
            }
            false => {
                let radius = if cloud.x.len() > 2000 { 1.2 } else { 2.4 };
                let marker = Marker::of_series(k);
                line.marker(marker).radius(radius).opacity(0.7)
            }
        });
    }
    let place = if picture.value.is_some() { LegendPlace::Above } else { LegendPlace::None };
    let height = if small { 400.0 } else { 340.0 };
    let panel = picture.marked(panel.legend(place).height(height));
    let caption = caption(picture, count, places.len() - 1);
    let [x, y] = ranges.map(padded);
    Ok(Drawn { panels: vec![panel], caption, frame: Some(Frame { x, y, places }) })
}

fn caption(picture: &Picture, count: u64, width: usize) -> String {
    match picture.kind {
        Kind::Bifurcation => format!("{}, up to {width} events of each.", rows(count)),
        _ => format!("{}.", rows(count)),
    }
}

fn axis(picture: &Picture, column: &str, range: [f64; 2]) -> Axis {
    let [low, high] = padded(range);
    picture.axis(column).range(low, high)
}

/// A range with a little room at its ends; that of one number has some too.
fn padded([low, high]: [f64; 2]) -> [f64; 2] {
    let pad = if low < high { 0.02 * (high - low) } else { 0.5 * low.abs().max(1.0) };
    [low - pad, high + pad]
}

/// The column of a name, or all columns `NAME.1`, `NAME.2`, … of a result.
fn columns_of(picture: &Picture, reader: &Reader, y: &str) -> Result<Vec<usize>, StudyError> {
    let part = |name: &String| {
        let number = name.strip_prefix(y).and_then(|rest| rest.strip_prefix('.'));
        number.is_some_and(|n| n.parse::<u32>().is_ok())
    };
    let many: Vec<usize> = (0..reader.names.len()).filter(|k| part(&reader.names[*k])).collect();
    match picture.kind {
        Kind::Bifurcation if !many.is_empty() => Ok(many),
        _ => Ok(vec![reader.place(y)?]),
    }
}

/// Points, of those at the same place one.
struct Cloud {
    ranges: [[f64; 2]; 2],
    taken: HashSet<(u16, u16)>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Cloud {
    fn new(ranges: [[f64; 2]; 2]) -> Self {
        Self { ranges, taken: HashSet::new(), x: Vec::new(), y: Vec::new() }
    }

    fn row(&mut self, row: &[f64]) {
        for y in row[1..].iter().filter(|y| y.is_finite() && row[0].is_finite()) {
            let at = |x: f64, [low, high]: [f64; 2]| {
                ((x - low) / (high - low).max(f64::MIN_POSITIVE) * PLACES) as u16
            };
            if self.taken.insert((at(row[0], self.ranges[0]), at(*y, self.ranges[1]))) {
                self.x.push(row[0]);
                self.y.push(*y);
            }
        }
    }
}
