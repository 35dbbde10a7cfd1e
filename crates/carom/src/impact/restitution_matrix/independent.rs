//! An independent set of rows and the impulses that give all of them their velocity.

use crate::numeric::thresholds::matrix::DEPENDENT;
use nalgebra::{DMatrix, DVector};

use crate::complementarity::MinNorm;
use crate::impact::contact_space::{reshape, reshape_vector};

/// Buffers of the factorisation.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndependentRows {
    chosen: Vec<usize>,
    L: DMatrix<f64>,
    y: DVector<f64>,
    system: MinNorm,
}

impl IndependentRows {
    /// Impulses p with (G p)ᵢ = changeᵢ on an independent subset of `rows`, taken in order.
    pub fn solve(
        &mut self,
        G: &DMatrix<f64>,
        rows: &[usize],
        change: &DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        self.factor(G, rows);
        reshape_vector(p, G.nrows());
        let m = self.chosen.len();
        reshape_vector(&mut self.y, m);
        for r in 0..m {
            let known: f64 = (0..r).map(|k| self.L[(r, k)] * self.y[k]).sum();
            self.y[r] = (change[self.chosen[r]] - known) / self.L[(r, r)];
        }
        for r in (0..m).rev() {
            let known: f64 = (r + 1..m).map(|k| self.L[(k, r)] * self.y[k]).sum();
            self.y[r] = (self.y[r] - known) / self.L[(r, r)];
            p[self.chosen[r]] = self.y[r];
        }
        if m < rows.len() {
            self.share(G, rows, p);
        }
    }

    /// Cholesky factor of G over the rows that are independent of those before.
    fn factor(&mut self, G: &DMatrix<f64>, rows: &[usize]) {
        reshape(&mut self.L, rows.len(), rows.len());
        self.chosen.clear();
        for &i in rows {
            let r = self.chosen.len();
            for c in 0..r {
                let known: f64 = (0..c).map(|k| self.L[(r, k)] * self.L[(c, k)]).sum();
                self.L[(r, c)] = (G[(i, self.chosen[c])] - known) / self.L[(c, c)];
            }
            let rest = G[(i, i)] - (0..r).map(|k| self.L[(r, k)].powi(2)).sum::<f64>();
            if rest > DEPENDENT * G[(i, i)] {
                self.L[(r, r)] = rest.sqrt();
                self.chosen.push(i);
            }
        }
    }

    /// Replaces p by the impulses of minimum norm over all rows with the same G p.
    fn share(&mut self, G: &DMatrix<f64>, rows: &[usize], p: &mut DVector<f64>) {
        self.system.reset(rows.len(), rows.len());
        for (r, &i) in rows.iter().enumerate() {
            self.system.set_rhs(r, G.row(i).tr_dot(p));
            for (c, &j) in rows.iter().enumerate() {
                self.system.set(r, c, G[(i, j)]);
            }
        }
        let shared = self.system.solve(MinNorm::RANK_TOLERANCE);
        for (&i, &value) in rows.iter().zip(shared) {
            p[i] = value;
        }
    }
}
