//! Agreement with brute force, other definitions, coordinates and laws.

use carom::impact::{Differential, Restitution};
use nalgebra::{DMatrix, DVector};

use crate::impact_support::{
    Recipe, Rng, brute, check_audit, difference, random_problem, reduce, solve,
};
use crate::problems::{block_at_wall, for_random_problems, tolerances};

#[test]
fn definitions_agree_without_restitution_and_without_friction() {
    for_random_problems(23, 900, |i, _, problem| {
        let mut problem = problem.clone();
        for c in &mut problem.contacts {
            if i % 2 == 0 {
                c.restitution = 0.0;
            } else {
                (c.friction, c.static_friction) = (0.0, 0.0);
            }
        }
        let Ok(first) = solve(&Differential { restitution: Restitution::Kinematic }, &problem)
        else {
            assert!(i % 2 == 0, "no paradox without friction");
            return;
        };
        for restitution in [Restitution::Kinetic, Restitution::Energetic] {
            let other = solve(&Differential { restitution }, &problem).expect("solved");
            let d = difference(first.solution.u_post.as_slice(), other.solution.u_post.as_slice());
            assert!(d < 1e-9, "{d:e}");
        }
    });
}

#[test]
fn brute_force_agrees() {
    let mut rng = Rng::new(24);
    let mut compared = 0;
    while compared < 30 {
        let contacts = 2 + compared % 2;
        let recipe = Recipe {
            contacts,
            coordinates: 2 * contacts + 2,
            shift: 0.5,
            friction: 0.5,
            static_excess: 0.0,
        };
        let problem = random_problem(&mut rng, recipe);
        let restitution = Restitution::ALL[compared % 3];
        let Ok(answer) = solve(&Differential { restitution }, &problem) else { continue };
        let space = reduce(&problem);
        let step = answer.solution.impulses[1] / 2000.0;
        let b = brute::integrate(&space, restitution, step)
            .expect("Gauss–Seidel converges for little friction");
        // Each of at most a dozen events is located to one step.
        brute::Limits::new(&space, &answer.solution, 12.0 * step).check(&answer.solution, &b);
        compared += 1;
    }
}

#[test]
fn invariant_under_coordinates_units_and_contact_order() {
    let mut worst = 0.0_f64;
    for_random_problems(25, 600, |i, rng, problem| {
        let restitution = Restitution::ALL[i % 3];
        let law = Differential { restitution };
        let Ok(base) = solve(&law, problem) else { return };
        let (n, nc) = (problem.nv(), problem.contacts.len());
        if (i / 4) % 3 == 2 {
            return; // badly conditioned: the transformed data differ by more than round-off
        }
        let t = rng.mass_matrix(n, 0.5);
        let mut other = problem.clone();
        let symmetric = t.transpose() * &problem.mass_matrix * &t;
        other.mass_matrix = (&symmetric + symmetric.transpose()) * (0.5 * 1e3);
        other.velocity = 1e-3 * t.clone().lu().solve(&problem.velocity).expect("regular");
        for c in &mut other.contacts {
            c.tangents = &c.tangents * &t;
            c.normal = t.transpose() * &c.normal;
        }
        other.contacts.reverse();
        // Masses in grams, lengths in units of 1000 m: velocities 1e-3, impulses 1e0.
        let a = solve(&law, &other).expect("solved");
        for k in 0..nc {
            let (x, y) = (2 * k, 2 * (nc - 1 - k));
            for row in 0..2 {
                let scale = base.solution.u_post.amax();
                let d = (base.solution.u_post[x + row] - 1e3 * a.solution.u_post[y + row]).abs()
                    / scale;
                worst = worst.max(d);
            }
            assert_eq!(base.solution.outcomes[k], a.solution.outcomes[nc - 1 - k]);
        }
    });
    assert!(worst < 1e-7, "{worst:e}");
}

#[test]
fn many_contacts_by_pivoting() {
    // Nine contacts at rest have 3 · 4⁸ combinations: beyond enumeration.
    let mut rng = Rng::new(30);
    for i in 0..60 {
        let recipe =
            Recipe { contacts: 9, coordinates: 24, shift: 0.5, friction: 0.5, static_excess: 0.0 };
        let mut problem = random_problem(&mut rng, recipe);
        let held: Vec<DVector<f64>> = problem.contacts[1..]
            .iter()
            .flat_map(|c| [c.tangents.row(0).transpose(), c.normal.clone()])
            .collect();
        let J = DMatrix::from_fn(held.len(), 24, |a, b| held[a][b]);
        let u = &J * &problem.velocity;
        problem.velocity -= J.transpose() * (&J * J.transpose()).lu().solve(&u).expect("regular");
        if problem.contacts[0].normal.dot(&problem.velocity) > 0.0 {
            problem.velocity *= -1.0;
        }
        let restitution = Restitution::ALL[i % 3];
        let answer =
            solve(&Differential { restitution }, &problem).expect("at rest a solution exists");
        check_audit(&problem, &answer, &tolerances(restitution, 1e-11));
    }
}

#[test]
fn spatial_contacts_are_handed_to_the_spatial_law() {
    // The wall contact again, with a second tangent that nothing couples to: the same motion by another law.
    let mut problem = block_at_wall(&[], [0.3, 0.3], 0.2);
    problem.velocity[1] = 0.4;
    let law = carom::impact::Differential { restitution: Restitution::Energetic };
    let planar = solve(&law, &problem).expect("planar");
    let mut tangents = DMatrix::zeros(2, 4);
    tangents.view_mut((0, 0), (1, 3)).copy_from(&problem.contacts[0].tangents);
    tangents[(1, 3)] = 1.0;
    problem.contacts[0].tangents = tangents;
    problem.contacts[0].normal = problem.contacts[0].normal.clone().insert_row(3, 0.0);
    problem.velocity = problem.velocity.clone().insert_row(3, 0.0);
    problem.mass_matrix = problem.mass_matrix.clone().insert_row(3, 0.0).insert_column(3, 0.0);
    problem.mass_matrix[(3, 3)] = 2.0;
    problem.bilateral = DMatrix::zeros(0, 4);
    problem.validate().expect("valid");
    let spatial = solve(&law, &problem).expect("spatial");
    assert!(difference(planar.velocity.as_slice(), &spatial.velocity.as_slice()[..3]) < 1e-12);
    let refused = solve(&carom::impact::Planar { restitution: Restitution::Energetic }, &problem);
    let text = refused.expect_err("two tangents").to_string();
    assert_eq!(text, "law `planar` does not apply: contact 0 has 2 tangents, it takes at most 1");
}
