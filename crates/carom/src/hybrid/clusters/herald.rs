//! What a run of several clusters tells: rows of the whole, events in its numbers.
//!
//! # Rows
//! With at most [`FEW`] assemblies there is a row at every step of every clock and on both sides of every event, as for
//! one cluster. With more there are rows at intervals only, the one asked for or a [`SPANS`]-th of the run, and events
//! hold the coordinates of their own cluster: what is kept grows with the events, not with their number times that of
//! the bodies.

use super::ball::{Ball, Fixed};
use super::clock::Clock;
use super::flight::Flight;
use super::handover::add;
use super::members::Whole;
use crate::contact::Mode;
use crate::hybrid::options::{Options, Output};
use crate::hybrid::sampling::Teller;
use crate::model::BodyId;
use crate::record::{Event, EventKind, Ledger, Sample};
use crate::spatial::Force;
use std::collections::HashMap;

/// Assemblies up to which rows and events tell the whole.
pub(crate) const FEW: usize = 8;
/// Rows of a run of many assemblies where no interval is asked for.
const SPANS: f64 = 500.0;

/// Who takes part in an event: its bodies, where their coordinates and velocities are in the whole, and the sites of the
/// whole that its sites are.
pub(crate) struct Roster<'r> {
    pub bodies: &'r [BodyId],
    pub q: &'r [usize],
    pub v: &'r [usize],
    pub places: &'r [usize],
}

/// The whole at one time, as it is told.
pub(crate) struct Herald {
    pub t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    modes: Vec<Mode>,
    forces: Vec<[f64; 3]>,
    gaps: Vec<f64>,
    loops: Vec<Force>,
    ledger: Ledger,
    initial: f64,
    event: Event,
    /// The numbers under which sites that came to be are known; never iterated.
    told: HashMap<(usize, usize), usize>,
    /// Rows and events tell the whole.
    pub few: bool,
    /// Rows at every step.
    pub steps: bool,
    /// Rows at multiples of this, s.
    pub interval: Option<f64>,
    /// How many of those there were.
    pub rows: u64,
}

impl Herald {
    pub fn new(whole: &Whole<'_>, options: &Options, span: f64) -> Self {
        let (nq, nv, ns) = (whole.model.nq(), whole.model.nv(), whole.declared);
        let few = whole.assemblies.len() <= FEW;
        let interval = match options.output {
            Output::Interval(dt) => Some(dt),
            _ if few => None,
            _ => Some(span / SPANS),
        };
        Self {
            t: f64::NAN,
            q: vec![0.0; nq],
            v: vec![0.0; nv],
            vdot: vec![0.0; nv],
            modes: vec![Mode::Open; ns],
            forces: vec![[0.0; 3]; ns],
            gaps: vec![f64::INFINITY; ns],
            loops: vec![Force::zero(); whole.model.loops().len()],
            ledger: Ledger::new(ns),
            initial: 0.0,
            event: Event::empty(nq, nv),
            told: HashMap::new(),
            few,
            steps: few && options.output == Output::Steps,
            interval,
            rows: 1,
        }
    }

    /// The energy at the start, J.
    pub fn begin(&mut self, initial: f64) {
        self.initial = initial;
    }

    /// Begin a row.
    pub fn open(&mut self, t: f64, settled: &Ledger) {
        self.t = t;
        self.ledger.clone_from(settled);
        (self.ledger.initial, self.ledger.kinetic) = (self.initial, 0.0);
        (self.ledger.gravity, self.ledger.spring) = (0.0, 0.0);
    }

    /// What a cluster has to say of the row: its state was presented.
    pub fn read(&mut self, clock: &mut Clock<'_>) {
        let Clock { members, course, y, .. } = clock;
        let excerpt = &members.excerpt;
        let nq = excerpt.q.len();
        let flow = course.flow.get_mut();
        for (own, &at) in excerpt.q.iter().enumerate() {
            self.q[at] = y[own];
        }
        for (own, &at) in excerpt.v.iter().enumerate() {
            (self.v[at], self.vdot[at]) = (y[nq + own], flow.vdot[own]);
        }
        for (own, &at) in excerpt.loops.iter().enumerate() {
            self.loops[at] = flow.loops[own];
        }
        let declared = self.modes.len();
        let places = members.places.iter().enumerate();
        for (own, &at) in places.filter(|(_, at)| **at < declared) {
            self.modes[at] = flow.contacts.modes[own];
            self.forces[at] = flow.contacts.forces[own];
            self.gaps[at] = course.gaps[own];
        }
        add(&mut self.ledger, &course.ledger, &members.places);
        self.ledger.kinetic += course.ledger.kinetic;
        self.ledger.gravity += course.ledger.gravity;
        self.ledger.spring += course.ledger.spring;
    }

