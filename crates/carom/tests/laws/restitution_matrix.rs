//! The restitution matrix: `impact::restitution_matrix`. Numbers in brackets are Flickinger's.

use crate::impact_support::{Rng, difference, reduce, solve};
use crate::oracle::{Conditions, Recipe, random, rescaled, reversed, transformed};
use carom::impact::restitution_matrix::{Coefficient, MatrixAnswer, Rotation};
use carom::impact::{
    ImpactContact, ImpactError, ImpactLaw, ImpactProblem, ImpactSolution, ImpactWorkspace, Newton,
    Outcome, Reason, RestitutionMatrix, audit,
};
use nalgebra::{DMatrix, DVector};

fn rows(law: &RestitutionMatrix, problem: &ImpactProblem) -> Result<MatrixAnswer, ImpactError> {
    let mut answer = MatrixAnswer::default();
    law.resolve_rows(problem, &mut ImpactWorkspace::new(), &mut answer)?;
    Ok(answer)
}

/// J of all contacts, tangents before normals.
fn jacobian(problem: &ImpactProblem) -> DMatrix<f64> {
    let mut all = Vec::new();
    for c in &problem.contacts {
        all.extend(c.tangents.row_iter().map(|t| t.transpose()));
        all.push(c.normal.clone());
    }
    DMatrix::from_fn(all.len(), problem.nv(), |i, j| all[i][j])
}

/// Problems whose no-slip trial passes: plenty of friction.
fn sticking(rng: &mut Rng, recipe: Recipe) -> (ImpactProblem, MatrixAnswer) {
    loop {
        let problem = random(rng, Recipe { friction: 4.0, ..recipe });
        if let Ok(answer) = rows(&RestitutionMatrix::default(), &problem)
            && answer.stuck
        {
            return (problem, answer);
        }
    }
}

#[test]
fn eq1_eq2_velocities_follow_the_diagonal() {
    let mut rng = Rng::new(91);
    for recipe in [Recipe::planar(6, 2), Recipe::spatial(9, 2)] {
        for _ in 0..25 {
            let (problem, answer) = sticking(&mut rng, recipe);
            let space = reduce(&problem);
            for c in &space.contacts {
                let n = c.normal();
                let scale = answer.answer.solution.u_post.amax().max(space.velocity_scale);
                let miss = answer.answer.solution.u_post[n] + c.restitution * space.u_pre[n];
                assert!(miss.abs() < 1e-11 * scale); // [3.2]
                for t in c.tangent_rows() {
                    assert!(answer.answer.solution.u_post[t].abs() < 1e-11 * scale); // [3.7], e_t = 0
                }
            }
        }
    }
}

#[test]
fn eq2_tangential_coefficients_hold_while_the_test_passes() {
    let mut rng = Rng::new(92);
    let mut stuck = 0;
    for _ in 0..200 {
        let problem = random(&mut rng, Recipe { friction: 5.0, ..Recipe::spatial(9, 2) });
        let tangential = vec![[0.3, -0.2], [-0.5, 0.1]];
        let law =
            RestitutionMatrix { tangential: tangential.clone(), ..RestitutionMatrix::default() };
        let Ok(answer) = rows(&law, &problem) else { continue };
        if !answer.stuck {
            continue;
        }
        let (space, s) = (reduce(&problem), &answer.answer.solution);
        for (c, e) in space.contacts.iter().zip(tangential) {
            for (t, e) in c.tangent_rows().zip(e) {
                assert!((s.u_post[t] - e * space.u_pre[t]).abs() < 1e-10 * space.velocity_scale);
            }
        }
        stuck += 1;
    }
    println!("{stuck} stuck");
    assert!(stuck > 30);
}

