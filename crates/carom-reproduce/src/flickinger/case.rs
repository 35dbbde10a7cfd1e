//! One simulated case: samples with their energies, events, the time it took.

use std::time::Instant;

use carom::contact::Mode;
use carom::hybrid::{Outcome, Simulation};
use carom::impact::LawChoice;
use carom::record::{Directive, Event, EventKind, Observer, Sample};
use carom_scene::Scene;

use crate::error::Trouble;

/// A sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Time, s; twice at an event, before and after.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Contact forces: tangent, unused, normal, N.
    pub forces: Vec<[f64; 3]>,
    /// Contact modes.
    pub modes: Vec<Mode>,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Energy in the field of gravity, J.
    pub gravity: f64,
}

/// A scene that was run.
#[derive(Debug, Clone)]
pub struct Case {
    /// The scene.
    pub scene: Scene,
    /// Samples.
    pub rows: Vec<Row>,
    /// Events.
    pub events: Vec<Event>,
    /// How it ended.
    pub outcome: Outcome,
    /// Wall time of the simulation, s.
    pub seconds: f64,
}

#[derive(Default)]
struct Collector {
    rows: Vec<Row>,
    events: Vec<Event>,
}

impl Observer for Collector {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.rows.push(Row {
            t: sample.t,
            q: sample.q.to_vec(),
            v: sample.v.to_vec(),
            forces: sample.forces.to_vec(),
            modes: sample.modes.to_vec(),
            kinetic: sample.ledger.kinetic,
            gravity: sample.ledger.gravity,
        });
        Directive::Continue
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.events.push(event.clone());
        Directive::Continue
    }
}

impl Case {
    /// Runs a scene under its own law.
    pub fn of_scene(scene: Scene) -> Result<Self, Trouble> {
        let mut collector = Collector::default();
        let simulation = scene.simulation()?;
        let (outcome, seconds) = timed(simulation, scene.options.solver.until, &mut collector)?;
        Ok(Self::new(scene, collector, outcome, seconds))
    }

    /// Runs a scene under a law with options that scenes cannot state.
    pub fn under(scene: Scene, law: &LawChoice) -> Result<Self, Trouble> {
        let mut collector = Collector::default();
        let simulation = Simulation::new(&scene.model, scene.initial.clone(), law.law()?)
            .options(scene.options.hybrid());
        let (outcome, seconds) = timed(simulation, scene.options.solver.until, &mut collector)?;
        Ok(Self::new(scene, collector, outcome, seconds))
    }

    fn new(scene: Scene, found: Collector, outcome: Outcome, seconds: f64) -> Self {
        Self { scene, rows: found.rows, events: found.events, outcome, seconds }
    }

    /// Events at which velocities jumped.
    pub fn impacts(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|e| e.kind.is_jump())
    }

    /// Impacts that gained more kinetic energy than round-off explains.
    pub fn gains(&self) -> impl Iterator<Item = &Event> {
        let scale = self.rows.iter().fold(0.0_f64, |m, r| m.max(r.kinetic));
        self.impacts().filter(move |e| -e.energy_lost() > 1e-9 * scale)
    }

    /// When it came to rest for good, s.
    pub fn rest(&self) -> Option<f64> {
        self.events.last().filter(|e| e.kind == EventKind::Rest).map(|e| e.t)
    }

    /// Impacts whose rebound is more than a thousandth of the fastest approach: bounces that can be seen.
    pub fn bounces(&self) -> usize {
        let normal = |e: &Event| e.contacts.iter().map(|c| c.u_post[2]).fold(0.0, f64::max);
        let fastest =
            self.impacts().flat_map(|e| &e.contacts).fold(0.0, |m: f64, c| m.max(-c.u_pre[2]));
        self.impacts().filter(|e| normal(e) > 1e-3 * fastest).count()
    }

    /// How many events of a sort.
    pub fn count(&self, kind: EventKind) -> usize {
        self.events.iter().filter(|e| e.kind == kind).count()
    }

    /// Total energy at a sample, J.
    pub fn total(row: &Row) -> f64 {
        row.kinetic + row.gravity
    }
}

/// How often a run with a published time is repeated, to tell how its time varies.
const REPETITIONS: usize = 5;

/// Wall times of a run that was done once, and of its repetitions, s.
pub fn repeated(first: f64, run: impl Fn() -> Result<Case, Trouble>) -> Result<Vec<f64>, Trouble> {
    let mut times = vec![first];
    for _ in 1..REPETITIONS {
        times.push(run()?.seconds);
    }
    Ok(times)
}

fn timed(
    simulation: Simulation<'_>,
    until: f64,
    collector: &mut Collector,
) -> Result<(Outcome, f64), Trouble> {
    let start = Instant::now();
    let outcome = simulation.run_with(until, collector)?;
    Ok((outcome, start.elapsed().as_secs_f64()))
}
