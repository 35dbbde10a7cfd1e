//! Volume and inertia of the shapes, in closed form.
//!
//! # Law
//! Per unit mass, about the centre, along the axes of the shape (moments of a solid follow from
//! its second moments by Iₓₓ = ⟨y²⟩ + ⟨z²⟩ and so on):
//!
//! ```text
//! rod along x, length L         ⟨x²⟩ = L²/12                                        (1)
//! box, edges a, b, c            ⟨x²⟩ = a²/12, ⟨y²⟩ = b²/12, ⟨z²⟩ = c²/12            (2)
//! ellipse (flat), semi-axes     ⟨x²⟩ = a²/4,  ⟨y²⟩ = b²/4                           (3)
//! ellipsoid, semi-axes          ⟨x²⟩ = a²/5,  ⟨y²⟩ = b²/5,  ⟨z²⟩ = c²/5             (4)
//! cylinder along z, r, L        ⟨x²⟩ = ⟨y²⟩ = r²/4,  ⟨z²⟩ = L²/12                   (5)
//! capsule along x, r, L:  with the volumes C = πr²L and S = 4πr³/3,
//!   (C + S)⟨x²⟩ = C L²/12 + S (L²/4 + 3Lr/8 + r²/5)                                  (6)
//!   (C + S)⟨y²⟩ = C r²/4 + S r²/5 = (C + S)⟨z²⟩
//! polygon (flat): sum over the triangles o, p, q of area A from one corner o,
//!   ⟨x⟩ = A(pₓ + qₓ)/3,  ⟨x²⟩ = A(pₓ² + qₓ² + (pₓ + qₓ)²)/12, divided by the area                (7)
//! ```
//!
//! A disk is (3) with a = b, a sphere (4) with a = b = c.
//!
//! # Limits
//! Flat shapes have no thickness in their inertia; `depth` enters their mass only.
//!
//! # Source
//! Integrals of the uniform density; (6) joins the cylinder and two half balls, whose centres of
//! mass lie 3r/8 beyond their faces.
//!
//! # Tests
//! `eq1_rod` to `eq7_polygon`, each by summing slices across x, or by a second way.

use crate::parts::Approximation;
use carom::model::{Hull, Shape, Terrain};
use nalgebra::{Matrix3, Unit, Vector3};
use std::f64::consts::PI;
use std::sync::Arc;

/// A shape as it is written in a scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Solid {
    Point,
    Rod {
        length: f64,
        area: Option<f64>,
    },
    Box {
        edges: [f64; 3],
    },
    Disk {
        radius: f64,
    },
    Ellipse {
        semi_axes: [f64; 2],
    },
    Sphere {
        radius: f64,
    },
    Ellipsoid {
        semi_axes: [f64; 3],
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// Corners counter-clockwise.
    Polygon {
        corners: Arc<[[f64; 2]]>,
        rounding: f64,
    },
    Convex {
        hull: Arc<Hull>,
        rounding: f64,
    },
    /// Convex pieces of a mesh.
    Mesh {
        pieces: Arc<[Arc<Hull>]>,
        rounding: f64,
        /// What was found by cutting it.
        found: Option<Approximation>,
    },
    Plane {
        normal: Unit<Vector3<f64>>,
    },
    /// Ground.
    Terrain {
        ground: Arc<Terrain>,
    },
}

impl Solid {
    /// What stands for it only approximately.
    pub fn approximation(&self) -> Option<Approximation> {
        match self {
            Self::Mesh { found, .. } => *found,
            _ => None,
        }
    }

    /// Volume, m³. Flat shapes need their depth, rods their cross-section.
    pub fn volume(&self, depth: Option<f64>) -> Option<f64> {
        match *self {
            Self::Point | Self::Plane { .. } | Self::Terrain { .. } => None,
            Self::Rod { length, area } => Some(length * area?),
            Self::Box { edges: [a, b, c] } if c > 0.0 => Some(a * b * c),
            Self::Box { edges: [a, b, _] } => Some(a * b * depth?),
            Self::Disk { radius } => Some(PI * radius * radius * depth?),
            Self::Ellipse { semi_axes: [a, b] } => Some(PI * a * b * depth?),
            Self::Sphere { radius } => Some(4.0 / 3.0 * PI * radius.powi(3)),
            Self::Ellipsoid { semi_axes: [a, b, c] } => Some(4.0 / 3.0 * PI * a * b * c),
            Self::Capsule { radius, length } => {
                Some(PI * radius * radius * (length + 4.0 / 3.0 * radius))
            }
            Self::Cylinder { radius, length } => Some(PI * radius * radius * length),
            Self::Polygon { ref corners, .. } => Some(polygon_moments(corners).0 * depth?),
            Self::Convex { ref hull, .. } => Some(hull.moments().0),
            Self::Mesh { ref pieces, found, .. } => Some(mesh_moments(pieces, found).0),
        }
    }

