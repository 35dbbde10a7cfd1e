//! Positions at the end of a step, without overlap: (4) and (5) of [`crate::stepping`].

use super::press::{effort, failed, push_bilateral, respond};
use super::run::Stepped;
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
        if !self.v.iter().chain(&self.q).all(|x| x.is_finite()) {
            return Err(SimError::Diverged { t, step: h });
        }
        for _ in 0..CORRECTIONS {
            if !self.correct(t, h).map_err(|source| failed(t, source))? {
                break;
            }
        }
        Ok(())
    }

    /// One correction of positions; whether there was anything to correct.
    fn correct(&mut self, t: f64, h: f64) -> Result<bool, SingularInertia> {
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
        let value = |row: &Bilateral| (row.value - row.target[0], 8.0 * f64::EPSILON * row.size);
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
        for row in &self.bilaterals {
            push_bilateral(&mut self.rows, &self.end.instant(), &self.parts, row);
            self.asks.push(Ask::held(value(row).0, 0.0));
        }
        for &site in &self.pool.candidates {
            let s = &self.states[site];
            if s.gap <= depth && self.pool.sites[site].hits() && !self.is_out_of_play(site) {
                let place = (&self.pool.sites[site], s);
                self.rows.push_site(&self.end.instant(), &self.parts, place, false);
                let b = [s.gap, 0.0, 0.0];
                self.asks.push(Ask::contact(b, 0.0, [0.0; 3]));
            }
        }
        // What is left of the overlap is to be allowed.
        let mut effort = effort(self.asks.len());
        effort.target = effort.target.max(LEFT * allowed / depth.max(allowed));
        self.landing.solve(&self.parts, &self.rows, &self.asks, &effort);
        respond(self.soft, &self.end, &self.landing.s, &mut self.response, &mut self.dv);
        integrate::step(self.model, &self.q, &self.dv, &mut self.q_middle);
        self.q.copy_from_slice(&self.q_middle);
        Ok(true)
    }
}
