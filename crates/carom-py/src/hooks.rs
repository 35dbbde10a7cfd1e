//! What Python may do in a run: forces, controllers, impact laws.
//!
//! A callback is called without regard to threads: the run has given the interpreter's lock away and takes it for
//! each call. The arrays that a callback is given are used again for the next call, unless it keeps them.

use std::sync::Arc;

use carom::contact::Site;
use carom::control::{ControlError, Controller, ForceLaw, Situation};
use carom::dynamics::Kinematics;
use carom::impact::{
    ContactSpace, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace, Phase, Solved,
};
use carom::model::Model;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::numbers::{finite, vector};
use crate::trouble::Trouble;

/// A function of time and state that answers with numbers.
pub struct Callback {
    call: Py<PyAny>,
    name: &'static str,
    /// Numbers that it answers with.
    count: usize,
    trouble: Arc<Trouble>,
    /// The arrays of the last call: coordinates and velocities.
    given: Option<[Py<PyArray1<f64>>; 2]>,
}

impl Callback {
    /// A callback of this name that answers with so many numbers.
    pub fn new(call: Py<PyAny>, name: &'static str, count: usize, trouble: &Arc<Trouble>) -> Self {
        Self { call, name, count, trouble: Arc::clone(trouble), given: None }
    }

    /// Adds what it answers to `sum`; nothing once there was trouble.
    fn add(&mut self, t: f64, (q, v): (&[f64], &[f64]), sum: &mut [f64]) {
        if self.trouble.is_there() {
            return;
        }
        if let Err(error) = Python::attach(|py| self.try_add(py, t, (q, v), sum)) {
            self.trouble.note(error);
        }
    }

    fn try_add(
        &mut self,
        py: Python<'_>,
        t: f64,
        (q, v): (&[f64], &[f64]),
        sum: &mut [f64],
    ) -> PyResult<()> {
        let kept = self.given.take();
        let [old_q, old_v] = kept.map_or([None, None], |kept| kept.map(Some));
        let (given_q, given_v) = (filled(py, old_q, q), filled(py, old_v, v));
        let answer = self.call.bind(py).call1((t, &given_q, &given_v))?;
        self.given = Some([given_q.unbind(), given_v.unbind()]);
        if answer.is_none() {
            return Ok(());
        }
        if let Ok(array) = answer.cast::<PyArray1<f64>>()
            && array.len() == self.count
            && let Ok(numbers) = array.try_readonly()
            && let Ok(numbers) = numbers.as_slice()
        {
            finite(numbers, self.name)?;
            sum.iter_mut().zip(numbers).for_each(|(s, x)| *s += x);
            return Ok(());
        }
        if self.count == 1
            && let Ok(number) = answer.extract::<f64>()
        {
            finite(&[number], self.name)?;
            sum[0] += number;
            return Ok(());
        }
        let numbers = vector(&answer, self.name, self.count)?;
        sum.iter_mut().zip(numbers).for_each(|(s, x)| *s += x);
        Ok(())
    }
}

/// An array with these numbers: the one of before if nobody kept it, else a new one.
fn filled<'py>(
    py: Python<'py>,
    old: Option<Py<PyArray1<f64>>>,
    numbers: &[f64],
) -> Bound<'py, PyArray1<f64>> {
    if let Some(old) = old
        && is_alone(&old)
    {
        let old = old.into_bound(py);
        if let Ok(mut array) = old.try_readwrite()
            && let Ok(place) = array.as_slice_mut()
            && place.len() == numbers.len()
        {
            place.copy_from_slice(numbers);
            drop(array);
            return old;
        }
    }
    PyArray1::from_slice(py, numbers)
}

/// Whether nobody else has an object.
fn is_alone<T>(object: &Py<T>) -> bool {
    // SAFETY: the object is alive, and the interpreter's lock is held wherever this is called.
    #[expect(unsafe_code, reason = "the count that sys.getrefcount reads")]
    unsafe {
        pyo3::ffi::Py_REFCNT(object.as_ptr()) == 1
    }
}

