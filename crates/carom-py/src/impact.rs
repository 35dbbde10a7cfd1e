//! Single impacts, and many at once on all cores.

use std::sync::Arc;

use carom::impact::{
    ImpactAnswer, ImpactContact, ImpactError, ImpactLaw, ImpactProblem, ImpactWorkspace, Outcome,
    resolve_problem_or_comply,
};
use carom_cli::impact::{Fault, Laws, law_hint};
use nalgebra::{DMatrix, DVector};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;

use crate::error::{of_impact, plain};
use crate::hooks;
use crate::trouble::{Trouble, interruptibly};

/// Problems that a thread takes at a time, at least and at most: enough to pay for its workspace, and few enough
/// that all threads end together.
const CHUNK: (usize, usize) = (64, 8192);

/// Chunks for each thread, if there are so many problems.
const SHARES: usize = 8;

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

impl<'a> ContactFields<'a> {
    fn new(given: &'a Given<'_>, n: usize, count: usize) -> PyResult<Self> {
        let (name, normal, tangent, friction, static_friction, restitution, touching) = given;
        let tangents = rows(tangent);
        Ok(Self {
            name: name.clone(),
            tangents,
            normal: field(normal, n, count, "normal")?,
            tangent: field(tangent, tangents * n, count, "tangents")?,
            friction: field(friction, 1, count, "friction")?,
            static_friction: field(static_friction, 1, count, "static_friction")?,
            restitution: field(restitution, 1, count, "restitution")?,
            touching: field(touching, 1, count, "touching")?,
        })
    }
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

impl<'a> Batch<'a> {
    fn new(
        py: Python<'_>,
        (mass, velocity, bilateral): (
            &'a PyReadonlyArrayDyn<'_, f64>,
            &'a PyReadonlyArrayDyn<'_, f64>,
            &'a PyReadonlyArrayDyn<'_, f64>,
        ),
        given: &'a [Given<'_>],
    ) -> PyResult<Self> {
        let n = velocity.shape().last().copied().unwrap_or(0);
        let count = if velocity.ndim() > 1 { velocity.shape()[0] } else { 1 };
        if given.is_empty() {
            return Err(of_impact(py, &ImpactError::NoContacts));
        }
        if n == 0 {
            return Err(PyValueError::new_err("velocity is empty"));
        }
        let contact = |given: &'a Given<'_>| ContactFields::new(given, n, count);
        Ok(Self {
            n,
            count,
            mass: field(mass, n * n, count, "mass_matrix")?,
            velocity: field(velocity, n, count, "velocity")?,
            contacts: given.iter().map(contact).collect::<PyResult<_>>()?,
            bilateral: field(bilateral, rows(bilateral) * n, count, "bilateral")?,
        })
    }

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
    let batch = Batch::new(py, (&mass_matrix, &velocity, &bilateral), &contacts)?;
    let trouble = Arc::new(Trouble::default());
    let chosen = Chosen::new(py, law, &trouble)?;
    let mut table = Table::new(&batch);
    let failures = if batch.count <= CHUNK.0 {
        py.detach(|| table.solve_here(&batch, &chosen, options.0, &trouble))
    } else {
        let work = || table.solve(&batch, &chosen, options, &trouble);
        interruptibly(py, |error| trouble.note(error), work)?
    };
    match trouble.take() {
        Some(error) => Err(error),
        None => table.into_dict(py, &batch, failures),
    }
}

/// The law that is asked for.
enum Chosen {
    InPython(hooks::Law),
    /// By its JSON; threads make their own.
    ByWords(String),
}

impl Chosen {
    fn new(py: Python<'_>, law: &Bound<'_, PyAny>, trouble: &Arc<Trouble>) -> PyResult<Self> {
        if !law.is_instance_of::<PyString>() {
            return Ok(Self::InPython(hooks::Law::new(law.clone().unbind(), trouble)));
        }
        let words: String = law.extract()?;
        let told = |fault: Fault| plain(py, "ImpactError", &fault.to_string(), fault.hint());
        Laws::default().get(Some(&words)).map_err(told)?;
        Ok(Self::ByWords(words))
    }
}

