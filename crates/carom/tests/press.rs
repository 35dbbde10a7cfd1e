//! Impacts without collision: one contact presses itself, others answer.
#![allow(non_snake_case)]

mod support;

use carom::impact::planar::{PlanarContact, planar_path};
use carom::impact::press::{press, press_together};
use carom::impact::{
    ContactSpace, Differential, ImpactLaw, ImpactSolution, ImpactWorkspace, Restitution,
};
use nalgebra::{DMatrix, DVector};
use support::Random;

/// G of Painlevé's rod at the angle θ, rows: tangent, normal (mass and half length 1).
fn rod(theta: f64) -> [f64; 3] {
    let (s, c) = theta.sin_cos();
    [1.0 + 3.0 * s * s, -3.0 * s * c, 1.0 + 3.0 * c * c]
}

fn contact([tt, tn, nn]: [f64; 3], slip: f64, friction: f64, e: f64) -> PlanarContact {
    PlanarContact {
        tt,
        tn,
        nn,
        u_t: slip,
        u_n: 0.0,
        friction,
        static_friction: friction,
        restitution: e,
    }
}

/// A space of contacts with these tangents each.
fn space(G: DMatrix<f64>, u: &[f64], tangents: &[usize], friction: f64, e: f64) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(u.len());
    space.G = G;
    space.u_pre = DVector::from_column_slice(u);
    for t in tangents {
        space.push_contact(*t, [friction, friction], e, true);
    }
    space.classify();
    space
}

fn pressed(space: &ContactSpace, contact: usize) -> Option<ImpactSolution> {
    let (mut space, mut work, mut out) =
        (space.clone(), ImpactWorkspace::new(), ImpactSolution::default());
    press(&mut space, contact, &mut work, &mut out).unwrap().then_some(out)
}

fn near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-11 * (1.0 + b.abs()), "{what}: {a} {b}");
}

/// Rod postures and frictions that jam, slipping to −x.
fn jams() -> impl Iterator<Item = (f64, f64, f64)> {
    let postures = [(1.107, 1.5), (1.2217, 1.8), (0.9, 2.5), (1.3, 4.0)];
    postures.into_iter().flat_map(|(theta, mu)| [0.0, 0.5, 1.0].map(|e| (theta, mu, e)))
}

#[test]
fn eq1_eq2_eq3_one_contact_in_the_plane_is_the_closed_form() {
    for (theta, mu, e) in jams() {
        let k = rod(theta);
        assert!(k[2] + mu * k[1] < 0.0, "A < 0");
        let path = planar_path(&contact(k, -2.0, mu, e), Restitution::Energetic).unwrap();
        let end = path.end();
        let G = DMatrix::from_row_slice(2, 2, &[k[0], k[1], k[1], k[2]]);
        let out = pressed(&space(G, &[-2.0, 0.0], &[1], mu, e), 0).unwrap();
        near(out.impulses[0], end.p_t, "tangent");
        near(out.impulses[1], end.p_n, "normal");
        near(out.u_post[1], end.u_n, "rebound");
        assert!(e == 0.0 || end.u_n > 0.0);
        near(out.normal_work, end.work_n, "normal work");
        // (3), by hand: restitution gives back e² of what compression took.
        let compressed = path.states().iter().map(|s| s.work_n).fold(0.0, f64::min);
        near(end.work_n, (1.0 - e * e) * compressed, "work");
    }
}

#[test]
fn eq1_eq2_eq3_one_contact_in_space_is_that_of_its_plane() {
    for (theta, mu, e) in jams() {
        let k = rod(theta);
        let end = *planar_path(&contact(k, -2.0, mu, e), Restitution::Energetic).unwrap().end();
        // The plane of the rod turned by φ about the normal; across it the rod is as mobile as a
        // thin rod is, 1 + 3 for the rotation about the axis in the plane.
        for phi in [0.0, 0.7, 2.0, -1.3] {
            let (s, c) = f64::sin_cos(phi);
            let R = DMatrix::from_row_slice(3, 3, &[c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]);
            let flat =
                DMatrix::from_row_slice(3, 3, &[k[0], 0.0, k[1], 0.0, 4.0, 0.0, k[1], 0.0, k[2]]);
            let G = &R * flat * R.transpose();
            let out = pressed(&space(G, &[-2.0 * c, -2.0 * s, 0.0], &[2], mu, e), 0).unwrap();
            near(c * out.impulses[0] + s * out.impulses[1], end.p_t, "along");
            near(c * out.impulses[1] - s * out.impulses[0], 0.0, "across");
            near(out.impulses[2], end.p_n, "normal");
            near(out.u_post[2], end.u_n, "rebound");
            near(out.friction_work, end.work_t, "friction work");
        }
    }
}

