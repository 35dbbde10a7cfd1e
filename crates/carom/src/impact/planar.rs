//! One planar contact in closed form.
//!
//! # Law
//! With G = [[a, b], [b, c]] (tangent, normal), σ = sign uₜ and the normal impulse p as the clock,
//! ```text
//! slip:   dpₜ/dp = −σμd,   duₜ/dp = b − σμd a,   duₙ/dp = c − σμd b       (1)
//! stick:  dpₜ/dp = m = −b/a,   duₜ/dp = 0,   duₙ/dp = c − b²/a           (2)
//! slip stops at p = −uₜ / (b − σμd a); then it sticks if |m| ≤ μs,
//!         else it slips on with σ = sign b                                (3)
//! compression ends at uₙ = 0 with impulse p_c and normal work W_c < 0    (4)
//! kinematic:   uₙ⁺ = −e uₙ⁻                                               (5)
//! kinetic:     p = (1 + e) p_c                                            (6)
//! energetic:   W_r = e² |W_c|, s = 2R / (uₙ + √(uₙ² + 2 (duₙ/dp) R))      (7)
//! ```
//! In (7) R is the work still to be released when a leg begins with velocity uₙ ≥ 0, and s the impulse that releases
//! it: the root of uₙ s + ½ (duₙ/dp) s² = R written without cancellation.
//!
//! Velocities are linear between events and there are at most three legs, so the answer is exact up to round-off.
//! All paths of the source's figure 2.8 are these: slip stop during compression, during restitution, at its very end,
//! or never (also when the collision line is parallel to uₜ = 0 or runs away from it).
//!
//! # Assumptions
//! - q is frozen; finite forces do no work during the impact.
//! - Where μs > μd lets stick and slip coexist (rest before the impact, or after a stop), stick wins.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | a, b, c | `tt`, `tn`, `nn` | entries of G | 1/kg |
//! | uₜ, uₙ | `u_t`, `u_n` | contact velocity | m/s |
//! | pₜ, p | `p_t`, `p_n` | impulse so far | N·s |
//! | W | `work_n`, `work_t` | work so far of normal and friction impulse | J |
//!
//! # Limits
//! Compression always ends if G is positive definite: during slip duₙ/dp ≤ 0 needs σb ≥ c/μd, and b² < ac then gives
//! σb < μd a, so the slip stops; after the stop both (2) and reversed (1) have duₙ/dp > 0. Where G is singular (a
//! mechanism that moves along one line at the contact) uₜ and uₙ vanish together: if the contact then sticks, no impulse
//! moves it, and the impact ends without restitution. One that approaches without being able to move is
//! [`ImpactError::Jammed`]. Kinematic restitution can gain energy; energetic restitution cannot: normal work is
//! −(1 − e²)|W_c| and friction work is never positive.
//!
//! # Source
//! Morgan 2011, (2.8)–(2.21), (3.1)–(3.3) and figure 2.8; his m is signed, the stick test is |m| ≤ μs, and his
//! coefficient is the square root of the ratio of works (Stronge). Checked against brute-force integration.
//!
//! # Tests
//! `tests/planar/`: `eq1_eq2_rates`, `eq3_slip_stop_stick_or_reversal`, `eq4_compression_ends`, `eq5_kinematic`,
//! `eq6_kinetic`, `eq7_energetic`, and the special cases by name.

use super::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use super::error::{ImpactError, Reason};
use super::law::{ImpactLaw, Promises};
use super::restitution::Restitution;
use super::solution::{ImpactSolution, Outcome};
use super::trace::{Stage, StageEvent};
use super::workspace::ImpactWorkspace;
use crate::numeric::thresholds::impact::WEDGED;

const NAME: &str = "planar";

/// The closed-form law of one planar contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planar {
    /// Definition of the coefficient of restitution.
    pub restitution: Restitution,
}

