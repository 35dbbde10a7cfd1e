//! What ends a flow: the conditions that guards watch, and their values.
//!
//! Gap of an open site; normal force, friction-cone margin μs²λₙ² − λₜ² and slip along its reference
//! direction of a closed one; limits and knots of the drive.

use super::motion::Motion;
use crate::contact::Mode;
use crate::contact::site_state::site_approach;
use crate::dynamics::SingularInertia;
use carom_ode::{Guard, Guards};

/// Round-off of a slip velocity, in units of the velocity scale: redundant contacts that hold each
/// other still leave this much.
const SLIP_NOISE: f64 = 1e-12;

/// Which condition a guard watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    Gap,
    NormalForce,
    Cone,
    Slip,
    /// A free motor reaches its upper limit; from here on the index is the actuator's.
    Upper,
    Lower,
    /// A motor at its upper limit is told to do less.
    BelowUpper,
    AboveLower,
    /// The formula of a controller changes; the index is the controller's.
    Knot,
}

impl Motion<'_> {
    /// Renew the list of closed sites and the guards, after the modes changed. Open sites for
    /// which `spared` holds have no guard.
    pub fn rearm(&mut self, guards: &mut Vec<Guard>, spared: impl Fn(usize) -> bool) {
        self.active.clear();
        self.watches.clear();
        guards.clear();
        let s = self.scales;
        for (i, mode) in self.modes.iter().enumerate() {
            let site = &self.sites[i];
            let mut watch = |watch, noise| {
                self.watches.push((i, watch));
                guards.push(Guard::falling(noise));
            };
            if !mode.is_closed() {
                if spared(i) {
                    continue;
                }
                watch(Watch::Gap, self.states[i].noise);
                continue;
            }
            self.active.push(i);
            watch(Watch::NormalForce, 1e-12 * s.force);
            match mode {
                Mode::Stick if site.tangents > 0 => watch(Watch::Cone, 1e-12 * s.force * s.force),
                Mode::Slip { .. } if site.tangents > 0 => {
                    watch(Watch::Slip, SLIP_NOISE * s.velocity)
                }
                _ => {}
            }
        }
        self.drive.arm(&mut self.watches, guards);
    }
}

impl Guards for Motion<'_> {
    type Error = SingularInertia;

    fn evaluate(
        &mut self,
        t: f64,
        y: &[f64],
        g: &mut [f64],
        gdot: &mut [f64],
    ) -> Result<(), SingularInertia> {
        let (q, v, _) = self.split(y);
        if self.active.is_empty() && self.drive.rests() {
            self.sight(q, v);
        } else {
            self.accelerate(t, q, v)?;
        }
        for (k, &(site, watch)) in self.watches.iter().enumerate() {
            if let Some(value) = self.drive.guard((site, watch), t) {
                g[k] = value;
                if watch == Watch::Knot {
                    gdot[k] = -1.0;
                }
                continue;
            }
            if watch == Watch::Gap {
                let site = &self.sites[site];
                let approach = site_approach(self.model, site, &self.kin, (q, v));
                (g[k], gdot[k]) = (approach.gap, approach.rate);
                continue;
            }
            let place = self.active.iter().position(|&s| s == site).unwrap_or(0);
            let c = self.system.contacts[self.bilaterals.len() + place];
            let lambda = &self.contact.lambda[c.first..=c.normal()];
            match watch {
                Watch::NormalForce => g[k] = lambda[c.tangents],
                Watch::Cone => {
                    let limit = c.static_friction * lambda[c.tangents];
                    let pull: f64 = lambda[..c.tangents].iter().map(|l| l * l).sum();
                    g[k] = limit * limit - pull;
                }
                Watch::Slip => {
                    let Mode::Slip { reference } = self.modes[site] else { continue };
                    let s = &self.states[site];
                    let along = |k: usize| s.axes[k].dot(&reference);
                    g[k] = (0..c.tangents).map(|i| s.u[i] * along(i)).sum();
                    gdot[k] = (0..c.tangents).map(|i| self.contact.w[c.first + i] * along(i)).sum();
                }
                _ => {}
            }
        }
        Ok(())
    }
}
