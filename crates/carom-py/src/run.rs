//! A run that is done.

use std::path::PathBuf;
use std::sync::Arc;

use carom_report::document::{Motion, RunDocument, Side};
use carom_report::page::report;
use carom_report::run::columns::MODE_WORDS;
use carom_report::{Account, EventLine, Extras};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::of_report;
use crate::event::Event;
use crate::numbers::{column, list, matrix};

/// A time, coordinates and velocities.
pub type Instant<'py> = (f64, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Coordinates and velocities, one row per time.
type States<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// A run that is done.
#[pyclass(frozen, module = "carom._carom")]
pub struct Run {
    pub account: Arc<Account>,
}

impl Run {
    /// A run in memory.
    pub fn new(account: Account) -> Self {
        Self { account: Arc::new(account) }
    }

    /// Columns of numbers from `first` on.
    fn block<'py>(slf: &Bound<'py, Self>, first: usize, count: usize) -> Bound<'py, PyArray2<f64>> {
        let table = &slf.get().account.table;
        let columns = table.block(first, count).unwrap_or_default();
        matrix(slf.as_any(), columns, if columns.is_empty() { 0 } else { table.len() })
    }
}

#[pymethods]
impl Run {
    /// Times of the samples, s.
    #[getter]
    fn t<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        column(slf.as_any(), slf.get().account.table.t())
    }

    /// Coordinates, one row per sample.
    #[getter]
    fn q<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        Self::block(slf, 1, slf.get().account.scene.model.nq())
    }

    /// Velocities, one row per sample.
    #[getter]
    fn v<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        let model = &slf.get().account.scene.model;
        Self::block(slf, 1 + model.nq(), model.nv())
    }

    /// Accelerations, one row per sample.
    #[getter]
    fn a<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        let model = &slf.get().account.scene.model;
        Self::block(slf, 1 + model.nq() + model.nv(), model.nv())
    }

    /// Names and units of the columns of numbers.
    #[getter]
    fn columns(&self) -> Vec<(String, String)> {
        let columns = &self.account.table.numbers;
        columns.iter().map(|c| (c.name.clone(), c.unit.clone())).collect()
    }

    /// Names of the contacts whose modes are recorded.
    #[getter]
    fn sites(&self) -> Vec<String> {
        self.account.table.modes.iter().map(|(name, _)| name.clone()).collect()
    }

    /// A column of numbers by its place.
    fn column<'py>(slf: &Bound<'py, Self>, place: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = slf.get().account.table.numbers.get(place);
        let values = values.ok_or_else(|| PyIndexError::new_err("no such column"))?;
        Ok(column(slf.as_any(), &values.values))
    }

    /// Codes of the modes of a contact: places in `mode_words`.
    fn modes<'py>(slf: &Bound<'py, Self>, site: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let codes = slf.get().account.table.codes(site);
        let codes = codes.ok_or_else(|| PyKeyError::new_err(site.to_string()))?;
        Ok(column(slf.as_any(), codes))
    }

    /// Words of the modes.
    #[getter]
    fn mode_words(&self) -> [&'static str; 3] {
        MODE_WORDS
    }

    /// Number of events.
    #[getter]
    fn event_count(&self) -> usize {
        self.account.events.len()
    }

    /// An event by its place.
    fn event(&self, place: usize) -> PyResult<Event> {
        let event = self.account.events.get(place).cloned();
        event.map(|e| Event(Arc::new(e))).ok_or_else(|| PyIndexError::new_err("no such event"))
    }

    /// Kinds of all events.
    #[getter]
    fn event_kinds(&self) -> Vec<&str> {
        self.account.events.iter().map(|e| e.kind.as_str()).collect()
    }

    /// All events as columns: one row per contact of each event, and one per event without contacts.
    fn event_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        event_columns(py, &self.account.events)
    }

    /// The summary as JSON.
    #[getter]
    fn summary(&self) -> PyResult<String> {
        serde_json::to_string(&self.account.summary)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// One line that says how it ended.
    #[getter]
    fn line(&self) -> String {
        self.account.summary.line()
    }

    /// Word of the ending.
    #[getter]
    fn stop(&self) -> &str {
        &self.account.summary.stop.reason
    }

    /// Energy lost, J.
    #[getter]
    fn energy_lost(&self) -> f64 {
        self.account.summary.energy.lost
    }

    /// The scene that was run: text, name, overrides.
    #[getter]
    fn scene(&self) -> (String, String, Vec<String>) {
        let scene = &self.account.scene;
        let (name, text) =
            scene.files.first().map_or_else(Default::default, |f| (f.name.clone(), f.text.clone()));
        (text, name, self.account.summary.job.scene.overrides.clone())
    }

    /// Writes the folder of the run.
    fn save(&self, py: Python<'_>, path: PathBuf, csv: bool, npz: bool) -> PyResult<()> {
        let saved = py.detach(|| self.account.save(&path, Extras { csv, npz }));
        saved.map(|_| ()).map_err(|error| of_report(py, &error))
    }

    /// The report as one HTML page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let page = py.detach(|| report(&RunDocument::new(&self.account)?));
        page.map_err(|error| of_report(py, &error))
    }

    /// Coordinates and velocities at times, before or after their events, one row each.
    fn states_at<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
        before: bool,
    ) -> PyResult<States<'py>> {
        let times = list(times, "t")?;
        let side = if before { Side::Before } else { Side::After };
        let (nq, nv) = (self.account.scene.model.nq(), self.account.scene.model.nv());
        let found = py.detach(|| {
            let mut motion = Motion::new(&self.account)?;
            let (mut q, mut v) = (Vec::new(), Vec::new());
            for (k, t) in times.iter().enumerate() {
                let Some(state) = motion.at(*t, side) else { return Some(Err(k)) };
                q.extend_from_slice(state.q.as_slice());
                v.extend_from_slice(state.v.as_slice());
            }
            Some(Ok((q, v)))
        });
        let (q, v) = match found {
            Some(Ok(found)) => found,
            Some(Err(k)) => return Err(self.outside(times[k])),
            None => return Err(PyValueError::new_err("the run lacks coordinates")),
        };
        let n = times.len();
        let rows = |x: Vec<f64>, width: usize| PyArray1::from_vec(py, x).reshape([n, width]);
        Ok((rows(q, nq)?, rows(v, nv)?))
    }
}

