//! The contact laws at the level of accelerations, on small systems with known answers and on
//! random ones against exhaustive search.
#![allow(non_snake_case)]

mod support;

use carom::contact::{
    ContactFailure, ContactForces, ContactSystem, Freedom, Press, SearchScratch, find_modes,
};
use nalgebra::DMatrix;
use support::Random;

struct Found {
    press: Vec<Press>,
    forces: ContactForces,
}

fn search(system: &ContactSystem, freedoms: &[Freedom]) -> Result<Found, ContactFailure> {
    let (mut press, mut forces) = (Vec::new(), ContactForces::default());
    find_modes(system, freedoms, &mut SearchScratch::default(), &mut press, &mut forces)?;
    Ok(Found { press, forces })
}

/// One planar contact: G over (tangent, normal), free accelerations, coefficients.
fn planar(G: [f64; 3], b: [f64; 2], mu: f64, mu_s: f64) -> ContactSystem {
    let mut system = ContactSystem::with_capacity(2);
    system.push(1, mu, mu_s, false);
    system.G.copy_from_slice(&[G[0], G[1], G[1], G[2]]);
    system.b.copy_from_slice(&b);
    system
}

#[test]
fn eq1_signorini() {
    let pressed =
        search(&planar([1.0, 0.0, 2.0], [0.0, -6.0], 0.3, 0.3), &[Freedom::Still]).unwrap();
    assert_eq!(pressed.press, [Press::Stick]);
    assert!((pressed.forces.lambda[1] - 3.0).abs() < 1e-15);
    let lifted = search(&planar([1.0, 0.0, 2.0], [0.0, 6.0], 0.3, 0.3), &[Freedom::Still]).unwrap();
    assert_eq!(lifted.press, [Press::Open]);
    assert_eq!(lifted.forces.lambda, [0.0, 0.0]);
}

#[test]
fn eq2_slip() {
    let system = planar([1.0, 0.2, 2.0], [1.0, -6.0], 0.3, 0.5);
    let found = search(&system, &[Freedom::Sliding([1.0, 0.0])]).unwrap();
    let normal = 6.0 / (2.0 - 0.3 * 0.2);
    assert!((found.forces.lambda[1] - normal).abs() < 1e-14);
    assert!((found.forces.lambda[0] + 0.3 * normal).abs() < 1e-14);
}

#[test]
fn eq3_stick_or_slip() {
    // Block on an incline: sticks up to tan α = μs, then slips with μd.
    for (slope, sticks) in [(0.59, true), (0.61, false)] {
        let system = planar([1.0, 0.0, 1.0], [slope * 9.0, -9.0], 0.4, 0.6);
        let found = search(&system, &[Freedom::Still]).unwrap();
        assert_eq!(found.press[0] == Press::Stick, sticks);
        if !sticks {
            assert_eq!(found.press[0], Press::Slip([1.0, 0.0]));
            assert!((found.forces.w[0] - (slope - 0.4) * 9.0).abs() < 1e-14);
        }
    }
}

#[test]
fn painleve_eq1_regular() {
    let system = planar([4.0, 2.0, 1.0], [0.0, -1.0], 0.4, 0.4);
    let found = search(&system, &[Freedom::Sliding([1.0, 0.0])]).unwrap();
    assert!((found.forces.lambda[1] - 1.0 / (1.0 - 0.4 * 2.0)).abs() < 1e-13);
}

#[test]
fn painleve_eq2_two() {
    // A = 1 − 0.8 × 2 < 0 and the contact would lift off by itself.
    let system = planar([4.0, 2.0, 1.0], [0.0, 1.0], 0.8, 0.8);
    let failure = search(&system, &[Freedom::Sliding([1.0, 0.0])]).err();
    assert_eq!(failure, Some(ContactFailure::Ambiguous { count: 2, contacts: 1 }));
}

#[test]
fn painleve_eq3_none() {
    let system = planar([4.0, 2.0, 1.0], [0.0, -1.0], 0.8, 0.8);
    let failure = search(&system, &[Freedom::Sliding([1.0, 0.0])]).err();
    assert_eq!(failure, Some(ContactFailure::NoSolution { contacts: 1 }));
}

