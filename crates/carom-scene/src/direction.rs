//! Directions as vectors of any length.

use nalgebra::{Unit, Vector3};

/// A vector of length one, if it has a direction.
pub(crate) fn unit(v: Vector3<f64>) -> Option<Unit<Vector3<f64>>> {
    // Dividing by the largest entry first keeps tiny and huge axes exact.
    let largest = v.amax();
    if !(largest.is_finite() && largest > 0.0) {
        return None;
    }
    Some(Unit::new_normalize(v / largest))
}
