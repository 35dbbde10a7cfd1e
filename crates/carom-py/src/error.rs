//! Faults as exceptions: the same words, place and hint as on the command line.
//!
//! The classes are those of `carom._errors`, which users catch.

use carom::hybrid::SimError;
use carom::impact::ImpactError;
use carom_report::ReportError;
use carom_scene::SceneError;
use carom_study::StudyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What an exception says.
pub struct Words<'a> {
    /// What is wrong.
    pub message: &'a str,
    /// The whole text, if there is more to show than message and hint.
    pub report: Option<String>,
    /// Where it is written.
    pub place: Option<String>,
    /// What may be done about it.
    pub hint: &'a str,
}

/// An exception of one of the classes of `carom._errors`.
pub fn exception(py: Python<'_>, class: &str, words: Words<'_>) -> PyErr {
    let make = || -> PyResult<Bound<'_, PyAny>> {
        let named = PyDict::new(py);
        named.set_item("hint", words.hint)?;
        named.set_item("place", words.place)?;
        named.set_item("report", words.report)?;
        py.import("carom._errors")?.getattr(class)?.call((words.message,), Some(&named))
    };
    match make() {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// A fault of a scene.
pub fn of_scene(py: Python<'_>, error: &SceneError) -> PyErr {
    let words = Words {
        message: &error.fault().to_string(),
        report: Some(error.report()),
        place: error.place().map(ToString::to_string),
        hint: &error.hint(),
    };
    exception(py, "SceneError", words)
}

/// Numerics that gave up, or a start that is impossible.
pub fn of_run(py: Python<'_>, error: &SimError) -> PyErr {
    plain(py, "SimulationError", &error.to_string(), error.hint())
}

/// An impact that cannot be resolved.
pub fn of_impact(py: Python<'_>, error: &ImpactError) -> PyErr {
    plain(py, "ImpactError", &error.to_string(), error.hint())
}

/// A run that cannot be read, written or shown.
pub fn of_report(py: Python<'_>, error: &ReportError) -> PyErr {
    plain(py, "RunError", &error.to_string(), error.hint())
}

/// A study that cannot be done, gone on with, or read.
pub fn of_study(py: Python<'_>, error: &StudyError) -> PyErr {
    plain(py, "StudyError", &error.to_string(), &error.hint())
}

/// An exception without a place.
pub fn plain(py: Python<'_>, class: &str, message: &str, hint: &str) -> PyErr {
    exception(py, class, Words { message, report: None, place: None, hint })
}
