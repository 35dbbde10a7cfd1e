//! Rates of impulse and velocity at an instant.

use nalgebra::DMatrix;

use super::mode::{Mode, Tangent};

/// Two solutions whose velocity rates agree to this fraction are one.
const SAME: f64 = 1e-7;
/// Coupling between contacts, in units of the largest possible, below which G is mostly round-off.
const COUPLED: f64 = 1e-4;

/// A solution of one instant.
#[derive(Clone, Debug)]
pub(crate) struct Rates<T> {
    /// dp/ds, all rows.
    pub p: Vec<f64>,
    /// du/ds, all rows.
    pub u: Vec<f64>,
    /// Σ|G ṗ| per row, or what round-off makes of it: scale of the round-off in `u`.
    pub scale: Vec<f64>,
    /// Modes in the order of the duties.
    pub modes: Vec<Mode<T>>,
    /// Whether ṗ is the least of many.
    pub least_norm: bool,
}

impl<T> Default for Rates<T> {
    fn default() -> Self {
        let (p, u, scale) = (Vec::new(), Vec::new(), Vec::new());
        Self { p, u, scale, modes: Vec::new(), least_norm: false }
    }
}

impl<T: Tangent> Rates<T> {
    /// Sizes the buffers: no rates, all contacts off.
    pub fn reserve(&mut self, rows: usize, contacts: usize) {
        for x in [&mut self.p, &mut self.u, &mut self.scale] {
            x.clear();
            x.resize(rows, 0.0);
        }
        self.modes.clear();
        self.modes.resize(contacts, Mode::OFF);
    }

    /// Takes over another solution of the same size.
    pub fn copy_from(&mut self, other: &Self) {
        self.p.copy_from_slice(&other.p);
        self.u.copy_from_slice(&other.u);
        self.scale.copy_from_slice(&other.scale);
        self.modes.copy_from_slice(&other.modes);
        self.least_norm = other.least_norm;
    }

    /// u̇ = G ṗ and its scale.
    pub fn respond(&mut self, G: &DMatrix<f64>) {
        let (m, g) = (G.nrows(), G.as_slice());
        self.u.fill(0.0);
        self.scale.fill(0.0);
        for (j, &p_j) in self.p.iter().enumerate() {
            if p_j != 0.0 {
                for (i, g_ij) in g[j * m..(j + 1) * m].iter().enumerate() {
                    let term = g_ij * p_j;
                    self.u[i] += term;
                    self.scale[i] += term.abs();
                }
            }
        }
        self.raise_scales(G);
    }

    /// Rows whose coupling to the impulses is nothing but the round-off of G have a scale
    /// nevertheless: |Gᵢⱼ| may be as large as √(Gᵢᵢ Gⱼⱼ), and its round-off is a fraction of that.
    fn raise_scales(&mut self, G: &DMatrix<f64>) {
        let root = |i: usize| G[(i, i)].max(0.0).sqrt();
        let reach: f64 = self.p.iter().enumerate().map(|(j, p)| root(j) * p.abs()).sum();
        for (i, scale) in self.scale.iter_mut().enumerate() {
            *scale = scale.max(COUPLED * root(i) * reach);
        }
    }

    /// ‖ṗ‖².
    pub fn norm(&self) -> f64 {
        self.p.iter().map(|x| x * x).sum()
    }

    /// Whether the velocities change alike.
    pub fn same_motion(&self, other: &Self) -> bool {
        (0..self.u.len()).all(|i| {
            let scale = self.scale[i].max(other.scale[i]);
            (self.u[i] - other.u[i]).abs() <= SAME * scale
        })
    }

    /// Whether every contact that presses in `other` presses here.
    pub fn covers(&self, other: &Self) -> bool {
        self.modes.iter().zip(&other.modes).all(|(a, b)| a.on || !b.on)
    }
}
