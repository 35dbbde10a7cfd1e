//! Meshes with more corners than a shape may have: what was left of them, told.
//!
//! # Tests
//! `tests/meshes.rs`: `a_hull_of_too_many_corners_is_simplified_and_told`.

use crate::convex_pieces::DENT;
use crate::parts::Parts;
use crate::warning::{Caution, Cautions};
use carom::model::Shape;

/// Tells of such features.
pub(crate) fn simplified(parts: &Parts, cautions: &mut Cautions) {
    for feature in &parts.features {
        let Shape::Convex { hull, .. } = &feature.shape else { continue };
        let first = hull.corners[0];
        let size = hull.corners.iter().fold(0.0_f64, |size, x| size.max((x - first).amax()));
        if hull.left > DENT * size {
            let (feature, spot) = (feature.name.clone(), feature.spot);
            let (corners, left) = (hull.corners.len(), hull.left);
            cautions.push((Caution::Simplified { feature, corners, left }, spot));
        }
    }
}
