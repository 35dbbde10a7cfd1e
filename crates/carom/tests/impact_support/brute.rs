//! Brute-force integration in impulse space, independent of the laws: small steps, no events, no modes.

use carom::impact::{ContactSpace, ImpactSolution, Phase, Restitution};

/// End state of one planar contact after explicit steps of the normal impulse.
pub struct Brute {
    pub p: Vec<f64>,
    pub u: Vec<f64>,
    pub normal_work: f64,
    pub friction_work: f64,
}

/// Follows several planar contacts, one of them colliding, with implicit steps: each step adds `step` of normal impulse
/// at the colliding contact and solves the other contacts and all friction by projected Gauss–Seidel on u = u + G dp.
/// Stick and slip come out of the projection, so μs = μd only. None if Gauss–Seidel does not converge.
pub fn integrate(space: &ContactSpace, definition: Restitution, step: f64) -> Option<Brute> {
    let c = space.colliding().next()?;
    let normal = space.contacts[c].normal();
    let (e, u_pre) = (space.contacts[c].restitution, space.u_pre[normal]);
    let mut b = Brute {
        p: vec![0.0; space.rows()],
        u: space.u_pre.as_slice().to_vec(),
        normal_work: 0.0,
        friction_work: 0.0,
    };
    let mut dp = vec![0.0; space.rows()];
    let (mut compression, mut work, mut work_c) = (None, 0.0, 0.0);
    for _ in 0..10_000_000 {
        let before = b.u.clone();
        if !relax(space, c, step, &before, &mut dp, &mut b.u) {
            return None;
        }
        for (k, contact) in space.contacts.iter().enumerate() {
            for i in contact.rows() {
                let dw = 0.5 * dp[i] * (before[i] + b.u[i]);
                b.p[i] += dp[i];
                if i == contact.normal() {
                    b.normal_work += dw;
                    work += if k == c { dw } else { 0.0 };
                } else {
                    b.friction_work += dw;
                }
            }
        }
        if compression.is_none() && b.u[normal] >= 0.0 {
            (compression, work_c) = (Some(b.p[normal]), work);
        }
        if let Some(p_c) = compression {
            let done = match definition {
                Restitution::Kinematic => b.u[normal] >= -e * u_pre,
                Restitution::Kinetic => b.p[normal] >= (1.0 + e) * p_c,
                Restitution::Energetic => work >= (1.0 - e * e) * work_c,
            };
            if done {
                return Some(b);
            }
        }
    }
    None
}

/// One implicit step; `dp` is the warm start. False if it does not converge.
fn relax(
    space: &ContactSpace,
    driven: usize,
    step: f64,
    before: &[f64],
    dp: &mut [f64],
    u: &mut [f64],
) -> bool {
    dp[space.contacts[driven].normal()] = step;
    u.copy_from_slice(before);
    for (i, u_i) in u.iter_mut().enumerate() {
        *u_i += (0..dp.len()).map(|j| space.G[(i, j)] * dp[j]).sum::<f64>();
    }
    for _ in 0..5000 {
        let mut change = 0.0_f64;
        for (k, c) in space.contacts.iter().enumerate() {
            if c.phase == Phase::Apart {
                continue;
            }
            let n = c.normal();
            if k != driven {
                let next = (dp[n] - u[n] / space.G[(n, n)]).max(0.0);
                change = change.max(shift(space, n, next, dp, u));
            }
            for t in c.tangent_rows() {
                let bound = c.friction * dp[n];
                let next = (dp[t] - u[t] / space.G[(t, t)]).clamp(-bound, bound);
                change = change.max(shift(space, t, next, dp, u));
            }
        }
        if change <= 1e-11 * step {
            return true;
        }
    }
    false
}

fn shift(space: &ContactSpace, row: usize, next: f64, dp: &mut [f64], u: &mut [f64]) -> f64 {
    let delta = next - dp[row];
    dp[row] = next;
    for (i, u_i) in u.iter_mut().enumerate() {
        *u_i += space.G[(i, row)] * delta;
    }
    delta.abs()
}

/// What `impulse` of delay in locating events can change: velocities by G times it, works by the velocity times it.
pub struct Limits {
    velocity: f64,
    work: f64,
}

impl Limits {
    pub fn new(space: &ContactSpace, solution: &ImpactSolution, impulse: f64) -> Self {
        let row = |i: usize| space.G.row(i).iter().map(|g| g.abs()).sum::<f64>();
        let largest = (0..space.rows()).map(row).fold(0.0, f64::max);
        // Impulses of the other contacts grow along, at most in the proportion of the whole impact.
        let driven = space.colliding().next().map_or(0, |c| space.contacts[c].normal());
        let share = solution.impulses.amax() / solution.impulses[driven];
        let u = solution.u_post.amax().max(space.velocity_scale);
        Self {
            velocity: largest * share * impulse,
            work: (space.rows() as f64) * u * share * impulse,
        }
    }

    pub fn check(&self, solution: &ImpactSolution, brute: &Brute) {
        for (a, b) in solution.u_post.iter().zip(&brute.u) {
            assert!((a - b).abs() <= self.velocity, "{a} {b}, allowed {}", self.velocity);
        }
        for (a, b) in [
            (solution.normal_work, brute.normal_work),
            (solution.friction_work, brute.friction_work),
        ] {
            assert!((a - b).abs() <= self.work, "{a} {b}, allowed {}", self.work);
        }
    }
}
