//! One colliding contact is the differential law; symmetric problems have symmetric answers.

use carom::impact::{
    Compliant, ContactSpace, Differential, ImpactLaw, ImpactSolution, ImpactWorkspace, Restitution,
};

use super::problems::{Random, check, difference, random, solve, solve_by};

fn differential(space: &ContactSpace) -> ImpactSolution {
    let mut out = ImpactSolution::default();
    let law = Differential { restitution: Restitution::Energetic };
    law.resolve(space, &mut ImpactWorkspace::new(), &mut out).expect("one contact");
    out
}

fn compare(seed: u64, tangents: usize, count: usize) {
    let mut rng = Random(seed);
    for round in 0..count {
        let mut space =
            random(&mut rng, tangents + 3, &[tangents], if round % 5 == 0 { 8.0 } else { 1.2 });
        if round % 3 == 0 {
            space.contacts[0].static_friction *= rng.uniform(1.0, 1.5);
        }
        if round % 7 == 0 {
            space.contacts[0].tangent_rows().for_each(|i| space.u_pre[i] = 0.0);
        }
        let (a, b) = (solve(&space), differential(&space));
        assert!(difference(&space, &a, &b) < 1e-9, "{round}: {} {}", a.u_post, b.u_post);
        let scale = a.impulses.lp_norm(1) * a.u_post.amax().max(space.velocity_scale);
        assert!((a.normal_work - b.normal_work).abs() <= 1e-9 * scale, "{round}");
        assert!((a.friction_work - b.friction_work).abs() <= 1e-9 * scale, "{round}");
        assert_eq!(a.outcomes, b.outcomes);
    }
}

#[test]
fn one_planar_contact_is_the_differential_law() {
    compare(11, 0, 50);
    compare(12, 1, 1000);
}

#[test]
fn one_spatial_contact_is_the_differential_law() {
    compare(13, 2, 400);
}

/// With one contact neither stiffness nor exponent matters.
#[test]
fn one_contact_has_no_clock() {
    let mut rng = Random(14);
    for round in 0..60 {
        let space = random(&mut rng, 4, &[1 + round % 2], 1.0);
        let linear = solve(&space);
        let stiff = Compliant { stiffness: vec![37.0], ..Compliant::default() };
        assert!(difference(&space, &linear, &solve_by(&stiff, &space)) < 1e-10);
    }
}

/// A bar that lands flat on two ends, in the plane and in space: mirrored contacts do the same.
#[test]
fn symmetric_stays_symmetric() {
    for (spatial, e, mu, slip) in [
        (false, 0.5, 0.3, 0.0),
        (false, 1.0, 0.0, 0.0),
        (true, 0.7, 0.4, 0.8),
        (true, 0.0, 0.9, 0.3),
    ] {
        let tangents = if spatial { 2 } else { 1 };
        let t = tangents + 1;
        let mut space = ContactSpace::default();
        space.resize(2 * t);
        // A free bar of mass 1 and length 2: normals couple by 1 − 3, slip along the line of motion by 1.
        for a in 0..2 {
            for b in 0..2 {
                let n = if a == b { 4.0 } else { -2.0 };
                space.G[(a * t + tangents, b * t + tangents)] = n;
                for x in 0..tangents {
                    space.G[(a * t + x, b * t + x)] = if x == 1 && a != b { -0.5 } else { 1.0 };
                }
            }
            space.u_pre[a * t + tangents] = -1.0;
            space.u_pre[a * t] = slip;
            space.push_contact(tangents, [mu, mu], e, true);
        }
        space.classify();
        let out = solve(&space);
        check(&space, &out, 1e-11);
        for x in 0..t {
            let sign = if x == 1 && spatial { -1.0 } else { 1.0 };
            assert!((out.u_post[x] - sign * out.u_post[t + x]).abs() < 1e-12, "{}", out.u_post);
            assert!((out.impulses[x] - sign * out.impulses[t + x]).abs() < 1e-12);
        }
    }
}
