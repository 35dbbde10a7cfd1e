//! What clusters hand on when they join and part: states, modes, reference forces, what is at rest, how events crowd.
//!
//! Works and energies are not handed on: a cluster that dissolves closes its ledger into that of the run, and one that
//! forms opens a new one with the energy that it has.

use super::ball::Ball;
use super::clock::Clock;
use crate::contact::Mode;

use crate::hybrid::rush::Rush;
use crate::hybrid::sharings::Sharings;
use crate::model::Model;
use crate::numeric::thresholds::NO_TIME;
use crate::record::{Ledger, SiteWork};
use crate::state::State;

/// The whole as its clusters left it.
pub(crate) struct Handover {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    frozen: Vec<bool>,
    modes: Vec<Mode>,
    references: Vec<[f64; 3]>,
    shared: Vec<Sharings>,
    /// Sites that took an impulse in a time step which their cluster did not live to end.
    pressed: Vec<bool>,
    /// End and length of the last time step of each degree of freedom, s.
    steps: Vec<(f64, f64)>,
    /// Time of the last event of each assembly, and how many there were without time passing.
    crowds: Vec<(f64, usize)>,
    rushes: Vec<Rush>,
    /// Works of clusters that have dissolved.
    pub ledger: Ledger,
}

impl Handover {
    pub fn new(model: &Model, state: &State, sites: usize, assemblies: usize) -> Self {
        let never = f64::NEG_INFINITY;
        Self {
            q: state.q.as_slice().to_vec(),
            v: state.v.as_slice().to_vec(),
            frozen: vec![false; model.nv()],
            modes: vec![Mode::Open; sites],
            references: vec![[0.0; 3]; sites],
            shared: vec![Sharings::NONE; sites],
            pressed: vec![false; sites],
            steps: vec![(never, 0.0); model.nv()],
            crowds: vec![(never, 0); assemblies],
            rushes: vec![Rush::default(); assemblies],
            ledger: Ledger::new(sites),
        }
    }

    /// Room for so many sites.
    pub fn grow(&mut self, sites: usize) {
        if sites > self.modes.len() {
            self.modes.resize(sites, Mode::Open);
            self.references.resize(sites, [0.0; 3]);
            self.shared.resize(sites, Sharings::NONE);
            self.pressed.resize(sites, false);
            self.ledger.sites.resize(sites, SiteWork::default());
        }
    }

    /// Whether a ball was left moving.
    pub fn leaves_moving(&self, ball: &Ball) -> bool {
        self.frozen[ball.v.clone()].iter().all(|frozen| !frozen)
    }

    /// The mode in which a site was left.
    pub fn mode(&self, site: usize) -> Mode {
        self.modes[site]
    }

    /// How many events an assembly has had without time passing, at time `t`.
    pub fn crowd(&self, assembly: usize, t: f64) -> usize {
        let (last, count) = self.crowds[assembly];
        if t - last > NO_TIME * t.abs() { 0 } else { count + 1 }
    }

    /// An event of an assembly that had no cluster.
    pub fn count_event(&mut self, assembly: usize, t: f64) {
        self.crowds[assembly] = (t, self.crowd(assembly, t));
    }

    /// Take over what a cluster leaves, and its ledger.
    pub fn take(&mut self, clock: &mut Clock<'_>) {
        let Clock { members, course, assemblies, .. } = clock;
        let excerpt = &members.excerpt;
        let (nq, nv) = (excerpt.q.len(), excerpt.v.len());
        excerpt.q.iter().zip(&course.y[..nq]).for_each(|(&at, q)| self.q[at] = *q);
        excerpt.v.iter().zip(&course.y[nq..nq + nv]).for_each(|(&at, v)| self.v[at] = *v);
        let flow = course.flow.get_mut();
        for (own, &at) in excerpt.v.iter().enumerate() {
            // What a time step carries does not rest.
            self.frozen[at] = flow.frozen[own] && !course.transition.carrier.carries[own];
            self.steps[at] = course.transition.carrier.last[own];
        }
        for (own, &at) in members.places.iter().enumerate() {
            self.modes[at] = flow.contacts.modes[own];
            self.references[at] = flow.contacts.references[own];
            self.shared[at] = course.transition.shared[own];
            self.pressed[at] = course.transition.carrier.pressed.contains(&own);
        }
        for &assembly in assemblies.iter() {
            self.crowds[assembly] = (course.crowd.last, course.crowd.count);
            self.rushes[assembly] = course.crowd.rush;
        }
        add(&mut self.ledger, &course.ledger, &members.places);
        course.transition.carrier.clear();
    }

    /// A cluster begins with what its members were left as. Its flow, guards and integrator are not started yet.
    pub fn give(&mut self, t: f64, clock: &mut Clock<'_>) {
        let Clock { members, course, assemblies, .. } = clock;
        let excerpt = &members.excerpt;
        let (nq, nv) = (excerpt.q.len(), excerpt.v.len());
        course.y.iter_mut().zip(&excerpt.q).for_each(|(q, &at)| *q = self.q[at]);
        course.y[nq..].iter_mut().zip(&excerpt.v).for_each(|(v, &at)| *v = self.v[at]);
        course.y[nq + nv..].fill(0.0);
        let flow = course.flow.get_mut();
        for (own, &at) in excerpt.v.iter().enumerate() {
            (flow.frozen[own], flow.held[own]) = (self.frozen[at], 0.0);
            course.transition.carrier.last[own] = self.steps[at];
        }
        for (own, &at) in members.places.iter().enumerate() {
            flow.contacts.modes[own] = self.modes[at];
            flow.contacts.references[own] = self.references[at];
            flow.carried[own] = None;
            course.transition.shared[own] = self.shared[at];
            if std::mem::take(&mut self.pressed[at]) {
                course.transition.carrier.pressed.push(own);
            }
        }
        let crowds = assemblies.iter().map(|&a| self.crowds[a]);
        let (last, count) = crowds.fold((f64::NEG_INFINITY, 0), |most, crowd| {
            (most.0.max(crowd.0), if crowd.0 == t { most.1.max(crowd.1) } else { most.1 })
        });
        let rushes = assemblies.iter().map(|&a| self.rushes[a]);
        let rush = rushes.fold(Rush::default(), Rush::join);
        course.crowd.join(last, count, rush);
        flow.creep.clear();
        flow.regroup();
        course.open_account();
    }
}

/// Add the works of a cluster to those of the whole.
pub(crate) fn add(total: &mut Ledger, own: &Ledger, places: &[usize]) {
    total.applied += own.applied;
    total.jolts += own.jolts;
    total.damping += own.damping;
    total.attenuation += own.attenuation;
    total.carried += own.carried;
    total.made += own.made;
    total.opened += own.opened;
    for (work, &at) in own.sites.iter().zip(places) {
        let site = &mut total.sites[at];
        site.sliding += work.sliding;
        site.impact_normal += work.impact_normal;
        site.impact_friction += work.impact_friction;
    }
}
