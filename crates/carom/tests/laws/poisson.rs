//! Poisson's law with friction: `impact::poisson`.

use crate::impact_support::{Rng, difference, reduce, solve};
use crate::newton::{recipes, row_of_balls};
use crate::oracle::{Conditions, Recipe, random, rescaled, reversed, transformed};
use carom::impact::{
    ContactSpace, ImpactAnswer, ImpactError, ImpactLaw, ImpactWorkspace, Newton, Poisson,
    StageEvent, audit,
};
use nalgebra::{DMatrix, DVector};

/// p^C and p^E from the recorded path.
fn phases(
    problem: &carom::impact::ImpactProblem,
) -> Result<(ImpactAnswer, DVector<f64>, DVector<f64>), ImpactError> {
    let mut answer = ImpactAnswer::traced();
    Poisson.resolve_problem(problem, &mut ImpactWorkspace::new(), &mut answer)?;
    let stages = &answer.solution.trace.stages;
    let events: Vec<_> = stages.iter().map(|s| s.event).collect();
    assert_eq!(events, [StageEvent::Start, StageEvent::EndOfCompression, StageEvent::End]);
    let compression = DVector::from_row_slice(&stages[1].impulses);
    let expansion = &answer.solution.impulses - &compression;
    Ok((answer, compression, expansion))
}

/// Conditions (1), (2): b = u⁻, no preload.
fn compression(space: &ContactSpace) -> Conditions<'_> {
    Conditions { space, b: space.u_pre.clone(), preload: vec![0.0; space.contacts.len()] }
}

/// Conditions (3), (4): b = u^C, preload e pₙ^C.
fn expansion<'a>(space: &'a ContactSpace, p: &DVector<f64>) -> Conditions<'a> {
    let preload = space.contacts.iter().map(|c| c.restitution * p[c.normal()]).collect();
    Conditions { space, b: &space.u_pre + &space.G * p, preload }
}

#[test]
fn eq1_to_eq5_hold_on_random_problems() {
    let mut rng = Rng::new(41);
    let (mut solved, mut refused, mut worst, mut gains) = (0, 0, 0.0_f64, 0);
    for recipe in recipes() {
        for _ in 0..25 {
            let problem = random(&mut rng, recipe);
            let space = reduce(&problem);
            match phases(&problem) {
                Ok((answer, p_c, p_e)) => {
                    let violation = compression(&space)
                        .violation(&p_c)
                        .max(expansion(&space, &p_c).violation(&p_e));
                    assert!(violation < 1e-9, "{violation:e} {problem:?}");
                    worst = worst.max(violation);
                    let checks = audit(&space, &answer.solution);
                    assert!(checks.momentum < 1e-9 && checks.penetration < 1e-9, "{checks:?}");
                    gains += usize::from(checks.gain > 1e-9);
                    solved += 1;
                }
                Err(ImpactError::Unsolved { .. }) => {
                    assert!(space.rows() > recipe.coordinates, "{problem:?}");
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    println!("solved {solved}, refused {refused}, worst {worst:e}, gains {gains}");
    assert!(refused * 200 <= solved);
}

#[test]
fn agrees_with_enumeration() {
    let mut rng = Rng::new(42);
    let mut unique = 0;
    for (n, contacts) in [(3, 1), (4, 2), (6, 2), (8, 3)] {
        for _ in 0..100 {
            let problem = random(&mut rng, Recipe::planar(n, contacts));
            let space = reduce(&problem);
            let (_, p_c, p_e) = phases(&problem).expect("solvable");
            let first = compression(&space).enumerate();
            let second = expansion(&space, &p_c).enumerate();
            let near = |p: &DVector<f64>, all: &[DVector<f64>]| {
                all.iter().map(|q| difference(p.as_slice(), q.as_slice())).fold(1.0, f64::min)
            };
            assert!(near(&p_c, &first) < 1e-9, "{:e}", near(&p_c, &first));
            assert!(p_e.amax() == 0.0 || near(&p_e, &second) < 1e-8, "{:e}", near(&p_e, &second));
            unique += usize::from(first.len() == 1 && second.len() == 1);
        }
    }
    println!("unique {unique}");
    assert!(unique > 350);
}

#[test]
fn frictionless_single_is_newton() {
    let mut rng = Rng::new(43);
    for _ in 0..100 {
        let problem = random(&mut rng, Recipe { friction: 0.0, ..Recipe::planar(4, 1) });
        let (a, b) =
            (solve(&Poisson, &problem).expect("solved"), solve(&Newton, &problem).expect("solved"));
        assert!(difference(a.velocity.as_slice(), b.velocity.as_slice()) < 1e-12);
    }
}

#[test]
fn plastic_is_newton() {
    let mut rng = Rng::new(44);
    for _ in 0..100 {
        let mut problem = random(&mut rng, Recipe { friction: 0.4, ..Recipe::planar(6, 2) });
        problem.contacts.iter_mut().for_each(|c| c.restitution = 0.0);
        let (a, b) =
            (solve(&Poisson, &problem).expect("solved"), solve(&Newton, &problem).expect("solved"));
        assert!(difference(a.velocity.as_slice(), b.velocity.as_slice()) < 1e-9);
        assert!(a.energy_after <= a.energy_before * (1.0 + 1e-12));
    }
}

#[test]
fn eq3_expansion_pushes_more_where_needed() {
    // three balls: the outer contacts compress, the middle contact has e = 0 and must not be entered
    let mut problem = row_of_balls(&[2.0, 0.0, 0.0, -1.0], 1.0);
    problem.contacts[1].restitution = 0.0;
    let space = reduce(&problem);
    let (answer, p_c, p_e) = phases(&problem).expect("solved");
    assert!(expansion(&space, &p_c).violation(&p_e) < 1e-14);
    assert!(p_c[1] > 0.1 && p_e[1] > 0.1, "{p_c} {p_e}");
    assert!(answer.velocity[2] >= answer.velocity[1] - 1e-14);
}

#[test]
fn cradle_moves_as_a_block() {
    let answer = solve(&Poisson, &row_of_balls(&[1.0, 0.0, 0.0, 0.0, 0.0], 1.0)).expect("solved");
    assert!(difference(answer.velocity.as_slice(), &[-0.6, 0.4, 0.4, 0.4, 0.4]) < 1e-14);
}

#[test]
fn invariant_under_coordinates_units_and_order() {
    let mut rng = Rng::new(45);
    for case in 0..60 {
        let base =
            if case % 3 == 0 { Recipe::spatial(7, 2) } else { Recipe::planar(7, 1 + case % 3) };
        let problem = random(&mut rng, Recipe { friction: 0.3, ..base });
        let answer = solve(&Poisson, &problem).expect("solved");
        let T = DMatrix::identity(7, 7) + DMatrix::from_fn(7, 7, |_, _| 0.3 * rng.normal());
        let other = solve(&Poisson, &transformed(&problem, &T)).expect("same problem");
        assert!(difference((&T * &other.velocity).as_slice(), answer.velocity.as_slice()) < 1e-8);
        let other = solve(&Poisson, &rescaled(&problem, 1e-3, 1e6)).expect("same problem");
        assert!(difference((&other.velocity * 1e3).as_slice(), answer.velocity.as_slice()) < 1e-9);
        let other = solve(&Poisson, &reversed(&problem)).expect("same problem");
        assert!(difference(other.velocity.as_slice(), answer.velocity.as_slice()) < 1e-9);
    }
}
