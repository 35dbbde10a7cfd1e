//! Which contacts press, stick and slip: equations (6) to (8) of the parent, several contacts.
//!
//! The same search as that of planar contacts, with slip along any direction. A contact that starts to slip from rest
//! does so along its own rate, ûⱼ = u̇ₜ/‖u̇ₜ‖; given the other contacts this is the onset of one contact
//! ([`principal`](super::principal)), and sweeps over such contacts find all directions together.

use nalgebra::{DMatrix, Matrix3};

use super::duty::{Duty, Mode, Tangent};
use super::principal::Principal;
use crate::impact::differential::linear::{Solved, System};
use crate::impact::differential::trial::raise_scales;

/// Largest number of combinations that is tried.
pub(crate) const ENUMERATED: usize = 20_000;
/// Relative violation that is round-off: of the largest rate for impulses, of Σ|G ṗ| for velocities.
pub(crate) const TOLERANCE: f64 = 1e-10;
/// Two solutions whose velocity rates agree to this fraction are one.
const SAME: f64 = 1e-7;
/// Sweeps over the contacts that start to slip.
const SWEEPS: usize = 200;

/// A solution of one instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    /// dp/ds, all rows.
    pub p: Vec<f64>,
    /// du/ds, all rows.
    pub u: Vec<f64>,
    /// Σ|G ṗ| per row.
    scale: Vec<f64>,
    /// Modes in the order of the duties.
    pub modes: Vec<Mode>,
    least_norm: bool,
}

impl Rates {
    fn reserve(&mut self, rows: usize, contacts: usize) {
        for x in [&mut self.p, &mut self.u, &mut self.scale] {
            x.clear();
            x.resize(rows, 0.0);
        }
        self.modes.clear();
        self.modes.resize(contacts, Mode::OFF);
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.p.copy_from_slice(&other.p);
        self.u.copy_from_slice(&other.u);
        self.scale.copy_from_slice(&other.scale);
        self.modes.copy_from_slice(&other.modes);
        self.least_norm = other.least_norm;
    }

    /// Scale of the round-off in the tangential rates of a contact.
    pub fn scale_of(&self, d: &Duty) -> f64 {
        self.scale[d.first..d.first + d.tangents].iter().fold(0.0, |s, x| s.max(*x))
    }

    fn norm(&self) -> f64 {
        self.p.iter().map(|x| x * x).sum()
    }

    fn same_motion(&self, other: &Self) -> bool {
        (0..self.u.len()).all(|i| {
            let scale = self.scale[i].max(other.scale[i]);
            (self.u[i] - other.u[i]).abs() <= SAME * scale
        })
    }

    fn covers(&self, other: &Self) -> bool {
        self.modes.iter().zip(&other.modes).all(|(a, b)| a.on || !b.on)
    }
}

/// Why no rates were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paradox {
    None { residual: f64 },
    Several { count: usize },
    TooMany,
}

/// Scratch of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    trial: Rates,
    choice: Vec<usize>,
    /// Unknowns of the trial: row and duty of each.
    unknowns: Vec<(usize, usize)>,
    system: System,
}

impl Search {
    pub fn reserve(&mut self, rows: usize, contacts: usize, best: &mut Rates) {
        self.trial.reserve(rows, contacts);
        best.reserve(rows, contacts);
        self.system.reserve(rows);
        self.unknowns.reserve(rows);
        self.choice.clear();
        self.choice.resize(contacts, 0);
    }

    /// Finds the modes and rates of an instant by trying every combination.
    pub fn solve(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        let combinations = duties.iter().try_fold(1_usize, |n, d| n.checked_mul(d.count()));
        if combinations.is_none_or(|n| n > ENUMERATED) {
            return Err(Paradox::TooMany);
        }
        self.choice.fill(0);
        let (mut found, mut least) = (0, f64::INFINITY);
        loop {
            for (k, d) in duties.iter().enumerate() {
                self.trial.modes[k] = d.mode(self.choice[k]);
            }
            let violation = self.try_modes(G, duties);
            least = least.min(violation);
            if violation <= TOLERANCE {
                found += self.keep(duties, best, found);
            }
            if !self.next_choice(duties) {
                break;
            }
        }
        match found {
            0 => Err(Paradox::None { residual: least }),
            1 => Ok(()),
            count => Err(Paradox::Several { count }),
        }
    }

    /// Rates for modes that are known; false if they have none.
    pub fn rates(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        modes: &[Mode],
        out: &mut Rates,
    ) -> bool {
        self.trial.modes.copy_from_slice(modes);
        let solved = self.linear(G, duties);
        if solved {
            self.velocities(G, duties);
            out.copy_from(&self.trial);
        }
        solved
    }

    fn next_choice(&mut self, duties: &[Duty]) -> bool {
        for (k, d) in duties.iter().enumerate() {
            self.choice[k] += 1;
            if self.choice[k] < d.count() {
                return true;
            }
            self.choice[k] = 0;
        }
        false
    }

    /// Compares a consistent trial with the best so far; returns 1 if it is another motion.
    fn keep(&mut self, duties: &[Duty], best: &mut Rates, found: usize) -> usize {
        if found == 0 {
            best.copy_from(&self.trial);
            return 1;
        }
        let trial = &self.trial;
        if trial.same_motion(best) {
            if trial.norm() < best.norm() * (1.0 - 1e-9) {
                best.copy_from(trial);
            }
            return 0;
        }
        // Parts of a redundant set are not motions of their own.
        if best.least_norm && best.covers(trial) {
            return 0;
        }
        if trial.least_norm && trial.covers(best) {
            best.copy_from(trial);
            return 0;
        }
        match stick_wins(duties, trial, best) {
            Some(true) => best.copy_from(trial),
            Some(false) => {}
            None => return 1,
        }
        0
    }

