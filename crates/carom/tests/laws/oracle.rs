//! Independent checks: random problems, every mode set by plain elimination, cone programs.
//!
//! The laws build a reduced system per mode set and solve it by orthogonal factors; here each mode set
//! is one full m × m system in all impulses, solved by elimination with complete pivoting, and the
//! conditions are checked one by one.

use crate::impact_support::Rng;
use carom::impact::{ContactSpace, ImpactContact, ImpactProblem};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT,
    SolverStatus,
};
use nalgebra::{DMatrix, DVector};

/// What random problems look like.
#[derive(Clone, Copy)]
pub struct Recipe {
    pub coordinates: usize,
    pub contacts: usize,
    /// tangents per contact; None draws 0, 1 or 2 for each
    pub tangents: Option<usize>,
    /// M = A Aᵀ + shift I
    pub shift: f64,
    pub friction: f64,
    /// μs up to (1 + this) μd
    pub static_excess: f64,
    /// chance that a contact other than the first collides instead of touching
    pub colliding: f64,
}

impl Recipe {
    pub fn planar(coordinates: usize, contacts: usize) -> Self {
        Self {
            coordinates,
            contacts,
            tangents: Some(1),
            shift: 0.3,
            friction: 0.8,
            static_excess: 0.0,
            colliding: 0.4,
        }
    }

    pub fn spatial(coordinates: usize, contacts: usize) -> Self {
        Self { tangents: Some(2), ..Self::planar(coordinates, contacts) }
    }
}

/// A random problem: contact 0 collides, the others collide or touch.
pub fn random(rng: &mut Rng, recipe: Recipe) -> ImpactProblem {
    let n = recipe.coordinates;
    let mass_matrix = rng.mass_matrix(n, recipe.shift);
    let normals: Vec<_> = (0..recipe.contacts).map(|_| rng.vector(n)).collect();
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let mut touching = vec![false; recipe.contacts];
    for k in 1..recipe.contacts {
        touching[k] = rng.unit() > recipe.colliding;
        if touching[k] {
            let mut rest = normals[k].clone();
            for _ in 0..2 {
                basis.iter().for_each(|b| rest -= b * b.dot(&rest));
            }
            basis.push(rest.normalize());
        }
    }
    let mut v = rng.vector(n);
    for _ in 0..2 {
        basis.iter().for_each(|b| v -= b * b.dot(&v));
    }
    let contacts = normals.into_iter().zip(touching).map(|(normal, touches)| {
        let approaching = touches || normal.dot(&v) < 0.0;
        let friction = recipe.friction * rng.unit();
        let count = recipe.tangents.unwrap_or_else(|| rng.below(3));
        ImpactContact {
            name: String::new(),
            tangents: DMatrix::from_fn(count, n, |_, _| rng.normal()),
            normal: if approaching { normal } else { -normal },
            friction,
            static_friction: friction * (1.0 + recipe.static_excess * rng.unit()),
            restitution: rng.unit(),
            touching: true,
        }
    });
    let contacts = contacts.collect();
    ImpactProblem::new(mass_matrix, v, contacts).expect("valid")
}

/// A contact problem in the tests' own words: ξ = G p + b, 0 ≤ pₙ − a ⟂ ξₙ ≥ 0, Coulomb on ξₜ.
pub struct Conditions<'a> {
    pub space: &'a ContactSpace,
    pub b: DVector<f64>,
    pub preload: Vec<f64>,
}

impl<'a> Conditions<'a> {
    /// ξₙ = uₙ⁺ + e uₙ⁻, no preload.
    pub fn newton(space: &'a ContactSpace) -> Self {
        let mut b = space.u_pre.clone();
        for c in &space.contacts {
            b[c.normal()] += c.restitution * space.u_pre[c.normal()].min(0.0);
        }
        Self { space, b, preload: vec![0.0; space.contacts.len()] }
    }

    pub fn velocity(&self, p: &DVector<f64>) -> DVector<f64> {
        &self.space.G * p + &self.b
    }

    /// ½ pᵀG p + b·p with b_n + μ‖ξₜ‖, the objective of [`Conditions::cone_program`].
    pub fn objective(&self, slip: &[f64], p: &DVector<f64>) -> f64 {
        let mut b = self.b.clone();
        for (c, s) in self.space.contacts.iter().zip(slip) {
            b[c.normal()] += c.friction * s;
        }
        0.5 * p.dot(&(&self.space.G * p)) + b.dot(p)
    }

