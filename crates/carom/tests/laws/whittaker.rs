//! Whittaker's algebraic law: `impact::whittaker`.

use crate::impact_support::{Rng, difference, reduce, solve};
use crate::oracle::{Conditions, Recipe, random, rescaled, reversed, transformed};
use carom::impact::{
    Differential, ImpactError, Newton, Outcome, Phase, Reason, Restitution, ThreeLinkChain,
    Whittaker, audit,
};
use nalgebra::DMatrix;

/// One colliding contact, the others touch, as in the paper.
pub fn chain_like(n: usize, contacts: usize) -> Recipe {
    Recipe { colliding: 0.0, ..Recipe::planar(n, contacts) }
}

#[test]
fn eq1_to_eq4_hold_on_random_problems() {
    let mut rng = Rng::new(51);
    let (mut solved, mut refused) = (0, 0);
    for (n, contacts) in [(2, 1), (3, 1), (5, 2), (7, 3), (12, 4)] {
        for shift in [0.3, 1e-6] {
            for static_excess in [0.0, 0.5] {
                let base =
                    if n % 2 == 0 { Recipe::planar(n, contacts) } else { chain_like(n, contacts) };
                for _ in 0..25 {
                    let problem = random(&mut rng, Recipe { shift, static_excess, ..base });
                    let space = reduce(&problem);
                    let answer = match solve(&Whittaker, &problem) {
                        Ok(answer) => answer,
                        // several colliding contacts with (2) prescribed at each may contradict
                        // pₙ ≥ 0; one colliding contact always has an answer here
                        Err(ImpactError::NoConsistentMode { .. }) => {
                            assert!(space.colliding().count() > 1);
                            refused += 1;
                            continue;
                        }
                        Err(error) => panic!("{error}"),
                    };
                    let s = &answer.solution;
                    assert!(Conditions::newton(&space).violation(&s.impulses) < 1e-9);
                    for (k, c) in space.contacts.iter().enumerate() {
                        let n = c.normal();
                        let scale =
                            (space.G.abs() * s.impulses.abs()).amax().max(space.velocity_scale);
                        if c.phase == Phase::Colliding {
                            // (2)
                            assert!(
                                (s.u_post[n] + c.restitution * space.u_pre[n]).abs()
                                    < 1e-10 * scale
                            );
                        } else if s.outcomes[k] == Outcome::Detached {
                            // (3)
                            assert_eq!(s.impulses[n], 0.0);
                        }
                    }
                    assert!(audit(&space, s).momentum < 1e-9);
                    solved += 1;
                }
            }
        }
    }
    println!("solved {solved}, refused {refused}");
    assert!(refused * 3 < solved);
}

#[test]
fn agrees_with_brute_force() {
    let mut rng = Rng::new(52);
    for (n, contacts) in [(3, 1), (5, 2), (7, 3)] {
        for _ in 0..120 {
            let problem = random(&mut rng, chain_like(n, contacts));
            let space = reduce(&problem);
            let all = Conditions::newton(&space).enumerate();
            let answer = solve(&Whittaker, &problem).expect("one colliding contact");
            let p = answer.solution.impulses.as_slice();
            let nearest = all.iter().map(|q| difference(p, q.as_slice())).fold(1.0, f64::min);
            assert!(nearest < 1e-9, "{nearest:e}");
        }
    }
}

#[test]
fn agrees_with_newton_where_the_answer_is_unique() {
    let mut rng = Rng::new(53);
    let mut compared = 0;
    for _ in 0..200 {
        let problem = random(&mut rng, chain_like(7, 3));
        let space = reduce(&problem);
        if Conditions::newton(&space).enumerate().len() != 1 {
            continue;
        }
        let (a, b) = (
            solve(&Whittaker, &problem).expect("unique"),
            solve(&Newton, &problem).expect("unique"),
        );
        assert!(difference(a.velocity.as_slice(), b.velocity.as_slice()) < 1e-9);
        compared += 1;
    }
    assert!(compared > 150);
}

#[test]
fn stick_wins_where_static_friction_allows_both() {
    let mut rng = Rng::new(54);
    let mut both = 0;
    for _ in 0..400 {
        let problem = random(&mut rng, Recipe { static_excess: 1.0, ..chain_like(4, 1) });
        let space = reduce(&problem);
        let all = Conditions::newton(&space).enumerate();
        let sticks = |p: &nalgebra::DVector<f64>| (&space.u_pre + &space.G * p)[0].abs() < 1e-9;
        if all.len() > 1 && all.iter().any(sticks) {
            let answer = solve(&Whittaker, &problem).expect("solved");
            assert!(sticks(&answer.solution.impulses));
            both += 1;
        }
    }
    println!("{both} with both");
    assert!(both > 5);
}

#[test]
fn invariant_under_coordinates_units_and_order() {
    let mut rng = Rng::new(55);
    for case in 0..60 {
        let problem = random(&mut rng, chain_like(7, 1 + case % 3));
        let answer = solve(&Whittaker, &problem).expect("solved");
        let T = DMatrix::identity(7, 7) + DMatrix::from_fn(7, 7, |_, _| 0.3 * rng.normal());
        let other = solve(&Whittaker, &transformed(&problem, &T)).expect("same problem");
        assert!(difference((&T * &other.velocity).as_slice(), answer.velocity.as_slice()) < 1e-8);
        let other = solve(&Whittaker, &rescaled(&problem, 1e3, 1e5)).expect("same problem");
        assert!(difference((&other.velocity / 1e3).as_slice(), answer.velocity.as_slice()) < 1e-9);
        let other = solve(&Whittaker, &reversed(&problem)).expect("same problem");
        assert!(difference(other.velocity.as_slice(), answer.velocity.as_slice()) < 1e-9);
    }
}

#[test]
fn smooth_collision_equals_the_differential_law() {
    // Hurmuzlu & Marghitu section 4: without friction at the colliding end the formulations agree
    // wherever the touching end does not change its slip on the way
    let kinematic = Differential { restitution: Restitution::Kinematic };
    let mut compared = 0;
    for degrees in (-85..=85).step_by(5) {
        let chain = ThreeLinkChain {
            phi: f64::from(degrees).to_radians(),
            friction_touching: 0.5,
            friction_colliding: 0.0,
            restitution: 0.9,
        }
        .problem();
        let (Ok(a), Ok(b)) = (solve(&Whittaker, &chain), solve(&kinematic, &chain)) else {
            continue;
        };
        assert!(difference(a.velocity.as_slice(), b.velocity.as_slice()) < 1e-9, "{degrees}");
        compared += 1;
    }
    println!("{compared} postures");
    assert!(compared > 30);
}

#[test]
fn spatial_contacts_are_refused() {
    let mut rng = Rng::new(56);
    let problem = random(&mut rng, Recipe::spatial(6, 1));
    let refused = solve(&Whittaker, &problem);
    assert!(matches!(
        refused,
        Err(ImpactError::NotApplicable {
            law: "whittaker",
            reason: Reason::Tangents { found: 2, largest: 1, .. }
        })
    ));
}
