//! Several contacts.

use carom::impact::{Dissipation, DissipationOptions, ImpactError, ImpactSolution, Outcome, audit};
use nalgebra::{DMatrix, DVector};

use crate::scan::{
    certified, impulses, karnopp, needed_for_stick, objective, opposed, options, several, violation,
};
use crate::support::{Random, reduce, space};

/// (4.4)–(4.8) with two planar contacts: the answer is feasible and no point of a scan over both slips is better.
#[test]
fn eq4_4_to_4_8_two_planar_contacts_agree_with_a_scan() {
    let mut random = Random(5);
    let mut compared = 0;
    for case in 0..40 {
        let space = several(&mut random, &[1, 1]);
        let o = options([1.4e-4, 0.1][case % 2]);
        let needed = needed_for_stick(&space);
        let (out, best, released) = certified(&space, o);
        if released > 0 {
            continue;
        }
        compared += 1;
        let miss = violation(&space, &o, &needed, &out.impulses, &out.u_post);
        assert!(miss < 1e-9, "case {case}: {miss:e}");
        assert!((best - objective(&space, &o, &needed, &out.u_post)).abs() < 1e-9 * (1.0 + best));
        // p = p₀ + x₁ a + x₂ b
        let p0 = impulses(&space, &DVector::zeros(2));
        let a = impulses(&space, &DVector::from_vec(vec![1.0, 0.0])) - &p0;
        let b = impulses(&space, &DVector::from_vec(vec![0.0, 1.0])) - &p0;
        let reach = 1.2 * best.sqrt();
        for i in -250..=250 {
            for j in -250..=250 {
                let x = [f64::from(i), f64::from(j)].map(|s| s * reach / 250.0);
                let p = &p0 + &a * x[0] + &b * x[1];
                let ok = (0..2).all(|c| {
                    let mu = karnopp(&space, c, &o, needed[c]).coefficient(x[c].abs());
                    let (p_t, p_n) = (p[2 * c], p[2 * c + 1]);
                    p_n >= 0.0 && p_t.abs() <= mu * p_n && p_t * x[c] <= 0.0
                });
                if ok {
                    let f: f64 = (0..2)
                        .map(|c| {
                            let mu = karnopp(&space, c, &o, needed[c]).coefficient(x[c].abs());
                            x[c].powi(2) + (space.contacts[c].static_friction - mu).powi(2)
                        })
                        .sum();
                    assert!(best <= f + 1e-9, "case {case}: {best} > {f} at {x:?}");
                }
            }
        }
    }
    assert!(compared >= 20, "{compared}");
}

/// Spatial contacts: the answer is feasible and no point of a scan over (β₁, β₂) is better.
#[test]
fn two_spatial_contacts_agree_with_a_scan() {
    let mut random = Random(6);
    let mut compared = 0;
    for case in 0..16 {
        let shape: &[usize] = if case % 2 == 0 { &[2, 2] } else { &[2, 1] };
        let space = several(&mut random, shape);
        let o = options([1.4e-4, 0.1][case % 2]);
        let needed = needed_for_stick(&space);
        let (out, best, released) = certified(&space, o);
        if released > 0 {
            continue;
        }
        compared += 1;
        let miss = violation(&space, &o, &needed, &out.impulses, &out.u_post);
        assert!(miss < 1e-6, "case {case}: {miss:e}");
        for i in 0..=60 {
            for j in 0..=60 {
                let beta = [i, j].map(|i| 10f64.powf(-3.0 + 0.15 * f64::from(i)));
                let Some((p, u)) = opposed(&space, &beta) else {
                    continue;
                };
                if violation(&space, &o, &needed, &p, &u) <= 0.0 {
                    let f = objective(&space, &o, &needed, &u);
                    assert!(best <= f + 1e-6 * (1.0 + best), "case {case}: {best} > {f}");
                }
            }
        }
    }
    assert!(compared >= 8, "{compared}");
}

/// (4.9): a contact that could stick with μ_f < μd slips with at most μ_f where its neighbour forces it to.
#[test]
fn eq4_9_least_friction() {
    let mut random = Random(7);
    let mut seen = 0;
    for _ in 0..400 {
        let space = several(&mut random, &[1, 1]);
        let needed = needed_for_stick(&space);
        let o = options(1e-6);
        let (out, _, released) = certified(&space, o);
        if released > 0 {
            continue;
        }
        for (i, c) in space.contacts.iter().enumerate() {
            let speed = out.u_post[c.first].abs();
            if speed > 1e-3 && needed[i] < c.friction {
                let ratio = out.impulses[c.first].abs() / out.impulses[c.normal()];
                assert!(ratio <= needed[i] + 1e-9);
                seen += 1;
            }
        }
    }
    assert!(seen > 3, "{seen}");
}

/// (R2): released contacts carry nothing and leave at least as fast as restitution asks.
#[test]
fn r2_released_contacts() {
    let mut random = Random(8);
    let mut seen = 0;
    for case in 0..150 {
        let space = several(&mut random, [&[1, 1][..], &[1, 1, 1], &[0, 1]][case % 3]);
        let o = options(1.4e-4);
        let (out, _, released) = certified(&space, o);
        let mut idle = 0;
        for c in &space.contacts {
            let n = c.normal();
            let target = -c.restitution * space.u_pre[n];
            assert!(out.u_post[n] >= target - 1e-9 * space.velocity_scale);
            if c.rows().all(|i| out.impulses[i] == 0.0) {
                idle += 1;
            } else {
                assert!((out.u_post[n] - target).abs() < 1e-9 * space.velocity_scale);
            }
        }
        assert!(idle >= released);
        seen += released;
        let found = audit(&space, &out);
        assert!(found.unilaterality < 1e-9 && found.cone < 1e-9 && found.momentum < 1e-9);
    }
    assert!(seen > 10, "{seen}");
}