#[test]
fn a_contact_that_feels_nothing_changes_nothing() {
    for (theta, mu, e) in jams() {
        let k = rod(theta);
        let end = *planar_path(&contact(k, -2.0, mu, e), Restitution::Energetic).unwrap().end();
        // The rod's end, and a contact of another body: planar, and with two tangents.
        let mut G = DMatrix::zeros(4, 4);
        G.view_mut((0, 0), (2, 2)).copy_from_slice(&[k[0], k[1], k[1], k[2]]);
        G.view_mut((2, 2), (2, 2)).copy_from_slice(&[2.0, 0.3, 0.3, 1.0]);
        let out = pressed(&space(G, &[-2.0, 0.0, 1.0, 0.0], &[1, 1], mu, e), 0).unwrap();
        near(out.impulses[1], end.p_n, "planar");
        near(out.impulses[2].abs() + out.impulses[3].abs(), 0.0, "the other");
        let mut G = DMatrix::zeros(5, 5);
        G.view_mut((0, 0), (2, 2)).copy_from_slice(&[k[0], k[1], k[1], k[2]]);
        G.view_mut((2, 2), (3, 3)).fill_with_identity();
        let out = pressed(&space(G, &[-2.0, 0.0, 0.4, 0.3, 0.0], &[1, 2], mu, e), 0).unwrap();
        near(out.impulses[1], end.p_n, "spatial");
        near(out.u_post[1], end.u_n, "rebound");
    }
}

#[test]
fn without_the_paradox_nothing_happens() {
    // The other way, with less friction, and at rest.
    for (slip, mu) in [(2.0, 1.8), (-2.0, 1.0), (0.0, 1.8)] {
        let k = rod(1.2217);
        let G = DMatrix::from_row_slice(2, 2, &[k[0], k[1], k[1], k[2]]);
        let planar = pressed(&space(G, &[slip, 0.0], &[1], mu, 0.5), 0);
        assert!(planar.is_none(), "{slip} {mu}: {planar:?}");
        let G = DMatrix::from_row_slice(3, 3, &[k[0], 0.0, k[1], 0.0, 4.0, 0.0, k[1], 0.0, k[2]]);
        let spatial = pressed(&space(G, &[slip, 0.0, 0.0], &[2], mu, 0.5), 0);
        assert!(spatial.is_none(), "{slip} {mu}");
    }
}

/// A random mechanism of n degrees of freedom and contacts with these tangents: G = J Jᵀ.
fn random(rng: &mut Random, n: usize, tangents: &[usize]) -> DMatrix<f64> {
    let rows: usize = tangents.iter().map(|t| t + 1).sum();
    let J = DMatrix::from_fn(rows, n, |_, _| rng.within(-1.0, 1.0));
    &J * J.transpose()
}

/// The same by impacts with ever smaller approach, and the laws that every end must satisfy.
#[test]
fn eq2_it_is_the_limit_of_slow_impacts_and_never_gains_energy() {
    let mut rng = Random::new(20);
    let law = Differential { restitution: Restitution::Energetic };
    for tangents in [&[1, 1][..], &[1, 1, 1], &[2], &[2, 1], &[2, 2]] {
        let (mut found, mut tried) = (0, 0);
        while found < 12 && tried < 20_000 {
            tried += 1;
            let n = 3 * tangents.len() + 3;
            let G = random(&mut rng, n, tangents);
            let mut u: Vec<f64> = Vec::new();
            for t in tangents {
                u.extend((0..*t).map(|_| rng.within(-1.0, 1.0)));
                u.push(0.0);
            }
            let (mu, e) = (rng.within(1.0, 3.0), rng.within(0.0, 1.0));
            let space = space(G, &u, tangents, mu, e);
            let (mut own, mut work, mut out) =
                (space.clone(), ImpactWorkspace::new(), ImpactSolution::default());
            let Ok(true) = press(&mut own, 0, &mut work, &mut out) else { continue };
            let n0 = space.contacts[0].normal();
            let mut errors = Vec::new();
            for delta in [1e-4, 1e-6] {
                let mut slow = space.clone();
                slow.u_pre[n0] = -delta;
                slow.classify();
                let mut limit = ImpactSolution::default();
                if law.resolve(&slow, &mut work, &mut limit).is_ok() {
                    errors.push((&limit.impulses - &out.impulses).amax() / delta);
                }
            }
            // First order in δ, or order ½ where a stage is about to appear: the error falls at least tenfold with δ by
            // a hundred, so the limit is that of the press.
            let &[coarse, fine] = &errors[..] else { continue };
            if coarse > 1e3 {
                continue; // Nearly singular: another event within δ.
            }
            assert!(fine < 10.0 * coarse + 1.0, "{tangents:?}: {coarse} {fine}");
            check(&space, &out, mu);
            found += 1;
        }
        println!("{tangents:?}: {found} jams among {tried}");
        assert!(found >= 5, "{tangents:?}: {found} of {tried}");
    }
}

