//! The motors of a run: commands, saturation, feet on which controllers stand.
//!
//! # Law
//! Each motor is in one of three modes, held between events:
//! ```text
//! free:  τ = u,  until u rises through the upper or falls through the lower limit      (1)
//! upper: τ = r,  until u falls through r;   lower: τ = l,  until u rises through l      (2)
//! ```
//! so that the flow integrates smooth equations. u depends on time, state and standing feet only, not
//! on the modes, and τ is continuous where they change; hence u̇ is the same on both sides, the guard
//! goes on as it came, and no mode can switch back at once: there is no chatter. A command that stays
//! on its limit (within [`NOISE`]) counts as free and makes no event.
//!
//! # Feet
//! A foot *stands* from its touch-down until the contact would pull. Then the controller lets go of it,
//! and the contact is decided anew with the forces that follow: passive motors may well leave the foot
//! on the ground, under the springs of the leg for example. It stands again only after it has left the
//! ground and come back. Without this latch, a leg that is pushed off by its motors and held down
//! without them would switch infinitely often at one instant.
//!
//! # Tests
//! `tests/control_saturation.rs`: `eq1_eq2_pendulum`, `hovering_makes_no_events`, `grazing_does_not_chatter`;
//! `tests/control_stance.rs`: `a_foot_that_pulls_is_let_go_once`.

use super::event::{Forced, Place, Transition, singular};
use super::flow::Flow;
use super::guards::Watch;
use super::outcome::SimError;
use crate::contact::{Mode, Site};
use crate::control::{Actuator, ControlError, Controller, Saturation, Situation};
use crate::dynamics::jacobian::VelocityProducts;
use crate::dynamics::response::{self, ResponseScratch};
use crate::dynamics::{Articulated, Kinematics};
use crate::model::Model;
use crate::numeric::thresholds::run::JUMP;
use crate::record::{ActuatorChange, Event, EventKind, Ledger};
use carom_ode::Guard;

/// A command this close to a limit, relative to the larger of limit and range, is on it.
pub(super) const NOISE: f64 = crate::numeric::thresholds::run::NOISE;

/// How far beyond its limits, in units of its range, a motor that counts as free is followed: trial
/// states of the integrator beyond an event may ask for anything.
const MARGIN: f64 = 0.1;

/// Motors and their controllers.
#[derive(Default)]
pub(crate) struct Motors<'a> {
    pub actuators: Vec<Actuator>,
    pub controllers: Vec<Box<dyn Controller + 'a>>,
    /// Unsaturated commands of the last evaluation.
    pub command: Vec<f64>,
    /// Commands just before the event under way.
    earlier: Vec<f64>,
    /// What the motors do, within their limits.
    pub torque: Vec<f64>,
    pub modes: Vec<Saturation>,
    /// Sites on which controllers rely.
    stance: Vec<bool>,
    /// Sites that some controller names.
    feet: Vec<bool>,
    /// Sites let go of in the event under way.
    released: Vec<bool>,
    /// An event is under way: saturate by value, not by mode.
    by_value: bool,
    /// No controller commands anything until the next event.
    passive: bool,
    /// Some command jumped in the event under way.
    jumped: bool,
    /// What the torques do to v̇, and the buffers of that.
    response: Vec<f64>,
    scratch: Option<ResponseScratch>,
}

impl<'a> Motors<'a> {
    /// Check and take over motors and controllers.
    pub fn new(
        (model, sites): (&Model, &[Site]),
        actuators: Vec<Actuator>,
        mut controllers: Vec<Box<dyn Controller + 'a>>,
        t: f64,
    ) -> Result<Self, ControlError> {
        for actuator in &actuators {
            actuator.check(model)?;
        }
        let mut feet = vec![false; sites.len()];
        for controller in &mut controllers {
            controller.check(model, sites, actuators.len())?;
            controller.feet().iter().for_each(|&foot| feet[foot] = true);
            controller.start(t);
        }
        let (n, ns) = (actuators.len(), sites.len());
        Ok(Self {
            actuators,
            controllers,
            command: vec![0.0; n],
            earlier: vec![0.0; n],
            torque: vec![0.0; n],
            modes: vec![Saturation::Free; n],
            stance: vec![false; ns],
            feet,
            released: vec![false; ns],
            by_value: true,
            passive: false,
            jumped: false,
            response: Vec::new(),
            scratch: None,
        })
    }

