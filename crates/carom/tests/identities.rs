//! Identities that hold for every mechanism, on random trees.
#![allow(non_snake_case)]

mod support;

use carom::dynamics::jacobian::{
    VelocityProducts, add_point_row, frame_jacobian, velocity_products,
};
use carom::dynamics::response::{self, ResponseScratch};
use carom::dynamics::{
    Articulated, CompositeScratch, Factor, ForwardScratch, Kinematics, RecursionScratch,
    articulate, bias, eliminate, energy, factorise, forces, forward_dynamics, integrate,
    inverse_dynamics, kinematics, mass_matrix, posture,
};
use carom::model::{BodyId, Model};
use carom::spatial::Force;
use carom::state::State;
use nalgebra::{DMatrix, DVector, Vector3};
use support::{Random, random_state, random_tree};

const TREES: u64 = 1000;
const MOST: usize = 50;
/// Relative agreement demanded of exact identities.
const EXACT: f64 = 1e-10;

/// A random mechanism at a random state with everything the identities need.
struct Case {
    model: Model,
    state: State,
    kin: Kinematics,
    art: Articulated,
    M: DMatrix<f64>,
    h: DVector<f64>,
    random: Random,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let model = random_tree(&mut random, MOST);
        let state = random_state(&mut random, &model);
        let kin = positions(&model, &state);
        let mut art = Articulated::new(&model);
        articulate(&model, &kin, &mut art).unwrap();
        let n = model.nv();
        let mut M = DMatrix::zeros(n, n);
        mass_matrix(&model, &kin, &mut CompositeScratch::new(&model), &mut M);
        let mut h = DVector::zeros(n);
        bias(&model, &kin, &mut RecursionScratch::new(&model), h.as_mut_slice());
        Self { model, state, kin, art, M, h, random }
    }

    fn vector(&mut self) -> DVector<f64> {
        DVector::from_fn(self.model.nv(), |_, _| self.random.within(-5.0, 5.0))
    }

    /// A random body and the world position of a random point of it.
    fn point(&mut self) -> (BodyId, Vector3<f64>, Vector3<f64>) {
        let ids: Vec<BodyId> = self.model.body_ids().collect();
        let body = ids[self.random.below(ids.len())];
        let local = self.random.vector();
        (body, local, self.kin.pose(&self.model, body).point(&local))
    }
}

fn positions(model: &Model, state: &State) -> Kinematics {
    let mut kin = Kinematics::new(model);
    kinematics(model, state.q.as_slice(), state.v.as_slice(), &mut kin);
    kin
}

/// The state that the velocities lead to after `dt`, velocities moving on at the rate `vdot`.
fn ahead(case: &Case, vdot: &DVector<f64>, dt: f64) -> State {
    let mut next = case.state.clone();
    let w = &case.state.v * dt + vdot * (0.5 * dt * dt);
    integrate::step(&case.model, case.state.q.as_slice(), w.as_slice(), next.q.as_mut_slice());
    next.v += vdot * dt;
    next
}

/// Central difference with two Richardson steps, of a function of the state after a time.
fn difference<const N: usize>(f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    difference_by(2e-3, f)
}

fn difference_by<const N: usize>(step: f64, f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let central = |h: f64| {
        let (a, b) = (f(h), f(-h));
        std::array::from_fn::<f64, N, _>(|i| (a[i] - b[i]) / (2.0 * h))
    };
    let (d1, d2, d4) = (central(step), central(step / 2.0), central(step / 4.0));
    std::array::from_fn(|i| {
        let (r1, r2) = ((4.0 * d2[i] - d1[i]) / 3.0, (4.0 * d4[i] - d2[i]) / 3.0);
        (16.0 * r2 - r1) / 15.0
    })
}

#[track_caller]
fn close(seed: u64, found: f64, exact: f64, scale: f64, tolerance: f64) {
    let error = (found - exact).abs() / scale.max(1e-300);
    assert!(error <= tolerance, "seed {seed}: {found} is not {exact}: {error:e} of {scale}");
}

#[test]
fn eq1_mass_matrix_by_columns() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let n = case.model.nv();
        let mut scratch = RecursionScratch::new(&case.model);
        let mut tau = vec![0.0; n];
        for j in 0..n {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            inverse_dynamics(&case.model, &case.kin, &unit, &mut scratch, &mut tau);
            // h cancels against the column, so its size belongs to the scale.
            let scale = case.M.column(j).amax() + case.h.amax();
            for i in 0..n {
                close(seed, tau[i] - case.h[i], case.M[(i, j)], scale, EXACT);
            }
        }
    }
}

