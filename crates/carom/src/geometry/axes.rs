//! Which axes can have the greatest separation of two polytopes, and which has.
//!
//! # Law
//! Along a normal n of a feature of A through x the separation is a minimum over the points of B, and so at most that of any
//! of them:
//! ```text
//! s(n) = min n·x_B − n·x ≤ n·(y − x) for every y of B                                        (1)
//! ```
//! Faces are looked at in the order of their bounds, those by the corners of B that were found lowest so far, until no
//! bound reaches the greatest separation found. The normals of an edge with direction d are on the arc between those of its two faces, so that
//! ```text
//! s ≤ ‖w⊥‖ if w⊥ is among them, else max(n₁·w, n₂·w),     w = y − x,  w⊥ = w − d d·w          (2)
//!   ≤ m/cos φ if m > 0, else m,      m = max(n₁·w, n₂·w),  2φ the angle between n₁ and n₂       (3)
//! ```
//! (3) because the end of the arc that is nearer to w⊥ is within φ of it; n₁·w and n₂·w are those of (1), because x is in both
//! faces. Edges whose bounds reach it, and no others, are compared with each other. What is left out cannot be the greatest: the
//! answer is that of all axes. What was best last time is looked at first, which leaves out nearly all at once.
//!
//! # Tests
//! `tests/polytopes.rs`: `bounds_leave_out_no_greatest_axis`.

use super::lines::PARALLEL;
use super::separation::{Features, Placed, crossing};
use nalgebra::Vector3;

/// Buffers of a search; what it found last makes the next one shorter.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Corners of the other shape that (1) has been used with, and where they are in the axes of this one.
    corners: [Vec<usize>; 2],
    y: [Vec<Vector3<f64>>; 2],
    /// n·(y − x) of (1), all faces of the shape for one corner after the other.
    heights: [Vec<f64>; 2],
    /// Bound of each face; −∞ once it was looked at.
    bounds: Vec<f64>,
    /// Faces that were looked at, with the lowest corner of the other shape and the separation.
    faces: [Vec<(usize, usize, f64)>; 2],
    /// Edges that (2) does not leave out, with their bounds.
    edges: [Vec<(usize, f64)>; 2],
    /// The best face of either shape, and what was nearest, last time.
    first: [usize; 2],
    pub(super) last: Option<Features>,
}

/// The best axis so far: separation, rate, features.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub s: f64,
    rate: f64,
    pub features: Option<Features>,
}

impl Best {
    pub const NONE: Self = Self { s: f64::NEG_INFINITY, rate: 0.0, features: None };

    /// Take an axis with a greater separation, or with an equal one and a greater rate.
    fn offer(&mut self, s: f64, features: Features, tie: f64, rate: impl Fn() -> f64) {
        if s < self.s - tie || s.is_nan() {
            return;
        }
        if s <= self.s + tie && self.features.is_some() {
            let rate = rate();
            if rate <= self.rate + tie {
                return;
            }
            *self = Self { s: self.s.max(s), rate, features: Some(features) };
            return;
        }
        *self = Self { s, rate: rate(), features: Some(features) };
    }
}

impl Search {
    /// The best face axis.
    pub(super) fn face_axes(&mut self, a: &Placed<'_>, b: &Placed<'_>, tie: f64) -> Best {
        let mut s = f64::NEG_INFINITY;
        self.look(0, [a, b], tie, &mut s);
        self.look(1, [b, a], tie, &mut s);
        let closing = |n: &Vector3<f64>, x: &Vector3<f64>| {
            n.dot(&(b.motion.velocity(x) - a.motion.velocity(x)))
        };
        let mut best = Best::NONE;
        for &(face, corner, s) in &self.faces[0] {
            let features = Features::FaceCorner { face, corner };
            best.offer(s, features, tie, || closing(&a.normal(face), &b.x[corner]));
        }
        for &(face, corner, s) in &self.faces[1] {
            let features = Features::CornerFace { corner, face };
            best.offer(s, features, tie, || -closing(&b.normal(face), &a.x[corner]));
        }
        best
    }