#[test]
fn eq2_one_coefficient_for_all_contacts() {
    let mut rng = Rng::new(192);
    for _ in 0..50 {
        let problem = random(&mut rng, Recipe { friction: 5.0, ..Recipe::spatial(9, 2) });
        let listed = RestitutionMatrix { tangential: vec![[-0.4; 2]; 2], ..Default::default() };
        let for_all = RestitutionMatrix { elsewhere: [-0.4; 2], ..Default::default() };
        let (Ok(a), Ok(b)) = (rows(&listed, &problem), rows(&for_all, &problem)) else { continue };
        assert_eq!(a.answer.velocity, b.answer.velocity);
        assert_eq!(a.answer.solution.impulses, b.answer.solution.impulses);
    }
    // The list comes first, contact by contact.
    let problem = disc([1.0, -2.0, 3.0], 5.0, 0.5);
    let law = RestitutionMatrix {
        tangential: vec![[0.25, 0.0]],
        elsewhere: [0.9; 2],
        ..Default::default()
    };
    let answer = rows(&law, &problem).expect("solved");
    assert!(answer.stuck && (answer.coefficients[0].value - 0.25).abs() < 1e-13);
}

#[test]
fn eq3_eq4_eq5_impulses_and_null_space_split() {
    let mut rng = Rng::new(93);
    for recipe in [Recipe::planar(6, 2), Recipe::spatial(9, 2)] {
        for _ in 0..25 {
            let (problem, answer) = sticking(&mut rng, recipe);
            let (J, M, v) = (jacobian(&problem), &problem.mass_matrix, &problem.velocity);
            let s = &answer.answer.solution;
            let factor = M.clone().cholesky().expect("definite");
            let G = &J * factor.solve(&J.transpose());
            let mut E = DMatrix::zeros(J.nrows(), J.nrows());
            let mut i = 0;
            for c in &problem.contacts {
                i += c.tangents.nrows();
                E[(i, i)] = -c.restitution;
                i += 1;
            }
            let inverse = G.full_piv_lu().try_inverse().expect("regular");
            let p = &inverse * (&E - DMatrix::identity(J.nrows(), J.nrows())) * &J * v;
            assert!(difference(p.as_slice(), s.impulses.as_slice()) < 1e-8); // [3.6], [3.14]
            let J_bar = factor.solve(&J.transpose()) * inverse; // [3.9], [3.16]
            let n = problem.nv();
            let post = (DMatrix::identity(n, n) - &J_bar * &J) * v + &J_bar * E * &J * v;
            assert!(difference(post.as_slice(), answer.answer.velocity.as_slice()) < 1e-8); // [3.8], [3.15]
            let balance = M * (&answer.answer.velocity - v) - J.transpose() * &s.impulses;
            assert!(balance.amax() < 1e-9 * (M * v).amax()); // [3.5], [3.11]
            // what J does not see is untouched, in the metric of M
            let seen = &J_bar * &J;
            let free = |v: &DVector<f64>| v - &seen * v;
            assert!((free(&answer.answer.velocity) - free(v)).amax() < 1e-8 * v.amax());
        }
    }
}

#[test]
fn eq6_stick_test_decides_by_impulses() {
    let mut rng = Rng::new(94);
    let (mut stuck, mut slipped) = (0, 0);
    for case in 0..300 {
        let recipe = if case % 2 == 0 { Recipe::planar(6, 2) } else { Recipe::spatial(9, 2) };
        let problem = random(&mut rng, Recipe { friction: 2.0, static_excess: 0.3, ..recipe });
        let space = reduce(&problem);
        let Ok(answer) = rows(&RestitutionMatrix::default(), &problem) else { continue };
        let (J, s) = (jacobian(&problem), &answer.answer.solution);
        // the no-slip impulses again, by elimination
        let G =
            &J * problem.mass_matrix.clone().cholesky().expect("definite").solve(&J.transpose());
        let target = DVector::from_fn(J.nrows(), |i, _| {
            let normal = space.contacts.iter().find(|c| c.normal() == i);
            normal.map_or(0.0, |c| -c.restitution * space.u_pre[i]) - space.u_pre[i]
        });
        let p = G.full_piv_lu().solve(&target).expect("regular");
        let within = space.contacts.iter().all(|c| {
            let p_t = c.tangent_rows().fold(0.0_f64, |a, i| a.hypot(p[i]));
            p[c.normal()] >= 0.0 && p_t <= c.static_friction * p[c.normal()]
        });
        assert_eq!(answer.stuck, within);
        if within {
            stuck += 1
        } else {
            slipped += 1
        }
        // either way the contact conditions hold
        assert!(Conditions::newton(&space).violation(&s.impulses) < 1e-9);
        assert!(audit(&space, s).momentum < 1e-10);
    }
    println!("{stuck} stuck, {slipped} slipped");
    assert!(stuck > 20 && slipped > 20);
}

