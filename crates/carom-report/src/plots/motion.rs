//! The mechanism at its start, at impacts and at its end, with the paths of its points.

use super::outline::{self, Look};
use super::window::short;
use super::{RunPlots, motion_space, palette};
use crate::document::PageEvent;
use crate::stage::{Bounds, Form};
use carom::model::JointKind;
use carom::spatial::Pose;
use carom_figure::{Area, Arrow, Colour, Figure, Ground, Line, Marker, Note, Panel};
use nalgebra::Vector3;

/// Most impacts with a posture.
const IMPACTS: usize = 4;
/// Postures on the way where there is no impact.
const BETWEEN: usize = 4;
/// Bodies beyond which one posture on the way is enough: more would hide each other.
const CROWD: usize = 30;
/// Most paths.
const PATHS: usize = 6;
/// Postures nearer than this part of the picture are the same.
const APART: f64 = 0.06;
/// A mechanism smaller than this part of the picture is hardly seen.
const SEEN: f64 = 0.1;
/// Longest arrow of an impulse in parts of the picture.
pub(super) const ARROW: f64 = 0.16;

/// The picture of a run.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let (panel, caption) = panel(run)?;
    Some(Figure::new(run.heading("motion")).panel(panel).caption(caption))
}

/// The panel with the picture of a run, and its caption.
pub(super) fn panel(run: &RunPlots<'_>) -> Option<(Panel, String)> {
    if run.stage.bodies.is_empty() {
        return None;
    }
    let (mut postures, mut more) = (Postures::new(run), String::new());
    let cut;
    let mut shown = run;
    if let Some(until) = sooner(run, &postures) {
        cut = run.clone().between(None, Some(until));
        shown = &cut;
        postures = Postures::new(shown);
        let end = run.time(run.window.frames().end - 1);
        more = format!(" The run goes on until {} s.", short(end));
    }
    let planar = run.stage.is_planar();
    let panel =
        if planar { plane(shown, &postures) } else { motion_space::panel(shown, &postures) };
    Some((panel, postures.caption(shown) + &more))
}

/// A mechanism that goes so far that it is hardly seen is drawn until a little after its last impact, unless a time was
/// asked for.
fn sooner(run: &RunPlots<'_>, postures: &Postures) -> Option<f64> {
    let mut start = Bounds::empty();
    run.stage.widen(&run.poses(postures.start), &mut start);
    let t = &run.window.t;
    let (first, end) = (t[0], t[t.len() - 1]);
    let last = run.jumps().map(|(_, e)| e.t).last()?;
    let hardly = start.size().norm() < SEEN * postures.size;
    (hardly && !run.asked() && last - first < 0.6 * (end - first))
        .then_some(last + 0.1 * (last - first))
}

/// Frames whose postures are drawn.
pub(super) struct Postures {
    pub start: usize,
    pub end: usize,
    /// Between start and end.
    pub ghosts: Vec<usize>,
    /// Whether the ghosts are at impacts.
    pub impacts: bool,
    /// Size of the picture, m.
    pub size: f64,
    pub bounds: Bounds,
}

impl Postures {
    pub fn new(run: &RunPlots<'_>) -> Self {
        let frames = run.window.frames();
        let (start, end) = (frames.start, frames.end - 1);
        let mut bounds = Bounds::empty();
        let every = (frames.len() / 400).max(1);
        for frame in frames.clone().step_by(every).chain([end]) {
            run.stage.widen(&run.poses(frame), &mut bounds);
        }
        let size = bounds.size().norm();
        let mut found = Self { start, end, ghosts: Vec::new(), impacts: true, size, bounds };
        // A closing is an impact that ends a series: its posture is that of the ones before.
        let hits: Vec<usize> = run
            .jumps()
            .filter(|(_, e)| e.kind != "close")
            .map(|(_, e)| run.window.point(e.frame))
            .collect();
        let crowd = run.stage.bodies.len() > CROWD;
        let (impacts, between) = if crowd { (1, 1) } else { (IMPACTS, BETWEEN) };
        found.choose(run, &hits, impacts);
        if found.ghosts.is_empty() && hits.is_empty() {
            found.impacts = false;
            let t = &run.window.t;
            let at = |k: usize| t[0] + (t[t.len() - 1] - t[0]) * k as f64 / (between + 1) as f64;
            let frame = |time: f64| start + t.iter().position(|t| *t >= time).unwrap_or(0);
            let even: Vec<usize> = (1..=between).map(|k| frame(at(k))).collect();
            found.choose(run, &even, between);
        }
        found
    }

