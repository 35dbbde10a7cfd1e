//! The system (3) of the parent in blocks: assembled, factorised, solved.
//!
//! # Law
//! In the order of elimination, with the blocks Aᵢⱼ of two parts,
//! ```text
//! Lᵢⱼ = Aᵢⱼ Aⱼⱼ⁻¹,   Aᵢₖ ← Aᵢₖ − Lᵢⱼ Aⱼₖ     for all later i, k next to j            (1)
//! ```
//! The matrix is not symmetric where contacts slip, but its structure is. Blocks on the diagonal are inverted with
//! pivoting within the block; there is none between blocks, because the identity of (3) keeps them regular.
//!
//! # Tests
//! Beside the code: `eq1_solves_what_a_dense_factorisation_solves`.

use super::order::Order;
use super::problem::{ROWS, SparseProblem};

/// What stands left of and above the diagonal where a part is eliminated.
#[derive(Debug, Clone, Copy, Default)]
struct Panel {
    /// The block on the diagonal.
    diagonal: usize,
    /// Rows of all later neighbours, one after the other.
    lower: usize,
    /// Columns of all later neighbours side by side.
    upper: usize,
    /// How many degrees of freedom these have.
    width: usize,
}

/// The two blocks of a contact that moves two parts: where they begin, and the length of a row of the upper one.
#[derive(Debug, Clone, Copy)]
struct Place {
    lower: usize,
    upper: usize,
    width: usize,
}

/// The blocks and their order; memory is reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Factor {
    order: Order,
    sizes: Vec<usize>,
    starts: Vec<usize>,
    /// Pairs of parts that contacts join, as they were analysed.
    joined: Vec<(usize, usize)>,
    /// Whether there is an order for them.
    known: bool,
    /// By turn.
    panels: Vec<Panel>,
    /// Places of later neighbours within a panel, by turn.
    offsets: Vec<Vec<usize>>,
    data: Vec<f64>,
    of_contact: Vec<Option<Place>>,
    block: Vec<f64>,
    row: Vec<f64>,
    /// Where a row goes: first entry and length of a row of the target, by neighbour.
    targets: Vec<(usize, usize)>,
}

impl Factor {
    /// Order and places of all blocks; false if the factor would cost more than `most` multiplications. Contacts
    /// that join the same parts as those before have the same order.
    pub fn analyse(&mut self, problem: &SparseProblem, most: f64) -> bool {
        let sizes = (0..problem.parts()).map(|part| problem.size(part));
        let pairs = (0..problem.contacts.len()).filter_map(|k| match problem.parts_of(k) {
            [Some(a), Some(b)] if a != b => Some((a.min(b), a.max(b))),
            _ => None,
        });
        let mut joined: Vec<(usize, usize)> = pairs.collect();
        joined.sort_unstable();
        joined.dedup();
        if !self.known || joined != self.joined || !sizes.clone().eq(self.sizes.iter().copied()) {
            self.sizes.clear();
            self.sizes.extend(sizes);
            self.joined = joined;
            self.known = self.order.find(&self.sizes, self.joined.iter().copied(), most);
            if !self.known {
                return false;
            }
            self.lay_out();
        }
        self.starts.clone_from(&problem.starts);
        self.of_contact.clear();
        for k in 0..problem.contacts.len() {
            let place = match problem.parts_of(k) {
                [Some(a), Some(b)] if a != b => Some(self.place(a, b)),
                _ => None,
            };
            self.of_contact.push(place);
        }
        self.order.cost <= most
    }

    /// Multiplications of a factorisation.
    pub fn cost(&self) -> f64 {
        self.order.cost
    }

    /// Numbers that it has, each of which a solve takes once.
    pub fn entries(&self) -> usize {
        self.data.len()
    }

