//! Where two rounded polytopes touch, or nearly: the features of their common polygon.
//!
//! # Rule
//! Convex bodies touch in a point, along a segment or on a polygon. The features that carry it are
//! 1. the nearest features;
//! 2. where a face lies opposite, that face F of one shape and the face G beside the nearest corner of the other
//!    that looks at it most squarely: the corners of G over F, the corners of F over G, and the crossings of their
//!    edges: the corners of the common polygon;
//! 3. where two rounded edges run along each other, the ends of each beside the other.
//!
//! Where two edges cross between their ends the lines are as far apart as two points of the shapes, so that of shapes that are
//! apart the signed distance h of the edges and the separation s obey
//! ```text
//! h ≥ s,   or h ≤ −s                                                                          (1)
//! ```
//! and crossings of the second kind, which pass each other on the wrong side, are none.
//!
//! A corner counts as over a face if it is outside of it by no more than δ. Of features whose points coincide to
//! within 4δ, seen along the normal, the first of this order stays: vertex on vertex and vertex on edge are the
//! corner of G on F, edge along edge are its two ends, face on face are the corners of the common polygon.
//!
//! # Tests
//! `tests/polytopes.rs`: `common_polygon`, `eq1_edges_that_pass_on_the_wrong_side_do_not_cross`.

use super::separation::{Features, Placed, Separation, crossing, extent, over_edge};
use nalgebra::Vector3;

/// Cosine of the angle between two rounded edges from which on they run along each other.
pub(super) const ALONG: f64 = 0.97;

/// Least cosine of the angle between the normal of two edges that cross over a face and that of the face.
pub(super) const CROSSES: f64 = 0.5;

/// The features of rule 1 to 3, into `found`. `delta` is δ, m; faces whose separation is up to `reach` below that of
/// the nearest features, m, lie opposite.
pub fn manifold(
    a: &Placed<'_>,
    b: &Placed<'_>,
    nearest: &Separation,
    (delta, reach): (f64, f64),
    found: &mut Vec<(Features, Vector3<f64>)>,
) {
    found.clear();
    // What overlaps has no right side.
    let cores = nearest.gap + a.shape.radius + b.shape.radius;
    let least = if cores >= -4.0 * delta { cores - 4.0 * delta } else { f64::NEG_INFINITY };
    if let Some((face, s)) = nearest.face
        && s >= nearest.gap - reach
    {
        match face {
            Features::FaceCorner { face, corner } => {
                over_face((a, b), (face, corner), (delta, least), false, found);
            }
            Features::CornerFace { corner, face } => {
                over_face((b, a), (face, corner), (delta, least), true, found);
            }
            _ => {}
        }
    }
    if a.shape.radius + b.shape.radius > 0.0 {
        along_edges(a, b, nearest.features, delta, found);
    }
    // The nearest features themselves, unless what is found stands for them.
    let point = point_of(a, b, nearest.features);
    if extent(a, b, nearest.features) >= -delta
        && found.iter().all(|(f, x)| *f != nearest.features && (x - point).norm() > 4.0 * delta)
    {
        found.insert(0, (nearest.features, point));
    }
}

/// A point of B, or of A for its corners, that stands for the features.
pub fn point_of(a: &Placed<'_>, b: &Placed<'_>, features: Features) -> Vector3<f64> {
    match features {
        Features::FaceCorner { corner, .. } | Features::EdgeCorner { corner, .. } => b.x[corner],
        Features::CornerFace { corner, .. } | Features::CornerEdge { corner, .. } => a.x[corner],
        Features::Corners { b: corner, .. } => b.x[corner],
        Features::Edges { a: i, b: j, .. } => {
            let (x, d, _) = b.edge(j);
            crossing(a, b, i, j).map_or(x, |(_, t)| x + t * d)
        }
        Features::Parts { .. } => b.motion.r,
    }
}

/// Features of `a` and `b` in the other order.
fn swapped(features: Features) -> Features {
    match features {
        Features::FaceCorner { face, corner } => Features::CornerFace { corner, face },
        Features::CornerFace { corner, face } => Features::FaceCorner { face, corner },
        // d_B × d_A = −d_A × d_B, and the normal points the other way.
        Features::Edges { a, b, positive } => Features::Edges { a: b, b: a, positive },
        Features::EdgeCorner { edge, corner } => Features::CornerEdge { corner, edge },
        Features::CornerEdge { corner, edge } => Features::EdgeCorner { edge, corner },
        Features::Corners { a, b } => Features::Corners { a: b, b: a },
        Features::Parts { a, b, positive } => Features::Parts { a: b, b: a, positive },
    }
}

