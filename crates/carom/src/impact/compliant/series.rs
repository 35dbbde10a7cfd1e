//! One step of the path as power series of the clock.
//!
//! In one set of modes every quantity is analytic, and its coefficients follow from the equations one order after the
//! other, with τ = ωt and c[n] the coefficient of τⁿ:
//! ```text
//! ω (n+1) u[n+1] = (G ṗ)[n],   ω (n+1) δ[n+1] = −χ uₙ[n],   F = k δ^η
//! slip in the plane:  r² = w·w,  r d = −w,  ṗₜ = μd F d
//! ```
//! Without slip that turns and with η = 1 all is linear, the series converges everywhere, and a step is exact.

use super::edge::edge_reach;
use super::hold::{Hold, dot};
use super::root::value;
use super::system::{Normal, State, System, Tangent, fixed_friction};
use crate::numeric::thresholds::compliant::REMAINDER;

/// Order of the series.
pub(super) const ORDER: usize = 22;

/// Longest step, in units of 1/ω.
pub(super) const LONGEST: f64 = 4.0;

/// Coefficients, order by order.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    /// Highest order of the velocities.
    pub order: usize,
    /// Rows and sites.
    pub size: (usize, usize),
    /// Unit of the clock is 1/ω.
    pub omega: f64,
    pub u: Vec<f64>,
    pub delta: Vec<f64>,
    pub force: Vec<f64>,
    /// Rates of impulse ṗ, to one order less.
    pub rate: Vec<f64>,
    /// Slip speed of contacts that turn.
    pub speed: Vec<f64>,
    /// Direction of their friction.
    against: Vec<f64>,
    /// Friction across and along of every edge, by edge and order.
    pub edges: Vec<f64>,
    buffer: Vec<f64>,
}

impl Series {
    /// Sizes the buffers for a system.
    pub fn reset(&mut self, system: &System, order: usize, omega: f64) {
        let (m, n) = (system.rows(), system.sites.len());
        (self.order, self.size, self.omega) = (order, (m, n), omega);
        for (x, width) in [
            (&mut self.u, m),
            (&mut self.rate, m),
            (&mut self.delta, n),
            (&mut self.force, n),
            (&mut self.speed, n),
            (&mut self.against, 2 * n),
        ] {
            x.clear();
            x.resize(width * (order + 1), 0.0);
        }
        self.buffer.clear();
        self.buffer.resize(m, 0.0);
    }

    /// All coefficients from the state.
    pub fn expand(&mut self, system: &System, state: &State, hold: &mut Hold, omega: f64) {
        self.reset(system, ORDER, omega);
        self.edges.clear();
        self.edges.resize(2 * hold.edges.len() * (ORDER + 1), 0.0);
        let (m, n) = self.size;
        self.u[..m].copy_from_slice(&state.u);
        self.delta[..n].copy_from_slice(&state.delta);
        for order in 0..ORDER {
            self.forces(system, state, order);
            self.frictions(system, state, order);
            self.hold(system, hold, order);
            self.integrate(system, state, hold, order);
        }
        self.forces(system, state, ORDER);
    }

    /// F[order] of every site that is not open.
    fn forces(&mut self, system: &System, state: &State, order: usize) {
        let n = self.size.1;
        for i in 0..n {
            if state.normal[i] == Normal::Open {
                continue;
            }
            self.force[order * n + i] = if system.exponent == 1.0 {
                system.sites[i].k * self.delta[order * n + i]
            } else if order == 0 {
                system.force(i, self.delta[i])
            } else {
                self.power(system.exponent, i, order)
            };
        }
    }

    /// Coefficient of δ^η from those before, by δ (δ^η)' = η δ' δ^η.
    fn power(&self, eta: f64, i: usize, order: usize) -> f64 {
        let n = self.size.1;
        let term = |j: usize| {
            let weight = j as f64 * eta - (order - j) as f64;
            weight * self.delta[j * n + i] * self.force[(order - j) * n + i]
        };
        (1..=order).map(term).sum::<f64>() / (order as f64 * self.delta[i])
    }

    /// ṗ[order] of normals and of friction with a known or turning direction.
    fn frictions(&mut self, system: &System, state: &State, order: usize) {
        let (m, n) = self.size;
        for (i, site) in system.sites.iter().enumerate() {
            if state.normal[i] == Normal::Open {
                continue;
            }
            let force = self.force[order * n + i];
            self.rate[order * m + site.normal()] = force;
            if state.tangent[i] == Tangent::Turn {
                self.turn(i, site.first, order);
                for x in 0..2 {
                    let product: f64 = (0..=order)
                        .map(|j| {
                            self.force[j * n + i] * self.against[2 * ((order - j) * n + i) + x]
                        })
                        .sum();
                    self.rate[order * m + site.first + x] = site.mu_d * product;
                }
            } else if let Some(f) = fixed_friction(site, state.tangent[i]) {
                for x in 0..site.tangents {
                    self.rate[order * m + site.first + x] = f[x] * force;
                }
            }
        }
    }