    fn lay_out(&mut self) {
        let n = self.sizes.len();
        self.panels.clear();
        self.offsets.resize(n.max(self.offsets.len()), Vec::new());
        let mut end = 0;
        for turn in 0..n {
            let own = self.size(turn);
            let mut width = 0;
            self.offsets[turn].clear();
            for &later in &self.order.after[turn] {
                self.offsets[turn].push(width);
                width += self.sizes[self.order.parts[later]];
            }
            let (diagonal, lower) = (end, end + own * own);
            let upper = lower + own * width;
            end = upper + own * width;
            self.panels.push(Panel { diagonal, lower, upper, width });
        }
        self.data.clear();
        self.data.resize(end, 0.0);
    }

    /// Degrees of freedom of the part that goes at this turn.
    fn size(&self, turn: usize) -> usize {
        self.sizes[self.order.parts[turn]]
    }

    /// Where the later of two turns stands in the panel of the earlier.
    fn offset(&self, early: usize, late: usize) -> usize {
        self.offsets[early][self.order.after[early].partition_point(|&i| i < late)]
    }

    fn place(&self, a: usize, b: usize) -> Place {
        let (a, b) = (self.order.place[a], self.order.place[b]);
        let early = a.min(b);
        let (panel, at) = (self.panels[early], self.offset(early, a.max(b)));
        let lower = panel.lower + at * self.size(early);
        Place { lower, upper: panel.upper + at, width: panel.width }
    }

    /// The identity.
    pub fn clear(&mut self) {
        self.data.fill(0.0);
        for turn in 0..self.sizes.len() {
            let n = self.size(turn);
            let at = self.panels[turn].diagonal;
            (0..n).for_each(|i| self.data[at + i * n + i] = 1.0);
        }
    }

    /// Add Zₖᵀ C Zₖ.
    pub fn add(&mut self, problem: &SparseProblem, k: usize, C: &[[f64; ROWS]; ROWS]) {
        let mut pieces = problem.pieces(k);
        let (Some(a), b) = (pieces.next(), pieces.next()) else { return };
        for (part, rows) in [Some(a), b].into_iter().flatten() {
            let (at, n) = (self.panels[self.order.place[part]].diagonal, self.sizes[part]);
            self.congruence((at, n), (rows, n), C, (rows, n));
        }
        let (Some(b), Some(place)) = (b, self.of_contact[k]) else { return };
        let (early, late) =
            if self.order.place[a.0] < self.order.place[b.0] { (a, b) } else { (b, a) };
        let (early, late) = ((early.1, self.sizes[early.0]), (late.1, self.sizes[late.0]));
        self.congruence((place.lower, early.1), late, C, early);
        self.congruence((place.upper, place.width), early, C, late);
    }

    /// The block at `at`, whose rows are so far apart, += Lᵀ C R, whose rows have so many entries.
    fn congruence(
        &mut self,
        (at, apart): (usize, usize),
        (left, rows): (&[f64], usize),
        C: &[[f64; ROWS]; ROWS],
        (right, columns): (&[f64], usize),
    ) {
        let m = left.len() / rows;
        for (i, C) in C.iter().enumerate().take(m) {
            for (j, &c) in C.iter().enumerate().take(m) {
                if c == 0.0 {
                    continue;
                }
                let right = &right[j * columns..(j + 1) * columns];
                for (r, l) in left[i * rows..(i + 1) * rows].iter().enumerate() {
                    let row = &mut self.data[at + r * apart..at + r * apart + columns];
                    let factor = l * c;
                    row.iter_mut().zip(right).for_each(|(a, z)| *a += factor * z);
                }
            }
        }
    }

    /// Equation (1); false where a block on the diagonal is singular.
    pub fn factorise(&mut self) -> bool {
        for turn in 0..self.sizes.len() {
            let n = self.size(turn);
            let at = self.panels[turn].diagonal;
            self.block.clear();
            self.block.extend_from_slice(&self.data[at..at + n * n]);
            if !invert(&mut self.block, n, &mut self.data[at..at + n * n]) {
                return false;
            }
            self.divide(turn);
            self.downdate(turn);
        }
        true
    }

