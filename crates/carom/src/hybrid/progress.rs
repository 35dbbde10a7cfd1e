//! Whether a run comes on: events that crowd, steps that lead nowhere, flows that cannot go on.

use super::guards::Watch;
use super::outcome::SimError;
use super::run::Course;
use super::rush::Rush;
use crate::contact::Mode;
use crate::numeric::thresholds::NO_TIME;

/// Stability of a slipping site, a pure number, within which of zero a flow that cannot go on is a jam.
pub(super) const UNSTABLE: f64 = 0.1;

/// Steps after which a run must have come on by [`LEAST`] of the time √(length/g) of the mechanism.
const PATIENCE: u64 = 20_000;
const LEAST: f64 = crate::numeric::thresholds::NO_PROGRESS;

/// Steps in which a flow with closed contacts must come on by [`NOWHERE`] of √(length/g), or a time step
/// carries it over: a mode that contacts keep leaving and entering, or forces that are not smooth. So it does where more than
/// a quarter of them strayed from their constraints (each that is taken lets the next be longer): what moves is along rows that
/// are nearly redundant, no force of bounded size holds it there, and returns to the constraints eat its energy untold. The time
/// step stops it by an impulse that is told (`tests/hybrid_wild.rs`, several 30 of seed 1004).
const CRAWL: u64 = 300;
const NOWHERE: f64 = crate::numeric::thresholds::JAMS;

/// Steps, those that strayed and the time, s, at an instant.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Mark {
    pub steps: u64,
    pub strayed: u64,
    pub t: f64,
}

/// Events that follow each other without time passing.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    pub last: f64,
    pub count: usize,
    /// The flow could not go on.
    pub stalled: bool,
    /// When it last could not, s.
    pub stalled_at: f64,
    /// When it was last looked whether steps lead anywhere.
    pub mark: Mark,
    /// States, as [`fingerprint`]s, that this instant has seen.
    seen: Vec<u64>,
    /// A state has come back.
    pub returned: bool,
    /// When each site was first looked at for [`CHATTER`], s, and how often its mode has changed since.
    changes: Vec<(f64, usize)>,
    /// A site chatters.
    pub chatters: bool,
    /// Whether there is more to tell than can be told.
    pub rush: Rush,
}

/// Changes between stick and slip, or lift-offs, of one site within [`WINDOW`] of √(length/g) at which it chatters: no mode
/// lasts, because others hold the contact so that it can neither stick nor slip, nor stay, nor leave. A time step carries its
/// cluster over. Rebounds are no lift-offs: they accumulate.
const CHATTER: usize = 40;
const WINDOW: f64 = 1e-3;

impl Crowd {
    pub fn new(t: f64) -> Self {
        let never = f64::NEG_INFINITY;
        Self {
            last: never,
            stalled_at: never,
            mark: Mark { t, ..Mark::default() },
            ..Self::default()
        }
    }

    /// Go on from the last event of others, and how many of them there were without time passing.
    pub fn join(&mut self, last: f64, count: usize, rush: Rush) {
        if last != self.last {
            self.seen.clear();
        }
        (self.last, self.count) = (last, count);
        (self.returned, self.chatters, self.stalled) = (false, false, false);
        self.rush = rush;
    }

    /// The state after an event. One that comes back without time passing is left again by the same guard or impact:
    /// the instant has no successor among its modes.
    pub fn note(&mut self, modes: &[Mode], v: &[f64]) {
        if self.count == 0 {
            self.seen.clear();
        }
        let print = fingerprint(modes, v);
        self.returned = self.seen.contains(&print);
        self.seen.push(print);
    }

    /// Counts the changes that the guards of an event ask for.
    fn count_changes(&mut self, t: f64, fired: &[(usize, Watch)], window: f64) {
        self.chatters = false;
        let changes =
            |f: &&(usize, Watch)| matches!(f.1, Watch::Cone | Watch::Slip | Watch::NormalForce);
        for &(site, _) in fired.iter().filter(changes) {
            if self.changes.len() <= site {
                self.changes.resize(site + 1, (f64::NEG_INFINITY, 0));
            }
            let (since, count) = &mut self.changes[site];
            if t - *since > window {
                (*since, *count) = (t, 0);
            }
            *count += 1;
            if *count > CHATTER {
                // One that goes on is known sooner.
                (*since, *count) = (t, CHATTER / 2);
                self.chatters = true;
            }
        }
    }
}

/// What every site does and the velocities to six digits, mixed into one number; of a slip the octant of its direction.
fn fingerprint(modes: &[Mode], v: &[f64]) -> u64 {
    let code = |mode: &Mode| match mode {
        Mode::Open => 0,
        Mode::Stick => 1,
        Mode::Slip { reference: r } => {
            2 + r.iter().fold(0, |code, x| 2 * code + u64::from(*x > 0.0))
        }
    };
    let fastest = v.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
    let digits = |v: &f64| (1e6 * v / fastest).round() as i64 as u64;
    // FNV-1a.
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    let hash = modes.iter().map(code).fold(0xcbf2_9ce4_8422_2325, mix);
    v.iter().map(digits).fold(hash, mix)
}