    /// p is optimal exactly if every q of the cone has ½‖q − p‖²_G ≤ f(q) − f(p). The program stops
    /// with q in the cone only to about 1e-9. Returns ½‖q − p‖²_G relative to f.
    pub fn assert_optimal(&self, slip: &[f64], p: &DVector<f64>) -> f64 {
        let q = self.cone_program(slip);
        let size = self.objective(slip, p).abs();
        let excess = self.objective(slip, &q) - self.objective(slip, p);
        let apart = p - &q;
        let distance = 0.5 * apart.dot(&(&self.space.G * &apart));
        assert!(distance <= excess + 1e-9 * size, "{distance:e} {excess:e} of {size:e}");
        distance / size
    }

    /// Largest violation, relative to the largest velocity and impulse.
    pub fn violation(&self, p: &DVector<f64>) -> f64 {
        let xi = self.velocity(p);
        // round-off of ξ is relative to the terms it is summed from, not to what is left of them
        let velocity = self.b.amax().max((self.space.G.abs() * p.abs()).amax());
        let mut worst = 0.0_f64;
        for (k, c) in self.space.contacts.iter().enumerate() {
            let impulse = velocity / c.rows().map(|i| self.space.G[(i, i)]).fold(0.0, f64::max);
            let (p_n, xi_n) =
                ((p[c.normal()] - self.preload[k]) / impulse, xi[c.normal()] / velocity);
            worst = worst.max(-p_n).max(-xi_n).max(p_n.min(xi_n));
            let pick = |x: &DVector<f64>| {
                DVector::from_iterator(c.tangents, c.tangent_rows().map(|i| x[i]))
            };
            let (p_t, xi_t, normal) = (pick(p), pick(&xi), p[c.normal()]);
            let (bound, slip) = (c.static_friction * normal, xi_t.norm());
            let stick = ((p_t.norm() - bound) / impulse).max(slip / velocity);
            let slide = if slip > 0.0 {
                (&p_t + &xi_t * (c.friction * normal / slip)).norm() / impulse
            } else {
                1.0
            };
            if c.tangents > 0 {
                worst = worst.max(stick.min(slide));
            }
        }
        worst
    }

    /// Whether a problem of one spatial contact has a slipping answer: the direction û of the slip
    /// decides everything, pₙ = −bₙ/(Gₙₙ − μ Gₙₜû), so the circle is scanned for û ∥ ξₜ. Sticking
    /// is left out: with three rows of rank two and b outside the range of G it is impossible.
    pub fn has_single_answer(&self) -> bool {
        let (G, c) = (&self.space.G, &self.space.contacts[0]);
        if self.space.contacts.len() != 1 || c.tangents != 2 {
            return false;
        }
        let across = |angle: f64| -> Option<f64> {
            let u = [angle.cos(), angle.sin()];
            let direction = DVector::from_row_slice(&[-c.friction * u[0], -c.friction * u[1], 1.0]);
            let response = G * &direction;
            let p_n = -self.b[2] / response[2];
            let xi = &self.b + response * p_n;
            (p_n > 0.0 && u[0] * xi[0] + u[1] * xi[1] > 0.0).then(|| u[0] * xi[1] - u[1] * xi[0])
        };
        let steps = 20_000;
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / steps as f64;
        (0..steps).any(|k| match (across(angle(k)), across(angle(k + 1))) {
            (Some(a), Some(b)) => a * b <= 0.0,
            _ => false,
        })
    }

    /// Impulses of every admissible mode set of a planar problem, without repetition.
    pub fn enumerate(&self) -> Vec<DVector<f64>> {
        let contacts = &self.space.contacts;
        let mut found: Vec<DVector<f64>> = Vec::new();
        for code in 0..6_usize.pow(contacts.len() as u32) {
            let Some(p) = self.solve_modes(code) else { continue };
            if self.violation(&p) > 1e-9 {
                continue;
            }
            let close = |q: &DVector<f64>| (q - &p).amax() < 1e-7 * p.amax().max(q.amax());
            if !found.iter().any(close) {
                found.push(p);
            }
        }
        found
    }

