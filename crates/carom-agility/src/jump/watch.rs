//! A jump, measured while it is simulated.
//!
//! # Law
//! ```text
//! stance   = last time at which a foot touches before all are off for the first time − start     (1)
//! rise     = max over the run of −ĝ · (x − x_start), at apexes where −ĝ · ẋ = 0                   (2)
//! distance = |goal − x|, its least value and its last                                          (3)
//! gain     = T + V − E₀ − W_applied, at most 0 but for the closure of the ledger               (4)
//! ```
//! x is a point of a body, ĝ the direction of gravity. An apex is the event that the upward velocity passes zero; it lies
//! between two samples of one flow, where height and velocity at both ends are known, so that it is taken from the cubic
//! through them.
//!
//! # Classes
//! | outcome | meaning | Flickinger 2011, figure 6.2 |
//! |---|---|---|
//! | jumped | left the ground after a stance > 0 | "filtered" |
//! | at once | left the ground at the start, stance = 0 | "jumped" |
//! | kept contact | touched the ground all the time | – |
//! | stopped | the contact laws have no solution, or several (Painlevé) | – |
//! | timed out | did not reach its end time | "timeout" |
//!
//! # Tests
//! `tests/jump.rs`: `eq1_eq2_spring_jump`, `eq2_the_apex_is_found_between_samples`, `eq4_gain`, `classes`.

use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::{Outcome, SimError, Stop};
use carom::model::{BodyId, Model};
use carom::record::{Directive, Event, EventKind, Observer, Sample};
use nalgebra::Vector3;

/// What is watched in a jump.
#[derive(Debug, Clone, PartialEq)]
pub struct JumpPoint {
    /// The body.
    pub body: BodyId,
    /// The point in its frame, m.
    pub point: Vector3<f64>,
    /// Where it should go, if anywhere, m.
    pub goal: Option<Vector3<f64>>,
    /// Sites of the feet.
    pub feet: Vec<usize>,
}

/// How a jump went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JumpOutcome {
    /// Left the ground after a stance.
    Jumped,
    /// Left the ground at the start.
    AtOnce,
    /// Touched the ground all the time.
    KeptContact,
    /// The contact laws had no solution, or several.
    Stopped,
    /// The simulation failed before its end.
    TimedOut,
}

impl JumpOutcome {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Jumped, Self::AtOnce, Self::KeptContact, Self::Stopped, Self::TimedOut];

    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Jumped => "jumped",
            Self::AtOnce => "at-once",
            Self::KeptContact => "kept-contact",
            Self::Stopped => "stopped",
            Self::TimedOut => "timed-out",
        }
    }

    /// The outcome of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.word() == word)
    }
}

/// The measures of a jump.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JumpMeasure {
    /// How it went.
    pub outcome: JumpOutcome,
    /// Equation (1), s.
    pub stance: f64,
    /// Equation (2), m.
    pub rise: f64,
    /// Least distance to the goal, equation (3), m; NaN without goal.
    pub least_distance: f64,
    /// Last distance to the goal, m.
    pub last_distance: f64,
    /// Largest normal force of a foot, N.
    pub largest_force: f64,
    /// Impacts of feet.
    pub impacts: u32,
    /// Changes of saturation.
    pub saturations: u32,
    /// Work of the motors, J.
    pub applied: f64,
    /// Energy lost at contacts and in dampers, J.
    pub lost: f64,
    /// Equation (4), J.
    pub gain: f64,
    /// Worst closure of the ledger, J.
    pub closure: f64,
    /// Largest stored energy, J, to judge the closure by.
    pub energy: f64,
}

/// Measures a jump as an observer of its simulation.
#[derive(Debug, Clone)]
pub struct JumpWatch<'m> {
    model: &'m Model,
    at: JumpPoint,
    up: Vector3<f64>,
    kin: Kinematics,
    start: Option<(f64, Vector3<f64>)>,
    /// Time, height and upward velocity of the sample before.
    before: Option<[f64; 3]>,
    touched: f64,
    left: bool,
    measure: JumpMeasure,
}

impl<'m> JumpWatch<'m> {
    /// A watch for a model.
    pub fn new(model: &'m Model, at: JumpPoint) -> Self {
        let g = model.gravity();
        let up = if g.norm() > 0.0 { -g / g.norm() } else { Vector3::y() };
        let measure = JumpMeasure {
            outcome: JumpOutcome::TimedOut,
            stance: 0.0,
            rise: 0.0,
            least_distance: f64::NAN,
            last_distance: f64::NAN,
            largest_force: 0.0,
            impacts: 0,
            saturations: 0,
            applied: 0.0,
            lost: 0.0,
            gain: 0.0,
            closure: 0.0,
            energy: 0.0,
        };
        let kin = Kinematics::new(model);
        Self {
            model,
            at,
            up,
            kin,
            start: None,
            before: None,
            touched: f64::NAN,
            left: false,
            measure,
        }
    }

