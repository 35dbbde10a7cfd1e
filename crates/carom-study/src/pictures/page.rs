//! A page of a picture: a click on a point shows its row and the way to its run.
//!
//! The picture is the SVG of [`Picture::draw`]. Points lie in the page a second time, as places in pixels with the
//! numbers of their rows, at most one for each pixel; beside them all columns of these rows, from which the command that
//! repeats a run is put together where it is asked for.
//!
//! # Tests
//! `tests/pictures.rs` for what is in the page, `viewer/test/study_tests.mjs` for what a click does.

use super::picture::{Frame, Picture};
use super::scan::Scan;
use crate::dataset::{Column, Reader};
use crate::error::StudyError;
use crate::fixed::ROW;
use crate::sampling::Value;
use carom_figure::{Layout, Theme};
use std::collections::{BTreeMap, HashSet};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a page says beside its picture.
#[derive(Debug, Clone, Default)]
pub struct Way {
    /// The command that repeats the run of a row, without the values of the row.
    pub command: String,
    /// Pages of runs that were kept, by row.
    pub kept: BTreeMap<u64, String>,
}

impl Picture {
    /// The picture as a page that needs nothing else.
    pub fn page(&self, reader: &Reader, way: &Way) -> Result<String, StudyError> {
        let scan = Scan::new(reader, self.condition.as_deref())?;
        let drawn = self.drawn(reader, &scan)?;
        let needs =
            || self.needs("two axes to be a page: scatter, bifurcation, map or basin".into());
        let frame = drawn.frame.as_ref().ok_or_else(needs)?.clone();
        let figure = drawn.figure(self);
        let layout = figure.layout();
        let points = points(reader, &scan, &frame, &layout)?;
        let rows = rows(reader, &points)?;
        let own = reader.manifest.rows_file.iter().flat_map(|file| file.names.iter().cloned());
        let values: Vec<String> =
            own.chain(reader.manifest.vary.iter().map(|t| t.name.clone())).collect();
        let data = serde_json::json!({
            "names": reader.names, "values": values, "points": points, "rows": rows,
            "command": way.command, "kept": way.kept, "width": layout.width,
        });
        // The same text in JSON, and no end of an element, whatever names contain.
        let data = data.to_string().replace('<', "\\u003c");
        let title = self.title.clone().unwrap_or_else(|| reader.manifest.scene.clone());
        let title = title.replace('&', "&amp;").replace('<', "&lt;");
        // A picture without a title of its own has that of the page.
        let named = format!("<title>{title}</title>");
        let picture = figure.svg(Theme::Light).replacen("<title></title>", &named, 1);
        Ok(format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n<main>\n<h1>{title}</h1>\n<div id=\"picture\">{picture}</div>\n\
             <aside id=\"row\" aria-live=\"polite\"><p>Choose a point: click, or go from row to row with the arrow \
             keys.</p></aside>\n</main>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script>\n</html>\n"
        ))
    }
}

/// Places of points, px, and their rows: of those at the same pixel the first.
fn points(
    reader: &Reader,
    scan: &Scan<'_>,
    frame: &Frame,
    layout: &Layout,
) -> Result<Vec<(f64, f64, u64)>, StudyError> {
    let [left, top, right, bottom] = layout.axes[0];
    let part = |x: f64, [low, high]: [f64; 2]| (x - low) / (high - low);
    let mut places = vec![reader.place(ROW)?];
    places.extend(&frame.places);
    let (mut taken, mut points) = (HashSet::new(), Vec::new());
    scan.numbers(&places, |row| {
        for y in &row[2..] {
            let x = left + (right - left) * part(row[1], frame.x);
            let y = bottom - (bottom - top) * part(*y, frame.y);
            if x.is_finite() && y.is_finite() && taken.insert((x as i64, y as i64)) {
                let tenth = |x: f64| (10.0 * x).round() / 10.0;
                points.push((tenth(x), tenth(y), row[0] as u64));
            }
        }
    })?;
    Ok(points)
}

/// All columns of the rows of points, as texts of scene files; null where there is none.
fn rows(
    reader: &Reader,
    points: &[(f64, f64, u64)],
) -> Result<BTreeMap<u64, Vec<Option<String>>>, StudyError> {
    let wanted: HashSet<u64> = points.iter().map(|point| point.2).collect();
    let number = reader.place(ROW)?;
    let all: Vec<usize> = (0..reader.names.len()).collect();
    let mut rows = BTreeMap::new();
    for part in 0..reader.parts().len() {
        let columns = reader.read(part, &all)?;
        let Column::Numbers(numbers) = &columns[number] else { continue };
        for (k, row) in numbers.iter().enumerate().filter(|(_, n)| wanted.contains(&(**n as u64))) {
            let text = |column: &Column| match column {
                Column::Numbers(x) if x[k].is_nan() => None,
                Column::Numbers(x) => Some(Value::Number(x[k]).to_string()),
                Column::Texts(texts) => texts[k].clone(),
            };
            rows.insert(*row as u64, columns.iter().map(text).collect());
        }
    }
    Ok(rows)
}
