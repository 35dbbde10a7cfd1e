//! The impacts of an event: who collides, what closes for good, and what the law makes of it.
//!
//! The law is asked until nothing approaches. A rebound that cannot be told from round-off, or whose
//! further bounces take no time, is resolved without restitution, see [`super::zeno`].

use super::motion::Motion;
use super::outcome::SimError;
use super::transition::{Dead, NO_VELOCITY, Place, Transition};
use super::zeno::{remaining_time, unresolved_speed};
use crate::contact::Mode;
use crate::dynamics::energy;
use crate::impact::contact_space::ZERO_VELOCITY;
use crate::impact::energy_control;
use crate::impact::{ImpactError, Reason};
use crate::record::{ContactChange, Event, EventKind, Ledger};

/// Impacts tried at one instant before giving up.
const MOST_IMPACTS: usize = 100;
/// A rebound must rise this many times the round-off of its gap to be followed.
const RESOLVED: f64 = 32.0;

impl Transition {
    /// The impact law until nothing approaches; returns how many impacts there were. The rows of
    /// the touching sites must be assembled.
    pub(super) fn impacts(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        y: &mut [f64],
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<usize, Dead> {
        let nq = motion.model.nq();
        if self.touching.is_empty() {
            return Ok(0);
        }
        let mut fastest = 0.0_f64;
        for count in 0..MOST_IMPACTS {
            let (q, v) = y.split_at_mut(nq);
            if count > 0 {
                motion.place(q, v);
                motion.assemble(place.t, q, v);
            }
            motion.fill_free();
            if count == 0 {
                self.find_floors(motion);
            }
            let closing = self.closings(motion, place, v);
            let closes = &self.zeno_closes;
            let sites = &motion.active;
            let e = |k: usize| {
                if closes[k] { 0.0 } else { motion.sites[sites[k]].surface.restitution }
            };
            self.jump.prepare(motion, v, e);
            // Round-off of the impacts before is no approach.
            fastest = fastest.max(self.jump.space.velocity_scale);
            let zero = (ZERO_VELOCITY * fastest).max(NO_VELOCITY * motion.scales.velocity);
            let space = &self.jump.space;
            let approaches = |k: usize| space.u_pre[space.contacts[k].normal()] < -zero;
            if !space.colliding().any(approaches) {
                return Ok(count);
            }
            self.start_event(motion, place.t, q, v);
            self.event.contacts.clear();
            self.jump.space.kinetic_energy = self.event.energy_before;
            let law = place.laws.choose(&self.jump.space, |k| motion.sites[motion.active[k]].pair);
            let failed = |source| SimError::Impact { t: place.t, source };
            let (law, limit) = law.attenuated().map_or((law, None), |(law, e)| (law, Some(e)));
            self.jump.resolve(law).map_err(failed)?;
            self.jump.apply(motion, v);
            if let Some(limit) = limit {
                self.attenuate(motion, (q, v), limit).map_err(failed)?;
            }
            self.finish_impact(motion, (q, v), ledger, closing);
            tell(&self.event);
            if !self.approaches_again(zero) {
                return Ok(count + 1);
            }
        }
        let (site, speed) = self.fastest(motion);
        let t = place.t;
        Err(SimError::StillApproaching { t, site, speed, count: MOST_IMPACTS }.into())
    }

    /// Energy control by attenuation: v ← ẽ v and u⁺ ← ẽ u⁺, see
    /// [`energy_control`](crate::impact::energy_control).
    fn attenuate(
        &mut self,
        motion: &mut Motion<'_>,
        (q, v): (&[f64], &mut [f64]),
        limit: f64,
    ) -> Result<(), ImpactError> {
        motion.place(q, v);
        let after = energy::kinetic_energy(motion.model, &motion.kin, v);
        let factor = energy_control::factor(limit, self.event.energy_before, after);
        if factor >= 1.0 {
            return Ok(());
        }
        if !motion.prescribed.is_empty() {
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
    /// rebounds freely. `motion` must have been accelerated after the event.
    pub(super) fn arc(&self, motion: &Motion<'_>) -> f64 {
        let nb = motion.bilaterals.len();
        let contacts = &self.jump.space.contacts;
        let rows = nb + contacts.last().map_or(0, |c| c.normal() + 1);
        // The rows of the impact are still there unless contacts were closed after it.
        let held = motion.active.is_empty() && motion.block.rows() == rows;
        if !held || contacts.len() != self.touching.len() || !self.event.kind.is_jump() {
            return f64::INFINITY;
        }
        let mut shortest = f64::INFINITY;
        for (c, &site) in contacts.iter().zip(&self.touching) {
            let s = &motion.states[site];
            let b = motion.block.times(nb + c.normal(), &motion.vdot) + s.gamma[2];
            if s.u[2] > 0.0 && b < 0.0 {
                shortest = shortest.min(-2.0 * s.u[2] / b);
            }
        }
        shortest
    }

    /// Rebounds below these speeds cannot be told from none.
    pub(super) fn find_floors(&mut self, motion: &Motion<'_>) {
        let nb = motion.bilaterals.len();
        self.floors.clear();
        for (k, &site) in motion.active.iter().enumerate() {
            let n = motion.system.contacts[nb + k].normal();
            let height = RESOLVED * motion.states[site].noise;
            self.floors.push(unresolved_speed(motion.system.b[n], height));
        }
    }

    /// Which colliding sites close for good, and the longest remaining time among them.
    pub(super) fn closings(
        &mut self,
        motion: &Motion<'_>,
        place: &Place<'_>,
        v: &[f64],
    ) -> Option<f64> {
        let nb = motion.bilaterals.len();
        let mut longest: Option<f64> = None;
        self.zeno_closes.clear();
        for (k, &site) in motion.active.iter().enumerate() {
            let n = motion.system.contacts[nb + k].normal();
            let (e, u) = (motion.sites[site].surface.restitution, motion.block.times(n, v));
            // The acceleration of the gap just before, under the forces of the modes before.
            let left = remaining_time(e, -u, motion.system.b[n]);
            let closes = e > 0.0 && u < 0.0 && (left < place.zeno || -e * u < self.floors[k]);
            if closes {
                longest = Some(longest.map_or(left, |l: f64| l.max(left)));
            }
            self.zeno_closes.push(closes);
        }
        longest
    }

    /// Complete the event of an impact and enter its works.
    pub(super) fn finish_impact(
        &mut self,
        motion: &mut Motion<'_>,
        (q, v): (&[f64], &[f64]),
        ledger: &mut Ledger,
        closing: Option<f64>,
    ) {
        motion.place(q, v);
        self.event.v_post.copy_from_slice(v);
        self.event.energy_after = energy::kinetic_energy(motion.model, &motion.kin, v);
        self.event.kind = if closing.is_some() { EventKind::Close } else { EventKind::Impact };
        self.event.remaining_time = closing;
        ledger.attenuation += self.event.attenuation_work;
        let solution = &self.jump.solution;
        let zero = ZERO_VELOCITY * self.jump.space.velocity_scale;
        for (k, &site) in motion.active.iter().enumerate() {
            let c = self.jump.space.contacts[k];
            let pick = |x: &nalgebra::DVector<f64>| {
                let mut rows = [0.0; 3];
                rows[2] = x[c.normal()];
                for (i, r) in c.tangent_rows().enumerate() {
                    rows[i] = x[r];
                }
                rows
            };
            let u_post = pick(&solution.u_post);
            let slips = u_post[0].hypot(u_post[1]) > zero;
            let s = &motion.states[site];
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
                before: motion.modes[site],
                after,
                u_pre: pick(&self.jump.space.u_pre),
                u_post,
                impulse: pick(&solution.impulses),
                normal_work: solution.normal_works[k],
                friction_work: solution.friction_works[k],
            };
            ledger.sites[site].impact_normal += change.normal_work;
            ledger.sites[site].impact_friction += change.friction_work;
            motion.modes[site] = after;
            self.event.contacts.push(change);
        }
    }

    pub(super) fn fastest(&self, motion: &Motion<'_>) -> (String, f64) {
        let mut worst = (0, 0.0);
        for (k, c) in self.jump.space.contacts.iter().enumerate() {
            let speed = -self.jump.solution.u_post[c.normal()];
            if speed > worst.1 {
                worst = (k, speed);
            }
        }
        (motion.sites[motion.active[worst.0]].name.clone(), worst.1)
    }
}
