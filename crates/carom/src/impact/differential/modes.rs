//! Which contacts press, stick and slip during a stage: equations (1) to (3) of the parent.

use nalgebra::DMatrix;

use super::linear::{Solved, System};

/// Largest number of combinations that is tried exhaustively; 4 resting contacts have at most 4⁴ = 256.
pub const ENUMERATED: usize = 4096;
/// Relative violation of (1) and (3) that is round-off: of the largest rate for impulses, of Σ|G ṗ| for velocities.
pub const TOLERANCE: f64 = 1e-10;
/// Two solutions whose velocity rates agree to this fraction are one.
pub(crate) const SAME: f64 = 1e-7;

/// Tangential mode of a contact that presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangent {
    /// u̇ₜ = 0.
    Stick,
    /// Slips, or begins to, in direction ±1.
    Slip(f64),
    /// No friction: no tangent, or μ = 0.
    Free,
}

/// What a contact may do in this stage, decided by its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duty {
    /// Row of the normal.
    pub normal: usize,
    /// Row of the tangent, if there is one with friction.
    pub tangent: Option<usize>,
    /// μd.
    pub friction: f64,
    /// μs.
    pub static_friction: f64,
    /// Prescribed part d of ṗₙ.
    pub drive: f64,
    /// Least rate r of uₙ, if the contact is closed.
    pub floor_rate: f64,
    /// Whether uₙ is at its floor, so that (1) holds; else x = 0.
    pub closed: bool,
    /// Direction of slip, 0 at rest.
    pub slip: f64,
}

/// Mode of one contact: does x act, and what does the tangent do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mode {
    pub on: bool,
    pub tangent: Tangent,
}

impl Mode {
    pub const OFF: Self = Self { on: false, tangent: Tangent::Free };
}

impl Duty {
    fn tangents(&self) -> &'static [Tangent] {
        const REST: [Tangent; 3] = [Tangent::Stick, Tangent::Slip(1.0), Tangent::Slip(-1.0)];
        match (self.tangent, self.slip) {
            (None, _) => &[Tangent::Free],
            (_, s) if s > 0.0 => &REST[1..2],
            (_, s) if s < 0.0 => &REST[2..3],
            _ => &REST,
        }
    }

    /// Number of modes; pressing ones come first, so that redundant sets are met before their parts.
    fn count(&self) -> usize {
        let t = self.tangents().len();
        match (self.closed, self.drive > 0.0) {
            (true, true) => 2 * t,
            (true, false) => t + 1,
            (false, true) => t,
            (false, false) => 1,
        }
    }

    fn mode(&self, index: usize) -> Mode {
        let tangents = self.tangents();
        let on = self.closed && index < tangents.len();
        if !on && self.drive <= 0.0 {
            return Mode::OFF;
        }
        Mode { on, tangent: tangents[index % tangents.len()] }
    }

    /// First guess of the pivoting: press and stick, or slip as it does.
    fn press(&self) -> Mode {
        Mode { on: self.closed, tangent: self.tangents()[0] }
    }
}

/// A certified solution of one stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    /// dp/ds, all rows.
    pub p: Vec<f64>,
    /// du/ds, all rows.
    pub u: Vec<f64>,
    /// Σ|G ṗ| per row: scale of the round-off in `u`.
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

    fn copy_from(&mut self, other: &Self) {
        self.p.copy_from_slice(&other.p);
        self.u.copy_from_slice(&other.u);
        self.scale.copy_from_slice(&other.scale);
        self.modes.copy_from_slice(&other.modes);
        self.least_norm = other.least_norm;
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

    /// Whether every contact that presses in `other` presses here.
    fn covers(&self, other: &Self) -> bool {
        self.modes.iter().zip(&other.modes).all(|(a, b)| a.on || !b.on)
    }
}

