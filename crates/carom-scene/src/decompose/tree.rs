//! A tree of boxes around the triangles of a closed mesh: the nearest of them, those near a point, and whether a point is inside.
//!
//! # Rule
//! Equation (1) of `closed.rs` is counted along a straight way, with exact signs (Shewchuk 1997); if it meets an edge or lies in a
//! triangle, along another one. A point on a triangle is inside.
//!
//! # Tests
//! Here.

use super::closed::Closed;
use nalgebra::Vector3;
use robust::{Coord3D, orient3d};

/// Triangles of a leaf, at most.
const LEAF: usize = 4;

/// Ways to infinity, along none of the directions that meshes have.
const WAYS: [[f64; 3]; 5] = [
    [0.813_726_1, 0.297_134_9, 0.499_581_7],
    [-0.371_904_3, 0.843_171_9, 0.388_213_7],
    [0.219_871_3, -0.558_137_1, 0.800_104_9],
    [-0.681_337_7, -0.421_591_3, -0.598_317_1],
    [0.137_913_1, 0.611_773_9, -0.778_921_3],
];

struct Node {
    low: Vector3<f64>,
    high: Vector3<f64>,
    /// Triangles of a leaf by their places in the order, or the two branches.
    kind: Kind,
}

enum Kind {
    Leaf(usize, usize),
    Fork(usize, usize),
}

/// The tree of a mesh.
pub(crate) struct Tree<'a> {
    pub mesh: &'a Closed,
    nodes: Vec<Node>,
    order: Vec<usize>,
}

impl<'a> Tree<'a> {
    pub fn new(mesh: &'a Closed) -> Self {
        let mut order: Vec<usize> = (0..mesh.corners.len()).collect();
        let centres: Vec<Vector3<f64>> =
            order.iter().map(|&t| mesh.triangle(t).iter().sum::<Vector3<f64>>()).collect();
        let mut tree = Self { mesh, nodes: Vec::new(), order: Vec::new() };
        let count = order.len();
        tree.grow(&mut order, &centres, (0, count));
        tree.order = order;
        tree
    }

    /// The node of a range of the order.
    fn grow(
        &mut self,
        order: &mut [usize],
        centres: &[Vector3<f64>],
        (from, to): (usize, usize),
    ) -> usize {
        let own = &mut order[from..to];
        let (mut low, mut high) =
            (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for p in own.iter().flat_map(|&t| self.mesh.triangle(t)) {
            (low, high) = (low.inf(&p), high.sup(&p));
        }
        let place = self.nodes.len();
        self.nodes.push(Node { low, high, kind: Kind::Leaf(from, to) });
        if to - from > LEAF {
            let axis = (high - low).imax();
            own.sort_by(|&i, &j| centres[i][axis].total_cmp(&centres[j][axis]).then(i.cmp(&j)));
            let middle = usize::midpoint(from, to);
            let one = self.grow(order, centres, (from, middle));
            let other = self.grow(order, centres, (middle, to));
            self.nodes[place].kind = Kind::Fork(one, other);
        }
        place
    }

    /// The distance of a point from the surface.
    pub fn distance(&self, x: &Vector3<f64>) -> f64 {
        let mut best = f64::INFINITY;
        let mut open = vec![(0.0, 0)];
        while let Some((near, place)) = open.pop() {
            if near >= best {
                continue;
            }
            match self.nodes[place].kind {
                Kind::Leaf(from, to) => {
                    for &t in &self.order[from..to] {
                        best = best.min(square_to(x, self.mesh.triangle(t)));
                    }
                }
                Kind::Fork(one, other) => {
                    let mut two = [(self.square(x, one), one), (self.square(x, other), other)];
                    if two[0].0 < two[1].0 {
                        two.swap(0, 1);
                    }
                    open.extend(two);
                }
            }
        }
        best.sqrt()
    }

    /// Whether something holds for all triangles that come nearer to a point than a distance.
    pub fn all_near(
        &self,
        x: &Vector3<f64>,
        distance: f64,
        mut holds: impl FnMut(usize) -> bool,
    ) -> bool {
        let square = distance * distance;
        let mut open = vec![0];
        while let Some(place) = open.pop() {
            if self.square(x, place) > square {
                continue;
            }
            match self.nodes[place].kind {
                Kind::Leaf(from, to) => {
                    for &t in &self.order[from..to] {
                        if square_to(x, self.mesh.triangle(t)) <= square && !holds(t) {
                            return false;
                        }
                    }
                }
                Kind::Fork(one, other) => open.extend([one, other]),
            }
        }
        true
    }

    /// Square of the distance from the box of a node.
    fn square(&self, x: &Vector3<f64>, place: usize) -> f64 {
        let node = &self.nodes[place];
        (x - x.sup(&node.low).inf(&node.high)).norm_squared()
    }

    /// Whether a point is inside or on the surface.
    pub fn is_inside(&self, x: &Vector3<f64>) -> bool {
        let found = WAYS.iter().find_map(|way| self.winding(x, &Vector3::from(*way)));
        found.is_none_or(|w| w >= 1)
    }

    /// The winding number along a way; none if the way does not tell.
    fn winding(&self, x: &Vector3<f64>, way: &Vector3<f64>) -> Option<i64> {
        let root = &self.nodes[0];
        let reach = 2.0 * ((root.high - root.low).norm() + (x - root.low).norm());
        let far = x + way * reach;
        let (low, high) = (x.inf(&far), x.sup(&far));
        let mut sum = 0;
        let mut open = vec![0];
        while let Some(place) = open.pop() {
            let node = &self.nodes[place];
            if (0..3).any(|k| low[k] > node.high[k] || high[k] < node.low[k])
                || self.is_beside(x, way, node)
            {
                continue;
            }
            match node.kind {
                Kind::Leaf(from, to) => {
                    for &t in &self.order[from..to] {
                        sum += crossing((x, &far), self.mesh.triangle(t))?;
                    }
                }
                Kind::Fork(one, other) => open.extend([one, other]),
            }
        }
        Some(sum)
    }

    /// Whether a straight way passes beside a box for sure.
    fn is_beside(&self, x: &Vector3<f64>, way: &Vector3<f64>, node: &Node) -> bool {
        let (half, centre) = ((node.high - node.low) * 0.5, (node.high + node.low) * 0.5 - x);
        let slack = 1e-9 * (centre.amax() + half.amax());
        (0..3).any(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let off = (centre[i] * way[j] - centre[j] * way[i]).abs();
            off > half[i] * way[j].abs() + half[j] * way[i].abs() + slack
        })
    }
}

