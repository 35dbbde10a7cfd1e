//! Ground made of triangles: its flat faces, its ridges, and a tree of boxes to find them by.
//!
//! The triangles are counter-clockwise as seen from the free side; what is behind them is solid.
//!
//! # Rule
//! FLAT is a share of the size of the whole.
//! 1. Triangles beside each other whose corners lie in the plane of the largest of them, to within [`FLAT`], are one
//!    *face*. The lines between them are no edges: what rolls or slides over a flat mesh meets one plane.
//! 2. An edge between two faces is a *ridge* if the far corner of each lies below the plane of the other; the border of
//!    the ground is one, too. Other edges lie in valleys: nothing convex touches them without touching both faces.
//! 3. Corners count where ridges meet.
//!
//! # Tests
//! `a_flat_mesh_is_one_face`, `a_roof_has_a_ridge_and_a_ditch_has_none`, `the_nearest_point_by_search`,
//! `sides_are_told_at_corners_by_angles`.

use super::hull::FLAT;
use super::terrain_tree::{Tree, between};
use nalgebra::Vector3;
use std::collections::HashMap;
use thiserror::Error;

/// A triangle of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Triangle {
    /// Its corners.
    pub corners: [usize; 3],
    /// The face that it is part of.
    pub face: usize,
    /// Unit vectors in its plane, across the side from each corner to the next, pointing inward.
    pub sides: [Vector3<f64>; 3],
    /// Whether the face ends at each of these sides.
    pub ends: [bool; 3],
}

/// A flat part of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Flat {
    /// A point of its plane, m.
    pub point: Vector3<f64>,
    /// Unit normal out of the ground.
    pub normal: Vector3<f64>,
}

/// A convex edge, or a border.
#[derive(Debug, Clone, PartialEq)]
pub struct Ridge {
    /// Its ends.
    pub ends: [usize; 2],
    /// The far corners of the triangles beside it, one at a border.
    pub wings: Vec<usize>,
    /// The faces beside it, likewise.
    pub faces: Vec<usize>,
}

/// Ground made of triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Terrain {
    /// Points, m.
    pub points: Vec<Vector3<f64>>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
    /// Flat faces.
    pub faces: Vec<Flat>,
    /// Ridges.
    pub ridges: Vec<Ridge>,
    /// The ridges of each triangle, one per side.
    pub ridge_of: Vec<[Option<usize>; 3]>,
    /// Points next to each point at which a ridge ends; none at others.
    pub neighbours: Vec<Vec<usize>>,
    /// Largest extent, m.
    pub size: f64,
    /// Whether it is ground of the plane, a strip along z ([`Terrain::line`]).
    pub planar: bool,
    pub(super) tree: Tree,
}

/// Why triangles are no ground.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainError {
    /// No triangle with an area.
    #[error("no triangle has an area")]
    Empty,
    /// A number that is not finite, or a corner that does not exist.
    #[error("triangle {triangle} has a corner that is not finite or does not exist")]
    Corner {
        /// The triangle, from 0.
        triangle: usize,
    },
    /// An edge of three triangles or more, or of two that do not turn alike.
    #[error(
        "triangles {first} and {second} do not fit: an edge belongs to two triangles that turn alike"
    )]
    Edge {
        /// A triangle at the edge, from 0.
        first: usize,
        /// Another one.
        second: usize,
    },
    /// A point of a line that is not finite.
    #[error("point {point} is not finite")]
    Point {
        /// The point, from 0.
        point: usize,
    },
    /// Two points of a line at one place.
    #[error("point {point} is the one before it")]
    Twice {
        /// The second of them, from 0.
        point: usize,
    },
    /// Two segments of a line that cross, touch, or lie on each other.
    #[error("segments {first} and {second} of the line cross or touch")]
    Crossing {
        /// The first segment, from 0.
        first: usize,
        /// The other.
        second: usize,
    },
}

/// Points and the corners of triangles.
type Mesh = (Vec<Vector3<f64>>, Vec<[usize; 3]>);

/// Triangle and side of an edge, by its ends in order.
type Edges = HashMap<[usize; 2], (usize, usize)>;

