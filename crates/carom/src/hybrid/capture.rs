//! Events of friction projected over a fixed step instead of located.
//!
//! # Law
//! At the start of each step of length h, with the accelerations that the modes at hand give:
//! ```text
//! slip:   d·u ≤ 0:                  the slip has turned around unseen; friction turns with it     (1)
//!         d·(u + h u̇) ≤ 0:          captured: u ← 0, and held through this step                    (2)
//! stick:  ‖λₜ‖ > μs λₙ:             slips                                                          (3)
//! ```
//! d is the direction in which friction assumes the slip. Within a step modes stay: stick and slip last for whole steps.
//! Gaps, normal forces and motors have their guards as ever. What (2) takes from the energy is a line of the ledger,
//! `carried`.
//!
//! # Limits
//! Of first order in h, where located events keep the fourth order of the steps: it is here to compare with, not to be
//! preferred.
//!
//! # Source
//! Flickinger 2011, A.3: "a linear projection forward in time", with fixed steps of Runge–Kutta's method.
//!
//! # Tests
//! `crates/carom-reproduce/tests/flickinger_oscillator.rs`: `eq1_to_eq3_runs_project_as_the_block_alone`.

use super::guards::Watch;
use super::outcome::SimError;
use super::run::{Course, rate_error};
use crate::contact::Mode;

impl Course<'_> {
    /// Whether (1), (2) or (3) holds at the start of the step, if events of friction are projected; asked once an instant,
    /// and once more after (1).
    pub(super) fn projects_friction(&mut self) -> Result<bool, SimError> {
        let Some(h) = self.options.projected_step() else { return Ok(false) };
        let t = self.integrator.t();
        let passed = self.passed_at == t;
        if self.projected_at == t {
            return Ok(false);
        }
        let flow = self.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        if let Err(source) = flow.accelerate(t, q, v) {
            return Err(rate_error(&self.flow, t, source));
        }
        self.fired.clear();
        for site in 0..flow.sites.len() {
            let (tangents, c) = (flow.sites[site].tangents, &flow.contacts);
            if tangents == 0 || c.loads[site].is_nan() {
                continue;
            }
            let s = &c.states[site];
            match c.modes[site] {
                Mode::Open => {}
                Mode::Stick => {
                    let [x, y, n] = c.forces[site];
                    if x.hypot(y) > flow.sites[site].surface.static_friction * n {
                        self.fired.push((site, Watch::Cone));
                    }
                }
                Mode::Slip { reference } => {
                    let along = |x: &[f64; 3]| -> f64 {
                        (0..tangents).map(|i| x[i] * s.axes[i].dot(&reference)).sum()
                    };
                    let (now, rate) = (along(&s.u), along(&c.accelerations[site]));
                    let starts = now.abs() <= c.slip_noise[site];
                    if now < 0.0 && !starts && !passed {
                        self.fired.push((site, Watch::Passed));
                    } else if now + h * rate <= 0.0 {
                        self.fired.push((site, Watch::Capture));
                    }
                }
            }
        }
        // What has turned around may be captured at the same instant, under its new friction.
        match self.fired.iter().any(|f| f.1 == Watch::Passed) {
            true => self.passed_at = t,
            false => self.projected_at = t,
        }
        Ok(!self.fired.is_empty())
    }
}
