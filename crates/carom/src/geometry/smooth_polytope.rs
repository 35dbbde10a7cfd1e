//! A rounded polytope and an ellipsoid: which feature of the polytope is nearest.
//!
//! # Rule
//! A smooth shape touches a polytope in one point: on a face, an edge or a corner. The common normal of each feature
//! ([`SmoothPair`], or [`gap_to_plane`](super::gap_to_plane) for a face) is that of the pair if the contact point lies
//! within the feature and the normal within those of the feature:
//! ```text
//! face:    the lowest point of the smooth shape lies over it                                     (1)
//! edge:    0 ≤ τ ≤ length, and n·(x_w − x) ≤ 0 for each wing w                                   (2)
//! corner:  n·(x_k − x) ≤ 0 for each corner k next to it                                          (3)
//! ```
//! For bodies apart this is sufficient and holds for one feature (on the border of two, for both with the same gap). Where
//! they overlap, the feature of the greatest gap is taken of those for which it holds. The gap is continuous with its rate;
//! only curvature jumps from one feature to the next.
//!
//! # Tests
//! `tests/smooth_polytopes.rs`.

use super::motion::BodyMotion;
use super::separation::{Features, Placed, Separation, corner_cone, edge_cone};
use super::smooth_pair::{Smooth, SmoothPair};
use crate::numeric::thresholds::EXTENT;
use nalgebra::Vector3;

/// The pair of a smooth shape and an edge or a corner of a polytope; none for a face.
pub fn smooth_feature(
    polytope: &super::Polytope,
    smooth: &Smooth,
    features: Features,
) -> Option<SmoothPair> {
    let ball = |k: usize| Smooth::ball(polytope.vertices[k], polytope.radius);
    let (a, edge) = match features {
        Features::EdgeCorner { edge, .. } => {
            let [i, j] = polytope.edges[edge].ends;
            let along = polytope.vertices[j] - polytope.vertices[i];
            (ball(i), Some(along.normalize()))
        }
        Features::Corners { a, .. } => (ball(a), None),
        _ => return None,
    };
    Some(SmoothPair { a, b: *smooth, edge, planar: polytope.planar })
}

/// Gap and how far inside of (1), (2) or (3) the nearest points are, m; angles count by the size of the smooth shape.
pub fn smooth_extent(
    a: &Placed<'_>,
    (smooth, b): (&Smooth, &BodyMotion),
    features: Features,
) -> (f64, f64) {
    if let Features::FaceCorner { face, .. } = features {
        let n = a.normal(face);
        let x = smooth.lowest(b, &n);
        let top = a.x[a.shape.faces[face].corners[0]];
        return (n.dot(&(x - top)) - a.shape.radius, a.inside(face, &x));
    }
    let Some(pair) = smooth_feature(a.shape, smooth, features) else {
        return (f64::INFINITY, f64::NEG_INFINITY);
    };
    let (gap, n, [_, x]) = pair.nearest(a.motion, b);
    let size = smooth.size();
    let extent = match features {
        Features::EdgeCorner { edge, .. } => {
            let (start, d, length) = a.edge(edge);
            let along = d.dot(&(x - start));
            along.min(length - along).min(edge_cone(a, edge, &n) * size)
        }
        Features::Corners { a: corner, .. } => corner_cone(a, corner, &n) * size,
        _ => f64::NEG_INFINITY,
    };
    (gap, extent)
}

/// The nearest feature of a polytope and the gap; `hint` is looked at first.
pub fn smooth_separation(
    a: &Placed<'_>,
    smooth: (&Smooth, &BodyMotion),
    hint: Option<Features>,
) -> Separation {
    if let Some(features) = hint {
        let (gap, extent) = smooth_extent(a, smooth, features);
        // Beyond the polytope, a face looks at what it no longer faces.
        if extent >= 0.0 && gap >= -EXTENT * smooth.0.size() {
            return Separation { gap, features, face: None };
        }
    }
    let faces = (0..a.shape.faces.len()).map(|face| Features::FaceCorner { face, corner: 0 });
    let edges = (0..a.shape.edges.len()).map(|edge| Features::EdgeCorner { edge, corner: 0 });
    let corners = (0..a.x.len()).map(|a| Features::Corners { a, b: 0 });
    // Inside: by gap; outside of all, by round-off alone: the least far.
    let mut best: Option<(bool, f64, f64, Features)> = None;
    for features in faces.chain(edges).chain(corners) {
        let (gap, extent) = smooth_extent(a, smooth, features);
        let holds = extent >= 0.0;
        let rank = if holds { gap } else { extent };
        if best.is_none_or(|(held, least, ..)| holds && !held || holds == held && rank > least) {
            best = Some((holds, rank, gap, features));
        }
    }
    let (_, _, gap, features) =
        best.unwrap_or((false, 0.0, f64::INFINITY, Features::Corners { a: 0, b: 0 }));
    Separation { gap, features, face: None }
}

impl Smooth {
    /// Its lowest point as seen along `n`, in the world.
    pub fn lowest(&self, body: &BodyMotion, n: &Vector3<f64>) -> Vector3<f64> {
        self.support(body, &-n)
    }
}