#[test]
fn posture_is_kinematics_without_velocities() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let mut kin = Kinematics::new(&case.model);
        posture(&case.model, case.state.q.as_slice(), &mut kin);
        assert_eq!(kin.axes, case.kin.axes, "seed {seed}");
        for (a, b) in kin.links.iter().zip(&case.kin.links) {
            assert_eq!((a.R, a.o, a.r, a.I), (b.R, b.o, b.r, b.I), "seed {seed}");
        }
    }
}

#[test]
fn elimination_names_the_singular_degree_of_freedom() {
    let case = Case::new(3);
    let mut M = case.M.clone();
    let last = M.nrows() - 1;
    M.row_mut(last).fill(0.0);
    M.column_mut(last).fill(0.0);
    let fault = eliminate(&M, &mut Factor::new(&case.model)).unwrap_err();
    assert_eq!(fault.dof, last);
}

#[test]
fn forward_is_inverse_of_inverse() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let tau = case.vector() * 10.0;
        let mut vdot = DVector::zeros(case.model.nv());
        let mut parts = (Articulated::new(&case.model), ForwardScratch::new(&case.model));
        forward_dynamics(
            &case.model,
            &case.kin,
            tau.as_slice(),
            (&mut parts.0, &mut parts.1),
            vdot.as_mut_slice(),
        )
        .unwrap();
        let residual = &case.M * &vdot + &case.h - &tau;
        let scale = tau.amax() + case.h.amax() + (case.M.abs() * vdot.abs()).amax();
        close(seed, residual.amax(), 0.0, scale, EXACT);
        let exact = case.M.clone().cholesky().unwrap().solve(&(&tau - &case.h));
        let condition = condition(&case.M);
        close(seed, (&vdot - &exact).amax(), 0.0, exact.amax(), EXACT.max(1e-15 * condition));
    }
}

fn condition(M: &DMatrix<f64>) -> f64 {
    let eigenvalues = M.clone().symmetric_eigenvalues();
    eigenvalues.max() / eigenvalues.min()
}

#[test]
fn kinetic_energy() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let v = &case.state.v;
        let exact = 0.5 * v.dot(&(&case.M * v));
        let found = energy::kinetic_energy(&case.model, &case.kin, v.as_slice());
        close(seed, found, exact, exact, EXACT);
    }
}

#[test]
fn eq1_jacobian_from_differences() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let (body, local, x) = case.point();
        let mut J = DMatrix::zeros(6, case.model.nv());
        frame_jacobian(&case.model, &case.kin, body, &x, &mut J);
        let V = &J * &case.state.v;
        let still = DVector::zeros(case.model.nv());
        let d = difference::<3>(|t| {
            let next = ahead(&case, &still, t);
            positions(&case.model, &next).pose(&case.model, body).point(&local).into()
        });
        let twist = case.kin.twist_at(&case.model, body, &x);
        let scale = 1.0 + V.amax() * (1.0 + x.amax());
        for i in 0..3 {
            close(seed, V[i], twist.w[i], scale, EXACT);
            close(seed, V[i + 3], twist.v[i], scale, EXACT);
            close(seed, V[i + 3], d[i], scale, EXACT);
        }
        let along = case.random.axis();
        let mut row = vec![0.0; case.model.nv()];
        add_point_row(&case.model, &case.kin, (body, &x), &along, 1.0, &mut row);
        let exact = J.rows(3, 3).tr_mul(&along.into_inner());
        close(seed, (DVector::from_vec(row) - exact).amax(), 0.0, 1.0 + J.amax(), EXACT);
    }
}

/// The twist of a body at its own moving point `local`.
fn twist(case: &Case, state: &State, body: BodyId, local: &Vector3<f64>) -> [f64; 6] {
    let kin = positions(&case.model, state);
    let x = kin.pose(&case.model, body).point(local);
    let V = kin.twist_at(&case.model, body, &x);
    [V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z]
}

