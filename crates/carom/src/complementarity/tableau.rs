//! The pivoting tableau of Lemke's method.
//!
//! Rows are equations `w − M z − d z₀ = q`; columns are w (0..n), z (n..2n), z₀ (2n) and the
//! constant (2n + 1). Because the w columns start as the identity, they always hold B⁻¹: the
//! lexicographic rule reads it, and so does the refinement of the final basis.

/// A full tableau with its basis.
#[derive(Debug, Clone, Default)]
pub(super) struct Tableau {
    pub size: usize,
    width: usize,
    cells: Vec<f64>,
    /// variable that is basic in each row
    pub basis: Vec<usize>,
    /// rows whose basic variable has a bound, so that it may block
    pub bounded: Vec<bool>,
    /// order in which the columns of B⁻¹ break ties
    pub ties: Vec<usize>,
    candidates: Vec<usize>,
}

impl Tableau {
    /// Smallest entry of an equilibrated tableau that is used as a pivot.
    pub const PIVOT: f64 = crate::numeric::thresholds::complementarity::PIVOT;
    const TIE: f64 = crate::numeric::thresholds::complementarity::TIE;

    pub fn with_capacity(size: usize) -> Self {
        Self {
            cells: Vec::with_capacity(size * (2 * size + 2)),
            basis: Vec::with_capacity(size),
            bounded: Vec::with_capacity(size),
            ties: Vec::with_capacity(size),
            candidates: Vec::with_capacity(size),
            ..Self::default()
        }
    }

    /// Identity in the w columns, w basic, everything else zero.
    pub fn reset(&mut self, size: usize) {
        (self.size, self.width) = (size, 2 * size + 2);
        self.cells.clear();
        self.cells.resize(size * self.width, 0.0);
        self.basis.clear();
        self.basis.extend(0..size);
        self.bounded.clear();
        self.bounded.resize(size, true);
        self.ties.clear();
        for i in 0..size {
            *self.cell(i, i) = 1.0;
        }
    }

    /// Column of the artificial variable z₀.
    pub fn artificial(&self) -> usize {
        2 * self.size
    }

    /// Column of the constant.
    pub fn constant(&self) -> usize {
        2 * self.size + 1
    }

    /// Partner of w or z in the complementarity condition.
    pub fn complement(&self, variable: usize) -> usize {
        if variable < self.size { variable + self.size } else { variable - self.size }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.width + column]
    }

    pub fn cell(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.width + column]
    }

    /// Makes `column` basic in `row`.
    pub fn pivot(&mut self, row: usize, column: usize) {
        let inverse = 1.0 / self.at(row, column);
        for j in 0..self.width {
            *self.cell(row, j) *= inverse;
        }
        *self.cell(row, column) = 1.0;
        for i in (0..self.size).filter(|&i| i != row) {
            let factor = self.at(i, column);
            if factor == 0.0 {
                continue;
            }
            for j in 0..self.width {
                let change = factor * self.at(row, j);
                *self.cell(i, j) -= change;
            }
            *self.cell(i, column) = 0.0;
        }
        self.basis[row] = column;
    }

    /// Row of the lexicographically smallest (constant, B⁻¹)/column over admissible rows;
    /// none means a ray. z₀ leaves whenever it is among the smallest ratios.
    pub fn leaving(&mut self, column: usize) -> Option<usize> {
        let largest = (0..self.size).map(|i| self.at(i, column).abs()).fold(0.0, f64::max);
        let smallest = Self::PIVOT * largest.max(1.0);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates
            .extend((0..self.size).filter(|&i| self.bounded[i] && self.at(i, column) > smallest));
        self.keep_smallest(&mut candidates, self.constant(), column);
        let artificial = candidates.iter().copied().find(|&i| self.basis[i] == self.artificial());
        for k in 0..self.ties.len() {
            if candidates.len() < 2 || artificial.is_some() {
                break;
            }
            self.keep_smallest(&mut candidates, self.ties[k], column);
        }
        let row = artificial.or(candidates.first().copied());
        self.candidates = candidates;
        row
    }

    /// First pivot: the row where `entry/d` is lexicographically smallest, d = −z₀ column.
    pub fn most_violated(&mut self) -> Option<usize> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates.extend((0..self.size).filter(|&i| self.bounded[i]));
        let (constant, artificial) = (self.constant(), self.artificial());
        // −d is negative, so the smallest of entry/d is the largest of entry/(−d)
        self.keep_largest(&mut candidates, constant, artificial);
        for k in 0..self.ties.len() {
            if candidates.len() < 2 {
                break;
            }
            self.keep_largest(&mut candidates, self.ties[k], artificial);
        }
        let row = candidates.first().copied();
        self.candidates = candidates;
        row
    }

    fn keep_smallest(&self, candidates: &mut Vec<usize>, entry: usize, column: usize) {
        let ratio = |i: usize| self.at(i, entry) / self.at(i, column);
        let best = candidates.iter().map(|&i| ratio(i)).fold(f64::INFINITY, f64::min);
        candidates.retain(|&i| ratio(i) <= best + Self::TIE * best.abs().max(1.0));
    }

    fn keep_largest(&self, candidates: &mut Vec<usize>, entry: usize, column: usize) {
        let ratio = |i: usize| self.at(i, entry) / self.at(i, column);
        let best = candidates.iter().map(|&i| ratio(i)).fold(f64::NEG_INFINITY, f64::max);
        candidates.retain(|&i| ratio(i) >= best - Self::TIE * best.abs().max(1.0));
    }
}
