//! Random complementarity problems: pivoting against enumeration, all kinds of matrices.
#![allow(non_snake_case)]

#[path = "impact_support/mod.rs"]
mod impact_support;

use carom::complementarity::{
    ComplementarityError, EnumerateOptions, Lemke, Problem, Row, Solution, enumerate,
};
use impact_support::Rng;
use nalgebra::{DMatrix, DVector};

fn square(rng: &mut Rng, n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, n, |_, _| rng.normal())
}

/// A Aᵀ of the given rank.
fn semidefinite(rng: &mut Rng, n: usize, rank: usize) -> DMatrix<f64> {
    let A = DMatrix::from_fn(n, rank, |_, _| rng.normal());
    &A * A.transpose()
}

/// Definite plus skew: a P-matrix that is not symmetric.
fn p_matrix(rng: &mut Rng, n: usize) -> DMatrix<f64> {
    let S = square(rng, n);
    semidefinite(rng, n, n) + DMatrix::identity(n, n) * 0.1 + (&S - S.transpose()) * 2.0
}

/// Semidefinite plus entries ≥ 0: copositive, neither definite nor symmetric.
fn copositive(rng: &mut Rng, n: usize) -> DMatrix<f64> {
    semidefinite(rng, n, n / 2) + square(rng, n).abs()
}

/// q for which a known z solves the problem; `degenerate` rows have z = w = 0.
fn solvable(rng: &mut Rng, M: &DMatrix<f64>, degenerate: bool) -> DVector<f64> {
    let n = M.nrows();
    let (mut z, mut w) = (DVector::zeros(n), DVector::zeros(n));
    for i in 0..n {
        match rng.below(if degenerate { 3 } else { 2 }) {
            0 => z[i] = rng.unit() + 0.01,
            1 => w[i] = rng.unit() + 0.01,
            _ => {}
        }
    }
    w - M * z
}

fn lemke(problem: &Problem) -> Result<Solution, ComplementarityError> {
    let mut out = Solution::default();
    Lemke::with_capacity(problem.size()).solve(problem, &mut out)?;
    Ok(out)
}

fn all(problem: &Problem) -> Vec<Solution> {
    enumerate(problem, EnumerateOptions::default()).expect("small")
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().chain(b).map(|x| x.abs()).fold(1e-300, f64::max);
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / scale
}

/// The conditions, written out once more.
fn check(problem: &Problem, solution: &Solution) {
    let (M, q) = parts(problem);
    let z = DVector::from_row_slice(&solution.z);
    let w = &M * &z + &q;
    let scale = q.amax().max((M.abs() * z.abs()).amax());
    for i in 0..z.len() {
        match problem.row(i) {
            Row::Free => assert!(w[i].abs() < 1e-10 * scale),
            Row::Complementary => {
                assert!(z[i] >= 0.0 && w[i] >= -1e-10 * scale);
                assert!(z[i] == 0.0 || w[i].abs() < 1e-10 * scale);
            }
        }
    }
    assert!(solution.certificate.worst() <= 1e-10);
}

fn parts(problem: &Problem) -> (DMatrix<f64>, DVector<f64>) {
    let n = problem.size();
    let M = DMatrix::from_fn(n, n, |i, j| problem.coefficient(i, j));
    (M, DVector::from_fn(n, |i, _| problem.constant(i)))
}

#[test]
fn p_matrices_have_one_solution_and_pivoting_finds_it() {
    let mut rng = Rng::new(1);
    let mut pivots = 0;
    for case in 0..300 {
        let n = 1 + case % 8;
        let M = p_matrix(&mut rng, n);
        let problem = Problem::new(&M, &rng.vector(n)).expect("square");
        let solution = lemke(&problem).expect("a P-matrix has a solution for every q");
        check(&problem, &solution);
        let known = all(&problem);
        assert_eq!(known.len(), 1);
        assert!(distance(&solution.z, &known[0].z) < 1e-9);
        pivots += solution.pivots;
    }
    println!("{pivots} pivots");
    assert!(pivots <= 1100, "{pivots} pivots; 1000 when written");
}

#[test]
fn semidefinite_matrices_have_one_w() {
    let mut rng = Rng::new(2);
    for case in 0..300 {
        let n = 2 + case % 6;
        let M = semidefinite(&mut rng, n, 1 + case % n);
        let q = solvable(&mut rng, &M, case % 3 == 0);
        let problem = Problem::new(&M, &q).expect("square");
        let solution = lemke(&problem).expect("feasible, so pivoting cannot end on a ray");
        check(&problem, &solution);
        let known = all(&problem);
        assert!(!known.is_empty());
        let scale = q.amax();
        for other in &known {
            let apart =
                other.w.iter().zip(&solution.w).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart <= 1e-8 * scale, "{apart:e}");
        }
    }
}

