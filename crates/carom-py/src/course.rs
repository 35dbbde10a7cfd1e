//! A run under way: the scene, what Python does in it, the recording, and Ctrl-C.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use carom::hybrid::{Outcome, SimError, Simulation};
use carom::impact::ImpactError;
use carom::record::{Directive, Event as Told, Observer, Sample};
use carom::state::State;
use carom_cli::job;
use carom_report::{Account, Job, LiveRun, SourceFile};
use carom_scene::Scene;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::event::Event;
use crate::hooks::{Callback, Continuous, Force, Hooks, Law, Sampled};
use crate::trouble::{LOOK, Trouble};

/// A run that is asked for.
pub struct Order {
    pub scene: Arc<Scene>,
    /// Name of the scene and its overrides, for the record.
    pub name: String,
    pub overrides: Vec<String>,
    /// Another start than that of the scene.
    pub start: Option<State>,
}

/// A run that is over.
pub struct Done {
    pub account: Account,
    pub result: Result<Outcome, SimError>,
}

impl Order {
    /// The record of the job, and the files that are kept with it.
    pub fn record(&self, hooks: &Hooks) -> (Job, Vec<SourceFile>) {
        let path = Path::new(&self.name);
        let kept = job::keep(&self.scene, path);
        let mut record = job::job(&self.scene, path, &self.overrides, &kept);
        if hooks.controller.is_some() {
            record.actuators = job::motors(&self.scene);
        }
        if hooks.law.is_some() {
            record.law.scene = carom_report::LawRecord {
                formulation: "python".into(),
                ..carom_report::LawRecord::default()
            };
        }
        let mut added = hooks.words();
        added.extend(self.start.is_some().then_some("start"));
        if !added.is_empty() {
            let words = added.join(", ");
            record.repeat = format!("in Python, with {words}: the scene alone does not repeat it");
        }
        (record, kept)
    }

    /// The simulation with everything that Python does in it.
    pub fn simulation<'a>(
        &'a self,
        hooks: &Hooks,
        trouble: &Arc<Trouble>,
    ) -> Result<Simulation<'a>, ImpactError> {
        let scene = &*self.scene;
        let state = self.start.clone().unwrap_or_else(|| scene.initial.clone());
        let clone = |hook: &Option<Py<PyAny>>| {
            hook.as_ref().map(|hook| Python::attach(|py| hook.clone_ref(py)))
        };
        let mut simulation = match clone(&hooks.law) {
            Some(law) => scene.simulation_under(state, Law::new(law, trouble)),
            None => scene.simulation_from(state)?,
        };
        if let Some(force) = clone(&hooks.force) {
            let callback = Callback::new(force, "force", scene.model.nv(), trouble);
            simulation = simulation.force(Force(callback));
        }
        if let Some(controller) = clone(&hooks.controller) {
            let count = scene.actuators.len();
            let callback = Callback::new(controller, "controller", count, trouble);
            simulation = simulation.actuators(scene.actuators.clone());
            simulation = match hooks.period {
                Some(period) => simulation.controller(Box::new(Sampled::new(callback, period))),
                None => simulation.controller(Box::new(Continuous(callback))),
            };
        }
        Ok(simulation)
    }

    /// Runs it. Needs no lock; with `signals`, which only the main thread may look at, Ctrl-C ends it.
    pub fn run(
        &self,
        hooks: Hooks,
        trouble: &Arc<Trouble>,
        signals: bool,
    ) -> Result<Done, ImpactError> {
        let (record, kept) = self.record(&hooks);
        let simulation = self.simulation(&hooks, trouble)?;
        let live = LiveRun::new(&self.scene.model, record, kept);
        let mut watch = Watch::new(live, hooks.on_event, trouble, signals);
        let begun = Instant::now();
        let result = simulation.run_with(self.scene.options.solver.until, &mut watch);
        let wall_time = begun.elapsed();
        let scene = Scene::clone(&self.scene);
        let account = watch.live.finish(scene, &result, watch.interrupted, wall_time);
        Ok(Done { account, result })
    }
}

/// Keeps everything, calls back, and looks for Ctrl-C.
pub struct Watch {
    pub live: LiveRun,
    on_event: Option<Py<PyAny>>,
    trouble: Arc<Trouble>,
    signals: bool,
    looked: Instant,
    calls: u32,
    /// Ctrl-C was pressed.
    pub interrupted: bool,
    /// A callback asked for the end.
    enough: bool,
}

impl Watch {
    /// An observer of a run.
    pub fn new(
        live: LiveRun,
        on_event: Option<Py<PyAny>>,
        trouble: &Arc<Trouble>,
        signals: bool,
    ) -> Self {
        Self {
            live,
            on_event,
            trouble: Arc::clone(trouble),
            signals,
            looked: Instant::now(),
            calls: 0,
            interrupted: false,
            enough: false,
        }
    }

    /// Whether the run is to end.
    fn directive(&mut self, kept: Directive) -> Directive {
        self.calls = self.calls.wrapping_add(1);
        // A look at the clock costs as much as a short step.
        if self.signals && self.calls.is_multiple_of(8) && self.looked.elapsed() > LOOK {
            self.looked = Instant::now();
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.interrupted = true;
                self.trouble.note(error);
            }
        }
        if self.enough || self.trouble.is_there() { Directive::Stop } else { kept }
    }

    /// Tells Python of the last event; whether the run is to go on.
    fn tell(&mut self) -> PyResult<()> {
        let Some(call) = &self.on_event else { return Ok(()) };
        let Some(line) = self.live.last_event() else { return Ok(()) };
        let event = Event(Arc::new(line.clone()));
        Python::attach(|py| {
            let answer = call.bind(py).call1((event,))?;
            if answer.is_none() {
                return Ok(());
            }
            if answer.is(py.import("carom._errors")?.getattr("STOP")?) {
                self.enough = true;
                return Ok(());
            }
            let class = answer.get_type().name()?;
            let message = format!("on_event must return None or carom.STOP, not {class}");
            Err(PyTypeError::new_err(message))
        })
    }
}

impl Observer for Watch {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        // What was computed without an answer of a callback is not the run's.
        if self.trouble.is_there() {
            return Directive::Stop;
        }
        let kept = self.live.sample(sample);
        self.directive(kept)
    }

    fn step(&mut self, _: f64) -> Directive {
        self.directive(Directive::Continue)
    }

    fn event(&mut self, event: &Told) -> Directive {
        if self.trouble.is_there() {
            return Directive::Stop;
        }
        let kept = self.live.event(event);
        if let Err(error) = self.tell() {
            self.trouble.note(error);
        }
        self.directive(kept)
    }
}
