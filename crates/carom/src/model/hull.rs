//! The convex hull of points in space: corners and flat faces.
//!
//! # Law
//! Points are added one after the other, the one farthest outside first. A point p is outside of the triangle a b c of the surface,
//! counter-clockwise as seen from outside, if
//! ```text
//! det(a − p, b − p, c − p) < 0                                                          (1)
//! ```
//! decided exactly (Shewchuk 1997), so that the triangles that p sees are one patch with one rim, whatever the points: it
//! goes, and p is joined to its rim. Points that are no more than a height h above every triangle are left out; the rest have
//! the exact hull that is found, and no point is further outside of the plane of a face than
//! ```text
//! h = F ℓ,   ℓ the size of the whole                                                  (2)
//! ```
//! F is [`FLAT`], or [`ROUGH`] for the points of a mesh, whose files keep seven digits. If the hull is to have a bounded number
//! of corners, points are left out beyond that, and h is what [`Hull::left`] says.
//!
//! Triangles beside each other that lie in the plane of the largest of them, to 4 h, are one face, unless its outline is not convex
//! (where h is less than the digits of the points are worth): then they stay triangles. A corner between two faces only,
//! and in line with its neighbours there, is none: this is decided once for both faces, so that the surface stays closed.
//!
//! # Tests
//! `a_cube_has_six_faces`, `every_point_is_inside`, `eq1_points_of_seven_digits_on_round_and_flat_parts`,
//! `eq2_a_hull_of_few_corners_says_what_it_leaves`.

use nalgebra::Vector3;
use robust::{Coord3D, orient3d};

/// Height above a face, as a share of the size of the whole, that counts as none.
pub const FLAT: f64 = crate::numeric::thresholds::geometry::FLAT;

/// The same for points of a mesh.
pub const ROUGH: f64 = crate::numeric::thresholds::geometry::ROUGH;

/// A convex polytope in space.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    /// Corners, m.
    pub corners: Vec<Vector3<f64>>,
    /// Outward normal and corners of each face, counter-clockwise as seen from outside.
    pub faces: Vec<(Vector3<f64>, Vec<usize>)>,
    /// The largest height of a point above a face, m.
    pub left: f64,
}

impl Hull {
    /// The hull of some points; none if they lie in a plane, or are fewer than four, or are not finite.
    pub fn of(points: &[Vector3<f64>]) -> Option<Self> {
        Self::of_at_most(usize::MAX, points, FLAT)
    }

    /// The hull of the points of a mesh, of at most so many of them.
    pub fn of_mesh(most: usize, points: &[Vector3<f64>]) -> Option<Self> {
        Self::of_at_most(most, points, ROUGH)
    }