#[test]
fn semidefinite_without_solution_ends_on_a_ray() {
    let mut rng = Rng::new(3);
    let (mut rays, mut solved) = (0, 0);
    for _ in 0..300 {
        let n = 5;
        let problem = Problem::new(&semidefinite(&mut rng, n, 2), &rng.vector(n)).expect("square");
        match lemke(&problem) {
            Ok(solution) => {
                check(&problem, &solution);
                solved += 1;
            }
            Err(ComplementarityError::Ray { .. }) => {
                assert!(all(&problem).is_empty());
                rays += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    println!("{rays} rays, {solved} solved");
    assert!(rays > 50 && solved > 20);
}

#[test]
fn copositive_matrices() {
    let mut rng = Rng::new(4);
    for case in 0..300 {
        let n = 2 + case % 6;
        // strictly positive diagonal and copositive: a solution for every q
        let M = copositive(&mut rng, n) + DMatrix::identity(n, n) * 0.1;
        let problem = Problem::new(&M, &rng.vector(n)).expect("square");
        let solution = lemke(&problem).expect("strictly copositive");
        check(&problem, &solution);
        let nearest = all(&problem).iter().map(|s| distance(&s.z, &solution.z)).fold(1.0, f64::min);
        assert!(nearest < 1e-8, "{nearest:e}");
    }
}

#[test]
fn degenerate_and_repeated_rows() {
    let mut rng = Rng::new(5);
    for case in 0..200 {
        let n = 3 + case % 4;
        let mut M = p_matrix(&mut rng, n);
        M = &M + M.transpose();
        // the last row and column repeat the first: redundant, and every tie occurs
        for j in 0..n {
            M[(n - 1, j)] = M[(0, j)];
        }
        for i in 0..n {
            M[(i, n - 1)] = M[(i, 0)];
        }
        let mut q = solvable(&mut rng, &M, true);
        q[n - 1] = q[0];
        let problem = Problem::new(&M, &q).expect("square");
        let solution = lemke(&problem).expect("redundant but feasible");
        check(&problem, &solution);
        let known = all(&problem);
        let nearest = known
            .iter()
            .map(|s| s.w.iter().zip(&solution.w).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
            .fold(1.0, f64::min);
        assert!(nearest <= 1e-8 * q.amax(), "{nearest:e}");
        // the points reported include one where both share alike
        let shared =
            known.iter().any(|s| (s.z[0] - s.z[n - 1]).abs() < 1e-9 * (1.0 + s.z[0].abs()));
        assert!(shared);
    }
}

#[test]
fn badly_scaled_rows_and_unknowns() {
    let mut rng = Rng::new(6);
    for case in 0..200 {
        let n = 2 + case % 5;
        let M = p_matrix(&mut rng, n);
        let q = rng.vector(n);
        let plain = lemke(&Problem::new(&M, &q).expect("square")).expect("P");
        let scale = |rng: &mut Rng| DVector::from_fn(n, |_, _| 10f64.powf(rng.range(-6.0, 6.0)));
        let (rows, columns) = (scale(&mut rng), scale(&mut rng));
        let scaled = DMatrix::from_fn(n, n, |i, j| rows[i] * M[(i, j)] * columns[j]);
        let problem = Problem::new(&scaled, &q.component_mul(&rows)).expect("square");
        let other = lemke(&problem).expect("the same problem");
        let back: Vec<f64> = other.z.iter().zip(columns.iter()).map(|(z, c)| z * c).collect();
        assert!(distance(&back, &plain.z) < 1e-8);
    }
}

#[test]
fn mixed_rows() {
    let mut rng = Rng::new(7);
    let mut negative = 0;
    for case in 0..200 {
        let n = 2 + case % 6;
        let M = p_matrix(&mut rng, n);
        let mut problem = Problem::new(&M, &rng.vector(n)).expect("square");
        for i in 0..n {
            if rng.unit() < 0.4 {
                problem.set_row(i, Row::Free);
            }
        }
        let solution = lemke(&problem).expect("definite");
        check(&problem, &solution);
        let known = all(&problem);
        assert_eq!(known.len(), 1);
        assert!(distance(&known[0].z, &solution.z) < 1e-9);
        negative += usize::from(solution.z.iter().any(|&z| z < 0.0));
    }
    assert!(negative > 50);
}

#[test]
fn enumeration_finds_what_pivoting_cannot() {
    // indefinite matrices: no guarantee for pivoting, but what it returns is among the solutions
    let mut rng = Rng::new(8);
    let (mut several, mut none, mut missed) = (0, 0, 0);
    for case in 0..300 {
        let n = 2 + case % 4;
        let problem = Problem::new(&square(&mut rng, n), &rng.vector(n)).expect("square");
        let known = all(&problem);
        known.iter().for_each(|s| assert!(s.certificate.worst() <= 1e-10));
        match lemke(&problem) {
            Ok(solution) => {
                let nearest = known.iter().map(|s| distance(&s.z, &solution.z)).fold(1.0, f64::min);
                assert!(nearest < 1e-8);
            }
            Err(_) => missed += usize::from(!known.is_empty()),
        }
        several += usize::from(known.len() > 1);
        none += usize::from(known.is_empty());
    }
    println!("several {several}, none {none}, missed by pivoting {missed}");
    assert!(several > 30 && none > 30);
}
