//! Studies: rows that are computed anywhere, and the folder that takes them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carom_cli::job;
use carom_cli::study::{KeptSource, Wanted};
use carom_report::SourceFile;
use carom_study::dataset::{Claim, Row, Store};
use carom_study::results::Limits;
use carom_study::sampling::Parameter;
use carom_study::{RowFault, StudyError};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::of_study;
use crate::scene::Scene;
use crate::witness::Recorder;

/// What Python asks for, by the names of the command line.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    vary: Vec<(String, String)>,
    rows: Option<PathBuf>,
    results: Vec<(String, String)>,
    functions: Vec<(String, String)>,
    keep: Option<String>,
    samples: Option<u64>,
    seed: Option<u64>,
    time_limit: Option<f64>,
    step_limit: Option<u64>,
    part_rows: Option<u64>,
}

impl Asked {
    fn wanted(self) -> Result<Wanted, StudyError> {
        let read = self.vary.iter().map(|(name, text)| Parameter::new(name, text));
        Ok(Wanted {
            vary: read.collect::<Result<_, _>>()?,
            rows: self.rows,
            results: self.results,
            functions: self.functions,
            keep: self.keep,
            samples: self.samples,
            seed: self.seed,
            limits: Limits { time: self.time_limit, steps: self.step_limit },
            part_rows: self.part_rows,
            shard: None,
        })
    }
}

/// A study that can be done.
#[pyclass(frozen, module = "carom._carom")]
pub struct Study {
    study: carom_study::Study,
    scene: Arc<carom_scene::Scene>,
    file: PathBuf,
    sources: Vec<SourceFile>,
    stop: AtomicBool,
}

#[pymethods]
impl Study {
    #[new]
    fn new(py: Python<'_>, scene: &Bound<'_, Scene>, asked: Asked) -> PyResult<Self> {
        let Scene { scene, name, overrides } = scene.get();
        let (scene, file) = (Arc::clone(scene), PathBuf::from(name));
        let sources = job::keep(&scene, &file);
        let study =
            py.detach(|| asked.wanted().and_then(|wanted| wanted.study(&scene, &file, overrides)));
        let study = study.map_err(|error| of_study(py, &error))?;
        Ok(Self { study, scene, file, sources, stop: AtomicBool::new(false) })
    }

    /// Computes rows, shown to these functions; as bytes for [`Shelf::push`]. Fewer if it is stopped. Paths in
    /// messages that begin with the first of `told` begin with the second instead.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        numbers: Vec<u64>,
        functions: Vec<(String, Py<PyAny>)>,
        told: (String, String),
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let mut recorder = Recorder::new(functions, self.file.clone());
        let mut rows = Vec::with_capacity(numbers.len());
        for number in numbers {
            py.check_signals()?;
            let row = py.detach(|| match recorder.functions.is_empty() {
                true => self.study.run(number, &self.stop),
                false => self.study.run_before(number, &self.stop, Some(&mut recorder)),
            });
            if let Some(error) = recorder.interrupt.take() {
                return Err(error);
            }
            let Some(mut row) = row else { break };
            if let Some(message) = &mut row.message
                && told.0 != told.1
            {
                *message = message.replace(&told.0, &told.1);
            }
            rows.push(PyBytes::new(py, &row.bytes()));
        }
        Ok(rows)
    }

    /// The row of a run whose worker was lost each time.
    fn lost<'py>(&self, py: Python<'py>, number: u64, times: u32) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.study.failed(number, &RowFault::Worker { times }).bytes())
    }

    /// Ends rows that are under way in this process.
    fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The folder of a study, open to take rows.
#[pyclass(frozen, module = "carom._carom")]
pub struct Shelf {
    dir: PathBuf,
    study: Py<Study>,
    store: Mutex<Option<Store>>,
}

impl Shelf {
    fn store(&self) -> MutexGuard<'_, Option<Store>> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed() -> PyErr {
    PyRuntimeError::new_err("the folder of the study is closed")
}

#[pymethods]
impl Shelf {
    /// Opens a folder, empty or with rows of the same study.
    #[new]
    fn new(py: Python<'_>, dir: PathBuf, study: Py<Study>) -> PyResult<Self> {
        let of = study.get();
        let (parts, manifest) = ((of.study.plan(), of.study.results()), of.study.manifest());
        let store = py.detach(|| Store::open(&dir, manifest, parts, &of.sources));
        let store = store.map_err(|error| of_study(py, &error))?;
        Ok(Self { dir, study, store: Mutex::new(Some(store)) })
    }

    /// Rows that are done, and how many there are in all.
    #[getter]
    fn progress(&self) -> PyResult<(u64, u64)> {
        self.store().as_ref().map(Store::progress).ok_or_else(closed)
    }

    /// The next rows to be computed, at most so many; none now, or none any more, if there are none.
    fn claim(&self, most: usize) -> PyResult<Vec<u64>> {
        let mut guard = self.store();
        let store = guard.as_mut().ok_or_else(closed)?;
        let mut rows = Vec::new();
        while rows.len() < most
            && let Claim::Row(row) = store.claim()
        {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Takes rows; whole runs are kept of those that are asked for. Numbers and messages of those that failed.
    fn push(&self, py: Python<'_>, rows: Vec<Vec<u8>>) -> PyResult<Vec<(u64, String)>> {
        let of = self.study.get();
        let done = py.detach(|| {
            let mut failed = Vec::new();
            for bytes in &rows {
                let Some(row) = Row::read(bytes) else { return Ok(None) };
                if of.study.keeps(&row) {
                    let text = of.scene.files.first().map_or("", |file| &file.text);
                    let source = KeptSource { text, file: &of.file, files: &of.sources };
                    source.keep(&self.dir, row.number, &of.study.overrides(row.number))?;
                }
                failed.extend(row.message.clone().map(|message| (row.number, message)));
                if let Some(store) = self.store().as_mut() {
                    store.push(row, of.study.plan())?;
                }
            }
            Ok(Some(failed))
        });
        let done = done.map_err(|error: StudyError| of_study(py, &error))?;
        done.ok_or_else(|| PyValueError::new_err("these bytes are no row of a study"))
    }

    /// Ends the work: whether all rows are done. The others go on from there.
    fn finish(&self, py: Python<'_>) -> PyResult<bool> {
        let store = self.store().take().ok_or_else(closed)?;
        let whole = py.detach(|| store.finish(self.study.get().study.plan()));
        whole.map_err(|error| of_study(py, &error))
    }
}

/// The changes to the scene of a study that one of its rows is.
#[pyfunction]
pub fn study_row(py: Python<'_>, dir: PathBuf, row: u64) -> PyResult<(String, Vec<String>)> {
    let found = || -> Result<(String, Vec<String>), StudyError> {
        let reader = carom_study::dataset::Reader::open(&dir)?;
        let manifest = &reader.manifest;
        let last = manifest.rows.saturating_sub(1);
        if row > last {
            return Err(StudyError::NoRow { row, last });
        }
        let own = carom_cli::study::changes(manifest, &dir, row)?;
        let scene = Path::new(carom_study::dataset::SOURCE).join(&manifest.scene);
        let changes = manifest.overrides.iter().cloned().chain(own).collect();
        Ok((dir.join(scene).display().to_string(), changes))
    };
    found().map_err(|error| of_study(py, &error))
}