    /// Looks at the faces of `own` that (1) does not leave out; s is the greatest separation so far.
    fn look(&mut self, k: usize, [own, other]: [&Placed<'_>; 2], tie: f64, s: &mut f64) {
        self.corners[k].clear();
        self.y[k].clear();
        self.heights[k].clear();
        self.bounds.clear();
        self.bounds.resize(own.shape.faces.len(), f64::INFINITY);
        self.faces[k].clear();
        // The best face of last time first: it is the best, or nearly so, and leaves out most.
        let mut next = (self.first[k].min(own.shape.faces.len().saturating_sub(1)), f64::INFINITY);
        let mut best = f64::NEG_INFINITY;
        while !self.bounds.is_empty() && next.1 >= *s - tie && next.1 > f64::NEG_INFINITY {
            let face = next.0;
            let n = own.normal(face);
            let (corner, h) = other.lowest(&n);
            let found = h - n.dot(&own.x[own.shape.faces[face].corners[0]]);
            self.faces[k].push((face, corner, found));
            if found > best {
                (self.first[k], best) = (face, found);
            }
            *s = s.max(found);
            self.bound(k, [own, other], corner);
            self.bounds[face] = f64::NEG_INFINITY;
            next = (0, f64::NEG_INFINITY);
            for (face, &bound) in self.bounds.iter().enumerate() {
                if bound > next.1 {
                    next = (face, bound);
                }
            }
        }
        self.faces[k].sort_unstable_by_key(|f| f.0);
        if self.bounds.is_empty() {
            let nearest = other.lowest(&(other.middle() - own.middle())).0;
            self.bound(k, [own, other], nearest);
        }
    }

    /// (1) with one more corner of `other`.
    fn bound(&mut self, k: usize, [own, other]: [&Placed<'_>; 2], corner: usize) {
        if self.corners[k].contains(&corner) {
            return;
        }
        let y = own.motion.R.tr_mul(&(other.x[corner] - own.motion.r));
        self.corners[k].push(corner);
        self.y[k].push(y);
        for (bound, (n, level)) in self.bounds.iter_mut().zip(&own.shape.planes) {
            let height = n.dot(&y) - level;
            self.heights[k].push(height);
            *bound = bound.min(height);
        }
    }

    /// Better edge axes than the best so far, if there are any.
    pub(super) fn edge_axes(&mut self, a: &Placed<'_>, b: &Placed<'_>, tie: f64, best: &mut Best) {
        let mut s = best.s;
        if let Some(Features::Edges { a: i, b: j, .. }) = self.last
            && i < a.shape.edges.len()
            && j < b.shape.edges.len()
            && let Some(axis) = EdgeAxis::of(a, b, i, j)
        {
            s = s.max(axis.s);
        }
        self.keep_edges(0, a, s - tie);
        self.keep_edges(1, b, s - tie);
        for &(i, bound) in &self.edges[0] {
            if bound < best.s - tie {
                continue;
            }
            for &(j, bound) in &self.edges[1] {
                if bound < best.s - tie {
                    continue;
                }
                let Some(axis) = EdgeAxis::of(a, b, i, j) else { continue };
                let features = Features::Edges { a: i, b: j, positive: axis.positive };
                best.offer(axis.s, features, tie, || axis.rate(a, b, i, j));
            }
        }
    }

    /// The edges that (2) and (3) do not leave out.
    fn keep_edges(&mut self, k: usize, own: &Placed<'_>, least: f64) {
        self.edges[k].clear();
        // The last corner belongs to the best face, or nearly so, and leaves out most.
        let heights = || self.heights[k].chunks_exact(own.shape.faces.len().max(1)).rev();
        for (edge, e) in own.shape.edges.iter().enumerate() {
            let left_out = |height: &[f64]| {
                let m = e.faces.map_or(f64::INFINITY, |[i, j]| height[i].max(height[j]));
                (if m > 0.0 { m * e.spread } else { m }) < least
            };
            if heights().any(left_out) {
                continue;
            }
            let bounds = self.y[k].iter().map(|y| arc_bound(own, edge, y));
            let bound = bounds.fold(f64::INFINITY, f64::min);
            if bound >= least {
                self.edges[k].push((edge, bound));
            }
        }
    }
}

/// (2); y is in the axes of the shape.
fn arc_bound(shape: &Placed<'_>, edge: usize, y: &Vector3<f64>) -> f64 {
    let (e, x) = (&shape.shape.edges[edge], &shape.shape.vertices);
    let origin = x[e.ends[0]];
    let (d, w) = (x[e.ends[1]] - origin, y - origin);
    let across = w - d * (d.dot(&w) / d.norm_squared());
    if e.wings.iter().all(|&wing| across.dot(&(x[wing] - origin)) <= 0.0) {
        return across.norm();
    }
    let along = |face: usize| shape.shape.planes[face].0.dot(&w);
    e.faces.map_or(f64::INFINITY, |[i, j]| along(i).max(along(j)))
}

/// Whether an edge is the support along ±m, equation (1) of `polytope.rs`: the signs that will do.
fn sides(shape: &Placed<'_>, edge: usize, m: &Vector3<f64>) -> [bool; 2] {
    let e = &shape.shape.edges[edge];
    let x = shape.x[e.ends[0]];
    let mut will_do = [true, true];
    for &w in &e.wings {
        let f = m.dot(&(shape.x[w] - x));
        will_do[0] &= f <= 0.0;
        will_do[1] &= f >= 0.0;
    }
    will_do
}

/// The axis of two edges that are supports along it.
struct EdgeAxis {
    s: f64,
    /// Whether the normal is +d_A × d_B.
    positive: bool,
    n: Vector3<f64>,
}

impl EdgeAxis {
    fn of(a: &Placed<'_>, b: &Placed<'_>, i: usize, j: usize) -> Option<Self> {
        let (xa, da, _) = a.edge(i);
        let [p, q] = b.shape.edges[j].ends;
        let m = da.cross(&(b.x[q] - b.x[p]));
        let up = sides(a, i, &m);
        if !(up[0] || up[1]) {
            return None;
        }
        let down = sides(b, j, &m);
        let (plus, minus) = (up[0] && down[1], up[1] && down[0]);
        if !(plus || minus) {
            return None;
        }
        let (xb, db, _) = b.edge(j);
        let m = da.cross(&db);
        let sine = m.norm();
        if sine <= PARALLEL {
            return None;
        }
        let height = m.dot(&(xb - xa)) / sine;
        let positive = if plus && minus { height >= 0.0 } else { plus };
        let (s, n) = if positive { (height, m / sine) } else { (-height, -m / sine) };
        Some(Self { s, positive, n })
    }

    /// How fast the edges part, m/s.
    fn rate(&self, a: &Placed<'_>, b: &Placed<'_>, i: usize, j: usize) -> f64 {
        let (xb, db, _) = b.edge(j);
        let x = crossing(a, b, i, j).map_or(xb, |c| xb + c.1 * db);
        self.n.dot(&(b.motion.velocity(&x) - a.motion.velocity(&x)))
    }
}
