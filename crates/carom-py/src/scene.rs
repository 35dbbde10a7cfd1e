//! Scenes, their dynamics, their runs.

use std::path::PathBuf;
use std::sync::Arc;

use carom::contact::{sites, state_of};
use carom::dynamics::jacobian::{VelocityProducts, frame_jacobian, velocity_products};
use carom::dynamics::{
    Articulated, CompositeScratch, ForwardScratch, Kinematics, RecursionScratch, bias, elements,
    energy, forces, forward_dynamics, integrate, inverse_dynamics, kinematics, mass_matrix,
    posture,
};
use carom::model::BodyId;
use carom::state::State;
use carom_cli::job;
use carom_report::{q_units, v_units};
use nalgebra::{DMatrix, Vector3};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::course::Order;
use crate::error::{of_impact, of_run, of_scene, plain};
use crate::hooks::{self, Hooks};
use crate::numbers::vector;
use crate::run::{Instant, Run};
use crate::trouble::Trouble;

/// A scene that was read and built.
#[pyclass(frozen, module = "carom._carom")]
pub struct Scene {
    pub scene: Arc<carom_scene::Scene>,
    pub name: String,
    pub overrides: Vec<String>,
}

/// Rotation and position.
type Pose<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

/// A state that Python gives.
pub type Given<'py> = (f64, Bound<'py, PyAny>, Bound<'py, PyAny>);

impl Scene {
    fn new(scene: carom_scene::Scene, name: String, overrides: Vec<String>) -> Self {
        Self { scene: Arc::new(scene), name, overrides }
    }

    /// A state that Python gives, checked.
    pub fn state(&self, given: Option<Given<'_>>) -> PyResult<Option<State>> {
        let Some((t, q, v)) = given else { return Ok(None) };
        if !t.is_finite() {
            return Err(PyValueError::new_err(format!("start.t is {t}, which is not finite")));
        }
        let model = &self.scene.model;
        let q = vector(&q, "start.q", model.nq())?;
        let v = vector(&v, "start.v", model.nv())?;
        Ok(Some(State { t, q: q.into(), v: v.into() }))
    }

    /// A run of it.
    pub fn order(&self, start: Option<State>) -> Order {
        Order {
            scene: Arc::clone(&self.scene),
            name: self.name.clone(),
            overrides: self.overrides.clone(),
            start,
        }
    }

    fn body(&self, name: &str) -> PyResult<BodyId> {
        let model = &self.scene.model;
        model.body_named(name).ok_or_else(|| {
            let known: Vec<&str> = model.bodies().iter().map(|b| b.name.as_str()).collect();
            PyKeyError::new_err(format!(
                "there is no body `{name}`; there are {}",
                known.join(", ")
            ))
        })
    }

    fn coordinates(&self, q: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        vector(q, "q", self.scene.model.nq())
    }

    fn velocities(&self, v: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        vector(v, "v", self.scene.model.nv())
    }
}