impl Chosen {
    /// Solves the problems of a batch from `first` on.
    fn solve(
        &self,
        (batch, first): (&Batch<'_>, usize),
        strict: bool,
        answers: Answers<'_>,
        trouble: &Trouble,
    ) -> Vec<Failure> {
        match self {
            Self::InPython(law) => chunk_of((batch, first), (law, strict), answers, trouble),
            Self::ByWords(words) => match Laws::default().get(Some(words)) {
                Ok(law) => chunk_of((batch, first), (&law.law, strict), answers, trouble),
                Err(fault) => vec![(first, fault.to_string(), fault.hint().into())],
            },
        }
    }
}

/// The answers to all problems, one row each.
struct Table {
    velocity: Vec<f64>,
    impulses: Vec<f64>,
    u_post: Vec<f64>,
    energies: Vec<f64>,
    outcomes: Vec<u8>,
    rescued: Vec<u8>,
}

impl Table {
    fn new(batch: &Batch<'_>) -> Self {
        let (count, n, m) = (batch.count, batch.n, batch.rows());
        Self {
            velocity: vec![0.0; count * n],
            impulses: vec![0.0; count * m],
            u_post: vec![0.0; count * m],
            energies: vec![0.0; count * 4],
            outcomes: vec![0; count * batch.contacts.len()],
            rescued: vec![0; count],
        }
    }

    /// Solves a few problems in this thread: a function of Python is called as if there were no Rust between.
    fn solve_here(
        &mut self,
        batch: &Batch<'_>,
        law: &Chosen,
        strict: bool,
        trouble: &Trouble,
    ) -> Vec<Failure> {
        let Self { velocity, impulses, u_post, energies, outcomes, rescued } = self;
        let answers = Answers { velocity, impulses, u_post, energies, outcomes, rescued };
        law.solve((batch, 0), strict, answers, trouble)
    }

    /// Solves all problems, chunk by chunk.
    fn solve(
        &mut self,
        batch: &Batch<'_>,
        law: &Chosen,
        (strict, threads): (bool, usize),
        trouble: &Trouble,
    ) -> Vec<Failure> {
        let (n, m, nc) = (batch.n, batch.rows(), batch.contacts.len());
        let shares = SHARES * if threads > 0 { threads } else { rayon::current_num_threads() };
        let size = (batch.count / shares).clamp(CHUNK.0, CHUNK.1);
        let chunks = self
            .velocity
            .par_chunks_mut(size * n)
            .zip(self.impulses.par_chunks_mut(size * m))
            .zip(self.u_post.par_chunks_mut(size * m))
            .zip(self.energies.par_chunks_mut(size * 4))
            .zip(self.outcomes.par_chunks_mut(size * nc))
            .zip(self.rescued.par_chunks_mut(size))
            .enumerate();
        let solve = |(chunk, (((((velocity, impulses), u_post), energies), outcomes), rescued))| {
            let answers = Answers { velocity, impulses, u_post, energies, outcomes, rescued };
            law.solve((batch, chunk * size), strict, answers, trouble)
        };
        let work = || chunks.map(solve).flatten_iter().collect();
        // Python has one lock: laws written in it gain nothing from threads.
        let threads = if matches!(law, Chosen::InPython(_)) { 1 } else { threads };
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) if threads > 0 => pool.install(work),
            _ => work(),
        }
    }

    fn into_dict<'py>(
        self,
        py: Python<'py>,
        batch: &Batch<'_>,
        failures: Vec<Failure>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (count, m, nc) = (batch.count, batch.rows(), batch.contacts.len());
        let shaped = |numbers: Vec<f64>, width: usize| {
            PyArray1::from_vec(py, numbers).reshape([count, width])
        };
        let answers = PyDict::new(py);
        answers.set_item("velocity", shaped(self.velocity, batch.n)?)?;
        answers.set_item("impulses", shaped(self.impulses, m)?)?;
        answers.set_item("contact_velocity", shaped(self.u_post, m)?)?;
        answers.set_item("energies", shaped(self.energies, 4)?)?;
        let outcomes = PyArray1::from_vec(py, self.outcomes).reshape([count, nc])?;
        answers.set_item("outcomes", outcomes)?;
        answers.set_item("rescued", PyArray1::from_vec(py, self.rescued))?;
        answers.set_item("failures", failures)?;
        Ok(answers)
    }
}

/// Rows of a matrix, or of a list of matrices.
fn rows(array: &PyReadonlyArrayDyn<'_, f64>) -> usize {
    match array.shape() {
        [.., rows, _] => *rows,
        _ => 0,
    }
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

/// Solves a chunk of problems; what failed is NaN. Ends where there is trouble.
fn chunk_of<L: ImpactLaw + ?Sized>(
    (batch, first): (&Batch<'_>, usize),
    (law, strict): (&L, bool),
    answers: Answers<'_>,
    trouble: &Trouble,
) -> Vec<Failure> {
    let (n, m, nc) = (batch.n, batch.rows(), batch.contacts.len());
    let mut problem = batch.blank();
    let (mut work, mut answer) = (ImpactWorkspace::new(), ImpactAnswer::default());
    let mut failures = Vec::new();
    for k in 0..answers.rescued.len() {
        if trouble.is_there() {
            break;
        }
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
            failures.push((first + k, error.to_string(), law_hint(&error, strict).into()));
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