    fn of_at_most(most: usize, points: &[Vector3<f64>], flat: f64) -> Option<Self> {
        if points.iter().any(|p| !p.iter().all(|x| x.is_finite())) {
            return None;
        }
        let height = flat * span(points);
        let start = tetrahedron(points, height)?;
        let mut surface = Surface::new(points, start, height);
        let mut corners = 4;
        while corners < most && surface.grow() {
            corners += 1;
        }
        Some(surface.faces(4.0 * height))
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

/// A triangle of the surface so far.
struct Triangle {
    corners: [usize; 3],
    /// The triangle beyond the side from each corner to the next.
    beside: [usize; 3],
    area: f64,
    normal: Vector3<f64>,
    at: Vector3<f64>,
    /// Points above it that belong to no other triangle, and the highest of them with its height.
    above: Vec<usize>,
    highest: (f64, usize),
    gone: bool,
}

impl Triangle {
    fn new(points: &[Vector3<f64>], corners: [usize; 3]) -> Self {
        let [a, b, c] = corners.map(|i| points[i]);
        let across = (b - a).cross(&(c - a));
        let area = across.norm();
        Self {
            corners,
            beside: [usize::MAX; 3],
            area,
            normal: if area > 0.0 { across / area } else { Vector3::zeros() },
            at: a,
            above: Vec::new(),
            highest: (0.0, usize::MAX),
            gone: false,
        }
    }

    /// Whether it is so thin that it has no direction of its own.
    fn is_needle(&self, points: &[Vector3<f64>], flat: f64) -> bool {
        let [a, b, c] = self.corners.map(|i| points[i]);
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        self.area <= flat * longest
    }

    fn height(&self, p: &Vector3<f64>) -> f64 {
        self.normal.dot(&(p - self.at))
    }

    fn take(&mut self, point: usize, height: f64) {
        self.above.push(point);
        if height > self.highest.0 {
            self.highest = (height, point);
        }
    }
}

/// The surface of the hull of the points that were added.
struct Surface<'a> {
    points: &'a [Vector3<f64>],
    /// h of (2).
    flat: f64,
    triangles: Vec<Triangle>,
    /// Sides of the rim by their first corner: the second, and the triangle beyond.
    rim: Vec<(usize, usize, usize)>,
    /// Of each point the new triangle whose side begins there.
    fan: Vec<usize>,
    patch: Vec<usize>,
}

impl<'a> Surface<'a> {
    fn new(points: &'a [Vector3<f64>], start: [[usize; 3]; 4], flat: f64) -> Self {
        let triangles: Vec<Triangle> =
            start.iter().map(|&corners| Triangle::new(points, corners)).collect();
        let fan = vec![usize::MAX; points.len()];
        let mut surface = Self { points, flat, triangles, rim: Vec::new(), fan, patch: Vec::new() };
        for k in 0..4 {
            for side in 0..3 {
                let [i, j] = surface.side(k, side);
                surface.triangles[k].beside[side] = (0..4)
                    .find(|&other| (0..3).any(|s| surface.side(other, s) == [j, i]))
                    .unwrap_or(usize::MAX);
            }
        }
        for p in 0..points.len() {
            surface.assign(p, 0);
        }
        surface
    }

    fn side(&self, triangle: usize, side: usize) -> [usize; 2] {
        let corners = self.triangles[triangle].corners;
        [corners[side], corners[(side + 1) % 3]]
    }

    /// Gives a point to the triangle, from `first` on, that it is highest above, if to any.
    fn assign(&mut self, p: usize, first: usize) {
        let mut best = (self.flat, None);
        for (k, t) in self.triangles[first..].iter().enumerate() {
            let height = t.height(&self.points[p]);
            if height > best.0 {
                best = (height, Some(first + k));
            }
        }
        if let (height, Some(k)) = best {
            self.triangles[k].take(p, height);
        }
    }

    /// Equation (1).
    fn sees(&self, p: usize, triangle: usize) -> bool {
        let at = |i: usize| {
            let [x, y, z] = self.points[i].into();
            Coord3D { x, y, z }
        };
        let [a, b, c] = self.triangles[triangle].corners.map(at);
        orient3d(a, b, c, at(p)) < 0.0
    }

    /// Adds the point that is farthest outside; false if there is none.
    fn grow(&mut self) -> bool {
        loop {
            let there = self.triangles.iter().enumerate().filter(|(_, t)| !t.gone);
            let highest = there.max_by(|(_, s), (_, t)| s.highest.0.total_cmp(&t.highest.0));
            let Some((k, t)) = highest.filter(|(_, t)| t.highest.0 > self.flat) else {
                return false;
            };
            let p = t.highest.1;
            if self.sees(p, k) {
                self.add(p, k);
                return true;
            }
            // The normal of a needle is not known so well.
            self.drop_from(k, p);
        }
    }

    fn drop_from(&mut self, k: usize, p: usize) {
        let above = std::mem::take(&mut self.triangles[k].above);
        self.triangles[k].highest = (0.0, usize::MAX);
        for q in above.into_iter().filter(|&q| q != p) {
            let height = self.triangles[k].height(&self.points[q]);
            self.triangles[k].take(q, height);
        }
    }

