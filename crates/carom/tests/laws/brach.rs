//! Brach's law: `impact::brach`.

use crate::impact_support::{Rng, difference, problem_from, reduce, solve};
use crate::oracle::{Recipe, random, rescaled, reversed};
use crate::whittaker::chain_like;
use carom::impact::{Brach, ContactSpace, ImpactError, ImpactProblem, Reason, Whittaker};
use nalgebra::DVector;

fn change(answer: &carom::impact::ImpactAnswer) -> f64 {
    (answer.energy_after - answer.energy_before) / answer.energy_before
}

/// Ratio at the colliding contact, which is the first.
fn ratio(p: &DVector<f64>) -> f64 {
    p[0] / p[1]
}

/// Problems where Whittaker's law gains energy.
fn gaining(rng: &mut Rng, n: usize, contacts: usize) -> ImpactProblem {
    loop {
        let mut problem = random(rng, Recipe { friction: 1.5, ..chain_like(n, contacts) });
        problem.contacts[0].restitution = 0.5 + 0.5 * rng.unit();
        if solve(&Whittaker, &problem).is_ok_and(|answer| change(&answer) > 1e-6) {
            return problem;
        }
    }
}

#[test]
fn never_gains_energy() {
    let mut rng = Rng::new(61);
    let (mut solved, mut refused, mut cured, mut worst) = (0, 0, 0, 0.0_f64);
    for (n, contacts) in [(2, 1), (3, 1), (5, 2), (7, 3), (12, 4)] {
        for shift in [0.3, 1e-6] {
            for _ in 0..150 {
                let recipe =
                    Recipe { shift, friction: 1.2, static_excess: 0.2, ..chain_like(n, contacts) };
                let problem = random(&mut rng, recipe);
                match solve(&Brach, &problem) {
                    Ok(answer) => {
                        worst = worst.max(change(&answer));
                        let whittaker = solve(&Whittaker, &problem).expect("Brach starts there");
                        cured += usize::from(change(&whittaker) > 1e-9);
                        solved += 1;
                    }
                    Err(ImpactError::NoConsistentMode { law: "brach", .. }) => refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    println!("solved {solved}, cured {cured}, refused {refused}, worst gain {worst:e}");
    assert!(worst < 1e-9, "{worst:e}");
    assert!(cured > 20 && refused * 50 < solved);
}

#[test]
fn elastic_impact_of_one_contact_has_an_answer() {
    // The root of (3) is r = 0, of either sign by round-off.
    let mut rng = Rng::new(66);
    for _ in 0..200 {
        let mut problem = gaining(&mut rng, 2, 1);
        problem.contacts[0].restitution = 1.0;
        let brach = solve(&Brach, &problem).expect("an answer");
        assert!(change(&brach).abs() < 1e-11, "{:e}", change(&brach));
    }
}

#[test]
fn whittaker_stands_where_it_loses() {
    let mut rng = Rng::new(62);
    for _ in 0..200 {
        let problem = random(&mut rng, chain_like(6, 2));
        let whittaker = solve(&Whittaker, &problem).expect("solved");
        if change(&whittaker) < -1e-12 {
            let brach = solve(&Brach, &problem).expect("solved");
            assert_eq!(brach.velocity, whittaker.velocity);
        }
    }
}

#[test]
fn eq1_ratio_is_the_smallest_and_eq3_root_loses_nothing() {
    let mut rng = Rng::new(63);
    for case in 0..60 {
        let problem = gaining(&mut rng, 5, 1 + case % 2);
        let Ok(brach) = solve(&Brach, &problem) else { continue };
        let whittaker = solve(&Whittaker, &problem).expect("solved");
        let (r, r_w) = (ratio(&brach.solution.impulses), ratio(&whittaker.solution.impulses));
        assert!(r * r_w >= 0.0 && r.abs() <= r_w.abs() * (1.0 + 1e-9), "{r} {r_w}");
        assert!(change(&brach).abs() < 1e-11, "{:e}", change(&brach));
        let space = reduce(&problem);
        let rebound = brach.solution.u_post[1] + space.contacts[0].restitution * space.u_pre[1];
        assert!(rebound.abs() < 1e-11 * space.velocity_scale);
    }
}

/// Zero-loss ratio of a single contact by bisection on the energy itself.
fn bisect(space: &ContactSpace, r_w: f64) -> Option<f64> {
    let (G, u, e) = (&space.G, &space.u_pre, space.contacts[0].restitution);
    let energy = |r: f64| {
        let w = DVector::from_row_slice(&[r, 1.0]);
        let p_n = -(1.0 + e) * u[1] / (G * &w)[1];
        let p = w * p_n;
        p.dot(u) + 0.5 * p.dot(&(G * &p))
    };
    // from zero outwards: the first change of sign is the root of smaller magnitude
    let steps = 4000;
    let at = |k: usize| r_w * k as f64 / steps as f64;
    let k = (0..steps).find(|&k| energy(at(k)) <= 0.0 && energy(at(k + 1)) > 0.0)?;
    let (mut low, mut high) = (at(k), at(k + 1));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if energy(middle) <= 0.0 { low = middle } else { high = middle }
    }
    Some(low)
}

#[test]
fn agrees_with_brute_force() {
    let mut rng = Rng::new(64);
    for _ in 0..60 {
        let problem = gaining(&mut rng, 3, 1);
        let space = reduce(&problem);
        let whittaker = solve(&Whittaker, &problem).expect("solved");
        let brach = solve(&Brach, &problem).expect("one contact always has a root");
        let expected =
            bisect(&space, ratio(&whittaker.solution.impulses)).expect("energy starts at a loss");
        assert!((ratio(&brach.solution.impulses) - expected).abs() < 1e-9 * expected.abs());
    }
}

#[test]
fn other_contacts_keep_their_conditions() {
    let mut rng = Rng::new(65);
    let mut checked = 0;
    for _ in 0..60 {
        let problem = gaining(&mut rng, 7, 3);
        let Ok(brach) = solve(&Brach, &problem) else { continue };
        let (space, s) = (reduce(&problem), &brach.solution);
        let scale = s.u_post.amax();
        for c in space.contacts.iter().skip(1) {
            let (p_t, p_n, u_t, u_n) = (
                s.impulses[c.first],
                s.impulses[c.normal()],
                s.u_post[c.first],
                s.u_post[c.normal()],
            );
            assert!(
                p_n >= -1e-10
                    && u_n >= -1e-10 * scale
                    && (p_n.abs() < 1e-10 || u_n.abs() < 1e-10 * scale)
            );
            assert!(p_t.abs() <= c.static_friction * p_n + 1e-9);
            assert!(
                u_t.abs() < 1e-9 * scale || (p_t + c.friction * p_n * u_t.signum()).abs() < 1e-9
            );
        }
        checked += 1;
    }
    println!("{checked} checked");
    assert!(checked > 30);
}

#[test]
fn continuous_where_the_gain_begins() {
    // the restitution at which Whittaker's gain vanishes: Brach's velocity has no jump there
    let mut rng = Rng::new(66);
    for _ in 0..20 {
        let mut problem = gaining(&mut rng, 4, 1);
        let (mut low, mut high) = (0.0, problem.contacts[0].restitution);
        for _ in 0..60 {
            problem.contacts[0].restitution = 0.5 * (low + high);
            let gains = change(&solve(&Whittaker, &problem).expect("solved")) > 0.0;
            if gains {
                high = problem.contacts[0].restitution
            } else {
                low = problem.contacts[0].restitution
            }
        }
        let at = |e: f64| {
            let mut other = problem.clone();
            other.contacts[0].restitution = e;
            solve(&Brach, &other).expect("solved").velocity
        };
        let (before, after) = (at((low - 1e-9).max(0.0)), at((high + 1e-9).min(1.0)));
        assert!(difference(before.as_slice(), after.as_slice()) < 1e-5);
    }
}

#[test]
fn invariant_under_units_and_order() {
    let mut rng = Rng::new(67);
    for case in 0..40 {
        let problem = gaining(&mut rng, 6, 1 + case % 3);
        let Ok(answer) = solve(&Brach, &problem) else { continue };
        let other = solve(&Brach, &rescaled(&problem, 1e3, 1e-4)).expect("same problem");
        assert!(difference((&other.velocity / 1e3).as_slice(), answer.velocity.as_slice()) < 1e-9);
        let other = solve(&Brach, &reversed(&problem)).expect("same problem");
        assert!(difference(other.velocity.as_slice(), answer.velocity.as_slice()) < 1e-9);
    }
}

#[test]
fn several_colliding_contacts_are_refused() {
    let mut rng = Rng::new(68);
    let problem = random(&mut rng, Recipe { colliding: 1.0, ..Recipe::planar(6, 2) });
    let refused = solve(&Brach, &problem);
    assert!(matches!(
        refused,
        Err(ImpactError::NotApplicable {
            law: "brach",
            reason: Reason::SeveralColliding { count: 2 }
        })
    ));
}

/// Five contacts, e = 1: the smaller root of (3) is not admissible, the larger one is.
#[test]
fn eq3_second_root() {
    let text = include_str!("../samples/net/brach_e1.json");
    let problem = problem_from(&serde_json::from_str(text).expect("a problem"));
    let answer = solve(&Brach, &problem).expect("the second root");
    let p = &answer.solution.impulses;
    assert!((p[0] / p[1] - 0.455_54).abs() < 5e-6, "{}", p[0] / p[1]);
    assert!(change(&answer).abs() < 1e-13 * answer.energy_before);
}
