//! The dual simplex method on bases of active rows.
//!
//! ```text
//! B x = b_B,   Bᵀ y = c,   y ≥ 0 on rows that are no equality            (1)
//! a_r = Bᵀ α,  t = min y_k/α_k over α_k > 0                              (2)
//! ```
//! B holds as many rows as there are variables. The row r that is violated most enters, the row of
//! the smallest ratio (2) leaves, and y stays ≥ 0; where no row can leave, Σ α_k B_k = a_r with
//! α ≤ 0 contradicts r. At a corner of the box whose sides agree with the signs of c, (1) holds at
//! the start. After many pivots without progress the rows with the lowest numbers are taken
//! (Bland's rule), which cannot cycle.

use super::error::{Participant, ProgramError};
use super::scaled::{Row, Scaled};
use crate::thresholds;
use crate::thresholds::simplex::{CONTRADICTION, PIVOT, ROUND_OFF, SLACK, STEP};
use nalgebra::{DMatrix, DVector};

/// Violations below this count as none; rows and variables have unit size.
pub(super) const FEASIBLE: f64 = thresholds::simplex::FEASIBLE;
/// Pivots between two fresh factorisations.
const REFRESH: usize = 25;
/// Pivots without progress after which Bland's rule takes over.
const STALL: usize = 60;

/// A row of the basis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Active {
    /// xⱼ ≤ uⱼ.
    Upper(usize),
    /// −xⱼ ≤ −lⱼ.
    Lower(usize),
    /// A row, or an equality turned by the sign.
    Row(usize, f64),
}

/// Basis, primal and dual point.
#[derive(Debug, Clone)]
pub(super) struct Simplex {
    pub(super) basis: Vec<Active>,
    inverse: DMatrix<f64>,
    pub(super) x: DVector<f64>,
    pub(super) y: DVector<f64>,
    alpha: DVector<f64>,
    pub(super) pivots: usize,
    stalled: usize,
    fresh: bool,
    ignored: Vec<Active>,
}

impl Simplex {
    /// At the corner of the box that c points to.
    pub(super) fn new(program: &Scaled) -> Self {
        let n = program.objective.len();
        let up = |j: usize| program.objective[j] > 0.0;
        let corner = |j: usize| if up(j) { program.upper[j] } else { program.lower[j] };
        Self {
            basis: (0..n)
                .map(|j| if up(j) { Active::Upper(j) } else { Active::Lower(j) })
                .collect(),
            inverse: DMatrix::from_fn(n, n, |i, j| match (i == j, up(j)) {
                (true, true) => 1.0,
                (true, false) => -1.0,
                _ => 0.0,
            }),
            x: DVector::from_fn(n, |j, _| corner(j)),
            y: program.objective.abs(),
            alpha: DVector::zeros(n),
            pivots: 0,
            stalled: 0,
            fresh: true,
            ignored: Vec::new(),
        }
    }

    /// Exchange rows until none is violated; the answer comes from a fresh factorisation.
    pub(super) fn solve(&mut self, program: &Scaled, limit: usize) -> Result<(), ProgramError> {
        self.ignored.clear();
        loop {
            match self.worst(program) {
                None if self.fresh => return Ok(()),
                Some((_, excess)) if self.fresh && excess < ROUND_OFF => return Ok(()),
                None => self.refresh(program)?,
                Some(_) if self.pivots >= limit => return Err(ProgramError::PivotLimit { limit }),
                Some((row, excess)) => self.enter(program, row, excess)?,
            }
            if !self.fresh && self.pivots.is_multiple_of(REFRESH) {
                self.refresh(program)?;
            }
        }
    }

    /// The row that is violated most (with Bland's rule, the first one) and by how much.
    fn worst(&self, program: &Scaled) -> Option<(Active, f64)> {
        let mut worst: Option<(Active, f64)> = None;
        let bland = self.stalled > STALL;
        let mut see = |row: Active, excess: f64| {
            let beats = worst.is_none_or(|(_, w)| !bland && excess > w);
            // A row of the basis is off by round-off only, which a fresh factorisation takes away.
            if excess > FEASIBLE && beats && !self.holds(row) && !self.ignored.contains(&row) {
                worst = Some((row, excess));
            }
        };
        for (i, row) in program.rows.iter().enumerate() {
            let excess = row.normal.dot(&self.x) - row.bound;
            let sign = if row.equality && excess < 0.0 { -1.0 } else { 1.0 };
            see(Active::Row(i, sign), sign * excess);
        }
        for j in 0..self.x.len() {
            see(Active::Upper(j), self.x[j] - program.upper[j]);
            see(Active::Lower(j), program.lower[j] - self.x[j]);
        }
        worst
    }

    /// Whether the row is in the basis, an equality turned either way.
    fn holds(&self, row: Active) -> bool {
        self.basis.iter().any(|&active| match (active, row) {
            (Active::Row(i, _), Active::Row(j, _)) => i == j,
            (a, b) => a == b,
        })
    }

