//! Random problems, the same on every machine.

use carom::impact::{ContactSpace, ImpactContact, ImpactProblem, Restitution};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use carom::impact::spatial::Coefficients;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [a, b).
    pub fn uniform(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Log-uniform in [a, b).
    pub fn log(&mut self, a: f64, b: f64) -> f64 {
        self.uniform(a.ln(), b.ln()).exp()
    }

    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.uniform(1e-300, 1.0), self.uniform(0.0, 1.0));
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// One contact in contact space.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub K: Matrix3<f64>,
    pub u: Vector3<f64>,
    pub c: Coefficients,
}

/// A contact with a condition of K up to about `spread`².
pub fn case(rng: &mut Random, spread: f64) -> Case {
    let A = Matrix3::from_fn(|_, _| rng.normal());
    let D = Matrix3::from_diagonal(&Vector3::from_fn(|_, _| rng.log(1.0 / spread, spread)));
    let K = A * D * A.transpose();
    let K = (K + K.transpose()) * 0.5;
    let slow = if rng.below(4) == 0 { rng.log(1e-6, 1.0) } else { 1.0 };
    let u = Vector3::new(slow * rng.normal(), slow * rng.normal(), -rng.log(0.05, 5.0));
    let friction = if rng.below(8) == 0 { rng.log(0.01, 20.0) } else { rng.uniform(0.02, 1.5) };
    let c = Coefficients {
        friction,
        static_friction: friction * if rng.below(2) == 0 { 1.0 } else { rng.uniform(1.0, 1.5) },
        restitution: match rng.below(8) {
            0 => 0.0,
            1 => 1.0,
            _ => rng.uniform(0.0, 1.0),
        },
        definition: Restitution::ALL[rng.below(3)],
    };
    Case { K, u, c }
}

/// A problem with n coordinates and contacts of the given numbers of tangents; the first approaches, the others
/// touch.
pub fn problem(rng: &mut Random, n: usize, tangents: &[usize]) -> ImpactProblem {
    let A = DMatrix::from_fn(n, n, |_, _| rng.normal());
    let M = &A * A.transpose() / n as f64 + DMatrix::identity(n, n) * 0.3;
    let M = (&M + M.transpose()) * 0.5;
    let rows: usize = tangents.iter().map(|t| t + 1).sum();
    let J = DMatrix::from_fn(rows, n, |_, _| rng.normal());
    let mut target = DVector::from_fn(rows, |_, _| rng.normal());
    let mut first = 0;
    for (k, t) in tangents.iter().enumerate() {
        target[first + t] = if k == 0 { -rng.uniform(0.2, 2.0) } else { 0.0 };
        first += t + 1;
    }
    // v with J v = target, plus a motion the contacts do not see.
    let guess = DVector::from_fn(n, |_, _| rng.normal());
    let JJ = (&J * J.transpose()).lu();
    let mut v = guess.clone();
    for _ in 0..2 {
        let miss = &target - &J * &v;
        if let Some(x) = JJ.solve(&miss) {
            v += J.transpose() * x;
        }
    }
    let mut first = 0;
    let contacts = tangents.iter().enumerate().map(|(k, t)| {
        let friction = rng.uniform(0.05, 0.8);
        let c = ImpactContact {
            name: format!("A{k}"),
            tangents: J.rows(first, *t).into_owned(),
            normal: J.row(first + t).transpose(),
            friction,
            static_friction: friction * rng.uniform(1.0, 1.3),
            restitution: rng.uniform(0.0, 1.0),
            touching: true,
        };
        first += t + 1;
        c
    });
    let contacts = contacts.collect();
    ImpactProblem::new(M, v, contacts).expect("valid")
}

/// The contact space of a single case.
pub fn space(case: &Case) -> ContactSpace {
    let mut s = ContactSpace::default();
    s.resize(3);
    for i in 0..3 {
        s.u_pre[i] = case.u[i];
        for j in 0..3 {
            s.G[(i, j)] = case.K[(i, j)];
        }
    }
    s.push_contact(2, [case.c.friction, case.c.static_friction], case.c.restitution, true);
    s.classify();
    s
}
