//! Ground made of triangles and a shape that may be inside of it at the start, where features do not tell.
//!
//! # Law
//! A shape is inside if its centre, a corner or the middle of it is behind the triangles, if an edge of it passes through
//! one, or if a triangle enters it: an ellipsoid with semi-axes D along the columns of Q, or a cylinder with the radius r, if
//! ```text
//! |D⁻¹Qᵀ(x − c)| < 1,   or what of it is between the caps is nearer to the axis than r                 (1)
//! ```
//! for some point x of the triangle.
//!
//! # Limits
//! (1) does not ask whether ground enters a disk.
//!
//! # Tests
//! `tests/terrain_round.rs`: `eq1_a_start_inside_is_refused`; `tests/terrain.rs`: `what_cannot_be_is_told`.

use super::cylinder::Cylinder;
use super::motion::BodyMotion;
use super::parts::Convex;
use super::smooth_pair::Smooth;
use super::terrain_pair::TerrainPair;
use crate::model::terrain::closest;
use nalgebra::Vector3;

impl TerrainPair {
    /// The gap, also where the shape is far below the ground.
    pub fn overlap(&mut self, motions: [&BodyMotion; 2]) -> f64 {
        let gap = self.separation(motions).gap;
        let motion = self.seen(motions);
        let sunk = |x: &Vector3<f64>| self.ground.covers(x);
        let deep = || self.x.iter().any(sunk) || sunk(&motion.place(&self.shape.center));
        let sides = |j: usize| match self.ground.planar {
            true => self.shape.faces.get(j).map(|f| [f.corners[0], f.corners[1]]),
            false => self.shape.edges.get(j).map(|e| e.ends),
        };
        let pierced = || (0..).map_while(sides).any(|ends| self.pierces(ends.map(|k| self.x[k])));
        let entered = || self.round.is_some() && self.entered(&motion);
        if gap > 0.0 && (deep() || pierced() || entered()) {
            return -self.size;
        }
        gap
    }

    /// Whether a segment passes through a triangle.
    fn pierces(&self, [x, y]: [Vector3<f64>; 2]) -> bool {
        self.near.iter().any(|&t| {
            let triangle = &self.ground.triangles[t];
            let flat = &self.ground.faces[triangle.face];
            let h = [x, y].map(|p| flat.normal.dot(&(p - flat.point)));
            if h[0] * h[1] >= 0.0 {
                return false;
            }
            let p = x + (y - x) * (h[0] / (h[0] - h[1]));
            let beside =
                |k: usize| triangle.sides[k].dot(&(p - self.ground.points[triangle.corners[k]]));
            (0..3).all(|k| beside(k) > 0.0)
        })
    }

    /// Equation (1): whether a triangle that was gathered enters the shape, by more than round-off.
    fn entered(&self, motion: &BodyMotion) -> bool {
        let Some(round) = &self.round else { return false };
        self.near.iter().any(|&t| {
            let corners = self.ground.triangles[t].corners.map(|i| self.ground.points[i]);
            match round {
                Convex::Smooth(s) => deep_in_ellipsoid(s, motion, &corners) > self.hair(),
                Convex::Cylinder(c) => {
                    deep_in_cylinder(c, motion, &corners, self.hair()) > self.hair()
                }
                _ => false,
            }
        })
    }
}

/// By how much of its least semi-axis a triangle is inside of an ellipsoid, m.
fn deep_in_ellipsoid(s: &Smooth, motion: &BodyMotion, corners: &[Vector3<f64>; 3]) -> f64 {
    let scaled = |x: &Vector3<f64>| {
        let local = s.axes.tr_mul(&(motion.R.tr_mul(&(x - motion.r)) - s.center));
        // An ellipse of the plane is drawn out along z.
        local.component_div(&s.semi_axes.map(|a| if a > 0.0 { a } else { s.size() }))
    };
    let nearest = closest(&[0, 1, 2].map(|k| scaled(&corners[k])), &Vector3::zeros());
    (1.0 - nearest.norm()) * s.least()
}

/// How far what of a triangle is between the caps of a cylinder, by more than `hair`, reaches inside of its side, m.
fn deep_in_cylinder(
    c: &Cylinder,
    motion: &BodyMotion,
    corners: &[Vector3<f64>; 3],
    hair: f64,
) -> f64 {
    let local = |x: &Vector3<f64>| c.axes.tr_mul(&(motion.R.tr_mul(&(x - motion.r)) - c.center));
    let mut kept = [Vector3::zeros(); 9];
    (0..3).for_each(|k| kept[k] = local(&corners[k]));
    let mut count = 3;
    for side in [1.0, -1.0] {
        let above = |p: &Vector3<f64>| side * p.z - (c.half_length - hair);
        let (all, n) = (kept, count);
        count = 0;
        for k in 0..n {
            let (p, q) = (all[k], all[(k + 1) % n]);
            if above(&p) <= 0.0 {
                kept[count] = p;
                count += 1;
            }
            if above(&p) * above(&q) < 0.0 {
                kept[count] = p + (q - p) * (above(&p) / (above(&p) - above(&q)));
                count += 1;
            }
        }
    }
    // The distance of the axis from the polygon as seen along it.
    let (mut nearest, mut left, mut right) = (f64::INFINITY, count > 2, count > 2);
    for k in 0..count {
        let [p, q] = [kept[k], kept[(k + 1) % count]].map(|x| x.xy());
        let d = q - p;
        let turn = p.perp(&q);
        (left, right) = (left && turn > 0.0, right && turn < 0.0);
        let square = d.norm_squared();
        let share = if square > 0.0 { (-p.dot(&d) / square).clamp(0.0, 1.0) } else { 0.0 };
        nearest = nearest.min((p + d * share).norm());
    }
    c.radius - if left || right { 0.0 } else { nearest }
}
