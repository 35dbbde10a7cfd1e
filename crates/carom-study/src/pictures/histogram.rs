//! Histograms: how often values come.

use super::picture::{Drawn, Picture, not_empty, rows};
use super::scan::Scan;
use crate::dataset::Reader;
use crate::error::StudyError;
use carom_figure::{Area, Axis, Colour, Dash, LegendPlace, Panel};

/// Bars at least and at most; between them the square root of the number of rows.
const BARS: (f64, f64) = (10.0, 60.0);

/// One panel for each column.
pub fn panels(picture: &Picture, reader: &Reader, scan: &Scan<'_>) -> Result<Drawn, StudyError> {
    let mut panels = Vec::new();
    let (mut total, mut counted) = (0, 0);
    for name in &picture.x {
        let place = [reader.place(name)?];
        let range = scan.ranges(&place)?[0];
        not_empty(picture, &[range])?;
        let mut finite = 0_u64;
        total = scan.numbers(&place, |row| finite += u64::from(row[0].is_finite()))?;
        let [low, high] =
            if range[0] < range[1] { range } else { [range[0] - 0.5, range[0] + 0.5] };
        let bars = (finite as f64).sqrt().clamp(BARS.0, BARS.1).round();
        let mut counts = vec![0_u64; bars as usize];
        scan.numbers(&place, |row| {
            if row[0].is_finite() {
                let bar = ((row[0] - low) / (high - low) * bars) as usize;
                counts[bar.min(bars as usize - 1)] += 1;
            }
        })?;
        counted += finite;
        let width = (high - low) / bars;
        let highest = counts.iter().copied().max().unwrap_or(1) as f64;
        let mut panel = Panel::new()
            .x(picture.axis(name).range(low - 0.5 * width, high + 0.5 * width))
            .y(Axis::new("runs", "").range(0.0, 1.06 * highest))
            .legend(LegendPlace::None);
        for (k, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (left, right) = (low + width * k as f64, low + width * (k + 1) as f64);
            let top = *count as f64;
            let corners = vec![[left, 0.0], [right, 0.0], [right, top], [left, top]];
            let area = Area::new(corners).fill(Colour::Series(0), 0.65);
            panel = panel.add(area.edge(Colour::Series(0), 0.8, Dash::Solid));
        }
        panels.push(panel);
    }
    let missing = total * picture.x.len() as u64 - counted;
    let missing =
        if missing > 0 { format!(", {missing} values do not exist") } else { String::new() };
    Ok(Drawn::without_frame(panels, format!("{}{missing}.", rows(total))))
}