/// Momentum, unilaterality, friction cones, energy.
fn check(space: &ContactSpace, out: &ImpactSolution, mu: f64) {
    let mut u = DVector::zeros(space.rows());
    space.velocity_after(&out.impulses, &mut u);
    assert!((&u - &out.u_post).amax() < 1e-10);
    for c in &space.contacts {
        let p_t: f64 = c.tangent_rows().map(|i| out.impulses[i].powi(2)).sum::<f64>().sqrt();
        let p_n = out.impulses[c.normal()];
        assert!(p_n >= 0.0 && p_t <= mu * p_n * (1.0 + 1e-10) + 1e-12, "{p_t} {p_n}");
        assert!(out.u_post[c.normal()] > -1e-10);
    }
    let work = 0.5 * out.impulses.dot(&(&space.u_pre + &out.u_post));
    assert!((work - out.normal_work - out.friction_work).abs() < 1e-10);
    assert!(out.normal_work <= 1e-12 && out.friction_work <= 1e-12 && work < 0.0);
}

/// The edge of a plate: two corners at ±w beside the plane of the rod, each with half the impulse.
#[test]
fn eq4_corners_of_an_edge_share_the_impulse() {
    let (w, twist) = (0.3, 3.0);
    for (theta, mu, e) in jams() {
        let k = rod(theta);
        let end = *planar_path(&contact(k, -2.0, mu, e), Restitution::Energetic).unwrap().end();
        // Rows t₁, t₂, n of the corner at y = ±w: the mobility of the middle and of the turn about
        // the axis in the plane, which raises one corner and lowers the other, and pushes both along.
        let mut J = DMatrix::zeros(6, 5);
        let (tt, tn, nn) = (k[0].sqrt(), k[1] / k[0].sqrt(), k[2]);
        let rest = (nn - tn * tn).sqrt();
        for (i, y) in [w, -w].into_iter().enumerate() {
            let rows = [
                [tt, 0.0, 0.0, 0.0, -y * twist],
                [0.0, 0.0, 2.0, 0.0, 0.0],
                [tn, rest, 0.0, y * twist, 0.0],
            ];
            for (r, row) in rows.iter().enumerate() {
                J.row_mut(3 * i + r).copy_from_slice(row);
            }
        }
        let G = &J * J.transpose();
        let both = space(G.clone(), &[-2.0, 0.0, 0.0, -2.0, 0.0, 0.0], &[2, 2], mu, e);
        let (mut work, mut out) = (ImpactWorkspace::new(), ImpactSolution::default());
        assert!(press_together(&both, &[0, 1], &mut work, &mut out).unwrap());
        for c in &both.contacts {
            near(out.impulses[c.normal()], 0.5 * end.p_n, "normal");
            near(out.impulses[c.first], 0.5 * end.p_t, "tangent");
            near(out.u_post[c.normal()], end.u_n, "rebound");
        }
        near(out.normal_work, end.work_n, "work");
        check(&both, &out, mu);
        // Corners that slip differently, or whose coefficients differ, are not one.
        let turning = space(G.clone(), &[-2.0, 0.0, 0.0, -1.9, 0.0, 0.0], &[2, 2], mu, e);
        assert!(!press_together(&turning, &[0, 1], &mut work, &mut out).unwrap());
        let mut uneven = both.clone();
        uneven.contacts[1].friction *= 0.9;
        assert!(!press_together(&uneven, &[0, 1], &mut work, &mut out).unwrap());
        assert!(!press_together(&both, &[], &mut work, &mut out).unwrap());
    }
}