#[pymethods]
impl Scene {
    /// Reads a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, overrides: Vec<String>) -> PyResult<Self> {
        let loaded = py.detach(|| carom_scene::Scene::load_with(&path, &overrides));
        let scene = loaded.map_err(|error| of_scene(py, &error))?;
        Ok(Self::new(scene, path.display().to_string(), overrides))
    }

    /// Reads a text.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, name: String, overrides: Vec<String>) -> PyResult<Self> {
        let parsed = py.detach(|| carom_scene::Scene::parse_with(text, &name, &overrides));
        let scene = parsed.map_err(|error| of_scene(py, &error))?;
        Ok(Self::new(scene, name, overrides))
    }

    /// The scene of a run.
    #[staticmethod]
    fn of_run(run: &Bound<'_, Run>) -> Self {
        let account = &run.get().account;
        let name = account.scene.files.first().map_or_else(String::new, |f| f.name.clone());
        let overrides = account.summary.job.scene.overrides.clone();
        Self::new(account.scene.clone(), name, overrides)
    }

    #[getter]
    fn nq(&self) -> usize {
        self.scene.model.nq()
    }

    #[getter]
    fn nv(&self) -> usize {
        self.scene.model.nv()
    }

    #[getter]
    fn q_names(&self) -> Vec<String> {
        self.scene.model.q_names()
    }

    #[getter]
    fn v_names(&self) -> Vec<String> {
        self.scene.model.v_names()
    }

    #[getter]
    fn q_units(&self) -> Vec<&'static str> {
        q_units(&self.scene.model)
    }

    #[getter]
    fn v_units(&self) -> Vec<&'static str> {
        v_units(&self.scene.model)
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.scene.title.as_deref()
    }

    #[getter]
    fn hash(&self) -> &str {
        &self.scene.hash
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn overrides(&self) -> Vec<String> {
        self.overrides.clone()
    }

    /// Text of the scene's own file.
    #[getter]
    fn text(&self) -> &str {
        self.scene.files.first().map_or("", |f| &f.text)
    }

    /// The files of the scene at their places relative to each other, the scene first.
    fn files(&self) -> Vec<(String, String)> {
        let kept = job::keep(&self.scene, std::path::Path::new(&self.name));
        kept.into_iter().map(|f| (f.name, f.text)).collect()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.scene.warnings.iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn until(&self) -> f64 {
        self.scene.options.solver.until
    }

    #[getter]
    fn body_names(&self) -> Vec<String> {
        self.scene.model.bodies().iter().map(|b| b.name.clone()).collect()
    }

    #[getter]
    fn contact_names(&self) -> Vec<String> {
        sites(&self.scene.model).into_iter().map(|s| s.name).collect()
    }

    /// Motors: name, name of the velocity, least and largest force.
    #[getter]
    fn actuators(&self) -> Vec<(String, String, f64, f64)> {
        let names = self.scene.model.v_names();
        let motor =
            |a: &carom::control::Actuator| (a.name.clone(), names[a.dof].clone(), a.lower, a.upper);
        self.scene.actuators.iter().map(motor).collect()
    }

    /// The start.
    #[getter]
    fn initial<'py>(&self, py: Python<'py>) -> Instant<'py> {
        let State { t, q, v } = &self.scene.initial;
        (*t, PyArray1::from_slice(py, q.as_slice()), PyArray1::from_slice(py, v.as_slice()))
    }

    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let model = &self.scene.model;
        let q = self.coordinates(q)?;
        let mut kin = Kinematics::new(model);
        posture(model, &q, &mut kin);
        let mut M = DMatrix::zeros(model.nv(), model.nv());
        mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
        square(py, &M)
    }

    fn bias<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let model = &self.scene.model;
        let kin = self.moving(q, v)?.0;
        let mut h = vec![0.0; model.nv()];
        bias(model, &kin, &mut RecursionScratch::new(model), &mut h);
        Ok(PyArray1::from_vec(py, h))
    }

    /// Forces of springs and dampers of the joints.
    fn joint_forces<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (q, v) = (self.coordinates(q)?, self.velocities(v)?);
        let mut tau = vec![0.0; self.scene.model.nv()];
        forces::add_joint_forces(&self.scene.model, &q, &v, &mut tau);
        Ok(PyArray1::from_vec(py, tau))
    }

    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        tau: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let model = &self.scene.model;
        let kin = self.moving(q, v)?.0;
        let tau = vector(tau, "tau", model.nv())?;
        let mut parts = (Articulated::new(model), ForwardScratch::new(model));
        let mut vdot = vec![0.0; model.nv()];
        let solved = forward_dynamics(model, &kin, &tau, (&mut parts.0, &mut parts.1), &mut vdot);
        solved.map_err(|e| plain(py, "SimulationError", &e.to_string(), e.hint()))?;
        Ok(PyArray1::from_vec(py, vdot))
    }

    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        vdot: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let model = &self.scene.model;
        let kin = self.moving(q, v)?.0;
        let vdot = vector(vdot, "vdot", model.nv())?;
        let mut tau = vec![0.0; model.nv()];
        inverse_dynamics(model, &kin, &vdot, &mut RecursionScratch::new(model), &mut tau);
        Ok(PyArray1::from_vec(py, tau))
    }

    /// Angular rows, then linear ones, of a point that is fixed in a body.
    fn frame_jacobian<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        body: &str,
        point: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let model = &self.scene.model;
        let (q, id) = (self.coordinates(q)?, self.body(body)?);
        let point = vector(point, "point", 3)?;
        let mut kin = Kinematics::new(model);
        posture(model, &q, &mut kin);
        let pose = kin.pose(model, id);
        let x = pose.r + pose.R * Vector3::new(point[0], point[1], point[2]);
        let mut J = DMatrix::zeros(6, model.nv());
        frame_jacobian(model, &kin, id, &x, &mut J);
        square(py, &J)
    }

    /// Rotation and position of a body.
    fn pose<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>, body: &str) -> PyResult<Pose<'py>> {
        let model = &self.scene.model;
        let (q, id) = (self.coordinates(q)?, self.body(body)?);
        let mut kin = Kinematics::new(model);
        posture(model, &q, &mut kin);
        let pose = kin.pose(model, id);
        let R = DMatrix::from_fn(3, 3, |i, j| pose.R[(i, j)]);
        Ok((square(py, &R)?, PyArray1::from_slice(py, pose.r.as_slice())))
    }

    /// Kinetic, gravity and spring energy.
    fn energies(&self, q: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<(f64, f64, f64)> {
        let model = &self.scene.model;
        let (kin, q, v) = self.moving(q, v)?;
        Ok((
            energy::kinetic_energy(model, &kin, &v),
            energy::gravity_energy(model, &kin),
            forces::spring_energy(model, &q) + elements::point_spring_energy(model, &kin),
        ))
    }

    /// q̇ = N(q) v.
    fn coordinate_rate<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (q, v) = (self.coordinates(q)?, self.velocities(v)?);
        let mut rate = vec![0.0; q.len()];
        integrate::coordinate_rate(&self.scene.model, &q, &v, &mut rate);
        Ok(PyArray1::from_vec(py, rate))
    }

    /// q ⊕ w.
    fn integrate<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        w: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (q, w) = (self.coordinates(q)?, vector(w, "w", self.scene.model.nv())?);
        let mut moved = vec![0.0; q.len()];
        integrate::step(&self.scene.model, &q, &w, &mut moved);
        Ok(PyArray1::from_vec(py, moved))
    }

    /// q₁ ⊖ q₀.
    fn difference<'py>(
        &self,
        py: Python<'py>,
        q1: &Bound<'py, PyAny>,
        q0: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let nq = self.scene.model.nq();
        let (q1, q0) = (vector(q1, "q1", nq)?, vector(q0, "q0", nq)?);
        let mut w = vec![0.0; self.scene.model.nv()];
        integrate::difference(&self.scene.model, &q1, &q0, &mut w);
        Ok(PyArray1::from_vec(py, w))
    }

    /// Gaps of all contacts, in the order of `contact_names`.
    fn gaps<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let model = &self.scene.model;
        let q = self.coordinates(q)?;
        let v = vec![0.0; model.nv()];
        let mut kin = Kinematics::new(model);
        kinematics(model, &q, &v, &mut kin);
        let mut products = VelocityProducts::new(model);
        velocity_products(model, &kin, &mut products);
        let all = sites(model);
        let gap = |site| state_of(model, (&all, site), (&kin, &products), (&q, &v)).gap;
        Ok(PyArray1::from_iter(py, (0..all.len()).map(gap)))
    }

    /// Runs it: the run, and the exception that ended it, if any.
    #[pyo3(signature = (start = None, hooks = None))]
    fn run(
        &self,
        py: Python<'_>,
        start: Option<Given<'_>>,
        hooks: Option<hooks::Given>,
    ) -> PyResult<(Run, Option<Py<PyAny>>)> {
        let order = self.order(self.state(start)?);
        let hooks = Hooks::new(py, hooks, self.scene.actuators.len())?;
        let trouble = Arc::new(Trouble::default());
        let done = py.detach(|| order.run(hooks, &trouble, true));
        let done = done.map_err(|error| of_impact(py, &error))?;
        let error = trouble.take();
        let error = error.or_else(|| done.result.as_ref().err().map(|e| of_run(py, e)));
        Ok((Run::new(done.account), error.map(|e| e.into_value(py).into_any())))
    }
}

impl Scene {
    /// Poses and twists of a state.
    fn moving(
        &self,
        q: &Bound<'_, PyAny>,
        v: &Bound<'_, PyAny>,
    ) -> PyResult<(Kinematics, Vec<f64>, Vec<f64>)> {
        let (q, v) = (self.coordinates(q)?, self.velocities(v)?);
        let mut kin = Kinematics::new(&self.scene.model);
        kinematics(&self.scene.model, &q, &v, &mut kin);
        Ok((kin, q, v))
    }
}

/// A matrix as NumPy has it, row by row.
fn square<'py>(py: Python<'py>, M: &DMatrix<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rows, columns) = M.shape();
    PyArray1::from_vec(py, M.transpose().as_slice().to_vec()).reshape([rows, columns])
}

/// `newton` or `differential,restitution=kinetic` as an override.
#[pyfunction]
pub fn law_override(law: &str) -> String {
    job::law_override(law)
}

/// The tables of a scene, overrides included, as JSON in the order of the file.
#[pyfunction]
pub fn stated(py: Python<'_>, text: &str, name: &str, overrides: Vec<String>) -> PyResult<String> {
    carom_scene::stated_in_order(text, name, &overrides).map_err(|e| of_scene(py, &e))
}