/// A random mechanism of `n` coordinates with `nc` contacts, G = J M⁻¹ Jᵀ.
fn random_system(random: &mut Random, nc: usize, tangents: usize) -> (ContactSystem, Vec<Freedom>) {
    let rows = nc * (tangents + 1);
    let n = 1 + random.below(2 * rows);
    let J = DMatrix::from_fn(rows, n, |_, _| random.within(-1.0, 1.0));
    let mut system = ContactSystem::with_capacity(rows);
    let mut freedoms = Vec::new();
    for _ in 0..nc {
        // Friction low enough that paradoxes are rare.
        let mu = random.within(0.0, 0.25);
        system.push(tangents, mu, mu + random.within(0.0, 0.1), false);
        let angle = random.within(-3.0, 3.0);
        let direction = match tangents {
            1 => [angle.signum(), 0.0],
            _ => [angle.cos(), angle.sin()],
        };
        let still = random.unit() < 0.5;
        freedoms.push(if still { Freedom::Still } else { Freedom::Sliding(direction) });
    }
    system.G.copy_from(&(&J * J.transpose()));
    // Consistent with a mechanism: b = J a.
    let a = DMatrix::from_fn(n, 1, |_, _| random.within(-1.0, 1.0));
    system.b.copy_from_slice((J * a).as_slice());
    (system, freedoms)
}

/// Every law of the contact folder, checked from outside.
fn certify(system: &ContactSystem, freedoms: &[Freedom], found: &Found) {
    let force = found.forces.lambda.iter().fold(1e-300_f64, |s, l| s.max(l.abs()));
    let acceleration = system.acceleration_scale();
    for (i, c) in system.contacts.iter().enumerate() {
        let rows = c.first..c.normal();
        let (l_n, w_n) = (found.forces.lambda[c.normal()], found.forces.w[c.normal()]);
        assert!(l_n >= -1e-8 * force && w_n >= -1e-8 * acceleration);
        assert!((l_n * w_n).abs() <= 1e-7 * force * acceleration);
        let l_t = rows.clone().map(|r| found.forces.lambda[r]).fold(0.0, f64::hypot);
        let w_t = rows.clone().map(|r| found.forces.w[r]).fold(0.0, f64::hypot);
        match (found.press[i], freedoms[i]) {
            (Press::Open, _) => assert_eq!(l_t, 0.0),
            (Press::Stick, _) => {
                assert!(w_t <= 1e-7 * acceleration);
                assert!(l_t <= c.static_friction * l_n + 1e-8 * force);
            }
            (Press::Slip(d), freedom) => {
                assert!((l_t - c.friction * l_n).abs() <= 1e-8 * force);
                if let Freedom::Sliding(given) = freedom {
                    assert_eq!(d, given);
                } else {
                    let along: f64 = rows.clone().zip(d).map(|(r, d)| found.forces.w[r] * d).sum();
                    assert!((along - w_t).abs() <= 1e-6 * acceleration, "{along} {w_t}");
                }
            }
        }
    }
}

#[test]
fn random_systems_satisfy_every_law() {
    let mut solved = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let (nc, tangents) = (1 + random.below(4), 1 + random.below(2));
        let (system, freedoms) = random_system(&mut random, nc, tangents);
        match search(&system, &freedoms) {
            Ok(found) => {
                solved += 1;
                certify(&system, &freedoms, &found);
            }
            Err(failure) => assert!(!matches!(failure, ContactFailure::TooMany { .. })),
        }
    }
    println!("{solved} of 4000 solved");
    assert!(solved > 3600, "only {solved} of 4000 solved");
}