    /// What a ball in flight has to say of it.
    pub fn read_ball(&mut self, ball: &Ball, flight: &Flight, fixtures: &[Fixed]) {
        let t = self.t;
        flight.write(ball, t, &mut self.q[ball.q.clone()], &mut self.v[ball.v.clone()]);
        let plain = if ball.planar { 2 } else { 3 };
        self.vdot[ball.v.clone()].fill(0.0);
        match flight.support() {
            Some(_) => flight.write_rates(ball, t, &mut self.vdot[ball.v.clone()]),
            None => self.vdot[ball.v.start..][..plain]
                .copy_from_slice(&ball.fall_in_joint.as_slice()[..plain]),
        }
        let motion = flight.motion(t);
        self.ledger.kinetic += ball.kinetic(&motion.v, &motion.w);
        self.ledger.gravity -= ball.mass * ball.gravity.dot(&motion.r);
        let declared = self.modes.len();
        for wall in ball.walls.iter().filter(|wall| wall.site < declared) {
            self.gaps[wall.site] = fixtures[wall.fixture].gap(&motion.r, wall.radius).0;
            self.forces[wall.site] = [0.0; 3];
            self.modes[wall.site] = Mode::Open;
        }
    }

    /// What the plane does that a ball glides on: its mode, its force along the axes of the site, and its work so far.
    pub fn read_support(&mut self, site: usize, (mode, force): (Mode, [f64; 3]), work: f64) {
        self.ledger.sites[site].sliding += work;
        if site < self.modes.len() {
            (self.modes[site], self.forces[site]) = (mode, force);
        }
    }

    /// The gap of a site between two clusters.
    pub fn read_gap(&mut self, site: usize, gap: f64) {
        (self.gaps[site], self.forces[site], self.modes[site]) = (gap, [0.0; 3], Mode::Open);
    }

    /// Tell the row.
    pub fn tell_row(&self, teller: &mut Teller<'_>) {
        teller.sample(&Sample {
            t: self.t,
            q: &self.q,
            v: &self.v,
            vdot: &self.vdot,
            modes: &self.modes,
            forces: &self.forces,
            torques: &[],
            gaps: &self.gaps,
            loops: &self.loops,
            ledger: &self.ledger,
        });
    }

    /// The ledger of the last row.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// State of the last row.
    pub fn state(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.v)
    }

    /// Tell an event of a cluster in the numbers of the whole; where the whole is
    /// told the row before the event must have been read, and `elsewhere` is the kinetic energy of all other clusters.
    pub fn tell_event(
        &mut self,
        own: &Event,
        (roster, whole): (&Roster<'_>, &Whole<'_>),
        elsewhere: f64,
        teller: &mut Teller<'_>,
    ) {
        let event = &mut self.event;
        event.t = own.t;
        event.kind = own.kind;
        event.contacts.clone_from(&own.contacts);
        let (declared, told) = (self.modes.len(), &mut self.told);
        for change in &mut event.contacts {
            let place = roster.places[change.site];
            change.site = place;
            if place >= declared {
                // Sites that come to be are told of, and numbered, when something happens there.
                let next = declared + told.len();
                change.site = *told.entry(whole.key(place)).or_insert_with(|| {
                    teller.site(next, &whole.named(place));
                    next
                });
            }
        }
        event.attenuation_work = own.attenuation_work;
        event.remaining_time = own.remaining_time;
        (event.solved, event.rescue) = (own.solved, own.rescue);
        event.energy_before = own.energy_before + elsewhere;
        event.energy_after = own.energy_after + elsewhere;
        event.bodies.clear();
        if self.few {
            event.q.clone_from(&self.q);
            event.v_pre.clone_from(&self.v);
            roster.q.iter().zip(&own.q).for_each(|(&at, q)| event.q[at] = *q);
            roster.v.iter().zip(&own.v_pre).for_each(|(&at, v)| event.v_pre[at] = *v);
            event.v_post.clone_from(&event.v_pre);
            roster.v.iter().zip(&own.v_post).for_each(|(&at, v)| event.v_post[at] = *v);
            // What follows at the same instant starts from here.
            self.v.clone_from(&event.v_post);
        } else {
            event.bodies.extend_from_slice(roster.bodies);
            event.q.clone_from(&own.q);
            event.v_pre.clone_from(&own.v_pre);
            event.v_post.clone_from(&own.v_post);
        }
        teller.event(event);
    }

    /// Everything has come to rest in the last row.
    pub fn tell_rest(&mut self, t: f64, teller: &mut Teller<'_>) {
        let event = &mut self.event;
        event.clear();
        (event.t, event.kind) = (t, EventKind::Rest);
        event.bodies.clear();
        event.q.clone_from(&self.q);
        event.v_pre.clone_from(&self.v);
        event.v_post.clone_from(&self.v);
        (event.energy_before, event.energy_after) = (self.ledger.kinetic, self.ledger.kinetic);
        teller.event(event);
    }
}