impl Terrain {
    /// From points and triangles. Points with equal coordinates are one, triangles without an area are left out.
    pub fn new(points: &[Vector3<f64>], triangles: &[[usize; 3]]) -> Result<Self, TerrainError> {
        let (points, corners) = joined(points, triangles)?;
        let (mut low, mut high) = (points[0], points[0]);
        points.iter().for_each(|p| (low, high) = (low.inf(p), high.sup(p)));
        let size = (high - low).amax();
        let edges = edges(&corners)?;
        let (faces, face_of) = flat_faces(&points, &corners, &edges, FLAT * size);
        let mut ground = Self {
            tree: Tree::new(&points, &corners),
            triangles: triangles_of(&points, &corners, (&faces, &face_of), &edges),
            ridge_of: vec![[None; 3]; corners.len()],
            neighbours: vec![Vec::new(); points.len()],
            ridges: Vec::new(),
            faces,
            points,
            size,
            planar: false,
        };
        ground.find_ridges(&edges);
        Ok(ground)
    }

    fn find_ridges(&mut self, edges: &Edges) {
        for t in 0..self.triangles.len() {
            for k in 0..3 {
                let [i, j, wing] = [0, 1, 2].map(|n| self.triangles[t].corners[(k + n) % 3]);
                let own = self.triangles[t].face;
                let (wings, faces) = match edges.get(&[j, i]) {
                    None => (vec![wing], vec![own]),
                    // Of two triangles, the first tells.
                    Some(&(other, _)) if other < t => continue,
                    Some(&(other, side)) => {
                        let far = self.triangles[other].corners[(side + 2) % 3];
                        let below = |face: usize, x: usize| {
                            let f = &self.faces[face];
                            f.normal.dot(&(self.points[x] - f.point)) < -FLAT * self.size
                        };
                        let [a, b] = [t, other].map(|t| self.triangles[t].face);
                        if a == b || !below(a, far) || !below(b, wing) {
                            continue;
                        }
                        self.ridge_of[other][side] = Some(self.ridges.len());
                        (vec![wing, far], vec![a, b])
                    }
                };
                self.ridge_of[t][k] = Some(self.ridges.len());
                self.ridges.push(Ridge { ends: [i, j], wings, faces });
            }
        }
        let mut pointed = vec![false; self.points.len()];
        self.ridges.iter().flat_map(|r| r.ends).for_each(|i| pointed[i] = true);
        for t in &self.triangles {
            for k in 0..3 {
                let (i, j) = (t.corners[k], t.corners[(k + 1) % 3]);
                for (from, to) in [(i, j), (j, i)] {
                    if pointed[from] && !self.neighbours[from].contains(&to) {
                        self.neighbours[from].push(to);
                    }
                }
            }
        }
    }

    /// How far inside of a face a point of its plane lies, m; `reach` at most, to which its ends are looked for.
    pub fn over(&self, face: usize, x: &Vector3<f64>, reach: f64) -> f64 {
        let mut inside = -reach;
        let wide = Vector3::repeat(reach);
        self.tree.within(&(x - wide), &(x + wide), &mut |t| {
            let triangle = &self.triangles[t];
            if triangle.face != face {
                return;
            }
            // Sides inside of the face are no ends, but which triangle the point belongs to is told by them.
            let (mut here, mut own) = (f64::INFINITY, true);
            for k in 0..3 {
                let d = triangle.sides[k].dot(&(x - self.points[triangle.corners[k]]));
                if triangle.ends[k] {
                    here = here.min(d);
                } else {
                    own &= d >= -reach;
                }
            }
            if own {
                inside = inside.max(here.min(self.size));
            }
        });
        inside
    }

    /// The point of the ground nearest to x, and its triangle.
    pub fn nearest(&self, x: &Vector3<f64>) -> (Vector3<f64>, usize) {
        self.tree.nearest(x, &|t| closest(&self.triangles[t].corners.map(|i| self.points[i]), x))
    }