/// Why no rates were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paradox {
    None { residual: f64 },
    Several { count: usize },
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

    /// Finds the rates of a stage. `best` holds the rates of the stage before, or zero.
    pub fn solve(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        let combinations = duties.iter().try_fold(1_usize, |n, d| n.checked_mul(d.count()));
        match combinations {
            Some(n) if n <= ENUMERATED => self.enumerate(G, duties, best),
            _ => self.pivot(G, duties, best),
        }
    }

    /// Tries every combination of modes.
    fn enumerate(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        self.choice.fill(0);
        let mut found = 0;
        let mut least = f64::INFINITY;
        loop {
            for (k, d) in duties.iter().enumerate() {
                self.trial.modes[k] = d.mode(self.choice[k]);
            }
            let violation = self.evaluate(G, duties, false);
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

    /// Least-index pivoting from the pressing modes: repairs the first violated condition until none is left.
    fn pivot(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        for (k, d) in duties.iter().enumerate() {
            self.trial.modes[k] = d.press();
        }
        let mut residual = f64::INFINITY;
        for _ in 0..200 + 50 * duties.len() {
            let violation = self.evaluate(G, duties, true);
            if violation <= TOLERANCE {
                best.copy_from(&self.trial);
                return Ok(());
            }
            residual = residual.min(violation);
            if !self.repair(duties) {
                break;
            }
        }
        Err(Paradox::None { residual })
    }

    /// Changes the mode of the first contact whose condition fails.
    fn repair(&mut self, duties: &[Duty]) -> bool {
        let largest = self.trial.p.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        for (k, d) in duties.iter().enumerate() {
            if self.violation(d, self.trial.modes[k], largest) > TOLERANCE {
                let mode = self.trial.modes[k];
                self.trial.modes[k] = self.repaired(d, mode);
                return true;
            }
        }
        false
    }

    fn repaired(&self, d: &Duty, mode: Mode) -> Mode {
        let rates = &self.trial;
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
    fn evaluate(&mut self, G: &DMatrix<f64>, duties: &[Duty], thorough: bool) -> f64 {
        self.assemble(G, duties);
        let solved = self.system.solve(self.unknowns.len());
        if solved == Solved::Inconsistent {
            return f64::INFINITY;
        }
        self.trial.least_norm = solved == Solved::LeastNorm;
        self.spread(duties);
        let largest = self.trial.p.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        let mut worst = 0.0_f64;
        // Impulses first: most wrong modes fail there, before velocities are computed.
        for (k, d) in duties.iter().enumerate() {
            worst = worst.max(self.impulse_violation(d, self.trial.modes[k], largest));
        }
        if worst > TOLERANCE && !thorough {
            return worst;
        }
        self.velocities(G, duties);
        for (k, d) in duties.iter().enumerate() {
            worst = worst.max(self.velocity_violation(d, self.trial.modes[k]));
        }
        worst
    }

    /// Equations u̇ₙ = r of pressing contacts and u̇ₜ = 0 of sticking ones, for x and ṗₜ.
    fn assemble(&mut self, G: &DMatrix<f64>, duties: &[Duty]) {
        let m = G.nrows();
        let g = G.as_slice();
        self.unknowns.clear();
        for (k, d) in duties.iter().enumerate() {
            let mode = self.trial.modes[k];
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
            for (d, mode) in duties.iter().zip(&self.trial.modes) {
                if d.drive > 0.0 {
                    rest -= d.drive * column(g, m, row, d, mode.tangent);
                }
            }
            self.system.b[i] = rest;
            for (j, &(other, l)) in self.unknowns.iter().enumerate() {
                let d = &duties[l];
                self.system.a[i * size + j] = if other == d.normal {
                    column(g, m, row, d, self.trial.modes[l].tangent)
                } else {
                    g[row + other * m]
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
            if let (Tangent::Slip(sign), Some(t)) = (mode.tangent, d.tangent) {
                p[t] = -sign * d.friction * p[d.normal];
            }
        }
    }

    /// u̇ = G ṗ; rates that the modes fix are written exactly.
    fn velocities(&mut self, G: &DMatrix<f64>, duties: &[Duty]) {
        let m = G.nrows();
        let g = G.as_slice();
        let Rates { p, u, scale, modes, .. } = &mut self.trial;
        u.fill(0.0);
        scale.fill(0.0);
        for (j, &p_j) in p.iter().enumerate() {
            if p_j != 0.0 {
                for (i, g_ij) in g[j * m..(j + 1) * m].iter().enumerate() {
                    let term = g_ij * p_j;
                    u[i] += term;
                    scale[i] += term.abs();
                }
            }
        }
        for (d, mode) in duties.iter().zip(modes.iter()) {
            if mode.on {
                u[d.normal] = d.floor_rate;
            }
            if let (Tangent::Stick, Some(t)) = (mode.tangent, d.tangent) {
                u[t] = 0.0;
            }
        }
    }

    fn violation(&self, d: &Duty, mode: Mode, largest: f64) -> f64 {
        self.impulse_violation(d, mode, largest).max(self.velocity_violation(d, mode))
    }

    fn impulse_violation(&self, d: &Duty, mode: Mode, largest: f64) -> f64 {
        let p = &self.trial.p;
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
        let Rates { u, scale, .. } = &self.trial;
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

/// Entry of G times the impulse direction of a contact per unit of ṗₙ: normal, with its friction if it slips.
fn column(g: &[f64], m: usize, row: usize, d: &Duty, tangent: Tangent) -> f64 {
    let normal = g[row + d.normal * m];
    match (tangent, d.tangent) {
        (Tangent::Slip(sign), Some(t)) => normal - sign * d.friction * g[row + t * m],
        _ => normal,
    }
}

/// Whether only μs > μd makes the two differ, and then whether `a` is the one that sticks.
fn stick_wins(duties: &[Duty], a: &Rates, b: &Rates) -> Option<bool> {
    let mut winner = None;
    for (k, d) in duties.iter().enumerate() {
        let a_sticks = match (a.modes[k].tangent, b.modes[k].tangent) {
            (Tangent::Stick, Tangent::Slip(_)) => true,
            (Tangent::Slip(_), Tangent::Stick) => false,
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