    /// Joins a point, which sees triangle `first`, to the rim of what it sees.
    fn add(&mut self, p: usize, first: usize) {
        self.patch.clear();
        self.rim.clear();
        self.patch.push(first);
        self.triangles[first].gone = true;
        let mut next = 0;
        while next < self.patch.len() {
            let k = self.patch[next];
            next += 1;
            for side in 0..3 {
                let other = self.triangles[k].beside[side];
                if self.triangles[other].gone {
                    continue;
                }
                if self.sees(p, other) {
                    self.triangles[other].gone = true;
                    self.patch.push(other);
                } else {
                    let [i, j] = self.side(k, side);
                    self.rim.push((i, j, other));
                }
            }
        }
        let fresh = self.triangles.len();
        for at in 0..self.rim.len() {
            let (i, j, other) = self.rim[at];
            self.fan[i] = self.triangles.len();
            let mut t = Triangle::new(self.points, [i, j, p]);
            t.beside[0] = other;
            let own = self.triangles.len();
            let back = (0..3).find(|&s| self.side(other, s) == [j, i]).unwrap_or(0);
            self.triangles[other].beside[back] = own;
            self.triangles.push(t);
        }
        for k in fresh..self.triangles.len() {
            let following = self.fan[self.triangles[k].corners[1]];
            self.triangles[k].beside[1] = following;
            self.triangles[following].beside[2] = k;
        }
        for at in 0..self.patch.len() {
            let k = self.patch[at];
            for q in std::mem::take(&mut self.triangles[k].above) {
                if q != p {
                    self.assign(q, fresh);
                }
            }
        }
    }

    /// Triangles in one plane, to within `flat`, become one face.
    fn faces(&self, flat: f64) -> Hull {
        let there = |k: &usize| !self.triangles[*k].gone;
        // The largest triangles have the best normals.
        let mut order: Vec<usize> = (0..self.triangles.len()).filter(there).collect();
        let area = |k: usize| self.triangles[k].area;
        order.sort_by(|&i, &j| area(j).total_cmp(&area(i)).then(i.cmp(&j)));
        let mut face_of = vec![usize::MAX; self.triangles.len()];
        let mut normals = Vec::new();
        for &first in &order {
            if face_of[first] != usize::MAX {
                continue;
            }
            let face = normals.len();
            let (n, at) = (self.triangles[first].normal, self.triangles[first].at);
            normals.push(n);
            face_of[first] = face;
            let mut reached = vec![first];
            while let Some(k) = reached.pop() {
                for &other in &self.triangles[k].beside {
                    let t = &self.triangles[other];
                    let level = |&i: &usize| n.dot(&(self.points[i] - at)).abs() <= flat;
                    let along = t.is_needle(self.points, flat) || t.normal.dot(&n) > 0.0;
                    if face_of[other] == usize::MAX && along && t.corners.iter().all(level) {
                        face_of[other] = face;
                        reached.push(other);
                    }
                }
            }
        }
        let loops = self.outlines(&order, &face_of, normals.len());
        let bent: Vec<bool> = loops.iter().map(|corners| self.turns_back(corners, flat)).collect();
        for &k in &order {
            if bent[face_of[k]] {
                face_of[k] = normals.len();
                normals.push(self.triangles[k].normal);
            }
        }
        let loops = self.outlines(&order, &face_of, normals.len());
        let loops = self.straighten(loops, flat);
        compact(self.points, normals.into_iter().zip(loops).filter(|(_, f)| f.len() >= 3).collect())
    }

