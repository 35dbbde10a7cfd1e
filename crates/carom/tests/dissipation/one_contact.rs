//! One contact.

use nalgebra::{DMatrix, DVector};

use crate::scan::{
    certified, impulses, karnopp, needed_for_stick, objective, one, opposed, options, several,
    solve, violation,
};
use crate::support::{Random, space};

/// (1) and (2) of `single`: with the impulses of the answer, x = x* + S pₜ and pₙ = (Δ − k·pₜ)/g.
#[test]
fn single_eq1_eq2_reduction() {
    let mut random = Random(1);
    for case in 0..200 {
        let space = one(&mut random, 1 + case % 2);
        let out = solve(&space, options(1.4e-4));
        let c = &space.contacts[0];
        let (n, t) = (c.normal(), c.tangents);
        let g = space.G[(n, n)];
        let k = space.G.view((0, n), (t, 1)).clone_owned();
        let S = space.G.view((0, 0), (t, t)) - &k * k.transpose() / g;
        let delta = -(1.0 + c.restitution) * space.u_pre[n];
        let p_t = out.impulses.rows(0, t);
        let x = space.u_pre.rows(0, t) + &k * (delta / g) + S * p_t;
        let p_n = (delta - k.dot(&p_t)) / g;
        assert!((x - out.u_post.rows(0, t)).amax() < 1e-11 * space.velocity_scale);
        assert!((p_n - out.impulses[n]).abs() < 1e-11 * p_n.abs());
    }
}

/// (3) of `single`: friction opposes the slip, and no larger β is feasible.
#[test]
fn single_eq3_curve() {
    let mut random = Random(2);
    let (mut stuck, mut slid) = (0, 0);
    for case in 0..300 {
        let space = one(&mut random, 1 + case % 2);
        let o = options([1.4e-4, 0.3][case % 2]);
        let out = solve(&space, o);
        let needed = needed_for_stick(&space);
        let found = violation(&space, &o, &needed, &out.impulses, &out.u_post);
        assert!(found < 1e-9, "case {case}: {found:e}");
        if out.u_post.rows(0, space.contacts[0].tangents).norm() < 1e-12 {
            stuck += 1;
        } else {
            slid += 1;
        }
    }
    assert!(stuck > 50 && slid > 50, "{stuck} stuck, {slid} slid");
}

/// No point of a fine scan along β is feasible and closer to stick.
#[test]
fn one_contact_agrees_with_a_scan() {
    let mut random = Random(3);
    for case in 0..120 {
        let space = one(&mut random, 1 + case % 2);
        let o = options([1.4e-4, 0.05, 1.0][case % 3]);
        let needed = needed_for_stick(&space);
        let out = solve(&space, o);
        let best = objective(&space, &o, &needed, &out.u_post);
        for i in 0..1500 {
            let beta = 10f64.powf(-4.0 + 12.0 * f64::from(i) / 1500.0);
            let (p, u) = opposed(&space, &[beta]).unwrap();
            if violation(&space, &o, &needed, &p, &u) <= 0.0 {
                let scanned = objective(&space, &o, &needed, &u);
                assert!(best <= scanned + 1e-10, "case {case}: {best} > {scanned}");
            }
        }
    }
}

/// In the plane with constant friction the answer is a closed form.
#[test]
fn planar_contact_in_closed_form() {
    let mut random = Random(4);
    for _ in 0..300 {
        let mut space = one(&mut random, 1);
        space.contacts[0].static_friction = space.contacts[0].friction;
        let out = solve(&space, options(1e-6));
        let c = &space.contacts[0];
        let (g, k) = (space.G[(1, 1)], space.G[(0, 1)]);
        let delta = -(1.0 + c.restitution) * space.u_pre[1];
        let free = space.u_pre[0] + k * delta / g;
        let sigma = space.G[(0, 0)] - k * k / g;
        let s = free.signum();
        let full = g - c.friction * k * s;
        let size = if full > 0.0 {
            (c.friction * delta / full).min(free.abs() / sigma)
        } else {
            free.abs() / sigma
        };
        assert!((out.impulses[0] + s * size).abs() < 1e-12 * out.impulses.amax());
    }
}

/// (R1) for one planar contact follows from (4.6): the cone is convex in x and holds the frictionless slip, so that a
/// cone without stick has no reversed slip either.
#[test]
fn r1_is_implied_for_one_planar_contact() {
    let mut random = Random(40);
    for _ in 0..60 {
        let space = one(&mut random, 1);
        let o = options(0.05);
        let needed = needed_for_stick(&space);
        let x = solve(&space, o).u_post[0];
        for i in -2000..2000 {
            let other = f64::from(i) * 1e-3 * space.velocity_scale;
            let p = impulses(&space, &DVector::from_element(1, other));
            let mu = karnopp(&space, 0, &o, needed[0]).coefficient(other.abs());
            let ok = p[1] >= 0.0 && p[0].abs() <= mu * p[1];
            assert!(!ok || other.abs() >= x.abs() - 1e-9);
        }
    }
}

/// (R1) matters with several contacts: (4.6) and (4.7) alone admit friction along the slip, closer to stick.
#[test]
fn r1_friction_along_the_slip_is_excluded() {
    let mut random = Random(41);
    let mut seen = 0;
    for _ in 0..60 {
        let space = several(&mut random, &[1, 1]);
        let o = options(1e-3);
        let needed = needed_for_stick(&space);
        let (out, best, released) = certified(&space, o);
        if released > 0 || best < 1e-6 {
            continue;
        }
        for c in &space.contacts {
            assert!(out.impulses[c.first] * out.u_post[c.first] <= 1e-9);
        }
        let mut without = f64::INFINITY;
        let (mut along, reach) = (false, best.sqrt());
        for i in -100..=100 {
            for j in -100..=100 {
                let x = DVector::from_vec(vec![f64::from(i), f64::from(j)]) * (reach / 100.0);
                let p = impulses(&space, &x);
                let mut u = space.u_pre.clone();
                (u[0], u[2]) = (x[0], x[1]);
                let ok = (0..2).all(|c| {
                    let mu = karnopp(&space, c, &o, needed[c]).coefficient(x[c].abs());
                    p[2 * c + 1] >= 0.0 && p[2 * c].abs() <= mu * p[2 * c + 1]
                });
                let f = objective(&space, &o, &needed, &u);
                if ok && f < without {
                    without = f;
                    along = (0..2).any(|c| p[2 * c] * x[c] > 1e-6);
                }
            }
        }
        if along && without < 0.999 * best {
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// A contact whose slip is tied to its normal velocity (one degree of freedom).
#[test]
fn tied_slip_takes_the_least_impulse() {
    let J = DMatrix::from_row_slice(2, 1, &[0.7, 1.0]);
    let space =
        space(&J * J.transpose(), &J * DVector::from_element(1, -2.0), &[(1, [0.5, 0.5], 0.5)]);
    let out = solve(&space, options(1e-4));
    assert!((out.u_post[1] - 1.0).abs() < 1e-15 && (out.u_post[0] - 0.7).abs() < 1e-15);
    assert_eq!(out.impulses[0], 0.0);
}
