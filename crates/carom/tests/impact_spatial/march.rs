//! An independent check of several contacts: implicit marching in impulse space.
//!
//! The driving contact gets its normal impulse in small equal parts; each part is an implicit step,
//! u₊ = u + G Δp with 0 ≤ Δpₙ ⟂ uₙ₊ ≥ 0 at touching contacts and friction against the *new* slip, solved by projected
//! Gauss–Seidel. No modes, no events, no directions: whatever sticks, slips, leaves or returns does so by itself.

use carom::impact::ContactSpace;
use nalgebra::DVector;

pub struct Marched {
    pub u: DVector<f64>,
    pub work: f64,
}

/// Follows the path to the normal impulse `end` of contact 0; all contacts need μs = μd.
pub fn march(space: &ContactSpace, end: f64, steps: usize) -> Marched {
    let m = space.rows();
    let (mut u, mut work) = (space.u_pre.clone(), 0.0);
    let mut dp = DVector::zeros(m);
    let part = end / steps as f64;
    for _ in 0..steps {
        let before = u.clone();
        sweep(space, &before, part, &mut dp);
        u = &before + &space.G * &dp;
        work += 0.5
            * dp[space.contacts[0].normal()]
            * (before[space.contacts[0].normal()] + u[space.contacts[0].normal()]);
    }
    Marched { u, work }
}

fn sweep(space: &ContactSpace, before: &DVector<f64>, part: f64, dp: &mut DVector<f64>) {
    let G = &space.G;
    for _ in 0..400 {
        let mut change = 0.0_f64;
        for (k, c) in space.contacts.iter().enumerate() {
            let n = c.normal();
            let velocity = |dp: &DVector<f64>, i: usize| {
                before[i] + G.row(i).iter().zip(dp.iter()).map(|(g, p)| g * p).sum::<f64>()
            };
            let new = if k == 0 { part } else { (dp[n] - velocity(dp, n) / G[(n, n)]).max(0.0) };
            change = change.max((new - dp[n]).abs());
            dp[n] = new;
            let rows: Vec<usize> = c.tangent_rows().collect();
            if rows.is_empty() {
                continue;
            }
            // pₜ ← projection of pₜ − uₜ/ρ onto the disk of radius μpₙ: its fixed point opposes the new slip.
            let rho: f64 = rows.iter().map(|i| G[(*i, *i)]).sum();
            let mut t: Vec<f64> = rows.iter().map(|i| dp[*i] - velocity(dp, *i) / rho).collect();
            let norm = t.iter().fold(0.0_f64, |s, x| s.hypot(*x));
            let bound = c.friction * dp[n];
            if norm > bound {
                t.iter_mut().for_each(|x| *x *= bound / norm);
            }
            for (i, x) in rows.iter().zip(t) {
                change = change.max((x - dp[*i]).abs());
                dp[*i] = x;
            }
        }
        if change < 1e-13 * part {
            break;
        }
    }
}

/// The finer of two step sizes, and their differences in velocity and work: the method is of first order, so those
/// estimate its errors.
pub fn estimated(space: &ContactSpace, end: f64, steps: usize) -> (Marched, f64, f64) {
    let (a, b) = (march(space, end, steps), march(space, end, 2 * steps));
    let errors = ((&a.u - &b.u).amax(), (a.work - b.work).abs());
    (b, errors.0, errors.1)
}