    /// Lᵢⱼ in place of Aᵢⱼ.
    fn divide(&mut self, turn: usize) {
        let (n, panel) = (self.size(turn), self.panels[turn]);
        let (before, lower) = self.data.split_at_mut(panel.lower);
        let inverse = &before[panel.diagonal..];
        self.row.clear();
        self.row.resize(n, 0.0);
        for lower in lower[..n * panel.width].chunks_exact_mut(n) {
            combine(lower, inverse, &mut self.row);
            lower.copy_from_slice(&self.row);
        }
    }

    /// Aᵢₖ − Lᵢⱼ Aⱼₖ for all pairs of later neighbours, a row of all k at a time.
    fn downdate(&mut self, turn: usize) {
        let (n, panel) = (self.size(turn), self.panels[turn]);
        self.row.clear();
        self.row.resize(panel.width, 0.0);
        for a in 0..self.order.after[turn].len() {
            let row_turn = self.order.after[turn][a];
            self.aim(turn, row_turn);
            for r in 0..self.size(row_turn) {
                let l = panel.lower + (self.offsets[turn][a] + r) * n;
                let upper = &self.data[panel.upper..panel.upper + n * panel.width];
                combine(&self.data[l..l + n], upper, &mut self.row);
                for (b, &(at, apart)) in self.targets.iter().enumerate() {
                    let from = self.offsets[turn][b];
                    let to = self.targets_end(turn, b, panel.width);
                    let target = &mut self.data[at + r * apart..at + r * apart + to - from];
                    target.iter_mut().zip(&self.row[from..to]).for_each(|(t, x)| *t -= x);
                }
            }
        }
    }

    fn targets_end(&self, turn: usize, b: usize, width: usize) -> usize {
        self.offsets[turn].get(b + 1).copied().unwrap_or(width)
    }

    /// Where the rows of the part that goes at `row` are, at each of the later neighbours of `turn`.
    fn aim(&mut self, turn: usize, row: usize) {
        let mut targets = std::mem::take(&mut self.targets);
        targets.clear();
        targets.extend(self.order.after[turn].iter().map(|&column| {
            let own = self.panels[row];
            match column.cmp(&row) {
                std::cmp::Ordering::Less => {
                    let n = self.size(column);
                    (self.panels[column].lower + self.offset(column, row) * n, n)
                }
                std::cmp::Ordering::Equal => (own.diagonal, self.size(row)),
                std::cmp::Ordering::Greater => (own.upper + self.offset(row, column), own.width),
            }
        }));
        self.targets = targets;
    }

    /// r ← A⁻¹ r.
    pub fn solve(&self, r: &mut [f64]) {
        for turn in 0..self.sizes.len() {
            let (own, panel) = (self.own(turn), self.panels[turn]);
            let mut rows = self.data[panel.lower..panel.upper].chunks_exact(own.len());
            for &later in &self.order.after[turn] {
                for i in self.own(later) {
                    let Some(row) = rows.next() else { break };
                    let sum: f64 = row.iter().zip(&r[own.clone()]).map(|(l, r)| l * r).sum();
                    r[i] -= sum;
                }
            }
        }
        let mut known: Vec<f64> = Vec::new();
        for turn in (0..self.sizes.len()).rev() {
            let (own, panel) = (self.own(turn), self.panels[turn]);
            known.clear();
            for &later in &self.order.after[turn] {
                known.extend_from_slice(&r[self.own(later)]);
            }
            let upper = &self.data[panel.upper..panel.upper + own.len() * panel.width];
            for (i, at) in own.clone().enumerate() {
                let row = &upper[i * panel.width..(i + 1) * panel.width];
                r[at] -= row.iter().zip(&known).map(|(u, r)| u * r).sum::<f64>();
            }
            known.clear();
            known.extend_from_slice(&r[own.clone()]);
            let inverse = &self.data[panel.diagonal..panel.lower];
            for (at, row) in own.clone().zip(inverse.chunks_exact(own.len())) {
                r[at] = row.iter().zip(&known).map(|(a, r)| a * r).sum();
            }
        }
    }

    /// Degrees of freedom of the part that goes at this turn.
    fn own(&self, turn: usize) -> std::ops::Range<usize> {
        let part = self.order.parts[turn];
        self.starts[part]..self.starts[part + 1]
    }
}

