//! One spatial contact, start to end.
//!
//! The path is made of curved pieces ([`arc`](super::arc)), straight pieces (along an invariant direction, without
//! friction, sticking, or slipping on from rest) and at most one tail ([`tail`](super::tail)).

use crate::numeric::thresholds::hodograph::{STOPPED, WEDGED};
use nalgebra::{Matrix3, Vector3};

use super::arc::{Arc, Rates};
use super::path::{Goal, Hit, Line, Path, Phases};
use super::principal::Principal;
use super::tail::{Invariant, Tail};
use crate::impact::contact_space::ZERO_VELOCITY;
use crate::impact::restitution::Restitution;
use crate::impact::trace::StageEvent;

/// A turning rate below this (per unit of growth) is round-off: slip goes straight. The error made is a change of k
/// by the same fraction.
const STRAIGHT: f64 = 8.0 * f64::EPSILON;

/// σ that makes a tail worth while.
const FAR: f64 = 0.7;

/// More pieces than this cannot occur: the longest paths known, near an unstable direction, have a few hundred.
const PIECES: usize = 20_000;

/// Coefficients of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Dynamic friction μd ≥ 0.
    pub friction: f64,
    /// Static friction μs ≥ μd.
    pub static_friction: f64,
    /// Restitution, 0 ≤ e ≤ 1.
    pub restitution: f64,
    /// What e means.
    pub definition: Restitution,
}

/// Result for one contact, rows: two tangents, normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialImpact {
    /// Impulse.
    pub impulse: Vector3<f64>,
    /// Velocity after.
    pub velocity: Vector3<f64>,
    /// Work of the normal impulse.
    pub normal_work: f64,
    /// Work of the friction impulse.
    pub friction_work: f64,
    /// Normal impulse up to the end of compression.
    pub compression_impulse: f64,
    /// Normal work up to the end of compression, < 0.
    pub compression_work: f64,
    /// Whether the contact sticks at the end.
    pub sticks: bool,
    /// Number of pieces of the path.
    pub pieces: usize,
}

/// Why a path has no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfinished {
    /// The goal is never reached: K is singular and the contact wedged.
    Jammed {
        /// Rate duₙ/dpₙ of the last piece.
        rate: f64,
    },
    /// Too many pieces.
    Pieces {
        /// The bound.
        limit: usize,
    },
}

/// Told of every event: what happened, and the state as a result that ends there.
pub type Observer<'a> = &'a mut dyn FnMut(StageEvent, SpatialImpact);

/// Resolves one contact with uₙ⁻ < 0.
///
/// K is symmetric and positive semi-definite, tangents first. Allocates nothing.
pub fn resolve(
    K: &Matrix3<f64>,
    u_pre: &Vector3<f64>,
    c: &Coefficients,
    observer: Option<Observer<'_>>,
) -> Result<SpatialImpact, Unfinished> {
    Walk::new(K, u_pre, c, observer).run()
}

/// How the contact moves at present.
#[derive(Clone, Copy)]
enum Motion {
    Slip,
    Arc { from: f64 },
    Tail { from: f64 },
    Line { line: Line, sticks: bool },
}

/// How a piece of path ended.
enum Piece {
    Goes,
    Stopped,
    Hit(Hit),
    Endless { rate: f64 },
}

struct Walk<'a> {
    contact: Principal,
    rates: Option<Rates>,
    phases: Phases,
    path: Path,
    motion: Motion,
    /// Largest velocity at the start.
    scale: f64,
    arc: Arc,
    tail: Option<Tail>,
    /// No tail is tried before slip has turned to within this angle of its end.
    tail_angle: f64,
    pieces: usize,
    observer: Option<Observer<'a>>,
}

impl<'a> Walk<'a> {
    fn new(
        K: &Matrix3<f64>,
        u_pre: &Vector3<f64>,
        c: &Coefficients,
        observer: Option<Observer<'a>>,
    ) -> Self {
        let contact = Principal::new(K, [c.friction, c.static_friction]);
        let (w, u_n) = contact.inward(u_pre);
        let path = Path { w, u_n, ..Path::default() };
        Self {
            rates: Rates::new(&contact),
            contact,
            phases: Phases::new(c.definition, c.restitution, u_n),
            path,
            motion: Motion::Slip,
            scale: u_pre.amax(),
            arc: Arc::empty(),
            tail: None,
            tail_angle: f64::INFINITY,
            pieces: 0,
            observer,
        }
    }

