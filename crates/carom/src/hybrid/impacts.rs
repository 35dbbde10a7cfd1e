//! The impacts of a cluster: who collides, what closes for good, and what the law makes of it.
//!
//! The law is asked until nothing approaches. A rebound that cannot be told from round-off, or whose
//! further bounces take no time, is resolved without restitution, see [`super::accumulation`]. Every
//! answer is audited; where the law has none, or one that fails, or is made for other problems, the compliant path
//! decides ([`net`](crate::impact::net)). So it does where impulses are so large that their round-off makes energy or works,
//! ```text
//! ΔT > max(W, 0) + δ   or   |ΔT − W| > δ,   ΔT = T⁺ − T⁻ − W_b,  W by (5) of [`super::jump`]      (1)
//! ```
//! δ a thousandth of the bound of the ledger; W > 0 counts only of laws that may gain by their definition, of others it is
//! round-off. The plastic impact decides where the answer of the compliant path is no better. After [`MOST_IMPACTS`] impacts all
//! touching contacts close together without restitution, which always has an answer.
//!
//! # Tests
//! (1): `tests/hybrid_wild.rs`, struck 75 of seed 701, several 163 and struck 20 of seed 801.

use super::event::{Place, Transition};
use super::flow::Flow;
use super::outcome::SimError;
use crate::contact::Mode;
use crate::dynamics::energy;
use crate::impact::{Compliant, ImpactError, Newton, Reason, energy_control};
use crate::numeric::thresholds::{TIME_RESOLUTION, VELOCITY_NOISE, ZERO_VELOCITY};
use crate::record::{ContactChange, Event, EventKind, Ledger, Rescue};

/// Impacts of one cluster at one instant after which it closes without restitution.
const MOST_IMPACTS: usize = 100;

/// Part of the bound of the ledger that one impact may take: almost all of it is for the integration, and impacts are many.
const SHARE: f64 = 1e-3;

/// What came of the impacts of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Impacts {
    /// Nothing approached.
    None,
    /// Nothing approaches any more.
    Some,
    /// Something still approaches that no impulse stops.
    Stuck,
}