    /// Whether there is nothing to do at all.
    pub fn is_idle(&self) -> bool {
        self.controllers.is_empty()
    }

    /// Whether there is nothing to do until the next event.
    pub fn rests(&self) -> bool {
        self.passive || self.controllers.is_empty()
    }

    /// Commands and torques in a situation.
    fn evaluate(&mut self, at: &Situation<'_>) {
        self.command.fill(0.0);
        for controller in &mut self.controllers {
            controller.command(at, &mut self.command);
        }
        for (i, a) in self.actuators.iter().enumerate() {
            let u = self.command[i];
            self.torque[i] = match self.modes[i] {
                _ if self.by_value => a.saturated(u),
                Saturation::Free => {
                    let margin = MARGIN * a.scale();
                    u.max(a.lower - margin).min(a.upper + margin)
                }
                Saturation::Lower => a.lower,
                Saturation::Upper => a.upper,
            };
        }
    }

    /// An event begins: which feet stand, by the modes before and the sites that touch.
    pub fn begin(&mut self, before: &[Mode], touching: &[usize], pulls: impl Fn(usize) -> bool) {
        self.by_value = true;
        self.earlier.copy_from_slice(&self.command);
        self.passive = false;
        self.jumped = false;
        self.released.fill(false);
        for site in 0..self.feet.len() {
            let lands = !before[site].is_closed() && self.feet[site];
            let stood = self.stance[site];
            let touches = touching.contains(&site);
            self.stance[site] = touches && (lands || stood) && !pulls(site);
            self.released[site] = stood && !self.stance[site];
        }
    }

    /// Let go of feet that the contact laws have opened; whether there were any.
    pub fn release_open(&mut self, modes: &[Mode]) -> bool {
        let mut any = false;
        for (site, mode) in modes.iter().enumerate() {
            if self.stance[site] && !mode.is_closed() {
                self.stance[site] = false;
                self.released[site] = true;
                any = true;
            }
        }
        any
    }

    /// Whether a foot was let go of in this event, so that its contact must be decided anew.
    pub fn let_go(&self, site: usize) -> bool {
        self.released.get(site).is_some_and(|r| *r)
    }

    /// Whether a foot was let go of that stays on the ground: the motors switch without a sign of
    /// it in the contacts.
    pub fn switched(&self, modes: &[Mode]) -> bool {
        self.jumped || self.released.iter().zip(modes).any(|(r, m)| *r && m.is_closed())
    }

    /// A knot of a controller has come.
    pub fn pass_knot(&mut self, controller: usize) {
        self.jumped |= self.controllers[controller].pass_knot();
    }

    /// The event is over: modes by the commands last evaluated and the guards that fired.
    pub fn end(&mut self, fired: &[(usize, Watch)], changes: &mut Vec<ActuatorChange>) {
        self.by_value = false;
        let stance = &self.stance;
        self.passive = self.controllers.iter().all(|c| c.is_passive(stance));
        changes.clear();
        for (i, a) in self.actuators.iter().enumerate() {
            let (before, u) = (self.modes[i], self.command[i]);
            // Guards speak of the command before: a jump in the event makes them void.
            let same = (u - self.earlier[i]).abs() <= JUMP * a.scale();
            let fired = fired.iter().filter(|f| f.0 == i && same).map(|f| f.1);
            let after = settled(a, before, u, fired);
            if before != after {
                let torque = a.saturated(u);
                changes.push(ActuatorChange { actuator: i, before, after, torque });
            }
            self.modes[i] = after;
        }
    }

