//! The axes of a panel when its size is known: scales, ticks, and the room that labels need around them.

use crate::content::item::Item;
use crate::content::panel::Panel;
use crate::marks::draw::Rect;
use crate::marks::size;
use crate::marks::text::Words;
use crate::numbers::scale::Scale;
use crate::numbers::ticks::{Ticks, ticks};

/// Room around the axes, px.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Margins {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Margins {
    fn across(&self) -> f64 {
        self.left + self.right
    }

    fn upright(&self) -> f64 {
        self.top + self.bottom
    }
}

/// Scales and ticks of a panel whose axes have their upper left corner at the origin of `plot`.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub plot: Rect,
    pub x: Scale,
    pub y: Scale,
    pub right: Option<Scale>,
    pub x_ticks: Ticks,
    pub y_ticks: Ticks,
    pub right_ticks: Ticks,
    /// Whether the numbers and the label of the horizontal axis are shown.
    pub shows_x: bool,
    /// Items, those in space already on paper.
    pub items: Vec<Item>,
}

/// Room around a box in space for its numbers and labels, px.
const SPACE_PAD: Margins = Margins { left: 46.0, right: 46.0, top: 28.0, bottom: 44.0 };

/// Height of a row of a timeline, px.
const ROW: f64 = 26.0;

/// A height between two bounds; the lower one counts where a panel is so wide that they have passed each other.
fn within(height: f64, least: f64, most: f64) -> f64 {
    height.min(most).max(least)
}

/// Height of the axes of a panel for their width; by the width of its cell where both may differ, so that panels side
/// by side are equally high.
pub(crate) fn height(panel: &Panel, width: f64, cell: f64, columns: usize) -> f64 {
    let usual = cell * if columns > 1 { 0.58 } else { 0.44 };
    if let Some(height) = panel.height {
        return height;
    }
    if let Some(timeline) = panel.timeline() {
        return ROW * timeline.rows.len().max(1) as f64 + 8.0;
    }
    if panel.space.is_some() {
        let [x, y] = data_ranges(panel);
        let inner = width - SPACE_PAD.across();
        let drawn = inner * (y[1] - y[0]) / (x[1] - x[0]) + SPACE_PAD.upright();
        return within(drawn, 0.4 * cell, (0.8 * cell).min(560.0));
    }
    if panel.equal {
        let [x, y] = data_ranges(panel);
        let drawn = width * (y[1] - y[0]) / (x[1] - x[0]);
        return within(drawn, 0.3 * width, (1.15 * width).min(620.0));
    }
    usual.clamp(130.0, 360.0)
}

/// Ranges of both axes from the data.
fn data_ranges(panel: &Panel) -> [[f64; 2]; 2] {
    if let Some(space) = &panel.space {
        // A box in space is the extent of its walls; its margins are in pixels.
        let extents = Panel { items: space.items(), ..Panel::default() }.extents();
        return [panel.x.range_of(extents[0], 0.0), panel.y.range_of(extents[1], 0.0)];
    }
    let extents = panel.extents();
    let margin = if panel.equal { 0.06 } else { 0.0 };
    [
        panel.x.range_of(extents[0], margin),
        panel.y.range_of(extents[1], if panel.equal { 0.06 } else { 0.07 }),
    ]
}

impl Plan {
    /// The plan of a panel with axes of this size; `x_range` is that of shared axes.
    pub fn new(panel: &Panel, width: f64, height: f64, x_range: Option<[f64; 2]>) -> Self {
        let [mut xr, mut yr] = data_ranges(panel);
        if let Some(range) = x_range {
            xr = range;
        }
        if let Some(timeline) = panel.timeline() {
            yr = [timeline.rows.len().max(1) as f64 - 0.5, -0.5];
        }
        if panel.equal {
            let pad = if panel.space.is_some() { SPACE_PAD } else { Margins::default() };
            widen([&mut xr, &mut yr], [width, height], &pad);
        }
        let x = Scale { range: xr, pixels: [0.0, width], log: panel.x.log };
        let mut rr = panel.right.as_ref().map(|axis| axis.range_of(panel.extents()[2], 0.07));
        if let (true, Some(rr)) = (panel.one_zero, &mut rr) {
            align([&mut yr, rr]);
        }
        let y = Scale { range: yr, pixels: [height, 0.0], log: panel.y.log };
        let right = panel.right.as_ref().zip(rr).map(|(axis, range)| Scale {
            range,
            pixels: [height, 0.0],
            log: axis.log,
        });
        let levels = ((height / 30.0) as usize).clamp(2, 8);
        Self {
            plot: Rect { x0: 0.0, y0: 0.0, x1: width, y1: height },
            x_ticks: level_ticks(&x),
            y_ticks: match panel.timeline() {
                Some(t) => rows(&t.rows),
                None => ticks(&y, levels),
            },
            right_ticks: right.as_ref().map(|r| ticks(r, levels)).unwrap_or_default(),
            x,
            y,
            right,
            shows_x: true,
            items: panel.space.as_ref().map_or_else(|| panel.items.clone(), |space| space.items()),
        }
    }

