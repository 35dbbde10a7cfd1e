//! Results of a study that are functions of Python: each run is recorded and shown to them.

use std::path::PathBuf;
use std::time::Instant;

use carom::hybrid::{Outcome, SimError};
use carom::record::{Directive, Event, Observer, Sample};
use carom_cli::job;
use carom_report::LiveRun;
use carom_scene::Scene;
use carom_study::{RowFault, Witness};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::run::Run;

/// Records runs and calls functions with them.
pub struct Recorder {
    /// Names of results and their functions.
    pub functions: Vec<(String, Py<PyAny>)>,
    /// The file of the scene.
    pub file: PathBuf,
    live: Option<(LiveRun, Instant)>,
    /// What is no fault of a row, such as Ctrl-C.
    pub interrupt: Option<PyErr>,
}

impl Recorder {
    /// A recorder for runs of the scene of a file.
    pub fn new(functions: Vec<(String, Py<PyAny>)>, file: PathBuf) -> Self {
        Self { functions, file, live: None, interrupt: None }
    }

    fn tell(&mut self, told: impl FnOnce(&mut LiveRun) -> Directive) -> Directive {
        self.live.as_mut().map_or(Directive::Continue, |(live, _)| told(live))
    }

    /// All values; of those that fail NaN, and the first fault.
    fn values(&mut self, py: Python<'_>, run: Run) -> PyResult<(Vec<f64>, Option<RowFault>)> {
        let run = Bound::new(py, run)?;
        let run = py.import("carom._run")?.getattr("Run")?.call1((run,))?;
        let (mut values, mut first) = (Vec::new(), None);
        for (name, function) in &self.functions {
            let found = function.bind(py).call1((&run,)).and_then(|answer| number(&answer));
            values.push(match found {
                Ok(value) => value,
                Err(error) if error.is_instance_of::<PyException>(py) => {
                    let (name, problem) = (name.clone(), error.to_string());
                    first.get_or_insert(RowFault::Function { name, problem });
                    f64::NAN
                }
                Err(error) => return Err(error),
            });
        }
        Ok((values, first))
    }
}

/// A number from what a function returned; None is no value.
fn number(answer: &Bound<'_, PyAny>) -> PyResult<f64> {
    match answer.is_none() {
        true => Ok(f64::NAN),
        false => answer.extract(),
    }
}

impl Observer for Recorder {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.tell(|live| live.sample(sample))
    }

    fn step(&mut self, t: f64) -> Directive {
        self.tell(|live| live.step(t))
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.tell(|live| live.event(event))
    }
}

impl Witness for Recorder {
    fn begin(&mut self, scene: &Scene, changes: &[String]) {
        let kept = job::keep(scene, &self.file);
        let record = job::job(scene, &self.file, changes, &kept);
        self.live = Some((LiveRun::new(&scene.model, record, kept), Instant::now()));
    }

    fn end(
        &mut self,
        scene: &Scene,
        ended: &Result<Outcome, SimError>,
    ) -> (Vec<f64>, Option<RowFault>) {
        let Some((live, begun)) = self.live.take() else { return (Vec::new(), None) };
        let account = live.finish(scene.clone(), ended, false, begun.elapsed());
        let found = Python::attach(|py| self.values(py, Run::new(account)));
        found.unwrap_or_else(|error| {
            self.interrupt = Some(error);
            (Vec::new(), None)
        })
    }
}
