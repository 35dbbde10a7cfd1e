//! Events as the page reads them.

use super::film::Film;
use super::paths::ImpulsePath;
use super::retrace::Retrace;
use crate::run::{Account, ActuatorLine, ContactLine, EventLine, Table};
use carom::contact::Site;
use carom::model::{BodyId, Model};
use serde::Serialize;
use std::collections::HashMap;

/// Impacts whose paths are kept, at most.
pub(super) const TRACED: usize = 2000;

/// What one contact did. Velocities and impulses along t₁, t₂, n.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageContact {
    /// Place of the site.
    pub site: usize,
    /// Mode before.
    pub mode_before: String,
    /// Mode after.
    pub mode_after: String,
    /// Relative velocity before, m/s.
    pub velocity_before: [f64; 3],
    /// Relative velocity after, m/s.
    pub velocity_after: [f64; 3],
    /// Impulse, N·s.
    pub impulse: [f64; 3],
    /// Work of the normal impulse, J.
    pub normal_work: f64,
    /// Work of the friction impulse, J.
    pub friction_work: f64,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageEvent {
    /// Time, s.
    pub t: f64,
    /// Its sort.
    pub kind: String,
    /// The frame just after.
    pub frame: usize,
    /// Kinetic energy before, J.
    pub energy_before: f64,
    /// Kinetic energy after, J.
    pub energy_after: f64,
    /// Of a `close`: the time that further bounces would have taken, s.
    pub remaining_time: Option<f64>,
    /// Contacts that took part.
    pub contacts: Vec<PageContact>,
    /// Motors that met or left a limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorLine>,
    /// Paths in impulse space, one per colliding contact.
    pub paths: Option<Vec<ImpulsePath>>,
}

/// All events, and how many impacts were retraced.
pub(super) fn moments(account: &Account, sites: &[Site], film: &Film) -> (Vec<PageEvent>, usize) {
    let mut retrace = Retrace::new(&account.scene, sites);
    let mut clock = Clock::new(&account.scene.model, &account.table, film);
    let mut jumps = 0;
    let mut all = Vec::with_capacity(account.events.len());
    for event in &account.events {
        let mut moment = moment(event, sites);
        moment.frame = clock.frame(event);
        if event.is_jump() && jumps < TRACED {
            jumps += 1;
            moment.paths = retrace.as_mut().and_then(|r| r.paths(event));
        }
        all.push(moment);
    }
    (all, jumps)
}

fn moment(event: &EventLine, sites: &[Site]) -> PageEvent {
    let contact = |c: &ContactLine| {
        let site = sites.iter().position(|s| s.name == c.name)?;
        Some(PageContact {
            site,
            mode_before: c.mode_before.clone(),
            mode_after: c.mode_after.clone(),
            velocity_before: triple(&c.velocity_tangent_before, c.velocity_normal_before),
            velocity_after: triple(&c.velocity_tangent_after, c.velocity_normal_after),
            impulse: triple(&c.impulse_tangent, c.impulse_normal),
            normal_work: c.normal_work,
            friction_work: c.friction_work,
        })
    };
    PageEvent {
        t: event.t,
        kind: event.kind.clone(),
        frame: 0,
        energy_before: event.energy_before,
        energy_after: event.energy_after,
        remaining_time: event.remaining_time,
        contacts: event.contacts.iter().filter_map(contact).collect(),
        actuators: event.actuators.clone(),
        paths: None,
    }
}

fn triple(tangents: &[f64], normal: f64) -> [f64; 3] {
    let at = |i: usize| tangents.get(i).copied().unwrap_or(0.0);
    [at(0), at(1), normal]
}

/// Finds the frames of events, which come in order of time.
struct Clock<'a> {
    model: &'a Model,
    table: &'a Table,
    film: &'a Film,
    bodies: HashMap<&'a str, BodyId>,
    v: Vec<Option<usize>>,
    last: usize,
}

impl<'a> Clock<'a> {
    fn new(model: &'a Model, table: &'a Table, film: &'a Film) -> Self {
        let v = model.v_names().iter().map(|name| table.place(&format!("v.{name}"))).collect();
        let bodies = model.body_ids().map(|b| (model.body(b).name.as_str(), b)).collect();
        Self { model, table, film, bodies, v, last: 0 }
    }

    /// Columns of the velocities that an event tells.
    fn places(&self, event: &EventLine) -> Vec<Option<usize>> {
        if event.bodies.is_empty() {
            return self.v.clone();
        }
        let ids = event.bodies.iter().filter_map(|name| self.bodies.get(name.as_str()));
        ids.flat_map(|body| self.model.v_range(*body)).map(|i| self.v[i]).collect()
    }

    /// The frame just after an event. Where several pairs of samples have its time, it is the pair
    /// whose first has its velocity before.
    fn frame(&mut self, event: &EventLine) -> usize {
        let t = &self.film.t;
        let first = t.partition_point(|x| *x < event.t);
        let end = t.partition_point(|x| *x <= event.t);
        if first >= end {
            return first.min(t.len().saturating_sub(1));
        }
        let from = self.last.saturating_sub(1).clamp(first, end - 1);
        let places = self.places(event);
        let before = (from..end).find(|k| self.moves_as(*k, &places, &event.velocity_before));
        let frame = match before {
            Some(k) => k + 1,
            None => self.last.max(first + 1),
        };
        self.last = frame.min(end - 1);
        self.last
    }

    fn moves_as(&self, frame: usize, places: &[Option<usize>], v: &[f64]) -> bool {
        let sample = self.film.samples[frame];
        let has = |place: &Option<usize>, x: &f64| {
            place.is_some_and(|k| self.table.numbers[k].values[sample] == *x)
        };
        places.len() == v.len() && places.iter().zip(v).all(|(place, x)| has(place, x))
    }
}
