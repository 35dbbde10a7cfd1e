//! The items of a panel as marks on the canvas.

use super::plan::Plan;
use crate::content::item::{
    Area, Arrow, Band, BarSort, Ground, Guide, Item, Line, Stems, Timeline,
};
use crate::content::style::{Hatch, Marker, Style};
use crate::marks::busy::Busy;
use crate::marks::clip::{clip_chain, clip_half, clip_line, clip_polygon, hatch_lines};
use crate::marks::colour::Colour;
use crate::marks::draw::{Canvas, Path, Pen, Point, Rect};
use crate::marks::thin::thin;
use crate::numbers::scale::Scale;
use std::collections::BTreeSet;

/// Distance of hatch lines, px.
const HATCH: f64 = 4.5;

/// Draws all items but labels and notes, and notes what they take of the panel.
pub(crate) fn draw(plan: &Plan, canvas: &mut Canvas, busy: &mut Busy) {
    let mut brush = Brush { plan, canvas, busy };
    for (item, style) in styled(&plan.items) {
        match item {
            Item::Line(line) => brush.line(line, &style),
            Item::Band(band) => brush.band(band),
            Item::Stems(stems) => brush.stems(stems),
            Item::Guide(guide) => brush.guide(guide),
            Item::Area(area) => brush.area(area),
            Item::Ground(ground) => brush.ground(ground),
            Item::Arrow(arrow) => brush.arrow(arrow),
            Item::Timeline(timeline) => brush.timeline(timeline),
            Item::Note(_) | Item::Label(_) => {}
        }
    }
}

/// Items with the look of their series; only lines that state no colour count as series.
pub(crate) fn styled(items: &[Item]) -> Vec<(&Item, Style)> {
    let mut series = 0;
    let look = |item: &Item| match item {
        Item::Line(line) => {
            let style = line.style(series);
            series += usize::from(line.colour.is_none());
            style
        }
        _ => Style::default(),
    };
    let styles: Vec<Style> = items.iter().map(look).collect();
    items.iter().zip(styles).collect()
}

struct Brush<'a> {
    plan: &'a Plan,
    canvas: &'a mut Canvas,
    busy: &'a mut Busy,
}

