//! Agreement with brute force, other definitions, coordinates and laws.

use carom::impact::planar::{PlanarContact, planar_path};
use carom::impact::{
    Differential, ImpactAnswer, ImpactLaw, ImpactWorkspace, Planar, Restitution, StageEvent,
    Tolerances,
};
use nalgebra::DMatrix;

use crate::contact::{random_contact, rod};
use crate::impact_support::{
    Recipe, Rng, brute, check_audit, difference, random_problem, reduce, solve,
};

#[test]
fn definitions_agree_where_they_must() {
    let mut rng = Rng::new(7);
    let mut one_direction = 0;
    for i in 0..6000 {
        let mut c = random_contact(&mut rng, 0.9);
        match i % 3 {
            0 => c.friction = 0.0,
            1 => c.restitution = 0.0,
            _ => {}
        }
        c.static_friction = c.friction;
        let paths = Restitution::ALL.map(|d| planar_path(&c, d).expect("solved"));
        let same_slip = paths.iter().all(|p| p.states().len() == 3);
        if i % 3 == 2 && !same_slip {
            continue;
        }
        one_direction += usize::from(i % 3 == 2);
        for p in &paths[1..] {
            let (a, b) = (paths[0].end(), p.end());
            let d = difference(&[a.u_t, a.u_n, a.p_t, a.p_n], &[b.u_t, b.u_n, b.p_t, b.p_n]);
            assert!(d < 1e-13, "{d:e} {c:?}");
        }
    }
    assert!(one_direction > 300, "{one_direction}");
}

#[test]
fn brute_force_agrees() {
    let mut rng = Rng::new(8);
    for i in 0..60 {
        let recipe = Recipe {
            contacts: 1,
            coordinates: 2 + rng.below(4),
            shift: 0.3,
            friction: 1.0,
            static_excess: 0.0,
        };
        let problem = random_problem(&mut rng, recipe);
        let space = reduce(&problem);
        let definition = Restitution::ALL[i % 3];
        let answer = solve(&Planar { restitution: definition }, &problem).expect("solved");
        let step = answer.solution.impulses[1] / 20_000.0;
        let b = brute::integrate(&space, definition, step).expect("converged");
        // First order: each event is located to one step, and there are at most four.
        let limits = brute::Limits::new(&space, &answer.solution, 4.0 * step);
        limits.check(&answer.solution, &b);
    }
}