    /// One exchange, equation (2).
    fn enter(&mut self, program: &Scaled, row: Active, excess: f64) -> Result<(), ProgramError> {
        self.express(program, row);
        let Some((k, t)) = self.leaving(program) else {
            if excess < CONTRADICTION {
                self.ignored.push(row);
                return Ok(());
            }
            return Err(self.contradiction(program, row));
        };
        let pivot = self.alpha[k];
        let column = self.inverse.column(k).into_owned();
        self.x.axpy(-excess / pivot, &column, 1.0);
        self.y.axpy(-t, &self.alpha, 1.0);
        self.y[k] = t;
        self.alpha[k] -= 1.0;
        self.inverse.ger(-1.0 / pivot, &column, &self.alpha, 1.0);
        self.basis[k] = row;
        self.pivots += 1;
        self.fresh = false;
        self.stalled = if t > STEP { 0 } else { self.stalled + 1 };
        Ok(())
    }

    /// α with a_r = Bᵀ α.
    fn express(&mut self, program: &Scaled, row: Active) {
        match row {
            Active::Upper(j) => self.alpha.copy_from(&self.inverse.row(j).transpose()),
            Active::Lower(j) => self.alpha.copy_from(&-self.inverse.row(j).transpose()),
            Active::Row(i, sign) => {
                self.alpha.gemv_tr(sign, &self.inverse, &program.rows[i].normal, 0.0)
            }
        }
    }

    /// The row that leaves and the ratio. Multipliers may fall below zero by [`SLACK`]: among all rows
    /// that this lets pass the largest pivot is taken, for stability (Harris' test).
    fn leaving(&self, program: &Scaled) -> Option<(usize, f64)> {
        let can = |k: usize| self.alpha[k] > PIVOT && !is_equality(program, self.basis[k]);
        let ratio = |k: usize| self.y[k].max(0.0) / self.alpha[k];
        let candidates = || (0..self.basis.len()).filter(|&k| can(k));
        if self.stalled > STALL {
            let least = candidates().map(ratio).fold(f64::INFINITY, f64::min);
            let tied = candidates().filter(|&k| ratio(k) <= least);
            let k = tied.min_by_key(|&k| order(self.basis[k], program))?;
            return Some((k, least));
        }
        let most = candidates()
            .map(|k| (self.y[k].max(0.0) + SLACK) / self.alpha[k])
            .fold(f64::INFINITY, f64::min);
        let passed = candidates().filter(|&k| ratio(k) <= most);
        let k = passed.max_by(|&a, &b| self.alpha[a].total_cmp(&self.alpha[b]))?;
        Some((k, ratio(k)))
    }

    /// Farkas' alternative: the rows whose combination cannot hold.
    fn contradiction(&self, program: &Scaled, row: Active) -> ProgramError {
        let mut participants = vec![(participant(program, row), 1.0)];
        for (k, &active) in self.basis.iter().enumerate() {
            if self.alpha[k].abs() > PIVOT {
                participants.push((participant(program, active), self.alpha[k].abs()));
            }
        }
        participants.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        participants.dedup_by_key(|p| p.0);
        participants.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ProgramError::Infeasible { participants }
    }

    /// Inverse, x and y from the rows themselves.
    fn refresh(&mut self, program: &Scaled) -> Result<(), ProgramError> {
        let n = self.x.len();
        let mut B = DMatrix::zeros(n, n);
        let mut b = DVector::zeros(n);
        for (k, &active) in self.basis.iter().enumerate() {
            match active {
                Active::Upper(j) => (B[(k, j)], b[k]) = (1.0, program.upper[j]),
                Active::Lower(j) => (B[(k, j)], b[k]) = (-1.0, -program.lower[j]),
                Active::Row(i, sign) => {
                    let Row { normal, bound, .. } = &program.rows[i];
                    B.row_mut(k).copy_from(&(normal.transpose() * sign));
                    b[k] = sign * bound;
                }
            }
        }
        let singular = ProgramError::Singular { pivots: self.pivots };
        self.inverse = B.clone().lu().try_inverse().ok_or(singular)?;
        self.x = &self.inverse * &b;
        // One step of refinement takes out the round-off of the inverse.
        self.x += &self.inverse * (&b - &B * &self.x);
        self.y = self.inverse.tr_mul(&program.objective);
        let missed = &program.objective - B.tr_mul(&self.y);
        self.y += self.inverse.tr_mul(&missed);
        self.fresh = true;
        Ok(())
    }
}

fn is_equality(program: &Scaled, active: Active) -> bool {
    matches!(active, Active::Row(i, _) if program.rows[i].equality)
}

/// A fixed order of all rows for Bland's rule: that of [`Simplex::worst`].
fn order(active: Active, program: &Scaled) -> usize {
    match active {
        Active::Row(i, _) => i,
        Active::Upper(j) => program.rows.len() + 2 * j,
        Active::Lower(j) => program.rows.len() + 2 * j + 1,
    }
}

pub(super) fn participant(program: &Scaled, active: Active) -> Participant {
    match active {
        Active::Upper(j) => Participant::Upper(j),
        Active::Lower(j) => Participant::Lower(j),
        Active::Row(i, _) => program.rows[i].source,
    }
}