impl Brush<'_> {
    fn scale(&self, right: bool) -> Scale {
        if right { self.plan.right.unwrap_or(self.plan.y) } else { self.plan.y }
    }

    fn at(&self, p: [f64; 2]) -> Point {
        [self.plan.x.at(p[0]), self.plan.y.at(p[1])]
    }

    fn chain(&mut self, points: &[Point], pen: Pen) {
        let mut path = Path::default();
        for piece in clip_chain(points, &self.plan.plot) {
            for thinned in thin(piece) {
                thinned.windows(2).for_each(|p| self.busy.line(p[0], p[1]));
                path.extend(Path::chain(&thinned));
            }
        }
        self.canvas.stroke(path, pen);
    }

    fn line(&mut self, line: &Line, style: &Style) {
        let scale = self.scale(line.right);
        let pixels: Vec<Point> =
            line.x.iter().zip(&line.y).map(|(x, y)| [self.plan.x.at(*x), scale.at(*y)]).collect();
        if style.width > 0.0 {
            let pen = Pen {
                colour: style.colour,
                width: style.width,
                dash: style.dash.lengths(),
                opacity: style.opacity,
            };
            self.chain(&pixels, pen);
        }
        if let Some(marker) = style.marker {
            self.markers(&pixels, marker, style);
        }
    }

    fn markers(&mut self, pixels: &[Point], marker: Marker, style: &Style) {
        let room = self.plan.plot.grown(0.5);
        let mut drawn: BTreeSet<(i64, i64)> = BTreeSet::new();
        let mut path = Path::default();
        for p in pixels.iter().filter(|p| p.iter().all(|x| x.is_finite()) && room.holds(**p)) {
            // Of points on the same half pixel one is enough.
            if drawn.insert(((2.0 * p[0]) as i64, (2.0 * p[1]) as i64)) {
                path.extend(marker.path(*p, style.radius));
                self.busy.point(*p, style.radius + 1.0);
            }
        }
        let pen = Pen { opacity: style.opacity, ..Pen::solid(style.colour, 1.3) };
        match marker {
            Marker::Cross => self.canvas.stroke(path, pen),
            Marker::Circle => {
                self.canvas.fill(path.clone(), Colour::Paper, 1.0);
                self.canvas.stroke(path, pen);
            }
            _ => self.canvas.fill(path, style.colour, style.opacity),
        }
    }

    fn band(&mut self, band: &Band) {
        let up = band.x.iter().zip(&band.high).map(|(x, y)| self.at([*x, *y]));
        let down = band.x.iter().zip(&band.low).rev().map(|(x, y)| self.at([*x, *y]));
        let outline: Vec<Point> =
            up.chain(down).filter(|p| p.iter().all(|x| x.is_finite())).collect();
        let inside = clip_polygon(&outline, &self.plan.plot);
        self.filled(&inside, Some((band.colour, band.opacity)), band.hatch, band.colour);
    }

    /// Fills a clipped polygon and hatches it.
    fn filled(
        &mut self,
        inside: &[Point],
        fill: Option<(Colour, f64)>,
        hatch: Hatch,
        lines: Colour,
    ) {
        if inside.len() < 3 {
            return;
        }
        self.busy.polygon(inside);
        if let Some((colour, opacity)) = fill {
            self.canvas.fill(Path::polygon(inside), colour, opacity);
        }
        let mut path = Path::default();
        for direction in hatch.directions() {
            for (a, b) in hatch_lines(inside, *direction, HATCH) {
                path.extend(Path::line(a, b));
            }
        }
        self.canvas.stroke(path, Pen { opacity: 0.8, ..Pen::solid(lines, 0.7) });
    }

    fn stems(&mut self, stems: &Stems) {
        let scale = self.scale(stems.right);
        let zero = scale.at(0.0).clamp(self.plan.plot.y0, self.plan.plot.y1);
        let (mut tips, mut path) = (Vec::new(), Path::default());
        for (x, y) in stems.x.iter().zip(&stems.y) {
            let (foot, tip) = ([self.plan.x.at(*x), zero], [self.plan.x.at(*x), scale.at(*y)]);
            if let Some((a, b)) = clip_line(foot, tip, &self.plan.plot) {
                self.busy.line(a, b);
                path.extend(Path::line(a, b));
                tips.push(tip);
            }
        }
        self.canvas.stroke(path, Pen::solid(stems.colour, 1.2));
        let style = Style { colour: stems.colour, ..Style::default() };
        self.markers(&tips, stems.marker, &style);
    }

    fn guide(&mut self, guide: &Guide) {
        let r = self.plan.plot;
        let scale = if guide.vertical { &self.plan.x } else { &self.plan.y };
        if !scale.shows(guide.at) {
            return;
        }
        let p = scale.at(guide.at);
        let (a, b) = if guide.vertical { ([p, r.y0], [p, r.y1]) } else { ([r.x0, p], [r.x1, p]) };
        self.busy.line(a, b);
        let pen = Pen { dash: guide.dash.lengths(), ..Pen::solid(guide.colour, 0.9) };
        self.canvas.stroke(Path::line(a, b), pen);
    }

    fn area(&mut self, area: &Area) {
        let outline: Vec<Point> = area.points.iter().map(|p| self.at(*p)).collect();
        let inside = clip_polygon(&outline, &self.plan.plot);
        let lines = area.edge.map_or(Colour::Soft, |(colour, ..)| colour);
        self.filled(&inside, area.fill, area.hatch, lines);
        if let (Some((colour, width, dash)), Some(first)) = (area.edge, outline.first()) {
            let pen = Pen { dash: dash.lengths(), ..Pen::solid(colour, width) };
            if outline.iter().all(|p| self.plan.plot.holds(*p)) {
                outline.windows(2).for_each(|p| self.busy.line(p[0], p[1]));
                self.canvas.stroke(Path::polygon(&outline), pen);
            } else {
                let mut closed = outline.clone();
                closed.push(*first);
                self.chain(&closed, pen);
            }
        }
    }

    fn ground(&mut self, ground: &Ground) {
        let r = self.plan.plot;
        let corners = [[r.x0, r.y0], [r.x1, r.y0], [r.x1, r.y1], [r.x0, r.y1]];
        // The normal in pixels, where y goes down; unit lengths may differ on the two axes.
        let foot = self.at(ground.point);
        let along =
            self.at([ground.point[0] - ground.normal[1], ground.point[1] + ground.normal[0]]);
        let t = [along[0] - foot[0], along[1] - foot[1]];
        let length = t[0].hypot(t[1]);
        if length == 0.0 || !length.is_finite() {
            return;
        }
        let n = [t[1] / length, -t[0] / length];
        let tip = self.at([ground.point[0] + ground.normal[0], ground.point[1] + ground.normal[1]]);
        let sign = ((tip[0] - foot[0]) * n[0] + (tip[1] - foot[1]) * n[1]).signum();
        let n = n.map(|x| x * sign);
        let level = n[0] * foot[0] + n[1] * foot[1];
        let solid = clip_half(&corners, n, level);
        // The solid is empty ground for notes and legends; only its rim is taken.
        self.canvas.fill(Path::polygon(&solid), Colour::Solid, 0.55);
        let rim = clip_half(&solid, n.map(|x| -x), 9.0 - level);
        self.filled(&rim, None, Hatch::Rising, Colour::Soft);
        let far = 2.0 * (r.width() + r.height());
        let end = |s: f64| [foot[0] - s * n[1], foot[1] + s * n[0]];
        if let Some((a, b)) = clip_line(end(-far), end(far), &r) {
            self.canvas.stroke(Path::line(a, b), Pen::solid(Colour::Ink, 1.3));
        }
    }

    fn arrow(&mut self, arrow: &Arrow) {
        let (a, b) = (self.at(arrow.from), self.at(arrow.to));
        let Some((a, end)) = clip_line(a, b, &self.plan.plot) else { return };
        self.busy.line(a, end);
        self.canvas.stroke(Path::line(a, end), Pen::solid(arrow.colour, arrow.width));
        if end == b {
            self.canvas.fill(head(a, b), arrow.colour, 1.0);
        }
    }

    fn timeline(&mut self, timeline: &Timeline) {
        // Narrower bars than this would vanish; of those that fall on the same place one is enough.
        const NARROW: f64 = 0.8;
        let (r, mut last) = (self.plan.plot, vec![None; timeline.rows.len()]);
        for &(row, sort, from, to) in &timeline.bars {
            let middle = self.plan.y.at(row as f64);
            let mut bar = Rect {
                x0: self.plan.x.at(from).max(r.x0),
                x1: self.plan.x.at(to).min(r.x1),
                y0: middle - 8.0,
                y1: middle + 8.0,
            };
            if bar.x1 < bar.x0 {
                continue;
            }
            let place = ((bar.x0 / NARROW) as i64, sort);
            if bar.width() < NARROW {
                if last[row] == Some(place) {
                    continue;
                }
                last[row] = Some(place);
                bar.x1 = bar.x0 + NARROW;
            }
            bar_marks(&bar, &timeline.sorts[sort], self.canvas);
            self.busy.polygon(&[
                [bar.x0, bar.y0],
                [bar.x1, bar.y0],
                [bar.x1, bar.y1],
                [bar.x0, bar.y1],
            ]);
        }
    }
}

