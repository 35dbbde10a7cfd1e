//! The convex hull of points in space: corners and flat faces.
//!
//! Points are added one after the other; each removes the triangles that it sees and is joined to the rim that is
//! left. Triangles whose planes agree to within [`FLAT`] of the size become one face.
//!
//! # Tests
//! `a_cube_has_six_faces`, `every_point_is_inside`.

use nalgebra::Vector3;
use std::collections::BTreeSet;

/// Height above a face, as a share of the size of the whole, that counts as none.
pub const FLAT: f64 = crate::numeric::thresholds::geometry::FLAT;

/// A convex polytope in space.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    /// Corners, m.
    pub corners: Vec<Vector3<f64>>,
    /// Outward normal and corners of each face, counter-clockwise as seen from outside.
    pub faces: Vec<(Vector3<f64>, Vec<usize>)>,
}

impl Hull {
    /// The hull of some points; none if they lie in a plane, or are fewer than four, or are not finite.
    pub fn of(points: &[Vector3<f64>]) -> Option<Self> {
        if points.iter().any(|p| !p.iter().all(|x| x.is_finite())) {
            return None;
        }
        let size = span(points);
        let start = tetrahedron(points, FLAT * size)?;
        let mut triangles = Vec::from(start.map(|corners| Triangle::new(points, corners)));
        for k in 0..points.len() {
            add(points, &mut triangles, k, FLAT * size);
        }
        Some(flatten(points, &triangles, size))
    }

    /// Volume, centre of mass, and second moments ∫xxᵀ about the centre, of the solid of unit density.
    pub fn moments(&self) -> (f64, Vector3<f64>, nalgebra::Matrix3<f64>) {
        let (mut volume, mut first) = (0.0, Vector3::zeros());
        let mut second = nalgebra::Matrix3::zeros();
        let o = self.corners[0];
        for (_, face) in &self.faces {
            for k in 1..face.len() - 1 {
                // The tetrahedron from o; det/6 is its volume, and ∫xxᵀ = V/20 (Σ xᵢxᵢᵀ + s sᵀ), s = Σ xᵢ.
                let x = [face[0], face[k], face[k + 1]].map(|i| self.corners[i] - o);
                let v = x[0].dot(&x[1].cross(&x[2])) / 6.0;
                let s: Vector3<f64> = x.iter().sum();
                let squares = x.iter().fold(s * s.transpose(), |m, x| m + x * x.transpose());
                volume += v;
                first += s * (v / 4.0);
                second += squares * (v / 20.0);
            }
        }
        let c = first / volume;
        (volume, o + c, second - c * c.transpose() * volume)
    }
}

fn span(points: &[Vector3<f64>]) -> f64 {
    let mut size = 0.0_f64;
    for p in points {
        size = size.max((p - points[0]).amax());
    }
    size
}

/// Four points that are not in a plane, as outward triangles.
fn tetrahedron(points: &[Vector3<f64>], flat: f64) -> Option<[[usize; 3]; 4]> {
    let far = |f: &dyn Fn(&Vector3<f64>) -> f64| {
        let best = (0..points.len()).max_by(|&i, &j| f(&points[i]).total_cmp(&f(&points[j])))?;
        (f(&points[best]) > flat).then_some(best)
    };
    let a = 0;
    let b = far(&|p| (p - points[a]).norm())?;
    let d = (points[b] - points[a]).normalize();
    let c = far(&|p| (p - points[a]).cross(&d).norm())?;
    let n = (points[b] - points[a]).cross(&(points[c] - points[a])).normalize();
    let e = far(&|p| n.dot(&(p - points[a])).abs())?;
    let up = n.dot(&(points[e] - points[a])) > 0.0;
    let [b, c] = if up { [c, b] } else { [b, c] };
    Some([[a, b, c], [a, c, e], [c, b, e], [b, a, e]])
}

/// A triangle of the surface so far, with what every further point asks of it.
struct Triangle {
    corners: [usize; 3],
    /// Outward, as long as twice the area.
    across: Vector3<f64>,
    area: f64,
    normal: Vector3<f64>,
    at: Vector3<f64>,
}

impl Triangle {
    fn new(points: &[Vector3<f64>], corners: [usize; 3]) -> Self {
        let [a, b, c] = corners.map(|i| points[i]);
        let across = (b - a).cross(&(c - a));
        Self { corners, across, area: across.norm(), normal: across.normalize(), at: a }
    }

    fn sees(&self, p: &Vector3<f64>, flat: f64) -> bool {
        self.normal.dot(&(p - self.at)) > flat
    }
}

