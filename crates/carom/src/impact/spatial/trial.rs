//! One combination of modes: its equations, the directions of onset, and how far (6) to (8) of the parent are violated.
//!
//! A contact that starts to slip from rest does so along its own rate, ûⱼ = u̇ₜ/‖u̇ₜ‖; given the other contacts this
//! is the onset of one contact ([`principal`](super::principal)), and sweeps over such contacts find all directions
//! together.

use nalgebra::{DMatrix, Matrix3};

use super::duty::{Duty, Mode, Rates, Tangent};
use super::principal::Principal;
use crate::complementarity::{Solved, SquareSystem};
use crate::impact::instant;

/// Sweeps over the contacts that start to slip.
const SWEEPS: usize = 200;

/// A combination under trial.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    /// Its modes, and the rates that follow.
    pub rates: Rates,
    /// Unknowns: row and duty of each.
    unknowns: Vec<(usize, usize)>,
    system: SquareSystem,
}

impl instant::Trial for Trial {
    type Duty = Duty;
    const WHOLE_SETS: bool = true;

    fn rates(&self) -> &Rates {
        &self.rates
    }

    fn rates_mut(&mut self) -> &mut Rates {
        &mut self.rates
    }

    fn violation(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> f64 {
        if !self.directions(G, duties) {
            return f64::INFINITY;
        }
        let largest = self.rates.p.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
        duties.iter().enumerate().fold(0.0, |worst, (k, d)| {
            let mode = self.rates.modes[k];
            worst
                .max(self.impulse_violation(d, mode, largest))
                .max(self.velocity_violation(d, mode))
        })
    }
}

impl Trial {
    /// Makes room.
    pub fn reserve(&mut self, rows: usize, contacts: usize) {
        self.rates.reserve(rows, contacts);
        self.system.reserve(rows);
        self.unknowns.reserve(rows);
    }

