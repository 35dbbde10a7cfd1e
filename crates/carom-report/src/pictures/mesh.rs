//! Shapes as triangles and edges, in the world.

use crate::stage::{Drawn, Form, Outline};
use carom::spatial::Pose;
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Parts of a full turn.
const AROUND: usize = 36;
/// Parts of a half turn.
const DOWN: usize = 18;

/// A corner of a triangle: place and normal.
pub(super) type Corner = (Vector3<f64>, Vector3<f64>);

/// Triangles, and lines that show how a body is turned.
#[derive(Debug, Clone, Default)]
pub(super) struct Mesh {
    pub triangles: Vec<[Corner; 3]>,
    pub edges: Vec<Vec<Vector3<f64>>>,
}

impl Mesh {
    /// A shape of a body that is at a pose; `thin` is the radius of what has none.
    pub fn add(&mut self, drawn: &Drawn, body: &Pose, thin: f64) {
        let pose = body.then(&drawn.pose);
        match drawn.form {
            Form::Plane => {}
            Form::Hull { ref outline } => self.hull(&pose, outline),
            Form::Point => self.ball(&pose, [thin; 3], false),
            Form::Sphere { radius } => self.ball(&pose, [radius; 3], true),
            Form::Ellipsoid { radii } => self.ball(&pose, radii, true),
            Form::Disk { radius } => self.disk(&pose, [radius, radius], 1.0),
            Form::Ellipse { radii } => self.disk(&pose, radii, 1.0),
            Form::Box { size } => self.cuboid(&pose, size),
            Form::Rod { length } => self.capsule(&pose, 0.6 * thin, length),
            Form::Capsule { radius, length } => self.capsule(&pose, radius, length),
            Form::Cylinder { radius, length } => self.cylinder(&pose, radius, length),
        }
    }

    /// A bar between two points.
    pub fn bar(&mut self, a: Vector3<f64>, b: Vector3<f64>, radius: f64) {
        let along = b - a;
        let length = along.norm();
        let Some(x) = along.try_normalize(1e-12) else { return };
        let other = if x.z.abs() < 0.9 { Vector3::z() } else { Vector3::x() };
        let y = other.cross(&x).normalize();
        let R = nalgebra::Matrix3::from_columns(&[x, y, x.cross(&y)]);
        self.capsule(&Pose::new(R, (a + b) * 0.5), radius, length);
    }

    /// Four corners of a patch as two triangles.
    fn patch(&mut self, [a, b, c, d]: [Corner; 4]) {
        self.triangles.push([a, b, c]);
        self.triangles.push([a, c, d]);
    }

