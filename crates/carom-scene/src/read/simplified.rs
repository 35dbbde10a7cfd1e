//! Meshes that something else stands for: those with more corners than a shape may have, and those that were cut into pieces, told.
//!
//! # Tests
//! `tests/meshes.rs`: `a_hull_of_too_many_corners_is_simplified_and_told`; `tests/decompose.rs`: `what_is_approximated_is_told`.

use crate::convex_pieces::DENT;
use crate::parts::Parts;
use crate::warning::{Caution, Cautions};
use carom::model::Shape;

/// Tells of such features.
pub(crate) fn simplified(parts: &Parts, cautions: &mut Cautions) {
    let mut before: Option<&str> = None;
    for feature in &parts.features {
        if let Some(found) = feature.approximates
            && before != Some(feature.group.as_str())
        {
            let (group, pieces, concavity) = (feature.group.clone(), found.pieces, found.concavity);
            cautions
                .push((Caution::Decomposed { feature: group, pieces, concavity }, feature.spot));
        }
        before = Some(feature.group.as_str());
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
