//! Whether a run comes on: events that crowd, steps that lead nowhere, flows that cannot go on.

use super::guards::Watch;
use super::outcome::SimError;
use super::run::Course;
use super::sampling::Teller;
use crate::numeric::thresholds::NO_TIME;

/// Stability of a slipping site, a pure number, below which a flow that cannot go on is a jam.
const UNSTABLE: f64 = 0.1;

/// Steps after which a run must have come on by [`LEAST`] of the time √(length/g) of the mechanism.
const PATIENCE: u64 = 20_000;
const LEAST: f64 = crate::numeric::thresholds::NO_PROGRESS;

/// Steps in which a flow with closed contacts must come on by [`NOWHERE`] of √(length/g), or a time step
/// carries it over: a mode that contacts keep leaving and entering, or forces that are not smooth.
const CRAWL: u64 = 300;
const NOWHERE: f64 = crate::numeric::thresholds::JAMS;

/// Events that follow each other without time passing.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    pub last: f64,
    pub count: usize,
    /// The flow could not go on.
    pub stalled: bool,
    /// Steps and time when it was last looked whether they lead anywhere.
    pub mark: (u64, f64),
}

impl Course<'_> {
    /// Whether [`CRAWL`] steps since the last look have led nowhere.
    pub(super) fn crawls(&mut self) -> bool {
        let work = self.integrator.work();
        let (steps, t, crowd) = (work.steps + work.rejected, self.integrator.t(), &mut self.crowd);
        if steps < crowd.mark.0 + CRAWL {
            return false;
        }
        let passed = t - std::mem::replace(&mut crowd.mark, (steps, t)).1;
        passed < NOWHERE * self.slowness
    }

    /// The flow cannot go on although contacts are closed: forces grow without bound, or change faster
    /// than any step. The least stable slipping site jams; without one, a time step carries all clusters
    /// over. Whether there is anything to carry.
    pub(super) fn stall(&mut self) -> bool {
        self.fired.clear();
        let flow = self.flow.get_mut();
        let mut least: Option<(usize, f64)> = None;
        for cluster in 0..flow.clusters.len() {
            let sites = &flow.clusters.get(cluster).sites;
            // Where slow slips are steered, they are what does not come on.
            let slow = |site: &usize| flow.creep.sites.contains(site);
            if !flow.creep.sites.is_empty() && !sites.iter().any(slow) {
                continue;
            }
            for &site in sites {
                let stability = flow.contacts.stability[site];
                if stability < UNSTABLE && least.is_none_or(|(_, other)| stability < other) {
                    least = Some((site, stability));
                }
                self.fired.push((site, Watch::Carried));
            }
        }
        self.crowd.stalled = least.is_none() && !self.fired.is_empty();
        if let Some((site, _)) = least {
            self.fired.clear();
            self.fired.push((site, Watch::Stability));
        }
        !self.fired.is_empty()
    }

    /// A run whose steps lead nowhere makes no progress.
    pub(super) fn bound_steps(&mut self) -> Result<(), SimError> {
        let steps = self.integrator.work().steps + self.integrator.work().rejected;
        let (t, pace) = (self.integrator.t(), &mut self.pace);
        if steps - pace.0 < PATIENCE {
            return Ok(());
        }
        if t - pace.1 < LEAST * self.slowness {
            return Err(SimError::NoProgress { t, steps: steps - pace.0, from: pace.1 });
        }
        *pace = (steps, t);
        Ok(())
    }

    /// Events that crowd without time passing, and too many of them.
    pub(super) fn bound_events(&mut self, t: f64, teller: &Teller<'_>) -> Result<(), SimError> {
        // Progress below round-off is none.
        let passed = t - self.crowd.last > NO_TIME * t.abs();
        self.crowd.count = if passed { 0 } else { self.crowd.count + 1 };
        self.crowd.last = t;
        if self.crowd.count > 10 * self.options.events_at_once {
            let (count, kind) = (self.crowd.count, self.transition.event.kind.word());
            return Err(SimError::Chatter { t, count, kind });
        }
        if teller.statistics.events > self.options.max_events {
            return Err(SimError::TooManyEvents { t, count: self.options.max_events });
        }
        Ok(())
    }
}