/// One planar contact just before the impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarContact {
    /// G, tangent–tangent.
    pub tt: f64,
    /// G, tangent–normal.
    pub tn: f64,
    /// G, normal–normal.
    pub nn: f64,
    /// Tangential velocity.
    pub u_t: f64,
    /// Normal velocity, negative.
    pub u_n: f64,
    /// Dynamic friction.
    pub friction: f64,
    /// Static friction.
    pub static_friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
}

/// State of the contact at an event of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarState {
    /// What happened.
    pub event: StageEvent,
    /// Tangential impulse so far.
    pub p_t: f64,
    /// Normal impulse so far.
    pub p_n: f64,
    /// Tangential velocity.
    pub u_t: f64,
    /// Normal velocity.
    pub u_n: f64,
    /// Work of the friction impulse so far.
    pub work_t: f64,
    /// Work of the normal impulse so far.
    pub work_n: f64,
}

/// The path: start, at most one slip stop or reversal, end of compression, end.
#[derive(Clone, Copy, Debug)]
pub struct PlanarPath {
    states: [PlanarState; 4],
    count: usize,
}

impl PlanarPath {
    /// The states in order.
    pub fn states(&self) -> &[PlanarState] {
        &self.states[..self.count]
    }

    /// The last state.
    pub fn end(&self) -> &PlanarState {
        &self.states[self.count - 1]
    }

    fn push(&mut self, event: StageEvent, state: PlanarState) {
        self.states[self.count] = PlanarState { event, ..state };
        self.count += 1;
    }
}

/// Rates per unit of normal impulse while the friction does not change, equations (1) and (2).
#[derive(Clone, Copy)]
struct Leg {
    ratio: f64,
    du_t: f64,
    du_n: f64,
    /// Normal impulse left until the slip stops; infinite if it never does.
    stop: f64,
}

impl PlanarContact {
    /// The numbers of contact `k` of a problem, which has at most one tangent.
    pub fn of(space: &ContactSpace, k: usize) -> Self {
        let c = &space.contacts[k];
        let (t, n) = (c.first, c.normal());
        let (tt, tn, u_t) = if c.tangents == 0 {
            (0.0, 0.0, 0.0)
        } else {
            (space.G[(t, t)], space.G[(t, n)], space.u_pre[t])
        };
        Self {
            tt,
            tn,
            nn: space.G[(n, n)],
            u_t,
            u_n: space.u_pre[n],
            friction: if c.tangents == 0 { 0.0 } else { c.friction },
            static_friction: if c.tangents == 0 { 0.0 } else { c.static_friction },
            restitution: c.restitution,
        }
    }

    fn slip(&self, sign: f64, u_t: f64) -> Leg {
        let ratio = -sign * self.friction;
        let du_t = self.tn + ratio * self.tt;
        let stop = if sign * du_t < 0.0 { (-u_t / du_t).max(0.0) } else { f64::INFINITY };
        Leg { ratio, du_t, du_n: self.nn + ratio * self.tn, stop }
    }

    /// The leg that leaves uₜ = 0: stick, or slip in the direction of b.
    fn leave_rest(&self) -> (StageEvent, Leg) {
        if self.tn.abs() <= self.static_friction * self.tt || self.tn == 0.0 {
            let ratio = if self.tn == 0.0 { 0.0 } else { -self.tn / self.tt };
            let leg =
                Leg { ratio, du_t: 0.0, du_n: self.nn + ratio * self.tn, stop: f64::INFINITY };
            (StageEvent::SlipStop, leg)
        } else {
            let leg = Leg { stop: f64::INFINITY, ..self.slip(self.tn.signum(), 0.0) };
            (StageEvent::Reversal, leg)
        }
    }
}

impl PlanarState {
    fn advance(&mut self, leg: &mut Leg, dp: f64) {
        let (u_t, u_n) = (self.u_t + leg.du_t * dp, self.u_n + leg.du_n * dp);
        self.work_t += 0.5 * leg.ratio * dp * (self.u_t + u_t);
        self.work_n += 0.5 * dp * (self.u_n + u_n);
        self.p_t += leg.ratio * dp;
        self.p_n += dp;
        (self.u_t, self.u_n) = (u_t, u_n);
        leg.stop -= dp;
    }