#[test]
fn equals_the_differential_law() {
    let mut rng = Rng::new(9);
    let mut worst = 0.0_f64;
    for i in 0..6000 {
        let shift = [0.3, 1e-3, 1e-7][i % 3];
        let recipe = Recipe {
            contacts: 1,
            coordinates: 2 + rng.below(11),
            shift,
            friction: 2.0,
            static_excess: 0.5,
        };
        let problem = random_problem(&mut rng, recipe);
        for restitution in Restitution::ALL {
            let a = solve(&Planar { restitution }, &problem).expect("solved");
            let b = solve(&Differential { restitution }, &problem).expect("solved");
            let d = difference(a.solution.u_post.as_slice(), b.solution.u_post.as_slice())
                .max(difference(a.solution.impulses.as_slice(), b.solution.impulses.as_slice()));
            worst = worst.max(d);
            let mut tolerances = Tolerances::uniform(1e-13);
            if restitution == Restitution::Kinematic {
                tolerances.0.gain = f64::INFINITY;
            }
            check_audit(&problem, &a, &tolerances);
            assert_eq!(a.solution.outcomes, b.solution.outcomes);
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
}

/// Largest jump of (u⁺, p) between two close contacts, relative.
fn jump(a: &PlanarContact, b: &PlanarContact, definition: Restitution) -> f64 {
    let x = *planar_path(a, definition).expect("solved").end();
    let y = *planar_path(b, definition).expect("solved").end();
    difference(&[x.u_t, x.u_n, x.p_t, x.p_n], &[y.u_t, y.u_n, y.p_t, y.p_n])
}

#[test]
fn continuous_across_branch_boundaries() {
    const H: f64 = 1e-9;
    let mut rng = Rng::new(10);
    for _ in 0..1500 {
        let mut c = random_contact(&mut rng, 0.9);
        c.static_friction = c.friction;
        for definition in Restitution::ALL {
            // Stick or reversal, |m| = μ.
            let at = PlanarContact {
                friction: (c.tn / c.tt).abs(),
                static_friction: (c.tn / c.tt).abs(),
                ..c
            };
            let with = |d: f64| PlanarContact {
                friction: at.friction + d,
                static_friction: at.friction + d,
                ..at
            };
            if at.friction > H {
                assert!(jump(&with(-H), &with(H), definition) < 1e4 * H);
            }
            // The sign of the slip before, u_t = 0.
            let with = |u_t: f64| PlanarContact { u_t, ..c };
            assert!(jump(&with(-H), &with(H), definition) < 1e4 * H);
            // Slip stop at the end of compression: choose u_t so that both pauses coincide.
            let (du_t, du_n) = (c.tn - c.friction * c.tt, c.nn - c.friction * c.tn);
            if du_t < -0.05 && du_n > 0.05 {
                let u_t = -du_t * -c.u_n / du_n;
                assert!(jump(&with(u_t - H), &with(u_t + H), definition) < 1e4 * H);
            }
        }
    }
}

#[test]
fn invariant_under_coordinates_units_and_direction_of_the_tangent() {
    let mut rng = Rng::new(11);
    for i in 0..600 {
        let n = 2 + rng.below(5);
        let recipe =
            Recipe { contacts: 1, coordinates: n, shift: 0.2, friction: 1.5, static_excess: 0.3 };
        let problem = random_problem(&mut rng, recipe);
        let restitution = Restitution::ALL[i % 3];
        let law = Planar { restitution };
        let base = solve(&law, &problem).expect("solved");
        // q = T y: M → TᵀMT, v → T⁻¹v, J → JT.
        let t = rng.mass_matrix(n, 0.5) + DMatrix::from_fn(n, n, |_, _| 0.2 * rng.normal());
        let mut moved = problem.clone();
        let symmetric = t.transpose() * &problem.mass_matrix * &t;
        moved.mass_matrix = (&symmetric + symmetric.transpose()) * 0.5;
        moved.velocity = t.clone().lu().solve(&problem.velocity).expect("regular");
        for c in &mut moved.contacts {
            c.tangents = &c.tangents * &t;
            c.normal = t.transpose() * &c.normal;
        }
        let a = solve(&law, &moved).expect("solved");
        assert!(difference(base.solution.u_post.as_slice(), a.solution.u_post.as_slice()) < 1e-8);
        assert!(
            difference(base.solution.impulses.as_slice(), a.solution.impulses.as_slice()) < 1e-8
        );
        // Units: kilograms to grams, metres to millimetres, and a flipped tangent.
        let mut scaled = problem.clone();
        scaled.mass_matrix *= 1e3;
        scaled.velocity *= 1e3;
        scaled.contacts[0].tangents *= -1.0;
        let b = solve(&law, &scaled).expect("solved");
        let expect_u = [-1e3 * base.solution.u_post[0], 1e3 * base.solution.u_post[1]];
        assert!(difference(&expect_u, b.solution.u_post.as_slice()) < 1e-12);
        let expect_p = [-1e6 * base.solution.impulses[0], 1e6 * base.solution.impulses[1]];
        assert!(difference(&expect_p, b.solution.impulses.as_slice()) < 1e-12);
    }
}

#[test]
fn trace_follows_the_energies() {
    let mut answer = ImpactAnswer::traced();
    let law = Planar { restitution: Restitution::Energetic };
    law.resolve_problem(&rod(), &mut ImpactWorkspace::new(), &mut answer).expect("solved");
    let stages = &answer.solution.trace.stages;
    let names: Vec<_> = stages.iter().map(|s| s.event).collect();
    let expected =
        [StageEvent::Start, StageEvent::Reversal, StageEvent::EndOfCompression, StageEvent::End];
    assert_eq!(names, expected);
    assert_eq!(stages[0].energy, answer.energy_before);
    assert!((stages[3].energy - answer.energy_after).abs() < 1e-14);
    for s in stages {
        assert!((s.energy - answer.energy_before - s.normal_work - s.friction_work).abs() < 1e-14);
    }
    // E_n is least at the end of compression, E_f never rises (Morgan's figure 2.6).
    assert!(stages.iter().all(|s| s.normal_work >= stages[2].normal_work));
    assert!(stages.windows(2).all(|w| w[1].friction_work <= w[0].friction_work));
    // The differential law records the same path.
    let mut other = ImpactAnswer::traced();
    let law = Differential { restitution: Restitution::Energetic };
    law.resolve_problem(&rod(), &mut ImpactWorkspace::new(), &mut other).expect("solved");
    assert_eq!(other.solution.trace.stages.len(), stages.len());
    for (a, b) in stages.iter().zip(&other.solution.trace.stages) {
        assert_eq!((a.event, a.contact), (b.event, b.contact));
        assert!(difference(&a.velocity, &b.velocity) < 1e-14);
    }
}
