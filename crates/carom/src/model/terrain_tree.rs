//! A tree of boxes around triangles: halves by the middle along the longest side.

use nalgebra::Vector3;

/// Most triangles of a leaf.
const LEAF: usize = 4;

#[derive(Debug, Clone, PartialEq)]
struct Node {
    low: Vector3<f64>,
    high: Vector3<f64>,
    /// Its triangles in the order of the tree.
    first: usize,
    count: usize,
    /// The second half; the first half is the node after this one. None in a leaf.
    second: Option<usize>,
}

/// A tree of boxes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<usize>,
}

impl Tree {
    pub fn new(points: &[Vector3<f64>], corners: &[[usize; 3]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..corners.len()).collect() };
        tree.grow(points, corners, 0, corners.len());
        tree
    }

    fn grow(
        &mut self,
        points: &[Vector3<f64>],
        corners: &[[usize; 3]],
        first: usize,
        count: usize,
    ) {
        let of = |t: usize| corners[t].map(|i| points[i]);
        let all = &mut self.order[first..first + count];
        let mut low = points[corners[all[0]][0]];
        let mut high = low;
        for p in all.iter().flat_map(|&t| of(t)) {
            (low, high) = (low.inf(&p), high.sup(&p));
        }
        let me = self.nodes.len();
        self.nodes.push(Node { low, high, first, count, second: None });
        if count <= LEAF {
            return;
        }
        let axis = (high - low).imax();
        let middle = |t: usize| of(t).iter().map(|p| p[axis]).sum::<f64>();
        // Equal middles keep the order of the file.
        all.sort_by(|&s, &t| middle(s).total_cmp(&middle(t)).then(s.cmp(&t)));
        let half = count / 2;
        self.grow(points, corners, first, half);
        self.nodes[me].second = Some(self.nodes.len());
        self.grow(points, corners, first + half, count - half);
    }

    /// All triangles of leaves whose boxes meet a box.
    pub fn within(&self, low: &Vector3<f64>, high: &Vector3<f64>, visit: &mut impl FnMut(usize)) {
        let mut at = 0;
        let mut open = [0_usize; 64];
        let mut waiting = 0;
        loop {
            let node = &self.nodes[at];
            let meets = (0..3).all(|k| node.low[k] <= high[k] && node.high[k] >= low[k]);
            match node.second {
                Some(second) if meets => {
                    open[waiting] = second;
                    waiting += 1;
                    at += 1;
                    continue;
                }
                None if meets => {
                    self.order[node.first..node.first + node.count].iter().for_each(|&t| visit(t));
                }
                _ => {}
            }
            if waiting == 0 {
                return;
            }
            waiting -= 1;
            at = open[waiting];
        }
    }

    /// All triangles of leaves whose boxes are within `reach` of a box.
    pub fn near(
        &self,
        (low, high): (&Vector3<f64>, &Vector3<f64>),
        reach: f64,
        visit: &mut impl FnMut(usize),
    ) {
        self.seek(0, (low, high), reach * reach, visit);
    }

    fn seek(
        &self,
        at: usize,
        wanted: (&Vector3<f64>, &Vector3<f64>),
        square: f64,
        visit: &mut impl FnMut(usize),
    ) {
        let node = &self.nodes[at];
        if between((&node.low, &node.high), wanted) > square {
            return;
        }
        match node.second {
            Some(second) => {
                self.seek(at + 1, wanted, square, visit);
                self.seek(second, wanted, square, visit);
            }
            None => self.order[node.first..node.first + node.count].iter().for_each(|&t| visit(t)),
        }
    }

    /// The nearest point to x of those that `closest` tells for triangles; the first of equally near ones.
    pub fn nearest(
        &self,
        x: &Vector3<f64>,
        closest: &impl Fn(usize) -> Vector3<f64>,
    ) -> (Vector3<f64>, usize) {
        let mut best = (f64::INFINITY, *x, 0);
        self.search(0, x, closest, &mut best);
        (best.1, best.2)
    }

    fn away(&self, node: usize, x: &Vector3<f64>) -> f64 {
        let n = &self.nodes[node];
        between((&n.low, &n.high), (x, x))
    }

    fn search(
        &self,
        at: usize,
        x: &Vector3<f64>,
        closest: &impl Fn(usize) -> Vector3<f64>,
        best: &mut (f64, Vector3<f64>, usize),
    ) {
        if self.away(at, x) > best.0 {
            return;
        }
        let node = &self.nodes[at];
        let Some(second) = node.second else {
            for &t in &self.order[node.first..node.first + node.count] {
                let p = closest(t);
                let d = (p - x).norm_squared();
                if d < best.0 || d == best.0 && t < best.2 {
                    *best = (d, p, t);
                }
            }
            return;
        };
        let nearer_first = self.away(at + 1, x) <= self.away(second, x);
        let halves = if nearer_first { [at + 1, second] } else { [second, at + 1] };
        halves.into_iter().for_each(|half| self.search(half, x, closest, best));
    }
}

/// Square of the distance of two boxes.
pub(super) fn between(
    (low, high): (&Vector3<f64>, &Vector3<f64>),
    (bottom, top): (&Vector3<f64>, &Vector3<f64>),
) -> f64 {
    let beside = |k: usize| (low[k] - top[k]).max(bottom[k] - high[k]).max(0.0);
    (0..3).map(|k| beside(k) * beside(k)).sum()
}
