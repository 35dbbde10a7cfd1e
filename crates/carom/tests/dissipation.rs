//! Dissipation principle: numbered equations, scans as independent checks, invariances, feasibility curves.
#![allow(non_snake_case)]

#[path = "support/random_impacts.rs"]
mod support;

use carom::impact::dissipation::{FeasibilityCurve, Karnopp, ObliqueBicycle};
use carom::impact::{
    ContactSpace, Dissipation, DissipationOptions, ImpactAnswer, ImpactError, ImpactLaw,
    ImpactProblem, ImpactSolution, ImpactWorkspace, Outcome, audit,
};
use nalgebra::{DMatrix, DVector};
use support::{Random, reduce, space};

fn solve(space: &ContactSpace, options: DissipationOptions) -> ImpactSolution {
    let mut out = ImpactSolution::default();
    Dissipation::new(options).resolve_certified(space, &mut out).unwrap();
    out
}

fn options(slip_speed: f64) -> DissipationOptions {
    DissipationOptions { slip_speed, ..DissipationOptions::default() }
}

/// Friction of contact i when stick needs `needed`.
fn karnopp(space: &ContactSpace, i: usize, o: &DissipationOptions, needed: f64) -> Karnopp {
    let c = &space.contacts[i];
    Karnopp {
        static_friction: c.static_friction,
        least: c.friction.min(needed),
        slip_speed: o.slip_speed,
        exponent: o.exponent,
    }
}

/// μ_f of every contact, by the plain inverse of G.
fn needed_for_stick(space: &ContactSpace) -> Vec<f64> {
    let p = impulses(space, &DVector::zeros(slips(space)));
    let contacts = space.contacts.iter();
    contacts
        .map(|c| {
            let p_t = p.rows(c.first, c.tangents).norm();
            let p_n = p[c.normal()];
            if p_n > 0.0 { p_t / p_n } else { f64::INFINITY }
        })
        .collect()
}

fn slips(space: &ContactSpace) -> usize {
    space.contacts.iter().map(|c| c.tangents).sum()
}

/// (4.8) written out: p = G⁻¹(u⁺ − u⁻).
fn impulses(space: &ContactSpace, x: &DVector<f64>) -> DVector<f64> {
    let mut change = -space.u_pre.clone();
    let mut k = 0;
    for c in &space.contacts {
        for i in c.tangent_rows() {
            change[i] += x[k];
            k += 1;
        }
        change[c.normal()] -= c.restitution * space.u_pre[c.normal()];
    }
    space.G.clone().lu().solve(&change).unwrap()
}

fn objective(
    space: &ContactSpace,
    o: &DissipationOptions,
    needed: &[f64],
    u: &DVector<f64>,
) -> f64 {
    let mut sum = 0.0;
    for (i, c) in space.contacts.iter().enumerate() {
        let speed = u.rows(c.first, c.tangents).norm();
        let mu = karnopp(space, i, o, needed[i]).coefficient(speed);
        sum += (c.static_friction - mu).powi(2) + (speed / o.velocity_unit).powi(2);
    }
    sum
}

/// Largest violation of (4.6), (4.7) and (R1), relative to the impulses.
fn violation(
    space: &ContactSpace,
    o: &DissipationOptions,
    needed: &[f64],
    p: &DVector<f64>,
    u: &DVector<f64>,
) -> f64 {
    let scale = p.amax();
    let mut worst = 0.0_f64;
    for (i, c) in space.contacts.iter().enumerate() {
        let (p_t, x) = (p.rows(c.first, c.tangents), u.rows(c.first, c.tangents));
        let p_n = p[c.normal()];
        let mu = karnopp(space, i, o, needed[i]).coefficient(x.norm());
        worst = worst.max(-p_n / scale);
        worst = worst.max((p_t.norm() - mu * p_n) / scale);
        if x.norm() > 1e-9 * space.velocity_scale {
            worst = worst.max((p_t.dot(&x) / x.norm()) / scale);
            worst = worst.max((p_t + x * (p_t.norm() / x.norm())).norm() / scale);
        }
    }
    worst
}

