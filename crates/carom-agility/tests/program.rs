//! Linear programs with friction cones: against an independent conic solver, closed forms, and their
//! own certificates.
#![allow(non_snake_case)]

#[path = "../../carom/tests/support/mod.rs"]
mod support;

use carom_agility::program::{
    Cone, ConicProgram, ConicSolution, LinearRows, Participant, ProgramError, interior, solve,
};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT,
    SolverStatus, ZeroConeT,
};
use nalgebra::{DMatrix, DVector};
use support::Random;

fn vector(random: &mut Random, n: usize) -> DVector<f64> {
    DVector::from_fn(n, |_, _| random.within(-1.0, 1.0))
}

fn matrix(random: &mut Random, m: usize, n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(m, n, |_, _| random.within(-1.0, 1.0))
}

/// A random program; about half of them are feasible.
fn random_program(random: &mut Random) -> ConicProgram {
    let n = 2 + random.below(9);
    let cones = random.below(4);
    let equalities = random.below(3).min(n - 1);
    let inequalities = random.below(4);
    let mut list = Vec::new();
    let mut rows = 0;
    for _ in 0..cones {
        let tangents = random.below(3);
        list.push(Cone { first: rows, tangents, friction: random.within(0.1, 1.2) });
        rows += tangents + 1;
    }
    let inside = vector(random, n) * 0.5;
    let F = matrix(random, rows, n);
    let mut g = vector(random, rows) * 0.2;
    for cone in &list {
        g[cone.normal()] += random.within(-0.5, 1.5);
    }
    let E = matrix(random, equalities, n);
    let A = matrix(random, inequalities, n);
    let slack = DVector::from_fn(inequalities, |_, _| random.within(-0.1, 1.0));
    let scale = DVector::from_fn(n, |_, _| 10f64.powf(random.within(-1.0, 2.0)));
    ConicProgram {
        objective: vector(random, n).component_mul(&scale),
        lower: DVector::from_element(n, -1.0).component_div(&scale),
        upper: DVector::from_element(n, 1.0).component_div(&scale),
        equalities: LinearRows { bound: &E * &inside, matrix: &E * DMatrix::from_diagonal(&scale) },
        inequalities: LinearRows {
            bound: &A * &inside + slack,
            matrix: &A * DMatrix::from_diagonal(&scale),
        },
        force_matrix: &F * DMatrix::from_diagonal(&scale),
        force_offset: g,
        cones: list,
    }
}

/// The same program by an interior-point method of others; `None` if it finds it infeasible.
fn reference(p: &ConicProgram, bend: &DMatrix<f64>) -> Option<f64> {
    let n = p.variables();
    let mut rows: Vec<DVector<f64>> = Vec::new();
    let mut b: Vec<f64> = Vec::new();
    let mut cones = Vec::new();
    for i in 0..p.equalities.len() {
        rows.push(p.equalities.matrix.row(i).transpose());
        b.push(p.equalities.bound[i]);
    }
    cones.push(ZeroConeT(p.equalities.len()));
    for i in 0..p.inequalities.len() {
        rows.push(p.inequalities.matrix.row(i).transpose());
        b.push(p.inequalities.bound[i]);
    }
    for j in 0..n {
        for (sign, bound) in [(1.0, p.upper[j]), (-1.0, -p.lower[j])] {
            let mut a = DVector::zeros(n);
            a[j] = sign;
            rows.push(a);
            b.push(bound);
        }
    }
    cones.push(NonnegativeConeT(p.inequalities.len() + 2 * n));
    for cone in &p.cones {
        // s = (μ λₙ, λₜ) in the second-order cone, s = b − A x
        rows.push(p.force_matrix.row(cone.normal()).transpose() * -cone.friction);
        b.push(cone.friction * p.force_offset[cone.normal()]);
        for r in cone.first..cone.normal() {
            rows.push(-p.force_matrix.row(r).transpose());
            b.push(p.force_offset[r]);
        }
        cones.push(SecondOrderConeT(cone.tangents + 1));
    }
    let A = CscMatrix::from(&rows.iter().map(|r| r.as_slice().to_vec()).collect::<Vec<_>>());
    // The upper triangle of a minimisation.
    let upper = |i: usize, j: usize| if i <= j { -bend[(i, j)] } else { 0.0 };
    let P: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| upper(i, j)).collect()).collect();
    let P = CscMatrix::from(&P);
    let q: Vec<f64> = p.objective.iter().map(|c| -c).collect();
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-12)
        .build()
        .unwrap();
    let mut solver = DefaultSolver::new(&P, &q, &A, &b, &cones, settings).unwrap();
    solver.solve();
    match solver.solution.status {
        SolverStatus::Solved | SolverStatus::AlmostSolved => Some(-solver.solution.obj_val),
        SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => None,
        _ => Some(f64::NAN),
    }
}

