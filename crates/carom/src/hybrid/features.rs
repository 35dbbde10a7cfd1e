//! Pairs of polytopes along a run: which features their sites stand for, and when they meet.
//!
//! # Law
//! s is the separation of a pair ([`separation`](crate::geometry::separation)), δ the reach of features beyond their
//! ends, ε the depth [`UNWATCHED`]; all lengths as fractions of the size of the pair.
//! ```text
//! far, s > 5 %:    one guard for the pair, s falls through 0                                    (1)
//! near:            one guard for the gap of each open site, and s − g + ε falls through 0       (2)
//! closed site:     the contact point leaves its features, extent + 2δ falls through 0           (3)
//! ```
//! g ≤ 0 is the least gap of the closed sites, zero but for what the dense output is off by: beyond that ε nothing may overlap that
//! no site stands for. (1) finds any contact, (2) the exact gap of each corner, and what no site stands for to within ε. Features are
//! assigned anew at every event and at the start of every step.
//!
//! # No missed collision
//! No two points of the pair approach each other faster than L, the relative velocity of the centres of their balls
//! plus ω times the radius of each ball. While s > 0 the shapes cannot meet within s/L, so that
//! ```text
//! t ← t + max(s, η)/L                                                                           (4)
//! ```
//! either reaches the end of the step or a time at which s < −ε (conservative advancement). The guards are then
//! located on the step up to that time, where (1) or (2) has changed its sign, however short the overlap was. η is a
//! thousandth of the width of the shapes; a passage shallower than η/2 is left to the locator. L is the largest of
//! nine times of the step, and a quarter more; a step in which that is more than a thousand sizes of a pair is looked at in parts, each with
//! its own L; pairs that bodies could not bring together by their own speeds are not looked at.
//!
//! Steps of (4) that begin with s > η′, a hundredth of η, pass over nothing: s stays above η′/5. For a pair whose sites are corners over
//! a face, or edges that cross, the same holds of how far all others are from touching ([`PolytopePair::margin`]), in the place of s. A pair
//! all of whose steps were such has not met by features that no site stands for. It is *quiet*, and its guard is
//! ```text
//! a constant above zero for the step                                                            (5)
//! ```
//! so that of many pairs only those that are near each other cost anything while guards are located.
//!
//! # Tests
//! `tests/polytopes.rs`, `tests/fast_pairs.rs`.

use super::flow::Flow;
use super::guards::Watch;
use crate::contact::polytope_pair::{NEAR, PolytopePair};
use crate::contact::site_state::body_twist;
use crate::contact::{Mode, SiteGeometry};
use crate::geometry::{Approach, BodyMotion, Polytope};
use crate::model::BodyId;
use crate::numeric::thresholds::{EXTENT, SAME_MOTION, UNWATCHED};
use carom_ode::{Dense, Guard};
use nalgebra::Vector3;

/// η of equation (4), a fraction of the width of the shapes.
const RESOLUTION: f64 = 1e-3;

/// η′ as a fraction of η.
const PROVEN: f64 = 1e-2;

/// Steps of equation (4) shorter than η/L in one step of the integrator; beyond, all are that long at least.
const MOST_SHORT: usize = 200;

/// Steps of equation (4) in one step of the integrator after which the locator is left alone.
const MOST_ADVANCES: usize = 20_000;

/// How many of its sizes a pair may move, by L, before a step of the integrator is looked at in parts.
const MOST_SIZES: f64 = 1000.0;

/// Parts of one step of the integrator after which the locator is left alone.
const MOST_PARTS: usize = 1000;

/// Beyond this many pairs gaps of those that are far are told by lower bounds.
const FEW: usize = 64;

/// Gaps up to this many δ are closed where one feature takes over from another.
const TAKES_OVER: f64 = 4.0;

/// A pair of polytopes under way.
pub(crate) struct Facing {
    pub pair: PolytopePair,
    /// Added to the separation in its guard: ε near, 0 far, m.
    slack: f64,
    /// L of equation (4) for the step at hand, m/s; zero for pairs that need not be looked at.
    speed: f64,
    /// The same for how fast the bodies turn against each other, rad/s.
    turn: f64,
    /// (4) has found s > η′ so far.
    free: bool,
    /// The same of all parts of a step so far.
    stays_free: bool,
    /// Some site is closed: m takes the place of s.
    closed: bool,
    /// (5) holds in the step at hand.
    quiet: bool,
    /// The separation that was searched for last, m.
    found: f64,
}