// ---------------------------------------------------------------- one contact

fn one(random: &mut Random, tangents: usize) -> ContactSpace {
    let n = 2 + tangents + random.below(4);
    reduce(&random.problem(n, &[tangents], 1.0))
}

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

/// The point with pₜ = −βx, by solving for all impulses at once.
fn opposed(space: &ContactSpace, beta: &[f64]) -> Option<(DVector<f64>, DVector<f64>)> {
    let m = space.rows();
    let mut A = DMatrix::zeros(m, m);
    let mut b = DVector::zeros(m);
    for (c, beta) in space.contacts.iter().zip(beta) {
        for i in c.tangent_rows() {
            // pₜ/(1+β) + β/(1+β) (u + G p) = 0
            let (w, f) = (1.0 / (1.0 + beta), beta / (1.0 + beta));
            for j in 0..m {
                A[(i, j)] = f * space.G[(i, j)];
            }
            A[(i, i)] += w;
            b[i] = -f * space.u_pre[i];
        }
        let n = c.normal();
        for j in 0..m {
            A[(n, j)] = space.G[(n, j)];
        }
        b[n] = -(1.0 + c.restitution) * space.u_pre[n];
    }
    let p = A.lu().solve(&b)?;
    let u = &space.u_pre + &space.G * &p;
    Some((p, u))
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

// ------------------------------------------------------------ several contacts

fn several(random: &mut Random, tangents: &[usize]) -> ContactSpace {
    let rows: usize = tangents.iter().map(|t| t + 1).sum();
    let n = rows + random.below(3);
    reduce(&random.problem(n, tangents, 0.5))
}

fn certified(space: &ContactSpace, o: DissipationOptions) -> (ImpactSolution, f64, usize) {
    let mut out = ImpactSolution::default();
    let c = Dissipation::new(o).resolve_certified(space, &mut out).unwrap();
    assert!(c.bound <= c.objective + 1e-12);
    // 1e-6 is the gap of the search with spatial contacts; a wide layer of smoothed friction may exhaust its regions.
    let gap = if c.regions > o.region_limit {
        assert!(o.slip_speed > 0.05);
        1e-3
    } else {
        1e-6
    };
    assert!(c.objective - c.bound <= 1.001 * gap * (1.0 + c.objective));
    (out, c.objective, c.released)
}

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

// ------------------------------------------------------------------ invariances

fn permuted(problem: &ImpactProblem) -> ImpactProblem {
    let mut other = problem.clone();
    other.contacts.reverse();
    other
}

fn answer(problem: &ImpactProblem, o: DissipationOptions) -> ImpactAnswer {
    let mut out = ImpactAnswer::default();
    Dissipation::new(o).resolve_problem(problem, &mut ImpactWorkspace::new(), &mut out).unwrap();
    out
}

#[test]
fn invariant_under_contact_order_units_and_coordinates() {
    let mut random = Random(10);
    for case in 0..60 {
        let shape: &[usize] = [&[1, 1][..], &[1], &[2], &[1, 1, 1]][case % 4];
        let problem = random.problem(9, shape, 0.5);
        let o = options(1.4e-4);
        let plain = answer(&problem, o);
        let size = plain.velocity.amax();
        let turned = answer(&permuted(&problem), o);
        assert!((&plain.velocity - turned.velocity).amax() < 1e-8 * size);

        // Seconds to milliseconds, kilograms to tonnes: velocities scale, so do the two parameters that are velocities.
        let mut scaled = problem.clone();
        scaled.velocity *= 1e-3;
        scaled.mass_matrix *= 1e3;
        let scaled_options =
            DissipationOptions { slip_speed: o.slip_speed * 1e-3, velocity_unit: 1e-3, ..o };
        let in_units = answer(&scaled, scaled_options);
        assert!((&plain.velocity - in_units.velocity * 1e3).amax() < 1e-8 * size);

        // q = T r: M → TᵀMT, J → JT, v → T⁻¹v.
        let T = random.matrix(9, 9) + DMatrix::identity(9, 9) * 3.0;
        let mut other = problem.clone();
        other.mass_matrix = T.transpose() * &problem.mass_matrix * &T;
        other.mass_matrix = (&other.mass_matrix + other.mass_matrix.transpose()) * 0.5;
        other.velocity = T.clone().lu().solve(&problem.velocity).unwrap();
        for c in &mut other.contacts {
            c.tangents = &c.tangents * &T;
            c.normal = T.transpose() * &c.normal;
        }
        let in_other = &T * answer(&other, o).velocity;
        assert!((&plain.velocity - in_other).amax() < 1e-7 * size, "case {case}");
    }
}

#[test]
fn invariant_under_the_tangent_basis() {
    let mut random = Random(11);
    for case in 0..16 {
        let shape: &[usize] = [&[2][..], &[2, 1]][case % 2];
        let problem = random.problem(8, shape, 0.5);
        let o = options(1.4e-4);
        let plain = answer(&problem, o);
        let mut turned = problem.clone();
        let (s, c) = (0.3 + 0.2 * case as f64).sin_cos();
        let R = DMatrix::from_row_slice(2, 2, &[c, s, -s, c]);
        turned.contacts[0].tangents = R * &problem.contacts[0].tangents;
        let other = answer(&turned, o);
        let miss = (&plain.velocity - other.velocity).amax() / plain.velocity.amax();
        let allowed = if shape.len() == 1 { 1e-11 } else { 1e-6 };
        assert!(miss < allowed, "case {case}: {miss:e}");
    }
}

#[test]
fn same_problem_same_bits() {
    let mut random = Random(12);
    for shape in [&[1, 1][..], &[2, 2], &[2]] {
        let problem = random.problem(9, shape, 0.5);
        let (a, b) = (answer(&problem, options(1e-4)), answer(&problem, options(1e-4)));
        assert_eq!(a.velocity, b.velocity);
    }
}

// ----------------------------------------------------------------- input errors

#[test]
fn bad_parameters_are_named() {
    let space = one(&mut Random(13), 1);
    for (o, name) in [
        (options(0.0), "slip_speed"),
        (DissipationOptions { exponent: f64::NAN, ..options(1.0) }, "exponent"),
        (DissipationOptions { energy_limit: Some(-0.1), ..options(1.0) }, "energy_limit"),
    ] {
        let error = Dissipation::new(o)
            .resolve_certified(&space, &mut ImpactSolution::default())
            .unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn nothing_approaches() {
    let mut space = one(&mut Random(14), 1);
    space.u_pre *= -1.0;
    space.classify();
    let error = Dissipation::default()
        .resolve_certified(&space, &mut ImpactSolution::default())
        .unwrap_err();
    assert!(matches!(error, ImpactError::NoApproach { .. }));
}

// ----------------------------------------------------------- feasibility curves

#[test]
fn feasibility_eq1_eq2() {
    let mut random = Random(15);
    for _ in 0..100 {
        let space = one(&mut random, 1);
        let curve = FeasibilityCurve::new(&space, 0).unwrap();
        for x in [-2.0, -0.3, 0.0, 0.7, 5.0] {
            let p = impulses(&space, &DVector::from_element(1, x));
            let point = curve.at(x);
            assert!((point.tangent_impulse - p[0]).abs() < 1e-9 * p.amax());
            assert!((point.normal_impulse - p[1]).abs() < 1e-9 * p.amax());
            // (4.2), by the impulses of the point itself
            let ratio = point.tangent_impulse.abs() / point.normal_impulse.abs();
            assert!((point.friction - ratio).abs() <= 1e-12 * ratio);
        }
    }
}

#[test]
fn feasibility_eq3_pole_and_limit() {
    let mut random = Random(16);
    for _ in 0..100 {
        let space = one(&mut random, 1);
        let curve = FeasibilityCurve::new(&space, 0).unwrap();
        let pole = curve.pole().unwrap();
        let at = curve.at(pole);
        assert!(at.normal_impulse.abs() < 1e-9 * at.tangent_impulse.abs());
        for far in [1e9, -1e9] {
            let ratio = curve.at(far).friction / curve.limit();
            assert!((ratio - 1.0).abs() < 1e-5);
        }
        let branches = curve.branches(pole - 1.0, pole + 2.0, 50);
        assert_eq!(branches.len(), 2);
        for branch in &branches {
            let sign = branch[0].normal_impulse > 0.0;
            assert!(branch.iter().all(|p| (p.normal_impulse > 0.0) == sign));
            assert!(branch.windows(2).all(|p| p[0].slip < p[1].slip));
            assert!(branch.iter().all(|p| p.friction.is_finite()));
            // Within 1e-6 of the range (3 wide) of the pole μ is the limit times (pole − x*)/distance.
            let top = branch.iter().fold(0.0_f64, |s, p| s.max(p.friction));
            let reach = (pole - curve.frictionless_slip()).abs() / 3e-6;
            assert!((top / (curve.limit() * reach) - 1.0).abs() < 1e-3 + 2.0 / reach);
        }
        let stick = curve.at(0.0);
        assert_eq!(
            curve.needed_for_stick(),
            (stick.normal_impulse >= 0.0).then_some(stick.friction)
        );
    }
}

#[test]
fn feasibility_eq4_interval() {
    let mut random = Random(17);
    for _ in 0..200 {
        let space = one(&mut random, 1);
        let curve = FeasibilityCurve::new(&space, 0).unwrap();
        let mu = random.range(0.05, 3.0);
        let [low, high] = curve.slips(mu);
        let inside = |x: f64| {
            let p = curve.at(x);
            p.normal_impulse >= 0.0 && p.tangent_impulse.abs() <= mu * p.normal_impulse
        };
        for i in -200..200 {
            let x = curve.frictionless_slip() + f64::from(i) * 0.05;
            let margin = (x - low).abs().min((x - high).abs());
            if margin > 1e-6 {
                assert_eq!(inside(x), x > low && x < high);
            }
        }
    }
}

/// The postures of figures 4.2–4.5, and what the text says of them.
#[test]
fn bicycle_postures_of_figures_4_2_to_4_5() {
    let curve = |degrees: f64, e: f64| {
        let bicycle = ObliqueBicycle::new(degrees.to_radians(), e);
        let space = reduce(&bicycle.problem().unwrap());
        FeasibilityCurve::new(&space, 0).unwrap()
    };
    // α = 0: a friction cone, symmetric, everything feasible, no pole; μs = 0.5 is feasible for stick.
    let flat = curve(0.0, 0.5);
    assert_eq!(flat.limit(), f64::INFINITY);
    assert!((flat.at(1.0).friction - flat.at(-1.0).friction).abs() < 1e-12);
    assert!(flat.branches(-5.0, 5.0, 11)[0].iter().all(|p| p.normal_impulse > 0.0));
    assert!(flat.needed_for_stick().unwrap() < 0.5);
    // α = 15°: both sides approach 1.5.
    let tilted = curve(15.0, 0.5);
    assert!((tilted.limit() - 1.5011).abs() < 5e-5);
    assert!(tilted.needed_for_stick().unwrap() < 0.5);
    // The curves acquire an asymptote, and it comes closer as α grows; the limit falls.
    let poles = [15.0, 30.0, 45.0].map(|a| curve(a, 0.5).pole().unwrap().abs());
    assert!(poles[0] > poles[1]);
    let limits = [15.0, 30.0, 45.0].map(|a| curve(a, 0.5).limit());
    assert!(limits[0] > limits[1] && limits[1] > limits[2]);
    // The infeasible region moves out with the restitution.
    let near = curve(15.0, 0.0).pole().unwrap().abs();
    assert!(curve(15.0, 1.0).pole().unwrap().abs() > near);
}