    /// Slip speed and direction of friction of a contact that turns, at one order.
    fn turn(&mut self, i: usize, first: usize, order: usize) {
        let (m, n) = self.size;
        let w = |k: usize, x: usize| self.u[k * m + first + x];
        let r = |k: usize| self.speed[k * n + i];
        let square: f64 =
            (0..=order).map(|j| w(j, 0) * w(order - j, 0) + w(j, 1) * w(order - j, 1)).sum();
        let speed = if order == 0 {
            square.sqrt()
        } else {
            let known: f64 = (1..order).map(|j| r(j) * r(order - j)).sum();
            (square - known) / (2.0 * r(0))
        };
        self.speed[order * n + i] = speed;
        for x in 0..2 {
            let known: f64 = (1..=order)
                .map(|j| self.speed[j * n + i] * self.against[2 * ((order - j) * n + i) + x])
                .sum();
            self.against[2 * (order * n + i) + x] =
                (-self.u[order * m + first + x] - known) / self.speed[i];
        }
    }

    /// Friction of contacts at rest.
    fn hold(&mut self, system: &System, hold: &mut Hold, order: usize) {
        if hold.rows.is_empty() {
            return;
        }
        let (m, n) = self.size;
        let rate = &mut self.rate[order * m..(order + 1) * m];
        for s in &hold.shared {
            let friction = s.ratio * self.force[order * n + s.site];
            for (x, r) in system.sites[s.site].tangent_rows().enumerate() {
                rate[r] += friction * s.v[x];
            }
        }
        system.multiply(rate, &mut self.buffer);
        hold.solve(system, &self.buffer, rate);
        for (e, edge) in hold.edges.iter().enumerate() {
            let across = dot(&system.sites[edge.site], edge.v1, &self.rate[order * m..]);
            let along = self.edge(edge, e, across, order);
            let rate = &mut self.rate[order * m..(order + 1) * m];
            for (rate, null) in rate.iter_mut().zip(&hold.null[e * m..(e + 1) * m]) {
                *rate += along * null;
            }
        }
    }

    /// u[order + 1] and δ[order + 1].
    fn integrate(&mut self, system: &System, state: &State, hold: &Hold, order: usize) {
        let (m, n) = self.size;
        let per = 1.0 / (self.omega * (order + 1) as f64);
        system.multiply(&self.rate[order * m..(order + 1) * m], &mut self.buffer);
        for &row in &hold.rows {
            self.buffer[row] = 0.0;
        }
        for (u, a) in self.u[(order + 1) * m..].iter_mut().zip(&self.buffer) {
            *u = a * per;
        }
        for (i, site) in system.sites.iter().enumerate() {
            let give = state.give(site, i);
            self.delta[(order + 1) * n + i] = -give * per * self.u[order * m + site.normal()];
        }
    }

    /// Longest τ at which the terms left out are below the remainder allowed.
    pub fn reach(&self, system: &System, state: &State) -> f64 {
        let (m, n) = self.size;
        let mut tau = LONGEST;
        for order in [ORDER - 1, ORDER] {
            let mut size =
                self.u[order * m..(order + 1) * m].iter().fold(0.0_f64, |s, x| s.max(x.abs()));
            for i in 0..n {
                // compression in units of velocity, by the frequency of the contact alone
                let weight = frequency(system, state, i, 1.0);
                size = size.max(weight * self.delta[order * n + i].abs());
            }
            if size > 0.0 {
                tau = tau.min((REMAINDER / size).powf(1.0 / order as f64));
            }
        }
        self.edges.chunks_exact(2 * (ORDER + 1)).map(edge_reach).fold(tau, f64::min)
    }

    /// Coefficients of one row or site, into a buffer.
    pub fn column(data: &[f64], width: usize, index: usize, out: &mut [f64]) {
        for (n, c) in out.iter_mut().enumerate() {
            *c = data[n * width + index];
        }
    }

    /// Moves the state to τ.
    pub fn advance(&self, system: &System, tau: f64, state: &mut State) {
        let (m, n) = self.size;
        let mut c = [0.0; ORDER + 1];
        let c = &mut c[..=self.order];
        for (i, site) in system.sites.iter().enumerate() {
            if state.normal[i] != Normal::Open {
                state.friction_work[i] += self.friction_work(site.first, site.tangents, tau);
                Self::column(&self.delta, n, i, c);
                let delta = value(c, tau).max(0.0);
                state.normal_work[i] += state.work_to(system, i, delta);
                state.delta[i] = delta;
            }
        }
        for row in 0..m {
            Self::column(&self.u, m, row, c);
            state.u[row] = value(c, tau);
            Self::column(&self.rate, m, row, c);
            for (n, c) in c.iter_mut().enumerate() {
                *c /= (n + 1) as f64;
            }
            state.p[row] += value(c, tau) * tau / self.omega;
        }
    }

    /// ∫ ṗₜ·uₜ dt up to τ.
    fn friction_work(&self, first: usize, tangents: usize, tau: f64) -> f64 {
        let m = self.size.0;
        let mut power = tau / self.omega;
        let mut work = 0.0;
        for order in 0..self.order {
            let mut c = 0.0;
            for row in first..first + tangents {
                c += (0..=order)
                    .map(|j| self.rate[j * m + row] * self.u[(order - j) * m + row])
                    .sum::<f64>();
            }
            work += c * power / (order + 1) as f64;
            power *= tau;
        }
        work
    }
}

/// Frequency of a contact alone, while it gives way at `give`.
pub(super) fn frequency(system: &System, state: &State, i: usize, give: f64) -> f64 {
    let n = system.sites[i].normal();
    (give * system.slope(i, state.delta[i]) * system.G[(n, n)]).sqrt()
}
