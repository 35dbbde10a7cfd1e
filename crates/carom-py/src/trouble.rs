//! The first exception of a callback: it ends the run, and the recording is kept. And waiting for a thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time between looks for Ctrl-C.
pub const LOOK: Duration = Duration::from_millis(20);

/// Waits for a thread for a while, without the interpreter's lock.
pub fn wait<T: Send>(py: Python<'_>, from: &mut Receiver<T>) -> Result<T, RecvTimeoutError> {
    py.detach(move || from.recv_timeout(LOOK))
}

/// Does the work in another thread, while this one looks for Ctrl-C and tells of it. Work that is told to stop ends soon.
pub fn interruptibly<T: Send>(
    py: Python<'_>,
    mut tell: impl FnMut(PyErr),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (end, mut done) = channel();
        let worker = scope.spawn(move || {
            let found = work();
            let _ = end.send(());
            found
        });
        while let Err(RecvTimeoutError::Timeout) = wait(py, &mut done) {
            if let Err(error) = py.check_signals() {
                tell(error);
            }
        }
        py.detach(|| worker.join()).map_err(|_| PyRuntimeError::new_err("a thread failed"))
    })
}

/// The first exception, and whether the run is to end.
#[derive(Default)]
pub struct Trouble {
    ended: AtomicBool,
    first: Mutex<Option<PyErr>>,
}

impl Trouble {
    /// Keeps the first exception; the run ends at its next step.
    pub fn note(&self, error: PyErr) {
        let mut first = self.first.lock().unwrap_or_else(|poison| poison.into_inner());
        if !self.ended.swap(true, Ordering::Relaxed) {
            *first = Some(error);
        }
    }

    /// Whether there was one. Then callbacks are not called any more.
    pub fn is_there(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The exception.
    pub fn take(&self) -> Option<PyErr> {
        self.first.lock().unwrap_or_else(|poison| poison.into_inner()).take()
    }
}