    /// Takes those that differ from each other.
    fn choose(&mut self, run: &RunPlots<'_>, frames: &[usize], most: usize) {
        for frame in frames {
            let poses = run.poses(*frame);
            let own = |other: usize| self.apart(&poses, &run.poses(other));
            let differs = self.ghosts.iter().chain([&self.start]).all(|other| own(*other));
            if differs && self.ghosts.len() < most {
                self.ghosts.push(*frame);
            }
        }
    }

    /// Whether some body is at another place, or turned by more than a little.
    fn apart(&self, a: &[Pose], b: &[Pose]) -> bool {
        let far = |(a, b): (&Pose, &Pose)| {
            (a.r - b.r).norm() > APART * self.size || (a.R - b.R).norm() > 2.0 * APART
        };
        a.iter().zip(b).any(far)
    }

    fn caption(&self, run: &RunPlots<'_>) -> String {
        let at = |frame: usize| short(run.time(frame));
        let list: Vec<String> = self.ghosts.iter().map(|f| at(*f)).collect();
        let what = if self.impacts { "impacts" } else { "moments on the way" };
        let between = match list.len() {
            0 => String::new(),
            _ => format!(", {what} at {} s", list.join(", ")),
        };
        // As the summary counts them: every event in which velocities jump, closings included.
        let all = run.jumps().count();
        let more = match all {
            n if self.impacts && n > self.ghosts.len() => format!(" {n} impacts in all."),
            _ => String::new(),
        };
        format!("Start at {} s{between}, end at {} s.{more}", at(self.start), at(self.end))
    }
}

fn plane(run: &RunPlots<'_>, postures: &Postures) -> Panel {
    let mut panel = Panel::new().x(("x", "m")).y(("y", "m")).equal();
    panel = scenery(run, postures, panel);
    let start = run.poses(postures.start);
    panel =
        outline::posture(&run.stage, &start, &Look::START, panel).add(key("start", &Look::START));
    let ghost = if postures.impacts { Look::IMPACT } else { Look::BETWEEN };
    for frame in &postures.ghosts {
        panel = outline::posture(&run.stage, &run.poses(*frame), &ghost, panel);
    }
    if !postures.ghosts.is_empty() {
        panel = panel.add(key(if postures.impacts { "impacts" } else { "on the way" }, &ghost));
    }
    panel = outline::posture(&run.stage, &run.poses(postures.end), &Look::END, panel)
        .add(key("end", &Look::END));
    for (k, (name, points)) in paths(run).into_iter().enumerate() {
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p.x, p.y)).unzip();
        let colours = [0, 2, 4, 5].map(Colour::Series);
        let line =
            Line::new(format!("path of {name}"), &x, &y).dash(carom_figure::Dash::of_series(k));
        panel = panel.add(line.colour(colours[k % 4]));
    }
    impulses(run, postures, panel)
}

/// An entry of the legend without anything in the picture.
fn key(name: &str, look: &Look) -> Area {
    let area = Area::new(Vec::new()).name(name).edge(look.edge, look.width, look.dash);
    match look.fill {
        Some((colour, opacity)) => area.fill(colour, opacity),
        None => area.hollow(),
    }
}

/// Surfaces and shapes that do not move.
fn scenery(run: &RunPlots<'_>, postures: &Postures, mut panel: Panel) -> Panel {
    for drawn in &run.stage.fixed {
        match drawn.form {
            Form::Plane => {
                let n: Vector3<f64> = drawn.pose.R.column(1).into();
                panel = panel.add(Ground::new([drawn.pose.r.x, drawn.pose.r.y], [n.x, n.y]));
                // A little of the solid is in the picture where the motion comes near.
                for p in under(&postures.bounds, &drawn.pose.r, &n, 0.05 * postures.size) {
                    panel = panel.add(Line::unnamed(&[p[0]], &[p[1]]).width(0.0));
                }
            }
            _ => panel = outline::shape(drawn, &Pose::identity(), &Look::END, panel),
        }
    }
    panel
}

