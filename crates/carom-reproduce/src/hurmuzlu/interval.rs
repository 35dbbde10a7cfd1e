//! Where something holds.

use super::sweep::Point;
use crate::show::fixed;

/// A closed interval of postures, degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// First posture.
    pub from: f64,
    /// Last posture.
    pub to: f64,
}

/// The intervals of postures where a test holds. `points` are equally spaced; ends are moved out by half a step to where
/// the change lies, but not beyond ±90°.
pub fn intervals<'a>(points: impl Iterator<Item = (&'a Point, bool)>, step: f64) -> Vec<Interval> {
    let mut all: Vec<Interval> = Vec::new();
    let mut inside = false;
    for (point, holds) in points {
        let (low, high) = (point.degrees - step / 2.0, point.degrees + step / 2.0);
        match (inside, holds, all.last_mut()) {
            (true, true, Some(last)) => last.to = high,
            (_, true, _) => all.push(Interval { from: low, to: high }),
            _ => {}
        }
        inside = holds;
    }
    all
}

/// Intervals for readers.
pub fn words(intervals: &[Interval]) -> String {
    if intervals.is_empty() {
        return "nowhere".into();
    }
    let one = |i: &Interval| format!("{}° … {}°", fixed(i.from, 1), fixed(i.to, 1));
    intervals.iter().map(one).collect::<Vec<_>>().join(" and ")
}
