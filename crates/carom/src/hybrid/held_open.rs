//! Open sites that closed ones hold in place.
//!
//! # Rule
//! A redundant contact may carry nothing, because least norm would make it pull: the third of three corners in a row, a foot of a
//! stiff table. It is open and touches, and stays where it is, because its row follows from those of the contacts C that are closed,
//! ```text
//! wᵢ = 0,   Gᵢᵢ − Gᵢ꜀ G꜀꜀⁺ G꜀ᵢ = 0   to SAME_MOTION · Gᵢᵢ                              (1)
//! ```
//! States within a step are those of an interpolant, which nothing returns to the constraints, so that its gap is known there to
//! ```text
//! η = rtol ℓ                                                                              (2)
//! ```
//! ℓ the size of the numbers that place it, until the next event of its cluster, wherever it is by then. By round-off alone it would close within every step, and the step end there.
//!
//! # Tests
//! `tests/hybrid_wild.rs`: chain 198 of seed 603, 555 000 steps without it; until the next event: struck 217 of seed 1002.

use super::rows::Rows;
use crate::complementarity::MinNorm;
use crate::coulomb::{Duty, Mode, Tangent};
use crate::numeric::thresholds::{SAME_MOTION, STILL};

/// Buffers of (1).
#[derive(Default)]
pub(crate) struct HeldOpen {
    system: MinNorm,
    closed: Vec<usize>,
}

impl HeldOpen {
    /// Names the sites of (1) in the answer w of these modes; `scale` is what w is round-off of.
    pub fn find(
        &mut self,
        rows: &Rows,
        modes: &[Mode],
        (w, scale): (&[f64], f64),
        found: &mut Vec<usize>,
    ) {
        found.clear();
        let (problem, nb) = (&rows.problem, rows.nb());
        let touches = |k: usize| {
            let c = rows.contact(k);
            let free = !modes[nb + k].held && !c.driven && c.leader.is_none();
            free && w[c.normal()].abs() <= STILL * scale
        };
        if !(0..rows.sites.len()).any(touches) {
            return;
        }
        self.closed.clear();
        for (c, mode) in problem.contacts.iter().zip(modes) {
            if c.duty == Duty::Held || mode.held && mode.tangent == Tangent::Stick {
                self.closed.extend(c.rows());
            } else if mode.held && c.leader.is_none() {
                self.closed.push(c.normal());
            }
        }
        let size = self.closed.len();
        for k in (0..rows.sites.len()).filter(|&k| touches(k)) {
            let own = rows.contact(k).normal();
            self.system.reset(size, size);
            for (r, &i) in self.closed.iter().enumerate() {
                self.system.set_rhs(r, problem.G[(i, own)]);
                for (c, &j) in self.closed.iter().enumerate() {
                    self.system.set(r, c, problem.G[(i, j)]);
                }
            }
            let y = self.system.solve(MinNorm::RANK_TOLERANCE);
            let explained: f64 =
                self.closed.iter().zip(y).map(|(&i, y)| problem.G[(own, i)] * y).sum();
            let all = problem.G[(own, own)];
            if all - explained <= SAME_MOTION * all {
                found.push(rows.sites[k]);
            }
        }
    }
}
