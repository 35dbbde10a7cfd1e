//! Laws, capability, postures, published experiments, the command.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use carom::impact::catalogue::CATALOGUE;
use carom_cli::agility::{Question, answer};
use carom_reproduce::{ALL, Context, Record, find, run_one};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use serde_json::Value;

use crate::error::plain;
use crate::scene::Scene;
use crate::trouble::wait;

/// Version of carom.
#[pyfunction]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The catalogue of impact laws as JSON.
#[pyfunction]
pub fn laws() -> String {
    Value::from(CATALOGUE.iter().map(carom_cli::laws::in_json).collect::<Vec<_>>()).to_string()
}

/// `carom capability` or `carom optimize` of a scene, with these words of the command line, as JSON.
#[pyfunction]
pub fn agility(
    py: Python<'_>,
    scene: &Bound<'_, Scene>,
    optimize: bool,
    words: Vec<String>,
) -> PyResult<String> {
    let scene = Arc::clone(&scene.get().scene);
    let question = if optimize { Question::Optimize } else { Question::Capability };
    let answered = until_interrupted(py, move |stop| answer(question, &scene, &words, stop))?;
    let value = answered.map_err(|refusal| {
        let (message, hint) = refusal.words();
        plain(py, "AgilityError", message, hint)
    })?;
    Ok(value.to_string())
}

/// Published experiments: name and title.
#[pyfunction]
pub fn experiments() -> Vec<(&'static str, &'static str)> {
    ALL.iter().map(|e| (e.name, e.title)).collect()
}

/// Computes a published experiment again; its record as JSON.
#[pyfunction]
#[pyo3(signature = (name, fast = false))]
pub fn reproduce(py: Python<'_>, name: &str, fast: bool) -> PyResult<String> {
    let Some(experiment) = find(name) else {
        let hint = "carom.experiments() lists the names";
        return Err(PyKeyError::new_err(format!("there is no experiment `{name}`; {hint}")));
    };
    let report = until_interrupted(py, move |_| run_one(experiment, &Context { fast }))?;
    match serde_json::to_string(&Record::of(&report)) {
        Ok(text) => Ok(text),
        Err(error) => Err(PyRuntimeError::new_err(error.to_string())),
    }
}

/// The command: what `arguments` ask for, the name of the program first. Its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| carom_cli::main(arguments));
    // An exit code can be compared, but not read.
    (0..=u8::MAX).find(|known| ExitCode::from(*known) == code).unwrap_or(u8::MAX)
}

/// Does the work in another thread, while this one looks for Ctrl-C. Work that does not look at its flag goes on
/// by itself after that.
fn until_interrupted<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (give, mut take) = channel();
    let flag = Arc::clone(&stop);
    std::thread::spawn(move || {
        let _ = give.send(work(&flag));
    });
    loop {
        match wait(py, &mut take) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work failed in its thread"));
            }
        }
    }
}