/// Points a little behind a surface, next to what moves; none if the motion stays far away.
fn under(bounds: &Bounds, r: &Vector3<f64>, n: &Vector3<f64>, depth: f64) -> Vec<[f64; 2]> {
    let (low, high) = (bounds.min, bounds.max);
    let corners = [[low.x, low.y], [high.x, low.y], [high.x, high.y], [low.x, high.y]];
    let mut found = Vec::new();
    for c in corners {
        let height = n.x * (c[0] - r.x) + n.y * (c[1] - r.y);
        if height.abs() < 0.5 * bounds.size().norm() {
            let s = height + depth;
            found.push([c[0] - s * n.x, c[1] - s * n.y]);
        }
    }
    found
}

/// Points whose paths are drawn: contact points of bodies if there are any, and the centres of bodies without.
pub(super) fn paths(run: &RunPlots<'_>) -> Vec<(String, Vec<Vector3<f64>>)> {
    let mut points: Vec<(String, usize, Vector3<f64>)> = Vec::new();
    for (index, body) in run.stage.bodies.iter().enumerate() {
        let own = body.shapes.iter().filter(|s| s.form == Form::Point);
        points.extend(own.map(|s| (s.name.clone(), index, s.pose.r)));
    }
    let tips = !points.is_empty();
    for (index, body) in run.stage.bodies.iter().enumerate() {
        let has_tip = points.iter().any(|(_, b, _)| *b == index);
        let solid = body.shapes.iter().any(|s| !matches!(s.form, Form::Point | Form::Plane));
        let joint = &run.account.scene.model.body(body.id).joint.kind;
        let free = matches!(joint, JointKind::Planar | JointKind::Free);
        if !has_tip && body.mass > 0.0 && if tips { free && solid } else { true } {
            points.push((body.name.clone(), index, body.com));
        }
    }
    let frames = run.window.frames();
    let trace = |(name, body, p): (String, usize, Vector3<f64>)| {
        let points: Vec<Vector3<f64>> =
            frames.clone().map(|f| run.poses(f)[body].point(&p)).collect();
        (name, points)
    };
    let moves = |points: &[Vector3<f64>]| points.iter().any(|p| (p - points[0]).norm() > 1e-9);
    points.into_iter().map(trace).filter(|(_, p)| moves(p)).take(PATHS).collect()
}

/// Contact points and impulses of the impacts whose postures are drawn.
fn impulses(run: &RunPlots<'_>, postures: &Postures, mut panel: Panel) -> Panel {
    if !postures.impacts {
        return panel;
    }
    let shown: Vec<&PageEvent> = run
        .jumps()
        .map(|(_, e)| e)
        .filter(|e| postures.ghosts.contains(&run.window.point(e.frame)))
        .collect();
    let sizes = shown.iter().flat_map(|e| &e.contacts).map(|c| c.impulse[0].hypot(c.impulse[2]));
    let largest = sizes.fold(0.0, f64::max);
    let mut named = false;
    for event in shown {
        let mut noted = false;
        for c in event.contacts.iter().filter(|c| c.impulse[2] != 0.0) {
            let site = &run.document.sites[c.site];
            let vector =
                |packed: &crate::document::Packed| RunPlots::vector(&packed.to_f64(), event.frame);
            let (r, n, t) = (vector(&site.point), vector(&site.normal), vector(&site.tangent1));
            if n.norm() == 0.0 {
                continue;
            }
            let p = (n * c.impulse[2] + t * c.impulse[0]) * (ARROW * postures.size / largest);
            let mut arrow =
                Arrow::new([r.x, r.y], [r.x + p.x, r.y + p.y]).colour(palette::IMPULSE).width(2.0);
            if !named {
                arrow = arrow.name("impulse");
                named = true;
            }
            panel = panel.add(arrow);
            panel = panel.add(
                Line::unnamed(&[r.x], &[r.y])
                    .width(0.0)
                    .marker(Marker::Dot)
                    .colour(palette::IMPULSE),
            );
            if !noted {
                panel = panel.add(Note::new(r.x, r.y, format!("{} s", short(event.t))));
                noted = true;
            }
        }
    }
    panel
}