#[test]
fn slip_is_coulomb_as_in_newton() {
    let mut rng = Rng::new(95);
    let mut compared = 0;
    for _ in 0..150 {
        let problem = random(&mut rng, Recipe { friction: 0.4, ..Recipe::planar(6, 2) });
        let space = reduce(&problem);
        if Conditions::newton(&space).enumerate().len() != 1 {
            continue;
        }
        let law = RestitutionMatrix::default();
        let (a, b) =
            (solve(&law, &problem).expect("solved"), solve(&Newton, &problem).expect("solved"));
        assert!(difference(a.velocity.as_slice(), b.velocity.as_slice()) < 1e-9);
        compared += 1;
    }
    assert!(compared > 120);
}

#[test]
fn eq7_coefficients_after_the_fact() {
    let mut rng = Rng::new(96);
    for _ in 0..60 {
        let mut problem = random(&mut rng, Recipe { friction: 0.3, ..Recipe::planar(5, 2) });
        // the second tangent starts at rest
        let (t, v) = (problem.contacts[1].tangents.row(0).transpose(), problem.velocity.clone());
        let along = t.dot(&v) / v.norm_squared();
        let resting = t - v * along;
        problem.contacts[1].tangents = DMatrix::from_row_slice(1, 5, resting.as_slice());
        let Ok(answer) = rows(&RestitutionMatrix::default(), &problem) else { continue };
        let (J, v_post) = (jacobian(&problem), &answer.answer.velocity);
        let (before, after) = (&J * &problem.velocity, &J * v_post);
        for (i, c) in answer.coefficients.iter().enumerate() {
            let base = if c.substituted { after[i] } else { before[i] };
            assert!((c.value * base - after[i]).abs() < 1e-9 * (1.0 + after[i].abs()));
        }
        // [3.15] with these coefficients and the substituted velocities gives the answer back
        let factor = problem.mass_matrix.clone().cholesky().expect("definite");
        let G = &J * factor.solve(&J.transpose());
        let goal = DVector::from_fn(J.nrows(), |i, _| {
            let c = answer.coefficients[i];
            c.value * if c.substituted { after[i] } else { before[i] } - before[i]
        });
        let p = G.full_piv_lu().solve(&goal).expect("regular");
        let post = &problem.velocity + factor.solve(&(J.transpose() * p));
        assert!(difference(post.as_slice(), v_post.as_slice()) < 1e-8);
    }
    assert_eq!(Coefficient::of(0.0, 0.4, 1e-9), Coefficient { value: 1.0, substituted: true });
    assert_eq!(Coefficient::of(0.0, 0.0, 1e-9), Coefficient { value: 0.0, substituted: false });
}

/// A disc that falls on the floor: x, y, angle; contact at the lowest point, radius 0.5.
fn disc(v: [f64; 3], friction: f64, e: f64) -> ImpactProblem {
    let contact = ImpactContact {
        name: "floor".into(),
        tangents: dmatrix![1.0, 0.0, 0.5],
        normal: dvector![0.0, 1.0, 0.0],
        friction,
        static_friction: friction,
        restitution: e,
        touching: true,
    };
    let M = DMatrix::from_diagonal(&dvector![2.0, 2.0, 0.25]);
    ImpactProblem::new(M, DVector::from_row_slice(&v), vec![contact]).expect("valid")
}

