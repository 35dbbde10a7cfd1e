//! What is told under way.

use super::run::Stepped;
use crate::hybrid::options::Output;
use crate::hybrid::sampling::Teller;
use crate::record::Sample;

impl Stepped<'_> {
    /// Whether a sample is taken at the end of this step.
    pub(super) fn is_due(&mut self, t: f64, end: f64) -> bool {
        let Output::Interval(dt) = self.options.output else {
            return t >= end || matches!(self.options.output, Output::Steps);
        };
        let mut due = t >= end;
        // The end of a step may miss a multiple of the interval by round-off.
        while self.start + dt * self.next_output as f64 <= t + 1e-3 * self.h {
            self.next_output += 1;
            due = true;
        }
        due
    }

    /// Nothing moves: only the samples remain.
    pub(super) fn coast(&mut self, t: f64, end: f64, teller: &mut Teller<'_>) {
        if let Output::Interval(dt) = self.options.output {
            let mut next = self.start + dt * self.next_output as f64;
            while next < end && !teller.stopped {
                if next > t {
                    self.sample(next, teller);
                }
                self.next_output += 1;
                next = self.start + dt * self.next_output as f64;
            }
        }
        self.sample(end, teller);
    }

    pub(super) fn sample(&mut self, t: f64, teller: &mut Teller<'_>) {
        self.end.place(&self.q, &self.v);
        let mut deepest = 0.0_f64;
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.observe_end(site);
            // A contact that is out of play has no gap.
            let muted = self.is_out_of_play(site);
            match self.gaps.get_mut(site) {
                Some(gap) => *gap = if muted { f64::NAN } else { self.states[site].gap },
                None => deepest = deepest.min(self.states[site].gap),
            }
        }
        teller.statistics.worst_gap = teller.statistics.worst_gap.min(deepest);
        self.torques.resize(self.given.motors.actuators.len(), 0.0);
        self.given.motors.recorded(&mut self.torques);
        let n = self.pool.declared;
        teller.sample(&Sample {
            t,
            q: &self.q,
            v: &self.v,
            vdot: &self.vdot,
            modes: &self.modes[..n],
            forces: &self.forces,
            torques: &self.torques,
            gaps: &self.gaps,
            loops: &self.loops,
            ledger: &self.ledger,
        });
    }
}