/// A generalised force.
pub struct Force(pub Callback);

impl ForceLaw for Force {
    fn add(&mut self, t: f64, state: (&[f64], &[f64]), _: (&Model, &Kinematics), tau: &mut [f64]) {
        self.0.add(t, state, tau);
    }
}

/// Commands of motors as a function of time and state.
pub struct Continuous(pub Callback);

impl Controller for Continuous {
    fn command(&mut self, at: &Situation<'_>, u: &mut [f64]) {
        self.0.add(at.t, (at.q, at.v), u);
    }

    fn check(&self, _: &Model, _: &[Site], _: usize) -> Result<(), ControlError> {
        Ok(())
    }
}

/// Commands that are computed once a period and held in between.
pub struct Sampled {
    callback: Callback,
    period: f64,
    start: f64,
    ticks: u64,
    fresh: bool,
    held: Vec<f64>,
}

impl Sampled {
    /// A sampled controller.
    pub fn new(callback: Callback, period: f64) -> Self {
        let held = vec![0.0; callback.count];
        Self { callback, period, start: 0.0, ticks: 1, fresh: true, held }
    }
}

impl Controller for Sampled {
    fn command(&mut self, at: &Situation<'_>, u: &mut [f64]) {
        if std::mem::take(&mut self.fresh) {
            self.held.fill(0.0);
            self.callback.add(at.t, (at.q, at.v), &mut self.held);
        }
        u.iter_mut().zip(&self.held).for_each(|(u, x)| *u += x);
    }

    fn check(&self, _: &Model, _: &[Site], _: usize) -> Result<(), ControlError> {
        Ok(())
    }

    fn start(&mut self, t: f64) {
        self.start = t;
    }

    fn next_knot(&self) -> Option<f64> {
        // Not a sum: rounding does not pile up.
        Some(self.start + self.period * self.ticks as f64)
    }

    fn pass_knot(&mut self) -> bool {
        self.ticks += 1;
        self.fresh = true;
        true
    }
}

/// The impact that an impact law in Python is asked to resolve, in contact space: u⁺ = u⁻ + G p.
#[pyclass(frozen, module = "carom")]
pub struct Collision {
    G: Py<PyArray2<f64>>,
    u: Py<PyArray1<f64>>,
    contacts: Vec<(usize, usize, f64, f64, f64, &'static str)>,
}

#[pymethods]
impl Collision {
    /// Delassus matrix, rows contact by contact, tangents first, then the normal, 1/kg.
    #[getter]
    fn G(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.G.clone_ref(py)
    }

    /// Contact velocities before, m/s; a negative normal one approaches.
    #[getter]
    fn u(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.u.clone_ref(py)
    }

    /// Row of the normal of each contact.
    #[getter]
    fn normals(&self) -> Vec<usize> {
        self.contacts.iter().map(|c| c.0 + c.1).collect()
    }

    /// Rows of the tangents of each contact.
    #[getter]
    fn tangents(&self) -> Vec<Vec<usize>> {
        self.contacts.iter().map(|c| (c.0..c.0 + c.1).collect()).collect()
    }

    /// Dynamic friction of each contact.
    #[getter]
    fn friction(&self) -> Vec<f64> {
        self.contacts.iter().map(|c| c.2).collect()
    }

    /// Static friction of each contact.
    #[getter]
    fn static_friction(&self) -> Vec<f64> {
        self.contacts.iter().map(|c| c.3).collect()
    }

    /// Restitution of each contact.
    #[getter]
    fn restitution(&self) -> Vec<f64> {
        self.contacts.iter().map(|c| c.4).collect()
    }

    /// What each contact does before: colliding, touching, separating or apart.
    #[getter]
    fn phases(&self) -> Vec<&'static str> {
        self.contacts.iter().map(|c| c.5).collect()
    }
}

