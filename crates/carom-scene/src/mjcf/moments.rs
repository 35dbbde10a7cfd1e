//! Moments of the solid that a mesh bounds, or of its surface.
//!
//! # Law
//! Each triangle and a point c make a tetrahedron of volume V and corners p₀ = c, p₁, p₂, p₃. Over it
//! ```text
//! ∫ dV = V = (p₁ − c) · ((p₂ − c) × (p₃ − c)) / 6                                     (1)
//! ∫ x dV = V (p₀ + p₁ + p₂ + p₃)/4                                                     (2)
//! ∫ x xᵀ dV = V/20 (Σᵢ pᵢ pᵢᵀ + s sᵀ),   s = Σᵢ pᵢ                                      (3)
//! ```
//! With signed volumes the sums do not depend on c and are those of the solid (`inertia="exact"`).
//! `inertia="legacy"`, the default, takes |V| as MuJoCo does, with c the centre of the surface for the centre of
//! mass and then with c that centre of mass for the rest: the same for solids that are star-shaped about both,
//! more for others. `inertia="convex"` is that of the hull, `inertia="shell"` that of the surface: with A the area of a triangle
//! of corners p₁, p₂, p₃,
//! ```text
//! ∫ dA = A,   ∫ x dA = A s/3,   ∫ x xᵀ dA = A/12 (Σᵢ pᵢ pᵢᵀ + s sᵀ)                      (4)
//! ```
//! A shape that is fitted to a mesh sits at its centre of mass, along its principal axes, the longest last. The box with the
//! same principal moments A ≥ B ≥ C of unit density has the half edges
//! ```text
//! b = ½ √(6 (B + C − A)/V),  …                                                          (5)
//! ```
//! and the shape has those: a sphere their mean; a capsule and a cylinder the radius r = (b₁ + b₂)/2 and the half-length b₃ − r/2
//! and b₃; a box and an ellipsoid b₁, b₂, b₃.
//!
//! # Tests
//! `eq1_eq3_box`, `eq4_shell_of_a_box`, `eq5_a_box_fits_a_box` here; models with meshes in `bench/mjcf.sh`.

use crate::mesh_file::Triangles;
use carom::model::Hull;
use carom::spatial::Pose;
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

/// How the inertia of a mesh is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant {
    Exact,
    Legacy,
    Convex,
    Shell,
}

/// Mass per density and moments of a solid, in the frame of its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// Volume, or area of a shell.
    pub volume: f64,
    pub com: Vector3<f64>,
    /// ∫ x xᵀ dV about the centre of mass.
    pub second: Matrix3<f64>,
}

impl Moments {
    /// Frame and half edges of the box of equation (5).
    pub fn box_of_inertia(&self) -> (Pose, [f64; 3]) {
        let eigen = SymmetricEigen::new(self.second);
        // Moments of inertia fall as second moments rise: the longest edge comes last.
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let mut R =
            Matrix3::from_columns(&order.map(|i| eigen.eigenvectors.column(i).into_owned()));
        if R.determinant() < 0.0 {
            R = -R;
        }
        // B + C − A is twice the second moment along the first axis.
        let edge = |i: usize| 0.5 * (12.0 * eigen.eigenvalues[i].max(0.0) / self.volume).sqrt();
        (Pose::new(R, self.com), order.map(edge))
    }
}

/// The moments of a mesh; none of a hull that does not exist.
pub(crate) fn moments(mesh: &Triangles, meant: Meant) -> Option<Moments> {
    match meant {
        Meant::Exact => Some(solid(mesh, true)),
        Meant::Legacy => Some(solid(mesh, false)),
        Meant::Shell => Some(shell(mesh)),
        Meant::Convex => {
            let (volume, com, second) = Hull::of(&mesh.points)?.moments();
            Some(Moments { volume, com, second })
        }
    }
}

/// Equations (1) to (3), with signed volumes or their sizes.
fn solid(mesh: &Triangles, signed: bool) -> Moments {
    let corner = |t: &[usize; 3]| t.map(|i| mesh.points[i]);
    let (mut area, mut centre) = (0.0, Vector3::zeros());
    for t in &mesh.corners {
        let [a, b, c] = corner(t);
        let size = (b - a).cross(&(c - a)).norm();
        area += size;
        centre += (a + b + c) * (size / 3.0);
    }
    let centre = if area > 0.0 { centre / area } else { Vector3::zeros() };
    let (_, first, _) = sums(mesh, centre, signed);
    let com = centre + first;
    let (volume, _, second) = sums(mesh, com, signed);
    Moments { volume, com, second }
}