    /// Moved on the canvas.
    pub fn moved(mut self, dx: f64, dy: f64) -> Self {
        let shift = |s: &mut Scale, d: f64| s.pixels = s.pixels.map(|p| p + d);
        shift(&mut self.x, dx);
        shift(&mut self.y, dy);
        if let Some(right) = &mut self.right {
            shift(right, dy);
        }
        let p = self.plot;
        self.plot = Rect { x0: p.x0 + dx, y0: p.y0 + dy, x1: p.x1 + dx, y1: p.y1 + dy };
        self
    }

    /// Room for ticks and labels; the heading and legends are added elsewhere.
    pub fn margins(&self, panel: &Panel) -> Margins {
        if panel.bare {
            return Margins { left: 4.0, right: 4.0, top: 4.0, bottom: 4.0 };
        }
        let widest = |ticks: &Ticks| {
            ticks.major.iter().map(|(_, l)| Words::new(l, size::TICK).width).fold(0.0, f64::max)
        };
        let side = |name: &str, ticks: &Ticks| {
            let label = if name.is_empty() { 0.0 } else { size::LABEL + 7.0 };
            label + widest(ticks) + 7.0
        };
        let over = self.x_ticks.major.iter().fold((0.0f64, 0.0f64), |(l, r), (v, text)| {
            let (p, half) = (self.x.at(*v), Words::new(text, size::TICK).width / 2.0);
            (l.max(half - (p - self.plot.x0)), r.max(p + half - self.plot.x1))
        });
        let bottom = if self.shows_x { size::TICK + 6.0 + size::LABEL + 6.0 } else { 8.0 };
        Margins {
            left: side(&panel.y.name, &self.y_ticks).max(over.0),
            right: match &panel.right {
                Some(axis) => side(&axis.name, &self.right_ticks).max(over.1),
                None => over.1.max(6.0),
            },
            top: 6.0,
            bottom,
        }
    }
}

/// Widens two ranges so that a unit has the same length on both axes; what they held stays in the middle of the room
/// inside the margins.
fn widen(ranges: [&mut [f64; 2]; 2], pixels: [f64; 2], pad: &Margins) {
    let inner = [(pixels[0] - pad.across()).max(1.0), (pixels[1] - pad.upright()).max(1.0)];
    let unit = (0..2).map(|k| (ranges[k][1] - ranges[k][0]) / inner[k]).fold(0.0, f64::max);
    for (k, (range, before)) in ranges.into_iter().zip([pad.left, pad.bottom]).enumerate() {
        let middle = 0.5 * (range[0] + range[1]);
        let low = middle - unit * (0.5 * inner[k] + before);
        *range = [low, low + unit * pixels[k]];
    }
}

/// Extends two ranges so that zero lies at the same part of both: with r the larger part below zero, the range
/// [−r k, (1 − r) k] with the smallest k that holds the data.
fn align(ranges: [&mut [f64; 2]; 2]) {
    let below = |r: &[f64; 2]| (-r[0] / (r[1] - r[0])).clamp(0.0, 1.0);
    let part = below(ranges[0]).max(below(ranges[1])).clamp(0.02, 0.98);
    for range in ranges {
        let k = (-range[0] / part).max(range[1] / (1.0 - part));
        *range = [-part * k, (1.0 - part) * k];
    }
}

/// As many ticks as there is room for their numbers.
fn level_ticks(scale: &Scale) -> Ticks {
    let mut most = ((scale.length() / 48.0) as usize).clamp(2, 10);
    loop {
        let found = ticks(scale, most);
        let fits = found.major.windows(2).all(|pair| {
            let room = (scale.at(pair[1].0) - scale.at(pair[0].0)).abs();
            let need = pair.iter().map(|(_, l)| Words::new(l, size::TICK).width).sum::<f64>() / 2.0;
            need + 8.0 <= room
        });
        if fits || most <= 2 {
            return found;
        }
        most -= 1;
    }
}

/// Rows of a timeline as ticks.
fn rows(names: &[String]) -> Ticks {
    let major = names.iter().enumerate().map(|(k, name)| (k as f64, name.clone())).collect();
    Ticks { major, minor: Vec::new(), power: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_level_and_nothing_is_lost() {
        for (mut a, mut b) in
            [([-1.0, 3.0], [0.0, 10.0]), ([0.0, 5.0], [-2.0, 2.0]), ([-4.0, 0.0], [0.0, 1.0])]
        {
            let before = (a, b);
            align([&mut a, &mut b]);
            let part = |r: [f64; 2]| -r[0] / (r[1] - r[0]);
            assert!((part(a) - part(b)).abs() < 1e-12);
            for (new, old) in [(a, before.0), (b, before.1)] {
                assert!(new[0] <= old[0] + 1e-12 && new[1] >= old[1] - 1e-12, "{new:?} {old:?}");
            }
        }
    }
}