/// Redundant contacts: a block landing flat on two corners has a unique motion and symmetric, least impulses.
#[test]
fn redundant_corners_share_alike() {
    let (m, inertia, h, w) = (2.0, 0.3, 0.4, 0.5);
    let J = DMatrix::from_row_slice(4, 3, &[1., 0., h, 0., 1., -w, 1., 0., h, 0., 1., w]);
    let N = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0 / m, 1.0 / m, 1.0 / inertia]));
    for (slip, sticks) in [(0.2, true), (2.0, false)] {
        let u = &J * DVector::from_vec(vec![slip, -1.0, 0.0]);
        let contact = (1, [0.3, 0.35], 0.0);
        let space = space(&J * &N * J.transpose(), u, &[contact, contact]);
        let (out, _, released) = certified(&space, options(1e-5));
        let p = &out.impulses;
        assert_eq!(released, 0);
        if sticks {
            assert!((p[0] - p[2]).abs() < 1e-9, "{p}");
        } else {
            // Both corners slip with full friction, so the heavier loaded one takes more.
            assert!((p[0] + 0.3 * p[1]).abs() < 1e-9 && (p[2] + 0.3 * p[3]).abs() < 1e-9);
        }
        assert!((p[1] + p[3] - m).abs() < 1e-9);
        assert_eq!(out.outcomes[0] == Outcome::Stick, sticks);
        assert!(audit(&space, &out).worst().1 < 1e-9);
    }
}

/// More contact rows than degrees of freedom, badly conditioned masses: every problem has an answer, and the answer
/// passes the audit (energy may grow, as Newton's restitution has it).
#[test]
fn redundant_and_badly_conditioned_problems() {
    let mut random = Random(42);
    let shapes: [&[usize]; 6] = [&[1, 1], &[1, 1, 1], &[2], &[1, 0, 1], &[2, 1], &[1, 1, 1, 1]];
    for case in 0..180 {
        let n = 2 + case % 5;
        let problem = random.problem(n, shapes[case % 6], [0.5, 4.0][case % 2]);
        let space = reduce(&problem);
        let mut out = ImpactSolution::default();
        let law = Dissipation::default();
        if let Err(error) = law.resolve_certified(&space, &mut out) {
            panic!("case {case}: {error}");
        }
        let found = audit(&space, &out);
        // Contacts that separate beforehand are left out by laws without a path.
        let acting = space.contacts.iter().filter(|c| c.takes_part());
        let penetration = acting.map(|c| -out.u_post[c.normal()]).fold(0.0, f64::max);
        let penetration = penetration / space.velocity_scale;
        let worst = [found.momentum, found.unilaterality, penetration, found.cone];
        assert!(worst.iter().all(|x| *x < 1e-7), "case {case}: {found:?}");
    }
}

#[test]
fn spatial_search_reduces_to_the_planar_one() {
    let mut random = Random(9);
    for case in 0..20 {
        let planar = several(&mut random, &[1, 1]);
        // The same contacts with second tangents that nothing couples to.
        let pick = [0, 2, 3, 5];
        let mut G = DMatrix::identity(6, 6);
        let mut u = DVector::zeros(6);
        for (a, &i) in pick.iter().enumerate() {
            u[i] = planar.u_pre[a];
            for (b, &j) in pick.iter().enumerate() {
                G[(i, j)] = planar.G[(a, b)];
            }
        }
        let contacts: Vec<_> = planar
            .contacts
            .iter()
            .map(|c| (2, [c.friction, c.static_friction], c.restitution))
            .collect();
        let embedded = space(G, u, &contacts);
        let o = options(1.4e-4);
        let (flat, f, _) = certified(&planar, o);
        let (deep, d, _) = certified(&embedded, o);
        assert!((f - d).abs() < 1e-6 * (1.0 + f), "case {case}: {f} {d}");
        for (a, &i) in pick.iter().enumerate() {
            let miss = (flat.impulses[a] - deep.impulses[i]).abs();
            assert!(miss < 1e-6 * flat.impulses.amax(), "case {case}: {miss:e}");
        }
    }
}

/// However many contacts there are, a search costs no more than `region_limit` regions of two contacts, and says whether
/// it came to its end; what it found obeys the law.
#[test]
fn many_contacts_take_bounded_work() {
    let mut random = Random(41);
    let (mut cut, mut found) = (0, 0);
    for contacts in [4, 6, 8] {
        let price = (contacts as f64 / 2.0).powi(3);
        for _ in 0..4 {
            let space = several(&mut random, &vec![2; contacts]);
            let o = DissipationOptions { region_limit: 3000, ..options(0.1) };
            let mut out = ImpactSolution::default();
            match Dissipation::new(o).resolve_certified(&space, &mut out) {
                Ok(c) => {
                    found += 1;
                    cut += usize::from(!c.certain);
                    // A division makes up to four regions before the count is looked at again.
                    let most = o.region_limit as f64 / price + 4.0 * (c.released + 1) as f64;
                    assert!(c.regions as f64 <= most || c.released > 0, "{contacts}: {c:?}");
                    assert!(c.bound <= c.objective + 1e-12);
                    for (i, contact) in space.contacts.iter().enumerate() {
                        let p_n = out.impulses[contact.normal()];
                        let p_t = out.impulses.rows(contact.first, contact.tangents).norm();
                        assert!(p_n >= -1e-7 && p_t <= contact.static_friction * p_n + 1e-6, "{i}");
                    }
                }
                Err(ImpactError::TooManyStages { limit, .. }) => {
                    cut += 1;
                    assert_eq!(limit, o.region_limit);
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(cut > 0 && found > 0, "{cut} cut short, {found} found");
}