/// A closed site whose features are gone.
struct Gone {
    site: usize,
    mode: Mode,
    x: Vector3<f64>,
    u: [f64; 3],
    reference: [f64; 3],
    bodies: (Option<BodyId>, Option<BodyId>),
}

/// A closed site whose features are gone and whose contact nothing took over: the contact has ended.
pub(crate) struct Lost {
    pub site: usize,
    /// Mode before.
    pub mode: Mode,
    /// Relative velocity before.
    pub u: [f64; 3],
}

/// All pairs of polytopes.
#[derive(Default)]
pub(crate) struct Facings {
    all: Vec<Facing>,
    /// Which pair each site belongs to, up to the last that belongs to one.
    of_site: Vec<Option<usize>>,
    /// Contacts that ended when features were last assigned.
    pub lost: Vec<Lost>,
    /// Modes and places of closed sites whose features are gone.
    gone: Vec<Gone>,
    /// Sites with new features.
    fresh: Vec<usize>,
    /// State and end of a shortened step.
    y: Vec<f64>,
    /// Largest speed of each body and of its turning in the step at hand, m/s and rad/s.
    paces: Vec<[f64; 2]>,
}

impl Facings {
    pub fn new(pairs: Vec<PolytopePair>) -> Self {
        let mut of_site = Vec::new();
        for (k, pair) in pairs.iter().enumerate() {
            of_site.resize(of_site.len().max(pair.sites().end), None);
            of_site[pair.sites()].fill(Some(k));
        }
        let all = pairs.into_iter();
        let all = all
            .map(|pair| Facing {
                pair,
                slack: 0.0,
                speed: 0.0,
                turn: 0.0,
                free: false,
                stays_free: false,
                closed: false,
                quiet: false,
                found: f64::INFINITY,
            })
            .collect();
        Self { all, of_site, ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A bound of the speed at which points of a pair approach each other in the step, by the speeds of its bodies, m/s.
    fn coarse_speed(&self, k: usize) -> f64 {
        let pair = &self.all[k].pair;
        let of = |body: Option<BodyId>, shape: &Polytope| {
            let Some(body) = body else { return 0.0 };
            let [v, w] = self.paces[body.index()];
            v + w * (shape.center.norm() + shape.reach)
        };
        of(pair.bodies[0], &pair.shapes[0]) + of(pair.bodies[1], &pair.shapes[1])
    }

    /// Which work each site adds to, sites of one pair to the same, and how many there are.
    pub fn works(&self, sites: usize) -> (Vec<usize>, usize) {
        let (mut works, mut count) = (Vec::with_capacity(sites), 0);
        for site in 0..sites {
            let shared = self.of_site(site).filter(|_| site > 0);
            if shared.is_none() || shared != self.of_site(site - 1) {
                count += 1;
            }
            works.push(count - 1);
        }
        (works, count)
    }

    /// Which pair a site belongs to.
    fn of_site(&self, site: usize) -> Option<usize> {
        self.of_site.get(site).copied().flatten()
    }
}

impl Flow<'_> {
    fn motions(&self, k: usize) -> [BodyMotion; 2] {
        self.facings.all[k].pair.bodies.map(|b| body_twist(self.model, &self.posture.kin, b))
    }

    /// Assign features to the sites of all pairs; whether some site stands for something else now. At an event closed
    /// sites may lose their features, and their modes pass on to those that take over.
    pub fn assign_features(&mut self, q: &[f64], v: &[f64], event: bool) -> bool {
        self.facings.fresh.clear();
        self.facings.lost.clear();
        if self.facings.is_empty() {
            return false;
        }
        self.posture.place(q, v);
        let mut changed = false;
        for k in 0..self.facings.all.len() {
            changed |= self.assign_pair(k, (q, v), event);
        }
        changed
    }

    fn assign_pair(&mut self, k: usize, (q, v): (&[f64], &[f64]), event: bool) -> bool {
        let [a, b] = self.motions(k);
        let Facings { all, gone, fresh, .. } = &mut self.facings;
        let Facing { pair, slack, .. } = &mut all[k];
        let idle = pair.features.iter().all(Option::is_none);
        let far = NEAR * pair.size;
        if idle && pair.surely_apart(&a, &b, far) > far {
            *slack = 0.0;
            return false;
        }
        gone.clear();
        let before = fresh.len();
        let (modes, sites) = (&mut self.contacts.modes, &mut self.sites);
        let (states, references) = (&self.contacts.states, &mut self.contacts.references);
        let held_open = &mut self.contacts.held_open;
        let seen = &mut self.contacts.seen;
        let first = pair.first;
        let closed = pair
            .sites()
            .fold(0_u32, |bits, s| bits | u32::from(modes[s].is_closed()) << (s - first));
        let mut changed = false;
        let was_closed = |site: usize| closed >> (site - first) & 1 == 1;
        pair.assign((&a, &b), (was_closed, event), |site, geometry| {
            changed = true;
            let bodies = sites[site].bodies();
            sites[site].geometry = geometry;
            // What was known of the site belonged to other features.
            seen[site] = 0;
            held_open[site] = false;
            if matches!(geometry, SiteGeometry::Idle { .. }) {
                if modes[site].is_closed() {
                    let (mode, x, u) = (modes[site], states[site].x, states[site].u);
                    gone.push(Gone { site, mode, x, u, reference: references[site], bodies });
                }
                modes[site] = Mode::Open;
                references[site] = [0.0; 3];
                fresh.retain(|s| *s != site);
            } else {
                fresh.push(site);
            }
        });
        let near = pair.features.iter().any(Option::is_some);
        *slack = if near { UNWATCHED * pair.size } else { 0.0 };
        for at in before..self.facings.fresh.len() {
            let site = self.facings.fresh[at];
            self.observe(site, q, v);
        }
        self.take_over(k, before);
        changed
    }

    /// New sites that touch take over the modes of those that are gone, the nearest first; what finds no heir is lost.
    fn take_over(&mut self, k: usize, before: usize) {
        let bound = TAKES_OVER * self.facings.all[k].pair.delta();
        let Facings { gone, fresh, lost, .. } = &mut self.facings;
        for Gone { site, mode, x, u, reference, bodies } in gone.drain(..) {
            let states = &self.contacts.states;
            let modes = &self.contacts.modes;
            let far = |s: usize| (states[s].x - x).norm();
            let heirs = fresh[before..].iter().copied();
            // A surface that turns a corner sharply is another contact: it hits or leaves.
            let same = |s: usize| states[s].u[2].abs() <= SAME_MOTION * states[s].speed;
            let touches = |s: usize| states[s].gap.abs() <= bound && same(s);
            let heirs = heirs.filter(|&s| touches(s) && !modes[s].is_closed());
            if let Some(heir) = heirs.min_by(|&i, &j| far(i).total_cmp(&far(j))) {
                // Slip is that of the second body relative to the first.
                let turned = self.sites[heir].bodies() != bodies;
                self.contacts.modes[heir] = match mode {
                    Mode::Slip { reference } if turned => Mode::Slip { reference: -reference },
                    mode => mode,
                };
                self.contacts.references[heir] = [0.0, 0.0, reference[2]];
            } else {
                lost.push(Lost { site, mode, u });
            }
        }
    }

    /// At an event: features anew, and what the guards of pairs have found becomes gaps that are closed. Whether some
    /// site stands for something else now.
    pub fn renew_features(
        &mut self,
        fired: &mut Vec<(usize, Watch)>,
        q: &[f64],
        v: &[f64],
    ) -> bool {
        if self.facings.is_empty() {
            return false;
        }
        let changed = self.assign_features(q, v, true);
        for &site in &self.facings.fresh {
            if self.contacts.modes[site].is_closed() {
                fired.push((site, Watch::Extent));
            }
        }
        let mut met = [usize::MAX; 8];
        let mut count = 0;
        for (site, _) in fired.iter().filter(|f| f.1 == Watch::Separation) {
            if count < met.len() {
                met[count] = *site;
                count += 1;
            }
        }
        let (sites, facings, states) = (&self.sites, &self.facings, &self.contacts.states);
        // What fired may have lost its features to others that do not touch.
        let apart = |s: usize| {
            let bound = |k: usize| TAKES_OVER * facings.all[k].pair.delta();
            facings.fresh.contains(&s)
                && facings.of_site(s).is_some_and(|k| states[s].gap > bound(k))
        };
        let idle = |s: usize| matches!(sites[s].geometry, SiteGeometry::Idle { .. });
        let stands = |s: usize| !idle(s) && !apart(s);
        fired.retain(|&(s, w)| !matches!(w, Watch::Separation) && (w != Watch::Gap || stands(s)));
        for k in 0..self.facings.all.len() {
            let range = self.facings.all[k].pair.sites();
            let bound = TAKES_OVER * self.facings.all[k].pair.delta();
            let closed = range.clone().any(|s| self.contacts.modes[s].is_closed());
            let found = met[..count].contains(&range.start);
            if !(closed || found) {
                continue;
            }
            let mut lowest: Option<(f64, usize)> = None;
            for site in range {
                if self.contacts.modes[site].is_closed()
                    || matches!(self.sites[site].geometry, SiteGeometry::Idle { .. })
                {
                    continue;
                }
                self.observe(site, q, v);
                let gap = self.contacts.states[site].gap;
                let fresh = closed && self.facings.fresh.contains(&site) && gap <= bound;
                if fresh && !fired.contains(&(site, Watch::Gap)) {
                    fired.push((site, Watch::Gap));
                }
                if lowest.is_none_or(|(g, _)| gap < g) {
                    lowest = Some((gap, site));
                }
            }
            if let Some((gap, site)) = lowest.filter(|_| found)
                && gap <= bound
                && !fired.contains(&(site, Watch::Gap))
            {
                fired.push((site, Watch::Gap));
            }
        }
        changed
    }

    /// Smallest separation of a pair that is not watched corner by corner.
    pub fn far_gap(&mut self, site: usize) -> Option<f64> {
        let k = self.facings.of_site(site)?;
        let many = self.facings.all.len() > FEW;
        let pair = &self.facings.all[k].pair;
        if site != pair.first || pair.features.iter().any(Option::is_some) {
            return None;
        }
        let [a, b] = self.motions(k);
        Some(self.facings.all[k].pair.told_gap([&a, &b], many))
    }

    /// Pairs whose separation is below what may be at the start: the first site of one, and its separation.
    pub fn deepest_overlap(&mut self) -> Option<(usize, f64)> {
        let mut deepest: Option<(usize, f64)> = None;
        for k in 0..self.facings.all.len() {
            let [a, b] = self.motions(k);
            let pair = &mut self.facings.all[k].pair;
            // A shape far below the ground is apart from its triangles.
            if pair.terrain.is_none() && pair.surely_apart(&a, &b, 0.0) > 0.0 {
                continue;
            }
            let s = pair.overlap(&a, &b);
            if deepest.is_none_or(|(_, least)| s < least) {
                deepest = Some((pair.first, s));
            }
        }
        deepest
    }

    /// The guards (1), (2) of pairs that move and (3) of closed sites.
    pub fn watch_features(&mut self, guards: &mut Vec<Guard>) {
        for k in 0..self.facings.all.len() {
            self.facings.all[k].quiet = false;
            let range = self.facings.all[k].pair.sites();
            if !self.moves(range.start) || self.carried[range.start].is_some() {
                continue;
            }
            let size = self.facings.all[k].pair.size
                + self.posture.kin.links.iter().fold(0.0, |m, l| l.r.amax().max(m));
            let noise = 8.0 * f64::EPSILON * size;
            self.watches.push((range.start, Watch::Separation));
            guards.push(Guard::falling(noise));
            // Corners do not leave a plane, which has no end.
            let ends = self.facings.all[k].pair.on_plane.is_none();
            for site in range.filter(|_| ends) {
                if self.contacts.modes[site].is_closed() {
                    self.watches.push((site, Watch::Extent));
                    guards.push(Guard::falling(noise));
                }
            }
        }
    }

    /// Value and rate of the guard (1) or (2) of a pair, by its first site.
    pub fn separation_guard(&mut self, site: usize) -> Option<Approach> {
        let k = self.facings.of_site(site)?;
        if self.facings.all[k].quiet {
            return Some(Approach { gap: self.facings.all[k].pair.size, rate: 0.0 });
        }
        let [a, b] = self.motions(k);
        let Facing { pair, slack, .. } = &mut self.facings.all[k];
        let apart = pair.apart(&a, &b);
        if apart > pair.size {
            return Some(pair.ball_approach(&a, &b));
        }
        let now = pair.separation(&a, &b);
        let rate = pair.approach(now.features, &a, &b).rate;
        let c = &self.contacts;
        let seen = |s: &usize| c.modes[*s].is_closed() && c.seen[*s] == self.posture.count;
        let drift = pair.sites().filter(seen).fold(0.0_f64, |g, s| g.min(c.states[s].gap));
        Some(Approach { gap: now.gap - drift + *slack, rate })
    }

    /// Value of the guard (3) of a closed site.
    pub fn extent_guard(&mut self, site: usize) -> Option<f64> {
        let k = self.facings.of_site(site)?;
        let [a, b] = self.motions(k);
        let pair = &mut self.facings.all[k].pair;
        Some(pair.extent(site, &a, &b) + 2.0 * EXTENT * pair.size)
    }

    /// Equation (4): when some pair overlaps within the step, if one does; which are quiet up to then, or to the end, and
    /// whether others are than before. Nobody asks for what is after `end`.
    pub fn first_overlap(&mut self, dense: &Dense<'_>, end: f64) -> (Option<f64>, bool) {
        if self.facings.is_empty() {
            return (None, false);
        }
        let mut y = std::mem::take(&mut self.facings.y);
        y.resize(self.len(), 0.0);
        let whole = [dense.t0(), dense.t1()];
        let found = match self.watch_pairs((dense, whole), &mut y) {
            true if self.is_long(whole) => self.advance_by_parts((dense, end), &mut y),
            true => self.advance((dense, whole), &mut y),
            false => None,
        };
        let mut turned = false;
        for f in &mut self.facings.all {
            turned |= std::mem::replace(&mut f.quiet, f.free) != f.free;
        }
        self.facings.y = y;
        (found, turned)
    }

    fn sight(&mut self, dense: &Dense<'_>, t: f64, y: &mut [f64]) {
        dense.state(t, y);
        let (q, v, _) = self.split(y);
        self.posture.sight(q, v);
    }

    /// Whether some pair may need more steps of (4) than one L should serve.
    fn is_long(&self, [t0, t1]: [f64; 2]) -> bool {
        self.facings.all.iter().any(|f| f.speed * (t1 - t0) > MOST_SIZES * f.pair.size)
    }

    /// Equation (4) in parts of the step, each with an L of its own: what falls freely is integrated in steps of minutes, at the
    /// end of which it would be fast.
    fn advance_by_parts(&mut self, (dense, end): (&Dense<'_>, f64), y: &mut [f64]) -> Option<f64> {
        let (mut t, end) = (dense.t0(), dense.t1().min(end));
        self.facings.all.iter_mut().for_each(|f| f.stays_free = true);
        for _ in 0..MOST_PARTS {
            let mut part = [t, end];
            let mut meets = self.watch_pairs((dense, part), y);
            while meets && self.is_long(part) {
                part[1] = t + 0.25 * (part[1] - t);
                meets = self.watch_pairs((dense, part), y);
            }
            let found = if meets { self.advance((dense, part), y) } else { None };
            self.facings.all.iter_mut().for_each(|f| f.stays_free &= f.free);
            t = part[1];
            if found.is_some() || t >= end {
                self.facings.all.iter_mut().for_each(|f| f.free = f.stays_free);
                return found;
            }
        }
        self.rouse();
        None
    }

    /// The nine times of a step, or of a part of it, at which speeds are asked for.
    fn times([t0, t1]: [f64; 2]) -> impl Iterator<Item = f64> + use<> {
        (0..9).map(move |i| if i == 8 { t1 } else { t0 + (t1 - t0) * f64::from(i) / 8.0 })
    }

    /// Speeds of the pairs that could meet within the step; whether there are any.
    fn watch_pairs(&mut self, (dense, part): (&Dense<'_>, [f64; 2]), y: &mut [f64]) -> bool {
        let h = part[1] - part[0];
        self.pace_bodies((dense, part), y);
        self.sight(dense, part[0], y);
        let mut any = false;
        for k in 0..self.facings.all.len() {
            let pair = &self.facings.all[k].pair;
            let closed = pair.sites().any(|s| self.contacts.modes[s].is_closed());
            let meets = closed || {
                let [a, b] = self.motions(k);
                let reached = 1.25 * h * self.facings.coarse_speed(k);
                let pair = &mut self.facings.all[k].pair;
                // A plane that moves reaches everywhere; at rest that is no number.
                reached.is_nan() || pair.surely_apart(&a, &b, reached) <= reached
            };
            let f = &mut self.facings.all[k];
            (f.turn, f.free, f.closed) = (0.0, true, closed);
            f.speed = if meets { f64::MIN_POSITIVE } else { 0.0 };
            any |= meets;
        }
        if !any {
            return false;
        }
        for t in Self::times(part) {
            self.sight(dense, t, y);
            for k in 0..self.facings.all.len() {
                if self.facings.all[k].speed > 0.0 {
                    let [a, b] = self.motions(k);
                    let f = &mut self.facings.all[k];
                    f.speed = f.speed.max(1.25 * f.pair.closing_speed(&a, &b));
                    f.turn = f.turn.max(1.25 * (b.w - a.w).norm());
                }
            }
        }
        self.sight(dense, part[0], y);
        let mut any = false;
        for k in 0..self.facings.all.len() {
            if self.facings.all[k].speed > 0.0 {
                let [a, b] = self.motions(k);
                let f = &mut self.facings.all[k];
                let reached = f.speed * h;
                if !f.closed && f.pair.surely_apart(&a, &b, reached) > reached {
                    f.speed = 0.0;
                }
                any |= f.speed > 0.0;
            }
        }
        any
    }

    /// How fast each body moves and turns within the step.
    fn pace_bodies(&mut self, (dense, part): (&Dense<'_>, [f64; 2]), y: &mut [f64]) {
        let mut paces = std::mem::take(&mut self.facings.paces);
        paces.clear();
        paces.resize(self.model.bodies().len(), [0.0; 2]);
        for t in Self::times(part) {
            self.sight(dense, t, y);
            for (body, pace) in self.model.body_ids().zip(&mut paces) {
                let m = body_twist(self.model, &self.posture.kin, Some(body));
                *pace = [pace[0].max(m.v.norm()), pace[1].max(m.w.norm())];
            }
        }
        self.facings.paces = paces;
    }

    fn advance(&mut self, (dense, [t0, t1]): (&Dense<'_>, [f64; 2]), y: &mut [f64]) -> Option<f64> {
        let mut t = t0;
        for advance in 0..MOST_ADVANCES {
            if t > t0 {
                self.sight(dense, t, y);
            }
            let mut free = t1 - t;
            for k in 0..self.facings.all.len() {
                let f = &self.facings.all[k];
                if f.speed == 0.0 || f.closed && !f.free {
                    continue;
                }
                let [a, b] = self.motions(k);
                let Facing { pair, speed, turn, free: far, closed, found, .. } =
                    &mut self.facings.all[k];
                let least = RESOLUTION * (pair.shapes[0].width + pair.shapes[1].width);
                *far &= advance < MOST_SHORT;
                let margin = pair.margin([&a, &b], (*speed, *turn), t1 - t).filter(|_| *far);
                if let Some([time, _]) = margin.filter(|[_, m]| *m > PROVEN * least) {
                    free = free.min(time);
                    continue;
                }
                if *closed {
                    *far = false;
                    continue;
                }
                // A bound will do as long as it is half of what was found last.
                let apart = pair.surely_apart(&a, &b, pair.size.min(*speed * (t1 - t)));
                let half = (0.5 * *found).clamp(0.0, pair.size);
                let enough = apart > half || apart >= *speed * (t1 - t);
                let s = if enough { apart } else { pair.separation(&a, &b).gap };
                *found = if enough { *found } else { s };
                *far &= s > PROVEN * least;
                if s < -UNWATCHED * pair.size && t > dense.t0() {
                    return Some(t);
                }
                free = free.min(if *far { s } else { s.max(least) } / *speed);
            }
            if t >= t1 {
                return None;
            }
            // The last step lands on the end of the step exactly.
            t = if free >= t1 - t { t1 } else { t + free };
        }
        // Nothing is known of the rest of the step.
        self.rouse();
        None
    }

    /// Nothing is known of pairs that could meet.
    pub fn rouse(&mut self) {
        let could = self.facings.all.iter_mut().filter(|f| f.speed > 0.0);
        could.for_each(|f| (f.free, f.quiet) = (false, false));
    }
}