    /// The corners around each face, in turn.
    fn outlines(&self, order: &[usize], face_of: &[usize], count: usize) -> Vec<Vec<usize>> {
        let mut loops = vec![Vec::new(); count];
        for &k in order {
            for side in 0..3 {
                let face = face_of[k];
                if !loops[face].is_empty() || face_of[self.triangles[k].beside[side]] == face {
                    continue;
                }
                // From side to side along the rim: at each corner through the triangles of the face to its next side.
                let (mut at, mut along) = (k, side);
                loop {
                    loops[face].push(self.side(at, along)[0]);
                    let corner = self.side(at, along)[1];
                    along = (along + 1) % 3;
                    while face_of[self.triangles[at].beside[along]] == face {
                        at = self.triangles[at].beside[along];
                        let begins = |s: &usize| self.triangles[at].corners[*s] == corner;
                        along = (0..3).find(begins).unwrap_or(0);
                    }
                    if (at, along) == (k, side) {
                        break;
                    }
                }
            }
        }
        loops
    }

    /// Whether an outline is not convex, by more than `flat`.
    fn turns_back(&self, corners: &[usize], flat: f64) -> bool {
        let n = corners.len();
        let x = |k: usize| self.points[corners[k % n]];
        let turn = |k: usize| (x(k + 1) - x(k)).cross(&(x(k + 2) - x(k + 1)));
        let across: Vector3<f64> =
            (1..n - 1).map(|k| (x(k) - x(0)).cross(&(x(k + 1) - x(0)))).sum();
        let up = across.normalize();
        (0..n).any(|k| turn(k).dot(&up) < -flat * (x(k + 2) - x(k)).norm())
    }