#[test]
fn eq2_jdot_v_from_differences() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let (body, local, x) = case.point();
        let mut products = VelocityProducts::new(&case.model);
        velocity_products(&case.model, &case.kin, &mut products);
        let bias = products.at(&case.model, &case.kin, body, &x);
        let vdot = case.vector();
        let mut J = DMatrix::zeros(6, case.model.nv());
        frame_jacobian(&case.model, &case.kin, body, &x, &mut J);
        let exact = &J * &vdot;
        let d = difference::<6>(|t| twist(&case, &ahead(&case, &vdot, t), body, &local));
        let speeds = twist(&case, &case.state, body, &local);
        let fastest = speeds.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
        let scale = 1.0 + exact.amax() + bias.w.amax() + bias.v.amax() + fastest * fastest;
        for i in 0..3 {
            close(seed, bias.w[i] + exact[i], d[i], scale, EXACT);
            close(seed, bias.v[i] + exact[i + 3], d[i + 3], scale, EXACT);
        }
    }
}

#[test]
fn power_balance() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let model = &case.model;
        let (q, v) = (case.state.q.as_slice(), case.state.v.as_slice());
        let motors: Vec<f64> = (0..model.nv()).map(|_| case.random.within(-5.0, 5.0)).collect();
        let mut tau = motors.clone();
        forces::add_joint_forces(model, q, v, &mut tau);
        let mut vdot = DVector::zeros(model.nv());
        let mut parts = (Articulated::new(model), ForwardScratch::new(model));
        let both = (&mut parts.0, &mut parts.1);
        forward_dynamics(model, &case.kin, &tau, both, vdot.as_mut_slice()).unwrap();
        let stored = |state: &State| {
            let kin = positions(model, state);
            energy::kinetic_energy(model, &kin, state.v.as_slice())
                + energy::gravity_energy(model, &kin)
                + forces::spring_energy(model, state.q.as_slice())
        };
        // Fast changes of v need a short step.
        let step = 2e-3 / (1.0 + vdot.amax().sqrt());
        let [rate] = difference_by::<1>(step, |t| [stored(&ahead(&case, &vdot, t))]);
        let supplied: f64 = motors.iter().zip(v).map(|(f, v)| f * v).sum();
        let lost = forces::damper_power(model, v);
        let scale = 1.0 + lost + stored(&case.state).abs() * (1.0 + vdot.amax());
        close(seed, rate, supplied - lost, scale, EXACT);
    }
}

#[test]
fn eq2_both_contact_operators() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let n = case.model.nv();
        let (a, b) = (case.point(), case.point());
        let mut Y = DMatrix::zeros(n, 6);
        let mut Jt = DMatrix::zeros(n, 6);
        for (side, (body, _, x)) in [&a, &b].into_iter().enumerate() {
            for k in 0..3 {
                let d = Vector3::ith(k, 1.0);
                let column = 3 * side + k;
                let wrench = Force::new(Vector3::zeros(), d);
                let mut y = Y.column_mut(column);
                let slice = y.as_mut_slice();
                response::sweep_wrench(
                    &case.model,
                    &case.kin,
                    &case.art,
                    (*body, x, &wrench),
                    slice,
                );
                let mut row = Jt.column_mut(column);
                add_point_row(&case.model, &case.kin, (*body, x), &d, 1.0, row.as_mut_slice());
            }
        }
        let mut G = DMatrix::zeros(6, 6);
        response::delassus(&case.art, &Y, &mut G);
        let dense = Jt.transpose() * case.M.clone().cholesky().unwrap().solve(&Jt);
        let tolerance = EXACT.max(1e-15 * condition(&case.M));
        close(seed, (&G - &dense).amax(), 0.0, dense.amax().max(1.0), tolerance);
        let point = response::point_operator(&case.model, &case.kin, &case.art, a.0, &a.2);
        close(seed, (G.fixed_view::<3, 3>(0, 0) - point).amax(), 0.0, dense.amax().max(1.0), EXACT);
    }
}

/// The sweep of a force along one joint is that of a generalised force with one entry.
#[test]
fn eq1_one_joint_touches_the_path_to_the_root() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let (n, mut scratch) = (case.model.nv(), ResponseScratch::new(&case.model));
        for dof in 0..n {
            let (mut path, mut whole) = (vec![0.0; n], vec![0.0; n]);
            response::sweep_joint(&case.model, &case.kin, &case.art, (dof, 1.5), &mut path);
            whole[dof] = 1.5;
            response::sweep_inward(&case.model, &case.kin, &case.art, &mut scratch, &mut whole);
            for (a, b) in path.iter().zip(&whole) {
                close(seed, *a, *b, b.abs().max(1.0), EXACT);
            }
        }
    }
}

