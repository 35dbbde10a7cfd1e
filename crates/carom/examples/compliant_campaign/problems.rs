//! Random impacts.

use carom::impact::{ContactSpace, ImpactContact, ImpactProblem, Phase, Reduction};
use nalgebra::{DMatrix, DVector, Vector3};

use crate::random::Random;

/// What the contacts of a random mechanism are.
#[derive(Clone, Copy, PartialEq)]
pub enum Contacts {
    Planar,
    Spatial,
    Mixed,
}

/// 1 to `most` contacts on a mechanism with fewer coordinates than rows (G is singular) or more.
pub fn mechanism(rng: &mut Random, kind: Contacts, redundant: bool, most: usize) -> ContactSpace {
    let count = 1 + rng.below(most);
    let tangents: Vec<usize> = (0..count)
        .map(|_| match kind {
            Contacts::Planar => 1,
            Contacts::Spatial => 2,
            Contacts::Mixed => rng.below(3),
        })
        .collect();
    let rows: usize = tangents.iter().map(|t| t + 1).sum();
    let n = if redundant { 2 + rng.below(rows) } else { rows + 1 + rng.below(4) };
    let J = DMatrix::from_fn(rows, n, |_, _| rng.normal());
    let u = &J * DVector::from_fn(n, |_, _| rng.normal());
    let mut space = ContactSpace::default();
    space.resize(rows);
    let scale = DVector::from_fn(n, |_, _| rng.log(0.2, 5.0));
    let K = &J * DMatrix::from_diagonal(&scale);
    space.G = &K * K.transpose();
    space.G = (&space.G + space.G.transpose()) * 0.5;
    space.u_pre.copy_from(&u);
    if !redundant && rng.below(2) == 0 {
        // G is regular, so that every velocity is possible: some contacts touch or are at rest.
        space.u_pre.iter_mut().for_each(|u| *u *= f64::from(u8::from(rng.below(3) > 0)));
    }
    for t in &tangents {
        let mu = rng.friction();
        let mu_s = if rng.below(3) == 0 { mu * rng.uniform(1.0, 1.5) } else { mu };
        space.push_contact(*t, [mu, mu_s], rng.restitution(), rng.below(12) > 0);
    }
    space.contacts[0].phase = Phase::Touching;
    let n = space.contacts[0].normal();
    if space.u_pre[n] >= 0.0 {
        space.u_pre.neg_mut();
    }
    if space.u_pre[n] == 0.0 {
        space.u_pre[n] = if redundant { 0.0 } else { -1.0 };
    }
    space.classify();
    space
}

/// A box that lands on 2 to 4 corners of a face; in the plane on both corners of an edge.
pub fn landing(rng: &mut Random, planar: bool) -> ContactSpace {
    let size = Vector3::from_fn(|_, _| rng.uniform(0.1, 0.5));
    let corners: &[(f64, f64)] = match (planar, rng.below(3)) {
        (true, _) => &[(1.0, 0.0), (-1.0, 0.0)],
        (_, 0) => &[(1.0, 1.0), (-1.0, 1.0)],
        (_, 1) => &[(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)],
        _ => &[(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)],
    };
    let inertia = |a: f64, b: f64| (a * a + b * b) / 12.0;
    let mut M = DMatrix::identity(6, 6);
    M[(3, 3)] = inertia(size.y, size.z);
    M[(4, 4)] = inertia(size.x, size.z);
    M[(5, 5)] = inertia(size.x, size.y);
    let mu = rng.uniform(0.05, 1.2);
    let e = if rng.below(4) == 0 { 0.0 } else { rng.uniform(0.0, 1.0) };
    let contact = |x: f64, y: f64| {
        let r = Vector3::new(0.5 * x * size.x, 0.5 * y * size.y, -0.5 * size.z);
        let row = |d: Vector3<f64>| {
            let m = r.cross(&d);
            DVector::from_vec(vec![d.x, d.y, d.z, m.x, m.y, m.z])
        };
        let t = [row(Vector3::x()), row(Vector3::y())];
        let tangents = DMatrix::from_fn(if planar { 1 } else { 2 }, 6, |i, j| t[i][j]);
        ImpactContact {
            name: String::new(),
            tangents,
            normal: row(Vector3::z()),
            friction: mu,
            static_friction: mu,
            restitution: e,
            touching: true,
        }
    };
    let contacts = corners.iter().map(|(x, y)| contact(*x, *y)).collect();
    let velocity = landing_velocity(rng, planar);
    let bilateral = DMatrix::zeros(0, 6);
    reduced(&ImpactProblem { mass_matrix: M, velocity, contacts, bilateral })
}

/// Sometimes without sliding and yawing, sometimes flat.
fn landing_velocity(rng: &mut Random, planar: bool) -> DVector<f64> {
    let (rests, flat) = (rng.below(3) == 0, rng.below(3) == 0);
    let mut v = DVector::from_fn(6, |i, _| rng.normal() * if i < 3 { 1.0 } else { 4.0 });
    v[2] = -rng.uniform(0.2, 2.0);
    let mut still = |rows: &[usize], yes: bool| {
        if yes {
            rows.iter().for_each(|&i| v[i] = 0.0);
        }
    };
    still(&[0, 1, 5], rests);
    still(&[3, 4], flat);
    still(&[1, 3, 5], planar);
    v
}

/// Two spatial contacts of a random mechanism; both collide, or one touches.
pub fn pair(rng: &mut Random) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(6);
    let J = DMatrix::from_fn(6, 6, |_, _| rng.normal());
    space.G = &J * J.transpose();
    space.G = (&space.G + space.G.transpose()) * 0.5;
    space.u_pre.iter_mut().for_each(|u| *u = rng.normal());
    for _ in 0..2 {
        let mu = rng.uniform(0.05, 1.0);
        let mu_s = if rng.below(2) == 0 { mu } else { mu * rng.uniform(1.0, 1.3) };
        space.push_contact(2, [mu, mu_s], rng.uniform(0.0, 1.0), true);
    }
    space.u_pre[2] = -space.u_pre[2].abs();
    space.u_pre[5] = if rng.below(2) == 0 { -space.u_pre[5].abs() } else { 0.0 };
    space.classify();
    space
}

fn reduced(problem: &ImpactProblem) -> ContactSpace {
    let mut reduction = Reduction::default();
    match reduction.reduce(problem) {
        Ok(()) => reduction.space,
        Err(error) => unreachable!("the mass matrix is diagonal: {error}"),
    }
}