#[test]
fn eq1_eq2_agrees_with_a_conic_solver() {
    let mut random = Random::new(31);
    let (mut solved, mut infeasible) = (0, 0);
    for _ in 0..600 {
        let program = random_program(&mut random);
        let straight = DMatrix::zeros(program.variables(), program.variables());
        match (solve(&program), reference(&program, &straight)) {
            (_, Some(value)) if value.is_nan() => {}
            (Ok(found), Some(value)) => {
                solved += 1;
                assert!((found.value - value).abs() < 1e-7 * (1.0 + value.abs()), "{value}");
            }
            (Err(ProgramError::Infeasible { .. }), None) => infeasible += 1,
            (ours, theirs) => panic!("{ours:?}\n{theirs:?}"),
        }
    }
    assert!(solved > 300 && infeasible > 30, "{solved} solved, {infeasible} infeasible");
}

/// (5) without curvature: the other method, the same value, multipliers that certify it.
#[test]
fn eq5_agrees_with_the_simplex_method() {
    let mut random = Random::new(41);
    let (mut solved, mut exactly) = (0, 0);
    for _ in 0..600 {
        let program = random_program(&mut random);
        let Ok(exact) = solve(&program) else { continue };
        let found = interior(&program, None).unwrap();
        let size = 1.0 + exact.value.abs();
        // Programs that have next to no inside end at the error that they state.
        let error = 1e-9 + 100.0 * found.error;
        assert!(
            (found.value - exact.value).abs() < error * size,
            "{} {}",
            found.value,
            exact.value
        );
        assert!(found.multipliers.bound(&program) - exact.value < 10.0 * error * size);
        solved += 1;
        exactly += usize::from(found.error < 1e-10);
    }
    assert!(solved > 300 && exactly * 100 > solved * 97, "{exactly} of {solved}");
}

/// (5) and (6) with curvature, against the conic solver and by the conditions themselves.
#[test]
fn eq5_eq6_curved_programs() {
    let mut random = Random::new(42);
    let mut solved = 0;
    for _ in 0..400 {
        let program = random_program(&mut random);
        let n = program.variables();
        let width = DMatrix::from_diagonal(&program.upper.map(|u| 1.0 / u));
        let half = matrix(&mut random, 1 + n / 2, n) * width;
        let bend = -half.tr_mul(&half) * random.within(0.0, 2.0);
        let Some(value) = reference(&program, &bend).filter(|v| v.is_finite()) else { continue };
        let found = interior(&program, Some(&bend)).unwrap();
        let size = 1.0 + value.abs();
        assert!((found.value - value).abs() < 1e-7 * size, "{} {value}", found.value);
        // A bound has a multiplier of its side only where it is met.
        for j in 0..n {
            let room = [found.x[j] - program.lower[j], program.upper[j] - found.x[j]];
            let width = program.upper[j] - program.lower[j];
            let k = found.multipliers.bounds[j] * width;
            assert!(k <= 1e-6 * size || room[1] < 1e-5 * width, "{k} {room:?}");
            assert!(k >= -1e-6 * size || room[0] < 1e-5 * width, "{k} {room:?}");
        }
        solved += 1;
    }
    assert!(solved > 200, "{solved}");
}

