//! Positions in the middle and at the end of a step, without overlap: (4), (5) and (8) of [`crate::stepping`].

use super::press::{effort, failed, push_bilateral, respond};
use super::run::Stepped;
use crate::coulomb::sparse::Effort;
use crate::dynamics::{SingularInertia, integrate};
use crate::hybrid::bilateral::{Bilateral, bilaterals};
use crate::hybrid::outcome::SimError;
use crate::stepping::Ask;

/// Corrections of positions in one step.
const CORRECTIONS: usize = 4;
/// Overlap that is left, in units of the fall h² |g| of one step.
const OVERLAP: f64 = 1e-3;
/// Residual of a correction, in units of the overlap that is left.
const LEFT: f64 = 0.1;

impl Stepped<'_> {
    /// (4), and positions without overlap, (5).
    pub(super) fn land(&mut self, t: f64, h: f64) -> Result<(), SimError> {
        self.dv.iter_mut().zip(&self.v_next).for_each(|(d, v)| *d = 0.5 * h * v);
        integrate::step(self.model, &self.q_middle, &self.dv, &mut self.q);
        self.v.copy_from_slice(&self.v_next);
        self.check_finite((t, h))?;
        for _ in 0..CORRECTIONS {
            if !self.correct((t, h), Place::End).map_err(|source| failed(t, source))? {
                break;
            }
        }
        self.check_finite((t, h))
    }

    /// A step too long for what is stiff grows without bound.
    fn check_finite(&self, (t, step): (f64, f64)) -> Result<(), SimError> {
        let finite = self.v.iter().chain(&self.q).all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(SimError::Diverged { t, step }) }
    }

    /// (5) and (8) at q°, before anything collides there.
    pub(super) fn clear_way(&mut self, t: f64, h: f64) -> Result<(), SimError> {
        self.look(h);
        self.put.clear();
        std::mem::swap(&mut self.q, &mut self.q_middle);
        let mut result = Ok(true);
        let mut corrections = 0;
        while corrections < CORRECTIONS && matches!(result, Ok(true)) {
            result = self.correct((t, h), Place::Middle);
            corrections += 1;
            if let Ok(true) = result {
                let forces = &self.landing.x[self.bilaterals.len()..];
                let pushed = self.landed.iter().zip(forces).filter(|(_, x)| x[0] > 0.0);
                self.put.extend(pushed.map(|(site, _)| *site));
            }
        }
        std::mem::swap(&mut self.q, &mut self.q_middle);
        self.put.sort_unstable();
        let done = result.and_then(|_| match corrections {
            1 => Ok(()),
            _ => self.middle.articulate(&self.q_middle, &self.v_middle),
        });
        done.map_err(|source| failed(t, source))
    }

    /// One correction of positions; whether there was anything to correct.
    fn correct(&mut self, (t, h): (f64, f64), place: Place) -> Result<bool, SingularInertia> {
        self.end.place(&self.q, &self.v);
        let allowed = OVERLAP * h * h * self.gravity();
        let mut depth = 0.0_f64;
        let mut wrong = false;
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.observe_end(site);
            if self.is_out_of_play(site) {
                continue;
            }
            let s = &self.states[site];
            wrong |= s.gap < -allowed.max(s.noise);
            depth = depth.max(-s.gap);
        }
        let given = (self.model, self.given.prescribed.as_slice());
        let known = (&self.end.kin, &self.end.products);
        bilaterals(given, known, (t, &self.q), &mut self.bilaterals);
        // What is held is put right at the end of a step.
        let value = |row: &Bilateral| match place {
            Place::Middle => (0.0, 0.0),
            Place::End => (row.value - row.target[0], 8.0 * f64::EPSILON * row.size),
        };
        wrong |= self.bilaterals.iter().any(|row| {
            let (miss, noise) = value(row);
            miss.abs() > noise
        });
        if !wrong {
            return Ok(false);
        }
        self.end.articulate(&self.q, &self.v)?;
        self.rows.clear();
        self.asks.clear();
        self.landed.clear();
        for row in &self.bilaterals {
            push_bilateral(&mut self.rows, &self.end.instant(), &self.parts, row);
            self.asks.push(Ask::held(value(row).0, 0.0));
        }
        for &site in &self.pool.candidates {
            let s = &self.states[site];
            if s.gap <= depth && self.pool.sites[site].hits() && !self.is_out_of_play(site) {
                let at = (&self.pool.sites[site], s);
                self.rows.push_site(&self.end.instant(), &self.parts, at, false);
                let b = [s.gap, 0.0, 0.0];
                self.asks.push(Ask::contact(b, 0.0, [0.0; 3]));
                self.landed.push(site);
            }
        }
        // What is left of the overlap is to be allowed.
        let left = LEFT * allowed / depth.max(allowed);
        let enough = |contacts: usize| {
            let effort = effort(contacts);
            Effort { target: effort.target.max(left), ..effort }
        };
        self.landing.solve(&self.parts, &self.rows, &self.asks, &enough);
        respond(self.soft, &self.end, &self.landing.s, &mut self.response, &mut self.dv);
        integrate::step(self.model, &self.q, &self.dv, &mut self.q_next);
        self.q.copy_from_slice(&self.q_next);
        self.pay(if place == Place::Middle { 0.5 * h } else { 0.0 });
        Ok(true)
    }

    /// (8): what a correction lifts is paid by the velocities that led to the overlap. Their forces act on for `still`.
    fn pay(&mut self, still: f64) {
        self.tolls.clear();
        self.tolls.resize(self.parts.dofs.len(), Toll::default());
        for k in 0..self.rows.len() {
            let times = |v: &[f64]| self.rows.times(&self.parts, k, v)[0];
            let (Some(cluster), push) = (self.landing.cluster(&self.rows, k), self.landing.x[k][0])
            else {
                continue;
            };
            let rate = times(&self.free);
            let toll = &mut self.tolls[cluster];
            toll.inertia += push * times(&self.dv);
            toll.approach += push * (times(&self.v) + still * rate);
            toll.lift += push * rate;
        }
        for (i, v) in self.v.iter_mut().enumerate() {
            let cluster = self.landing.cluster_of_part(self.parts.of_dof[i]);
            *v += self.tolls[cluster].rate() * self.dv[i];
        }
    }
}

/// Where positions are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Middle,
    End,
}

/// The terms of (8) for one cluster.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Toll {
    /// δq·M δq.
    inertia: f64,
    /// v·M δq, negative where bodies approach.
    approach: f64,
    /// f·δq, negative where δq lifts.
    lift: f64,
}

impl Toll {
    /// κ: none where nothing approaches, and at most what stops the approach.
    fn rate(&self) -> f64 {
        if self.approach >= 0.0 || self.inertia <= 0.0 {
            return 0.0;
        }
        let left = self.approach * self.approach + 2.0 * self.inertia * self.lift;
        if left < 0.0 {
            return -self.approach / self.inertia;
        }
        2.0 * self.lift / (self.approach - left.sqrt())
    }
}
