//! The Coulomb problem by its factor, against the dense problem and its certificate.
#![allow(non_snake_case)]

mod support;

use carom::coulomb::sparse::Effort;
use carom::coulomb::{Duty, Method, Solver, SparseProblem, SparseSolver, residual, velocity};
use nalgebra::{DMatrix, DVector};
use support::{Random, stacks};

/// (1): Z Zᵀ is G, so that velocities are the same.
#[test]
fn eq1_the_factor_is_that_of_the_dense_problem() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let (_, dense, sparse) = stacks::random_sparse(&mut random, 40);
        let x: Vec<f64> = (0..dense.rows()).map(|_| random.within(-1.0, 1.0)).collect();
        let (mut s, mut w, mut exact) = (Vec::new(), Vec::new(), DVector::zeros(0));
        sparse.gather(&x, &mut s);
        sparse.velocity(&s, &mut w);
        velocity(&dense, &DVector::from_vec(x), &mut exact);
        assert!((DVector::from_vec(w) - &exact).amax() < 1e-12 * exact.amax());
        for i in 0..dense.rows() {
            assert!((sparse.diagonal(i) - dense.G[(i, i)]).abs() < 1e-13);
        }
    }
}

/// Stacks of all sorts are solved to the certificate of the dense problem, which is never larger than the sparse one.
#[test]
fn eq1_the_certificate_is_no_smaller_than_the_dense_one() {
    let mut solver = SparseSolver::default();
    for seed in 0..30 {
        let (name, dense, sparse) = stacks::random_sparse(&mut Random::new(seed), 32);
        let mut x = Vec::new();
        let solved = solver.solve(&sparse, &Effort::default(), &mut x);
        let (x, mut w) = (DVector::from_vec(x), DVector::zeros(0));
        velocity(&dense, &x, &mut w);
        let certificate = residual(&dense, &x, &w);
        println!("{name:>10} {:4} {certificate:9.1e} {:?}", dense.contacts.len(), solved.by);
        assert!(solved.accepted() && certificate <= 1e-9, "{name}, seed {seed}: {solved:?}");
        assert!(
            certificate <= solved.residual.max(1e-14) * (1.0 + 1e-6),
            "{certificate} {solved:?}"
        );
    }
}

/// Where accelerations are unique (no friction) both solvers find the same ones.
#[test]
fn without_friction_motions_are_those_of_the_dense_solver() {
    for seed in 0..20 {
        let (name, mut dense, mut sparse) = stacks::random_sparse(&mut Random::new(seed), 24);
        dense.contacts.iter_mut().for_each(|c| (c.friction, c.static_friction) = (0.0, 0.0));
        sparse.contacts.iter_mut().for_each(|c| (c.friction, c.static_friction) = (0.0, 0.0));
        let mut x = Vec::new();
        let mut solver = SparseSolver::default();
        assert!(solver.solve(&sparse, &Effort::default(), &mut x).accepted());
        let (mut dense_x, mut modes, mut w) = (DVector::zeros(0), Vec::new(), DVector::zeros(0));
        assert!(Solver::default().solve(&dense, &[], &mut dense_x, &mut modes).accepted());
        velocity(&dense, &dense_x, &mut w);
        for (i, w) in w.iter().enumerate() {
            assert!((w - solver.w()[i]).abs() < 1e-6, "{name}, seed {seed}, row {i}");
        }
    }
}

/// A first guess that is the answer needs nothing; sweeps alone come near it and say how near.
#[test]
fn a_good_guess_is_kept_and_sweeps_are_honest() {
    let (_, _, sparse) = stacks::random_sparse(&mut Random::new(7), 64);
    let mut solver = SparseSolver::default();
    let mut x = Vec::new();
    solver.solve(&sparse, &Effort::default(), &mut x);
    let work = solver.work();
    let (answer, again) = (x.clone(), solver.solve(&sparse, &Effort::default(), &mut x));
    assert!(x == answer && solver.work() == work, "{again:?}");
    let mut near = Vec::new();
    let few = Effort { target: 1e-3, sweeps: 5000, factor: 0.0 };
    let swept = solver.solve(&sparse, &few, &mut near);
    assert!(swept.residual <= 1e-3 && swept.residual > 1e-12, "{swept:?}");
    let none = Effort { target: 1e-12, sweeps: 0, factor: 0.0 };
    let unsolved = solver.solve(&sparse, &none, &mut Vec::new());
    assert!(unsolved.residual > 1e-3, "{unsolved:?}");
}

