//! The rows that a run of several clusters tells, and its rest.

use super::ball::rest;
use super::meeting::{Meeting, Party};
use super::schedule::Schedule;
use crate::contact::site_state::state_between;
use crate::hybrid::outcome::SimError;
use crate::hybrid::sampling::Teller;

impl Schedule<'_> {
    /// A row of the whole.
    pub(super) fn row(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        self.herald.open(t, &self.handover.ledger);
        for clock in self.clocks.iter_mut().flatten() {
            clock.present(t)?;
            self.herald.read(clock);
        }
        for (ball, flight) in self.balls.iter().zip(&mut self.flights) {
            let (Some(ball), Some(flight)) = (ball, flight) else { continue };
            flight.follow_turn(ball, t);
            self.herald.read_ball(ball, flight, &self.fixtures);
            let Some(on) = flight.support() else { continue };
            let site = &self.whole.sites[on];
            let carrier = rest(self.whole.model, site.bodies().0);
            let axes = state_between(site, &carrier, &flight.motion(t)).axes;
            let push = flight.push(ball);
            let mut force = axes.map(|axis| axis.dot(&push));
            if site.tangents == 1 {
                force[1] = 0.0;
            }
            let work = flight.work(ball, &self.fixtures, t);
            self.herald.read_support(on, (self.handover.mode(on), force), work);
        }
        if self.herald.few {
            self.read_gaps(t);
        }
        self.herald.tell_row(teller);
        Ok(())
    }

    /// Gaps between different clusters, whose states at `t` have been presented.
    fn read_gaps(&mut self, t: f64) {
        for k in 0..self.whole.links.len() {
            let (site, a, b) = self.whole.links[k];
            let (a, b) = (self.lead[a], self.lead[b]);
            if a == b {
                continue;
            }
            let mut parties = [self.take_party(a), self.take_party(b)];
            for party in &mut parties {
                if let Party::Ball { at, .. } = party {
                    *at = t;
                }
            }
            let mut meeting = Meeting {
                whole: &self.whole,
                parties: &mut parties,
                sites: &[],
                overlapping: Vec::new(),
            };
            let (approach, _) = meeting.observe(site);
            self.herald.read_gap(site, approach.gap);
            parties.into_iter().for_each(|party| self.put_party(party));
        }
    }

    /// Rows at the interval asked for, before `t`.
    pub(super) fn rows_until(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let Some(dt) = self.herald.interval else { return Ok(()) };
        loop {
            let next = self.start + dt * self.herald.rows as f64;
            if next >= t || teller.stopped {
                return Ok(());
            }
            self.herald.rows += 1;
            self.row(next, teller)?;
        }
    }

    /// Once everything rests, say so.
    pub(super) fn rest(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        if self.moving > 0 {
            return Ok(());
        }
        if !self.herald.few {
            self.row(t, teller)?;
        }
        self.herald.tell_rest(t, teller);
        Ok(())
    }
}