/// Fill, hatch and edge of a bar.
pub(crate) fn bar_marks(bar: &Rect, sort: &BarSort, canvas: &mut Canvas) {
    let corners = [[bar.x0, bar.y0], [bar.x1, bar.y0], [bar.x1, bar.y1], [bar.x0, bar.y1]];
    canvas.fill(Path::rectangle(bar), Colour::Paper, 1.0);
    canvas.fill(Path::rectangle(bar), sort.colour, sort.opacity);
    let mut lines = Path::default();
    for direction in sort.hatch.directions() {
        for (a, b) in hatch_lines(&corners, *direction, HATCH) {
            lines.extend(Path::line(a, b));
        }
    }
    canvas.stroke(lines, Pen::solid(Colour::Ink, 0.7));
    if bar.width() > 2.0 {
        canvas.stroke(Path::rectangle(bar), Pen::solid(Colour::Ink, 0.6));
    }
}

/// The head of an arrow that ends at b.
pub(crate) fn head(a: Point, b: Point) -> Path {
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0].hypot(d[1]);
    if length < 1e-6 {
        return Path::default();
    }
    let (u, size) = ([d[0] / length, d[1] / length], 8.0f64.min(0.6 * length));
    let back = |side: f64| {
        [
            b[0] - size * u[0] - side * size * 0.42 * u[1],
            b[1] - size * u[1] + side * size * 0.42 * u[0],
        ]
    };
    Path::polygon(&[b, back(1.0), back(-1.0)])
}
