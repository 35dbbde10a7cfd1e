//! Single impacts, and many at once on all cores.

use std::sync::Arc;

use carom::impact::{
    ImpactAnswer, ImpactContact, ImpactError, ImpactLaw, ImpactProblem, ImpactWorkspace, Outcome,
    resolve_problem_or_comply,
};
use carom_cli::impact::{Fault, Laws};
use nalgebra::{DMatrix, DVector};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;

use crate::error::{of_impact, plain};
use crate::hooks;
use crate::trouble::Trouble;

/// Problems that a thread takes at a time.
const CHUNK: usize = 512;

/// Numbers of one field: the same for all problems, or so many for each.
struct Field<'a> {
    numbers: &'a [f64],
    each: usize,
}

impl Field<'_> {
    fn of(&self, k: usize) -> &[f64] {
        let start = if self.numbers.len() > self.each { k * self.each } else { 0 };
        &self.numbers[start..start + self.each]
    }
}

/// The fields of one contact: name, normal, tangents, friction, static friction, restitution, touching.
type Given<'py> = (
    String,
    PyReadonlyArrayDyn<'py, f64>,
    PyReadonlyArrayDyn<'py, f64>,
    PyReadonlyArrayDyn<'py, f64>,
    PyReadonlyArrayDyn<'py, f64>,
    PyReadonlyArrayDyn<'py, f64>,
    PyReadonlyArrayDyn<'py, f64>,
);

struct ContactFields<'a> {
    name: String,
    tangents: usize,
    normal: Field<'a>,
    tangent: Field<'a>,
    friction: Field<'a>,
    static_friction: Field<'a>,
    restitution: Field<'a>,
    touching: Field<'a>,
}

/// All problems.
struct Batch<'a> {
    n: usize,
    count: usize,
    mass: Field<'a>,
    velocity: Field<'a>,
    contacts: Vec<ContactFields<'a>>,
    bilateral: Field<'a>,
}

impl Batch<'_> {
    fn rows(&self) -> usize {
        self.contacts.iter().map(|c| c.tangents + 1).sum()
    }

    /// Room for one problem.
    fn blank(&self) -> ImpactProblem {
        let contact = |c: &ContactFields<'_>| ImpactContact {
            name: c.name.clone(),
            tangents: DMatrix::zeros(c.tangents, self.n),
            normal: DVector::zeros(self.n),
            friction: 0.0,
            static_friction: 0.0,
            restitution: 0.0,
            touching: true,
        };
        ImpactProblem {
            mass_matrix: DMatrix::zeros(self.n, self.n),
            velocity: DVector::zeros(self.n),
            contacts: self.contacts.iter().map(contact).collect(),
            bilateral: DMatrix::zeros(self.bilateral.each / self.n.max(1), self.n),
        }
    }

    /// Puts problem `k` into `problem`.
    fn fill(&self, k: usize, problem: &mut ImpactProblem) {
        by_rows(self.mass.of(k), &mut problem.mass_matrix);
        by_rows(self.bilateral.of(k), &mut problem.bilateral);
        problem.velocity.copy_from_slice(self.velocity.of(k));
        for (from, to) in self.contacts.iter().zip(&mut problem.contacts) {
            to.normal.copy_from_slice(from.normal.of(k));
            by_rows(from.tangent.of(k), &mut to.tangents);
            to.friction = from.friction.of(k)[0];
            to.static_friction = from.static_friction.of(k)[0];
            to.restitution = from.restitution.of(k)[0];
            to.touching = from.touching.of(k)[0] != 0.0;
        }
    }
}

fn by_rows(numbers: &[f64], matrix: &mut DMatrix<f64>) {
    let columns = matrix.ncols().max(1);
    for (i, row) in numbers.chunks_exact(columns).enumerate() {
        for (j, x) in row.iter().enumerate() {
            matrix[(i, j)] = *x;
        }
    }
}

/// Answers of a chunk of problems.
struct Answers<'a> {
    velocity: &'a mut [f64],
    impulses: &'a mut [f64],
    u_post: &'a mut [f64],
    /// Energy before and after, work of normals and of friction.
    energies: &'a mut [f64],
    outcomes: &'a mut [u8],
    rescued: &'a mut [u8],
}

