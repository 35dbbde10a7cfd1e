//! A run that is done.

use std::path::PathBuf;
use std::sync::Arc;

use carom_report::document::{Motion, RunDocument, Side};
use carom_report::page::report;
use carom_report::run::columns::MODE_WORDS;
use carom_report::{Account, ContactLine, EventLine, Extras};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::arrow::{Column, Texts, stream};
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
        let columns = PyDict::new(py);
        for (name, values) in event_columns(&self.account.events) {
            match values {
                Values::Integers(x) => columns.set_item(name, PyArray1::from_vec(py, x))?,
                Values::Numbers(x) => columns.set_item(name, PyArray1::from_vec(py, x))?,
                Values::Texts(x) => columns.set_item(name, x)?,
            }
        }
        Ok(columns)
    }

    /// The same as an Arrow stream.
    fn event_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let count = |event: &EventLine| event.contacts.len().max(1);
        let rows = self.account.events.iter().map(count).sum();
        let column = |(name, values)| {
            let column = match values {
                Values::Integers(x) => Column::Integers(x),
                Values::Numbers(x) => Column::Numbers(x),
                Values::Texts(x) => Column::Texts(Texts::new(x.into_iter())),
            };
            (name, column)
        };
        let columns = event_columns(&self.account.events).into_iter().map(column).collect();
        stream(py, rows, columns)
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

/// Values of a column of events.
enum Values<'a> {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<Option<&'a str>>),
}

/// All events as columns: one row per contact of each event, and one per event without contacts.
fn event_columns(events: &[EventLine]) -> Vec<(&'static str, Values<'_>)> {
    let mut rows: Vec<(usize, Option<&ContactLine>)> = Vec::new();
    for (k, event) in events.iter().enumerate() {
        match &event.contacts[..] {
            [] => rows.push((k, None)),
            all => rows.extend(all.iter().map(|c| (k, Some(c)))),
        }
    }
    let of_event = |get: fn(&EventLine) -> f64| {
        Values::Numbers(rows.iter().map(|(k, _)| get(&events[*k])).collect())
    };
    let of_contact = |get: fn(&ContactLine) -> f64| {
        Values::Numbers(rows.iter().map(|(_, c)| c.map_or(f64::NAN, get)).collect())
    };
    vec![
        ("event", Values::Integers(rows.iter().map(|(k, _)| *k as i64).collect())),
        ("t", of_event(|e| e.t)),
        ("kind", Values::Texts(rows.iter().map(|(k, _)| Some(&*events[*k].kind)).collect())),
        ("contact", Values::Texts(rows.iter().map(|(_, c)| c.map(|c| &*c.name)).collect())),
        ("p_n", of_contact(|c| c.impulse_normal)),
        ("p_t1", of_contact(|c| c.impulse_tangent.first().copied().unwrap_or(f64::NAN))),
        ("p_t2", of_contact(|c| c.impulse_tangent.get(1).copied().unwrap_or(f64::NAN))),
        ("u_n_before", of_contact(|c| c.velocity_normal_before)),
        ("u_n_after", of_contact(|c| c.velocity_normal_after)),
        ("normal_work", of_contact(|c| c.normal_work)),
        ("friction_work", of_contact(|c| c.friction_work)),
        ("energy_before", of_event(|e| e.energy_before)),
        ("energy_after", of_event(|e| e.energy_after)),
        ("energy_lost", of_event(EventLine::energy_lost)),
        ("rescue", Values::Texts(rows.iter().map(|(k, _)| events[*k].rescue.as_deref()).collect())),
    ]
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
