//! The motion in closed form, piece by piece: equations (2), (3) and (4).

use std::f64::consts::{PI, TAU};

use super::forcing::System;
use super::measure::Motion;

/// What the damper does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Phase {
    /// It holds.
    Stick,
    /// It slips with this sign of ẋ.
    Slip(f64),
}

/// One piece of the motion; it starts at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Start, s.
    pub t: f64,
    /// Stretch at the start, m.
    pub x: f64,
    /// What the damper does.
    pub phase: Phase,
}

/// The motion from relative rest at t = 0, x = 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    system: System,
    /// The pieces in order of time.
    pub pieces: Vec<Piece>,
    /// Where it was asked to end, s.
    pub end: f64,
}

/// Parts of the shortest period in which the end of a slip is looked for. A slip whose velocity returns to zero and
/// leaves it again within one part would be missed; the simulator, which looks at extremes, would tell.
const PARTS: f64 = 256.0;

impl Exact {
    /// The motion up to `end`.
    pub fn new(system: System, end: f64) -> Self {
        let mut pieces = vec![Piece { t: 0.0, x: 0.0, phase: Phase::Stick }];
        while let Some(last) = pieces.last().copied() {
            let next = match last.phase {
                Phase::Stick => release(&system, &last),
                Phase::Slip(_) => arrest(&system, &last, end),
            };
            match next {
                Some(piece) if piece.t < end => pieces.push(piece),
                _ => break,
            }
        }
        Self { system, pieces, end }
    }

    /// x and ẋ at a time within the motion.
    pub fn at(&self, t: f64) -> [f64; 2] {
        let after = self.pieces.partition_point(|p| p.t <= t);
        let piece = &self.pieces[after.saturating_sub(1)];
        match piece.phase {
            Phase::Stick => [piece.x, 0.0],
            Phase::Slip(s) => slip(&self.system, piece, s, t),
        }
    }

    /// Start and end of every stick, s.
    pub fn sticks(&self) -> Vec<[f64; 2]> {
        let ends = self.pieces.iter().skip(1).map(|p| p.t).chain([self.end]);
        let spans = self.pieces.iter().zip(ends);
        spans.filter(|(p, _)| p.phase == Phase::Stick).map(|(p, end)| [p.t, end]).collect()
    }

    /// The same as a motion with samples every `interval` seconds.
    pub fn motion(&self, interval: f64) -> Motion {
        let mut motion = Motion::default();
        for i in 0..=(self.end / interval).round() as usize {
            let t = i as f64 * interval;
            motion.push(t, self.at(t), None);
        }
        motion.sticks = self.sticks();
        motion.captures = motion.times_stuck();
        motion.crossings = motion.captures + self.reversals();
        motion
    }

    /// Slips that turned around without sticking.
    pub fn reversals(&self) -> usize {
        let slips = |p: &Piece| p.phase != Phase::Stick;
        self.pieces.windows(2).filter(|w| slips(&w[0]) && slips(&w[1])).count()
    }
}

/// Equation (3) and its rate.
fn slip(system: &System, from: &Piece, s: f64, t: f64) -> [f64; 2] {
    let (n, w) = (system.natural(), system.rate());
    let b = system.shake() / (system.stiffness - w * w);
    let f = s * system.drag / system.stiffness;
    let cosine = from.x - b * (w * from.t).sin() + f;
    let sine = -b * w * (w * from.t).cos() / n;
    let (sin, cos) = (n * (t - from.t)).sin_cos();
    [
        cosine * cos + sine * sin + b * (w * t).sin() - f,
        n * (sine * cos - cosine * sin) + b * w * (w * t).cos(),
    ]
}

/// The slip that follows a stick, equation (4); `None` if it lasts for ever.
fn release(system: &System, stick: &Piece) -> Option<Piece> {
    let w = system.rate();
    let ends = [-1.0, 1.0].into_iter().flat_map(|sign| {
        let c = (system.stiffness * stick.x + sign * system.hold) / system.shake();
        let angle = (c.abs() < 1.0).then(|| c.asin());
        let angles = angle.into_iter().flat_map(|a| [a, PI - a]);
        angles.map(move |a| (sign, later(a, w * stick.t) / w))
    });
    let first = ends.min_by(|a, b| a.1.total_cmp(&b.1));
    first.map(|(sign, t)| Piece { t, x: stick.x, phase: Phase::Slip(sign) })
}

/// The first angle after `now` that equals `angle` up to whole turns. A stick starts well inside of (2), so that its
/// end is never the angle now.
fn later(angle: f64, now: f64) -> f64 {
    angle + TAU * ((now - angle) / TAU).floor() + TAU
}

/// What follows a slip: the velocity returns to zero, and (2) decides.
fn arrest(system: &System, from: &Piece, end: f64) -> Option<Piece> {
    let Phase::Slip(s) = from.phase else { return None };
    let part = TAU / system.natural().max(system.rate()) / PARTS;
    let moving = |t: f64| s * slip(system, from, s, t)[1] > 0.0;
    let mut high = from.t + part;
    while moving(high) {
        if high > end {
            return None;
        }
        high += part;
    }
    let mut low = high - part;
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if moving(middle) { low = middle } else { high = middle }
    }
    let x = slip(system, from, s, high)[0];
    let pull = system.pull(x, high);
    let held = pull.abs() <= system.hold;
    let phase = if held { Phase::Stick } else { Phase::Slip(pull.signum()) };
    Some(Piece { t: high, x, phase })
}

#[cfg(test)]
mod tests {
    use super::super::forcing::FORCINGS;
    use super::*;

    /// Second differences of (3) satisfy (1) inside every slip.
    #[test]
    fn eq1_residual_of_eq3() {
        for forcing in FORCINGS {
            let system = System::new(forcing);
            let exact = Exact::new(system, 2.0);
            for pair in exact.pieces.windows(2) {
                let Phase::Slip(s) = pair[0].phase else { continue };
                let t = 0.5 * (pair[0].t + pair[1].t);
                let h = (1e-4f64).min(0.1 * (pair[1].t - pair[0].t));
                let [x0, x1, x2] = [t - h, t, t + h].map(|t| exact.at(t)[0]);
                let second = (x0 - 2.0 * x1 + x2) / (h * h);
                let expected = system.pull(x1, t) - s * system.drag;
                assert!((second - expected).abs() < 1e-3 * system.shake(), "{second} {expected}");
                let rate = (x2 - x0) / (2.0 * h);
                assert!((rate - exact.at(t)[1]).abs() < 1e-5);
                assert!(s * exact.at(t)[1] > 0.0);
            }
        }
    }

    #[test]
    fn eq2_eq4_sticks_end_where_the_pull_is_static_friction() {
        let mut seen = 0;
        for forcing in FORCINGS {
            let system = System::new(forcing);
            let exact = Exact::new(system, 3.0);
            for pair in exact.pieces.windows(2).filter(|w| w[0].phase == Phase::Stick) {
                let (x, [from, to]) = (pair[0].x, [pair[0].t, pair[1].t]);
                assert!((system.pull(x, to).abs() - system.hold).abs() < 1e-9 * system.hold);
                for k in 1..40 {
                    let t = from + (to - from) * f64::from(k) / 40.0;
                    assert!(system.pull(x, t).abs() < system.hold);
                }
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn pieces_join_at_rest() {
        let exact = Exact::new(System::new(FORCINGS[0]), 3.0);
        for piece in &exact.pieces[1..] {
            let [x, v] = exact.at(piece.t - 1e-9);
            assert!((x - piece.x).abs() < 1e-12 && v.abs() < 1e-7);
        }
    }
}
