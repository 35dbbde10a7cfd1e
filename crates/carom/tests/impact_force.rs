//! Finite impact forces: numbered equations, and the dependence on the origin.
#![allow(non_snake_case)]

#[path = "support/random_impacts.rs"]
mod support;

use carom::impact::{
    Displacement, Dissipation, ImpactAnswer, ImpactContact, ImpactForce, ImpactLaw, ImpactProblem,
    ImpactWorkspace, Rates, impact_force,
};
use nalgebra::{DMatrix, DVector};
use support::Random;

fn after(problem: &ImpactProblem) -> DVector<f64> {
    let mut out = ImpactAnswer::default();
    Dissipation::default().resolve_problem(problem, &mut ImpactWorkspace::new(), &mut out).unwrap();
    out.velocity
}

fn jacobian(problem: &ImpactProblem) -> DMatrix<f64> {
    let mut rows = Vec::new();
    for c in &problem.contacts {
        rows.extend(c.tangents.row_iter().map(|r| r.clone_owned()));
        rows.push(c.normal.transpose());
    }
    DMatrix::from_rows(&rows)
}

struct Case {
    problem: ImpactProblem,
    J: DMatrix<f64>,
    G: DMatrix<f64>,
    v: DVector<f64>,
    q: DVector<f64>,
    rates: Rates,
    force: ImpactForce,
}

/// Random cases; the configuration is drawn so that pushing can do the work.
fn cases(seed: u64, count: usize) -> Vec<Case> {
    let mut random = Random(seed);
    let shapes: [&[usize]; 4] = [&[1], &[2], &[1, 1], &[2, 1]];
    let mut cases = Vec::new();
    while cases.len() < count {
        let shape = shapes[cases.len() % 4];
        let problem = random.problem(7, shape, 0.5);
        let v = after(&problem);
        let (J, q) = (jacobian(&problem), random.vector(7));
        let rates = Rates { inertia: random.vector(7), jacobian: random.vector(J.nrows()) };
        let displacement = Displacement::Configuration(q.clone());
        let force = impact_force(&problem, &v, &displacement, &rates).unwrap();
        let inverse = problem.mass_matrix.clone().try_inverse().unwrap();
        cases.push(Case { G: &J * inverse * J.transpose(), problem, J, v, q, rates, force });
    }
    cases
}

/// (2) is the time derivative of (1): along A(t), q̇(t) with those rates, d(A q̇)/dt = JᵀF.
#[test]
fn eq1_eq2_momentum_rate() {
    for case in cases(1, 40) {
        let M = &case.problem.mass_matrix;
        // Any Ȧ with Ȧ q̇* = rates.inertia will do; take the one of rank one.
        let v2 = case.v.norm_squared();
        let Mdot = &case.rates.inertia * case.v.transpose() / v2;
        let momentum = |t: f64| (M + &Mdot * t) * (&case.v + &case.force.acceleration * t);
        let h = 1e-6;
        let rate = (momentum(h) - momentum(-h)) / (2.0 * h);
        let push = case.J.transpose() * &case.force.force;
        assert!((rate - &push).amax() < 1e-8 * (1.0 + push.amax()));
    }
}

/// (3): forces and contact accelerations determine each other.
#[test]
fn eq3_forces_and_accelerations() {
    for case in cases(2, 40) {
        let inverse = case.problem.mass_matrix.clone().try_inverse().unwrap();
        let right = &case.force.contact_acceleration - &case.rates.jacobian
            + &case.J * inverse * &case.rates.inertia;
        let force = case.G.clone().lu().solve(&right).unwrap();
        assert!((force - &case.force.force).amax() < 1e-8 * case.force.force.amax());
    }
}

fn feasible(case: &Case, force: &DVector<f64>) -> bool {
    let mut row = 0;
    case.problem.contacts.iter().all(|c| {
        row += c.tangents.nrows() + 1;
        force[row - 1] >= 0.0
    })
}