/// 1 where the way leaves through a triangle, −1 where it enters, 0 where it passes by; none if that cannot be told.
fn crossing((x, far): (&Vector3<f64>, &Vector3<f64>), [a, b, c]: [Vector3<f64>; 3]) -> Option<i64> {
    let sign = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>| {
        let at = |p: &Vector3<f64>| Coord3D { x: p.x, y: p.y, z: p.z };
        orient3d(at(a), at(b), at(c), at(d)).partial_cmp(&0.0).map_or(0, |order| order as i64)
    };
    let (here, there) = (sign(&a, &b, &c, x), sign(&a, &b, &c, far));
    if here == there && here != 0 {
        return Some(0);
    }
    let around = [sign(x, far, &a, &b), sign(x, far, &b, &c), sign(x, far, &c, &a)];
    if around.contains(&1) && around.contains(&-1) {
        return Some(0);
    }
    // On an edge, in the plane, or at the start of the way.
    if around.contains(&0) || here == 0 || there == 0 {
        return None;
    }
    Some(here)
}

/// Square of the distance of a point from a triangle.
pub(crate) fn square_to(x: &Vector3<f64>, [a, b, c]: [Vector3<f64>; 3]) -> f64 {
    let n = (b - a).cross(&(c - a));
    let outside = |p: &Vector3<f64>, q: &Vector3<f64>| n.cross(&(q - p)).dot(&(x - p)) < 0.0;
    let size = n.norm_squared();
    if size > 0.0 && !outside(&a, &b) && !outside(&b, &c) && !outside(&c, &a) {
        let height = n.dot(&(x - a));
        return height * height / size;
    }
    let to = |p: &Vector3<f64>, q: &Vector3<f64>| {
        let d = q - p;
        let length = d.norm_squared();
        let s = if length > 0.0 { (d.dot(&(x - p)) / length).clamp(0.0, 1.0) } else { 0.0 };
        (p + d * s - x).norm_squared()
    };
    to(&a, &b).min(to(&b, &c)).min(to(&c, &a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_file::Triangles;

    /// A cube of edge 2 around the origin, and one of edge 1 in it that faces inward.
    fn hollow() -> Closed {
        let mut mesh = Triangles::default();
        for (half, inward) in [(1.0, false), (0.5, true)] {
            let first = mesh.points.len();
            let at = |i: usize, k: usize| if i >> k & 1 == 1 { half } else { -half };
            mesh.points.extend((0..8).map(|i| Vector3::new(at(i, 0), at(i, 1), at(i, 2))));
            for f in
                [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
            {
                let mut f = f.map(|i: usize| first + i);
                if inward {
                    f.reverse();
                }
                mesh.corners.extend([[f[0], f[1], f[2]], [f[0], f[2], f[3]]]);
            }
        }
        Closed::of(&mesh).unwrap()
    }

    #[test]
    fn eq1_a_hollow_is_outside() {
        let mesh = hollow();
        let tree = Tree::new(&mesh);
        for (x, inside, distance) in [
            ([0.0, 0.0, 0.0], false, 0.5),
            ([0.75, 0.0, 0.0], true, 0.25),
            ([2.0, 0.0, 0.0], false, 1.0),
            ([1.0, 0.2, 0.3], true, 0.0),
            ([2.0, 2.0, 1.0], false, 2_f64.sqrt()),
            ([0.9, 0.9, 0.9], true, 0.1),
        ] {
            let x = Vector3::from(x);
            assert_eq!(tree.is_inside(&x), inside, "{x}");
            assert!((tree.distance(&x) - distance).abs() < 1e-15, "{x}");
        }
    }

    #[test]
    fn an_open_edge_is_named() {
        let mut mesh = hollow();
        mesh.corners.pop();
        let mesh = Triangles { points: mesh.points, corners: mesh.corners, ..Triangles::default() };
        let open = Closed::of(&mesh).unwrap_err();
        assert_eq!(open.triangles, [1, 0]);
        assert!(open.because().contains("one triangle only"), "{}", open.because());
    }
}