    /// Add the guards of motors and knots.
    pub fn arm(&self, watches: &mut Vec<(usize, Watch)>, guards: &mut Vec<Guard>) {
        let watched = if self.rests() { 0 } else { self.actuators.len() };
        for (i, a) in self.actuators.iter().enumerate().take(watched) {
            let mut watch = |watch, limit: f64| {
                if limit.is_finite() {
                    watches.push((i, watch));
                    guards.push(Guard::falling(noise(a, limit)));
                }
            };
            match self.modes[i] {
                Saturation::Free => {
                    watch(Watch::Upper, a.upper);
                    watch(Watch::Lower, a.lower);
                }
                Saturation::Upper => watch(Watch::BelowUpper, a.upper),
                Saturation::Lower => watch(Watch::AboveLower, a.lower),
            }
        }
        for (k, controller) in self.controllers.iter().enumerate() {
            if let Some(t) = controller.next_knot() {
                watches.push((k, Watch::Knot));
                guards.push(Guard::falling(4.0 * f64::EPSILON * t.abs()));
            }
        }
    }

    /// The value of a guard of this drive, equations (1) and (2); none if it is not one.
    pub fn guard(&self, (i, watch): (usize, Watch), t: f64) -> Option<f64> {
        let (u, a) = (self.command.get(i), self.actuators.get(i));
        Some(match (watch, u, a) {
            (Watch::Upper, Some(u), Some(a)) => a.upper - u,
            (Watch::Lower, Some(u), Some(a)) => u - a.lower,
            (Watch::BelowUpper, Some(u), Some(a)) => u - a.upper,
            (Watch::AboveLower, Some(u), Some(a)) => a.lower - u,
            (Watch::Knot, ..) => self.controllers[i].next_knot().map_or(f64::INFINITY, |k| k - t),
            _ => return None,
        })
    }

    /// A time step reaches time t: knots that have come, and the feet that stand.
    pub fn step_to(&mut self, t: f64, before: &[Mode], touching: &[usize]) {
        self.begin(before, touching, |site| !before[site].is_closed());
        for foot in touching {
            self.stance[*foot] |= self.feet[*foot];
        }
        for controller in &mut self.controllers {
            while controller.next_knot().is_some_and(|knot| knot <= t) {
                controller.pass_knot();
            }
        }
    }

    /// Add the torques in a situation to `tau`; its standing feet are those of the motors.
    pub fn push(
        &mut self,
        (t, (q, v)): (f64, (&[f64], &[f64])),
        (model, kin, products, art): (&Model, &Kinematics, &VelocityProducts, &Articulated),
        (sites, vdot): (&[Site], &[f64]),
        tau: &mut [f64],
    ) {
        let stance = std::mem::take(&mut self.stance);
        let at = Situation { t, q, v, model, kin, products, art, vdot, sites, stance: &stance };
        self.evaluate(&at);
        self.stance = stance;
        for (a, torque) in self.actuators.iter().zip(&self.torque) {
            tau[a.dof] += torque;
        }
    }

    /// Torques within their limits, for records.
    pub fn recorded(&self, out: &mut [f64]) {
        for ((o, a), u) in out.iter_mut().zip(&self.actuators).zip(&self.torque) {
            *o = a.saturated(*u);
        }
    }
}

fn noise(a: &Actuator, limit: f64) -> f64 {
    NOISE * a.scale().max(limit.abs())
}

/// The mode after an event. A guard that fired decides; else the command's value, and on a limit the
/// mode before.
fn settled(
    a: &Actuator,
    before: Saturation,
    u: f64,
    fired: impl Iterator<Item = Watch>,
) -> Saturation {
    let near = |limit: f64| limit.is_finite() && (u - limit).abs() <= 4.0 * noise(a, limit);
    // A command that passes its limit faster than time can tell is judged by the guard as well.
    for watch in fired {
        match watch {
            Watch::Upper => return Saturation::Upper,
            Watch::Lower => return Saturation::Lower,
            Watch::BelowUpper if u < a.lower => return Saturation::Lower,
            Watch::AboveLower if u > a.upper => return Saturation::Upper,
            Watch::BelowUpper | Watch::AboveLower => return Saturation::Free,
            _ => {}
        }
    }
    match before {
        Saturation::Upper if near(a.upper) => Saturation::Upper,
        Saturation::Lower if near(a.lower) => Saturation::Lower,
        Saturation::Free if near(a.upper) || near(a.lower) => Saturation::Free,
        _ => a.saturation(u),
    }
}

