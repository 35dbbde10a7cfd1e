//! An independent march of first order: no modes, no events, no directions.
//!
//! Forces by explicit steps of (1) and (2), friction against the slip at the end of each step by projected
//! Gauss–Seidel.

use carom::impact::{ContactSpace, Phase};

use super::problems::{Random, random, solve};
use nalgebra::DVector;

pub struct Marched {
    pub u: DVector<f64>,
    pub normal_work: f64,
    pub friction_work: f64,
}

/// Follows the path with steps of `h` in units of 1/√(kG), all stiffnesses 1. None if that does not end: contacts with
/// e = 0 that are pressed may exchange the error of a step for ever.
pub fn march(space: &ContactSpace, h: f64) -> Option<Marched> {
    let g = space.contacts.iter().map(|c| space.G[(c.normal(), c.normal())]).fold(0.0, f64::max);
    let h = h / g.sqrt();
    let mut out = Marched { u: space.u_pre.clone(), normal_work: 0.0, friction_work: 0.0 };
    let mut force = vec![0.0_f64; space.contacts.len()];
    let mut rate = DVector::zeros(space.rows());
    for _ in 0..200_000 {
        let mut ends = true;
        for (k, c) in space.contacts.iter().enumerate() {
            let (e, u_n) = (c.restitution, out.u[c.normal()]);
            if c.phase == Phase::Apart {
                continue;
            }
            force[k] = match u_n {
                u if u < 0.0 => force[k] - h * u,
                _ if e == 0.0 => 0.0,
                u => (force[k] - h * u / (e * e)).max(0.0),
            };
            rate[c.normal()] = force[k];
            ends &= force[k] == 0.0 && u_n >= -1e-9 * space.velocity_scale;
        }
        if ends {
            return Some(out);
        }
        friction(space, &out.u, &force, h, &mut rate);
        let change = &space.G * &rate * h;
        for c in &space.contacts {
            let work = |i: usize| h * rate[i] * (out.u[i] + 0.5 * change[i]);
            out.normal_work += work(c.normal());
            out.friction_work += c.tangent_rows().map(work).sum::<f64>();
        }
        out.u += change;
    }
    None
}

fn friction(
    space: &ContactSpace,
    u: &DVector<f64>,
    force: &[f64],
    h: f64,
    rate: &mut DVector<f64>,
) {
    for _ in 0..2000 {
        let mut change = 0.0_f64;
        for (k, c) in space.contacts.iter().enumerate() {
            let bound = c.friction * force[k];
            let rows = c.tangent_rows();
            let trace: f64 = rows.clone().map(|i| space.G[(i, i)]).sum();
            let mut next: Vec<f64> = rows
                .clone()
                .map(|i| rate[i] - (u[i] / h + space.G.row(i).tr_dot(rate)) / trace)
                .collect();
            let size = next.iter().fold(0.0_f64, |s, x| s.hypot(*x));
            if size > bound {
                next.iter_mut().for_each(|x| *x *= bound / size);
            }
            for (i, x) in rows.zip(next) {
                change = change.max((x - rate[i]).abs());
                rate[i] = x;
            }
        }
        if change <= 1e-12 * force.iter().sum::<f64>() {
            return;
        }
    }
}

/// The law against two marches: their difference estimates the error of the finer one, which is of first order.
#[test]
fn eq1_to_eq5_march_converges() {
    let mut rng = Random(71);
    let (mut compared, mut converged) = (0, 0);
    for round in 0..60 {
        let tangents: Vec<usize> = (0..1 + round % 3).map(|_| rng.below(3)).collect();
        let rows: usize = tangents.iter().map(|t| t + 1).sum();
        let space = random(&mut rng, rows + 1, &tangents, 1.5);
        let out = solve(&space);
        let (Some(coarse), Some(fine)) = (march(&space, 4e-3), march(&space, 1e-3)) else {
            continue;
        };
        let scale = out.u_post.amax().max(space.velocity_scale);
        let error = |m: &Marched| (&m.u - &out.u_post).amax() / scale;
        let estimate = (&coarse.u - &fine.u).amax() / scale;
        compared += 1;
        // A march that takes another branch is no estimate; refining must bring it nearer all the same.
        assert!(error(&fine) <= 3.0 * estimate + 2e-3, "{round}: {} {estimate}", error(&fine));
        converged += usize::from(error(&fine) < 0.5 * error(&coarse) + 1e-4);
        let energy =
            scale * scale / space.G[(space.contacts[0].normal(), space.contacts[0].normal())];
        assert!((fine.normal_work - out.normal_work).abs() <= 0.1 * energy);
        assert!((fine.friction_work - out.friction_work).abs() <= 0.1 * energy);
    }
    assert!(compared >= 50 && converged * 10 >= compared * 9, "{converged} of {compared}");
}

/// Works of a march and of the law agree where the velocities do.
#[test]
fn eq7_works_agree_with_the_march() {
    let mut rng = Random(72);
    for _ in 0..10 {
        let space = random(&mut rng, 7, &[2, 2], 0.8);
        let out = solve(&space);
        let Some(fine) = march(&space, 5e-4) else {
            continue;
        };
        let scale = out.u_post.amax().max(space.velocity_scale);
        if (&fine.u - &out.u_post).amax() < 2e-3 * scale {
            let energy: f64 = out.impulses.iter().map(|p| p.abs()).sum::<f64>() * scale;
            assert!((fine.friction_work - out.friction_work).abs() <= 5e-3 * energy);
            assert!((fine.normal_work - out.normal_work).abs() <= 5e-3 * energy);
        }
    }
}