#[test]
fn two_corners_of_a_box_start_to_slip() {
    // A box that begins to fall over two of its corners, neither of which can stick: G and b of a
    // box of 0.3 × 0.2 × 0.1 m and 3.6 kg at the instant when two corners carry it.
    let G = [
        [
            0.972553749448815,
            -0.40652117263188403,
            -0.09161071027887965,
            0.2583610107475226,
            -0.7270240578210919,
            -0.36456106078389133,
        ],
        [
            -0.40652117263188403,
            0.6663351394400745,
            -0.40647089548122656,
            0.042206711409677744,
            0.8677073653208536,
            0.20175813260246794,
        ],
        [
            -0.09161071027887965,
            -0.40647089548122656,
            1.6944444444444444,
            -0.09161071027887965,
            -0.40647089548122656,
            0.36111111111111127,
        ],
        [
            0.2583610107475226,
            0.042206711409677744,
            -0.09161071027887965,
            0.3978818503623134,
            0.10481842561147081,
            -0.36456106078389133,
        ],
        [
            -0.7270240578210919,
            0.8677073653208536,
            -0.40647089548122656,
            0.10481842561147081,
            1.241007038526576,
            0.20175813260246794,
        ],
        [
            -0.36456106078389133,
            0.20175813260246794,
            0.36111111111111127,
            -0.36456106078389133,
            0.20175813260246794,
            1.6944444444444446,
        ],
    ];
    let mut system = ContactSystem::with_capacity(6);
    for _ in 0..2 {
        system.push(2, 0.5, 0.5, false);
    }
    for (i, row) in G.iter().enumerate() {
        for (j, g) in row.iter().enumerate() {
            system.G[(i, j)] = *g;
        }
    }
    system.b.copy_from_slice(&[0.0, 0.0, -9.81, 0.0, 0.0, -9.81]);
    let freedoms = [Freedom::Still; 2];
    certify(&system, &freedoms, &search(&system, &freedoms).unwrap());
}

#[test]
fn box_on_four_corners_shares_the_load() {
    // Four identical normals on one body with three degrees of freedom: heave, roll, pitch.
    let J = DMatrix::from_row_slice(
        4,
        3,
        &[1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0],
    );
    let mut system = ContactSystem::with_capacity(4);
    for _ in 0..4 {
        system.push(0, 0.0, 0.0, false);
    }
    system.G.copy_from(&(&J * J.transpose()));
    system.b.copy_from_slice(&[-9.81; 4]);
    let found = search(&system, &[Freedom::Still; 4]).unwrap();
    for lambda in &found.forces.lambda {
        assert!((lambda - 9.81 / 4.0).abs() < 1e-13);
    }
    assert!(found.forces.redundant);
}

/// Two corners of the edge of a box that tips over it, in space: the edge slides off, both corners
/// along one direction. To follow the acceleration round by round would diverge here.
#[test]
fn eq3_two_slips_start_together() {
    // A box of 0.3 × 0.2 × 0.1 m and 1 kg; corners at (−0.15, ∓0.1, −0.05) from its centre.
    let inertia = [0.05 / 12.0, 0.1 / 12.0, 0.13 / 12.0];
    let (axes, mu) = ([(0.3_f64).sin_cos(), (1.1_f64).sin_cos()], 0.5);
    let mut rows: Vec<[f64; 6]> = Vec::new();
    for (corner, (sin, cos)) in [-0.1, 0.1].iter().zip(axes) {
        let r = [-0.15, *corner, -0.05];
        for d in [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]] {
            let turn =
                [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
            rows.push([d[0], d[1], d[2], turn[0], turn[1], turn[2]]);
        }
    }
    let mut system = ContactSystem::with_capacity(6);
    for _ in 0..2 {
        system.push(2, mu, mu, false);
    }
    for i in 0..6 {
        for j in 0..6 {
            let weigh = |k: usize| if k < 3 { 1.0 } else { 1.0 / inertia[k - 3] };
            system.G[(i, j)] = (0..6).map(|k| rows[i][k] * rows[j][k] * weigh(k)).sum();
        }
        system.b[i] = -9.81 * rows[i][2];
    }
    let found = search(&system, &[Freedom::Still; 2]).unwrap();
    // By hand: N at the edge, friction μ N along ±x; the edge has no normal acceleration.
    // N (1 + 0.15²/I) − μ N · 0.15 · 0.05/I = g with I about the y axis.
    let normal = 9.81 / (1.0 + (0.15 * 0.15 - mu * 0.15 * 0.05) / inertia[1]);
    let [a, b] = [found.forces.lambda[2], found.forces.lambda[5]];
    assert!((a - 0.5 * normal).abs() < 1e-10 && (b - 0.5 * normal).abs() < 1e-10, "{a} {b}");
    for (press, (sin, cos)) in found.press.iter().zip(axes) {
        let Press::Slip(d) = press else { panic!("{press:?}") };
        let along = [d[0] * cos - d[1] * sin, d[0] * sin + d[1] * cos];
        assert!((along[0].abs() - 1.0).abs() < 1e-12 && along[1].abs() < 1e-10, "{along:?}");
    }
}
