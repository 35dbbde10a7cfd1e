//! The modes of friction at one instant.
//!
//! A contact that slips goes on slipping. The contacts at rest share one convex problem ([`disks`](super::disks)), with
//! their normal forces and the friction of the slipping ones as data:
//! ```text
//! limits μs F;  whoever accelerates gets the limit μd F, until nobody else does            (1)
//! ```
//! (1) ends because contacts only ever change from μs to μd. A contact whose force is still zero gets the force that it
//! will have a moment later, δ = −uₙ dt.
//!
//! Where rows of contacts that stay at rest are redundant, their friction is not unique. It is taken from disks s times
//! as large:
//! ```text
//! ‖pᵢ‖ ≤ s μs F,  A p + b = 0,  s the least of 1 − 2⁻ⁿ that can be solved                   (2)
//! ```
//! so that what rests is at its limit only where it must be.

use super::disks::Disks;
use super::events::ZERO;
use super::hold::Hold;
use super::series::frequency;
use super::system::{Normal, State, System, Tangent, fixed_friction};
use crate::numeric::thresholds::compliant::{INSIDE, MOMENT, NOISE, STILL};

/// Slip below this fraction of the velocity scale is rest.
pub(super) const REST: f64 = crate::numeric::thresholds::compliant::REST;

/// Scratch of the decision.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    pub disks: Disks,
    /// Sites of the disks.
    at: Vec<usize>,
    modes: Vec<Tangent>,
    friction: Vec<f64>,
    force: Vec<f64>,
    rate: Vec<f64>,
    accelerations: Vec<f64>,
    /// Sum of the sizes of the terms of each acceleration.
    sizes: Vec<f64>,
}

impl Decision {
    /// Sets the friction modes. `pressed` is a contact at rest whose friction has just reached its limit.
    pub fn decide(
        &mut self,
        system: &System,
        state: &mut State,
        hold: &mut Hold,
        pressed: Option<usize>,
    ) {
        release(system, state);
        self.forces(system, state);
        self.at.clear();
        self.disks.clear();
        for i in 0..system.sites.len() {
            let site = &system.sites[i];
            state.tangent[i] = Tangent::Free;
            if state.normal[i] == Normal::Open || site.tangents == 0 || site.mu_s == 0.0 {
                continue;
            }
            let speed = state.speed(site);
            if speed <= REST {
                site.tangent_rows().for_each(|r| state.u[r] = 0.0);
                state.tangent[i] = Tangent::Hold;
                self.at.push(i);
                self.disks.push(site.tangents, site.mu_s * self.force[i]);
            } else if site.tangents == 1 {
                state.tangent[i] = Tangent::Slip([-state.u[site.first].signum(), 0.0]);
            } else {
                state.heading[i] = [state.u[site.first] / speed, state.u[site.first + 1] / speed];
                state.tangent[i] = Tangent::Turn;
            }
        }
        if !self.at.is_empty() {
            self.load(system, state);
            self.resolve(system);
            self.classify(system, state, pressed);
        }
        hold.factor(system, state, &self.force);
        if !self.at.is_empty() {
            self.share(system, state, hold);
        }
    }

    /// Normal forces now, or a moment later where they are zero.
    fn forces(&mut self, system: &System, state: &State) {
        self.force.clear();
        for (i, site) in system.sites.iter().enumerate() {
            let soon = (-state.u[site.normal()]).max(ZERO) * MOMENT;
            let delta = if state.delta[i] > 0.0 { state.delta[i] } else { soon };
            let open = state.normal[i] == Normal::Open;
            self.force.push(if open { 0.0 } else { system.force(i, delta) });
        }
    }

    /// The convex problem: rows at rest, driven by normal forces and by the friction of contacts that slip.
    fn load(&mut self, system: &System, state: &State) {
        let m = system.rows();
        for x in [&mut self.rate, &mut self.accelerations, &mut self.sizes] {
            x.clear();
            x.resize(m, 0.0);
        }
        self.drive(system, state);
        system.multiply(&self.rate, &mut self.accelerations);
        for (j, x) in self.rate.iter().enumerate() {
            for (s, g) in self.sizes.iter_mut().zip(system.G.column(j).iter()) {
                *s += (g * x).abs();
            }
        }
        self.disks.allocate();
        self.fill(system);
        self.disks.soften();
    }

    /// Rates of normal impulses and of friction with a known direction.
    fn drive(&mut self, system: &System, state: &State) {
        for (i, site) in system.sites.iter().enumerate() {
            self.rate[site.normal()] = self.force[i];
            let friction = match state.tangent[i] {
                Tangent::Turn => {
                    let h = state.heading[i];
                    [-site.mu_d * h[0], -site.mu_d * h[1]]
                }
                other => fixed_friction(site, other).unwrap_or([0.0; 2]),
            };
            for (x, r) in site.tangent_rows().enumerate() {
                self.rate[r] = friction[x] * self.force[i];
            }
        }
    }

    fn fill(&mut self, system: &System) {
        let n = self.disks.rows();
        for (a, &i) in self.at.iter().enumerate() {
            let (site, first) = (&system.sites[i], self.disks.disks[a].first);
            for (x, r) in site.tangent_rows().enumerate() {
                self.disks.b[first + x] = self.accelerations[r];
                for (b, &j) in self.at.iter().enumerate() {
                    let (other, column) = (&system.sites[j], self.disks.disks[b].first);
                    for (y, c) in other.tangent_rows().enumerate() {
                        self.disks.matrix[(first + x) * n + column + y] = system.G[(r, c)];
                    }
                }
            }
        }
    }

