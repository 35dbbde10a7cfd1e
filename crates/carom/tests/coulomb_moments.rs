//! The Coulomb problem with moments that follow a normal force, and with bounded rows: random problems against the
//! definition.
#![allow(non_snake_case)]

mod support;

use carom::coulomb::{Duty, Problem, Solver, velocity};
use nalgebra::{DMatrix, DVector};
use support::Random;

/// Contacts in space with rolling and spinning friction and a bounded row, on random bodies.
fn problem(random: &mut Random, contacts: usize) -> Problem {
    let rows = contacts * 6 + 2;
    let mut problem = Problem::default();
    problem.resize(rows);
    let n = rows + 3;
    let J = DMatrix::from_fn(n, rows, |_, _| random.within(-1.0, 1.0));
    problem.G.copy_from(&(J.transpose() * J / n as f64));
    // Nothing presses on the row that stands for the force of a bounded one.
    let pressed = contacts * 3 + 1;
    problem.G.row_mut(pressed).fill(0.0);
    problem.G.column_mut(pressed).fill(0.0);
    for i in (0..rows).filter(|&i| i != pressed) {
        problem.b[i] = random.within(-1.0, 0.5);
    }
    for _ in 0..contacts {
        let mu = random.within(0.1, 0.5);
        problem.push(2, [mu, mu], Duty::Coulomb);
    }
    problem.push(1, [0.6, 1.0], Duty::Coulomb);
    let bounded = &mut problem.contacts[contacts];
    (bounded.driven, bounded.preload) = (true, random.within(0.1, 0.5));
    for k in 0..contacts {
        let (rolling, spinning) = (random.within(0.01, 0.2), random.within(0.01, 0.2));
        problem.push_follower(k, 2, [rolling; 2]);
        problem.push_follower(k, 1, [spinning; 2]);
    }
    problem
}

/// How far a group is from Coulomb's law with this bound.
fn miss(x: &[f64], w: &[f64], bound: [f64; 2]) -> f64 {
    let norm = |a: &[f64]| a.iter().map(|a| a * a).sum::<f64>().sqrt();
    let slip = norm(w);
    let stick = slip.max(norm(x) - bound[1]);
    let along: Vec<f64> =
        x.iter().zip(w).map(|(x, w)| x + bound[0] * w / slip.max(f64::MIN_POSITIVE)).collect();
    stick.min(norm(&along))
}

#[test]
fn eq6_moments_and_bounded_rows_satisfy_their_laws() {
    let mut solver = Solver::default();
    let (mut slips, mut sticks) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let problem = problem(&mut random, 1 + (seed % 3) as usize);
        let (mut x, mut modes) = (DVector::zeros(0), Vec::new());
        let solved = solver.solve(&problem, &[], &mut x, &mut modes);
        assert!(solved.accepted(), "{seed}: {solved:?}");
        let mut w = DVector::zeros(0);
        velocity(&problem, &x, &mut w);
        for c in &problem.contacts {
            let x_n = x[c.normal()];
            let at = c.tangent_rows();
            let (x_t, w_t) = (&x.as_slice()[at.clone()], &w.as_slice()[at]);
            let bound = [c.friction * x_n, c.static_friction * x_n];
            assert!(miss(x_t, w_t, bound) < 1e-8, "{seed}: {c:?}");
            match c.driven {
                true => assert_eq!(x_n, c.preload),
                false => assert!(x_n > -1e-9 && w[c.normal()].min(x_n).abs() < 1e-8),
            }
            if c.leader.is_some() && x_n > 1e-6 {
                let slip = w_t.iter().any(|w| w.abs() > 1e-8);
                (slips, sticks) = (slips + usize::from(slip), sticks + usize::from(!slip));
            }
        }
    }
    assert!(slips > 50 && sticks > 10, "{slips} {sticks}");
}