    /// Length of its shortest edge, m.
    pub fn least_edge(&self) -> f64 {
        let edge =
            |c: &[usize; 3], k: usize| (self.points[c[k]] - self.points[c[(k + 1) % 3]]).norm();
        let all = self.triangles.iter().flat_map(|t| (0..3).map(|k| edge(&t.corners, k)));
        all.fold(f64::INFINITY, f64::min)
    }

    /// A ball around it: the middle of its box, and the distance of the farthest point from there, m.
    pub fn ball(&self) -> (Vector3<f64>, f64) {
        let (mut low, mut high) = (self.points[0], self.points[0]);
        self.points.iter().for_each(|p| (low, high) = (low.inf(p), high.sup(p)));
        let middle = (low + high) * 0.5;
        (middle, self.points.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max))
    }

    /// Triangles whose boxes are within `reach` of a box.
    pub fn near(
        &self,
        (low, high): (&Vector3<f64>, &Vector3<f64>),
        reach: f64,
        found: &mut Vec<usize>,
    ) {
        found.clear();
        self.tree.near((low, high), reach, &mut |t| {
            let [a, b, c] = self.triangles[t].corners.map(|i| self.points[i]);
            let (bottom, top) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
            if between((&bottom, &top), (low, high)) <= reach * reach {
                found.push(t);
            }
        });
        found.sort_unstable();
    }

    /// Whether x is behind the triangles nearest to it: by the sum of the normals of all those whose nearest point is the
    /// same, each weighted by its angle there (Bærentzen and Aanæs 2005), without which the sum may point the wrong way at
    /// a corner. What is nearest to the border is beside the ground.
    pub fn covers(&self, x: &Vector3<f64>) -> bool {
        let (p, _) = self.nearest(x);
        let hair = Vector3::repeat(FLAT * self.size);
        let (mut normal, mut border) = (Vector3::zeros(), false);
        self.tree.within(&(p - hair), &(p + hair), &mut |other| {
            let triangle = &self.triangles[other];
            let corners = triangle.corners.map(|i| self.points[i]);
            if (closest(&corners, x) - p).amax() > hair.x {
                return;
            }
            normal += self.faces[triangle.face].normal * angle_at(&corners, &p, hair.x);
            border |= (0..3).any(|k| {
                let beside = triangle.sides[k].dot(&(p - corners[k]));
                let ends = |r: usize| self.ridges[r].wings.len() == 1;
                self.ridge_of[other][k].is_some_and(ends) && beside <= hair.x
            });
        });
        !border && normal.dot(&(x - p)) < 0.0
    }
}

/// The angle of a triangle at a point of it: at a corner its own, elsewhere a half turn.
fn angle_at(corners: &[Vector3<f64>; 3], p: &Vector3<f64>, hair: f64) -> f64 {
    let at = (0..3).find(|&k| (corners[k] - p).amax() <= hair);
    at.map_or(std::f64::consts::PI, |k| {
        let [d, e] = [1, 2].map(|n| corners[(k + n) % 3] - corners[k]);
        d.angle(&e)
    })
}

