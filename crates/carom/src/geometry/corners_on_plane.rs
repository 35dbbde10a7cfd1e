//! A polytope with many corners over a half-space: which of them may touch.
//!
//! # Law
//! p is a point of the plane, n its normal, x a corner, r the rounding:
//! ```text
//! hₓ = n·(x − p) − r,   g = min hₓ over the corners                                           (1)
//! ```
//! # Rule
//! Corners no more than `reach` above the lowest are watched one by one. Where these are more than there is room for,
//! 1. first come those as low as the lowest to within δ: of a face that lies on the plane the farthest corner along each of
//!    as many directions of the plane as there is room for, evenly spaced;
//! 2. then the others, the lowest first.
//!
//! What is left out touches by (1), which then makes it one of the lowest.
//!
//! # Tests
//! Beside the code: `eq1_gap_is_that_of_the_lowest_corner`, `rule1_a_face_is_held_all_around`; `tests/polytopes.rs`:
//! `many_corners_on_a_plane_are_followed`.

use super::half_space::HalfSpace;
use super::motion::BodyMotion;
use super::polytope::Polytope;
use super::separation::{Features, Separation};
use super::tangents::tangents;
use nalgebra::Vector3;

/// The half-space of a pair, in the axes of its body, and buffers.
#[derive(Debug, Clone)]
pub struct CornersOnPlane {
    /// The half-space.
    pub plane: HalfSpace,
    /// Corners that may be watched, with their heights, m.
    near: Vec<(usize, f64)>,
}

impl CornersOnPlane {
    /// Over this plane.
    pub fn new(plane: HalfSpace) -> Self {
        Self { plane, near: Vec::new() }
    }

    /// n in the axes of the shape, and the height of its reference point less its rounding, m.
    fn seen(&self, shape: &Polytope, [a, b]: [&BodyMotion; 2]) -> (Vector3<f64>, f64) {
        let n = a.R * self.plane.normal;
        (b.R.tr_mul(&n), n.dot(&(b.r - a.place(&self.plane.point))) - shape.radius)
    }

    /// Equation (1), and the lowest corner.
    pub fn separation(&self, shape: &Polytope, motions: [&BodyMotion; 2]) -> Separation {
        let (n, level) = self.seen(shape, motions);
        let mut lowest = (0, f64::INFINITY);
        for (corner, x) in shape.vertices.iter().enumerate() {
            let h = n.dot(x);
            if h < lowest.1 {
                lowest = (corner, h);
            }
        }
        let (features, gap) =
            (Features::FaceCorner { face: 0, corner: lowest.0 }, level + lowest.1);
        Separation { gap, features, face: Some((features, gap)) }
    }

    /// The corners that the rule watches, into `found`, at most `room` of them, and (1).
    pub fn manifold(
        &mut self,
        shape: &Polytope,
        motions: [&BodyMotion; 2],
        (delta, reach, room): (f64, f64, usize),
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) -> Separation {
        let nearest = self.separation(shape, motions);
        let (n, level) = self.seen(shape, motions);
        let height = |x: &Vector3<f64>| level + n.dot(x);
        self.near.clear();
        let corners = shape.vertices.iter().map(height).enumerate();
        self.near.extend(corners.filter(|(_, h)| *h <= nearest.gap + reach));
        // The lowest first; corners of equal height in the order of their numbers.
        self.near.sort_by(|x, y| x.1.total_cmp(&y.1));
        found.clear();
        let mut push = |corner: usize| {
            let features = Features::FaceCorner { face: 0, corner };
            if found.len() < room && found.iter().all(|(f, _)| *f != features) {
                found.push((features, motions[1].place(&shape.vertices[corner])));
            }
        };
        if self.near.len() > room {
            let flat = self.near.iter().take_while(|(_, h)| *h <= nearest.gap + delta).count();
            let [s, t] = tangents(&n, shape.planar);
            for k in 0..room {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / room as f64).sin_cos();
                let along = |c: &&(usize, f64)| (s * cos + t * sin).dot(&shape.vertices[c.0]);
                let farthest = |a: &&_, b: &&_| along(a).total_cmp(&along(b));
                self.near[..flat].iter().max_by(farthest).iter().for_each(|c| push(c.0));
            }
        }
        self.near.iter().for_each(|c| push(c.0));
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prism of n corners around, over the plane z = 0.
    fn prism(n: usize) -> (Polytope, CornersOnPlane) {
        let turn = |k: usize| (std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
        let ring = |z: f64| (0..n).map(move |k| Vector3::new(turn(k).1, turn(k).0, z));
        let corners: Vec<_> = ring(-0.5).chain(ring(0.5)).collect();
        let mut loops = vec![
            (-Vector3::z(), (0..n).rev().collect::<Vec<_>>()),
            (Vector3::z(), (n..2 * n).collect()),
        ];
        for k in 0..n {
            let j = (k + 1) % n;
            let out = (corners[k] + corners[j]).xy().normalize();
            loops.push((Vector3::new(out.x, out.y, 0.0), vec![k, j, n + j, n + k]));
        }
        let plane = HalfSpace::new(Vector3::zeros(), Vector3::z(), false);
        (Polytope::new(corners, &loops, 0.0, false), CornersOnPlane::new(plane))
    }

    #[test]
    fn eq1_gap_is_that_of_the_lowest_corner() {
        let (shape, pair) = prism(40);
        let mut b = BodyMotion::fixed();
        for k in 0..100 {
            let angles = [0.37, 0.61, 0.83].map(|a: f64| a * f64::from(k));
            b.R = nalgebra::Rotation3::from_euler_angles(angles[0], angles[1], angles[2])
                .into_inner();
            b.r = Vector3::new(1.0, 2.0, 0.1 * f64::from(k));
            let least = shape.vertices.iter().map(|x| b.place(x).z).fold(f64::INFINITY, f64::min);
            let found = pair.separation(&shape, [&BodyMotion::fixed(), &b]);
            assert!((found.gap - least).abs() < 1e-13);
            let Features::FaceCorner { corner, .. } = found.features else { unreachable!() };
            assert!((b.place(&shape.vertices[corner]).z - least).abs() < 1e-13);
        }
    }

    #[test]
    fn rule1_a_face_is_held_all_around() {
        let (shape, mut pair) = prism(60);
        let b = BodyMotion { r: Vector3::new(0.0, 0.0, 0.5), ..BodyMotion::fixed() };
        let mut found = Vec::new();
        pair.manifold(&shape, [&BodyMotion::fixed(), &b], (1e-9, 0.05, 16), &mut found);
        assert_eq!(found.len(), 16);
        // No two neighbours of sixteen evenly spaced directions have more than two corners of sixty between them.
        let mut angles: Vec<f64> = found.iter().map(|(_, x)| x.y.atan2(x.x)).collect();
        angles.sort_by(f64::total_cmp);
        let widest = angles.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        assert!(widest < 5.5 * std::f64::consts::TAU / 60.0, "{widest}");
        // Tilted, the lowest are taken.
        let tilted =
            BodyMotion { R: nalgebra::Rotation3::new(Vector3::y() * 0.01).into_inner(), ..b };
        let nearest =
            pair.manifold(&shape, [&BodyMotion::fixed(), &tilted], (1e-9, 0.05, 16), &mut found);
        assert_eq!((found.len(), found[0].0), (16, nearest.features));
        assert!(found.iter().all(|(_, x)| x.x > 0.3));
    }
}