/// Volume, centre of mass and second moments about a point, from tetrahedra with that point.
fn sums(mesh: &Triangles, c: Vector3<f64>, signed: bool) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for t in &mesh.corners {
        let p = t.map(|i| mesh.points[i] - c);
        let v = p[0].dot(&p[1].cross(&p[2])) / 6.0;
        let v = if signed { v } else { v.abs() };
        let s: Vector3<f64> = p.iter().sum();
        volume += v;
        first += s * (v / 4.0);
        let squares: Matrix3<f64> = p.iter().map(|x| x * x.transpose()).sum();
        second += (squares + s * s.transpose()) * (v / 20.0);
    }
    let centre = if volume != 0.0 { first / volume } else { Vector3::zeros() };
    (volume, centre, second)
}

/// Equation (4).
fn shell(mesh: &Triangles) -> Moments {
    let over = |c: Vector3<f64>| {
        let (mut area, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for t in &mesh.corners {
            let p = t.map(|i| mesh.points[i] - c);
            let a = 0.5 * (p[1] - p[0]).cross(&(p[2] - p[0])).norm();
            let s: Vector3<f64> = p.iter().sum();
            area += a;
            first += s * (a / 3.0);
            let squares: Matrix3<f64> = p.iter().map(|x| x * x.transpose()).sum();
            second += (squares + s * s.transpose()) * (a / 12.0);
        }
        (area, first, second)
    };
    let (area, first, _) = over(Vector3::zeros());
    let com = if area > 0.0 { first / area } else { Vector3::zeros() };
    let (volume, _, second) = over(com);
    Moments { volume, com, second }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box a × b × c with one corner at p, of twelve triangles that face outward.
    fn brick(p: Vector3<f64>, edges: [f64; 3]) -> Triangles {
        let at = |i: usize| {
            let bit = |k: usize| if i >> k & 1 == 1 { edges[k] } else { 0.0 };
            p + Vector3::new(bit(0), bit(1), bit(2))
        };
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = |f: &[usize; 4]| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]];
        Triangles {
            points: (0..8).map(at).collect(),
            corners: faces.iter().flat_map(halves).collect(),
            ..Triangles::default()
        }
    }

    #[test]
    fn eq1_eq3_box() {
        let edges = [0.3, 0.5, 0.2];
        for meant in [Meant::Exact, Meant::Legacy, Meant::Convex] {
            let m = moments(&brick(Vector3::new(1.0, -2.0, 0.5), edges), meant).unwrap();
            assert!((m.volume - 0.03).abs() < 1e-15);
            assert!((m.com - Vector3::new(1.15, -1.75, 0.6)).norm() < 1e-14);
            let exact = Matrix3::from_diagonal(&Vector3::from(edges.map(|e| e * e / 12.0 * 0.03)));
            assert!((m.second - exact).norm() < 1e-15);
        }
    }

    #[test]
    fn eq4_shell_of_a_box() {
        let mesh = brick(Vector3::new(1.0, -2.0, 0.5), [2.0, 2.0, 2.0]);
        let m = moments(&mesh, Meant::Shell).unwrap();
        assert!((m.volume - 24.0).abs() < 1e-13);
        assert!((m.com - Vector3::new(2.0, -1.0, 1.5)).norm() < 1e-14);
        // Two faces at distance 1 of area 4, and four of which ∫x² is 4/3 each.
        let exact = Matrix3::identity() * (8.0 + 16.0 / 3.0);
        assert!((m.second - exact).norm() < 1e-13);
    }

    #[test]
    fn eq5_a_box_fits_a_box() {
        let mesh = brick(Vector3::new(1.0, -2.0, 0.5), [0.3, 0.5, 0.2]);
        let (frame, half) = moments(&mesh, Meant::Exact).unwrap().box_of_inertia();
        for (own, wanted) in half.iter().zip([0.1, 0.15, 0.25]) {
            assert!((own - wanted).abs() < 1e-14);
        }
        assert!((frame.r - Vector3::new(1.15, -1.75, 0.6)).norm() < 1e-14);
        assert!((frame.R.determinant() - 1.0).abs() < 1e-14);
        assert!((frame.R.column(2)[1].abs() - 1.0).abs() < 1e-14);
    }
}
