//! Several colliding contacts.

use carom::impact::{Differential, ImpactProblem, Phase, Restitution, StageEvent, Tolerances};
use nalgebra::{DMatrix, DVector};

use crate::impact_support::{Recipe, Rng, check_audit, difference, random_problem, reduce, solve};
use crate::problems::{RECIPE, block_at_wall, tolerances, traced};

/// A random problem whose first `colliding` contacts all approach.
fn several_colliding(
    rng: &mut Rng,
    contacts: usize,
    colliding: usize,
    friction: f64,
) -> ImpactProblem {
    let recipe = Recipe { contacts, coordinates: 2 * contacts + 2, friction, ..RECIPE };
    let mut problem = random_problem(rng, recipe);
    // A correction of v along the rows gives each of them its own approach velocity, and keeps the others.
    let rows: Vec<DVector<f64>> = problem
        .contacts
        .iter()
        .flat_map(|c| [c.tangents.row(0).transpose(), c.normal.clone()])
        .collect();
    let J = DMatrix::from_fn(rows.len(), problem.nv(), |i, j| rows[i][j]);
    let mut u = &J * &problem.velocity;
    for k in 0..colliding {
        u[2 * k + 1] = -rng.range(0.1, 1.0);
    }
    let correction = J.transpose()
        * (&J * J.transpose()).lu().solve(&(u - &J * &problem.velocity)).expect("regular");
    problem.velocity += correction;
    problem
}

#[test]
fn eq8_eq9_kinematic_together() {
    let mut rng = Rng::new(26);
    let mut solved = 0;
    for _ in 0..300 {
        let problem = several_colliding(&mut rng, 3, 2, 0.4);
        let Ok(answer) = traced(Restitution::Kinematic, &problem) else { continue };
        solved += 1;
        check_audit(&problem, &answer, &tolerances(Restitution::Kinematic, 1e-12));
        let space = reduce(&problem);
        let turn =
            answer.solution.trace.stages.iter().find(|s| s.event == StageEvent::EndOfCompression);
        let turn = turn.expect("turn");
        for c in space.contacts.iter().filter(|c| c.phase == Phase::Colliding) {
            let (n, u_pre) = (c.normal(), space.u_pre[c.normal()]);
            assert!(turn.velocity[n] >= 0.0, "(8)");
            let excess = answer.solution.u_post[n] + c.restitution * u_pre;
            assert!(excess >= -1e-12, "(9)");
            if excess > 1e-9 && turn.velocity[n] == 0.0 {
                // It left faster than asked, so something else pushed it; it was at its floor at the end of compression.
                assert!(answer.solution.impulses[n] >= turn.impulses[n]);
            }
        }
    }
    assert!(solved > 280, "{solved}");
}

#[test]
fn eq10_kinetic_together() {
    let mut rng = Rng::new(27);
    let mut solved = 0;
    for _ in 0..300 {
        let problem = several_colliding(&mut rng, 3, 2, 0.4);
        let Ok(answer) = traced(Restitution::Kinetic, &problem) else { continue };
        solved += 1;
        check_audit(&problem, &answer, &tolerances(Restitution::Kinetic, 1e-12));
        let stages = &answer.solution.trace.stages;
        let turn = stages.iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        for (k, c) in problem.contacts.iter().enumerate().take(2) {
            let n = 2 * k + 1;
            let (p_c, p_r) = (turn.impulses[n], answer.solution.impulses[n] - turn.impulses[n]);
            assert!(p_r >= c.restitution * p_c - 1e-12, "at least e p_c");
            if answer.solution.u_post[n] > 1e-9
                && stages.iter().all(|s| s.velocity[n] != 0.0 || s.impulses[n] <= p_c)
            {
                assert!(
                    (p_r - c.restitution * p_c).abs() < 1e-12,
                    "no more than e p_c where it leaves freely"
                );
            }
        }
    }
    assert!(solved > 280, "{solved}");
}

