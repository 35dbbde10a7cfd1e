//! One combination of modes: its equations, their solution, and how far (1) and (3) of the parent are violated.

use nalgebra::DMatrix;

use super::modes::{Duty, Mode, Rates, Tangent};
use crate::complementarity::{Solved, SquareSystem};
use crate::impact::instant::{self, TOLERANCE};

/// A combination under trial.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    /// Its modes, and the rates that follow.
    pub rates: Rates,
    /// Whether any system since the last reset was rank-deficient.
    pub deficient: bool,
    /// Unknowns: row and duty of each.
    unknowns: Vec<(usize, usize)>,
    system: SquareSystem,
}

impl Trial {
    pub fn reserve(&mut self, rows: usize, contacts: usize) {
        self.rates.reserve(rows, contacts);
        self.system.reserve(rows);
        self.unknowns.reserve(rows);
    }

    /// Changes the mode of the first contact whose condition fails.
    pub fn repair(&mut self, duties: &[Duty]) -> bool {
        let largest = self.rates.p.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        for (k, d) in duties.iter().enumerate() {
            if self.violation_of(d, self.rates.modes[k], largest) > TOLERANCE {
                let mode = self.rates.modes[k];
                self.rates.modes[k] = self.repaired(d, mode);
                return true;
            }
        }
        false
    }

    fn repaired(&self, d: &Duty, mode: Mode) -> Mode {
        let rates = &self.rates;
        if mode.on && rates.p[d.normal] < d.drive {
            return if d.drive > 0.0 { Mode { on: false, ..mode } } else { Mode::OFF };
        }
        if !mode.on && d.closed && rates.u[d.normal] < d.floor_rate {
            return if d.drive > 0.0 { Mode { on: true, ..mode } } else { d.press() };
        }
        match (mode.tangent, d.tangent) {
            (Tangent::Stick, Some(t)) => {
                Mode { tangent: Tangent::Slip(-rates.p[t].signum()), ..mode }
            }
            (Tangent::Slip(_), Some(_)) => Mode { tangent: Tangent::Stick, ..mode },
            _ => mode,
        }
    }

    /// Solves the trial modes for p and u; returns the largest relative violation of (1) and (3). Unless `thorough`,
    /// stops at impulses that fail.
    pub fn evaluate(&mut self, G: &DMatrix<f64>, duties: &[Duty], thorough: bool) -> f64 {
        self.assemble(G, duties);
        let solved = self.system.solve(self.unknowns.len());
        if solved == Solved::Inconsistent {
            return f64::INFINITY;
        }
        self.rates.least_norm = solved == Solved::LeastNorm;
        self.deficient |= self.rates.least_norm;
        self.spread(duties);
        let largest = self.rates.p.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        let mut worst = 0.0_f64;
        // Impulses first: most wrong modes fail there, before velocities are computed.
        for (k, d) in duties.iter().enumerate() {
            worst = worst.max(self.impulse_violation(d, self.rates.modes[k], largest));
        }
        if worst > TOLERANCE && !thorough {
            return worst;
        }
        self.velocities(G, duties);
        for (k, d) in duties.iter().enumerate() {
            worst = worst.max(self.velocity_violation(d, self.rates.modes[k]));
        }
        worst
    }

    /// Equations u̇ₙ = r of pressing contacts and u̇ₜ = 0 of sticking ones, for x and ṗₜ.
    fn assemble(&mut self, G: &DMatrix<f64>, duties: &[Duty]) {
        let m = G.nrows();
        let g = G.as_slice();
        self.unknowns.clear();
        for (k, d) in duties.iter().enumerate() {
            let mode = self.rates.modes[k];
            if let (Tangent::Stick, Some(t)) = (mode.tangent, d.tangent) {
                self.unknowns.push((t, k));
            }
            if mode.on {
                self.unknowns.push((d.normal, k));
            }
        }
        let size = self.unknowns.len();
        for (i, &(row, k)) in self.unknowns.iter().enumerate() {
            let is_normal = row == duties[k].normal;
            let mut rest = if is_normal { duties[k].floor_rate } else { 0.0 };
            for (d, mode) in duties.iter().zip(&self.rates.modes) {
                if d.drive > 0.0 {
                    rest -= d.drive * column(g, m, row, d, mode.tangent);
                }
            }
            self.system.b[i] = rest;
            for (j, &(other, l)) in self.unknowns.iter().enumerate() {
                let d = &duties[l];
                self.system.a[i * size + j] = if other == d.normal {
                    column(g, m, row, d, self.rates.modes[l].tangent)
                } else {
                    g[row + other * m]
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
            if let (Tangent::Slip(sign), Some(t)) = (mode.tangent, d.tangent) {
                p[t] = -sign * d.friction * p[d.normal];
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
            if let (Tangent::Stick, Some(t)) = (mode.tangent, d.tangent) {
                u[t] = 0.0;
            }
        }
    }

    fn violation_of(&self, d: &Duty, mode: Mode, largest: f64) -> f64 {
        self.impulse_violation(d, mode, largest).max(self.velocity_violation(d, mode))
    }

    fn impulse_violation(&self, d: &Duty, mode: Mode, largest: f64) -> f64 {
        let p = &self.rates.p;
        let mut worst = 0.0_f64;
        if mode.on {
            worst = (d.drive - p[d.normal]) / largest.max(f64::MIN_POSITIVE);
        }
        if let (Tangent::Stick, Some(t)) = (mode.tangent, d.tangent) {
            let excess = p[t].abs() - d.static_friction * p[d.normal];
            worst = worst.max(excess / largest.max(f64::MIN_POSITIVE));
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
        if let (Tangent::Slip(sign), Some(t)) = (mode.tangent, d.tangent)
            && d.slip == 0.0
            && scale[t] > 0.0
        {
            worst = worst.max(-sign * u[t] / scale[t]);
        }
        worst
    }
}

impl instant::Trial for Trial {
    type Duty = Duty;
    // Redundant contacts are softened instead.
    const WHOLE_SETS: bool = false;

    fn rates(&self) -> &Rates {
        &self.rates
    }

    fn rates_mut(&mut self) -> &mut Rates {
        &mut self.rates
    }

    fn violation(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> f64 {
        self.evaluate(G, duties, false)
    }
}

/// Entry of G times the impulse direction of a contact per unit of ṗₙ: normal, with its friction if it slips.
pub(crate) fn column(g: &[f64], m: usize, row: usize, d: &Duty, tangent: Tangent) -> f64 {
    let normal = g[row + d.normal * m];
    match (tangent, d.tangent) {
        (Tangent::Slip(sign), Some(t)) => normal - sign * d.friction * g[row + t * m],
        _ => normal,
    }
}
