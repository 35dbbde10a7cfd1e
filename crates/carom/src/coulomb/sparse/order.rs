//! An order of elimination with little fill: the part with the fewest neighbours goes first.
//!
//! Eliminating a part joins all its neighbours to each other. The structure that is left for each part, its
//! neighbours at that time, is the structure of its column of the factor.

use std::collections::BTreeSet;

/// Parts in order of elimination, and the later neighbours of each.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    /// The part that goes i-th.
    pub parts: Vec<usize>,
    /// When a part goes.
    pub place: Vec<usize>,
    /// Later neighbours of the i-th part by their own places, ascending.
    pub after: Vec<Vec<usize>>,
    /// Multiplications of a factorisation.
    pub cost: f64,
    neighbours: Vec<BTreeSet<usize>>,
}

impl Order {
    /// Order parts of these sizes that `edges` join. False if the factor would cost more than `most`
    /// multiplications; then there is no order.
    pub fn find(
        &mut self,
        sizes: &[usize],
        edges: impl Iterator<Item = (usize, usize)>,
        most: f64,
    ) -> bool {
        let n = sizes.len();
        self.neighbours.iter_mut().for_each(BTreeSet::clear);
        self.neighbours.resize(n.max(self.neighbours.len()), BTreeSet::new());
        for (a, b) in edges {
            self.neighbours[a].insert(b);
            self.neighbours[b].insert(a);
        }
        self.parts.clear();
        self.after.resize(n, Vec::new());
        self.place.clear();
        self.place.resize(n, usize::MAX);
        let mut queue: BTreeSet<(usize, usize)> =
            (0..n).map(|i| (self.neighbours[i].len(), i)).collect();
        self.cost = 0.0;
        while let Some((_, part)) = queue.pop_first() {
            let around = std::mem::take(&mut self.neighbours[part]);
            let width: usize = around.iter().map(|&i| sizes[i]).sum();
            self.cost += (sizes[part] * (width + sizes[part]).pow(2)) as f64;
            if self.cost > most {
                return false;
            }
            for &i in &around {
                queue.remove(&(self.neighbours[i].len(), i));
                self.neighbours[i].remove(&part);
                self.neighbours[i].extend(around.iter().filter(|&&j| j != i));
                queue.insert((self.neighbours[i].len(), i));
            }
            let turn = self.parts.len();
            self.place[part] = turn;
            self.parts.push(part);
            self.after[turn].clear();
            self.after[turn].extend(around.iter());
        }
        for after in &mut self.after[..n] {
            after.iter_mut().for_each(|part| *part = self.place[*part]);
            after.sort_unstable();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_no_fill_and_a_star_ends_with_its_hub() {
        let mut order = Order::default();
        assert!(order.find(&[6; 9], (0..8).map(|i| (i, i + 1)), 1e9));
        assert!(order.after.iter().all(|a| a.len() <= 1));
        assert!(order.find(&[6; 5], (1..5).map(|i| (0, i)), 1e9));
        assert!(order.place[0] >= 3 && order.after[..5].iter().map(Vec::len).sum::<usize>() == 4);
        assert!(!order.find(&[6; 5], (1..5).map(|i| (0, i)), 1e2));
    }
}