    fn run(mut self) -> Result<SpatialImpact, Unfinished> {
        self.tell(StageEvent::Start);
        if self.path.speed() < ZERO_VELOCITY * self.scale {
            self.leave_rest();
        }
        while self.pieces < PIECES {
            self.pieces += 1;
            let piece = match self.motion {
                Motion::Slip => self.slip(),
                Motion::Arc { from } => self.follow_arc(from),
                Motion::Tail { from } => self.follow_tail(from),
                Motion::Line { line, sticks } => self.follow(line, sticks),
            };
            match piece {
                Piece::Goes => {}
                Piece::Stopped => self.stop(),
                // Wedged: what was compressed stays so.
                Piece::Endless { .. } if self.stands() => {
                    self.tell(StageEvent::End);
                    return Ok(self.result());
                }
                Piece::Endless { rate } => return Err(Unfinished::Jammed { rate }),
                Piece::Hit(hit) => {
                    if self.pass(hit) {
                        return Ok(self.result());
                    }
                }
            }
        }
        Err(Unfinished::Pieces { limit: PIECES })
    }

    /// Whether the contact sticks, K is singular and nothing moves: no impulse changes that.
    fn stands(&self) -> bool {
        matches!(self.motion, Motion::Line { sticks: true, .. })
            && self.contact.kappa == 0.0
            && self.phases.restoring
            && self.path.u_n == 0.0
    }

    /// The next phase; true if the impact is over.
    fn pass(&mut self, hit: Hit) -> bool {
        let compressing = !self.phases.restoring;
        let before = self.path;
        let over = self.phases.pass(hit, &mut self.path);
        let tail = self.tail.as_mut().map(|t| &mut t.start);
        for start in tail.into_iter().chain([&mut self.arc.start]) {
            // Impulse and work count from the start of the phase.
            start.p_n += self.path.p_n - before.p_n;
            start.work_n += self.path.work_n - before.work_n;
        }
        self.tail_angle = f64::INFINITY;
        if compressing {
            self.tell(StageEvent::EndOfCompression);
        }
        if over {
            self.tell(StageEvent::End);
        }
        over
    }

    /// One piece of slip.
    fn slip(&mut self) -> Piece {
        let r = self.path.speed();
        let u = self.path.w.map(|w| w / r);
        let Some(rates) = self.rates else {
            return self.go_straight(u, r, 0.0);
        };
        let (g, h) = rates.growth_and_turn(u);
        let end = STOPPED * self.scale * (g.abs() / rates.k_nn).min(1.0);
        if h.abs() <= STRAIGHT || (r <= end && g < 0.0) {
            return self.go_straight(u, r, g * rates.omega);
        }
        if r <= end {
            return Piece::Stopped;
        }
        if rates.mu == 0.0 {
            self.motion = Motion::Line {
                line: Line {
                    dw: self.contact.k,
                    du: self.contact.k_nn,
                    friction: [0.0; 2],
                    loss: [0.0; 2],
                    length: f64::INFINITY,
                },
                sticks: false,
            };
            return Piece::Goes;
        }
        if self.enter_tail(&rates, u) {
            return Piece::Goes;
        }
        self.arc.restart(&rates, &self.path);
        self.follow_arc(0.0)
    }

    /// To the next hit on the present arc, or to its end.
    fn follow_arc(&mut self, from: f64) -> Piece {
        let goal = self.phases.goal();
        self.motion = Motion::Slip;
        if !self.arc.resolves(goal, &self.path) {
            return Piece::Goes;
        }
        let end = self.arc.at(self.arc.span);
        let rises = |p: &Path| {
            self.rates
                .is_some_and(|c| c.k_nn * p.speed() >= c.mu * (c.k[0] * p.w[0] + c.k[1] * p.w[1]))
        };
        // Most arcs end before their phase does.
        let quiet =
            goal.miss(&end) < 0.0 && rises(&self.path) && rises(&end) && end.u_n >= self.path.u_n;
        let hit = if quiet { None } else { self.arc.hit(from, goal, self.phases.restoring) };
        let Some((x, hit)) = hit else {
            self.path = end;
            return Piece::Goes;
        };
        self.path = self.arc.at(x);
        self.motion = Motion::Arc { from: x };
        Piece::Hit(hit)
    }

    /// Slip along û that grows at the rate dr/dpₙ = g without turning.
    fn go_straight(&mut self, u: [f64; 2], r: f64, g: f64) -> Piece {
        let c = &self.contact;
        let line = Line {
            dw: u.map(|u| g * u),
            du: c.k_nn - c.mu * (c.k[0] * u[0] + c.k[1] * u[1]),
            friction: u.map(|u| -c.mu * u),
            loss: [c.mu * r, c.mu * g],
            length: if g < 0.0 { -r / g } else { f64::INFINITY },
        };
        self.motion = Motion::Line { line, sticks: false };
        Piece::Goes
    }

    fn follow(&mut self, mut line: Line, sticks: bool) -> Piece {
        let hit = line.hit(&self.path, self.phases.goal(), self.phases.restoring);
        let x = hit.map_or(line.length, |(x, _)| x);
        if x.is_infinite() {
            return Piece::Endless { rate: line.du };
        }
        line.advance(x, &mut self.path);
        self.motion = Motion::Line { line, sticks };
        hit.map_or(Piece::Stopped, |(_, hit)| Piece::Hit(hit))
    }