impl Transition {
    /// The impact law until nothing approaches. The rows of the cluster must be assembled.
    pub(super) fn impacts(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<Impacts, SimError> {
        if self.projector.rows.hits == 0 {
            return Ok(Impacts::None);
        }
        let closed = |&site: &usize| flow.contacts.modes[site].is_closed();
        self.accumulation.was_closed = self.cluster.sites.iter().any(closed);
        self.projector.rows.accelerations(&flow.vdot, &flow.contacts.states);
        self.accumulation.find_floors(flow, &self.projector.rows, place.rtol, y);
        let mut fastest = 0.0_f64;
        // What the accelerations take away within the resolution of time is no approach either.
        let strongest = self.projector.rows.problem.b.amax().max(flow.model.gravity().norm());
        let still = TIME_RESOLUTION * place.t.abs() * strongest;
        for count in 0..=MOST_IMPACTS {
            let (q, v) = y.split_at_mut(flow.model.nq());
            let rows = &self.projector.rows;
            let weak = if place.laws.attenuate() { 0.0 } else { place.bound };
            let bound = [place.accumulated, weak];
            let closing = self.accumulation.find_closing(flow, rows, v, bound);
            let closes = &self.accumulation.closes;
            let plastic = count == MOST_IMPACTS;
            let e = |k: usize| match closes[k] || plastic {
                true => 0.0,
                false => flow.sites[rows.sites[k]].surface.restitution,
            };
            self.jump.prepare(rows, v, e);
            // Round-off of the impacts before is no approach.
            fastest = fastest.max(self.jump.space.velocity_scale);
            let space = &self.jump.space;
            let noise = |k: usize| {
                let row = rows.contact(k).normal();
                (ZERO_VELOCITY * fastest).max(VELOCITY_NOISE * rows.block.size(row, v)).max(still)
            };
            let approaches = |k: usize| space.u_pre[space.contacts[k].normal()] < -noise(k);
            if !space.colliding().any(approaches) {
                return Ok(if count > 0 { Impacts::Some } else { Impacts::None });
            }
            self.start_event_at(flow, place.t, q, v);
            self.jump.space.kinetic_energy = self.event.energy_before;
            if !self.resolve(flow, place, (q, v), plastic)? {
                return Ok(Impacts::Stuck);
            }
            self.finish_impact(flow, (q, v), ledger, closing);
            tell(&self.event);
            for &site in &self.cluster.sites {
                flow.observe(site, q, v);
            }
            if !self.approaches_again((ZERO_VELOCITY * fastest).max(still)) {
                return Ok(Impacts::Some);
            }
        }
        Ok(Impacts::Stuck)
    }

    fn start_event_at(&mut self, flow: &mut Flow<'_>, t: f64, q: &[f64], v: &[f64]) {
        flow.posture.place(q, v);
        self.event.clear();
        self.event.t = t;
        self.event.q.copy_from_slice(q);
        self.event.v_pre.copy_from_slice(v);
        self.event.energy_before = energy::kinetic_energy(flow.model, &flow.posture.kin, v);
    }

    /// Impulses by the law in force, and v⁺; whether there are any. Where neither the law nor the net
    /// has an answer, all contacts close without restitution.
    fn resolve(
        &mut self,
        flow: &mut Flow<'_>,
        place: &Place<'_>,
        (q, v): (&[f64], &mut [f64]),
        plastic: bool,
    ) -> Result<bool, SimError> {
        let failed = |source| SimError::Impact { t: place.t, source };
        let rows = &self.projector.rows;
        let law = place.laws.choose(&self.jump.space, |k| flow.sites[rows.sites[k]].pair);
        let (law, limit) = law.attenuated().map_or((law, None), |(law, e)| (law, Some(e)));
        if let Some(matrix) = law.rotational().filter(|_| !plastic) {
            self.resolve_rotational(flow, matrix, v).map_err(failed)?;
        }
        let moments = !plastic && law.rotational().is_some();
        let by_law = moments
            || !plastic && self.jump.resolve(law).is_ok() && {
                let gains = law.promises().audit.0.gain == f64::INFINITY;
                self.takes(flow, (q, v), (place.bound, gains))
            };
        if by_law {
            self.event.rescue = self.jump.solution.rescue.map(|_| Rescue::Compliant);
        } else if !plastic && self.complies(flow, (q, v), place.bound) {
            self.event.rescue = Some(Rescue::Compliant);
        } else {
            v.copy_from_slice(&self.event.v_pre);
            self.jump.space.contacts.iter_mut().for_each(|c| c.restitution = 0.0);
            if self.jump.resolve(&Newton).is_err() {
                return Ok(false);
            }
            self.takes(flow, (q, v), (place.bound, false));
            self.event.rescue = Some(Rescue::Plastic);
        }
        self.event.solved = Some(self.jump.solution.solved);
        if let Some(limit) = limit {
            self.attenuate(flow, (q, v), limit).map_err(failed)?;
        }
        Ok(true)
    }

    /// v ← v⁺ of the compliant path, where the law is made for other problems or its answer makes energy; whether there is one.
    fn complies(&mut self, flow: &mut Flow<'_>, (q, v): (&[f64], &mut [f64]), bound: f64) -> bool {
        v.copy_from_slice(&self.event.v_pre);
        self.jump.resolve(&Compliant::default()).is_ok() && self.takes(flow, (q, v), (bound, false))
    }

    /// v ← v⁺ of the answer at hand; whether it makes no energy, (1). `gains`: its law may by definition.
    fn takes(
        &mut self,
        flow: &mut Flow<'_>,
        (q, v): (&[f64], &mut [f64]),
        (bound, gains): (f64, bool),
    ) -> bool {
        let bound = SHARE * bound;
        self.jump.apply(&mut self.projector.rows, flow, v);
        if !self.jump.book(&self.projector.rows, v, bound) {
            return true;
        }
        flow.posture.place(q, v);
        let after = energy::kinetic_energy(flow.model, &flow.posture.kin, v);
        let works = self.jump.solution.normal_work + self.jump.solution.friction_work;
        let gain = after - self.event.energy_before - self.jump.jolt;
        let made = if gains { works.max(0.0) } else { 0.0 };
        gain <= made + bound && (gain - works).abs() <= bound
    }

    /// Energy control by attenuation: v ← ẽ v and u⁺ ← ẽ u⁺, see
    /// [`energy_control`](crate::impact::energy_control).
    fn attenuate(
        &mut self,
        flow: &mut Flow<'_>,
        (q, v): (&[f64], &mut [f64]),
        limit: f64,
    ) -> Result<(), ImpactError> {
        flow.posture.place(q, v);
        let after = energy::kinetic_energy(flow.model, &flow.posture.kin, v);
        let factor = energy_control::factor(limit, self.event.energy_before, after);
        if factor >= 1.0 {
            return Ok(());
        }
        if !flow.given.prescribed.is_empty() {
            let (law, reason) = ("energy control", Reason::PrescribedMotion);
            return Err(ImpactError::NotApplicable { law, reason });
        }
        v.iter_mut().for_each(|v| *v *= factor);
        self.jump.solution.u_post *= factor;
        self.event.attenuation_work = (factor * factor - 1.0) * after;
        Ok(())
    }

    /// Whether some contact of the impact just resolved still approaches, or closes in on round-off.
    fn approaches_again(&self, zero: f64) -> bool {
        let u = &self.jump.solution.u_post;
        self.jump.space.contacts.iter().any(|c| u[c.normal()] < -zero)
    }

    /// How long the shortest rebound of the event should take, 2uₙ/|g̈|; infinite if nothing
    /// rebounds freely. `flow` must have been accelerated after the event.
    pub(super) fn arc(&self, flow: &Flow<'_>) -> f64 {
        let rows = &self.projector.rows;
        let mut shortest = f64::INFINITY;
        let same = self.accumulation.floors.len() == rows.sites.len();
        if !self.event.kind.is_jump() || !same {
            return shortest;
        }
        for (k, &site) in rows.sites.iter().enumerate() {
            let s = &flow.contacts.states[site];
            if flow.contacts.modes[site].is_closed() {
                continue;
            }
            let n = rows.contact(k).normal();
            let b = rows.block.times(n, &flow.vdot) + s.gamma[2];
            if s.u[2] > self.accumulation.floors[k] && b < 0.0 {
                shortest = shortest.min(-2.0 * s.u[2] / b);
            }
        }
        shortest
    }

    /// Complete the event of an impact and enter its works.
    pub(super) fn finish_impact(
        &mut self,
        flow: &mut Flow<'_>,
        (q, v): (&[f64], &[f64]),
        ledger: &mut Ledger,
        closing: Option<f64>,
    ) {
        flow.posture.place(q, v);
        self.event.v_post.copy_from_slice(v);
        self.event.energy_after = energy::kinetic_energy(flow.model, &flow.posture.kin, v);
        self.event.kind = if closing.is_some() { EventKind::Close } else { EventKind::Impact };
        self.event.remaining_time = closing;
        ledger.attenuation += self.event.attenuation_work;
        ledger.jolts += self.jump.jolt;
        let solution = &self.jump.solution;
        let zero = ZERO_VELOCITY * self.jump.space.velocity_scale;
        for (k, &site) in self.projector.rows.hitting().iter().enumerate() {
            let pick = |x: &nalgebra::DVector<f64>| self.jump.pick(k, x.as_slice());
            let u_post = pick(&solution.u_post);
            let slips = u_post[0].hypot(u_post[1]) > zero;
            let s = &flow.contacts.states[site];
            let after = match (u_post[2] > zero, slips) {
                (true, _) => Mode::Open,
                (false, false) => Mode::Stick,
                (false, true) => {
                    let d = s.axes[0] * u_post[0] + s.axes[1] * u_post[1];
                    Mode::Slip { reference: d / d.norm() }
                }
            };
            let change = ContactChange {
                site,
                before: flow.contacts.modes[site],
                after,
                u_pre: pick(&self.jump.space.u_pre),
                u_post,
                impulse: pick(&solution.impulses),
                normal_work: solution.normal_works[k],
                friction_work: solution.friction_works[k],
            };
            ledger.sites[site].impact_normal += change.normal_work;
            ledger.sites[site].impact_friction += change.friction_work;
            flow.contacts.modes[site] = after;
            self.event.contacts.push(change);
        }
    }
}