fn add(points: &[Vector3<f64>], triangles: &mut Vec<Triangle>, k: usize, flat: f64) {
    let p = &points[k];
    // Most points are inside of what there is.
    if !triangles.iter().any(|t| t.sees(p, flat)) {
        return;
    }
    let mut all: BTreeSet<[usize; 2]> = BTreeSet::new();
    triangles.retain(|t| {
        let seen = t.sees(p, flat);
        if seen {
            let [a, b, c] = t.corners;
            all.extend([[a, b], [b, c], [c, a]]);
        }
        !seen
    });
    for &[i, j] in &all {
        if !all.contains(&[j, i]) {
            triangles.push(Triangle::new(points, [i, j, k]));
        }
    }
}

/// Triangles in one plane become one face; corners inside of a face or of an edge disappear.
fn flatten(points: &[Vector3<f64>], triangles: &[Triangle], size: f64) -> Hull {
    let mut used = vec![false; triangles.len()];
    let mut loops: Vec<(Vector3<f64>, Vec<usize>)> = Vec::new();
    // The largest triangles have the best normals.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&i, &j| triangles[j].area.total_cmp(&triangles[i].area).then(i.cmp(&j)));
    for &first in &order {
        if used[first] {
            continue;
        }
        let n = triangles[first].normal;
        let height = n.dot(&triangles[first].at);
        let flat = |t: &Triangle| {
            t.corners.iter().all(|&i| (n.dot(&points[i]) - height).abs() <= 4.0 * FLAT * size)
        };
        let mut corners: Vec<usize> = Vec::new();
        for (k, t) in triangles.iter().enumerate() {
            if !used[k] && t.across.dot(&n) > 0.0 && flat(t) {
                used[k] = true;
                corners.extend(t.corners);
            }
        }
        corners.sort_unstable();
        corners.dedup();
        let outline = outline(points, &n, &corners, size);
        if outline.len() >= 3 {
            loops.push((n, outline));
        }
    }
    compact(points, loops)
}

/// The convex outline of coplanar points, counter-clockwise about n.
fn outline(points: &[Vector3<f64>], n: &Vector3<f64>, corners: &[usize], size: f64) -> Vec<usize> {
    let axis = if n.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() };
    let u = n.cross(&axis).normalize();
    let v = n.cross(&u);
    let at = |i: usize| (u.dot(&points[i]), v.dot(&points[i]));
    let mut sorted = corners.to_vec();
    sorted.sort_by(|&i, &j| at(i).0.total_cmp(&at(j).0).then(at(i).1.total_cmp(&at(j).1)));
    let left = |o: usize, a: usize, b: usize| {
        let (o, a, b) = (at(o), at(a), at(b));
        let (x, y) = ((a.0 - o.0, a.1 - o.1), (b.0 - o.0, b.1 - o.1));
        let length = (b.0 - o.0).hypot(b.1 - o.1);
        x.0 * y.1 - x.1 * y.0 > FLAT * size * length
    };
    let half = |sorted: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for i in sorted {
            while chain.len() >= 2 && !left(chain[chain.len() - 2], chain[chain.len() - 1], i) {
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut sorted.iter().copied());
    lower.extend(half(&mut sorted.iter().rev().copied()));
    lower
}

fn compact(points: &[Vector3<f64>], mut loops: Vec<(Vector3<f64>, Vec<usize>)>) -> Hull {
    let mut place = vec![usize::MAX; points.len()];
    let mut corners = Vec::new();
    for (_, face) in &mut loops {
        for i in face {
            if place[*i] == usize::MAX {
                place[*i] = corners.len();
                corners.push(points[*i]);
            }
            *i = place[*i];
        }
    }
    Hull { corners, faces: loops }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_has_six_faces() {
        let mut points = Vec::new();
        for i in 0..27 {
            let at = |k: i32| f64::from(k % 3) - 1.0;
            points.push(Vector3::new(at(i), at(i / 3), at(i / 9)));
        }
        let hull = Hull::of(&points).unwrap();
        assert_eq!((hull.corners.len(), hull.faces.len()), (8, 6));
        assert!(hull.faces.iter().all(|(_, f)| f.len() == 4));
        let (volume, center, second) = hull.moments();
        assert!((volume - 8.0).abs() < 1e-14 && center.norm() < 1e-15);
        // ∫x² over the cube of side 2 is 8/3.
        assert!((second - nalgebra::Matrix3::identity() * (8.0 / 3.0)).norm() < 1e-14);
        assert!(Hull::of(&points[..9]).is_none());
    }

    #[test]
    fn every_point_is_inside() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for n in [5, 20, 300] {
            let points: Vec<_> = (0..n).map(|_| Vector3::new(next(), next(), next())).collect();
            let hull = Hull::of(&points).unwrap();
            for (normal, face) in &hull.faces {
                let top = normal.dot(&hull.corners[face[0]]);
                assert!(points.iter().all(|p| normal.dot(p) <= top + 1e-8));
            }
            // Euler: V − E + F = 2, with E half the sides of all faces.
            let sides: usize = hull.faces.iter().map(|(_, f)| f.len()).sum();
            assert_eq!(hull.corners.len() + hull.faces.len(), sides / 2 + 2);
        }
    }
}