/// μs holds what does not slip, μd what does: a block on an incline of slope between the two.
#[test]
fn sticking_and_sliding_have_their_own_coefficients() {
    let block = |slope: f64| {
        let mut problem = SparseProblem::default();
        problem.reset([2].into_iter());
        let b = [9.0 * slope, -9.0];
        problem.push(&b, [0.4, 0.6], Duty::Coulomb, [Some(0), None], |_, rows| {
            rows.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        });
        let (mut x, mut solver) = (Vec::new(), SparseSolver::default());
        assert!(solver.solve(&problem, &Effort::default(), &mut x).accepted());
        solver.w()[0]
    };
    assert!(block(0.59).abs() < 1e-9);
    assert!((block(0.61) - 9.0 * (0.61 - 0.4)).abs() < 1e-8);
}

/// (1) of the acceleration: a tower of thirty blocks, gravity in the ground contact last. A sweep moves the answer by π²/n²
/// of what is missing, so that plain sweeps would need some four thousand of them.
#[test]
fn eq1_accelerated_sweeps_reach_the_certificate_of_a_tower() {
    const BLOCKS: usize = 30;
    let mut tower = SparseProblem::default();
    tower.reset((0..BLOCKS).map(|_| 1));
    for k in 0..BLOCKS {
        // Block k on block k − 1; the lowest on the ground.
        let below = k.checked_sub(1);
        let b = if below.is_some() { 0.0 } else { -1.0 };
        tower.push(&[b], [0.0; 2], Duty::Coulomb, [Some(k), below], |part, row| {
            row[0] = if part == k { 1.0 } else { -1.0 };
        });
    }
    let sweeps = Effort { target: 1e-9, sweeps: 400, factor: 0.0 };
    let mut x = Vec::new();
    let solved = SparseSolver::default().solve(&tower, &sweeps, &mut x);
    assert!(solved.residual <= 1e-9, "{solved:?}");
    // Every contact carries the blocks above it.
    for (k, x) in x.iter().enumerate() {
        assert!((x - (BLOCKS - k) as f64).abs() < 1e-6, "{k}: {x}");
    }
}

/// The path takes stacks to the certificate that as many sweeps leave far away, and so to Coulomb's law as the dense problem
/// states it.
#[test]
fn eq2_the_path_ends_at_coulombs_law() {
    let (mut found, mut left) = (0, 0);
    for seed in 0..30 {
        let (name, dense, sparse) = stacks::random_sparse(&mut Random::new(seed), 256);
        // Few contacts have Newton's method first, and where balls slip on all sides the path may have a fold.
        if sparse.contacts.len() <= 64 || name == "spheres" {
            continue;
        }
        let effort = Effort { target: 1e-6, sweeps: 60, factor: 3e10 };
        let mut x = Vec::new();
        let solved = SparseSolver::default().solve(&sparse, &effort, &mut x);
        let swept = SparseSolver::default().solve(
            &sparse,
            &Effort { factor: 0.0, ..effort },
            &mut Vec::new(),
        );
        println!(
            "{name:>10} {seed} {} {:?} {:.1e}, by sweeps {:.1e}",
            dense.contacts.len(),
            solved.by,
            solved.residual,
            swept.residual
        );
        if solved.by == Method::Viscous && solved.residual <= 1e-6 {
            let (x, mut w) = (DVector::from_vec(x), DVector::zeros(0));
            velocity(&dense, &x, &mut w);
            assert!(residual(&dense, &x, &w) <= 1e-6, "{name}, seed {seed}");
            found += 1;
            left += usize::from(swept.residual > 1e-3);
        }
    }
    assert!(found > 10 && left > 5, "{found} {left}");
}