/// A problem that failed: its number, what is wrong, and what to do.
type Failure = (usize, String, String);

/// Impacts: arrays have one problem, or many along the first axis. `law` is JSON or a function. Last, whether a law
/// without an answer fails, and the number of threads (all cores if 0).
#[pyfunction]
pub fn impact<'py>(
    py: Python<'py>,
    mass_matrix: PyReadonlyArrayDyn<'py, f64>,
    velocity: PyReadonlyArrayDyn<'py, f64>,
    contacts: Vec<Given<'py>>,
    bilateral: PyReadonlyArrayDyn<'py, f64>,
    law: &Bound<'py, PyAny>,
    options: (bool, usize),
) -> PyResult<Bound<'py, PyDict>> {
    let (strict, threads) = options;
    let n = velocity.shape().last().copied().unwrap_or(0);
    if contacts.is_empty() {
        return Err(of_impact(py, &ImpactError::NoContacts));
    }
    if n == 0 {
        return Err(PyValueError::new_err("velocity is empty"));
    }
    let count = if velocity.ndim() > 1 { velocity.shape()[0] } else { 1 };
    let tie_rows = match bilateral.shape() {
        [.., rows, _] => *rows,
        _ => 0,
    };
    let mut fields = Vec::new();
    for (name, normal, tangent, friction, static_friction, restitution, touching) in &contacts {
        let tangents = match tangent.shape() {
            [.., rows, _] => *rows,
            _ => 0,
        };
        fields.push(ContactFields {
            name: name.clone(),
            tangents,
            normal: field(normal, n, count, "normal")?,
            tangent: field(tangent, tangents * n, count, "tangents")?,
            friction: field(friction, 1, count, "friction")?,
            static_friction: field(static_friction, 1, count, "static_friction")?,
            restitution: field(restitution, 1, count, "restitution")?,
            touching: field(touching, 1, count, "touching")?,
        });
    }
    let batch = Batch {
        n,
        count,
        mass: field(&mass_matrix, n * n, count, "mass_matrix")?,
        velocity: field(&velocity, n, count, "velocity")?,
        contacts: fields,
        bilateral: field(&bilateral, tie_rows * n, count, "bilateral")?,
    };
    let trouble = Arc::new(Trouble::default());
    let in_python: Option<hooks::Law> = (!law.is_instance_of::<PyString>())
        .then(|| hooks::Law::new(law.clone().unbind(), &trouble));
    let text: Option<String> = if in_python.is_none() { Some(law.extract()?) } else { None };
    let told = |fault: &Fault| plain(py, "ImpactError", &fault.to_string(), fault.hint());
    if let Some(text) = &text {
        Laws::default().get(Some(text)).map_err(|fault| told(&fault))?;
    }
    let (m, nc) = (batch.rows(), batch.contacts.len());
    let mut velocities = vec![0.0; count * n];
    let mut impulses = vec![0.0; count * m];
    let mut u_post = vec![0.0; count * m];
    let mut energies = vec![0.0; count * 4];
    let mut outcomes = vec![0_u8; count * nc];
    let mut rescued = vec![0_u8; count];
    let failures: Vec<Failure> = py.detach(|| {
        let chunks = velocities
            .par_chunks_mut((CHUNK * n).max(1))
            .zip(impulses.par_chunks_mut((CHUNK * m).max(1)))
            .zip(u_post.par_chunks_mut((CHUNK * m).max(1)))
            .zip(energies.par_chunks_mut(CHUNK * 4))
            .zip(outcomes.par_chunks_mut((CHUNK * nc).max(1)))
            .zip(rescued.par_chunks_mut(CHUNK))
            .enumerate();
        let solve = |(chunk, (((((v, p), u), e), o), r))| {
            let first: usize = chunk * CHUNK;
            let answers = Answers {
                velocity: v,
                impulses: p,
                u_post: u,
                energies: e,
                outcomes: o,
                rescued: r,
            };
            match (&in_python, &text) {
                (Some(law), _) => chunk_of(&batch, first, law, strict, answers),
                (None, text) => match Laws::default().get(text.as_deref()) {
                    Ok(law) => chunk_of(&batch, first, &law.law, strict, answers),
                    Err(fault) => vec![(first, fault.to_string(), fault.hint().into())],
                },
            }
        };
        // Python has one lock: laws written in it gain nothing from threads.
        let threads = if in_python.is_some() { 1 } else { threads };
        let work = || chunks.map(solve).flatten_iter().collect();
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) if threads > 0 => pool.install(work),
            _ => work(),
        }
    });
    if let Some(error) = trouble.take() {
        return Err(error);
    }
    let answers = PyDict::new(py);
    let shaped =
        |numbers: Vec<f64>, width: usize| PyArray1::from_vec(py, numbers).reshape([count, width]);
    answers.set_item("velocity", shaped(velocities, n)?)?;
    answers.set_item("impulses", shaped(impulses, m)?)?;
    answers.set_item("contact_velocity", shaped(u_post, m)?)?;
    answers.set_item("energies", shaped(energies, 4)?)?;
    answers.set_item("outcomes", PyArray1::from_vec(py, outcomes).reshape([count, nc])?)?;
    answers.set_item("rescued", PyArray1::from_vec(py, rescued))?;
    answers.set_item("failures", failures)?;
    Ok(answers)
}

