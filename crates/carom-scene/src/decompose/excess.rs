//! The concavity of a piece: how far its hull goes beyond the solid.
//!
//! # Law
//! With d(x) the distance from the surface and s(x) = d outside of the solid, −d inside, s grows by no more than the way: in a cube of
//! half diagonal r around x
//! ```text
//! max dist(·, S) ≤ max(0, s(x) + r)                                                    (1)
//! ```
//! Cubes are halved, the one with the largest bound first, until the largest bound is within [`SHARE`] of a distance that was found in
//! the hull. What lies outside of the hull is left out. So is a cube in which no triangle is deeper in the hull than [`SHALLOW`] of the
//! size: nothing parts what the hull has there, so that one point of it tells whether all of it is inside.
//! The result is the largest bound: not less than the concavity, and no more than about [`SHARE`] above it, unless the hull has so many
//! dents that [`MOST`] cubes do not tell them apart.
//!
//! # Tests
//! `tests/decompose.rs`: `eq2_concavity_of_a_ring`, `eq1_pieces_cover_the_solid`.

use super::tree::Tree;
use carom::model::Hull;
use nalgebra::Vector3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How close the bound is to the concavity, a share.
const SHARE: f64 = 0.05;

/// Depth of a dent that counts as none, a share of the size of the mesh.
pub(crate) const SHALLOW: f64 = 1e-5;

/// Most cubes that are looked at for a piece.
pub(crate) const MOST: usize = 20_000;

/// And for a cut that is tried.
pub(crate) const FEW: usize = 1000;

/// A hull as half-spaces n·x ≤ o.
struct Faces(Vec<(Vector3<f64>, f64)>);

impl Faces {
    /// The largest height of a point above a face, and that face.
    fn highest(&self, x: &Vector3<f64>) -> (f64, usize) {
        let mut best = (f64::NEG_INFINITY, 0);
        for (k, (n, o)) in self.0.iter().enumerate() {
            let height = n.dot(x) - o;
            if height > best.0 {
                best = (height, k);
            }
        }
        best
    }
}

/// A cube with the bound of (1).
struct Cube {
    bound: f64,
    number: usize,
    centre: Vector3<f64>,
    half: f64,
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cube {}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}

/// What is needed to look at cubes.
struct Look<'a> {
    tree: &'a Tree<'a>,
    faces: Faces,
    /// Whether a triangle is outside of the hull or on it; none where nobody has asked.
    on_hull: Vec<Option<bool>>,
    shallow: f64,
    found: f64,
}

/// The concavity of a hull, from below and from above, by so many cubes at most, m.
pub(crate) fn concavity(tree: &Tree<'_>, hull: &Hull, most: usize) -> [f64; 2] {
    let face = |(n, f): &(Vector3<f64>, Vec<usize>)| (*n, n.dot(&hull.corners[f[0]]));
    let shallow = SHALLOW * tree.mesh.size;
    let mut look = Look {
        tree,
        faces: Faces(hull.faces.iter().map(face).collect()),
        on_hull: vec![None; tree.mesh.corners.len()],
        shallow,
        found: 0.0,
    };
    let bounds = hull
        .corners
        .iter()
        .fold((hull.corners[0], hull.corners[0]), |(l, h), p| (l.inf(p), h.sup(p)));
    let mut heap = BinaryHeap::new();
    let (mut number, mut floor) = (0, shallow);
    let whole = Cube {
        bound: 0.0,
        number,
        centre: (bounds.0 + bounds.1) * 0.5,
        half: 0.5 * (bounds.1 - bounds.0).max(),
    };
    heap.extend(look.bounded(whole));
    while let Some(cube) = heap.pop() {
        let enough = look.found * (1.0 + SHARE) + 2.0 * shallow;
        if cube.bound <= enough || number >= most {
            floor = floor.max(cube.bound);
            break;
        }
        let half = 0.5 * cube.half;
        for k in 0..8 {
            number += 1;
            let side = |bit: usize| if k >> bit & 1 == 1 { half } else { -half };
            let centre = cube.centre + Vector3::new(side(0), side(1), side(2));
            heap.extend(look.bounded(Cube { bound: 0.0, number, centre, half }));
        }
    }
    [look.found, floor]
}

impl Look<'_> {
    /// The cube with its bound; none if nothing of the hull in it is outside of the solid.
    fn bounded(&mut self, mut cube: Cube) -> Option<Cube> {
        let r = cube.half * 3_f64.sqrt();
        let (height, _) = self.faces.highest(&cube.centre);
        if height > r {
            return None;
        }
        let d = self.tree.distance(&cube.centre);
        let inside = self.tree.is_inside(&cube.centre);
        if inside && d >= r {
            return None;
        }
        if !inside && height <= 0.0 {
            self.found = self.found.max(d);
        }
        if d < r && self.is_solid(&cube.centre, r) {
            return None;
        }
        cube.bound = if inside { r - d } else { r + d };
        Some(cube)
    }

    /// Whether all that the hull has in a ball is inside, because no surface there is in the hull and one point is inside.
    fn is_solid(&mut self, centre: &Vector3<f64>, r: f64) -> bool {
        let (mesh, shallow) = (self.tree.mesh, self.shallow);
        let (faces, on_hull) = (&self.faces, &mut self.on_hull);
        let mut lies = |t: usize| {
            *on_hull[t].get_or_insert_with(|| {
                let corners = mesh.triangle(t);
                let outside =
                    |(n, o): &(Vector3<f64>, f64)| corners.iter().all(|p| n.dot(p) - o >= -shallow);
                faces.0.iter().any(outside)
            })
        };
        if !self.tree.all_near(centre, r, &mut lies) {
            return false;
        }
        // A point of the hull in the ball, as deep as is known to matter.
        let mut y = *centre;
        for _ in 0..4 {
            let (height, face) = self.faces.highest(&y);
            if height <= -2.0 * shallow {
                break;
            }
            y -= self.faces.0[face].0 * (height + 3.0 * shallow);
        }
        let reached = (y - centre).norm() <= r && self.faces.highest(&y).0 <= -2.0 * shallow;
        reached && self.tree.is_inside(&y)
    }
}