impl Flow<'_> {
    /// Add what the motors do to v̇; returns their power. Needs articulated inertias.
    pub(super) fn drive_joints(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.posture.place(q, v);
        let motors = &mut self.given.motors;
        let stance = std::mem::take(&mut motors.stance);
        let at = Situation {
            t,
            q,
            v,
            model: self.model,
            kin: &self.posture.kin,
            products: &self.posture.products,
            art: &self.posture.art,
            vdot: &self.vdot,
            sites: &self.sites,
            stance: &stance,
        };
        motors.evaluate(&at);
        motors.stance = stance;
        let dv = &mut motors.response;
        dv.clear();
        dv.resize(v.len(), 0.0);
        let mut power = 0.0;
        for (a, &torque) in motors.actuators.iter().zip(&motors.torque) {
            dv[a.dof] += torque;
            power += torque * v[a.dof];
        }
        let scratch = motors.scratch.get_or_insert_with(|| ResponseScratch::new(self.model));
        response::solve(self.model, &self.posture.kin, &self.posture.art, scratch, dv);
        self.vdot.iter_mut().zip(dv.iter()).for_each(|(a, d)| *a += d);
        power
    }
}

impl Transition {
    /// Knots that have come, and the feet that stand at the beginning of the event.
    pub(super) fn start_motors(&mut self, flow: &mut Flow<'_>, place: &Place<'_>) {
        if flow.given.motors.is_idle() {
            return;
        }
        let motors = &mut flow.given.motors;
        let opens = |site: usize| self.forced[site] == Some(Forced::Opens);
        motors.begin(&self.before, &self.touching, opens);
        for &(controller, _) in place.fired.iter().filter(|f| f.1 == Watch::Knot) {
            motors.pass_knot(controller);
        }
    }

    /// Modes of the cluster; a foot that would pull is let go, and all modes are chosen again with
    /// the motors as they then are. Feet are only ever let go, so this ends. Whether there are modes.
    pub(super) fn stand(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        impact: bool,
        ledger: &mut Ledger,
    ) -> Result<bool, SimError> {
        let mut stands = self.choose_modes(flow, place, y, impact, ledger)?;
        while stands && !flow.given.motors.is_idle() {
            if !flow.given.motors.release_open(&flow.contacts.modes) {
                break;
            }
            stands = self.choose_modes(flow, place, y, impact, ledger)?;
        }
        Ok(stands)
    }

    /// Saturation of the motors for the motion that follows.
    pub(super) fn end_motors(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), SimError> {
        if flow.given.motors.is_idle() {
            return Ok(());
        }
        let (q, v, _) = flow.split(y);
        flow.regroup();
        flow.accelerate(place.t, q, v).map_err(|e| singular(place.t, e))?;
        let mut changes = std::mem::take(&mut self.event.actuators);
        flow.given.motors.end(place.fired, &mut changes);
        let switched = flow.given.motors.switched(&flow.contacts.modes);
        let kind = match (changes.is_empty(), switched) {
            (_, true) => Some(EventKind::Switch),
            (false, false) => Some(EventKind::Saturation),
            (true, false) => None,
        };
        if let Some(kind) = kind {
            self.start_event(flow, place.t, &y[..q.len() + v.len()]);
            self.event.actuators = changes;
            self.event.kind = kind;
            tell(&self.event);
        } else {
            self.event.actuators = changes;
        }
        self.event.actuators.clear();
        Ok(())
    }
}
