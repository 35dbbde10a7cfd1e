//! Labels of guide lines and notes at points, put where they cover no other text and as little data as can be.

use super::plan::Plan;
use crate::content::item::{Guide, Item, Note};
use crate::marks::busy::Busy;
use crate::marks::colour::Colour;
use crate::marks::draw::{Anchor, Canvas, Path, Pen, Point, Rect};
use crate::marks::size;
use crate::marks::text::{Role, Words};

/// A place for a text, and how much it is disliked.
struct Candidate {
    corner: Point,
    cost: f64,
}

/// Draws the texts that have their place already.
pub(crate) fn labels(plan: &Plan, canvas: &mut Canvas) {
    for item in &plan.items {
        if let Item::Label(label) = item {
            let p =
                [plan.x.at(label.at[0]) + label.shift[0], plan.y.at(label.at[1]) + label.shift[1]];
            let letters = if label.role == Role::Tick { size::TICK } else { size::LABEL };
            let anchor = Anchor(label.anchor[0], label.anchor[1]);
            canvas.text(Words::new(&label.text, letters), p, anchor, (label.role, Colour::Ink));
        }
    }
}

/// Draws all labels and notes of a panel.
pub(crate) fn draw(plan: &Plan, busy: &Busy, legend: Option<Rect>, canvas: &mut Canvas) {
    labels(plan, canvas);
    let mut placer = Placer { plan, busy, legend, canvas };
    for item in &plan.items {
        match item {
            Item::Guide(guide) if !guide.label.is_empty() => placer.guide(guide),
            Item::Note(note) => placer.note(note),
            _ => {}
        }
    }
}

struct Placer<'a> {
    plan: &'a Plan,
    busy: &'a Busy,
    legend: Option<Rect>,
    canvas: &'a mut Canvas,
}

impl Placer<'_> {
    /// The cheapest candidate that meets no other text.
    fn choose(&self, words: &Words, candidates: Vec<Candidate>) -> Option<Point> {
        let area = |c: &Candidate| Rect {
            x0: c.corner[0],
            y0: c.corner[1],
            x1: c.corner[0] + words.width,
            y1: c.corner[1] + words.height(),
        };
        let free = |r: &Rect| {
            let near = r.grown(1.5);
            self.plan.plot.contains(&r.grown(1.0))
                && self.legend.is_none_or(|l| !l.meets(&near))
                && self.canvas.texts.iter().all(|t| !t.area().meets(&near))
        };
        let priced = candidates.iter().filter(|c| free(&area(c)));
        let cost = |c: &Candidate| c.cost + 3.0 * self.busy.count(&area(c)) as f64;
        priced
            .map(|c| (c.corner, cost(c)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(corner, _)| corner)
    }

    fn place(&mut self, words: Words, corner: Option<Point>, colour: Colour) {
        match corner {
            Some(corner) => {
                // A light ground keeps letters readable where they cross a line.
                let r = Rect {
                    x0: corner[0],
                    y0: corner[1],
                    x1: corner[0] + words.width,
                    y1: corner[1] + words.height(),
                };
                if self.busy.count(&r) > 0 {
                    self.canvas.fill(Path::rectangle(&r.grown(0.5)), Colour::Paper, 0.75);
                }
                self.canvas.text(words, corner, Anchor(0.0, 0.0), (Role::Note, colour));
            }
            None => self.canvas.left_out.push(words.text),
        }
    }

    fn guide(&mut self, guide: &Guide) {
        let scale = if guide.vertical { &self.plan.x } else { &self.plan.y };
        if !scale.shows(guide.at) {
            return;
        }
        let (p, r) = (scale.at(guide.at), self.plan.plot);
        let words = Words::new(&guide.label, size::NOTE);
        let (w, h) = (words.width, words.height());
        let mut candidates = Vec::new();
        let room = if guide.vertical { r.height() - h } else { r.width() - w };
        let steps = (room / 6.0).max(0.0) as usize;
        for k in 0..=steps {
            let d = 6.0 * k as f64 + 3.0;
            let cost = k as f64 * 0.5;
            if guide.vertical {
                candidates.push(Candidate { corner: [p + 4.0, r.y0 + d], cost });
                candidates.push(Candidate { corner: [p - 4.0 - w, r.y0 + d], cost: cost + 1.0 });
            } else {
                candidates.push(Candidate { corner: [r.x1 - d - w, p - 2.5 - h], cost });
                candidates.push(Candidate { corner: [r.x1 - d - w, p + 2.5], cost: cost + 1.0 });
            }
        }
        let corner = self.choose(&words, candidates);
        self.place(words, corner, guide.colour);
    }

    fn note(&mut self, note: &Note) {
        let at = [self.plan.x.at(note.at[0]), self.plan.y.at(note.at[1])];
        let words = Words::new(&note.text, size::NOTE);
        let (w, h) = (words.width, words.height());
        let mut candidates = Vec::new();
        for (ring, distance) in
            [6.0, 11.0, 17.0, 25.0, 36.0, 50.0, 68.0, 90.0, 120.0].into_iter().enumerate()
        {
            for k in 0..16 {
                let (s, c) = (f64::from(k) * std::f64::consts::TAU / 16.0).sin_cos();
                // The point of the box that is nearest to `at` lies in this direction.
                let corner = [
                    at[0] + c * distance + (c - 1.0) * w / 2.0,
                    at[1] - s * distance - (s + 1.0) * h / 2.0,
                ];
                let aside = if k == 0 || k == 8 { 0.5 } else { 0.0 };
                candidates.push(Candidate { corner, cost: 2.0 * ring as f64 + aside });
            }
        }
        // No leader goes through another text.
        candidates.retain(|c| self.leader_is_free(at, c.corner, w, h));
        let corner = self.choose(&words, candidates);
        if let Some(corner) = corner {
            self.leader(at, corner, w, h);
        }
        self.place(words, corner, note.colour);
    }

    /// Whether the line to a note would meet no other text and no legend.
    fn leader_is_free(&self, at: Point, corner: Point, w: f64, h: f64) -> bool {
        let near = nearest(at, corner, w, h);
        let texts = self.canvas.texts.iter().map(|t| t.area()).chain(self.legend);
        (0..=24).all(|k| {
            let s = f64::from(k) / 24.0;
            let p = [at[0] + s * (near[0] - at[0]), at[1] + s * (near[1] - at[1])];
            let point = Rect { x0: p[0] - 1.0, y0: p[1] - 1.0, x1: p[0] + 1.0, y1: p[1] + 1.0 };
            texts.clone().all(|text| !text.meets(&point))
        })
    }

    /// A thin line to a note that is not beside its point.
    fn leader(&mut self, at: Point, corner: Point, w: f64, h: f64) {
        let near = nearest(at, corner, w, h);
        let d = [near[0] - at[0], near[1] - at[1]];
        let length = d[0].hypot(d[1]);
        if length > 14.0 {
            let part = |s: f64| [at[0] + d[0] * s / length, at[1] + d[1] * s / length];
            self.canvas
                .stroke(Path::line(part(4.0), part(length - 2.0)), Pen::solid(Colour::Soft, 0.7));
        }
    }
}

/// The point of a box that is nearest to another.
fn nearest(at: Point, corner: Point, w: f64, h: f64) -> Point {
    [at[0].clamp(corner[0], corner[0] + w), at[1].clamp(corner[1], corner[1] + h)]
}