#[test]
fn eq2_rotational_coefficient() {
    let problem = disc([0.0, -2.0, 3.0], 5.0, 0.5);
    let spin = |coefficient, arm| RestitutionMatrix {
        rotations: vec![Rotation { contact: 0, row: dvector![0.0, 0.0, 1.0], coefficient, arm }],
        ..RestitutionMatrix::default()
    };
    for e_r in [0.0, 0.4, -0.3] {
        let answer = rows(&spin(e_r, f64::INFINITY), &problem).expect("solved");
        assert!(answer.stuck);
        assert!((answer.rotations[0] - 3.0 * e_r).abs() < 1e-13);
        assert!((answer.answer.velocity[2] - 3.0 * e_r).abs() < 1e-13);
        let a = &answer.answer;
        let change = a.energy_after - a.energy_before;
        assert!((change - a.solution.normal_work - a.solution.friction_work).abs() < 1e-12);
        // angular momentum: I Δω = m + 0.5 p_t
        let expected = answer.moments[0] + 0.5 * a.solution.impulses[0];
        assert!((0.25 * (a.velocity[2] - 3.0) - expected).abs() < 1e-13);
    }
    // p_n = 2·1.5·2 = 6, so the moment is at most 5·0.01·6 = 0.3: it saturates
    let answer = rows(&spin(0.0, 0.01), &problem).expect("solved");
    assert!(!answer.stuck);
    assert!((answer.moments[0] + 0.3).abs() < 1e-12, "{:?}", answer.moments);
    assert!(answer.rotations[0] > 0.0);
    // no arm, no moment: the ordinary law
    let (a, b) = (
        rows(&spin(0.0, 0.0), &problem).expect("solved"),
        solve(&RestitutionMatrix::default(), &problem),
    );
    let b = b.expect("solved");
    assert!(difference(a.answer.velocity.as_slice(), b.velocity.as_slice()) < 1e-12);
}

#[test]
fn rotational_rows_on_random_problems() {
    let mut rng = Rng::new(97);
    let (mut solved, mut saturated) = (0, 0);
    for _ in 0..150 {
        let problem = random(&mut rng, Recipe { friction: 0.5, ..Recipe::spatial(12, 2) });
        let rotations: Vec<Rotation> = (0..2)
            .map(|contact| Rotation {
                contact,
                row: rng.vector(12),
                coefficient: 0.0,
                arm: 0.3 * rng.unit(),
            })
            .collect();
        let law = RestitutionMatrix { rotations, ..RestitutionMatrix::default() };
        let Ok(answer) = rows(&law, &problem) else { continue };
        let s = &answer.answer.solution;
        let mut momentum = jacobian(&problem).transpose() * &s.impulses;
        for ((r, m), after) in law.rotations.iter().zip(&answer.moments).zip(&answer.rotations) {
            momentum += &r.row * *m;
            let c = &problem.contacts[r.contact];
            let p_n = s.impulses[3 * r.contact + 2];
            assert!(m.abs() <= c.static_friction * r.arm * p_n + 1e-9);
            let held = after.abs() < 1e-9;
            let full = (m.abs() - c.friction * r.arm * p_n).abs() < 1e-9 && m * after <= 0.0;
            assert!(held || full, "{m} {after}");
            saturated += usize::from(!held);
        }
        let change = &problem.mass_matrix * (&answer.answer.velocity - &problem.velocity);
        assert!(difference(change.as_slice(), momentum.as_slice()) < 1e-9);
        solved += 1;
    }
    println!("{solved} solved, {saturated} saturated");
    assert!(solved > 130 && saturated > 20);
}

