//! Events.

use std::sync::Arc;

use carom_report::{ContactLine, EventLine};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One instant at which something changed.
#[pyclass(frozen, module = "carom")]
pub struct Event(pub Arc<EventLine>);

/// What one contact did in an event.
#[pyclass(frozen, module = "carom")]
pub struct Contact {
    event: Arc<EventLine>,
    place: usize,
}

#[pymethods]
impl Event {
    /// Time, s.
    #[getter]
    fn t(&self) -> f64 {
        self.0.t
    }

    /// The sort: impact, jam, close, touch, lift-off, slip-stop, slip-start, slip-reversal, saturation, switch,
    /// step or rest.
    #[getter]
    fn kind(&self) -> &str {
        &self.0.kind
    }

    /// Contacts that took part.
    #[getter]
    fn contacts(&self) -> Vec<Contact> {
        let contact = |place| Contact { event: Arc::clone(&self.0), place };
        (0..self.0.contacts.len()).map(contact).collect()
    }

    /// Impulses by contact, tangents first, then the normal, N·s.
    #[getter]
    fn impulses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for c in &self.0.contacts {
            all.set_item(&c.name, rows(py, &c.impulse_tangent, c.impulse_normal))?;
        }
        Ok(all)
    }

    /// Motors that met or left a limit: name, before, after, torque.
    #[getter]
    fn actuators(&self) -> Vec<(String, String, String, f64)> {
        let line = |a: &carom_report::ActuatorLine| {
            (a.name.clone(), a.before.clone(), a.after.clone(), a.torque)
        };
        self.0.actuators.iter().map(line).collect()
    }

    /// The bodies that `q` and the velocities belong to; empty where these are all of the scene.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        self.0.bodies.clone()
    }

    /// Coordinates.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.q)
    }

    /// Velocities just before.
    #[getter]
    fn v_before<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.velocity_before)
    }

    /// Velocities just after.
    #[getter]
    fn v_after<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.velocity_after)
    }

    /// Kinetic energy before, J.
    #[getter]
    fn energy_before(&self) -> f64 {
        self.0.energy_before
    }

    /// Kinetic energy after, J.
    #[getter]
    fn energy_after(&self) -> f64 {
        self.0.energy_after
    }

    /// Kinetic energy lost, J.
    #[getter]
    fn energy_lost(&self) -> f64 {
        self.0.energy_lost()
    }

    /// Whether velocities jumped.
    #[getter]
    fn is_jump(&self) -> bool {
        self.0.is_jump()
    }

    /// Of a close: the time that further bounces would have taken, s; of a step: its length, s.
    #[getter]
    fn remaining_time(&self) -> Option<f64> {
        self.0.remaining_time
    }

    /// The rule of the safety net that was needed, if any.
    #[getter]
    fn rescue(&self) -> Option<&str> {
        self.0.rescue.as_deref()
    }

    /// Everything, as the line of events.jsonl.
    fn to_json(&self) -> String {
        serde_json::to_string(&*self.0).unwrap_or_default()
    }

    /// The event of such a line.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let line = serde_json::from_str(text);
        line.map(|line| Self(Arc::new(line))).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json(),)))
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.0.contacts.iter().map(|c| c.name.as_str()).collect();
        format!("<{} at t = {} s: {}>", self.0.kind, self.0.t, names.join(", "))
    }
}

#[pymethods]
impl Contact {
    /// Name of the contact.
    #[getter]
    fn name(&self) -> &str {
        &self.line().name
    }

    /// Mode before: open, stick or slip.
    #[getter]
    fn mode_before(&self) -> &str {
        &self.line().mode_before
    }

    /// Mode after.
    #[getter]
    fn mode_after(&self) -> &str {
        &self.line().mode_after
    }

    /// Relative velocity before: tangents, then the normal (negative approaches), m/s.
    #[getter]
    fn velocity_before<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let line = self.line();
        rows(py, &line.velocity_tangent_before, line.velocity_normal_before)
    }

    /// Relative velocity after, m/s.
    #[getter]
    fn velocity_after<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let line = self.line();
        rows(py, &line.velocity_tangent_after, line.velocity_normal_after)
    }

    /// Impulse: tangents, then the normal, N·s.
    #[getter]
    fn impulse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        rows(py, &self.line().impulse_tangent, self.line().impulse_normal)
    }

    /// Normal impulse, N·s.
    #[getter]
    fn impulse_normal(&self) -> f64 {
        self.line().impulse_normal
    }

    /// Tangential impulse, N·s.
    #[getter]
    fn impulse_tangent<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.line().impulse_tangent)
    }

    /// Mean force in an impact of the duration that the scene states, tangents, then the normal, N.
    #[getter]
    fn mean_force<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let force = self.line().force.as_ref()?;
        Some(rows(py, &force.mean_tangent, force.mean_normal))
    }

    /// Least force whose work is the change of energy, tangents, then the normal, N.
    #[getter]
    fn least_force<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let force = self.line().force.as_ref()?;
        Some(rows(py, force.least_tangent.as_deref()?, force.least_normal?))
    }

    /// Work of the normal impulse, J.
    #[getter]
    fn normal_work(&self) -> f64 {
        self.line().normal_work
    }

    /// Work of the friction impulse, J.
    #[getter]
    fn friction_work(&self) -> f64 {
        self.line().friction_work
    }

    fn __repr__(&self) -> String {
        let line = self.line();
        format!("<{}: {} to {}>", line.name, line.mode_before, line.mode_after)
    }
}

impl Contact {
    fn line(&self) -> &ContactLine {
        &self.event.contacts[self.place]
    }
}

/// Tangents, then the normal.
fn rows<'py>(py: Python<'py>, tangents: &[f64], normal: f64) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_iter(py, tangents.iter().copied().chain([normal]))
}
