//! Shared by the impact tests: a deterministic generator, random problems, sample files, comparison.
#![allow(dead_code)]

pub mod brute;

use carom::impact::{
    Audit, ContactSpace, ImpactAnswer, ImpactContact, ImpactLaw, ImpactProblem, ImpactWorkspace,
    Outcome, Reduction, Tolerances, audit,
};
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

/// SplitMix64: small, fast, the same everywhere.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [a, b).
    pub fn range(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }

    /// Standard normal, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let r = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        r * (std::f64::consts::TAU * self.unit()).cos()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn vector(&mut self, n: usize) -> DVector<f64> {
        DVector::from_fn(n, |_, _| self.normal())
    }

    /// Random M = A Aᵀ + shift I; a small shift makes it badly conditioned.
    pub fn mass_matrix(&mut self, n: usize, shift: f64) -> DMatrix<f64> {
        let a = DMatrix::from_fn(n, n, |_, _| self.normal());
        &a * a.transpose() / n as f64 + DMatrix::identity(n, n) * shift
    }
}

/// What random problems look like.
#[derive(Clone, Copy)]
pub struct Recipe {
    pub contacts: usize,
    pub coordinates: usize,
    pub shift: f64,
    pub friction: f64,
    pub static_excess: f64,
}

/// A random planar problem: contact 0 collides, the others touch; about a third of them are at rest.
pub fn random_problem(rng: &mut Rng, recipe: Recipe) -> ImpactProblem {
    let n = recipe.coordinates;
    let mass_matrix = rng.mass_matrix(n, recipe.shift);
    let mut v = rng.vector(n);
    let rows: Vec<_> = (0..recipe.contacts).map(|_| (rng.vector(n), rng.vector(n))).collect();
    // Touching contacts have u_n = 0, some u_t = 0: project v on the null space of those rows, in the metric of I.
    let mut held: Vec<DVector<f64>> = Vec::new();
    for (t, normal) in rows.iter().skip(1) {
        held.push(normal.clone());
        if rng.unit() < 0.35 {
            held.push(t.clone());
        }
    }
    let mut basis: Vec<DVector<f64>> = Vec::new();
    for h in &held {
        let mut h = h.clone();
        for _ in 0..2 {
            for b in &basis {
                h -= b * b.dot(&h);
            }
        }
        basis.push(h.normalize());
    }
    for _ in 0..2 {
        for b in &basis {
            let s = b.dot(&v);
            v -= b * s;
        }
    }
    if rows[0].1.dot(&v) > 0.0 {
        v = -v;
    }
    let contacts = rows.into_iter().enumerate().map(|(k, (t, normal))| {
        let friction = recipe.friction * rng.unit();
        ImpactContact {
            name: format!("A{k}"),
            tangents: DMatrix::from_row_slice(1, n, t.as_slice()),
            normal,
            friction,
            static_friction: friction * (1.0 + recipe.static_excess * rng.unit()),
            restitution: rng.unit(),
            touching: true,
        }
    });
    let contacts = contacts.collect();
    ImpactProblem::new(mass_matrix, v, contacts).expect("random problem is valid")
}

pub fn reduce(problem: &ImpactProblem) -> ContactSpace {
    let mut reduction = Reduction::default();
    reduction.reduce(problem).expect("positive definite");
    reduction.space
}

pub fn solve(
    law: &dyn ImpactLaw,
    problem: &ImpactProblem,
) -> Result<ImpactAnswer, carom::impact::ImpactError> {
    let mut answer = ImpactAnswer::default();
    law.resolve_problem(problem, &mut ImpactWorkspace::new(), &mut answer)?;
    Ok(answer)
}

/// Audits an answer; panics with everything if a check fails, except those switched off.
pub fn check_audit(
    problem: &ImpactProblem,
    answer: &ImpactAnswer,
    tolerances: &Tolerances,
) -> Audit {
    let a = audit(&reduce(problem), &answer.solution);
    let failed: Vec<_> = a.violations(tolerances).collect();
    assert!(failed.is_empty(), "{failed:?}\n{problem:?}\n{answer:?}");
    a
}

/// Largest |a − b| relative to the largest entry.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().chain(b).fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |s, (x, y)| s.max((x - y).abs())) / scale
}

/// One line of a sample file.
pub struct Sample {
    pub id: String,
    pub law: Value,
    pub problem: ImpactProblem,
    pub answer: Value,
}

pub fn samples(text: &str) -> Vec<Sample> {
    text.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).expect("sample line");
            let problem = problem_from(&value["problem"]);
            Sample {
                id: value["id"].as_str().unwrap_or("?").into(),
                law: value["problem"]["law"].clone(),
                problem,
                answer: value["answer"].clone(),
            }
        })
        .collect()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("array").iter().map(|x| x.as_f64().expect("number")).collect()
}

fn rows_of(value: &Value, n: usize) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = value.as_array().expect("rows").iter().map(numbers).collect();
    DMatrix::from_fn(rows.len(), n, |i, j| rows[i][j])
}

pub fn problem_from(value: &Value) -> ImpactProblem {
    let v = DVector::from_vec(numbers(&value["velocity"]));
    let n = v.len();
    let contacts = value["contacts"].as_array().expect("contacts").iter().map(|c| {
        let friction = c["friction"].as_f64().unwrap_or(0.0);
        ImpactContact {
            name: c["name"].as_str().unwrap_or("").into(),
            tangents: rows_of(&c["tangents"], n),
            normal: DVector::from_vec(numbers(&c["normal"])),
            friction,
            static_friction: c["static_friction"].as_f64().unwrap_or(friction),
            restitution: c["restitution"].as_f64().unwrap_or(0.0),
            touching: c["touching"].as_bool().unwrap_or(true),
        }
    });
    let contacts = contacts.collect();
    ImpactProblem::new(rows_of(&value["mass_matrix"], n), v, contacts).expect("sample is valid")
}

/// Compares an answer with the sample's: largest relative difference of velocities, impulses, energies.
pub fn compare(sample: &Sample, answer: &ImpactAnswer) -> f64 {
    let want = &sample.answer;
    let mut worst = difference(answer.velocity.as_slice(), &numbers(&want["velocity"]));
    let (mut p, mut u) = (Vec::new(), Vec::new());
    for (k, c) in want["contacts"].as_array().expect("contacts").iter().enumerate() {
        p.extend(numbers(&c["impulse_tangent"]));
        p.push(c["impulse_normal"].as_f64().expect("number"));
        u.extend(numbers(&c["velocity_tangent"]));
        u.push(c["velocity_normal"].as_f64().expect("number"));
        let outcome: Outcome = answer.solution.outcomes[k];
        assert_eq!(c["outcome"].as_str(), Some(outcome.as_str()), "{} contact {k}", sample.id);
    }
    worst = worst.max(difference(answer.solution.impulses.as_slice(), &p));
    worst = worst.max(difference(answer.solution.u_post.as_slice(), &u));
    let energy = |name: &str| want["energy"][name].as_f64().expect("number");
    let (s, before) = (&answer.solution, energy("before"));
    for (have, name) in [
        (answer.energy_before, "before"),
        (answer.energy_after, "after"),
        (s.normal_work, "normal_work"),
        (s.friction_work, "friction_work"),
    ] {
        worst = worst.max((have - energy(name)).abs() / before);
    }
    worst
}
