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

/// Where the two blocks of two parts are, the later part's row first.
#[derive(Debug, Clone, Copy)]
struct Place {
    lower: usize,
    upper: usize,
}

/// The blocks and their order; memory is reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Factor {
    order: Order,
    sizes: Vec<usize>,
    starts: Vec<usize>,
    /// Place of the block on the diagonal, by turn.
    diagonal: Vec<usize>,
    /// Places of the other blocks, one for each later neighbour, by turn.
    others: Vec<Vec<Place>>,
    data: Vec<f64>,
    /// The two blocks of each contact that moves two parts.
    of_contact: Vec<Option<Place>>,
    block: Vec<f64>,
    lower: Vec<f64>,
}

impl Factor {
    /// Order and places of all blocks; false if the factor would cost more than `most` multiplications.
    pub fn analyse(&mut self, problem: &SparseProblem, most: f64) -> bool {
        self.sizes.clear();
        self.sizes.extend((0..problem.parts()).map(|part| problem.size(part)));
        self.starts.clone_from(&problem.starts);
        let contacts = 0..problem.contacts.len();
        let edges = contacts.filter_map(|k| match problem.parts_of(k) {
            [Some(a), Some(b)] if a != b => Some((a, b)),
            _ => None,
        });
        if !self.order.find(&self.sizes, edges, most) {
            return false;
        }
        self.lay_out();
        self.of_contact.clear();
        for k in 0..problem.contacts.len() {
            let place = match problem.parts_of(k) {
                [Some(a), Some(b)] if a != b => Some(self.place(a, b)),
                _ => None,
            };
            self.of_contact.push(place);
        }
        true
    }

    fn lay_out(&mut self) {
        let n = self.sizes.len();
        self.diagonal.clear();
        self.others.resize(n.max(self.others.len()), Vec::new());
        let mut end = 0;
        for turn in 0..n {
            let own = self.size(turn);
            self.diagonal.push(end);
            end += own * own;
            self.others[turn].clear();
            for &later in &self.order.after[turn] {
                let block = own * self.sizes[self.order.parts[later]];
                self.others[turn].push(Place { lower: end, upper: end + block });
                end += 2 * block;
            }
        }
        self.data.clear();
        self.data.resize(end, 0.0);
    }

    /// Degrees of freedom of the part that goes at this turn.
    fn size(&self, turn: usize) -> usize {
        self.sizes[self.order.parts[turn]]
    }

    fn place(&self, a: usize, b: usize) -> Place {
        let (a, b) = (self.order.place[a], self.order.place[b]);
        let (early, late) = (a.min(b), a.max(b));
        let at = self.order.after[early].partition_point(|&i| i < late);
        self.others[early][at]
    }

    /// The identity.
    pub fn clear(&mut self) {
        self.data.fill(0.0);
        for turn in 0..self.sizes.len() {
            let n = self.size(turn);
            let at = self.diagonal[turn];
            (0..n).for_each(|i| self.data[at + i * n + i] = 1.0);
        }
    }

    /// Add Zₖᵀ C Zₖ.
    pub fn add(&mut self, problem: &SparseProblem, k: usize, C: &[[f64; ROWS]; ROWS]) {
        let mut pieces = problem.pieces(k);
        let (Some(a), b) = (pieces.next(), pieces.next()) else { return };
        for (part, rows) in [Some(a), b].into_iter().flatten() {
            let at = self.diagonal[self.order.place[part]];
            self.congruence(at, (rows, self.sizes[part]), C, (rows, self.sizes[part]));
        }
        let (Some(b), Some(place)) = (b, self.of_contact[k]) else { return };
        let (early, late) =
            if self.order.place[a.0] < self.order.place[b.0] { (a, b) } else { (b, a) };
        let (early, late) = ((early.1, self.sizes[early.0]), (late.1, self.sizes[late.0]));
        self.congruence(place.lower, late, C, early);
        self.congruence(place.upper, early, C, late);
    }

    /// The block at `at` += Lᵀ C R, whose rows have so many entries.
    fn congruence(
        &mut self,
        at: usize,
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
                    let row = &mut self.data[at + r * columns..at + (r + 1) * columns];
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
            let at = self.diagonal[turn];
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
        let n = self.size(turn);
        let at = self.diagonal[turn];
        for k in 0..self.others[turn].len() {
            let lower = self.others[turn][k].lower;
            let m = self.size(self.order.after[turn][k]);
            self.block.clear();
            self.block.extend_from_slice(&self.data[lower..lower + m * n]);
            self.lower.clear();
            self.lower.resize(m * n, 0.0);
            product(&self.block, &self.data[at..at + n * n], n, n, 1.0, &mut self.lower);
            self.data[lower..lower + m * n].copy_from_slice(&self.lower);
        }
    }

