//! Open sites that are not, or not yet, seen by their guards: below the surface, or just lifted off.

use super::course::Course;
use super::motion::Watch;

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
