//! Shapes of the stage as lines in space.

use crate::stage::{Bounds, Drawn, End, Form, Stage};
use carom::spatial::Pose;
use nalgebra::Vector3;

/// A chain of points in space.
pub(super) type Chain = Vec<[f64; 3]>;

/// All lines of a posture.
pub(super) fn posture(stage: &Stage, poses: &[Pose], eye: &Vector3<f64>) -> Vec<Chain> {
    let at = |end: &End| end.body.map_or(end.point, |b| poses[b].point(&end.point)).into();
    let mut lines: Vec<Chain> =
        stage.links.iter().chain(&stage.springs).map(|[a, b]| vec![at(a), at(b)]).collect();
    for (body, pose) in stage.bodies.iter().zip(poses) {
        for drawn in &body.shapes {
            lines.extend(shape(drawn, pose, eye));
        }
    }
    lines
}

/// The lines of one shape of a body that is at a pose.
pub(super) fn shape(drawn: &Drawn, body: &Pose, eye: &Vector3<f64>) -> Vec<Chain> {
    let pose = body.then(&drawn.pose);
    let at = |x: f64, y: f64, z: f64| -> [f64; 3] { pose.point(&Vector3::new(x, y, z)).into() };
    match drawn.form {
        Form::Plane | Form::Point => Vec::new(),
        Form::Hull { ref outline } => {
            let place = |&k: &usize| -> [f64; 3] { pose.point(&outline.corners[k]).into() };
            let around = |f: &Vec<usize>| f.iter().chain(f.first()).map(place).collect();
            outline.faces.iter().map(around).collect()
        }
        Form::Sphere { radius: r } => vec![
            silhouette(&pose.r, r, eye),
            loop_of(|c, s| at(r * c, r * s, 0.0)),
            loop_of(|c, s| at(r * c, 0.0, r * s)),
        ],
        Form::Ellipsoid { radii: [a, b, c] } => vec![
            loop_of(|x, y| at(a * x, b * y, 0.0)),
            loop_of(|x, y| at(a * x, 0.0, c * y)),
            loop_of(|x, y| at(0.0, b * x, c * y)),
        ],
        Form::Disk { radius: r } => {
            vec![loop_of(|c, s| at(r * c, r * s, 0.0)), vec![at(0.0, 0.0, 0.0), at(r, 0.0, 0.0)]]
        }
        Form::Ellipse { radii: [a, b] } => vec![loop_of(|x, y| at(a * x, b * y, 0.0))],
        Form::Box { size } => {
            edges(size).map(|e| e.iter().map(|p| at(p[0], p[1], p[2])).collect()).collect()
        }
        Form::Rod { length } => vec![vec![at(-0.5 * length, 0.0, 0.0), at(0.5 * length, 0.0, 0.0)]],
        Form::Capsule { radius: r, length } => {
            let h = 0.5 * length;
            let mut lines =
                vec![loop_of(|c, s| at(-h, r * c, r * s)), loop_of(|c, s| at(h, r * c, r * s))];
            lines.extend([0.0, 1.0, 2.0, 3.0].map(|k: f64| {
                let (s, c) = (k * std::f64::consts::FRAC_PI_2).sin_cos();
                vec![at(-h, r * c, r * s), at(h, r * c, r * s)]
            }));
            lines.push(silhouette(&pose.point(&Vector3::new(-h, 0.0, 0.0)), r, eye));
            lines.push(silhouette(&pose.point(&Vector3::new(h, 0.0, 0.0)), r, eye));
            lines
        }
        Form::Cylinder { radius: r, length } => {
            let h = 0.5 * length;
            let mut lines =
                vec![loop_of(|c, s| at(r * c, r * s, -h)), loop_of(|c, s| at(r * c, r * s, h))];
            lines.extend([0.0, 1.0, 2.0, 3.0].map(|k: f64| {
                let (s, c) = (k * std::f64::consts::FRAC_PI_2).sin_cos();
                vec![at(r * c, r * s, -h), at(r * c, r * s, h)]
            }));
            lines
        }
    }
}

/// A closed curve by cosine and sine.
fn loop_of(at: impl Fn(f64, f64) -> [f64; 3]) -> Chain {
    (0..=48)
        .map(|k| f64::from(k) * std::f64::consts::TAU / 48.0)
        .map(|a| at(a.cos(), a.sin()))
        .collect()
}

/// The edge of a ball as seen from far away in direction `eye`.
fn silhouette(centre: &Vector3<f64>, radius: f64, eye: &Vector3<f64>) -> Chain {
    let first = eye.cross(&Vector3::z()).try_normalize(1e-9).unwrap_or_else(Vector3::x);
    let second = eye.normalize().cross(&first);
    loop_of(|c, s| (centre + (first * c + second * s) * radius).into())
}

/// The twelve edges of a box around the origin.
fn edges(size: [f64; 3]) -> impl Iterator<Item = [[f64; 3]; 2]> {
    let half = size.map(|x| 0.5 * x);
    let corner =
        move |k: usize| [0, 1, 2].map(|i| if k >> i & 1 == 1 { half[i] } else { -half[i] });
    (0..8).flat_map(move |k| {
        (0..3).filter(move |i| k >> i & 1 == 0).map(move |i| [corner(k), corner(k | 1 << i)])
    })
}

/// A rectangle of a plane that lies under everything that moves, and lines across.
pub(super) fn plane(pose: &Pose, bounds: &Bounds) -> Vec<Chain> {
    let n: Vector3<f64> = pose.R.column(2).into();
    let centre = (bounds.min + bounds.max) * 0.5;
    let foot = centre - n * n.dot(&(centre - pose.r));
    // Half the shadow of the box along a direction, and not less than a part of the box.
    let half =
        |d: &Vector3<f64>| (0.52 * d.abs().dot(&bounds.size())).max(0.12 * bounds.size().norm());
    let first = n.cross(&Vector3::y()).try_normalize(1e-6).unwrap_or_else(Vector3::x);
    let second = n.cross(&first);
    let (a1, a2) = (first * half(&first), second * half(&second));
    let at = |a: f64, b: f64| -> [f64; 3] { (foot + a1 * a + a2 * b).into() };
    let mut lines =
        vec![vec![at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0), at(-1.0, -1.0)]];
    for k in 1..6 {
        let s = -1.0 + f64::from(k) / 3.0;
        lines.push(vec![at(s, -1.0), at(s, 1.0)]);
        lines.push(vec![at(-1.0, s), at(1.0, s)]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_of_the_right_lengths() {
        let all: Vec<[[f64; 3]; 2]> = edges([1.0, 2.0, 3.0]).collect();
        let length = |e: &[[f64; 3]; 2]| (Vector3::from(e[0]) - Vector3::from(e[1])).norm();
        assert_eq!(all.len(), 12);
        assert!((all.iter().map(length).sum::<f64>() - 24.0).abs() < 1e-12);
    }

    #[test]
    fn a_silhouette_is_across_the_view() {
        let (centre, eye) = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, -0.8, 0.5));
        for p in silhouette(&centre, 0.7, &eye) {
            let d = Vector3::from(p) - centre;
            assert!((d.norm() - 0.7).abs() < 1e-12 && d.dot(&eye).abs() < 1e-12);
        }
    }
}