#[test]
fn eq11_energetic_together() {
    let mut rng = Rng::new(28);
    let (mut solved, mut worst) = (0, 0.0_f64);
    for i in 0..400 {
        let problem = several_colliding(&mut rng, 2 + i % 3, 2, 0.4);
        let Ok(answer) = traced(Restitution::Energetic, &problem) else { continue };
        solved += 1;
        check_audit(&problem, &answer, &Tolerances::uniform(1e-12));
        let stages = &answer.solution.trace.stages;
        let at = stages.iter().position(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        for (k, c) in problem.contacts.iter().enumerate().take(2) {
            let n = 2 * k + 1;
            let work = |list: &[carom::impact::Stage]| -> f64 {
                let step = |w: &[carom::impact::Stage]| {
                    0.5 * (w[1].impulses[n] - w[0].impulses[n])
                        * (w[0].velocity[n] + w[1].velocity[n])
                };
                list.windows(2).map(step).sum()
            };
            let w_c = work(&stages[..=at]);
            let total = answer.solution.normal_works[k];
            let e = c.restitution;
            worst = worst.max((total - (1.0 - e * e) * w_c).abs() / w_c.abs().max(1e-9));
        }
    }
    assert!(solved > 370, "{solved}");
    // Stages are recorded at changes of mode; between them velocities are linear, so this is exact.
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn contacts_that_do_not_feel_each_other_get_what_each_would_get_alone() {
    let mut rng = Rng::new(29);
    for i in 0..300 {
        let recipe =
            Recipe { contacts: 1, coordinates: 3, shift: 0.2, friction: 1.0, static_excess: 0.3 };
        let parts = [random_problem(&mut rng, recipe), random_problem(&mut rng, recipe)];
        let mut M = DMatrix::zeros(6, 6);
        M.view_mut((0, 0), (3, 3)).copy_from(&parts[0].mass_matrix);
        M.view_mut((3, 3), (3, 3)).copy_from(&parts[1].mass_matrix);
        let v = DVector::from_iterator(6, parts.iter().flat_map(|p| p.velocity.iter().copied()));
        let contacts = parts.iter().enumerate().map(|(k, p)| {
            let mut c = p.contacts[0].clone();
            let (mut t, mut n) = (DMatrix::zeros(1, 6), DVector::zeros(6));
            t.columns_mut(3 * k, 3).copy_from(&c.tangents);
            n.rows_mut(3 * k, 3).copy_from(&c.normal);
            (c.tangents, c.normal) = (t, n);
            c
        });
        let both = ImpactProblem::new(M, v, contacts.collect()).expect("valid");
        let restitution = Restitution::ALL[i % 3];
        let law = Differential { restitution };
        // The velocity clock needs compression to slow down with impulse: skip wedging contacts.
        let Ok(together) = solve(&law, &both) else { continue };
        for (k, part) in parts.iter().enumerate() {
            let alone = solve(&law, part).expect("one contact");
            let d = difference(
                alone.velocity.as_slice(),
                &together.velocity.as_slice()[3 * k..3 * k + 3],
            );
            assert!(d < 1e-10, "{restitution} {d:e}");
        }
    }
}

#[test]
fn symmetric_problem_has_a_symmetric_answer() {
    // A block falling flat on both feet: no rotation, whatever the law.
    let mut problem = block_at_wall(&[-1.0, 1.0], [0.0, 0.4], 0.0);
    problem.contacts.remove(0);
    problem.velocity = DVector::from_row_slice(&[0.0, -1.0, 0.0]);
    for c in &mut problem.contacts {
        c.restitution = 0.7;
    }
    for restitution in Restitution::ALL {
        let answer = solve(&Differential { restitution }, &problem).expect("solved");
        assert!((answer.velocity[1] - 0.7).abs() < 1e-14);
        assert!(answer.velocity[2].abs() < 1e-15 && answer.velocity[0].abs() < 1e-15);
        assert!((answer.solution.impulses[1] - answer.solution.impulses[3]).abs() < 1e-14);
    }
}
