//! Ground of the plane: a line from point to point in x–y.
//!
//! # Rule
//! 1. The free side is on the left of the way along the line; what is on the right is solid. A line that ends where it begins
//!    is closed: clockwise it is the outline of a solid, counter-clockwise the wall of a bin.
//! 2. The line is drawn out along z to a strip of triangles, so that it is ground as in space ([`Terrain`]): segments in one line
//!    are one face, and its ridges along z are the *corners* of the line, those that are convex and its two ends. Nothing
//!    else of the strip is a feature: what moves in the plane is nowhere near its borders.
//! 3. Segments do not cross or touch, but where one begins as the other ends.
//!
//! # Tests
//! `tests/terrain_line.rs`.

use super::hull::FLAT;
use super::{Terrain, TerrainError};
use nalgebra::{Vector2, Vector3};

impl Terrain {
    /// Ground of the plane by the points of a line, the free side on its left.
    pub fn line(points: &[[f64; 2]]) -> Result<Self, TerrainError> {
        let finite = |p: &[f64; 2]| p.iter().all(|x| x.is_finite());
        if let Some(point) = points.iter().position(|p| !finite(p)) {
            return Err(TerrainError::Point { point });
        }
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in points {
            (0..2).for_each(|k| (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k])));
        }
        let half = 0.5 * (high[0] - low[0]).max(high[1] - low[1]);
        let same =
            |p: &[[f64; 2]]| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]) <= 8.0 * FLAT * half;
        if let Some(point) = points.windows(2).position(same) {
            return Err(TerrainError::Twice { point: point + 1 });
        }
        let strip = |p: &[f64; 2]| [-half, half].map(|z| Vector3::new(p[0], p[1], z));
        let corners: Vec<_> = points.iter().flat_map(strip).collect();
        let of_segment = |k: usize| {
            let [p, above, q, beyond] = [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3];
            [[p, above, beyond], [p, beyond, q]]
        };
        let triangles: Vec<_> = (1..points.len()).flat_map(|k| of_segment(k - 1)).collect();
        let mut ground = Self::new(&corners, &triangles)?;
        ground.planar = true;
        ground.check_crossings(points)?;
        Ok(ground)
    }

    /// Rule 3.
    fn check_crossings(&self, points: &[[f64; 2]]) -> Result<(), TerrainError> {
        let closed = points.first() == points.last();
        let last = points.len() - 2;
        let mut near = Vec::new();
        for k in 0..=last {
            let [p, q] = [points[k], points[k + 1]].map(|[x, y]| Vector3::new(x, y, 0.0));
            self.near((&p.inf(&q), &p.sup(&q)), FLAT * self.size, &mut near);
            for other in near.iter().map(|t| t / 2).filter(|&other| other > k) {
                let next = other == k + 1 || closed && k == 0 && other == last;
                let ends = [k, k + 1, other, other + 1].map(|i| Vector2::from(points[i]));
                if !next && meet(ends, FLAT * self.size) || next && folded(ends) {
                    return Err(TerrainError::Crossing { first: k, second: other });
                }
            }
        }
        Ok(())
    }

    /// The points of a line, in turn.
    pub fn polyline(&self) -> Vec<Vector3<f64>> {
        let first = self.triangles.iter().take(1).map(|t| t.corners[0]);
        // Of the two triangles of a segment the second has its end.
        let ends = self.triangles.iter().skip(1).step_by(2).map(|t| t.corners[2]);
        let flat = |i: usize| Vector3::new(self.points[i].x, self.points[i].y, 0.0);
        first.chain(ends).map(flat).collect()
    }

    /// Corners of a line: its ridges along z.
    pub fn is_corner(&self, ridge: usize) -> bool {
        let [i, j] = self.ridges[ridge].ends;
        self.points[i].z != self.points[j].z
    }

    /// A corner of a line, or a point of ground in space.
    pub fn corner(&self, index: usize) -> Vector3<f64> {
        if !self.planar {
            return self.points[index];
        }
        let p = self.points[self.ridges[index].ends[0]];
        Vector3::new(p.x, p.y, 0.0)
    }
}

/// Whether two segments come closer than some distance.
fn meet([a, b, c, d]: [Vector2<f64>; 4], near: f64) -> bool {
    let side = |p: Vector2<f64>, q: Vector2<f64>, x: Vector2<f64>| (q - p).perp(&(x - p));
    let apart = |x: Vector2<f64>, p: Vector2<f64>, q: Vector2<f64>| {
        let d = q - p;
        let share = (d.dot(&(x - p)) / d.norm_squared()).clamp(0.0, 1.0);
        (x - p - d * share).norm()
    };
    let cross = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
    let least = apart(a, c, d).min(apart(b, c, d)).min(apart(c, a, b)).min(apart(d, a, b));
    cross || least <= near
}

/// Whether a segment goes back over the one before it, or the first over the last.
fn folded([a, b, c, d]: [Vector2<f64>; 4]) -> bool {
    let [u, v] = [(b - a).normalize(), (d - c).normalize()];
    u.perp(&v).abs() <= FLAT && u.dot(&v) < 0.0
}
