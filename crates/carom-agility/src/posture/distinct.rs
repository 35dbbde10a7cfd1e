//! When two postures are the same optimum.

use crate::capability::stance::Stance;
use carom::contact::SiteGeometry;
use carom::dynamics::{Kinematics, posture};
use carom::model::tree::{LinkMotion, WORLD};
use nalgebra::Vector3;

/// Largest difference of a joint angle or of a direction seen from the root, rad.
const SAME: f64 = 0.05;

/// What is left of a posture without translations along the ground and turns that change nothing:
/// joint coordinates, and task direction and ground normals as seen from each free root.
pub(super) fn shape(stance: &Stance<'_>, q: &[f64], kin: &mut Kinematics) -> Vec<f64> {
    let model = stance.model();
    posture(model, q, kin);
    let mut seen: Vec<Vector3<f64>> = vec![stance.task().direction.into_inner()];
    if model.gravity().norm() > 0.0 {
        seen.push(model.gravity().normalize());
    }
    for site in stance.contacts() {
        if let SiteGeometry::OnPlane { plane_body: None, plane, .. } = &site.geometry {
            seen.push(plane.normal);
        }
    }
    let mut shape = Vec::new();
    for (i, link) in model.tree().links.iter().enumerate() {
        let root = link.parent == WORLD;
        match link.motion {
            LinkMotion::Free if root => {
                for d in &seen {
                    shape.extend((kin.links[i].R.transpose() * d).iter());
                }
            }
            LinkMotion::Planar if root => shape.push(q[link.q + 2]),
            LinkMotion::Turn if model.coordinates()[link.v].spring.is_none() => {
                // Whole turns bring everything back.
                let (sine, cosine) = (link.ratio * q[link.q] + link.offset).sin_cos();
                shape.extend([sine, cosine]);
            }
            LinkMotion::Turn | LinkMotion::Shift(_) => shape.push(link.ratio * q[link.q]),
            LinkMotion::Planar => shape.extend_from_slice(&q[link.q..link.q + 3]),
            LinkMotion::Ball | LinkMotion::Free => shape.extend(kin.links[i].R.iter()),
        }
    }
    shape
}

/// Whether two shapes are the same optimum.
pub(super) fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < SAME)
}
