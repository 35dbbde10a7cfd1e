//! A short step of first order that needs no modes: it carries a path over an instant where they are undecided, and
//! closes a path that has become too long.
//!
//! ```text
//! δ⁺ = max(0, δ − χ h uₙ),   F = k (δ⁺)^η                                        (1)
//! u⁺ = u + h G ṗ,  ṗₙ = F,  ṗₜ opposes uₜ⁺ within ‖ṗₜ‖ ≤ μ F                      (2)
//! ```
//! (2) is a convex problem in ṗₜ and always has a solution.

use super::disks::Disks;
use super::system::{Normal, State, System};

/// Scratch of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct March {
    disks: Disks,
    at: Vec<usize>,
    rate: Vec<f64>,
    change: Vec<f64>,
}

impl March {
    /// One step h; works are those of the mean velocity, so that they add up to the change of energy exactly.
    pub fn step(&mut self, system: &System, state: &mut State, h: f64) {
        let m = system.rows();
        for x in [&mut self.rate, &mut self.change] {
            x.clear();
            x.resize(m, 0.0);
        }
        self.disks.clear();
        self.at.clear();
        for (i, site) in system.sites.iter().enumerate() {
            if state.normal[i] == Normal::Open {
                continue;
            }
            let change = state.give(site, i) * h * state.u[site.normal()];
            state.delta[i] = (state.delta[i] - change).max(0.0);
            let force = system.force(i, state.delta[i]);
            self.rate[site.normal()] = force;
            if site.tangents > 0 && site.mu_d > 0.0 && force > 0.0 {
                self.at.push(i);
                self.disks.push(site.tangents, site.mu_d * force);
            }
        }
        self.friction(system, state, h);
        system.multiply(&self.rate, &mut self.change);
        for (i, site) in system.sites.iter().enumerate() {
            let power = |r: usize| self.rate[r] * (state.u[r] + 0.5 * h * self.change[r]);
            let tangential: f64 = site.tangent_rows().map(power).sum();
            state.normal_work[i] += h * power(site.normal());
            state.friction_work[i] += h * tangential;
        }
        for r in 0..m {
            state.u[r] += h * self.change[r];
            state.p[r] += h * self.rate[r];
        }
        update(system, state);
    }

    /// (2).
    fn friction(&mut self, system: &System, state: &State, h: f64) {
        system.multiply(&self.rate, &mut self.change);
        self.disks.allocate();
        let n = self.disks.rows();
        for (a, &i) in self.at.iter().enumerate() {
            let (site, first) = (&system.sites[i], self.disks.disks[a].first);
            for (x, r) in site.tangent_rows().enumerate() {
                self.disks.b[first + x] = self.change[r] + state.u[r] / h;
                for (b, &j) in self.at.iter().enumerate() {
                    let column = self.disks.disks[b].first;
                    for (y, c) in system.sites[j].tangent_rows().enumerate() {
                        self.disks.matrix[(first + x) * n + column + y] = system.G[(r, c)];
                    }
                }
            }
        }
        self.disks.soften();
        self.disks.solve();
        for (a, &i) in self.at.iter().enumerate() {
            let first = self.disks.disks[a].first;
            for (x, r) in system.sites[i].tangent_rows().enumerate() {
                self.rate[r] = self.disks.p[first + x];
            }
        }
    }
}

/// Normal modes from the signs of uₙ and δ.
fn update(system: &System, state: &mut State) {
    for (i, site) in system.sites.iter().enumerate() {
        let u_n = state.u[site.normal()];
        let released = state.delta[i] <= 0.0 && u_n >= 0.0;
        let drops = site.e == 0.0 && u_n >= 0.0;
        state.normal[i] = match state.normal[i] {
            Normal::Open if u_n < -super::events::ZERO => Normal::Loading,
            Normal::Open => Normal::Open,
            _ if released || drops => {
                state.delta[i] = 0.0;
                Normal::Open
            }
            _ if u_n < 0.0 => Normal::Loading,
            _ => Normal::Unloading,
        };
    }
}
