//! A figure: a heading, panels in rows and columns, a caption.

use crate::content::panel::{LegendPlace, Panel};
use crate::format::pdf::pdf;
use crate::format::png::{FigureError, png};
use crate::format::svg::svg;
use crate::layout::legend::{Legend, entries};
use crate::layout::plan::{Margins, Plan, height};
use crate::layout::{data, frame, notes};
use crate::marks::busy::Busy;
use crate::marks::colour::{Colour, Theme};
use crate::marks::draw::{Anchor, Canvas, Rect};
use crate::marks::font::Weight;
use crate::marks::size;
use crate::marks::text::{Role, TextBox, Words, wrapped};
use crate::numbers::scale::Extent;

/// Space around everything and between panels, px.
const PAD: f64 = 12.0;
const BETWEEN: f64 = 16.0;
/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// A figure, to be drawn as SVG or PNG.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    title: String,
    caption: String,
    columns: usize,
    width: f64,
    panels: Vec<Panel>,
    shares_x: bool,
    one_legend: bool,
    /// Width on paper, mm.
    mm: Option<f64>,
    shows_title: bool,
}

/// Where everything is, for checks and for pages that put things over a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width of the figure, px.
    pub width: f64,
    /// Height of the figure, px.
    pub height: f64,
    /// All texts.
    pub texts: Vec<TextBox>,
    /// Axes of each panel: left, upper, right and lower edge, px.
    pub axes: Vec<[f64; 4]>,
    /// Notes for which no place was found.
    pub left_out: Vec<String>,
}

