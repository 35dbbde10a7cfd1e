//! Grid, axes, ticks and labels of a panel.

use super::plan::Plan;
use crate::content::axis::Axis;
use crate::content::panel::Panel;
use crate::marks::colour::Colour;
use crate::marks::draw::{Anchor, Canvas, Path, Pen};
use crate::marks::size;
use crate::marks::text::{Role, Words};
use crate::numbers::scale::Scale;
use crate::numbers::ticks::Ticks;

/// Draws what lies under the data.
pub(crate) fn grid(panel: &Panel, plan: &Plan, canvas: &mut Canvas) {
    if panel.bare {
        return;
    }
    let r = plan.plot;
    let mut lines = Path::default();
    for (x, _) in plan.x_ticks.major.iter().filter(|(x, _)| plan.x.shows(*x)) {
        lines.extend(Path::line([plan.x.at(*x), r.y0], [plan.x.at(*x), r.y1]));
    }
    if panel.timeline().is_none() {
        for (y, _) in plan.y_ticks.major.iter().filter(|(y, _)| plan.y.shows(*y)) {
            lines.extend(Path::line([r.x0, plan.y.at(*y)], [r.x1, plan.y.at(*y)]));
        }
    }
    canvas.stroke(lines, Pen::solid(Colour::Faint, 0.8));
}

/// Draws what lies over the data.
pub(crate) fn axes(panel: &Panel, plan: &Plan, canvas: &mut Canvas) {
    if panel.bare {
        return;
    }
    let r = plan.plot;
    canvas.stroke(Path::rectangle(&r), Pen::solid(Colour::Ink, 0.9));
    let mut marks = Path::default();
    tick_marks(&plan.x, &plan.x_ticks, &mut |p, l| {
        marks.extend(Path::line([p, r.y1], [p, r.y1 - l]))
    });
    if panel.timeline().is_none() {
        tick_marks(&plan.y, &plan.y_ticks, &mut |p, l| {
            marks.extend(Path::line([r.x0, p], [r.x0 + l, p]))
        });
    }
    if let Some(right) = &plan.right {
        tick_marks(right, &plan.right_ticks, &mut |p, l| {
            marks.extend(Path::line([r.x1, p], [r.x1 - l, p]))
        });
    }
    canvas.stroke(marks, Pen::solid(Colour::Ink, 0.9));
    if plan.shows_x {
        level(&panel.x, plan, canvas);
    }
    left(&panel.y, plan, canvas);
    if let (Some(axis), Some(scale)) = (&panel.right, &plan.right) {
        right(axis, scale, plan, canvas);
    }
}

/// Long and short marks of an axis.
fn tick_marks(scale: &Scale, ticks: &Ticks, draw: &mut impl FnMut(f64, f64)) {
    for (v, _) in ticks.major.iter().filter(|(v, _)| scale.shows(*v)) {
        draw(scale.at(*v), 4.0);
    }
    for v in ticks.minor.iter().filter(|v| scale.shows(**v)) {
        draw(scale.at(*v), 2.2);
    }
}

fn level(axis: &Axis, plan: &Plan, canvas: &mut Canvas) {
    let top = plan.plot.y1 + 5.0;
    for (v, label) in plan.x_ticks.major.iter().filter(|(v, _)| plan.x.shows(*v)) {
        let at = [plan.x.at(*v), top];
        canvas.text(Words::new(label, size::TICK), at, Anchor(0.5, 0.0), (Role::Tick, Colour::Ink));
    }
    let words = Words::fitted(&axis.label(plan.x_ticks.power), size::LABEL, plan.plot.width(), 8.0);
    let at = [0.5 * (plan.plot.x0 + plan.plot.x1), top + size::TICK + 4.0];
    canvas.text(words, at, Anchor(0.5, 0.0), (Role::XLabel, Colour::Ink));
}

/// Draws numbers of a side and gives the width of the widest.
fn numbers(scale: &Scale, ticks: &Ticks, edge: f64, anchor: Anchor, canvas: &mut Canvas) -> f64 {
    let mut widest = 0.0f64;
    for (v, label) in &ticks.major {
        let words = Words::new(label, size::TICK);
        widest = widest.max(words.width);
        if scale.shows(*v) {
            canvas.text(words, [edge, scale.at(*v)], anchor, (Role::Tick, Colour::Ink));
        }
    }
    widest
}

/// Longest label of an upright axis: a little longer than the axis may be.
fn upright_label(axis: &Axis, power: i32, plan: &Plan) -> Words {
    Words::fitted(&axis.label(power), size::LABEL, plan.plot.height() + 14.0, 8.0)
}

fn left(axis: &Axis, plan: &Plan, canvas: &mut Canvas) {
    let edge = plan.plot.x0 - 5.0;
    let widest = numbers(&plan.y, &plan.y_ticks, edge, Anchor(1.0, 0.5), canvas);
    if !axis.name.is_empty() {
        let words = upright_label(axis, plan.y_ticks.power, plan);
        let centre = [edge - widest - 4.0 - size::LABEL / 2.0, 0.5 * (plan.plot.y0 + plan.plot.y1)];
        canvas.text_upright(words, centre, (Role::YLabel, Colour::Ink));
    }
}

fn right(axis: &Axis, scale: &Scale, plan: &Plan, canvas: &mut Canvas) {
    let edge = plan.plot.x1 + 5.0;
    let widest = numbers(scale, &plan.right_ticks, edge, Anchor(0.0, 0.5), canvas);
    let words = upright_label(axis, plan.right_ticks.power, plan);
    let centre = [edge + widest + 4.0 + size::LABEL / 2.0, 0.5 * (plan.plot.y0 + plan.plot.y1)];
    canvas.text_upright(words, centre, (Role::YLabel, Colour::Ink));
}
