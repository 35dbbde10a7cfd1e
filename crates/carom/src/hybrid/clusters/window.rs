//! Windows: the spans of time over which assemblies are watched for each other.
//!
//! A leg may be long; its windows are as long as the box that an assembly sweeps in one of them is worth. They do not
//! change the motion, only how much of it is looked at together:
//! ```text
//! length = s 4 max(size, cell) / speed                                                  (1)
//! ```
//! s doubles after a window that met nobody's box and halves after one that met many, down to a quarter.
//!
//! # Tests
//! `tests/clocks.rs`: `eq1_points_over_a_plane_are_watched_in_few_windows`.

use super::clock::{Clock, Ends};
use super::flight::Flight;
use super::grid::Bounds;
use super::members::Whole;
use crate::hybrid::outcome::SimError;
use crate::model::FeatureId;
use crate::numeric::thresholds::PENETRATION;

/// Way of an assembly in its first window, in units of its size.
const FIRST: f64 = 4.0;
/// Gaps that may count as touching, a fraction of the numbers that place them.
const TOUCHING: f64 = 16.0 * f64::EPSILON * PENETRATION;
/// Neighbours in a window that are many.
const MANY: usize = 6;
/// Bounds of the power of two in (1).
const SHORTEST: i32 = -2;
const LONGEST: i32 = 60;

/// The window of an assembly.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Window {
    /// End, s.
    pub until: f64,
    /// How often it was set.
    pub stamp: u32,
    /// s of (1) for the next one is two to this power.
    share: i32,
}

impl Window {
    /// A new window of a ball in flight, and the box that it sweeps: a parabola leaves its chord by at most a Δ²/8.
    pub fn open_for_ball(&mut self, flight: &Flight, cell: f64, t: f64) -> Bounds {
        let (speed, reach, fall) = (flight.velocity(t).norm(), flight.reach, flight.fall());
        let mut bounds = Bounds::nothing();
        bounds.hold(&flight.center(t), reach);
        self.stamp += 1;
        self.until = flight.t1.max(t);
        if self.until > t {
            let size = (2.0 * reach).max(cell);
            let fastest = speed.max((fall * size).sqrt()).max(f64::MIN_POSITIVE);
            self.until = self.until.min(t + size / fastest * f64::powi(2.0, self.share));
            bounds.hold(&flight.center(self.until), reach);
            let span = self.until - t;
            bounds.widen(0.125 * fall * span * span);
        }
        bounds.widen(TOUCHING * bounds.lo.amax().max(bounds.hi.amax()));
        bounds
    }

    /// The box of a ball in flight at one instant, which is within that of its window.
    pub fn instant(flight: &Flight, t: f64) -> Bounds {
        let mut bounds = Bounds::nothing();
        bounds.hold(&flight.center(t), flight.reach);
        bounds.widen(TOUCHING * bounds.lo.amax().max(bounds.hi.amax()));
        bounds
    }

    /// Learn from the number of neighbours.
    pub fn learn(&mut self, neighbours: usize) {
        self.share = match neighbours {
            0 => (self.share + 1).min(LONGEST),
            n if n > MANY => (self.share - 1).max(SHORTEST),
            _ => self.share,
        }
    }
}

impl Clock<'_> {
    /// A new window of an assembly from `t` on, and the box that it sweeps, (1) of [`grid`](super::grid).
    pub fn open_window(
        &mut self,
        whole: &Whole<'_>,
        (assembly, cell): (usize, f64),
        t: f64,
        window: &mut Window,
    ) -> Result<Bounds, SimError> {
        let features = &whole.exposed[assembly];
        let mut bounds = Bounds::nothing();
        self.look(t)?;
        self.velocities.clear();
        self.hold(whole, features, &mut bounds);
        window.stamp += 1;
        window.until = self.t1.max(t);
        // What counts as touching must not be lost to round-off.
        let size = bounds.lo.amax().max(bounds.hi.amax());
        bounds.widen(if size.is_finite() { TOUCHING * size } else { 0.0 });
        if self.t1 <= t || self.ends == Ends::Never {
            return Ok(bounds);
        }
        let size = (bounds.hi - bounds.lo).norm().max(cell);
        let fastest = self.velocities.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.norm()));
        let length = FIRST * size / fastest * f64::powi(2.0, window.share);
        window.until = self.t1.min(t + length);
        let span = window.until - t;
        let mut change = 0.0_f64;
        for x in [0.5, 1.0] {
            self.look(t + x * span)?;
            change = change.max(self.hold(whole, features, &mut bounds));
        }
        bounds.widen(0.25 * span * change);
        Ok(bounds)
    }

    /// The box holds the features in the state last looked at; the largest change of their velocities since the first
    /// time, m/s.
    fn hold(&mut self, whole: &Whole<'_>, features: &[FeatureId], bounds: &mut Bounds) -> f64 {
        let mut change = 0.0_f64;
        for (k, &feature) in features.iter().enumerate() {
            let feature = whole.model.feature(feature);
            let Some(body) = feature.body else { continue };
            let m = self.motion_now(body);
            let arm = m.R * feature.placement.r;
            bounds.hold(&(m.r + arm), feature.shape.reach());
            let v = m.v + m.w.cross(&arm);
            match self.velocities.get(k) {
                Some(first) => change = change.max((v - first).norm()),
                None => self.velocities.push(v),
            }
        }
        change
    }
}