    /// A patch from a grid of angles.
    fn grid(&mut self, (rows, columns): (usize, usize), at: impl Fn(usize, usize) -> Corner) {
        for i in 0..rows {
            for j in 0..columns {
                self.patch([at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
            }
        }
    }

    fn ring(&mut self, at: impl Fn(f64, f64) -> Vector3<f64>) {
        let turn = |k: usize| (k as f64 * TAU / AROUND as f64).sin_cos();
        self.edges.push((0..=AROUND).map(turn).map(|(s, c)| at(c, s)).collect());
    }

    fn ball(&mut self, pose: &Pose, radii: [f64; 3], marked: bool) {
        let at = |i: usize, j: usize| {
            let (st, ct) = (i as f64 * PI / DOWN as f64).sin_cos();
            let (sp, cp) = (j as f64 * TAU / AROUND as f64).sin_cos();
            let unit = Vector3::new(st * cp, st * sp, ct);
            let p = Vector3::from_fn(|k, _| unit[k] * radii[k]);
            let n = Vector3::from_fn(|k, _| unit[k] / radii[k]).normalize();
            (pose.point(&p), pose.R * n)
        };
        self.grid((DOWN, AROUND), at);
        if marked {
            let [a, b, c] = radii;
            self.ring(|x, y| pose.point(&Vector3::new(a * x, b * y, 0.0)));
            self.ring(|x, y| pose.point(&Vector3::new(a * x, 0.0, c * y)));
        }
    }

    fn disk(&mut self, pose: &Pose, [a, b]: [f64; 2], side: f64) {
        let n = pose.R * Vector3::z() * side;
        let at = |k: usize| {
            let (s, c) = (k as f64 * TAU / AROUND as f64).sin_cos();
            (pose.point(&Vector3::new(a * c, b * s, 0.0)), n)
        };
        for k in 0..AROUND {
            self.triangles.push([(pose.r, n), at(k), at(k + 1)]);
        }
        self.ring(|x, y| pose.point(&Vector3::new(a * x, b * y, 0.0)));
        self.edges.push(vec![pose.r, pose.point(&Vector3::new(a, 0.0, 0.0))]);
    }

    fn cuboid(&mut self, pose: &Pose, size: [f64; 3]) {
        let half = size.map(|s| 0.5 * s);
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in [-1.0, 1.0] {
                let corner = |a: f64, b: f64| {
                    let mut p = Vector3::zeros();
                    (p[axis], p[u], p[v]) = (side * half[axis], a * half[u], b * half[v]);
                    pose.point(&p)
                };
                let mut n = Vector3::zeros();
                n[axis] = side;
                let n = pose.R * n;
                let around = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let points = around.map(|(a, b)| corner(a, b));
                self.patch(points.map(|p| (p, n)));
                self.edges.push(points.into_iter().chain([points[0]]).collect());
            }
        }
    }

    fn hull(&mut self, pose: &Pose, outline: &Outline) {
        for face in &outline.faces {
            let points: Vec<Vector3<f64>> =
                face.iter().map(|&k| pose.point(&outline.corners[k])).collect();
            let n = (points[1] - points[0]).cross(&(points[2] - points[0])).normalize();
            for k in 1..points.len() - 1 {
                self.triangles.push([points[0], points[k], points[k + 1]].map(|p| (p, n)));
            }
            self.edges.push(points.iter().copied().chain([points[0]]).collect());
        }
    }

    fn capsule(&mut self, pose: &Pose, r: f64, length: f64) {
        let h = 0.5 * length;
        let at = |i: usize, j: usize| {
            // Half a turn along x, with the straight part between its two quarters.
            let quarter = DOWN / 2;
            let (angle, x) = if i <= quarter {
                (i as f64 * FRAC_PI_2 / quarter as f64, -h)
            } else {
                ((i - 1) as f64 * FRAC_PI_2 / quarter as f64, h)
            };
            let (sp, cp) = (j as f64 * TAU / AROUND as f64).sin_cos();
            let n = Vector3::new(-angle.cos(), angle.sin() * cp, angle.sin() * sp);
            (pose.point(&(n * r + Vector3::new(x, 0.0, 0.0))), pose.R * n)
        };
        self.grid((DOWN + 1, AROUND), at);
    }

    fn cylinder(&mut self, pose: &Pose, r: f64, length: f64) {
        let h = 0.5 * length;
        let at = |i: usize, j: usize| {
            let (s, c) = (j as f64 * TAU / AROUND as f64).sin_cos();
            let z = if i == 0 { -h } else { h };
            (pose.point(&Vector3::new(r * c, r * s, z)), pose.R * Vector3::new(c, s, 0.0))
        };
        self.grid((1, AROUND), at);
        for z in [-h, h] {
            let cap =
                pose.then(&Pose::new(nalgebra::Matrix3::identity(), Vector3::new(0.0, 0.0, z)));
            self.disk(&cap, [r, r], z.signum());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Areas of the triangles against closed forms, and normals that point outwards.
    #[test]
    fn shapes_have_their_surface() {
        let pose = Pose::new(
            nalgebra::Rotation3::from_euler_angles(0.3, -0.7, 1.1).into_inner(),
            Vector3::new(1.0, 2.0, 3.0),
        );
        let (r, l) = (0.4, 1.2);
        let cases = [
            (Form::Sphere { radius: r }, 4.0 * PI * r * r),
            (Form::Box { size: [1.0, 2.0, 3.0] }, 22.0),
            (Form::Capsule { radius: r, length: l }, 4.0 * PI * r * r + TAU * r * l),
            (Form::Cylinder { radius: r, length: l }, TAU * r * r + TAU * r * l),
            (Form::Disk { radius: r }, PI * r * r),
        ];
        for (form, area) in cases {
            let mut mesh = Mesh::default();
            let drawn = Drawn { name: String::new(), pose: Pose::identity(), form: form.clone() };
            mesh.add(&drawn, &pose, 0.01);
            let face = |t: &[Corner; 3]| (t[1].0 - t[0].0).cross(&(t[2].0 - t[0].0)).norm() * 0.5;
            let found: f64 = mesh.triangles.iter().map(face).sum();
            assert!((found - area).abs() < 0.012 * area, "{form:?}: {found} {area}");
            if !matches!(form, Form::Disk { .. }) {
                let out = |c: &Corner| c.1.dot(&(c.0 - pose.r)) > 0.0;
                assert!(mesh.triangles.iter().flatten().all(out), "{form:?}");
            }
        }
    }
}
