//! Where in a step an event is.
//!
//! # Law
//! A step by h is a polynomial in τ, with the ℓⱼ of [`nodes`](super::nodes),
//! ```text
//! u(τ) = u₀ + h Σⱼ u̇ⱼ ∫₀^τ ℓⱼ,   p and works alike,   z(τ) = Σⱼ zⱼ ℓⱼ(τ)                       (1)
//! ```
//! which is as good inside the step as the estimate of its error, 1e-9, and costs no solve. The zero of the smallest event function on it
//! is where to look. The end of a step by x is a solve of its own, and
//! ```text
//! x ← x − f(x)/f′,   f′ from (1)                                                            (2)
//! ```
//! ends within round-off of the zero after one step or two. Where it does not (beyond an end of slip there may be no
//! answer), the step itself is shortened by false position.
//!
//! # Tests
//! `tests/impact_spatial/stiff.rs`: `eq5_rounds_are_few`; `eq1_and_eq2_are_exact_on_polynomials` of [`nodes`](super::nodes).

use super::flow::Flow;
use super::nodes::NODES;
use super::scratch::Event;

/// |f| at which an event is located: round-off of event functions, which are relative.
const LOCATED: f64 = 16.0 * f64::EPSILON;

/// Rounds of (2).
const ROUNDS: usize = 4;

/// Distance of the two places that f′ is a difference of, over that of the nodes.
const APART: f64 = 1e-3;

/// The first event in a step, on (1).
struct Guess {
    event: Event,
    /// Length of the step to it.
    x: f64,
    slope: f64,
}

impl Flow<'_> {
    /// Shortens the last step to its first event, which is before `node` and not before the node before.
    pub(super) fn locate(&mut self, node: usize) -> Event {
        let at = |s: &Self, node: usize| s.scratch.collocation.place(node);
        let (f_hi, first) = self.nearest(node);
        let (lo, f_lo) = if node > 0 {
            (at(self, node - 1), self.nearest(node - 1).0)
        } else {
            let s = &mut *self.scratch;
            s.collocation.rates_at(0, &mut s.spare);
            s.trial.copy_from_slice(&s.y);
            let at_start = self.events();
            if at_start.0 <= 0.0 {
                return at_start.1;
            }
            (0.0, at_start.0)
        };
        let bracket = Bracket::new((lo, f_lo), (at(self, node), f_hi), first);
        let guess = self.guess(bracket.clone());
        if self.approach(&guess) { guess.event } else { self.shorten(bracket) }
    }

    /// The first event on the polynomial of the step.
    fn guess(&mut self, mut bracket: Bracket) -> Guess {
        let (h, apart) = (self.step, APART * (bracket.hi - bracket.lo));
        while !bracket.closed() {
            let tau = bracket.next();
            let (f, event) = self.between(tau, |_| true);
            bracket.narrow(tau, f, event);
        }
        let (event, tau) = (bracket.event, bracket.hi);
        let f = |flow: &mut Self, tau: f64| flow.between(tau, |e| e == event).0;
        let slope = (f(self, tau + apart) - f(self, tau - apart)) / (2.0 * apart * h);
        Guess { event, x: tau * h, slope }
    }

    /// The smallest of some event functions at a place of the step, on (1).
    fn between(&mut self, tau: f64, of: impl Fn(Event) -> bool) -> (f64, Event) {
        let s = &mut *self.scratch;
        s.collocation.rates_between(tau, &mut s.spare);
        s.collocation.state_at(self.space, &s.y, self.step, tau, &mut s.trial);
        self.least(of)
    }

    /// (2); whether it came to the event. Its state is in `trial` then.
    fn approach(&mut self, guess: &Guess) -> bool {
        let mut x = guess.x;
        for _ in 0..ROUNDS {
            if !(x > 0.0 && self.trial_step(x).is_finite()) {
                return false;
            }
            self.nearest_after(x, NODES - 1);
            let f = self.least(|e| e == guess.event).0;
            if f.abs() <= LOCATED {
                return true;
            }
            x -= f / guess.slope;
        }
        false
    }

    /// Shortens the step to the event in the bracket.
    fn shorten(&mut self, mut bracket: Bracket) -> Event {
        let h = self.step;
        let mut reached = true;
        while !bracket.closed() {
            let tau = bracket.next();
            if self.trial_step(tau * h).is_finite() {
                let (f, event) = self.nearest_after(tau * h, NODES - 1);
                if f > 0.0 && !reached {
                    bracket.event = event;
                }
                reached |= f <= 0.0;
                bracket.narrow(tau, f, event);
            } else {
                reached = false;
                bracket.cut(tau);
            }
        }
        let end = h * if reached { bracket.hi } else { bracket.lo };
        self.trial_step(end);
        self.nearest_after(end, NODES - 1);
        bracket.event
    }
}

/// False position (Illinois) for the first zero of the smallest event function, and bisection where that, flat at first
/// because another event has just passed, does not halve the bracket. Places are parts of the step.
#[derive(Clone)]
struct Bracket {
    lo: f64,
    hi: f64,
    f_lo: f64,
    f_hi: f64,
    /// Event that has happened at `hi`.
    event: Event,
    /// The last value, if it is after the event.
    last: f64,
    width: f64,
    round: usize,
}

impl Bracket {
    fn new((lo, f_lo): (f64, f64), (hi, f_hi): (f64, f64), event: Event) -> Self {
        let (last, width) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { lo, hi, f_lo, f_hi, event, last, width, round: 0 }
    }

    fn closed(&self) -> bool {
        self.round >= 120
            || self.last > -4.0 * f64::EPSILON
            || self.hi - self.lo <= 4.0 * f64::EPSILON * self.hi
    }

    fn next(&mut self) -> f64 {
        let slow = self.round % 3 == 2 && self.hi - self.lo > 0.125 * self.width;
        if self.round % 3 == 2 {
            self.width = self.hi - self.lo;
        }
        self.round += 1;
        let x = (self.lo * self.f_hi - self.hi * self.f_lo) / (self.f_hi - self.f_lo);
        let inside = x > self.lo && x < self.hi && !slow;
        if inside { x } else { 0.5 * (self.lo + self.hi) }
    }

    fn narrow(&mut self, x: f64, f: f64, event: Event) {
        if f <= 0.0 {
            (self.hi, self.f_hi, self.event, self.last) = (x, f, event, f);
            self.f_lo *= 0.5;
        } else {
            (self.lo, self.f_lo, self.last) = (x, f, f64::NEG_INFINITY);
            self.f_hi *= 0.5;
        }
    }

    /// There is no value at x.
    fn cut(&mut self, x: f64) {
        (self.hi, self.f_hi, self.last) = (x, -self.f_lo, f64::NEG_INFINITY);
    }
}
