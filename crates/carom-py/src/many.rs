//! Many runs at once, in the order in which they were asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use carom::hybrid::SimError;
use carom::record::{Directive, Event, Observer, Sample};
use carom::state::State;
use carom_report::LiveRun;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::course::Order;
use crate::error::{of_impact, of_run, of_scene};
use crate::hooks::Hooks;
use crate::run::Run;
use crate::scene::{Given, Scene};
use crate::trouble::interruptibly;

/// What became of one of many runs.
type Answer = (Option<Run>, Option<Py<PyAny>>);

/// Why a run was not begun.
enum Fault {
    Scene(carom_scene::SceneError),
    Impact(carom::impact::ImpactError),
    /// Ctrl-C.
    Interrupted,
}

/// A run, ready for Python, and what ended it, if it is a fault: all that can be done without the interpreter's lock is
/// done by the threads.
type Done = (Run, Option<Box<SimError>>);

/// Runs of one scene with different overrides each, on so many threads (all cores if 0): each run, and what ended
/// it, if it is a fault.
#[pyfunction]
#[pyo3(signature = (scene, changes, start = None, threads = 0))]
pub fn run_many(
    py: Python<'_>,
    scene: &Bound<'_, Scene>,
    changes: Vec<Vec<String>>,
    start: Option<Given<'_>>,
    threads: usize,
) -> PyResult<Vec<Answer>> {
    let scene = scene.get();
    let start = scene.state(start)?;
    let text: Arc<str> = scene.scene.files.first().map_or("", |f| f.text.as_str()).into();
    let source = Source { text, name: scene.name.clone(), overrides: scene.overrides.clone() };
    let stop = AtomicBool::new(false);
    let one = |change: &Vec<String>| source.run(change, start.clone(), &stop);
    // Runs of one scene may differ in length a hundred times: none waits behind another.
    let work = || changes.par_iter().with_max_len(1).map(one).collect::<Vec<_>>();
    let mut interrupt = None;
    let tell = |error| {
        stop.store(true, Ordering::Relaxed);
        interrupt = Some(error);
    };
    let all = interruptibly(py, tell, || {
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        }
    })?;
    if let Some(error) = interrupt {
        return Err(error);
    }
    Ok(all.into_iter().map(|done| answer(py, done)).collect())
}

fn answer(py: Python<'_>, done: Result<Done, Fault>) -> Answer {
    let value = |error: PyErr| Some(error.into_value(py).into_any());
    match done {
        Err(Fault::Scene(error)) => (None, value(of_scene(py, &error))),
        Err(Fault::Impact(error)) => (None, value(of_impact(py, &error))),
        Err(Fault::Interrupted) => (None, None),
        Ok((run, error)) => (Some(run), error.and_then(|error| value(of_run(py, &error)))),
    }
}

/// What all runs have in common.
struct Source {
    text: Arc<str>,
    name: String,
    overrides: Vec<String>,
}

impl Source {
    fn run(
        &self,
        change: &[String],
        start: Option<State>,
        stop: &AtomicBool,
    ) -> Result<Done, Fault> {
        if stop.load(Ordering::Relaxed) {
            return Err(Fault::Interrupted);
        }
        let overrides: Vec<String> = self.overrides.iter().chain(change).cloned().collect();
        let scene = carom_scene::Scene::parse_with(&self.text, &self.name, &overrides);
        let scene = Arc::new(scene.map_err(Fault::Scene)?);
        let order = Order { scene, name: self.name.clone(), overrides, start };
        let (record, kept) = order.record(&Hooks::default());
        let simulation =
            order.simulation(&Hooks::default(), &Arc::default()).map_err(Fault::Impact)?;
        let mut watch = Watch { live: LiveRun::new(&order.scene.model, record, kept), stop };
        let begun = Instant::now();
        let result = simulation.run_with(order.scene.options.solver.until, &mut watch);
        let interrupted = stop.load(Ordering::Relaxed);
        let live = watch.live;
        let Order { scene, .. } = order;
        let scene = Arc::unwrap_or_clone(scene);
        let account = live.finish(scene, &result, interrupted, begun.elapsed());
        Ok((Run::new(account), result.err().map(Box::new)))
    }
}

/// Keeps everything until the run is to stop.
struct Watch<'a> {
    live: LiveRun,
    stop: &'a AtomicBool,
}

impl Watch<'_> {
    fn directive(&self, kept: Directive) -> Directive {
        if self.stop.load(Ordering::Relaxed) { Directive::Stop } else { kept }
    }
}

impl Observer for Watch<'_> {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let kept = self.live.sample(sample);
        self.directive(kept)
    }

    fn step(&mut self, _: f64) -> Directive {
        self.directive(Directive::Continue)
    }

    fn event(&mut self, event: &Event) -> Directive {
        let kept = self.live.event(event);
        self.directive(kept)
    }
}