#[test]
fn dependent_rows_use_an_independent_set() {
    // a block with four feet in the plane: three coordinates, eight rows
    let foot = |x: f64| ImpactContact {
        name: format!("{x}"),
        tangents: dmatrix![1.0, 0.0, 0.5],
        normal: dvector![0.0, 1.0, x],
        friction: 2.0,
        static_friction: 2.0,
        restitution: 0.0,
        touching: true,
    };
    let M = DMatrix::from_diagonal(&dvector![1.0, 1.0, 0.3]);
    let feet = [-1.0, -0.5, 0.5, 1.0].map(foot).to_vec();
    let problem = ImpactProblem::new(M, dvector![0.4, -1.0, 0.0], feet).expect("valid");
    let answer = rows(&RestitutionMatrix::default(), &problem).expect("solved");
    assert!(answer.stuck && answer.answer.velocity.amax() < 1e-13);
    let p = &answer.answer.solution.impulses;
    // minimum norm: the tangents share alike
    for k in 1..4 {
        assert!((p[2 * k] - p[0]).abs() < 1e-13);
    }
    assert!((p[1] + p[3] + p[5] + p[7] - 1.0).abs() < 1e-13);
    assert!(answer.answer.solution.outcomes.iter().all(|&o| o == Outcome::Stick));
}

#[test]
fn invariant_under_coordinates_units_and_order() {
    let mut rng = Rng::new(98);
    let law = RestitutionMatrix::default();
    for case in 0..60 {
        let recipe = if case % 2 == 0 { Recipe::planar(7, 2) } else { Recipe::spatial(7, 2) };
        let problem = random(&mut rng, Recipe { friction: 1.0, ..recipe });
        let space = reduce(&problem);
        if case % 2 == 0 && Conditions::newton(&space).enumerate().len() != 1 {
            continue;
        }
        let Ok(answer) = solve(&law, &problem) else { continue };
        let T = DMatrix::identity(7, 7) + DMatrix::from_fn(7, 7, |_, _| 0.3 * rng.normal());
        let other = solve(&law, &transformed(&problem, &T)).expect("same problem");
        assert!(difference((&T * &other.velocity).as_slice(), answer.velocity.as_slice()) < 1e-8);
        let other = solve(&law, &rescaled(&problem, 1e3, 1e-6)).expect("same problem");
        assert!(difference((&other.velocity / 1e3).as_slice(), answer.velocity.as_slice()) < 1e-9);
        let other = solve(&law, &reversed(&problem)).expect("same problem");
        assert!(difference(other.velocity.as_slice(), answer.velocity.as_slice()) < 1e-9);
    }
}

#[test]
fn bad_rotations_are_refused() {
    let problem = disc([0.0, -1.0, 0.0], 0.5, 0.5);
    let law = |contact, row, arm| RestitutionMatrix {
        rotations: vec![Rotation { contact, row, coefficient: 0.0, arm }],
        ..RestitutionMatrix::default()
    };
    let bad = rows(&law(1, dvector![0.0, 0.0, 1.0], 0.1), &problem);
    assert!(matches!(bad, Err(ImpactError::Shape { expected: 1, found: 1, .. })));
    let bad = rows(&law(0, dvector![0.0, 1.0], 0.1), &problem);
    assert!(matches!(bad, Err(ImpactError::Shape { expected: 3, found: 2, .. })));
    let bad = rows(&law(0, dvector![0.0, 0.0, 1.0], -0.1), &problem);
    assert!(matches!(bad, Err(ImpactError::OutOfRange { .. })));
    let space = reduce(&problem);
    let refused = law(0, dvector![0.0, 0.0, 1.0], 0.1).resolve(
        &space,
        &mut ImpactWorkspace::new(),
        &mut ImpactSolution::default(),
    );
    let reason = Reason::NeedsMassMatrix;
    assert_eq!(refused, Err(ImpactError::NotApplicable { law: "matrix", reason }));
}