/// out = Σ cᵢ rowᵢ, the rows of a matrix one after the other.
fn combine(c: &[f64], rows: &[f64], out: &mut [f64]) {
    match c.len() {
        6 => {
            if let Ok(c) = c.try_into() {
                combine_six(c, rows, out);
            }
        }
        _ => {
            out.fill(0.0);
            for (c, row) in c.iter().zip(rows.chunks_exact(out.len().max(1))) {
                out.iter_mut().zip(row).for_each(|(o, r)| *o += c * r);
            }
        }
    }
}

/// Six rows at once, so that sums stay in registers.
fn combine_six(c: &[f64; 6], rows: &[f64], out: &mut [f64]) {
    let m = out.len();
    let (a, rest) = rows.split_at(m);
    let (b, rest) = rest.split_at(m);
    let (d, rest) = rest.split_at(m);
    let (e, rest) = rest.split_at(m);
    let (f, rest) = rest.split_at(m);
    let g = &rest[..m];
    for i in 0..m {
        out[i] = c[0] * a[i] + c[1] * b[i] + c[2] * d[i] + c[3] * e[i] + c[4] * f[i] + c[5] * g[i];
    }
}

/// The inverse of an n × n matrix by Gauss–Jordan with row pivoting; `A` is used up.
fn invert(A: &mut [f64], n: usize, inverse: &mut [f64]) -> bool {
    inverse.fill(0.0);
    (0..n).for_each(|i| inverse[i * n + i] = 1.0);
    for i in 0..n {
        let size = |r: &usize| A[r * n + i].abs();
        let Some(best) = (i..n).max_by(|a, b| size(a).total_cmp(&size(b))) else { return false };
        if best != i {
            for j in 0..n {
                A.swap(i * n + j, best * n + j);
                inverse.swap(i * n + j, best * n + j);
            }
        }
        let pivot = A[i * n + i];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        for j in 0..n {
            A[i * n + j] /= pivot;
            inverse[i * n + j] /= pivot;
        }
        for r in (0..n).filter(|&r| r != i) {
            let factor = A[r * n + i];
            if factor != 0.0 {
                for j in 0..n {
                    A[r * n + j] -= factor * A[i * n + j];
                    inverse[r * n + j] -= factor * inverse[i * n + j];
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coulomb::problem::Duty;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn eq1_solves_what_a_dense_factorisation_solves() {
        let sizes = [6, 3, 6, 1, 6, 4];
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (2, 4), (0, 5)];
        let mut seed = 7_u64;
        let mut random = move || carom_testing::splitmix64(&mut seed) as f64 / 2f64.powi(64) - 0.5;
        let mut problem = SparseProblem::default();
        problem.reset(sizes.into_iter());
        let n = problem.freedom();
        let mut dense = DMatrix::identity(n, n);
        let mut matrices = Vec::new();
        for (a, b) in edges {
            let mut Z = DMatrix::zeros(3, n);
            problem.push(&[0.0; 3], [0.5; 2], Duty::Coulomb, [Some(a), Some(b)], |part, rows| {
                let size = sizes[part];
                let start: usize = sizes[..part].iter().sum();
                for i in 0..3 {
                    for j in 0..size {
                        rows[i * size + j] = random();
                        Z[(i, start + j)] = rows[i * size + j];
                    }
                }
            });
            let C: [[f64; ROWS]; ROWS] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            dense += Z.transpose() * DMatrix::from_fn(3, 3, |i, j| C[i][j]) * Z;
            matrices.push(C);
        }
        let mut factor = Factor::default();
        assert!(factor.analyse(&problem, 1e9));
        factor.clear();
        matrices.iter().enumerate().for_each(|(k, C)| factor.add(&problem, k, C));
        assert!(factor.factorise());
        let r = DVector::from_fn(n, |_, _| random());
        let mut found = r.as_slice().to_vec();
        factor.solve(&mut found);
        let back = &dense * DVector::from_vec(found);
        assert!((back - &r).amax() < 1e-12 * dense.norm());
    }
}