/// Balls that slip on all sides: where the path has a fold, alternating directions end at Coulomb's law, and as many sweeps as take
/// the same time far from it.
#[test]
fn eq2_alternating_directions_solve_what_sweeps_do_not() {
    let (mut tried, mut found, mut left) = (0, 0, 0);
    for seed in 0..60 {
        let (name, mut dense, mut sparse) = stacks::random_sparse(&mut Random::new(seed), 400);
        for c in dense.contacts.iter_mut().chain(&mut sparse.contacts) {
            (c.friction, c.static_friction) = (0.3, 0.3);
        }
        if name != "spheres" || sparse.contacts.len() <= 64 {
            continue;
        }
        tried += 1;
        let effort = Effort { target: 1e-6, sweeps: 200, factor: 2e9 };
        let mut x = Vec::new();
        let solved = SparseSolver::default().solve(&sparse, &effort, &mut x);
        let sweeps = Effort { factor: 0.0, ..effort };
        let swept = SparseSolver::default().solve(&sparse, &sweeps, &mut Vec::new());
        println!(
            "{seed} {} {:?} {:.1e}, by sweeps {:.1e}",
            dense.contacts.len(),
            solved.by,
            solved.residual,
            swept.residual
        );
        if solved.by == Method::Alternating && solved.residual <= 1e-6 {
            let (x, mut w) = (DVector::from_vec(x), DVector::zeros(0));
            velocity(&dense, &x, &mut w);
            assert!(residual(&dense, &x, &w) <= 1e-6, "seed {seed}");
            found += 1;
            left += usize::from(swept.residual > 1e-4);
        }
    }
    assert!(found > 1 && left > 0, "{tried} {found} {left}");
}

/// Two bodies on the ground that lean on each other, with rolling and spinning friction at all three contacts: the answer
/// satisfies the dense problem with followers, every moment lies in the cone of its normal force, and one that turns has its full
/// size. (4) makes the rows of moments as easy to move as the normal.
#[test]
fn eq4_moments_follow_the_normal_force_as_in_the_dense_problem() {
    let (mut slips, mut holds) = (0, 0);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let parts = [[Some(0), None], [Some(1), None], [Some(0), Some(1)]];
        let (mu, laws) = (0.4, [(2, 0.02), (1, 0.01)]);
        let mut sparse = SparseProblem::default();
        sparse.reset([6, 6].into_iter());
        let (mut Z, mut b) = (DMatrix::<f64>::zeros(18, 12), DVector::<f64>::zeros(18));
        for (k, own) in parts.into_iter().enumerate() {
            for i in 0..6 {
                // Moments turn light bodies: their rows are ten times as large.
                let size = if i < 3 { 1.0 } else { 10.0 };
                let lean = if i == 2 { -1.0 } else { 0.0 };
                b[6 * k + i] = lean + 0.3 * size * random.within(-1.0, 1.0);
                for part in own.into_iter().flatten() {
                    for j in 0..6 {
                        Z[(6 * k + i, 6 * part + j)] =
                            size * (f64::from(i == j) + 0.1 * random.within(-1.0, 1.0));
                    }
                }
            }
            let rows: Vec<f64> = b.rows(6 * k, 6).iter().copied().collect();
            sparse.push_with(&rows, ([mu; 2], Duty::Coulomb, &laws), own, |part, out| {
                for i in 0..6 {
                    (0..6).for_each(|j| out[6 * i + j] = Z[(6 * k + i, 6 * part + j)]);
                }
            });
            let g = |row: usize| sparse.diagonal(6 * k + row);
            assert!(
                (g(3).max(g(4)) / g(2) - 1.0).abs() < 1e-12 && (g(5) / g(2) - 1.0).abs() < 1e-12
            );
        }
        let mut x = Vec::new();
        let solved = SparseSolver::default().solve(&sparse, &Effort::default(), &mut x);
        assert!(solved.residual < 1e-9, "seed {seed}: {solved:?}");
        x.iter_mut().enumerate().for_each(|(row, x)| *x *= sparse.unit(row));
        let w = &Z * (Z.transpose() * DVector::from_column_slice(&x)) + &b;
        let scale = b.amax() + (&w - &b).amax();
        for k in 0..3 {
            let push = x[6 * k + 2];
            assert!(push >= 0.0 && w[6 * k + 2] > -1e-8 * scale);
            for (first, count, mu) in [(0, 2, mu), (3, 2, 0.02), (5, 1, 0.01)] {
                let rows = 6 * k + first..6 * k + first + count;
                let size = |v: &dyn Fn(usize) -> f64| {
                    rows.clone().map(|i| v(i).powi(2)).sum::<f64>().sqrt()
                };
                let (force, slip) = (size(&|i| x[i]), size(&|i| w[i]));
                assert!(force <= mu * push + 1e-9, "seed {seed}: {force} {push}");
                let power: f64 = rows.clone().map(|i| x[i] * w[i]).sum();
                assert!((power + mu * push * slip).abs() < 1e-7 * scale, "seed {seed} {power}");
                if first > 0 && push > 0.0 {
                    *(if slip > 1e-6 { &mut slips } else { &mut holds }) += 1;
                }
            }
        }
    }
    assert!(slips > 5 && holds > 5, "{slips} {holds}");
}
