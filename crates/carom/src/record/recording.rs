//! A run in memory: times, states, events.

use super::{Directive, Event, Observer, Sample};
use crate::contact::{Mode, Site};

/// Samples and events of a run, kept in memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// Times of the samples, s.
    pub t: Vec<f64>,
    /// Coordinates, one row of nq per sample.
    pub q: Vec<Vec<f64>>,
    /// Velocities, one row of nv per sample.
    pub v: Vec<Vec<f64>>,
    /// Contact forces, one row per sample, one triple per site.
    pub forces: Vec<Vec<[f64; 3]>>,
    /// Forces of the actuators, one row per sample.
    pub torques: Vec<Vec<f64>>,
    /// Modes, one row per sample.
    pub modes: Vec<Vec<Mode>>,
    /// Stored energy, J.
    pub stored: Vec<f64>,
    /// Closure of the energy ledger, J.
    pub closure: Vec<f64>,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Sites of large groups at which something happened; events count them behind those of the model.
    pub sites: Vec<Site>,
}

impl Observer for Recording {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.t.push(sample.t);
        self.q.push(sample.q.to_vec());
        self.v.push(sample.v.to_vec());
        self.forces.push(sample.forces.to_vec());
        self.torques.push(sample.torques.to_vec());
        self.modes.push(sample.modes.to_vec());
        self.stored.push(sample.ledger.stored());
        self.closure.push(sample.ledger.closure());
        Directive::Continue
    }

    fn site(&mut self, _: usize, site: &Site) {
        self.sites.push(site.clone());
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.events.push(event.clone());
        Directive::Continue
    }
}
