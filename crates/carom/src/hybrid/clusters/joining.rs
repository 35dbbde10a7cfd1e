//! Who joins whom: clusters that touch become one, and part again.

use super::clock::{Clock, Ends};
use super::meeting::Meeting;
use super::members::Members;
use super::schedule::Schedule;
use crate::hybrid::flow::Given;
use crate::hybrid::guards::Watch;
use crate::hybrid::outcome::SimError;
use crate::hybrid::run::Course;
use crate::state::State;

impl<'a> Schedule<'a> {
    /// All clusters that touch those of `group` at time `t`, again and again, join it; their legs are cut. Gaps up to so
    /// many times their round-off are closed.
    pub(super) fn gather(&mut self, t: f64, closed: f64) -> Result<(), SimError> {
        let mut next = 0;
        while next < self.group.len() {
            let lead = self.group[next];
            next += 1;
            let count = self.clocks[lead].as_ref().map_or(1, |clock| clock.assemblies.len());
            for k in 0..count {
                let assembly = self.clocks[lead].as_ref().map_or(lead, |clock| clock.assemblies[k]);
                let mut near = std::mem::take(&mut self.near);
                self.grid.near(assembly, &mut near);
                for &other in &near {
                    if !self.group.contains(&self.lead[other])
                        && self.touch((assembly, other), t, closed)?
                    {
                        let theirs = self.lead[other];
                        self.group.push(theirs);
                        if let Some(clock) = &mut self.clocks[theirs] {
                            clock.cut(t)?;
                        }
                    }
                }
                self.near = near;
            }
        }
        self.group.sort_unstable();
        Ok(())
    }

    /// Whether two assemblies of different clusters touch at time `t`.
    pub(super) fn touch(
        &mut self,
        (a, b): (usize, usize),
        t: f64,
        closed: f64,
    ) -> Result<bool, SimError> {
        if self.far_apart((a, b), t, closed) {
            return Ok(false);
        }
        self.find_sites(a, b);
        if self.sites.is_empty() {
            return Ok(false);
        }
        let mut parties = [self.take_party(self.lead[a]), self.take_party(self.lead[b])];
        let mut meeting = Meeting {
            whole: &self.whole,
            parties: &mut parties,
            sites: &self.sites,
            overlapping: Vec::new(),
        };
        let touches = meeting.touches(t, closed);
        parties.into_iter().for_each(|party| self.put_party(party));
        touches
    }

    /// The clusters of `group` become one, with what fired at its end; returns its least assembly.
    pub(super) fn unite(&mut self, t: f64) -> Result<usize, SimError> {
        if let [lead] = self.group[..] {
            return Ok(lead);
        }
        let mut assemblies = Vec::new();
        let mut fired: Vec<(usize, Watch)> = self.met.iter().map(|&s| (s, Watch::Gap)).collect();
        for k in 0..self.group.len() {
            let mut clock = self.take(self.group[k]);
            assemblies.extend_from_slice(&clock.assemblies);
            if clock.ends == Ends::Event && clock.t1 == t {
                let places = &clock.members.places;
                fired.extend(clock.course.fired.iter().map(|&(s, w)| (places[s], w)));
            }
            self.dissolve(&mut clock, t)?;
            self.idle.insert(clock.assemblies.clone(), clock);
        }
        assemblies.sort_unstable();
        let mut clock = self.form(assemblies, t)?;
        let places = &clock.members.places;
        clock.course.fired.clear();
        for (site, watch) in fired {
            let own = places.iter().position(|&place| place == site);
            clock.course.fired.extend(own.map(|own| (own, watch)));
        }
        (clock.t0, clock.t1, clock.ends) = (t, t, Ends::Event);
        let lead = clock.assemblies[0];
        self.put(clock);
        Ok(lead)
    }

    /// A cluster hands on what it has.
    fn dissolve(&mut self, clock: &mut Clock<'a>, t: f64) -> Result<(), SimError> {
        clock.course.account(t)?;
        self.handover.take(clock);
        Ok(())
    }

    /// The cluster of these assemblies, from what was handed on.
    pub(super) fn form(
        &mut self,
        assemblies: Vec<usize>,
        t: f64,
    ) -> Result<Box<Clock<'a>>, SimError> {
        let mut clock = match self.idle.remove(&assemblies) {
            Some(clock) => clock,
            None => self.new_clock(assemblies)?,
        };
        self.handover.give(t, &mut clock);
        (clock.t0, clock.t1, clock.ends) = (t, t, Ends::Step);
        for &assembly in &clock.assemblies {
            self.lead[assembly] = clock.assemblies[0];
        }
        Ok(clock)
    }

    pub(super) fn new_clock(&mut self, assemblies: Vec<usize>) -> Result<Box<Clock<'a>>, SimError> {
        let members = match self.members.get(&assemblies) {
            Some(members) => *members,
            None => {
                let members: &Members = self.arena.alloc(self.whole.members(&assemblies));
                self.members.insert(assemblies.clone(), members);
                self.handover.grow(self.whole.sites.len());
                members
            }
        };
        let pick = |all: &[f64], places: &[usize]| -> Vec<f64> {
            places.iter().map(|&at| all[at]).collect()
        };
        let state = State {
            t: self.start,
            q: pick(&self.handover.q, &members.excerpt.q).into(),
            v: pick(&self.handover.v, &members.excerpt.v).into(),
        };
        let parts = (members.sites.as_slice(), Given::default());
        let course = Course::new(&members.excerpt.model, &state, self.options, parts)?;
        Ok(Box::new(Clock::new(members, course, assemblies)))
    }

    /// What no closed contact joins any more parts; everything takes its next leg. Whether an event was told.
    pub(super) fn part(&mut self, lead: usize, t: f64, told: bool) -> Result<(), SimError> {
        let mut clock = self.take(lead);
        let groups = clock.groups();
        let power = clock.course.account(t)?;
        let flight = self.flight_in(&mut clock, t);
        if groups.len() <= 1 && flight.is_none() {
            clock.course.resume(t, power, told)?;
            clock.go(t)?;
            self.put(clock);
            return self.set_out(lead, t);
        }
        let arc = clock.course.rebound_time();
        self.handover.take(&mut clock);
        self.idle.insert(clock.assemblies.clone(), clock);
        if let Some(flight) = flight {
            self.launch(lead, flight);
            return self.fly(lead, t);
        }
        let mut leads = Vec::with_capacity(groups.len());
        for group in groups {
            leads.push(group[0]);
            if let Some(flight) = self.flight_of(&group, t) {
                self.launch(group[0], flight);
                continue;
            }
            let mut clock = self.form(group, t)?;
            let power = clock.course.account(t)?;
            clock.course.resume(t, power, false)?;
            clock.course.expect_rebound(arc);
            clock.go(t)?;
            self.put(clock);
        }
        for &lead in &leads {
            match &self.clocks[lead] {
                Some(_) => self.set_out(lead, t)?,
                None => self.fly(lead, t)?,
            }
        }
        Ok(())
    }
}
