//! Mirror images of a posture, for mechanisms whose joints come in pairs.
//!
//! # Law
//! Let S be a reflection of the root's frame that maps, with all joint angles zero, every joint origin and
//! axis to another one: p_j = S p_i, a_j = ±S a_i. A turn by θ about a is, seen in the mirror, a turn by −θ
//! about S a (a shift by s along a is one by s along S a), so
//! ```text
//! θ_j = ∓θ_i,   s_j = ±s_i,   R′ = S_w R S,   r′ = S_w r                              (10)
//! ```
//! is the mirror image, with S_w the reflection of the world that keeps the task's direction, gravity and
//! the ground. Where masses are mirrored too, both postures have the same capability; where they nearly
//! are, one of them is better by little, and a search that found one of them should look at the other. Two
//! reflections together are a half turn of the mechanism; then S_w = 1.
//!
//! # Limits
//! One free root that carries single joints; springs, limits and ratios need not be mirrored, the climb
//! that follows sees to them.
//!
//! Tests: `tests/posture.rs`: `eq10_mirror_images_are_as_capable`.

use crate::capability::stance::Stance;
use crate::thresholds::mirror::STRAIGHT;
use carom::contact::SiteGeometry;
use carom::dynamics::{Kinematics, posture};
use carom::model::tree::{LinkMotion, WORLD};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Joint origins this near, relative to the size of the mechanism, are mirror images.
const NEAR: f64 = 1e-2;
/// Axes are parallel if their product differs from ±1 by less.
const PARALLEL: f64 = 1e-3;

/// A reflection of a mechanism.
#[derive(Debug, Clone)]
struct Mirror {
    body: Matrix3<f64>,
    /// For each link but the root its image, and the sign of the angle or shift.
    pairs: Vec<(usize, f64)>,
}

/// The mirror images of `q`; none if the mechanism has no symmetry.
pub fn mirror_images(stance: &Stance<'_>, q: &[f64]) -> Vec<Vec<f64>> {
    let model = stance.model();
    let links = &model.tree().links;
    let mirrors = match links.first() {
        Some(root) if root.motion == LinkMotion::Free && single(stance) => mirrors(stance),
        _ => return Vec::new(),
    };
    let world = world_mirror(&fixed_directions(stance));
    let image = |mirror: &Mirror| {
        let mut out = q.to_vec();
        // Two reflections are a half turn of the mechanism, which needs no mirror in the world.
        let turned = mirror.body.determinant() > 0.0;
        let world = if turned { Matrix3::identity() } else { world? };
        let r = world * Vector3::new(q[0], q[1], q[2]);
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[3], q[4], q[5], q[6]));
        let R = world * turn.to_rotation_matrix().matrix() * mirror.body;
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(R));
        out[..3].copy_from_slice(r.as_slice());
        out[3..7].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
        for (link, &(to, sign)) in links[1..].iter().zip(&mirror.pairs) {
            let angle = sign * (link.ratio * q[link.q] + link.offset);
            out[links[to].q] = (angle - links[to].offset) / links[to].ratio;
        }
        Some(out)
    };
    mirrors.iter().filter_map(image).collect()
}

/// What the world's mirror must keep: the task's direction, gravity, and the ground.
fn fixed_directions(stance: &Stance<'_>) -> Vec<Vector3<f64>> {
    let mut fixed = vec![stance.task().direction.into_inner()];
    let gravity = stance.model().gravity();
    if gravity.norm() > 0.0 {
        fixed.push(gravity.normalize());
    }
    for site in stance.contacts() {
        if let SiteGeometry::OnPlane { plane, .. } = &site.geometry {
            fixed.push(plane.normal);
        }
    }
    fixed
}

/// The reflection that keeps all of these; `None` if they do not lie in one plane.
fn world_mirror(fixed: &[Vector3<f64>]) -> Option<Matrix3<f64>> {
    let first = fixed[0];
    let level = fixed.iter().map(|d| first.cross(d)).find(|c| c.norm() > STRAIGHT);
    let any = if first.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let across = level.unwrap_or_else(|| first.cross(&any)).normalize();
    fixed.iter().all(|d| across.dot(d).abs() < STRAIGHT).then(|| reflection(&across))
}

/// Whether all links but a free root, whose coordinates come first, turn or shift.
fn single(stance: &Stance<'_>) -> bool {
    let links = &stance.model().tree().links;
    links[0].parent == WORLD
        && links[0].q == 0
        && links[1..].iter().all(|l| {
            l.parent != WORLD && matches!(l.motion, LinkMotion::Turn | LinkMotion::Shift(_))
        })
}

/// Reflections along the axes of the root that map all joints to one another.
fn mirrors(stance: &Stance<'_>) -> Vec<Mirror> {
    let model = stance.model();
    let links = &model.tree().links;
    let mut q = vec![0.0; model.nq()];
    q[3] = 1.0;
    for link in &links[1..] {
        q[link.q] = -link.offset / link.ratio;
    }
    let mut kin = Kinematics::new(model);
    posture(model, &q, &mut kin);
    let frame = |i: usize| {
        let (R, o) = (kin.links[i].R, kin.links[i].o);
        let axis = match links[i].motion {
            LinkMotion::Shift(axis) => R * axis,
            _ => R.column(2).into_owned(),
        };
        (o, axis)
    };
    let frames: Vec<_> = (1..links.len()).map(frame).collect();
    let size = frames.iter().fold(0.0_f64, |s, f| s.max(f.0.norm()));
    let turns = |i: usize| links[i + 1].motion == LinkMotion::Turn;
    let mut all: Vec<Mirror> = Vec::new();
    for normal in [Vector3::x(), Vector3::y(), Vector3::z()] {
        let body = reflection(&normal);
        let pair = |i: usize| {
            let (p, a) = (body * frames[i].0, body * frames[i].1);
            (0..frames.len()).find_map(|j| {
                let along = a.dot(&frames[j].1);
                let fits = turns(i) == turns(j)
                    && (p - frames[j].0).norm() <= NEAR * size
                    && along.abs() > 1.0 - PARALLEL;
                fits.then(|| (j + 1, if turns(i) { -along.signum() } else { along.signum() }))
            })
        };
        if let Some(pairs) = (0..frames.len()).map(pair).collect::<Option<Vec<_>>>() {
            let mut seen: Vec<usize> = pairs.iter().map(|p| p.0).collect();
            seen.sort_unstable();
            seen.dedup();
            if seen.len() == frames.len() {
                all.push(Mirror { body, pairs });
            }
        }
    }
    let single = all.len();
    for (a, b) in [(0, 1), (0, 2), (1, 2)].into_iter().filter(|p| p.1 < single) {
        let both = all[a].after(&all[b]);
        all.push(both);
    }
    all
}

impl Mirror {
    /// The image of an image.
    fn after(&self, first: &Self) -> Self {
        let image = |&(to, sign): &(usize, f64)| {
            let (again, other) = self.pairs[to - 1];
            (again, sign * other)
        };
        Self { body: self.body * first.body, pairs: first.pairs.iter().map(image).collect() }
    }
}

fn reflection(normal: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::identity() - normal * normal.transpose() * 2.0
}
