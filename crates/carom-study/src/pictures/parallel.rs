//! Parallel coordinates: one line for each row across several axes.

use super::picture::{Drawn, Picture, not_empty, rows};
use super::scan::Scan;
use crate::dataset::Reader;
use crate::error::StudyError;
use carom_figure::{Axis, Colour, LegendPlace, Line, Panel};
use carom_scene::short_number;

/// Lines at most; of more rows every n-th.
const MOST: u64 = 1500;

/// The panel of lines.
pub fn panels(picture: &Picture, reader: &Reader, scan: &Scan<'_>) -> Result<Drawn, StudyError> {
    if picture.x.len() < 2 {
        return Err(picture.needs("at least two columns for --x".into()));
    }
    let mut places =
        picture.x.iter().map(|x| reader.place(x)).collect::<Result<Vec<_>, StudyError>>()?;
    let axes = places.len();
    if let Some(value) = &picture.value {
        places.push(reader.place(value)?);
    }
    let ranges = scan.ranges(&places)?;
    not_empty(picture, &ranges)?;
    let mut lines: Vec<(f64, Vec<f64>)> = Vec::new();
    let part = |x: f64, [low, high]: [f64; 2]| {
        if high > low { (x - low) / (high - low) } else { 0.5 }
    };
    let total = scan.numbers(&places, |_| {})?;
    let every = total.div_ceil(MOST).max(1);
    let mut number = 0_u64;
    scan.numbers(&places, |row| {
        // Spread over all rows without a pattern that a grid could have too.
        let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if spread.is_multiple_of(every) && row.iter().take(axes).all(|x| x.is_finite()) {
            let y = (0..axes).map(|k| part(row[k], ranges[k])).collect();
            let shade = row.get(axes).map_or(f64::NAN, |v| part(*v, ranges[axes]));
            lines.push((shade, y));
        }
        number += 1;
    })?;
    // Dark ones last, so that they are seen.
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let x: Vec<f64> = (0..axes).map(|k| k as f64).collect();
    let opacity = (60.0 / lines.len() as f64).clamp(0.12, 0.8);
    let mut panel = Panel::new().bare().legend(LegendPlace::None).height(320.0);
    panel = panel.x(Axis::new("", "").range(-0.35, axes as f64 - 0.65));
    panel = panel.y(Axis::new("", "").range(-0.12, 1.26));
    for (shade, y) in &lines {
        let colour = match shade.is_nan() {
            true => Colour::Series(0),
            false => Colour::Level((40.0 + 215.0 * shade).round() as u8),
        };
        panel = panel.add(Line::unnamed(&x, y).colour(colour).width(0.9).opacity(opacity));
    }
    for (k, name) in picture.x.iter().enumerate() {
        let (words, unit) = picture.label(name);
        let words = if unit.is_empty() { words } else { format!("{words} / {unit}") };
        let at = k as f64;
        let axis = Line::unnamed(&[at, at], &[0.0, 1.0]).colour(Colour::Ink).width(1.2);
        panel = panel.add(axis).note(at, 1.17, words);
        for (end, height) in [(0, -0.04), (1, 1.04)] {
            let text = short_number(ranges[k][end]).replace('-', "−");
            panel = panel.note(at, height, text);
        }
    }
    let caption = caption(picture, (total, every), ranges.get(axes));
    Ok(Drawn::without_frame(vec![panel], caption))
}

fn caption(picture: &Picture, (total, every): (u64, u64), value: Option<&[f64; 2]>) -> String {
    let mut text = rows(total);
    if every > 1 {
        text.push_str(&format!(", about one in {every} drawn"));
    }
    text.push_str(". Numbers: ends of each axis.");
    if let (Some(name), Some([low, high])) = (&picture.value, value) {
        let (words, unit) = picture.label(name);
        let unit = if unit.is_empty() { unit } else { format!(" {unit}") };
        let ends = (short_number(*low), short_number(*high));
        text.push_str(&format!(" Light to dark: {words} from {} to {}{unit}.", ends.0, ends.1));
    }
    text.replace('-', "−")
}