#[test]
fn eq2_factor_of_the_mass_matrix() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let n = case.model.nv();
        let (mut swept, mut eliminated) = (Factor::new(&case.model), Factor::new(&case.model));
        factorise(&case.model, &case.kin, &case.art, &mut swept);
        eliminate(&case.M, &mut eliminated).unwrap();
        for factor in [swept, eliminated] {
            let lower = |i, j| if j <= i { factor.multiplier(i, j) } else { 0.0 };
            let L = DMatrix::from_fn(n, n, lower);
            let D = DMatrix::from_fn(n, n, |i, j| if i == j { factor.pivot(i) } else { 0.0 });
            let product = L.transpose() * D * L;
            close(seed, (&product - &case.M).amax(), 0.0, case.M.amax(), EXACT);
        }
    }
}

#[test]
fn eq3_solves() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let b = case.vector();
        let (mut x, mut z) = (b.clone(), b.clone());
        let mut scratch = ResponseScratch::new(&case.model);
        response::solve(&case.model, &case.kin, &case.art, &mut scratch, x.as_mut_slice());
        let mut factor = Factor::new(&case.model);
        factorise(&case.model, &case.kin, &case.art, &mut factor);
        factor.solve(z.as_mut_slice());
        eliminate(&case.M, &mut factor).unwrap();
        let mut y = b.clone();
        factor.solve(y.as_mut_slice());
        for x in [x, y, z] {
            let scale = b.amax() + (case.M.abs() * x.abs()).amax();
            close(seed, (&case.M * &x - &b).amax(), 0.0, scale, EXACT);
        }
    }
}

#[test]
fn eq1_coordinate_rate() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let (model, still) = (&case.model, DVector::zeros(case.model.nv()));
        let mut qdot = vec![0.0; model.nq()];
        let (q, v) = (case.state.q.as_slice(), case.state.v.as_slice());
        integrate::coordinate_rate(model, q, v, &mut qdot);
        for (i, rate) in qdot.iter().enumerate() {
            let [d] = difference::<1>(|t| [ahead(&case, &still, t).q[i]]);
            close(seed, d, *rate, 2.0, EXACT);
        }
    }
}

#[test]
fn eq3_difference_inverts_step() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let w = case.vector() * 0.3;
        let mut q = case.state.q.clone();
        let mut back = DVector::zeros(case.model.nv());
        let q0 = case.state.q.as_slice();
        integrate::step(&case.model, q0, w.as_slice(), q.as_mut_slice());
        integrate::difference(&case.model, q.as_slice(), q0, back.as_mut_slice());
        close(seed, (&back - &w).amax(), 0.0, 1.0, 1e-13);
        assert!(integrate::normalize(&case.model, q.as_mut_slice()) < 1e-15);
    }
}

#[test]
fn eq1_twists_from_differences() {
    for seed in 0..TREES {
        let mut case = Case::new(seed);
        let (body, local, x) = case.point();
        let still = DVector::zeros(case.model.nv());
        // The rotation's rate is [ω]× R: compare one column.
        let column = |state: &State| {
            let pose = positions(&case.model, state).pose(&case.model, body);
            (pose.R * local).into()
        };
        let d = Vector3::from(difference::<3>(|t| column(&ahead(&case, &still, t))));
        let R = case.kin.pose(&case.model, body).R;
        let exact = case.kin.twist_at(&case.model, body, &x).w.cross(&(R * local));
        close(seed, (d - exact).amax(), 0.0, 1.0 + exact.amax(), EXACT);
    }
}

#[test]
fn centroidal_momentum() {
    for seed in 0..TREES {
        let case = Case::new(seed);
        let still = DVector::zeros(case.model.nv());
        let momentum = energy::centroidal_momentum(&case.kin);
        let center =
            |t: f64| energy::center_of_mass(&positions(&case.model, &ahead(&case, &still, t)));
        let d = Vector3::from(difference::<3>(|t| center(t).into())) * case.model.moving_mass();
        close(seed, (momentum.f - d).amax(), 0.0, 1.0 + d.amax(), EXACT);
        // The moment about another point differs by arm × momentum.
        let origin = center(0.0);
        let mut total = Vector3::zeros();
        for link in &case.kin.links {
            let p = link.I.momentum(&link.V);
            total += p.n + link.o.cross(&p.f);
        }
        let expected = momentum.n + origin.cross(&momentum.f);
        close(seed, (total - expected).amax(), 0.0, 1.0 + total.amax(), EXACT);
    }
}