    /// Equation (1).
    fn resolve(&mut self, system: &System) {
        for _ in 0..=self.at.len() {
            self.disks.solve();
            let mut changed = false;
            for (a, &i) in self.at.iter().enumerate() {
                let site = &system.sites[i];
                let dynamic = site.mu_d * self.force[i];
                if dynamic < self.disks.disks[a].rho && self.moves(system, a) {
                    self.disks.disks[a].rho = dynamic;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether the contact of a disk accelerates.
    fn moves(&self, system: &System, a: usize) -> bool {
        let (d, site) = (&self.disks.disks[a], &system.sites[self.at[a]]);
        let own: f64 = site.tangent_rows().map(|r| system.G[(r, r)]).sum();
        let size = site.tangent_rows().fold(0.0, |s: f64, r| s.max(self.sizes[r]));
        let rows = d.first..d.first + d.dim;
        let a = self.disks.a[rows].iter().fold(0.0_f64, |s, x| s.hypot(*x));
        a > STILL * own * d.rho + NOISE * size
    }

    /// Equation (2) for the contacts that stay at rest, if they are redundant.
    fn share(&mut self, system: &System, state: &mut State, hold: &mut Hold) {
        self.modes.clear();
        self.modes.extend(self.at.iter().map(|&i| state.tangent[i]));
        self.friction.clear();
        self.friction.extend_from_slice(&self.disks.p);
        for &i in &self.at {
            if matches!(state.tangent[i], Tangent::Limit(_)) {
                state.tangent[i] = Tangent::Hold;
            }
        }
        hold.factor(system, state, &self.force);
        if !hold.shared.is_empty() && self.shrink(system, state) {
            self.give(system, state, hold);
            return;
        }
        for (a, &i) in self.at.iter().enumerate() {
            state.tangent[i] = self.modes[a];
        }
        hold.factor(system, state, &self.force);
        self.disks.p.copy_from_slice(&self.friction);
        self.give(system, state, hold);
    }

    /// Passes the friction of the disks on to the redundant rows.
    fn give(&mut self, system: &System, state: &State, hold: &mut Hold) {
        for (a, &i) in self.at.iter().enumerate() {
            for (x, r) in system.sites[i].tangent_rows().enumerate() {
                self.rate[r] = self.disks.p[self.disks.disks[a].first + x];
            }
        }
        hold.share(system, state, &self.rate, &self.force);
    }

    /// Solves (2); true if some s < 1 will do.
    fn shrink(&mut self, system: &System, state: &State) -> bool {
        self.drive(system, state);
        system.multiply(&self.rate, &mut self.accelerations);
        let mut short = 0.5;
        while short > INSIDE {
            for (a, &i) in self.at.iter().enumerate() {
                let held = state.tangent[i] == Tangent::Hold;
                let site = &system.sites[i];
                self.disks.disks[a].rho =
                    if held { (1.0 - short) * site.mu_s * self.force[i] } else { 0.0 };
                for (x, r) in site.tangent_rows().enumerate() {
                    let row = self.disks.disks[a].first + x;
                    self.disks.b[row] = if held { self.accelerations[r] } else { 0.0 };
                }
            }
            self.disks.solve();
            let rests =
                |a: usize| state.tangent[self.at[a]] != Tangent::Hold || !self.moves(system, a);
            if (0..self.at.len()).all(rests) {
                return true;
            }
            short *= 0.5;
        }
        false
    }

    fn classify(&mut self, system: &System, state: &mut State, pressed: Option<usize>) {
        for (a, &i) in self.at.iter().enumerate() {
            let d = self.disks.disks[a];
            if !d.limit && pressed != Some(i) {
                continue;
            }
            let p =
                [self.disks.p[d.first], if d.dim == 2 { self.disks.p[d.first + 1] } else { 0.0 }];
            let size = p[0].hypot(p[1]);
            let moves = self.moves(system, a);
            let against = if size > 0.0 {
                [p[0] / size, p[1] / size]
            } else if moves {
                opposite(&self.disks.a[d.first..d.first + d.dim])
            } else {
                continue;
            };
            state.heading[i] = [-against[0], -against[1]];
            state.tangent[i] = match (moves, d.dim) {
                (false, _) => Tangent::Limit(against),
                (true, 1) => Tangent::Slip(against),
                (true, _) => Tangent::Turn,
            };
        }
    }
}

/// Contacts whose last impulse would change no velocity by more than [`ZERO`] carry nothing any more.
///
/// What is left of it is F²e²/2kuₙ, and it changes uₙ by (ωδ)²e²/2uₙ.
fn release(system: &System, state: &mut State) {
    for (i, site) in system.sites.iter().enumerate() {
        let stored = state.delta[i] * frequency(system, state, i, 1.0);
        let u_n = state.u[site.normal()];
        if state.normal[i] == Normal::Unloading && stored * stored <= ZERO * u_n {
            state.delta[i] = 0.0;
            state.normal[i] = Normal::Open;
        }
    }
}

/// Direction against an acceleration.
fn opposite(a: &[f64]) -> [f64; 2] {
    let y = a.get(1).copied().unwrap_or(0.0);
    let size = a[0].hypot(y);
    [-a[0] / size, -y / size]
}