impl Figure {
    /// A figure with a heading; an empty one takes no room.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            columns: 1,
            width: 680.0,
            panels: Vec::new(),
            shares_x: false,
            one_legend: false,
            mm: None,
            shows_title: true,
        }
    }

    /// With a text below.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// With so many panels side by side.
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = columns.max(1);
        self
    }

    /// With this width, px.
    pub fn width(mut self, width: f64) -> Self {
        self.width = width.max(200.0);
        self
    }

    /// With one panel more.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Panels of a column have the same horizontal axis, with numbers at the lowest only.
    pub fn share_x(mut self) -> Self {
        self.shares_x = true;
        self
    }

    /// One legend for all panels, under the heading; names with the same look in several panels come once.
    pub fn one_legend(mut self) -> Self {
        self.one_legend = true;
        self
    }

    /// The heading.
    pub fn heading(&self) -> &str {
        &self.title
    }

    /// The panels.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// Whether no panel shows anything.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(Panel::is_empty)
    }

    /// Where everything is.
    pub fn layout(&self) -> Layout {
        let (canvas, plots) = self.draw();
        Layout {
            width: canvas.width,
            height: canvas.height,
            texts: canvas.texts,
            axes: plots.iter().map(|r| [r.x0, r.y0, r.x1, r.y1]).collect(),
            left_out: canvas.left_out,
        }
    }

    /// The figure as SVG.
    pub fn svg(&self, theme: Theme) -> String {
        svg(&self.draw().0, &self.title, &self.prefix(), (theme, self.mm))
    }

    /// The figure as a PDF of one page: as wide as asked for by [`Figure::print`], else a point per unit.
    pub fn pdf(&self, theme: Theme) -> Vec<u8> {
        let scale = self.mm.map_or(1.0, |mm| mm * POINTS / self.width);
        pdf(&self.draw().0, &self.title, theme, scale)
    }

    /// For a column of `mm` millimetres with numbers at the axes of `points`: the layout is made anew in that room.
    /// Panels that would be narrower than two thirds of what they are made for come under each other.
    pub fn print(mut self, mm: f64, points: f64) -> Self {
        let wanted = self.width / self.columns as f64;
        self.width = (mm * POINTS * size::TICK / points).max(200.0);
        self.mm = Some(mm);
        while self.columns > 1 && self.width / (self.columns as f64) < wanted * 2.0 / 3.0 {
            self.columns -= 1;
        }
        self
    }

    fn shown_title(&self) -> &str {
        if self.shows_title { &self.title } else { "" }
    }

    /// Without the heading, as journals want it.
    pub fn untitled(mut self) -> Self {
        self.shows_title = false;
        self
    }

    /// Pixels per unit for so many dots per inch on paper; none if no width on paper was asked for.
    pub fn pixels(&self, dots: f64) -> Option<f64> {
        self.mm.map(|mm| mm / 25.4 * dots / self.width)
    }

    /// The figure as PNG with `scale` pixels per unit of its width.
    pub fn png(&self, theme: Theme, scale: f64) -> Result<Vec<u8>, FigureError> {
        png(&self.draw().0, theme, scale)
    }

    /// Names of one figure in a page differ from those of another (FNV-1a of heading and caption).
    fn prefix(&self) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for byte in self.title.bytes().chain(self.caption.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("g{:06x}", hash & 0x00ff_ffff)
    }

    fn rows(&self) -> usize {
        self.panels.len().div_ceil(self.columns)
    }

    /// Common range of the panels in a column, if they share it.
    fn x_range(&self, column: usize) -> Option<[f64; 2]> {
        if !self.shares_x {
            return None;
        }
        let mut all = Extent::EMPTY;
        let own = self.panels.iter().skip(column).step_by(self.columns);
        for panel in own.clone() {
            let range = panel.x.range_of(panel.extents()[0], 0.0);
            if !panel.extents()[0].is_empty() {
                all.add_all(&range, false);
            }
        }
        let log = own.clone().any(|p| p.x.log);
        Some(all.range(0.0, log))
    }

    /// Plans at the origin, and the margins of each.
    fn plans(&self) -> Vec<(Plan, Margins)> {
        let columns = self.columns.min(self.panels.len().max(1));
        let cell = (self.width - 2.0 * PAD - (columns - 1) as f64 * BETWEEN) / columns as f64;
        let mut sides = vec![[0.1 * cell, 0.02 * cell]; columns];
        let mut plans = Vec::new();
        // Margins depend on the numbers at the ticks and these on the size: three rounds settle it.
        for _ in 0..3 {
            plans =
                (0..self.panels.len()).map(|k| self.plan(k, cell, &sides[k % columns])).collect();
            for (column, side) in sides.iter_mut().enumerate() {
                let of = plans
                    .iter()
                    .skip(column)
                    .step_by(columns)
                    .map(|(_, m): &(Plan, Margins)| [m.left, m.right]);
                *side = of.fold([0.0, 0.0], |a, b| [f64::max(a[0], b[0]), f64::max(a[1], b[1])]);
            }
        }
        self.level_rows(&mut plans);
        for (k, (_, margins)) in plans.iter_mut().enumerate() {
            [margins.left, margins.right] = sides[k % columns];
        }
        plans
    }

    /// Panels whose height is free are as high as a picture beside them.
    fn level_rows(&self, plans: &mut [(Plan, Margins)]) {
        for (row, plans) in plans.chunks_mut(self.columns).enumerate() {
            let panels = &self.panels[row * self.columns..];
            let pictures = plans.iter().zip(panels).filter(|(_, p)| p.equal && p.space.is_none());
            let highest = pictures.map(|((plan, _), _)| plan.plot.height()).fold(0.0, f64::max);
            for (j, ((plan, _), panel)) in plans.iter_mut().zip(panels).enumerate() {
                if highest > 0.0 && panel.is_free() {
                    let shows_x = plan.shows_x;
                    *plan = Plan::new(panel, plan.plot.width(), highest, self.x_range(j));
                    plan.shows_x = shows_x;
                }
            }
        }
    }

    fn plan(&self, k: usize, cell: f64, side: &[f64; 2]) -> (Plan, Margins) {
        let panel = &self.panels[k];
        let width = (cell - side[0] - side[1]).max(60.0);
        let height = height(panel, width, cell, self.columns);
        let mut plan = Plan::new(panel, width, height, self.x_range(k % self.columns));
        plan.shows_x = !self.shares_x || k + self.columns >= self.panels.len();
        let margins = plan.margins(panel);
        (plan, margins)
    }

    /// The whole figure, and the axes of each panel.
    fn draw(&self) -> (Canvas, Vec<Rect>) {
        let mut canvas = Canvas { width: self.width, ..Canvas::default() };
        let mut y = PAD;
        for line in
            wrapped(self.shown_title(), size::TITLE, Weight::Semibold, self.width - 2.0 * PAD)
        {
            canvas.text(line, [PAD, y], Anchor(0.0, 0.0), (Role::Title, Colour::Ink));
            y += size::TITLE * 1.25;
        }
        y += if self.shown_title().is_empty() { 0.0 } else { 3.0 };
        let plans = self.plans();
        y = self.common_legend(&plans, y, &mut canvas);
        let mut plots = Vec::new();
        let mut plans = plans.into_iter().enumerate();
        for _ in 0..self.rows() {
            let row: Vec<(usize, (Plan, Margins))> = plans.by_ref().take(self.columns).collect();
            y = self.row(row, y, &mut canvas, &mut plots);
        }
        canvas.panel = None;
        for line in wrapped(&self.caption, size::CAPTION, Weight::Regular, self.width - 2.0 * PAD) {
            canvas.text(line, [PAD, y], Anchor(0.0, 0.0), (Role::Caption, Colour::Soft));
            y += size::CAPTION * 1.35;
        }
        canvas.height = (y + PAD - 4.0).ceil();
        (canvas, plots)
    }

    fn common_legend(&self, plans: &[(Plan, Margins)], y: f64, canvas: &mut Canvas) -> f64 {
        if !self.one_legend {
            return y;
        }
        let mut all = Vec::new();
        for entry in plans.iter().flat_map(|(plan, _)| entries(&plan.items)) {
            if !all.contains(&entry) {
                all.push(entry);
            }
        }
        if all.is_empty() {
            return y;
        }
        let legend = Legend::level(all, self.width - 2.0 * PAD);
        legend.draw([PAD, y + legend.above], canvas);
        y + legend.above + 4.0
    }

    /// Draws a row of panels from y down and gives where the next begins.
    fn row(
        &self,
        row: Vec<(usize, (Plan, Margins))>,
        y: f64,
        canvas: &mut Canvas,
        plots: &mut Vec<Rect>,
    ) -> f64 {
        let legends: Vec<Legend> = row.iter().map(|(k, (plan, _))| self.legend(*k, plan)).collect();
        let heads: Vec<Vec<Words>> =
            row.iter().map(|(k, (plan, m))| self.head(*k, plan, m)).collect();
        let head_height = |h: &Vec<Words>| h.len() as f64 * size::PANEL * 1.25;
        let tops =
            (0..row.len()).map(|k| head_height(&heads[k]) + legends[k].above + row[k].1.1.top);
        let top = tops.fold(0.0, f64::max);
        let (mut x, mut below) = (PAD, y);
        for (j, (k, (plan, margins))) in row.into_iter().enumerate() {
            let width = plan.plot.width() + margins.left + margins.right;
            let plan = plan.moved(x + margins.left, y + top);
            canvas.panel = Some(k);
            let mut line_y = y;
            for words in &heads[j] {
                let at = [plan.plot.x0, line_y];
                canvas.text(words.clone(), at, Anchor(0.0, 0.0), (Role::PanelTitle, Colour::Ink));
                line_y += size::PANEL * 1.25;
            }
            draw_panel(&self.panels[k], &plan, &legends[j], canvas);
            below = below.max(plan.plot.y1 + margins.bottom);
            x += width + BETWEEN;
            plots.push(plan.plot);
        }
        below + 8.0
    }

    fn head(&self, k: usize, plan: &Plan, margins: &Margins) -> Vec<Words> {
        let room = plan.plot.width() + margins.right;
        wrapped(&self.panels[k].title, size::PANEL, Weight::Semibold, room)
    }

    /// The legend of a panel whose plan is still at the origin.
    fn legend(&self, k: usize, plan: &Plan) -> Legend {
        let mut busy = Busy::new(plan.plot);
        let mut scratch = Canvas::default();
        data::draw(plan, &mut scratch, &mut busy);
        // Numbers and names of axes in space stand within the panel: a legend must not cover them.
        notes::labels(plan, &mut scratch);
        for text in &scratch.texts {
            let r = text.area();
            busy.polygon(&[[r.x0, r.y0], [r.x1, r.y0], [r.x1, r.y1], [r.x0, r.y1]]);
        }
        let place = if self.one_legend { LegendPlace::None } else { self.panels[k].legend };
        Legend::new(place, plan, &busy)
    }
}

fn draw_panel(panel: &Panel, plan: &Plan, legend: &Legend, canvas: &mut Canvas) {
    let mut busy = Busy::new(plan.plot);
    frame::grid(panel, plan, canvas);
    data::draw(plan, canvas, &mut busy);
    frame::axes(panel, plan, canvas);
    let place = legend.draw([plan.plot.x0, plan.plot.y0], canvas);
    notes::draw(plan, &busy, place, canvas);
}