#[test]
fn eq4_the_dual_certifies() {
    let mut random = Random::new(32);
    let mut worst_gap = 0.0_f64;
    let mut worst_violation = 0.0_f64;
    let mut count = 0;
    for _ in 0..2000 {
        let program = random_program(&mut random);
        let Ok(found) = solve(&program) else { continue };
        count += 1;
        let ConicSolution { multipliers: m, certificate, .. } = &found;
        // The multipliers are dual feasible by themselves, so that (4) is a bound.
        assert!(m.inequalities.iter().all(|y| *y >= 0.0));
        for cone in &program.cones {
            let margin = m.forces[cone.normal()] - cone.friction * cone.tangential(&m.forces);
            assert!(margin >= -1e-15 * m.forces.amax());
        }
        let scale = 1.0 + found.value.abs();
        worst_gap = worst_gap.max(certificate.gap.abs() / scale);
        worst_violation = worst_violation.max(certificate.violation);
    }
    assert!(count > 800);
    assert!(worst_gap < 1e-11, "gap {worst_gap:e}");
    assert!(worst_violation < 1e-11, "violation {worst_violation:e}");
}

/// Largest a·λₜ on the slice λₙ = 1 of a cone: μ‖a‖.
#[test]
fn eq3_one_cone_in_closed_form() {
    let mut random = Random::new(33);
    for _ in 0..100 {
        let a = vector(&mut random, 2);
        let mu = random.within(0.1, 2.0);
        let program = ConicProgram {
            objective: a.clone(),
            lower: DVector::from_element(2, -5.0),
            upper: DVector::from_element(2, 5.0),
            equalities: LinearRows::none(2),
            inequalities: LinearRows::none(2),
            force_matrix: DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            force_offset: DVector::from_row_slice(&[0.0, 0.0, 1.0]),
            cones: vec![Cone { first: 0, tangents: 2, friction: mu }],
        };
        let found = solve(&program).unwrap();
        assert!((found.value - mu * a.norm()).abs() < 1e-14);
        assert!((found.x - &a * (mu / a.norm())).norm() < 1e-13);
        assert!(found.certificate.gap.abs() < 1e-13 && found.cuts < 20);
    }
}

#[test]
fn infeasible_programs_name_the_rows() {
    // x₀ + x₁ = 3 in the unit box.
    let program = ConicProgram {
        objective: DVector::from_row_slice(&[1.0, 0.0, 0.3]),
        lower: DVector::from_element(3, -1.0),
        upper: DVector::from_element(3, 1.0),
        equalities: LinearRows {
            matrix: DMatrix::from_row_slice(1, 3, &[1.0, 1.0, 0.0]),
            bound: DVector::from_element(1, 3.0),
        },
        inequalities: LinearRows::none(3),
        force_matrix: DMatrix::zeros(0, 3),
        force_offset: DVector::zeros(0),
        cones: Vec::new(),
    };
    let Err(ProgramError::Infeasible { participants }) = solve(&program) else { panic!() };
    let mut names: Vec<_> = participants.iter().map(|p| p.0).collect();
    names.sort();
    assert_eq!(names, [Participant::Upper(0), Participant::Upper(1), Participant::Equality(0)]);
}

#[test]
fn bad_programs_are_refused() {
    let mut random = Random::new(5);
    let good = random_program(&mut random);
    let mut bad = good.clone();
    bad.upper[0] = f64::INFINITY;
    assert!(matches!(solve(&bad), Err(ProgramError::Bounds { variable: 0, .. })));
    let mut bad = good.clone();
    bad.objective[1] = f64::NAN;
    assert!(matches!(solve(&bad), Err(ProgramError::NotFinite { what: "objective" })));
    let mut bad = good;
    bad.lower = DVector::zeros(1);
    assert!(matches!(solve(&bad), Err(ProgramError::Shape { what: "lower", .. })));
}