/// Distinct points and the triangles that have an area.
fn joined(points: &[Vector3<f64>], triangles: &[[usize; 3]]) -> Result<Mesh, TerrainError> {
    let (mut own, mut all) = (Vec::new(), Vec::new());
    let mut known: HashMap<[u64; 3], usize> = HashMap::new();
    for (k, t) in triangles.iter().enumerate() {
        let fault = || TerrainError::Corner { triangle: k };
        let mut corners = [0; 3];
        for (corner, &i) in corners.iter_mut().zip(t) {
            let p = points.get(i).ok_or_else(fault)?;
            if !p.iter().all(|x| x.is_finite()) {
                return Err(fault());
            }
            // −0 and 0 are one.
            let bits = [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
            *corner = *known.entry(bits).or_insert_with(|| {
                own.push(*p);
                own.len() - 1
            });
        }
        let [a, b, c] = corners.map(|i| own[i]);
        let (d, e) = (b - a, c - a);
        if d.cross(&e).norm() > FLAT * (d.norm_squared() + e.norm_squared()) {
            all.push(corners);
        }
    }
    if all.is_empty() { Err(TerrainError::Empty) } else { Ok((own, all)) }
}

fn edges(corners: &[[usize; 3]]) -> Result<Edges, TerrainError> {
    let mut all = Edges::new();
    for (t, c) in corners.iter().enumerate() {
        for k in 0..3 {
            if let Some((first, _)) = all.insert([c[k], c[(k + 1) % 3]], (t, k)) {
                return Err(TerrainError::Edge { first, second: t });
            }
        }
    }
    Ok(all)
}

/// Rule 1: faces, and the face of each triangle.
fn flat_faces(
    points: &[Vector3<f64>],
    corners: &[[usize; 3]],
    edges: &Edges,
    flat: f64,
) -> (Vec<Flat>, Vec<usize>) {
    let across = |t: usize| {
        let [a, b, c] = corners[t].map(|i| points[i]);
        (b - a).cross(&(c - a))
    };
    let areas: Vec<f64> = (0..corners.len()).map(|t| across(t).norm()).collect();
    let mut order: Vec<usize> = (0..corners.len()).collect();
    order.sort_by(|&s, &t| areas[t].total_cmp(&areas[s]));
    let (mut faces, mut face_of) = (Vec::new(), vec![usize::MAX; corners.len()]);
    for first in order {
        if face_of[first] != usize::MAX {
            continue;
        }
        let (normal, point) = (across(first) / areas[first], points[corners[first][0]]);
        face_of[first] = faces.len();
        let mut open = vec![first];
        while let Some(t) = open.pop() {
            for k in 0..3 {
                let Some(&(next, _)) = edges.get(&[corners[t][(k + 1) % 3], corners[t][k]]) else {
                    continue;
                };
                let level = |i: &usize| normal.dot(&(points[*i] - point)).abs() <= flat;
                if face_of[next] == usize::MAX
                    && corners[next].iter().all(level)
                    && across(next).dot(&normal) > 0.0
                {
                    face_of[next] = faces.len();
                    open.push(next);
                }
            }
        }
        faces.push(Flat { point, normal });
    }
    (faces, face_of)
}

fn triangles_of(
    points: &[Vector3<f64>],
    corners: &[[usize; 3]],
    (faces, face_of): (&[Flat], &[usize]),
    edges: &Edges,
) -> Vec<Triangle> {
    let triangle = |(t, c): (usize, &[usize; 3])| {
        let n = faces[face_of[t]].normal;
        let side = |k: usize| n.cross(&(points[c[(k + 1) % 3]] - points[c[k]])).normalize();
        let end = |k: usize| {
            edges.get(&[c[(k + 1) % 3], c[k]]).is_none_or(|other| face_of[other.0] != face_of[t])
        };
        Triangle {
            corners: *c,
            face: face_of[t],
            sides: [0, 1, 2].map(side),
            ends: [0, 1, 2].map(end),
        }
    };
    corners.iter().enumerate().map(triangle).collect()
}

/// The point of a triangle nearest to x.
pub(crate) fn closest(corners: &[Vector3<f64>; 3], x: &Vector3<f64>) -> Vector3<f64> {
    let n = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    let foot = x - n * n.dot(&(x - corners[0]));
    let (mut best, mut inside) = (foot, true);
    let mut least = f64::INFINITY;
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let d = b - a;
        if n.cross(&d).dot(&(foot - a)) >= 0.0 {
            continue;
        }
        let p = a + d * (d.dot(&(x - a)) / d.norm_squared()).clamp(0.0, 1.0);
        if !inside && (p - x).norm_squared() >= least {
            continue;
        }
        (best, inside, least) = (p, false, (p - x).norm_squared());
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of heights over the unit square, two triangles a cell.
    fn grid(n: usize, height: impl Fn(f64, f64) -> f64) -> Terrain {
        let at = |k: usize| k as f64 / n as f64;
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for j in 0..=n {
            for i in 0..=n {
                points.push(Vector3::new(at(i), at(j), height(at(i), at(j))));
            }
        }
        for j in 0..n {
            for i in 0..n {
                let p = j * (n + 1) + i;
                triangles.extend([[p, p + 1, p + n + 2], [p, p + n + 2, p + n + 1]]);
            }
        }
        Terrain::new(&points, &triangles).unwrap()
    }

    #[test]
    fn a_flat_mesh_is_one_face() {
        let ground = grid(7, |x, y| 0.3 * x - 0.2 * y);
        assert_eq!(ground.faces.len(), 1);
        assert_eq!(ground.ridges.len(), 28, "the border");
        let x = Vector3::new(0.4, 0.25, 0.3 * 0.4 - 0.2 * 0.25);
        assert!(ground.over(0, &x, 1e-3) >= 1e-3);
        let beside = Vector3::new(-1e-4, 0.25, -0.3e-4 - 0.05);
        assert!((ground.over(0, &beside, 1e-3) + 1e-4 * 1.09_f64.sqrt()).abs() < 2e-6);
    }

    #[test]
    fn a_roof_has_a_ridge_and_a_ditch_has_none() {
        for (sign, inner) in [(-1.0, 4), (1.0, 0)] {
            let ground = grid(4, |x, _| sign * (x - 0.5).abs());
            assert_eq!(ground.faces.len(), 2);
            assert_eq!(ground.ridges.iter().filter(|r| r.wings.len() == 2).count(), inner);
            assert!(ground.covers(&Vector3::new(0.3, 0.5, sign * 0.2 - 0.05)));
            assert!(!ground.covers(&Vector3::new(0.5, 0.5, 0.01)));
            assert!(ground.covers(&Vector3::new(0.5, 0.5, -0.01)));
        }
    }

    /// Over a spike one side of which is a dozen thin triangles: by normals without weights that side would tell alone.
    #[test]
    fn sides_are_told_at_corners_by_angles() {
        let base = |k: usize| {
            let (y, x) = (std::f64::consts::TAU * k as f64 / 3.0).sin_cos();
            Vector3::new(0.2 * x, 0.2 * y, 0.0)
        };
        let mut points = vec![Vector3::z(), base(2)];
        points.extend((0..=12).map(|k| base(0).lerp(&base(1), f64::from(k) / 12.0)));
        let mut triangles: Vec<[usize; 3]> = (2..14).map(|k| [0, k, k + 1]).collect();
        triangles.extend([[0, 14, 1], [0, 1, 2]]);
        let ground = Terrain::new(&points, &triangles).unwrap();
        let mut over = 0;
        for k in 0..2000 {
            let at = |a: f64| (a * f64::from(k)).rem_euclid(2.0) - 1.0;
            let d = Vector3::new(at(0.618), at(0.414), at(0.732)) * 0.1;
            if ground.nearest(&(points[0] + d)).0 == points[0] {
                assert!(!ground.covers(&(points[0] + d)), "{d}");
                over += 1;
            }
        }
        assert!(over > 100, "{over}");
    }

    #[test]
    fn the_nearest_point_by_search() {
        let ground = grid(9, |x, y| 0.2 * (7.0 * x).sin() * (5.0 * y).cos());
        for k in 0..200 {
            let at = |a: f64| (a * f64::from(k)).rem_euclid(1.0);
            let x = Vector3::new(at(0.618), at(0.414), at(0.732) - 0.5);
            let all = ground
                .triangles
                .iter()
                .map(|t| (closest(&t.corners.map(|i| ground.points[i]), &x) - x).norm());
            let least = all.fold(f64::INFINITY, f64::min);
            assert!(((ground.nearest(&x).0 - x).norm() - least).abs() < 1e-15);
        }
    }

    #[test]
    fn what_is_no_ground_is_told() {
        let p = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(1.0, 1.0, 0.0)];
        assert_eq!(Terrain::new(&p, &[[0, 1, 1]]), Err(TerrainError::Empty));
        assert_eq!(Terrain::new(&p, &[[0, 1, 9]]), Err(TerrainError::Corner { triangle: 0 }));
        let turned = Terrain::new(&p, &[[0, 1, 2], [1, 2, 3]]);
        assert_eq!(turned, Err(TerrainError::Edge { first: 0, second: 1 }));
    }
}