    /// Goes to the slip stop and turns into the leg that follows it.
    fn stop_slip(&mut self, contact: &PlanarContact, leg: &mut Leg, path: &mut PlanarPath) {
        self.advance(leg, leg.stop);
        self.u_t = 0.0;
        let (event, next) = contact.leave_rest();
        *leg = next;
        path.push(event, *self);
    }
}

/// Follows the path of one planar contact to its end.
pub fn planar_path(
    contact: &PlanarContact,
    definition: Restitution,
) -> Result<PlanarPath, ImpactError> {
    let (u_t, u_n) = (contact.u_t, contact.u_n);
    let event = StageEvent::Start;
    let mut state = PlanarState { event, p_t: 0.0, p_n: 0.0, u_t, u_n, work_t: 0.0, work_n: 0.0 };
    let mut path = PlanarPath { states: [state; 4], count: 1 };
    let mut leg = if u_t == 0.0 { contact.leave_rest().1 } else { contact.slip(u_t.signum(), u_t) };

    if leg.stop < leg.compression(state.u_n) {
        state.stop_slip(contact, &mut leg, &mut path);
    }
    // Held by a singular G, the contact has come to a stand in both directions at once.
    let stands = leg.holds(contact) && state.u_n.abs() <= WEDGED * contact.u_n.abs();
    let dp = if stands { 0.0 } else { leg.compression(state.u_n) };
    if !dp.is_finite() {
        return Err(ImpactError::Jammed { law: NAME, contact: 0, rate: leg.du_n });
    }
    state.advance(&mut leg, dp);
    state.u_n = 0.0;
    path.push(StageEvent::EndOfCompression, state);

    let target = Target::new(contact, definition, &state);
    if target.impulse(&state, &leg) > leg.stop {
        state.stop_slip(contact, &mut leg, &mut path);
    }
    if !leg.holds(contact) {
        let dp = target.impulse(&state, &leg);
        state.advance(&mut leg, dp);
        if let Target::Velocity(u_n) = target {
            state.u_n = u_n;
        }
    }
    path.push(StageEvent::End, state);
    Ok(path)
}

impl Leg {
    /// Whether the contact sticks and G is singular: no impulse moves it.
    fn holds(&self, contact: &PlanarContact) -> bool {
        self.du_t == 0.0 && self.du_n <= WEDGED * contact.nn
    }

    /// Normal impulse until uₙ = 0; zero if round-off at a slip stop has already passed it, infinite if never.
    fn compression(&self, u_n: f64) -> f64 {
        if self.du_n > 0.0 { (-u_n / self.du_n).max(0.0) } else { f64::INFINITY }
    }
}

/// When restitution ends, equations (5) to (7).
enum Target {
    Velocity(f64),
    Impulse(f64),
    /// Work to release, counted from this normal work on: their difference would lose digits for small e.
    Work {
        release: f64,
        from: f64,
    },
}

impl Target {
    fn new(contact: &PlanarContact, definition: Restitution, compressed: &PlanarState) -> Self {
        let e = contact.restitution;
        match definition {
            Restitution::Kinematic => Self::Velocity(-e * contact.u_n),
            Restitution::Kinetic => Self::Impulse((1.0 + e) * compressed.p_n),
            Restitution::Energetic => {
                Self::Work { release: -e * e * compressed.work_n, from: compressed.work_n }
            }
        }
    }

    /// Normal impulse from `state` along `leg` until the target is met.
    fn impulse(&self, state: &PlanarState, leg: &Leg) -> f64 {
        match *self {
            Self::Velocity(u_n) => (u_n - state.u_n) / leg.du_n,
            Self::Impulse(p_n) => (p_n - state.p_n).max(0.0),
            Self::Work { release: work, from } => {
                release(work - (state.work_n - from), state.u_n, leg.du_n)
            }
        }
    }
}