/// (4): no random force with the same work and no pull has a smaller FᵀGF.
#[test]
fn eq4_least_force() {
    let mut random = Random(30);
    let mut compared = 0;
    for case in cases(3, 60) {
        let c = &case.J * &case.q;
        let size = case.force.force.amax();
        for step in 0..400 {
            let mut other =
                &case.force.force + random.vector(c.len()) * (size * 10f64.powi(-(step % 5)));
            // Back onto the equality (5).
            let miss = case.force.work - c.dot(&other);
            other += &c * (miss / c.norm_squared());
            if feasible(&case, &other) {
                compared += 1;
                let f = other.dot(&(&case.G * &other));
                assert!(f >= case.force.objective * (1.0 - 1e-9));
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// Without a binding (6) the solution is G⁻¹c ΔT/(cᵀG⁻¹c).
#[test]
fn eq4_closed_form_where_nothing_pulls() {
    let mut seen = 0;
    for case in cases(4, 60) {
        let c = &case.J * &case.q;
        let y = case.G.clone().lu().solve(&c).unwrap();
        let closed = &y * (case.force.work / c.dot(&y));
        if feasible(&case, &closed) {
            seen += 1;
            assert!((closed - &case.force.force).amax() < 1e-8 * case.force.force.amax());
        }
    }
    assert!(seen > 5, "{seen}");
}

/// (5): the work is the change of kinetic energy.
#[test]
fn eq5_work() {
    for case in cases(5, 40) {
        let p = &case.problem;
        let change = p.kinetic_energy(&case.v) - p.kinetic_energy(&p.velocity);
        let work = (&case.J * &case.q).dot(&case.force.force);
        assert!((work - change).abs() < 1e-10 * change.abs());
        assert!((case.force.work - change).abs() < 1e-10 * change.abs());
    }
}

/// (6): no contact pulls, and the condition binds in some cases.
#[test]
fn eq6_no_pull() {
    let mut binding = 0;
    for case in cases(6, 60) {
        let mut row = 0;
        for c in &case.problem.contacts {
            row += c.tangents.nrows() + 1;
            let f_n = case.force.force[row - 1];
            assert!(f_n >= -1e-12 * case.force.force.amax());
            if f_n.abs() < 1e-12 * case.force.force.amax() {
                binding += 1;
            }
        }
    }
    assert!(binding > 5, "{binding}");
}

/// A ball of 1 kg that falls on the floor: x, y.
fn ball(height: f64) -> (ImpactProblem, Displacement) {
    let contact = ImpactContact {
        name: "floor".into(),
        tangents: DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
        normal: DVector::from_vec(vec![0.0, 1.0]),
        friction: 0.0,
        static_friction: 0.0,
        restitution: 0.5,
        touching: true,
    };
    let problem = ImpactProblem::new(
        DMatrix::identity(2, 2),
        DVector::from_vec(vec![0.0, -2.0]),
        vec![contact],
    )
    .unwrap();
    let q = DVector::from_vec(vec![0.0, height]);
    (problem, Displacement::Configuration(q))
}

/// The published work expression depends on the choice of origin: the same impact, seen from two origins 1 m apart,
/// has forces in the ratio of the heights, none at all on one side, and no solution if the contact is the origin.
#[test]
fn published_work_depends_on_the_origin() {
    let force = |height: f64| {
        let (problem, q) = ball(height);
        let v = after(&problem);
        impact_force(&problem, &v, &q, &Rates::default()).map(|f| f.force[1])
    };
    // ΔT = ½(1 − 4) = −1.5 J, so F = −1.5/height where that pushes.
    assert!((force(-1.0).unwrap() - 1.5).abs() < 1e-12);
    assert!((force(-2.0).unwrap() - 0.75).abs() < 1e-12);
    assert!(force(1.0).is_err());
    assert!(force(0.0).is_err());
    // The mean velocity does not care: F ε = p = m(v⁺ − v⁻) = 3 N·s.
    for height in [-1.0, -2.0, 1.0, 0.0] {
        let (problem, _) = ball(height);
        let v = after(&problem);
        let mean = Displacement::MeanVelocity { duration: 1e-3 };
        let f = impact_force(&problem, &v, &mean, &Rates::default()).unwrap();
        assert!((f.force[1] - 3e3).abs() < 1e-9);
    }
}

/// One contact with mean velocities: the force times the duration is the impulse if friction and normal loss share
/// their mean, and in any case does the work of the impulse.
#[test]
fn mean_velocity_does_the_work_of_the_impulse() {
    let mut random = Random(8);
    for _ in 0..40 {
        let problem = random.problem(6, &[1], 0.5);
        let mut out = ImpactAnswer::default();
        Dissipation::default()
            .resolve_problem(&problem, &mut ImpactWorkspace::new(), &mut out)
            .unwrap();
        let mean = Displacement::MeanVelocity { duration: 0.01 };
        let Ok(f) = impact_force(&problem, &out.velocity, &mean, &Rates::default()) else {
            continue;
        };
        let impulse_work = out.solution.normal_work + out.solution.friction_work;
        assert!((f.work - impulse_work).abs() < 1e-9 * impulse_work.abs().max(1e-3));
        // The impulse over the duration is one of the forces compared, so the least force is not larger.
        let p = &out.solution.impulses / 0.01;
        let J = jacobian(&problem);
        let inverse = problem.mass_matrix.clone().try_inverse().unwrap();
        let G = &J * inverse * J.transpose();
        assert!(f.objective <= p.dot(&(&G * &p)) * (1.0 + 1e-9));
    }
}

#[test]
fn bad_input_is_named() {
    let (problem, _) = ball(1.0);
    let v = after(&problem);
    let zero = Displacement::MeanVelocity { duration: 0.0 };
    let error = impact_force(&problem, &v, &zero, &Rates::default()).unwrap_err();
    assert!(error.to_string().contains("duration"), "{error}");
    let rates = Rates { inertia: DVector::zeros(5), ..Rates::default() };
    let (problem2, down) = ball(-1.0);
    let error = impact_force(&problem2, &v, &down, &rates).unwrap_err();
    assert!(error.to_string().contains("rates.inertia"), "{error}");
}