    /// Centre of mass of the uniform solid, in its own frame, m.
    pub fn center(&self) -> Vector3<f64> {
        match self {
            Self::Polygon { corners, .. } => {
                let [x, y] = polygon_moments(corners).1;
                Vector3::new(x, y, 0.0)
            }
            Self::Convex { hull, .. } => hull.moments().1,
            Self::Mesh { pieces, found, .. } => mesh_moments(pieces, *found).1,
            _ => Vector3::zeros(),
        }
    }

    /// Second moments ⟨x²⟩, ⟨y²⟩, ⟨z²⟩ about the centre, equations (1) to (6).
    fn moments(&self) -> Option<[f64; 3]> {
        Some(match *self {
            Self::Plane { .. } | Self::Polygon { .. } | Self::Terrain { .. } => return None,
            Self::Convex { .. } | Self::Mesh { .. } => return None,
            Self::Point => [0.0; 3],
            Self::Rod { length, .. } => [length * length / 12.0, 0.0, 0.0],
            Self::Box { edges } => edges.map(|e| e * e / 12.0),
            Self::Disk { radius } => [radius * radius / 4.0, radius * radius / 4.0, 0.0],
            Self::Ellipse { semi_axes: [a, b] } => [a * a / 4.0, b * b / 4.0, 0.0],
            Self::Sphere { radius } => [radius * radius / 5.0; 3],
            Self::Ellipsoid { semi_axes } => semi_axes.map(|a| a * a / 5.0),
            Self::Cylinder { radius, length } => {
                let across = radius * radius / 4.0;
                [across, across, length * length / 12.0]
            }
            Self::Capsule { radius, length } => capsule_moments(radius, length),
        })
    }

    /// Inertia about the centre for the mass m, if the shape has one.
    pub fn inertia(&self, mass: f64) -> Option<Matrix3<f64>> {
        if let Self::Polygon { corners, .. } = self {
            let [x, y, xy] = polygon_moments(corners).2;
            let about = Matrix3::new(y, -xy, 0.0, -xy, x, 0.0, 0.0, 0.0, x + y);
            return Some(about * mass);
        }
        let of_hulls = match self {
            Self::Convex { hull, .. } => Some(hull.moments()),
            Self::Mesh { pieces, found, .. } => Some(mesh_moments(pieces, *found)),
            _ => None,
        };
        if let Some((volume, _, second)) = of_hulls {
            let about = Matrix3::identity() * second.trace() - second;
            return Some(about * (mass / volume));
        }
        let [x, y, z] = self.moments()?;
        Some(Matrix3::from_diagonal(&(Vector3::new(y + z, x + z, x + y) * mass)))
    }

    /// The shapes that touch, with a suffix where there are several.
    pub fn features(&self) -> Vec<(String, Shape)> {
        let one = |shape| vec![(String::new(), shape)];
        match *self {
            Self::Point => one(Shape::Point),
            Self::Rod { length, .. } => one(Shape::Box { half_extents: [0.5 * length, 0.0, 0.0] }),
            Self::Box { edges } => one(Shape::Box { half_extents: edges.map(|e| 0.5 * e) }),
            Self::Disk { radius } => one(Shape::Disk { radius }),
            Self::Ellipse { semi_axes } => one(Shape::Ellipse { semi_axes }),
            Self::Sphere { radius } => one(Shape::Sphere { radius }),
            Self::Ellipsoid { semi_axes } => one(Shape::Ellipsoid { semi_axes }),
            Self::Capsule { radius, length } => {
                one(Shape::Capsule { radius, half_length: 0.5 * length })
            }
            Self::Cylinder { radius, length } => {
                one(Shape::Cylinder { radius, half_length: 0.5 * length })
            }
            Self::Polygon { ref corners, rounding } => {
                one(Shape::Polygon { corners: corners.clone(), rounding })
            }
            Self::Convex { ref hull, rounding } => {
                one(Shape::Convex { hull: hull.clone(), rounding })
            }
            Self::Mesh { ref pieces, rounding, .. } => {
                let shape = |hull: &Arc<Hull>| Shape::Convex { hull: hull.clone(), rounding };
                if let [hull] = &pieces[..] {
                    return one(shape(hull));
                }
                let named = |(k, hull)| (format!(".{}", k + 1), shape(hull));
                pieces.iter().enumerate().map(named).collect()
            }
            Self::Plane { normal } => one(Shape::HalfSpace { normal }),
            Self::Terrain { ref ground } => one(Shape::Terrain { ground: ground.clone() }),
        }
    }
}