    /// Takes the rest of the slip from the tail, if there is one that serves the present phase.
    fn enter_tail(&mut self, rates: &Rates, u: [f64; 2]) -> bool {
        if !self.far() {
            return false;
        }
        let Some(axes) = Invariant::near(rates, u) else {
            return false;
        };
        let angle = (u[0] * axes.direction[1] - u[1] * axes.direction[0]).abs();
        if angle > self.tail_angle {
            return false;
        }
        // A tail that does not converge from here may do so from half as far.
        self.tail_angle = 0.5 * angle;
        // duₙ/dpₙ differs from its values at the two ends by at most μ|k|α²/8 between them, so two equal signs beyond
        // that bound make uₙ monotone.
        let slack = rates.mu * angle * angle / 8.0;
        let [a, b] = [rates.normal(u), rates.normal(axes.direction)];
        let (rises, falls) = (a.min(b) > slack, a.max(b) < -slack);
        if !(rises || falls) {
            return false;
        }
        let Some(tail) = Tail::new(rates, axes, &self.path) else {
            return false;
        };
        if falls && self.phases.restoring {
            return false;
        }
        (self.tail, self.motion) = (Some(tail), Motion::Tail { from: 0.0 });
        true
    }

    /// Whether the phase, judged by the present rates, lasts longer than an arc or two.
    ///
    /// For less, arcs are cheaper than a tail, and more accurate: a tail gives changes as differences.
    fn far(&self) -> bool {
        let Some(rates) = self.rates else { return false };
        let (r, p) = (self.path.speed(), &self.path);
        let rate = rates.normal(p.w.map(|w| w / r));
        let span = match self.phases.goal() {
            Goal::Velocity(u) if rate > 0.0 => (u - p.u_n) / rate,
            Goal::Velocity(_) => f64::INFINITY,
            Goal::Impulse(goal) => rates.omega * (goal - p.p_n),
            Goal::Work(goal) => {
                let rest = rates.omega * (goal - p.work_n);
                let square = p.u_n * p.u_n + 2.0 * rate * rest;
                2.0 * rest / (p.u_n + square.max(0.0).sqrt())
            }
        };
        span >= FAR * r
    }

    /// One piece of the tail: to the goal of the phase, or until slip stops.
    fn follow_tail(&mut self, from: f64) -> Piece {
        let goal = self.phases.goal();
        let far = from == 0.0 || self.far();
        let Some(tail) = self.tail.as_ref().filter(|_| far) else {
            self.motion = Motion::Slip;
            return Piece::Goes;
        };
        if tail.stops {
            let stop = tail.stop();
            if goal.miss(&stop) < 0.0 {
                self.path = stop;
                return Piece::Stopped;
            }
        }
        let t = tail.reach(goal, from);
        self.path = tail.at(t).0;
        self.motion = Motion::Tail { from: t };
        Piece::Hit(Hit::Goal)
    }

    /// Slip has stopped.
    fn stop(&mut self) {
        let event = if self.contact.sticks() { StageEvent::SlipStop } else { StageEvent::Reversal };
        self.leave_rest();
        self.tell(event);
    }

    /// Sticks, or slips on along the one direction that leads away from rest.
    fn leave_rest(&mut self) {
        self.path.w = [0.0; 2];
        let (c, sticks) = (&self.contact, self.contact.sticks());
        let line = if sticks {
            if c.kappa == 0.0 && self.path.u_n.abs() <= WEDGED * self.scale {
                // K is singular and nothing moves any more: what is left of the normal velocity is round-off.
                self.path.u_n = 0.0;
            }
            Line {
                dw: [0.0; 2],
                du: c.kappa,
                friction: c.m.map(|m| -m),
                loss: [0.0; 2],
                length: f64::INFINITY,
            }
        } else {
            let (u, gamma) = c.onset();
            Line {
                dw: u.map(|u| gamma * u),
                du: c.k_nn - c.mu * (c.k[0] * u[0] + c.k[1] * u[1]),
                friction: u.map(|u| -c.mu * u),
                loss: [0.0, c.mu * gamma],
                length: f64::INFINITY,
            }
        };
        self.motion = Motion::Line { line, sticks };
    }

    fn tell(&mut self, event: StageEvent) {
        if self.observer.is_some() {
            let state = self.result();
            if let Some(observer) = self.observer.as_mut() {
                observer(event, state);
            }
        }
    }

    fn result(&self) -> SpatialImpact {
        let [p_n, normal_work] = self.phases.totals(&self.path);
        let [compression_impulse, compression_work] = self.phases.compression;
        SpatialImpact {
            impulse: self.contact.outward(self.path.p_t, p_n),
            velocity: self.contact.outward(self.path.w, self.path.u_n),
            normal_work,
            friction_work: self.path.work_f,
            compression_impulse,
            compression_work,
            sticks: matches!(self.motion, Motion::Line { sticks: true, .. }),
            pieces: self.pieces,
        }
    }
}