/// Smallest s ≥ 0 with u s + ½ r s² = `work`, for u ≥ 0; zero if no work is left, infinite if it is never released.
pub(crate) fn release(work: f64, u: f64, r: f64) -> f64 {
    if work <= 0.0 {
        return 0.0;
    }
    let square = u * u + 2.0 * r * work;
    let divisor = u + square.max(0.0).sqrt();
    if square >= 0.0 && divisor > 0.0 { 2.0 * work / divisor } else { f64::INFINITY }
}

impl ImpactLaw for Planar {
    fn name(&self) -> &'static str {
        NAME
    }

    fn promises(&self) -> Promises {
        Promises::of_a_path(self.restitution == Restitution::Energetic)
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        _work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let k = only_contact(space)?;
        let contact = PlanarContact::of(space, k);
        let path = planar_path(&contact, self.restitution).map_err(|error| match error {
            ImpactError::Jammed { law, rate, .. } => ImpactError::Jammed { law, contact: k, rate },
            other => other,
        })?;
        out.reset(space);
        record(space, k, &path, out);
        fill(space, k, path.end(), out);
        Ok(())
    }
}

/// The one contact that is not apart; it must be colliding and have at most one tangent.
fn only_contact(space: &ContactSpace) -> Result<usize, ImpactError> {
    let mut closed = (0..space.contacts.len()).filter(|&k| space.contacts[k].phase != Phase::Apart);
    let reason = match (closed.next(), closed.next()) {
        (Some(k), None) => {
            let c = &space.contacts[k];
            if c.phase != Phase::Colliding {
                return Err(space.no_approach());
            }
            if c.tangents <= 1 {
                return Ok(k);
            }
            Reason::Tangents { contact: k, found: c.tangents, largest: 1 }
        }
        (None, _) => return Err(space.no_approach()),
        (Some(_), Some(_)) => Reason::SeveralContacts { count: 2 + closed.count() },
    };
    Err(ImpactError::NotApplicable { law: NAME, reason })
}

/// Impulses, velocities of all rows, works and outcomes from the state of contact `k`.
fn fill(space: &ContactSpace, k: usize, state: &PlanarState, out: &mut ImpactSolution) {
    let c = &space.contacts[k];
    put(space, k, state, out.impulses.as_mut_slice(), out.u_post.as_mut_slice());
    out.normal_works[k] = state.work_n;
    out.friction_works[k] = state.work_t;
    (out.normal_work, out.friction_work) = (state.work_n, state.work_t);
    let scale = space.velocity_scale.max(state.u_t.abs());
    out.outcomes[k] =
        Outcome::of(c.phase, state.u_n > 0.0, state.u_t.abs() > ZERO_VELOCITY * scale);
}

/// Writes impulses and velocities of every row; rows of contacts that are apart follow u = u⁻ + G p.
fn put(space: &ContactSpace, k: usize, state: &PlanarState, p: &mut [f64], u: &mut [f64]) {
    let c = &space.contacts[k];
    let (t, n) = (c.first, c.normal());
    for (i, u_i) in u.iter_mut().enumerate() {
        *u_i = space.u_pre[i] + space.G[(i, n)] * state.p_n;
        if c.tangents == 1 {
            *u_i += space.G[(i, t)] * state.p_t;
        }
    }
    if c.tangents == 1 {
        (p[t], u[t]) = (state.p_t, state.u_t);
    }
    (p[n], u[n]) = (state.p_n, state.u_n);
}

fn record(space: &ContactSpace, k: usize, path: &PlanarPath, out: &mut ImpactSolution) {
    for state in path.states() {
        out.trace.record(|| {
            let (mut impulses, mut velocity) = (vec![0.0; space.rows()], vec![0.0; space.rows()]);
            put(space, k, state, &mut impulses, &mut velocity);
            Stage {
                event: state.event,
                contact: k,
                normal_impulse: state.p_n,
                velocity,
                impulses,
                energy: space.kinetic_energy + state.work_n + state.work_t,
                normal_work: state.work_n,
                friction_work: state.work_t,
            }
        });
    }
}