/// Volume, centre of mass and ∫xxᵀ about it of several solids of unit density, or of the mesh that they were found in.
fn mesh_moments(
    pieces: &[Arc<Hull>],
    found: Option<Approximation>,
) -> (f64, Vector3<f64>, Matrix3<f64>) {
    if let Some(found) = found {
        return found.moments;
    }
    let all: Vec<_> = pieces.iter().map(|hull| hull.moments()).collect();
    let volume: f64 = all.iter().map(|m| m.0).sum();
    let center = all.iter().map(|m| m.1 * m.0).sum::<Vector3<f64>>() / volume;
    let about = |(v, c, second): &(f64, Vector3<f64>, Matrix3<f64>)| {
        let d = c - center;
        second + d * d.transpose() * *v
    };
    (volume, center, all.iter().map(about).sum())
}

/// Area, centroid, and ⟨x²⟩, ⟨y²⟩, ⟨xy⟩ about the centroid, equation (7).
pub(crate) fn polygon_moments(corners: &[[f64; 2]]) -> (f64, [f64; 2], [f64; 3]) {
    let (o, n) = (corners[0], corners.len());
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], [0.0; 3]);
    for k in 1..n - 1 {
        let p = [corners[k][0] - o[0], corners[k][1] - o[1]];
        let q = [corners[k + 1][0] - o[0], corners[k + 1][1] - o[1]];
        let a = 0.5 * (p[0] * q[1] - p[1] * q[0]);
        let s = [p[0] + q[0], p[1] + q[1]];
        area += a;
        for i in 0..2 {
            first[i] += a * s[i] / 3.0;
            second[i] += a * (p[i] * p[i] + q[i] * q[i] + s[i] * s[i]) / 12.0;
        }
        second[2] += a * (p[0] * p[1] + q[0] * q[1] + s[0] * s[1]) / 12.0;
    }
    let c = [first[0] / area, first[1] / area];
    let about = [c[0] * c[0], c[1] * c[1], c[0] * c[1]];
    let second = std::array::from_fn(|i| second[i] / area - about[i]);
    (area, [o[0] + c[0], o[1] + c[1]], second)
}