    /// One equation per row: ξₙ = 0 or pₙ = a; ξₜ = 0 or pₜ = ±μ pₙ.
    fn solve_modes(&self, code: usize) -> Option<DVector<f64>> {
        let m = self.space.rows();
        let (mut A, mut rhs) = (DMatrix::zeros(m, m), DVector::zeros(m));
        let mut rest = code;
        for (k, c) in self.space.contacts.iter().enumerate() {
            let (held, tangent) = (rest.is_multiple_of(2), rest / 2 % 3);
            rest /= 6;
            let n = c.normal();
            if held {
                A.row_mut(n).copy_from(&self.space.G.row(n));
                rhs[n] = -self.b[n];
            } else {
                A[(n, n)] = 1.0;
                rhs[n] = self.preload[k];
            }
            for t in c.tangent_rows() {
                if tangent == 0 {
                    A.row_mut(t).copy_from(&self.space.G.row(t));
                    rhs[t] = -self.b[t];
                } else {
                    A[(t, t)] = 1.0;
                    A[(t, n)] = c.friction * if tangent == 1 { 1.0 } else { -1.0 };
                }
            }
        }
        A.full_piv_lu().solve(&rhs)
    }

    /// min ½ pᵀG p + b·p over pₙ ≥ 0 or over the cones ‖pₜ‖ ≤ μ pₙ, by an interior-point method. The
    /// optimality conditions of the cone program are Coulomb's law with b_n + μ‖ξₜ‖ in place of b_n;
    /// `slip` supplies ‖ξₜ‖ per contact.
    pub fn cone_program(&self, slip: &[f64]) -> DVector<f64> {
        let m = self.space.rows();
        let mut b = self.b.clone();
        let (mut rows, mut cones) = (Vec::new(), Vec::new());
        for (c, s) in self.space.contacts.iter().zip(slip) {
            b[c.normal()] += c.friction * s;
            if c.tangents == 0 {
                cones.push(NonnegativeConeT(1));
                rows.push((c.normal(), 1.0));
            } else {
                cones.push(SecondOrderConeT(c.tangents + 1));
                rows.push((c.normal(), c.friction));
                rows.extend(c.tangent_rows().map(|i| (i, 1.0)));
            }
        }
        // s = −A p ∈ K with A = −selection
        let mut A = vec![vec![0.0; m]; rows.len()];
        for (r, &(i, factor)) in rows.iter().enumerate() {
            A[r][i] = -factor;
        }
        let G: Vec<Vec<f64>> = (0..m)
            .map(|i| (0..m).map(|j| if j >= i { self.space.G[(i, j)] } else { 0.0 }).collect())
            .collect();
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .tol_gap_abs(1e-13)
            .tol_gap_rel(1e-13)
            .tol_feas(1e-13)
            .build()
            .expect("settings");
        let zero = vec![0.0; rows.len()];
        let (P, A) = (CscMatrix::from(&G), CscMatrix::from(&A));
        let mut solver =
            DefaultSolver::new(&P, b.as_slice(), &A, &zero, &cones, settings).expect("program");
        solver.solve();
        let status = solver.solution.status;
        assert!(
            matches!(
                status,
                SolverStatus::Solved
                    | SolverStatus::AlmostSolved
                    | SolverStatus::InsufficientProgress
            ),
            "{status:?}"
        );
        DVector::from_vec(solver.solution.x.clone())
    }
}

/// A problem in other coordinates, q = T q′.
pub fn transformed(problem: &ImpactProblem, T: &DMatrix<f64>) -> ImpactProblem {
    let mut other = problem.clone();
    let mass = T.transpose() * &problem.mass_matrix * T;
    other.mass_matrix = (&mass + mass.transpose()) * 0.5;
    other.velocity = T.clone().full_piv_lu().solve(&problem.velocity).expect("regular");
    for c in &mut other.contacts {
        c.normal = T.transpose() * &c.normal;
        c.tangents = &c.tangents * T;
    }
    other
}

/// The same problem with lengths and masses in other units.
pub fn rescaled(problem: &ImpactProblem, length: f64, mass: f64) -> ImpactProblem {
    let mut other = problem.clone();
    other.mass_matrix *= mass;
    other.velocity *= length;
    other
}

/// The same problem with its contacts in reverse order.
pub fn reversed(problem: &ImpactProblem) -> ImpactProblem {
    let mut other = problem.clone();
    other.contacts.reverse();
    other
}