fn field<'a>(
    array: &'a PyReadonlyArrayDyn<'_, f64>,
    each: usize,
    count: usize,
    what: &str,
) -> PyResult<Field<'a>> {
    let numbers = array.as_slice().map_err(|_| {
        PyValueError::new_err(format!("{what} must lie in one piece of memory, row by row"))
    })?;
    if numbers.len() == each || numbers.len() == each * count {
        return Ok(Field { numbers, each });
    }
    let shape = array.shape();
    let message = format!(
        "{what} has the shape {shape:?}: expected {each} numbers, or those for {count} problems"
    );
    Err(PyValueError::new_err(message))
}

/// Solves a chunk of problems; what failed is NaN.
fn chunk_of<L: ImpactLaw + ?Sized>(
    batch: &Batch<'_>,
    first: usize,
    law: &L,
    strict: bool,
    answers: Answers<'_>,
) -> Vec<Failure> {
    let (n, m, nc) = (batch.n, batch.rows(), batch.contacts.len());
    let mut problem = batch.blank();
    let (mut work, mut answer) = (ImpactWorkspace::new(), ImpactAnswer::default());
    let mut failures = Vec::new();
    for k in 0..batch.count.saturating_sub(first).min(CHUNK) {
        batch.fill(first + k, &mut problem);
        let solved = problem.validate().and_then(|()| match strict {
            true => law.resolve_problem(&problem, &mut work, &mut answer),
            false => resolve_problem_or_comply(law, &problem, &mut work, &mut answer),
        });
        let (v, p) = (&mut answers.velocity[k * n..][..n], &mut answers.impulses[k * m..][..m]);
        let (u, e) = (&mut answers.u_post[k * m..][..m], &mut answers.energies[k * 4..][..4]);
        let outcomes = &mut answers.outcomes[k * nc..][..nc];
        if let Err(error) = solved {
            for part in [v, p, u, e] {
                part.fill(f64::NAN);
            }
            outcomes.fill(u8::MAX);
            failures.push((first + k, error.to_string(), error.hint().into()));
            continue;
        }
        let solution = &answer.solution;
        v.copy_from_slice(answer.velocity.as_slice());
        p.copy_from_slice(solution.impulses.as_slice());
        u.copy_from_slice(solution.u_post.as_slice());
        let works = [solution.normal_work, solution.friction_work];
        e.copy_from_slice(&[answer.energy_before, answer.energy_after, works[0], works[1]]);
        for (code, outcome) in outcomes.iter_mut().zip(&solution.outcomes) {
            *code = match outcome {
                Outcome::Rebound => 0,
                Outcome::Stick => 1,
                Outcome::Slip => 2,
                Outcome::Detached => 3,
            };
        }
        answers.rescued[k] = u8::from(solution.rescue.is_some());
    }
    failures
}