    /// Solves the trial modes; returns the largest relative violation of the conditions.
    fn try_modes(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> f64 {
        if !self.directions(G, duties) {
            return f64::INFINITY;
        }
        let largest = self.trial.p.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
        duties.iter().enumerate().fold(0.0, |worst, (k, d)| {
            let mode = self.trial.modes[k];
            worst
                .max(self.impulse_violation(d, mode, largest))
                .max(self.velocity_violation(d, mode))
        })
    }

    /// Solves for the rates and, by sweeps, for the directions of onset; false if there are none.
    fn directions(&mut self, G: &DMatrix<f64>, duties: &[Duty]) -> bool {
        let free = |d: &Duty, m: &Mode| d.tangents == 2 && matches!(m.tangent, Tangent::Onset(_));
        for sweep in 0..SWEEPS {
            if !self.linear(G, duties) {
                return false;
            }
            self.velocities(G, duties);
            let mut change = 0.0_f64;
            for (k, d) in duties.iter().enumerate() {
                if !free(d, &self.trial.modes[k]) {
                    continue;
                }
                let old = self.trial.modes[k].direction();
                let Some(new) = self.onset(G, d, old) else { return false };
                change = change.max((new[0] - old[0]).abs().max((new[1] - old[1]).abs()));
                // Sweeps that swing are damped.
                let weight = if sweep < 30 { 1.0 } else { 0.5 };
                let mix = [0, 1].map(|i| old[i] + weight * (new[i] - old[i]));
                let norm = mix[0].hypot(mix[1]);
                self.trial.modes[k].tangent = Tangent::Onset(mix.map(|x| x / norm));
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
        let mu = d.friction * self.trial.p[d.normal];
        let T = [G[(i, i)], G[(i, j)], G[(j, j)]];
        // The rate without its own friction.
        let v = [
            self.trial.u[i] + mu * (T[0] * old[0] + T[1] * old[1]),
            self.trial.u[j] + mu * (T[1] * old[0] + T[2] * old[1]),
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
        self.trial.least_norm = solved == Solved::LeastNorm;
        if solved != Solved::Inconsistent {
            self.spread(duties);
        }
        solved != Solved::Inconsistent
    }

    /// Equations u̇ₙ = r of pressing contacts and u̇ₜ = 0 of sticking ones, for x and ṗₜ.
    fn assemble(&mut self, G: &DMatrix<f64>, duties: &[Duty]) {
        self.unknowns.clear();
        for (k, d) in duties.iter().enumerate() {
            let mode = self.trial.modes[k];
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
            for (d, mode) in duties.iter().zip(&self.trial.modes) {
                if d.drive > 0.0 {
                    rest -= d.drive * column(G, row, d, mode);
                }
            }
            self.system.b[i] = rest;
            for (j, &(other, l)) in self.unknowns.iter().enumerate() {
                self.system.a[i * size + j] = if other == duties[l].normal {
                    column(G, row, &duties[l], &self.trial.modes[l])
                } else {
                    G[(row, other)]
                };
            }
        }
    }

    /// ṗ of all rows from the unknowns.
    fn spread(&mut self, duties: &[Duty]) {
        let p = &mut self.trial.p;
        p.fill(0.0);
        for d in duties {
            p[d.normal] = d.drive;
        }
        for (i, &(row, _)) in self.unknowns.iter().enumerate() {
            p[row] += self.system.x[i];
        }
        for (d, mode) in duties.iter().zip(&self.trial.modes) {
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
        let Rates { p, u, scale, modes, .. } = &mut self.trial;
        u.fill(0.0);
        scale.fill(0.0);
        for (j, &p_j) in p.iter().enumerate().filter(|(_, p)| **p != 0.0) {
            for (i, g) in G.column(j).iter().enumerate() {
                u[i] += g * p_j;
                scale[i] += (g * p_j).abs();
            }
        }
        raise_scales(G, p, scale);
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
        let p = &self.trial.p;
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
        let Rates { u, scale, .. } = &self.trial;
        let mut worst = 0.0_f64;
        if d.closed && !mode.on {
            let size = scale[d.normal].max(d.floor_rate.abs());
            if size > 0.0 {
                worst = (d.floor_rate - u[d.normal]) / size;
            }
        }
        if let Tangent::Onset(v) = mode.tangent {
            let size = self.trial.scale_of(d);
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

/// Whether only μs > μd makes the two differ, and then whether `a` is the one that sticks.
fn stick_wins(duties: &[Duty], a: &Rates, b: &Rates) -> Option<bool> {
    let mut winner = None;
    for (k, d) in duties.iter().enumerate() {
        let a_sticks = match (a.modes[k].tangent, b.modes[k].tangent) {
            (Tangent::Stick, Tangent::Onset(_)) => true,
            (Tangent::Onset(_), Tangent::Stick) => false,
            _ => continue,
        };
        if d.static_friction > d.friction {
            if winner == Some(!a_sticks) {
                return None;
            }
            winner = Some(a_sticks);
        }
    }
    winner
}