impl Collision {
    fn of(py: Python<'_>, space: &ContactSpace) -> PyResult<Self> {
        let m = space.rows();
        let G = PyArray1::from_slice(py, space.G.as_slice()).reshape([m, m])?;
        let phase = |phase: Phase| match phase {
            Phase::Colliding => "colliding",
            Phase::Touching => "touching",
            Phase::Separating => "separating",
            Phase::Apart => "apart",
        };
        let contacts = space.contacts.iter().map(|c| {
            (c.first, c.tangents, c.friction, c.static_friction, c.restitution, phase(c.phase))
        });
        Ok(Self {
            G: G.unbind(),
            u: PyArray1::from_slice(py, space.u_pre.as_slice()).unbind(),
            contacts: contacts.collect(),
        })
    }
}

/// An impact law written in Python: the impulses of a [`Collision`].
pub struct Law {
    call: Py<PyAny>,
    trouble: Arc<Trouble>,
}

impl Law {
    /// The law that a function is.
    pub fn new(call: Py<PyAny>, trouble: &Arc<Trouble>) -> Self {
        Self { call, trouble: Arc::clone(trouble) }
    }

    fn impulses(&self, space: &ContactSpace) -> PyResult<Vec<f64>> {
        Python::attach(|py| {
            let answer = self.call.bind(py).call1((Collision::of(py, space)?,))?;
            vector(&answer, "what the law returned", space.rows())
        })
    }
}

impl ImpactLaw for Law {
    fn name(&self) -> &'static str {
        "python"
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        _: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        out.reset(space);
        if self.trouble.is_there() {
            return Err(space.no_approach());
        }
        match self.impulses(space) {
            Ok(p) => {
                out.impulses.copy_from_slice(&p);
                out.complete(space);
                out.solved = Solved::by("python");
                Ok(())
            }
            Err(error) => {
                // The run ends with the exception; what it is told here is never seen.
                self.trouble.note(error);
                Err(space.no_approach())
            }
        }
    }
}

/// The same as Python gives it: force, controller, its period, on_event, law.
pub type Given =
    (Option<Py<PyAny>>, Option<Py<PyAny>>, Option<f64>, Option<Py<PyAny>>, Option<Py<PyAny>>);

/// Everything that Python does in a run.
#[derive(Default)]
pub struct Hooks {
    pub force: Option<Py<PyAny>>,
    pub controller: Option<Py<PyAny>>,
    pub period: Option<f64>,
    pub on_event: Option<Py<PyAny>>,
    pub law: Option<Py<PyAny>>,
}

impl Hooks {
    /// What is given, checked, for a scene with so many motors.
    pub fn new(py: Python<'_>, given: Option<Given>, actuators: usize) -> PyResult<Self> {
        let (force, controller, period, on_event, law) = given.unwrap_or_default();
        let hooks = Self { force, controller, period, on_event, law };
        hooks.check(py, actuators)?;
        Ok(hooks)
    }

    /// Whether all that is given can be called.
    fn check(&self, py: Python<'_>, actuators: usize) -> PyResult<()> {
        let all = [
            ("force", &self.force),
            ("controller", &self.controller),
            ("on_event", &self.on_event),
            ("law", &self.law),
        ];
        for (name, hook) in all {
            if let Some(hook) = hook
                && !hook.bind(py).is_callable()
            {
                let class = hook.bind(py).get_type().name()?;
                return Err(PyTypeError::new_err(format!("{name} must be callable, not {class}")));
            }
        }
        if self.controller.is_some() && actuators == 0 {
            let message = "the scene has no motor that a controller could command; declare \
                           [actuator.NAME], give joints an effort, or use force=";
            return Err(PyValueError::new_err(message));
        }
        match self.period {
            Some(period) if !(period > 0.0 && period.is_finite()) => {
                Err(PyValueError::new_err(format!("period is {period} s, must be above 0")))
            }
            _ => Ok(()),
        }
    }

    /// Their names, for the record of the run.
    pub fn words(&self) -> Vec<&'static str> {
        let all = [
            ("force", self.force.is_some()),
            ("controller", self.controller.is_some()),
            ("law", self.law.is_some()),
        ];
        all.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
    }
}