fn capsule_moments(r: f64, L: f64) -> [f64; 3] {
    let cylinder = PI * r * r * L;
    let balls = 4.0 / 3.0 * PI * r.powi(3);
    let volume = cylinder + balls;
    let along = cylinder * L * L / 12.0 + balls * (L * L / 4.0 + 3.0 * L * r / 8.0 + r * r / 5.0);
    let across = cylinder * r * r / 4.0 + balls * r * r / 5.0;
    [along / volume, across / volume, across / volume]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and second moments of slices across x: area A(x), ∫y² dA, ∫z² dA, by Simpson's rule
    /// on pieces with smooth slices.
    fn integrate(pieces: &[(f64, f64)], slice: impl Fn(f64) -> [f64; 3]) -> (f64, [f64; 3]) {
        const N: usize = 2000;
        let mut volume = 0.0;
        let mut moments = [0.0; 3];
        for &(from, to) in pieces {
            let h = (to - from) / N as f64;
            for i in 0..=N {
                let x = from + h * i as f64;
                let edge = i == 0 || i == N;
                let weight = if edge { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 } * h / 3.0;
                let [area, y2, z2] = slice(x);
                volume += weight * area;
                moments[0] += weight * area * x * x;
                moments[1] += weight * y2;
                moments[2] += weight * z2;
            }
        }
        (volume, moments.map(|m| m / volume))
    }

    /// An elliptic slice with semi-axes b, c.
    fn ellipse(b: f64, c: f64) -> [f64; 3] {
        let area = PI * b * c;
        [area, area * b * b / 4.0, area * c * c / 4.0]
    }

    fn rectangle(b: f64, c: f64) -> [f64; 3] {
        [b * c, b.powi(3) * c / 12.0, b * c.powi(3) / 12.0]
    }

    fn agree(solid: Solid, depth: Option<f64>, numeric: (f64, [f64; 3])) {
        let (volume, moments) = numeric;
        let exact = solid.volume(depth).unwrap();
        assert!((exact - volume).abs() < 1e-10 * volume, "{solid:?}: {exact} {volume}");
        let [x, y, z] = moments;
        let inertia = solid.inertia(2.5).unwrap() / 2.5;
        let numeric = Matrix3::from_diagonal(&Vector3::new(y + z, x + z, x + y));
        // Flat shapes are without thickness: their numeric slices carry depth²/12 ≈ 1e-13.
        assert!((inertia - numeric).norm() < 1e-10 * numeric.norm(), "{solid:?}");
    }

    #[test]
    fn eq1_rod() {
        let area = 1e-14;
        let solid = Solid::Rod { length: 1.3, area: Some(area) };
        let edge = area.sqrt();
        agree(solid, None, integrate(&[(-0.65, 0.65)], |_| rectangle(edge, edge)));
    }

    #[test]
    fn eq2_box() {
        let solid = Solid::Box { edges: [0.7, 0.2, 0.4] };
        agree(solid, None, integrate(&[(-0.35, 0.35)], |_| rectangle(0.2, 0.4)));
        let flat = Solid::Box { edges: [1.0, 0.05, 0.0] };
        agree(flat, Some(1e-7), integrate(&[(-0.5, 0.5)], |_| rectangle(0.05, 1e-7)));
    }

    /// With x = a sin s the slices of an ellipse are smooth up to its ends.
    #[test]
    fn eq3_ellipse() {
        let depth = 1e-7;
        for (solid, a, b) in [
            (Solid::Ellipse { semi_axes: [0.9, 0.3] }, 0.9, 0.3),
            (Solid::Disk { radius: 0.4 }, 0.4, 0.4),
        ] {
            let area = PI * a * b;
            let half = PI / 2.0;
            let (volume, moments) = integrate(&[(-half, half)], |s| {
                // Slices in s: the area element carries dx/ds, and ⟨x²⟩ is put in below.
                let height = 2.0 * b * s.cos();
                let [da, dy, _] = rectangle(height, depth);
                [da * a * s.cos(), dy * a * s.cos(), da * a * s.cos() * (a * s.sin()).powi(2)]
            });
            // The third slot carried ∫x² dA.
            agree(solid, Some(depth), (volume, [moments[2], moments[1], 0.0]));
            assert!((volume - area * depth).abs() < 1e-12 * volume);
        }
    }

    #[test]
    fn eq4_ellipsoid() {
        let [a, b, c] = [0.5, 0.2, 0.8];
        let slice = |x: f64| {
            let f = (1.0 - (x / a).powi(2)).max(0.0).sqrt();
            ellipse(b * f, c * f)
        };
        agree(Solid::Ellipsoid { semi_axes: [a, b, c] }, None, integrate(&[(-a, a)], slice));
        let r = 0.3_f64;
        let ball = |x: f64| {
            let f = (r * r - x * x).max(0.0).sqrt();
            ellipse(f, f)
        };
        agree(Solid::Sphere { radius: r }, None, integrate(&[(-r, r)], ball));
    }

    /// The slices run across the axis; the axis z of the cylinder is x here.
    #[test]
    fn eq5_cylinder() {
        let (r, l) = (0.2, 0.9);
        let (volume, [x, y, z]) = integrate(&[(-l / 2.0, l / 2.0)], |_| ellipse(r, r));
        agree(Solid::Cylinder { radius: r, length: l }, None, (volume, [z, y, x]));
    }

    #[test]
    fn eq6_capsule() {
        let (r, l) = (0.2_f64, 0.9);
        let h = l / 2.0;
        let slice = |x: f64| {
            let beyond = (x.abs() - h).max(0.0);
            let f = (r * r - beyond * beyond).max(0.0).sqrt();
            ellipse(f, f)
        };
        let pieces = [(-h - r, -h), (-h, h), (h, h + r)];
        agree(Solid::Capsule { radius: r, length: l }, None, integrate(&pieces, slice));
    }

    /// A rectangle off the origin, and the same cut into two polygons.
    #[test]
    fn eq7_polygon() {
        let (area, c, [x, y, xy]) =
            polygon_moments(&[[1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [1.0, 3.0]]);
        assert!(
            (area - 2.0).abs() < 1e-15 && (c[0] - 2.0).abs() < 1e-15 && (c[1] - 2.5).abs() < 1e-15
        );
        assert!(
            (x - 4.0 / 12.0).abs() < 1e-15 && (y - 1.0 / 12.0).abs() < 1e-15 && xy.abs() < 1e-15
        );
        // The right triangle of unit legs: ⟨xy⟩ about the centroid is −1/36, ⟨x²⟩ = 1/18.
        let (area, _, [x, y, xy]) = polygon_moments(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        assert!((area - 0.5).abs() < 1e-16 && (xy + 1.0 / 36.0).abs() < 1e-16);
        assert!((x - 1.0 / 18.0).abs() < 1e-16 && (y - 1.0 / 18.0).abs() < 1e-16);
    }

    #[test]
    fn volume_needs_thickness() {
        assert_eq!(Solid::Disk { radius: 1.0 }.volume(None), None);
        assert_eq!(Solid::Rod { length: 1.0, area: None }.volume(Some(1.0)), None);
        assert_eq!(Solid::Point.volume(Some(1.0)), None);
    }
}
