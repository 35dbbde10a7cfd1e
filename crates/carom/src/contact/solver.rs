//! Contact forces of given modes: one linear system.
//!
//! ```text
//! held rows r of all contacts:  Σ_c A_rc λ_c = −b_r,
//! A = G with the normal column of a slipping contact replaced by Gₙ − μd Gₜ û     (1)
//! ```
//! Redundant contacts leave λ undetermined; then λ of least norm is taken. Every solution carries
//! the residual of (1) relative to the size of its terms.

use super::{ContactSystem, Press};
use crate::complementarity::MinNorm;

/// Forces, and the accelerations that follow.
#[derive(Debug, Clone, Default)]
pub struct ContactForces {
    /// λ, rows as in the system.
    pub lambda: Vec<f64>,
    /// w = G λ + b.
    pub w: Vec<f64>,
    /// Largest violation of (1) relative to the largest term of all rows.
    pub residual: f64,
    /// Whether the forces were chosen by least norm.
    pub redundant: bool,
}

impl ContactForces {
    /// Room for so many rows.
    pub fn with_capacity(rows: usize) -> Self {
        Self { lambda: Vec::with_capacity(rows), w: Vec::with_capacity(rows), ..Self::default() }
    }
}

/// Scratch of the linear system.
#[derive(Debug, Clone, Default)]
pub struct SolverScratch {
    system: MinNorm,
    held: Vec<Held>,
}

/// An unknown force and the row that it holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    row: usize,
    /// Slipping contact: friction follows the normal force, −μd û in these tangent rows.
    follows: Option<(usize, usize, [f64; 2])>,
}

impl SolverScratch {
    /// Room for systems of up to `rows` rows.
    pub fn with_capacity(rows: usize) -> Self {
        Self { system: MinNorm::with_capacity(rows), held: Vec::with_capacity(rows) }
    }
}

/// Solve (1) for the modes `press`, one per contact.
pub fn solve_modes(
    system: &ContactSystem,
    press: &[Press],
    scratch: &mut SolverScratch,
    out: &mut ContactForces,
) {
    let m = system.rows();
    out.lambda.clear();
    out.lambda.resize(m, 0.0);
    collect(system, press, &mut scratch.held);
    let k = scratch.held.len();
    out.redundant = false;
    if k == 1 && entry(system, scratch.held[0].row, &scratch.held[0]) != 0.0 {
        let held = scratch.held[0];
        spread(out, &held, -system.b[held.row] / entry(system, held.row, &held));
    } else if k > 0 {
        scratch.system.reset(k, k);
        for (i, to) in scratch.held.iter().enumerate() {
            scratch.system.set_rhs(i, -system.b[to.row]);
            for (j, from) in scratch.held.iter().enumerate() {
                scratch.system.set(i, j, entry(system, to.row, from));
            }
        }
        let x = scratch.system.solve(MinNorm::RANK_TOLERANCE);
        for (held, &x) in scratch.held.iter().zip(x) {
            spread(out, held, x);
        }
        out.redundant = scratch.system.rank() < k;
    }
    out.w.clear();
    out.w.extend((0..m).map(|i| {
        let row = out.lambda.iter().enumerate();
        system.b[i] + row.map(|(j, l)| system.G[(i, j)] * l).sum::<f64>()
    }));
    out.residual = residual(system, &scratch.held, out);
}

fn collect(system: &ContactSystem, press: &[Press], held: &mut Vec<Held>) {
    held.clear();
    for (c, press) in system.contacts.iter().zip(press) {
        match press {
            Press::Open => {}
            Press::Stick => {
                held.extend((c.first..=c.normal()).map(|row| Held { row, follows: None }));
            }
            Press::Slip(d) => {
                let pull = [-c.friction * d[0], -c.friction * d[1]];
                let follows = Some((c.first, c.tangents, pull));
                held.push(Held { row: c.normal(), follows });
            }
        }
    }
}

/// A_rc of equation (1).
fn entry(system: &ContactSystem, row: usize, from: &Held) -> f64 {
    let mut a = system.G[(row, from.row)];
    if let Some((first, tangents, pull)) = from.follows {
        for k in 0..tangents {
            a += system.G[(row, first + k)] * pull[k];
        }
    }
    a
}

fn spread(out: &mut ContactForces, held: &Held, x: f64) {
    out.lambda[held.row] = x;
    if let Some((first, tangents, pull)) = held.follows {
        for k in 0..tangents {
            out.lambda[first + k] = pull[k] * x;
        }
    }
}

/// Largest |w| of the held rows relative to the largest term of any of them: rows that are zero but
/// for round-off are judged by their neighbours.
fn residual(system: &ContactSystem, held: &[Held], out: &ContactForces) -> f64 {
    let (mut worst, mut size) = (0.0_f64, 0.0_f64);
    for h in held {
        let row = out.lambda.iter().enumerate();
        let terms = row.map(|(j, l)| (system.G[(h.row, j)] * l).abs());
        size = terms.fold(size.max(system.b[h.row].abs()), f64::max);
        let w = out.w[h.row].abs();
        worst = if w.is_nan() { f64::NAN } else { worst.max(w) };
    }
    if size > 0.0 { worst / size } else { worst }
}
