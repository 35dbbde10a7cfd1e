//! Each numbered equation of `impact::compliant`.

use carom::impact::{
    Compliant, ContactSpace, ImpactLaw, ImpactSolution, ImpactWorkspace, Phase, StageEvent,
};

use super::problems::{Random, check, difference, random, solve, solve_by};

/// One contact without tangents, G = g, u = −1.
fn normal(g: f64, e: f64) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(1);
    space.G[(0, 0)] = g;
    space.u_pre[0] = -1.0;
    space.push_contact(0, [0.0, 0.0], e, true);
    space.classify();
    space
}

#[test]
fn eq1_two_stiffnesses_give_back_e_squared() {
    for e in [1.0, 0.9, 0.3, 1e-3, 1e-7] {
        for exponent in [1.0, 1.5, 2.0] {
            let space = normal(2.5, e);
            let out = solve_by(&Compliant { stiffness: vec![3.0], exponent }, &space);
            assert!((out.u_post[0] - e).abs() < 1e-11, "e {e}, η {exponent}: {}", out.u_post[0]);
            assert!((out.normal_work + 0.5 / 2.5 * (1.0 - e * e)).abs() < 1e-11);
        }
    }
}

#[test]
fn eq2_force_drops_without_restitution() {
    let out = solve(&normal(0.7, 0.0));
    assert_eq!(out.u_post[0], 0.0);
    assert!((out.impulses[0] - 1.0 / 0.7).abs() < 1e-14);
    // 1e-10 counts as 0
    assert_eq!(solve(&normal(0.7, 1e-10)).u_post[0], 0.0);
}

#[test]
fn eq3_momentum() {
    let mut rng = Random(21);
    for round in 0..100 {
        let space = random(&mut rng, 8, &[round % 3, (round / 3) % 3], 1.5);
        check(&space, &solve(&space), 1e-10);
    }
}

/// A trace tells what happened: friction opposes slip, and is inside its cone where a contact rests.
#[test]
fn eq4_eq5_trace_of_slip_and_rest() {
    let mut rng = Random(22);
    let mut stops = 0;
    for _ in 0..200 {
        let space = random(&mut rng, 4, &[1], 1.0);
        let mut out = ImpactSolution::traced();
        Compliant::default()
            .resolve(&space, &mut ImpactWorkspace::new(), &mut out)
            .expect("an answer");
        let stages = &out.trace.stages;
        assert_eq!(stages.first().map(|s| s.event), Some(StageEvent::Start));
        assert_eq!(stages.last().map(|s| s.event), Some(StageEvent::End));
        for pair in stages.windows(2) {
            let (dp_t, dp_n) = (
                pair[1].impulses[0] - pair[0].impulses[0],
                pair[1].impulses[1] - pair[0].impulses[1],
            );
            let slip = pair[0].velocity[0] + pair[1].velocity[0];
            let mu = space.contacts[0].friction;
            assert!(dp_t.abs() <= mu * dp_n + 1e-12);
            if slip.abs() > 1e-9 {
                assert!((dp_t + slip.signum() * mu * dp_n).abs() < 1e-10, "{pair:?}");
            }
            stops += usize::from(pair[0].event == StageEvent::SlipStop);
        }
    }
    assert!(stops > 20, "{stops}");
}

/// A contact cut in two of half the stiffness, in the same place, moves the same: what redundant contacts share has no
/// effect, and (6) finds accelerations for singular G.
#[test]
fn eq6_redundant_contacts_move_as_one() {
    let mut rng = Random(23);
    for round in 0..60 {
        let t = 1 + round % 2;
        let one = random(&mut rng, 8, &[t, t], 1.0);
        let m = one.rows();
        let mut two = ContactSpace::default();
        two.resize(m + t + 1);
        let from = |i: usize| if i < m { i } else { i - (t + 1) };
        for i in 0..two.rows() {
            two.u_pre[i] = one.u_pre[from(i)];
            for j in 0..two.rows() {
                two.G[(i, j)] = one.G[(from(i), from(j))];
            }
        }
        for k in [0, 1, 1] {
            let c = one.contacts[k];
            two.push_contact(t, [c.friction, c.static_friction], c.restitution, true);
        }
        two.classify();
        let law = Compliant { stiffness: vec![1.0, 0.5, 0.5], ..Compliant::default() };
        let (a, b) = (solve(&one), solve_by(&law, &two));
        let scale = a.u_post.amax().max(one.velocity_scale);
        for i in 0..two.rows() {
            let miss = (b.u_post[i] - a.u_post[from(i)]).abs();
            assert!(miss <= 1e-9 * scale, "{round}: {miss:e}");
        }
    }
}

#[test]
fn eq7_every_contact_loses_normal_energy() {
    let mut rng = Random(24);
    for round in 0..200 {
        let tangents: Vec<usize> = (0..1 + round % 4).map(|_| rng.below(3)).collect();
        let n = 3 + rng.below(9);
        let mut space = random(&mut rng, n, &tangents, 3.0);
        if round % 10 == 0 {
            let last = space.contacts.len() - 1;
            if last > 0 {
                space.contacts[last].phase = Phase::Apart;
            }
        }
        let out = solve(&space);
        check(&space, &out, 1e-9);
        let scale = out.impulses.lp_norm(1) * out.u_post.amax().max(space.velocity_scale);
        for (n, f) in out.normal_works.iter().zip(&out.friction_works) {
            assert!(*n <= 1e-12 * scale && *f <= 1e-12 * scale, "{n} {f}");
        }
    }
}

/// Different stiffness, different sharing; the ratios alone count.
#[test]
fn only_ratios_of_stiffness_matter() {
    let mut rng = Random(25);
    for _ in 0..20 {
        let space = random(&mut rng, 7, &[1, 1, 1], 0.7);
        let by = |k: [f64; 3]| {
            solve_by(&Compliant { stiffness: k.to_vec(), ..Compliant::default() }, &space)
        };
        let (a, b) = (by([1.0, 4.0, 0.3]), by([50.0, 200.0, 15.0]));
        assert!(difference(&space, &a, &b) < 1e-10);
    }
}
