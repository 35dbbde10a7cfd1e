//! Open sites that are not, or not yet, seen by their guards: below the surface, or just lifted off.

use super::course::Course;
use super::motion::Motion;
use super::transition::Transition;
use super::watch::Watch;
use crate::dynamics::SingularInertia;
use crate::impact::contact_space::ZERO_VELOCITY;

/// Acceleration of a gap, in units of the largest of the mechanism, that counts as zero.
const NO_ACCELERATION: f64 = 1e-9;

impl Transition {
    /// A gap has closed without velocity and nothing came of it: the contact laws let the site go at
    /// once, by an acceleration that the gap does not show. It is as if it had just lifted off.
    pub(super) fn note_hops(&mut self, t: f64, fired: &[(usize, Watch)]) {
        for &(site, _) in fired.iter().filter(|f| f.1 == Watch::Gap) {
            self.lifted[site] = t;
        }
    }

    /// Mark the sites that lifted off at this very time and have zero gap, velocity and acceleration
    /// there, so that round-off may make them seem to close; whether there are any. A site that
    /// lifted off and was then hit, or is pushed back by what else changed, is watched.
    pub(super) fn spare(
        &mut self,
        motion: &mut Motion<'_>,
        t: f64,
        y: &[f64],
    ) -> Result<bool, SingularInertia> {
        let just = |lifted: f64| t - lifted <= 1e-13 * t.abs();
        self.spared.fill(false);
        if !self.lifted.iter().any(|&lifted| just(lifted)) {
            return Ok(false);
        }
        let (q, v, _) = motion.split(y);
        motion.accelerate(t, q, v)?;
        motion.place(q, v);
        // Rows of the sites in question, in place of those of the closed ones, which `rearm` renews.
        motion.active.clear();
        let modes = &motion.modes;
        let open = |site: &usize| just(self.lifted[*site]) && !modes[*site].is_closed();
        motion.active.extend((0..motion.sites.len()).filter(open));
        motion.assemble(t, q, v);
        let nb = motion.bilaterals.len();
        let slow = ZERO_VELOCITY * motion.scales.velocity;
        let most = motion.vdot.iter().fold(motion.model.gravity().norm(), |m, a| m.max(a.abs()));
        for (k, &site) in motion.active.iter().enumerate() {
            let n = motion.system.contacts[nb + k].normal();
            let s = &motion.states[site];
            let acceleration = motion.block.times(n, &motion.vdot) + s.gamma[2];
            self.spared[site] =
                s.gap <= s.noise && s.u[2].abs() <= slow && acceleration >= -NO_ACCELERATION * most;
        }
        Ok(self.spared.iter().any(|s| *s))
    }
}

impl Course<'_> {
    /// Open sites that are below the surface and sink, which a guard that starts below zero does not
    /// see: the correction of another gap in the event may have put them there by a little.
    pub(super) fn sinks(&mut self) -> bool {
        self.fired.clear();
        let motion = self.motion.get_mut();
        let (q, v, _) = motion.split(&self.y);
        motion.place(q, v);
        for k in 0..motion.watches.len() {
            let (site, watch) = motion.watches[k];
            if watch != Watch::Gap {
                continue;
            }
            motion.observe(site, q, v);
            let s = &motion.states[site];
            if s.gap < -s.noise && s.u[2] < 0.0 {
                self.fired.push((site, watch));
            }
        }
        !self.fired.is_empty()
    }

    /// The same at the end of a step, by the values of its guards.
    pub(super) fn sunken(&mut self, t: f64) -> Option<f64> {
        let (g, slope) = (self.locator.values(), self.locator.slopes());
        self.fired.clear();
        for (k, &(site, watch)) in self.motion.get_mut().watches.iter().enumerate() {
            if watch == Watch::Gap && g[k] < -self.guards[k].noise && slope[k] < 0.0 {
                self.fired.push((site, watch));
            }
        }
        (!self.fired.is_empty()).then_some(t)
    }

    /// A site that lifts off has g = ġ = g̈ = 0: round-off decides whether it seems to close. It is
    /// not watched for one short step; then its gap must be open, or it closes again.
    pub(super) fn end_grace(&mut self, t: f64) -> Option<f64> {
        self.grace = false;
        self.fired.clear();
        let motion = self.motion.get_mut();
        let (q, v, _) = motion.split(&self.y);
        motion.place(q, v);
        for site in 0..motion.sites.len() {
            if motion.modes[site].is_closed() {
                continue;
            }
            motion.observe(site, q, v);
            let s = &motion.states[site];
            if s.gap < -s.noise {
                self.fired.push((site, Watch::Gap));
            }
        }
        motion.rearm(&mut self.guards, |_| false);
        self.locator.arm(&self.guards);
        (!self.fired.is_empty()).then_some(t)
    }
}