    /// Takes corners in line with their neighbours out of the two faces that have them.
    fn straighten(&self, mut loops: Vec<Vec<usize>>, flat: f64) -> Vec<Vec<usize>> {
        let mut faces: Vec<Vec<usize>> = vec![Vec::new(); self.points.len()];
        for (face, corners) in loops.iter().enumerate() {
            corners.iter().for_each(|&i| faces[i].push(face));
        }
        for (i, own) in faces.iter().enumerate() {
            let &[first, second] = own.as_slice() else { continue };
            if first == second || loops[first].len() <= 3 || loops[second].len() <= 3 {
                continue;
            }
            let around = |face: usize| {
                let corners = &loops[face];
                let at = corners.iter().position(|&c| c == i)?;
                let n = corners.len();
                Some((at, corners[(at + n - 1) % n], corners[(at + 1) % n]))
            };
            let (Some((at, a, b)), Some((other, ..))) = (around(first), around(second)) else {
                continue;
            };
            let d = self.points[b] - self.points[a];
            let off = (self.points[i] - self.points[a]).cross(&d).norm();
            if off <= flat * d.norm() {
                loops[first].remove(at);
                loops[second].remove(other);
            }
        }
        loops
    }
}

/// The hull of some of the points, corners in the order of the points.
fn compact(points: &[Vector3<f64>], mut loops: Vec<(Vector3<f64>, Vec<usize>)>) -> Hull {
    let mut place: Vec<Option<usize>> = vec![None; points.len()];
    loops.iter().flat_map(|(_, face)| face).for_each(|&i| place[i] = Some(0));
    let mut corners = Vec::new();
    for (place, point) in place.iter_mut().zip(points).filter(|(place, _)| place.is_some()) {
        *place = Some(corners.len());
        corners.push(*point);
    }
    loops.iter_mut().flat_map(|(_, face)| face).for_each(|i| *i = place[*i].unwrap_or(0));
    let height = |p: &Vector3<f64>| {
        let above = |(n, face): &(Vector3<f64>, Vec<usize>)| n.dot(&(p - corners[face[0]]));
        loops.iter().map(above).fold(0.0, f64::max)
    };
    let left = points.iter().map(height).fold(0.0, f64::max);
    Hull { corners, faces: loops, left }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: u64) -> impl FnMut() -> f64 {
        let mut seed = seed;
        move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        }
    }

    /// Closed, Euler's V − E + F = 2, convex faces, all points inside to within `most`.
    fn check(points: &[Vector3<f64>], hull: &Hull, most: f64) {
        let mut sides = std::collections::BTreeSet::new();
        for (n, face) in &hull.faces {
            let x = |k: usize| hull.corners[face[k % face.len()]];
            for k in 0..face.len() {
                assert!(sides.insert([face[k], face[(k + 1) % face.len()]]), "a side twice");
                let turn = (x(k + 1) - x(k)).cross(&(x(k + 2) - x(k + 1))).dot(n);
                assert!(turn >= -8.0 * most * (x(k + 2) - x(k)).norm(), "{turn}");
            }
        }
        assert!(sides.iter().all(|&[i, j]| sides.contains(&[j, i])), "it is open");
        assert_eq!(hull.corners.len() + hull.faces.len(), sides.len() / 2 + 2);
        assert!(hull.left <= most, "{} {most}", hull.left);
        for (n, face) in &hull.faces {
            let above = |p: &&Vector3<f64>| n.dot(&(**p - hull.corners[face[0]])) > most;
            assert!(!points.iter().any(|p| above(&p)));
        }
    }

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
        let mut next = random(7);
        for n in [5, 20, 300] {
            let points: Vec<_> = (0..n).map(|_| Vector3::new(next(), next(), next())).collect();
            check(&points, &Hull::of(&points).unwrap(), 5.0 * FLAT);
        }
    }

    /// A drum with rounded rims, bolts in it, turned, kept in single precision: caps, sides and roundings of thousands of points
    /// that are in a plane or a line to seven digits only.
    fn part(turned: f64) -> Vec<Vector3<f64>> {
        let turn = nalgebra::Rotation3::from_euler_angles(turned, 2.0 * turned, -turned);
        let mut points = Vec::new();
        for i in 0..64 {
            let angle = std::f64::consts::TAU * f64::from(i) / 64.0;
            for ring in 0..24 {
                let round = std::f64::consts::FRAC_PI_2 * f64::from(ring.min(12)) / 12.0;
                let (r, z) = (0.09 + 0.01 * round.sin(), 0.05 + 0.01 * round.cos());
                let r = if ring > 12 { 0.09 * f64::from(24 - ring) / 12.0 } else { r };
                let z = if ring > 12 { 0.06 } else { z };
                for z in [z, -z] {
                    points.push(Vector3::new(r * angle.cos(), r * angle.sin(), z));
                }
            }
        }
        let kept = |x: f64| f64::from(x as f32);
        points.iter().map(|p| (turn * p).map(kept)).collect()
    }

    #[test]
    fn eq1_points_of_seven_digits_on_round_and_flat_parts() {
        for turned in [0.0, 0.3, 1.1] {
            let points = part(turned);
            let hull = Hull::of_mesh(usize::MAX, &points).unwrap();
            let size = span(&points);
            check(&points, &hull, 5.0 * ROUGH * size);
            // Two caps of 64 corners, and the quadrangles of the sides and roundings.
            let caps = hull.faces.iter().filter(|(_, f)| f.len() == 64).count();
            assert_eq!(caps, 2);
            assert_eq!(hull.faces.iter().filter(|(_, f)| f.len() == 4).count(), 64 * 25);
            // Without tolerance there are faces for every digit, but no harm.
            check(&points, &Hull::of(&points).unwrap(), 5.0 * FLAT * size);
        }
    }

    #[test]
    fn eq2_a_hull_of_few_corners_says_what_it_leaves() {
        let points = part(0.3);
        let whole = Hull::of_mesh(usize::MAX, &points).unwrap();
        let mut before = f64::INFINITY;
        for most in [20, 60, 200] {
            let hull = Hull::of_mesh(most, &points).unwrap();
            assert!(hull.corners.len() <= most);
            check(&points, &hull, hull.left);
            assert!(hull.left < before && hull.left > whole.left);
            before = hull.left;
        }
        assert!(before < 2e-3, "{before}");
    }
}
