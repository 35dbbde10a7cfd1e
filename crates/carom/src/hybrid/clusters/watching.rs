//! Watching: windows of the motions ahead, and who meets whom in them.

use super::clock::Ends;
use super::meeting::Meeting;
use super::queue::{ANY, Due, Entry, Tag};
use super::schedule::Schedule;
use super::window::Window;
use crate::contact::SiteGeometry;
use crate::hybrid::outcome::SimError;

impl Schedule<'_> {
    /// Watch the new leg of a cluster, or of a ball.
    pub(super) fn set_out(&mut self, lead: usize, t: f64) -> Result<(), SimError> {
        let (t1, count, rests) = match (&self.clocks[lead], &self.flights[lead]) {
            (Some(clock), _) => (clock.t1, clock.assemblies.len(), clock.ends == Ends::Never),
            (_, Some(flight)) => (flight.t1, 1, false),
            _ => return Ok(()),
        };
        for k in 0..count {
            let assembly = self.member(lead, k);
            self.stamps[assembly] += 1;
            let before = std::mem::replace(&mut self.resting[assembly], rests);
            self.moving = self.moving + usize::from(before) - usize::from(rests);
        }
        if self.flights[lead].is_none() {
            self.expect_end(lead, t1);
        }
        for k in 0..count {
            self.renew(self.member(lead, k), t)?;
        }
        Ok(())
    }

    /// The leg of a cluster or a ball is due.
    fn expect_end(&mut self, lead: usize, t1: f64) {
        if t1.is_finite() {
            let own = Tag::new(lead, self.stamps[lead]);
            self.queue.push(Entry { t: t1, due: Due::Leg, a: own, b: own, site: 0 });
        }
    }

    /// The k-th assembly of a cluster; a ball is its only one.
    fn member(&self, lead: usize, k: usize) -> usize {
        self.clocks[lead].as_ref().map_or(lead, |clock| clock.assemblies[k])
    }

    /// A new window of an assembly; when its leg ends.
    pub(super) fn open_window(&mut self, assembly: usize, t: f64) -> Result<f64, SimError> {
        if self.whole.exposed[assembly].is_empty() {
            return Ok(t);
        }
        let lead = self.lead[assembly];
        let window = &mut self.windows[assembly];
        let (bounds, t1) = match (&mut self.clocks[lead], &self.flights[lead]) {
            (_, Some(flight)) => (window.open_for_ball(flight, self.grid.size, t), flight.t1),
            (Some(clock), _) => {
                (clock.open_window(&self.whole, (assembly, self.grid.size), t, window)?, clock.t1)
            }
            _ => return Ok(t),
        };
        self.grid.set(assembly, &bounds);
        Ok(t1)
    }

    /// A new window of an assembly, and whom it may meet in it. A ball expects the end of its flight in its last window
    /// only: most flights end before, and what would be due in the far future is not what the queue should be full of.
    pub(super) fn renew(&mut self, assembly: usize, t: f64) -> Result<(), SimError> {
        let end = self.flights[assembly].as_ref().map(|flight| flight.t1);
        if self.whole.exposed[assembly].is_empty() {
            end.into_iter().for_each(|t1| self.expect_end(assembly, t1));
            return Ok(());
        }
        let (lead, t1) = (self.lead[assembly], self.open_window(assembly, t)?);
        let Window { until, stamp, .. } = self.windows[assembly];
        if until < t1 {
            let (a, b) = (Tag::new(assembly, stamp), Tag::new(assembly, 0));
            self.queue.push(Entry { t: until, due: Due::Window, a, b, site: 0 });
        } else if let Some(t1) = end {
            self.expect_end(assembly, t1);
        }
        let mut near = std::mem::take(&mut self.near);
        self.grid.near(assembly, &mut near);
        near.retain(|&other| self.lead[other] != lead);
        self.windows[assembly].learn(near.len());
        let result = near.iter().try_for_each(|&other| self.foresee(assembly, other, t));
        self.near = near;
        result
    }

    /// When two assemblies meet within the windows of both.
    fn foresee(&mut self, a: usize, b: usize, t: f64) -> Result<(), SimError> {
        let to = self.windows[a].until.min(self.windows[b].until);
        let balls = self.flights[a].is_some() && self.flights[b].is_some();
        let found = match balls {
            true => self.foresee_balls((a, b), (t, to)),
            false => self.foresee_clusters((a, b), (t, to))?,
        };
        if let Some((t, site)) = found {
            let (a, b) = (a.min(b), a.max(b));
            let tag = |assembly: usize| Tag::new(assembly, self.stamps[assembly]);
            self.queue.push(Entry { t, due: Due::Meeting, a: tag(a), b: tag(b), site });
        }
        Ok(())
    }

    /// When and where two balls in flight meet. Whether they may touch is asked of those only whose ways meet.
    fn foresee_balls(&mut self, (a, b): (usize, usize), (t, to): (f64, f64)) -> Option<(f64, u32)> {
        let (one, other) = (self.flights[a].as_ref()?, self.flights[b].as_ref()?);
        let to = to.min(one.t1).min(other.t1);
        let meets = one.meets(other, one.reach + other.reach, (t, to))?;
        if self.whole.is_single(a) && self.whole.is_single(b) {
            return self.whole.may_touch(a, b).then_some((meets, ANY));
        }
        self.whole.sites_between(a, b, &mut self.sites);
        let mut found: Option<(f64, u32)> = None;
        for &site in &self.sites {
            let SiteGeometry::Spheres { spheres, .. } = &self.whole.sites[site].geometry else {
                continue;
            };
            let (radii, to) = (spheres.a.radius + spheres.b.radius, found.map_or(to, |f| f.0));
            found = one.meets(other, radii, (t, to)).map(|t| (t, site as u32)).or(found);
        }
        found
    }

    /// When and where two clusters meet, or a cluster and a ball.
    fn foresee_clusters(
        &mut self,
        (a, b): (usize, usize),
        (t, to): (f64, f64),
    ) -> Result<Option<(f64, u32)>, SimError> {
        self.find_sites(a, b);
        if self.sites.is_empty() {
            return Ok(None);
        }
        let mut parties = [self.take_party(self.lead[a]), self.take_party(self.lead[b])];
        let to = parties.iter().fold(to, |to, party| to.min(party.span().1));
        let mut meeting = Meeting {
            whole: &self.whole,
            parties: &mut parties,
            sites: &self.sites,
            overlapping: Vec::new(),
        };
        let search = (&mut self.locator, &mut self.guards);
        let found = meeting.first((t, to), search, &mut self.met);
        parties.into_iter().for_each(|party| self.put_party(party));
        let site = self.met.pop();
        self.met.clear();
        Ok(found?.zip(site.map(|site| site as u32)))
    }

    /// The sites between two assemblies.
    pub(super) fn find_sites(&mut self, a: usize, b: usize) {
        self.whole.sites_between(a, b, &mut self.sites);
    }
}