    /// Rates with the present modes and directions; false if they have none.
    pub fn settle(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> bool {
        let solved = self.linear(G, duties);
        if solved {
            self.velocities(G, duties);
        }
        solved
    }

    /// Solves for the rates and, by sweeps, for the directions of onset; false if there are none.
    fn directions(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> bool {
        let free = |d: &Duty, m: &Mode| d.tangents == 2 && matches!(m.tangent, Tangent::Onset(_));
        for sweep in 0..SWEEPS {
            if !self.settle(G, duties) {
                return false;
            }
            let mut change = 0.0_f64;
            for (k, d) in duties.iter().enumerate() {
                if !free(d, &self.rates.modes[k]) {
                    continue;
                }
                let old = self.rates.modes[k].direction();
                let Some(new) = self.onset(G, d, old) else { return false };
                change = change.max((new[0] - old[0]).abs().max((new[1] - old[1]).abs()));
                // Sweeps that swing are damped.
                let weight = if sweep < 30 { 1.0 } else { 0.5 };
                let mix = [0, 1].map(|i| old[i] + weight * (new[i] - old[i]));
                let norm = mix[0].hypot(mix[1]);
                self.rates.modes[k].tangent = Tangent::Onset(mix.map(|x| x / norm));
            }
            if change <= 1e-14 {
                return true;
            }
        }
        true
    }

    /// Direction in which a contact starts to slip, all other contacts given; none if it has no pressure.
    fn onset(&self, G: &DMatrix<f64>, d: &Duty, old: [f64; 2]) -> Option<[f64; 2]> {
        let (i, j) = (d.first, d.first + 1);
        let mu = d.friction * self.rates.p[d.normal];
        let T = [G[(i, i)], G[(i, j)], G[(j, j)]];
        // The rate without its own friction.
        let v = [
            self.rates.u[i] + mu * (T[0] * old[0] + T[1] * old[1]),
            self.rates.u[j] + mu * (T[1] * old[0] + T[2] * old[1]),
        ];
        let K = Matrix3::new(T[0], T[1], v[0], T[1], T[2], v[1], v[0], v[1], 0.0);
        let c = Principal::new(&K, [mu, mu]);
        // Between sweeps friction may seem to suffice for stick: then slip against it is the nearest direction.
        let u = match () {
            _ if mu.is_nan() || mu < 0.0 => return None,
            _ if c.sticks() => c.m,
            _ => c.onset().0,
        };
        let norm = u[0].hypot(u[1]);
        let u = c.outward(u.map(|x| x / norm), 0.0);
        (u[0].is_finite() && u[1].is_finite()).then_some([u[0], u[1]])
    }

    /// Solves for ṗ with the present directions.
    fn linear(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> bool {
        self.assemble(G, duties);
        let solved = self.system.solve(self.unknowns.len());
        self.rates.least_norm = solved == Solved::LeastNorm;
        if solved != Solved::Inconsistent {
            self.spread(duties);
        }
        solved != Solved::Inconsistent
    }

    /// Equations u̇ₙ = r of pressing contacts and u̇ₜ = 0 of sticking ones, for x and ṗₜ.
    fn assemble(&mut self, G: &DMatrix<f64>, duties: &[Duty]) {
        self.unknowns.clear();
        for (k, d) in duties.iter().enumerate() {
            let mode = self.rates.modes[k];
            if mode.tangent == Tangent::Stick {
                self.unknowns.extend((0..d.tangents).map(|t| (d.first + t, k)));
            }
            if mode.on {
                self.unknowns.push((d.normal, k));
            }
        }
        let size = self.unknowns.len();
        for (i, &(row, k)) in self.unknowns.iter().enumerate() {
            let mut rest = if row == duties[k].normal { duties[k].floor_rate } else { 0.0 };
            for (d, mode) in duties.iter().zip(&self.rates.modes) {
                if d.drive > 0.0 {
                    rest -= d.drive * column(G, row, d, mode);
                }
            }
            self.system.b[i] = rest;
            for (j, &(other, l)) in self.unknowns.iter().enumerate() {
                self.system.a[i * size + j] = if other == duties[l].normal {
                    column(G, row, &duties[l], &self.rates.modes[l])
                } else {
                    G[(row, other)]
                };
            }
        }
    }

    /// ṗ of all rows from the unknowns.
    fn spread(&mut self, duties: &[Duty]) {
        let p = &mut self.rates.p;
        p.fill(0.0);
        for d in duties {
            p[d.normal] = d.drive;
        }
        for (i, &(row, _)) in self.unknowns.iter().enumerate() {
            p[row] += self.system.x[i];
        }
        for (d, mode) in duties.iter().zip(&self.rates.modes) {
            let u = mode.direction();
            if mode.tangent != Tangent::Stick {
                for t in 0..d.tangents {
                    p[d.first + t] = -u[t] * d.friction * p[d.normal];
                }
            }
        }
    }

    /// u̇ = G ṗ; rates that the modes fix are written exactly.
    fn velocities(&mut self, G: &DMatrix<f64>, duties: &[Duty]) {
        self.rates.respond(G);
        let Rates { u, modes, .. } = &mut self.rates;
        for (d, mode) in duties.iter().zip(modes.iter()) {
            if mode.on {
                u[d.normal] = d.floor_rate;
            }
            if mode.tangent == Tangent::Stick {
                u[d.first..d.first + d.tangents].fill(0.0);
            }
        }
    }

    fn impulse_violation(&self, d: &Duty, mode: Mode, largest: f64) -> f64 {
        let p = &self.rates.p;
        let mut worst = 0.0_f64;
        if mode.on {
            worst = (d.drive - p[d.normal]) / largest;
        }
        if mode.tangent == Tangent::Stick {
            let p_t = p[d.first..d.first + d.tangents].iter().fold(0.0_f64, |s, x| s.hypot(*x));
            worst = worst.max((p_t - d.static_friction * p[d.normal]) / largest);
        }
        worst
    }

    fn velocity_violation(&self, d: &Duty, mode: Mode) -> f64 {
        let Rates { u, scale, .. } = &self.rates;
        let mut worst = 0.0_f64;
        if d.closed && !mode.on {
            let size = scale[d.normal].max(d.floor_rate.abs());
            if size > 0.0 {
                worst = (d.floor_rate - u[d.normal]) / size;
            }
        }
        if let Tangent::Onset(v) = mode.tangent {
            let size = self.rates.scale_of(d);
            let w: [f64; 2] =
                std::array::from_fn(|t| if t < d.tangents { u[d.first + t] } else { 0.0 });
            if size > 0.0 {
                let (along, across) = (v[0] * w[0] + v[1] * w[1], v[0] * w[1] - v[1] * w[0]);
                worst = worst.max(-along / size).max(across.abs() / size);
            }
        }
        worst
    }
}

/// Entry of G times the impulse direction of a contact per unit of ṗₙ: normal, with its friction if it slips.
fn column(G: &DMatrix<f64>, row: usize, d: &Duty, mode: &Mode) -> f64 {
    let u = mode.direction();
    (0..d.tangents).fold(G[(row, d.normal)], |s, t| s - d.friction * u[t] * G[(row, d.first + t)])
}