impl Run {
    fn outside(&self, t: f64) -> PyErr {
        let times = self.account.table.t();
        let (first, last) = (times.first().copied(), times.last().copied());
        let ends = format!("{:?} to {:?}", first.unwrap_or(0.0), last.unwrap_or(0.0));
        PyValueError::new_err(format!("t = {t} s lies outside the run, which goes from {ends} s"))
    }
}

fn event_columns<'py>(py: Python<'py>, events: &[EventLine]) -> PyResult<Bound<'py, PyDict>> {
    let mut rows: Vec<(usize, Option<usize>)> = Vec::new();
    for (k, event) in events.iter().enumerate() {
        match event.contacts.len() {
            0 => rows.push((k, None)),
            n => rows.extend((0..n).map(|c| (k, Some(c)))),
        }
    }
    let columns = PyDict::new(py);
    let of_event = |get: &dyn Fn(&EventLine) -> f64| {
        PyArray1::from_iter(py, rows.iter().map(|(k, _)| get(&events[*k])))
    };
    let of_contact = |get: &dyn Fn(&carom_report::ContactLine) -> f64| {
        let value =
            |(k, c): &(usize, Option<usize>)| c.map_or(f64::NAN, |c| get(&events[*k].contacts[c]));
        PyArray1::from_iter(py, rows.iter().map(value))
    };
    columns.set_item("event", PyArray1::from_iter(py, rows.iter().map(|(k, _)| *k as i64)))?;
    columns.set_item("t", of_event(&|e| e.t))?;
    let kinds: Vec<&str> = rows.iter().map(|(k, _)| events[*k].kind.as_str()).collect();
    columns.set_item("kind", kinds)?;
    let names: Vec<Option<&str>> =
        rows.iter().map(|(k, c)| c.map(|c| events[*k].contacts[c].name.as_str())).collect();
    columns.set_item("contact", names)?;
    let part = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(f64::NAN);
    columns.set_item("p_n", of_contact(&|c| c.impulse_normal))?;
    columns.set_item("p_t1", of_contact(&|c| part(&c.impulse_tangent, 0)))?;
    columns.set_item("p_t2", of_contact(&|c| part(&c.impulse_tangent, 1)))?;
    columns.set_item("u_n_before", of_contact(&|c| c.velocity_normal_before))?;
    columns.set_item("u_n_after", of_contact(&|c| c.velocity_normal_after))?;
    columns.set_item("normal_work", of_contact(&|c| c.normal_work))?;
    columns.set_item("friction_work", of_contact(&|c| c.friction_work))?;
    columns.set_item("energy_before", of_event(&|e| e.energy_before))?;
    columns.set_item("energy_after", of_event(&|e| e.energy_after))?;
    columns.set_item("energy_lost", of_event(&EventLine::energy_lost))?;
    let rescues: Vec<Option<&str>> =
        rows.iter().map(|(k, _)| events[*k].rescue.as_deref()).collect();
    columns.set_item("rescue", rescues)?;
    Ok(columns)
}

/// Reads the folder of a run, brought back first if it was killed.
#[pyfunction]
#[pyo3(signature = (path, damaged = false))]
pub fn open_run(py: Python<'_>, path: PathBuf, damaged: bool) -> PyResult<(Run, Vec<String>)> {
    let loaded = py.detach(|| match damaged {
        false => Account::load(&path).map(|account| (account, Vec::new())),
        true => Account::load_damaged(&path),
    });
    let (account, damage) = loaded.map_err(|error| of_report(py, &error))?;
    Ok((Run::new(account), damage.iter().map(ToString::to_string).collect()))
}