/// The features over a face of `f` (rule 2), crossings of edges that are at least `least` apart; `swap` if `f` is the second of the pair.
fn over_face(
    (f, g): (&Placed<'_>, &Placed<'_>),
    (face, lowest): (usize, usize),
    (delta, least): (f64, f64),
    swap: bool,
    found: &mut Vec<(Features, Vector3<f64>)>,
) {
    let n = f.normal(face);
    let mut push = |features: Features, x: Vector3<f64>| {
        let apart = |y: &Vector3<f64>| {
            let d = x - y;
            (d - n * n.dot(&d)).norm() > 4.0 * delta
        };
        if found.iter().all(|(_, y)| apart(y)) {
            found.push((if swap { swapped(features) } else { features }, x));
        }
    };
    let opposite = facing(g, lowest, &n);
    let corners: &[usize] = match opposite {
        Some(k) => &g.shape.faces[k].corners,
        None if g.shape.vertices.len() == 2 => &[0, 1],
        None => std::slice::from_ref(&lowest),
    };
    for &corner in corners {
        if f.inside(face, &g.x[corner]) >= -delta {
            push(Features::FaceCorner { face, corner }, g.x[corner]);
        }
    }
    if let Some(k) = opposite {
        for &corner in &f.shape.faces[face].corners {
            if g.inside(k, &f.x[corner]) >= -delta {
                push(Features::CornerFace { corner, face: k }, f.x[corner]);
            }
        }
    }
    let alone = [0];
    let edges: &[usize] = match opposite {
        Some(k) => &g.shape.faces[k].edges,
        None if !g.shape.edges.is_empty() => &alone,
        None => &[],
    };
    for &i in &f.shape.faces[face].edges {
        for &j in edges {
            let Some((s, t)) = crossing(f, g, i, j) else { continue };
            let ((xi, di, li), (xj, dj, lj)) = (f.edge(i), g.edge(j));
            // Lines that pass each other sideways do not cross as seen along n.
            let m = di.cross(&dj).normalize();
            let up = m.dot(&n);
            let positive = up > 0.0;
            let h = m.dot(&(xj - xi)) * up.signum();
            if s.min(li - s).min(t).min(lj - t) > -delta && up.abs() >= CROSSES && h >= least {
                push(Features::Edges { a: i, b: j, positive }, xj + t * dj);
            }
        }
    }
}

/// The face of `g` beside a corner that looks most squarely against n.
pub(super) fn facing(g: &Placed<'_>, corner: usize, n: &Vector3<f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (k, face) in g.shape.faces.iter().enumerate() {
        if face.corners.contains(&corner) {
            let c = n.dot(&g.normal(k));
            if c < 0.0 && best.is_none_or(|(_, least)| c < least) {
                best = Some((k, c));
            }
        }
    }
    best.map(|(k, _)| k)
}

/// Rule 3: the ends of two rounded edges that run along each other.
fn along_edges(
    a: &Placed<'_>,
    b: &Placed<'_>,
    nearest: Features,
    delta: f64,
    found: &mut Vec<(Features, Vector3<f64>)>,
) {
    for i in 0..a.shape.edges.len() {
        let first = match nearest {
            Features::Edges { a, .. } => a == i,
            Features::EdgeCorner { edge, .. } => edge == i,
            Features::CornerEdge { corner, .. } => a.shape.edges[i].ends.contains(&corner),
            _ => false,
        };
        for j in 0..b.shape.edges.len() {
            let second = match nearest {
                Features::Edges { b, .. } => b == j,
                Features::CornerEdge { edge, .. } => edge == j,
                Features::EdgeCorner { corner, .. } => b.shape.edges[j].ends.contains(&corner),
                _ => false,
            };
            if first && second && a.edge(i).1.dot(&b.edge(j).1).abs() >= ALONG {
                ends((a, b), (i, j), delta, found);
            }
        }
    }
}

fn ends(
    (a, b): (&Placed<'_>, &Placed<'_>),
    (i, j): (usize, usize),
    delta: f64,
    found: &mut Vec<(Features, Vector3<f64>)>,
) {
    let along = a.edge(i).1;
    let mut push = |features: Features, x: Vector3<f64>, over: f64| {
        if over >= -delta
            && found
                .iter()
                .all(|(f, y)| *f != features && ((x - y).dot(&along).abs() > 4.0 * delta))
        {
            found.push((features, x));
        }
    };
    for corner in b.shape.edges[j].ends {
        let features = Features::EdgeCorner { edge: i, corner };
        push(features, b.x[corner], over_edge(a, i, &b.x[corner]));
    }
    for corner in a.shape.edges[i].ends {
        let features = Features::CornerEdge { corner, edge: j };
        push(features, a.x[corner], over_edge(b, j, &a.x[corner]));
    }
}