    /// Aᵢₖ − Lᵢⱼ Aⱼₖ for all pairs of later neighbours.
    fn downdate(&mut self, turn: usize) {
        let n = self.size(turn);
        let count = self.others[turn].len();
        for b in 0..count {
            let (column, from) = (self.order.after[turn][b], self.others[turn][b]);
            let mb = self.size(column);
            self.subtract((from.lower, mb), (from.upper, mb), n, self.diagonal[column]);
            let mut at = 0;
            for a in b + 1..count {
                let (row, with) = (self.order.after[turn][a], self.others[turn][a]);
                while self.order.after[column][at] < row {
                    at += 1;
                }
                let (ma, target) = (self.size(row), self.others[column][at]);
                self.subtract((with.lower, ma), (from.upper, mb), n, target.lower);
                self.subtract((from.lower, mb), (with.upper, ma), n, target.upper);
            }
        }
    }

    /// The block at `target` −= that at `left` (rows × n) times that at `right` (n × columns). Targets lie behind
    /// their sources.
    fn subtract(
        &mut self,
        (left, rows): (usize, usize),
        (right, columns): (usize, usize),
        n: usize,
        target: usize,
    ) {
        let (sources, targets) = self.data.split_at_mut(target);
        let left = &sources[left..left + rows * n];
        let right = &sources[right..right + n * columns];
        product(left, right, n, columns, -1.0, &mut targets[..rows * columns]);
    }

    /// r ← A⁻¹ r.
    pub fn solve(&self, r: &mut [f64]) {
        for turn in 0..self.sizes.len() {
            let part = self.order.parts[turn];
            let own = self.starts[part]..self.starts[part + 1];
            for (&later, place) in self.order.after[turn].iter().zip(&self.others[turn]) {
                let other = self.order.parts[later];
                for i in 0..self.sizes[other] {
                    let row = &self.data[place.lower + i * own.len()..][..own.len()];
                    let sum: f64 = row.iter().zip(&r[own.clone()]).map(|(l, r)| l * r).sum();
                    r[self.starts[other] + i] -= sum;
                }
            }
        }
        let mut own: Vec<f64> = Vec::new();
        for turn in (0..self.sizes.len()).rev() {
            let part = self.order.parts[turn];
            let (start, n) = (self.starts[part], self.sizes[part]);
            for (&later, place) in self.order.after[turn].iter().zip(&self.others[turn]) {
                let other = self.order.parts[later];
                let m = self.sizes[other];
                for i in 0..n {
                    let row = &self.data[place.upper + i * m..][..m];
                    let from = &r[self.starts[other]..self.starts[other] + m];
                    let sum: f64 = row.iter().zip(from).map(|(u, r)| u * r).sum();
                    r[start + i] -= sum;
                }
            }
            own.clear();
            own.extend_from_slice(&r[start..start + n]);
            let at = self.diagonal[turn];
            for i in 0..n {
                let row = &self.data[at + i * n..at + (i + 1) * n];
                r[start + i] = row.iter().zip(&own).map(|(a, r)| a * r).sum();
            }
        }
    }
}

/// out += sign × left (rows × n) times right (n × columns).
fn product(left: &[f64], right: &[f64], n: usize, columns: usize, sign: f64, out: &mut [f64]) {
    match (n, columns) {
        (6, 6) => fixed::<6, 6>(left, right, sign, out),
        (3, 3) => fixed::<3, 3>(left, right, sign, out),
        _ => {
            for (out, left) in out.chunks_exact_mut(columns).zip(left.chunks_exact(n)) {
                for (l, right) in left.iter().zip(right.chunks_exact(columns)) {
                    out.iter_mut().zip(right).for_each(|(o, r)| *o += sign * l * r);
                }
            }
        }
    }
}

/// The same with sizes that the compiler knows.
#[inline(always)]
fn fixed<const N: usize, const C: usize>(left: &[f64], right: &[f64], sign: f64, out: &mut [f64]) {
    for (out, left) in out.chunks_exact_mut(C).zip(left.chunks_exact(N)) {
        let mut sum = [0.0; C];
        for k in 0..N {
            let l = left[k];
            for j in 0..C {
                sum[j] += l * right[k * C + j];
            }
        }
        for j in 0..C {
            out[j] += sign * sum[j];
        }
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
            let C: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
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