impl Course<'_> {
    /// Whether [`CRAWL`] steps since the last look have led nowhere.
    pub(super) fn crawls(&mut self) -> bool {
        let work = self.integrator.work();
        let (steps, t, crowd) = (work.steps + work.rejected, self.integrator.t(), &mut self.crowd);
        let mark = crowd.mark;
        if steps < mark.steps + CRAWL {
            return false;
        }
        crowd.mark = Mark { steps, strayed: work.strayed, t };
        let strayed = 4 * (work.strayed - mark.strayed) > steps - mark.steps;
        t - mark.t < NOWHERE * self.slowness || strayed
    }

    /// The flow cannot go on although contacts are closed: forces grow without bound, or change faster
    /// than any step. The least stable slipping site jams. Without one, slips too slow to be known, (1) of
    /// [`super::modes`], are decided anew; if that has not helped, a time step carries all clusters over.
    /// Whether there is anything to do.
    pub(super) fn stall(&mut self) -> bool {
        self.fired.clear();
        let t = self.integrator.t();
        let flow = self.flow.get_mut();
        // Angles of a step that was not found are none, and stages that were tried are no state.
        let crept = std::mem::take(&mut flow.creep.sites);
        flow.creep.clear();
        let (q, v, _) = flow.split(&self.y);
        let known = flow.accelerate(t, q, v).is_ok();
        let mut least: Option<(usize, f64)> = None;
        for cluster in 0..flow.clusters.len() {
            let sites = &flow.clusters.get(cluster).sites;
            // Where slow slips are steered, they are what does not come on.
            let slow = |site: &usize| crept.contains(site);
            if !crept.is_empty() && !sites.iter().any(slow) {
                continue;
            }
            for &site in sites {
                let stability = flow.contacts.stability[site].abs();
                if known && stability < UNSTABLE && least.is_none_or(|(_, other)| stability < other)
                {
                    least = Some((site, stability));
                }
                self.fired.push((site, Watch::Carried));
            }
        }
        let again = std::mem::replace(&mut self.crowd.stalled_at, t) == t;
        if let Some((site, _)) = least {
            self.fired.clear();
            self.fired.push((site, Watch::Stability));
        } else if !again && !crept.is_empty() {
            self.fired.clear();
            self.fired.extend(crept.iter().map(|&site| (site, Watch::Slip)));
        } else {
            self.crowd.stalled = !self.fired.is_empty();
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
    pub(super) fn bound_events(&mut self, t: f64, events: u64) -> Result<(), SimError> {
        // Progress below round-off is none.
        let passed = t - self.crowd.last > NO_TIME * t.abs();
        self.crowd.count = if passed { 0 } else { self.crowd.count + 1 };
        self.crowd.returned &= !passed;
        self.crowd.last = t;
        self.crowd.count_changes(t, &self.fired, WINDOW * self.slowness);
        let flow = self.flow.get_mut();
        let contacts = flow.contacts.modes.iter().zip(&flow.sites);
        let closed = contacts.filter(|(mode, site)| mode.is_closed() && site.hits()).count();
        self.crowd.rush.count(t, closed, (self.slowness, self.options.events_in_a_rush));
        if self.crowd.count > 10 * self.options.events_at_once {
            let (count, kind) = (self.crowd.count, self.transition.event.kind.word());
            return Err(SimError::Chatter { t, count, kind });
        }
        if events > self.options.max_events {
            return Err(SimError::TooManyEvents { t, count: self.options.max_events });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn a_state_that_returns_at_one_instant_is_known() {
        let slip = |x: f64| Mode::Slip { reference: Vector3::new(x, 0.0, 0.0) };
        let mut crowd = Crowd::new(0.0);
        crowd.note(&[Mode::Stick, slip(1.0)], &[1.0, 2.0]);
        assert!(!crowd.returned);
        crowd.count = 1;
        // Other modes, another direction of slip or other velocities are other states.
        for (modes, v) in [
            ([slip(1.0), Mode::Stick], [1.0, 2.0]),
            ([Mode::Stick, slip(-1.0)], [1.0, 2.0]),
            ([Mode::Stick, slip(1.0)], [1.0, 2.001]),
        ] {
            crowd.note(&modes, &v);
            assert!(!crowd.returned);
        }
        crowd.note(&[Mode::Stick, slip(1.0)], &[1.0, 2.0 + 1e-12]);
        assert!(crowd.returned);
        // Time has passed: nothing is remembered.
        crowd.count = 0;
        crowd.note(&[Mode::Stick, slip(1.0)], &[1.0, 2.0]);
        assert!(!crowd.returned);
    }

    #[test]
    fn modes_that_keep_changing_chatter() {
        let mut crowd = Crowd::new(0.0);
        let chatters = |crowd: &mut Crowd, t: f64, watch: Watch| {
            crowd.count_changes(t, &[(3, watch)], 1e-3);
            crowd.chatters
        };
        // As many changes, but not within the window, or of gaps.
        assert!(!(0..200).any(|k| chatters(&mut crowd, 1e-4 * f64::from(k), Watch::Cone)));
        assert!(!(0..200).any(|_| chatters(&mut crowd, 1.0, Watch::Gap)));
        let first =
            (0..200).position(|k| chatters(&mut crowd, 1.0 + 1e-6 * f64::from(k), Watch::Slip));
        assert_eq!(first, Some(CHATTER));
        let next =
            (0..200).position(|k| chatters(&mut crowd, 1.0003 + 1e-6 * f64::from(k), Watch::Slip));
        assert_eq!(next, Some(CHATTER / 2));
        let lifts = |k: i32| chatters(&mut crowd, 2.0 + 1e-6 * f64::from(k), Watch::NormalForce);
        assert_eq!((0..200).position(lifts), Some(CHATTER));
    }
}