    /// The measures, once the simulation has ended.
    pub fn finish(mut self, result: &Result<Outcome, SimError>) -> JumpMeasure {
        let t0 = self.start.map_or(0.0, |s| s.0);
        let m = &mut self.measure;
        m.stance = if self.touched.is_nan() { 0.0 } else { self.touched - t0 };
        m.outcome = match result {
            Ok(Outcome { stop: Stop::ReachedEnd, .. }) if !self.left => JumpOutcome::KeptContact,
            Ok(Outcome { stop: Stop::ReachedEnd, .. }) if m.stance > 0.0 => JumpOutcome::Jumped,
            Ok(Outcome { stop: Stop::ReachedEnd, .. }) => JumpOutcome::AtOnce,
            Ok(Outcome {
                stop: Stop::NoSolution { .. } | Stop::Ambiguous { .. } | Stop::Runaway { .. },
                ..
            }) => JumpOutcome::Stopped,
            _ => JumpOutcome::TimedOut,
        };
        self.measure
    }

    fn place(&mut self, s: &Sample<'_>) {
        kinematics(self.model, s.q, s.v, &mut self.kin);
        let x = self.kin.pose(self.model, self.at.body).point(&self.at.point);
        let (_, from) = *self.start.get_or_insert((s.t, x));
        let m = &mut self.measure;
        let rate = self.kin.twist_at(self.model, self.at.body, &x).v;
        let now = [s.t, self.up.dot(&(x - from)), self.up.dot(&rate)];
        let apex = self.before.replace(now).and_then(|before| apex(before, now));
        m.rise = m.rise.max(now[1]).max(apex.unwrap_or(0.0));
        if let Some(goal) = self.at.goal {
            m.last_distance = (goal - x).norm();
            // min takes the number where the other is NaN.
            m.least_distance = m.least_distance.min(m.last_distance);
        }
    }
}

/// The highest point of the cubic through two heights with their velocities, where the velocity passes from up to down.
fn apex([t0, y0, v0]: [f64; 3], [t1, y1, v1]: [f64; 3]) -> Option<f64> {
    let h = t1 - t0;
    // Samples at an event have one time: what lies between them is no flow.
    if h <= 0.0 || v0 <= 0.0 || v1 >= 0.0 {
        return None;
    }
    // y = y0 + v0 h s + b s² + c s³ with s from 0 to 1; its slope has one zero there.
    let (b, c) = (3.0 * (y1 - y0) - h * (2.0 * v0 + v1), 2.0 * (y0 - y1) + h * (v0 + v1));
    let root = (b * b - 3.0 * c * v0 * h).max(0.0).sqrt();
    let s = v0 * h / (root - b);
    let s = if (0.0..=1.0).contains(&s) { s } else { v0 / (v0 - v1) };
    Some(y0 + s * (v0 * h + s * (b + s * c)))
}

impl Observer for JumpWatch<'_> {
    fn sample(&mut self, s: &Sample<'_>) -> Directive {
        let first = self.start.is_none();
        self.place(s);
        let feet = &self.at.feet;
        // The very first sample comes before the contacts are known.
        if !first && !self.left {
            if feet.iter().any(|&f| s.modes[f].is_closed()) {
                self.touched = s.t;
            } else if s.t > self.start.map_or(s.t, |s| s.0) {
                self.left = true;
            }
        }
        let m = &mut self.measure;
        m.largest_force = feet.iter().fold(m.largest_force, |f, &k| f.max(s.forces[k][2]));
        let l = s.ledger;
        (m.applied, m.lost) = (l.applied, l.lost());
        m.closure = m.closure.max(l.closure().abs());
        m.energy = m.energy.max(l.stored().abs());
        m.gain = m.gain.max(l.stored() - l.initial - l.applied);
        Directive::Continue
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.measure.saturations += event.actuators.len() as u32;
        let feet = &self.at.feet;
        if event.kind == EventKind::Impact && event.contacts.iter().any(|c| feet.contains(&c.site))
        {
            self.measure.impacts += 1;
        }
        Directive::Continue
    }
}
