//! Positions and orientations in all the ways that MJCF writes them.
//!
//! ```text
//! euler, sequence a b c:   R = R_a R_b R_c; an upper-case axis is a fixed one, from the left      (1)
//! xyaxes x, y:             y ← y − (x·y) x, both of length one, z = x × y                          (2)
//! zaxis, fromto:           the least turn that takes z there; half a turn is about x               (3)
//! ```
//! Tests: `eq1_euler`, `eq2_eq3_axes`, and the models of `tests/mjcf.rs`.

use super::item::Item;
use super::settings::Settings;
use super::tag::Tag;
use crate::error::Flaw;
use crate::fault::Fault;
use carom::spatial::{Pose, rotation};
use nalgebra::{Matrix3, Vector3, Vector4};

/// Attributes that state an orientation.
const WAYS: &[&str] = &["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// Position and orientation of an element; the identity where it states none.
pub(crate) fn pose(item: &Item<'_>, settings: &Settings) -> Result<Pose, Flaw> {
    let r = item.vector("pos")?.unwrap_or_else(Vector3::zeros);
    Ok(Pose::new(orientation(item, settings)?, r))
}

/// The orientation of an element.
pub(crate) fn orientation(item: &Item<'_>, settings: &Settings) -> Result<Matrix3<f64>, Flaw> {
    // The nearest of element and defaults that states one.
    let stated = |tag: &Tag| WAYS.iter().any(|way| tag.attribute(way).is_some());
    let Some(layer) = item.layers().find(|tag| stated(tag)) else {
        return Ok(Matrix3::identity());
    };
    let own = Item { tag: layer, defaults: Vec::new() };
    let ways: Vec<&str> = WAYS.iter().copied().filter(|way| own.has(way)).collect();
    if let [first, second, ..] = ways[..] {
        return Err(own.conflict(first, second, "an orientation is stated in one way"));
    }
    let no_direction = |key: &str| {
        let (owner, key) = (own.tag.called(), key.to_string());
        let spot = own.spot_of(&key);
        Flaw::value(spot, &key.clone(), "", Fault::ZeroAxis { owner, key })
    };
    if let Some(q) = own.numbers("quat", 4..=4)? {
        let Q = Vector4::from_iterator(q);
        return match Q.norm() {
            n if n > 0.0 => Ok(rotation::from_quaternion(&(Q / n))),
            _ => Err(no_direction("quat")),
        };
    }
    if let Some(a) = own.numbers("axisangle", 4..=4)? {
        let axis = Vector3::new(a[0], a[1], a[2]);
        return match axis.norm() {
            n if n > 0.0 => Ok(rotation::exp(&(axis * (settings.angle(a[3]) / n)))),
            _ => Err(no_direction("axisangle")),
        };
    }
    if let Some(e) = own.vector("euler")? {
        return Ok(euler(&settings.euler, e.map(|x| settings.angle(x))));
    }
    if let Some(a) = own.numbers("xyaxes", 6..=6)? {
        let (x, y) = (Vector3::new(a[0], a[1], a[2]), Vector3::new(a[3], a[4], a[5]));
        return axes(x, y).ok_or_else(|| no_direction("xyaxes"));
    }
    match own.vector("zaxis")? {
        Some(z) => with_z(z).ok_or_else(|| no_direction("zaxis")),
        None => Ok(Matrix3::identity()),
    }
}

/// Equation (1).
fn euler(sequence: &str, angles: Vector3<f64>) -> Matrix3<f64> {
    let mut R = Matrix3::identity();
    for (axis, angle) in sequence.chars().zip(angles.iter()) {
        let along = match axis.to_ascii_lowercase() {
            'x' => Vector3::x(),
            'y' => Vector3::y(),
            _ => Vector3::z(),
        };
        let turn = rotation::exp(&(along * *angle));
        R = if axis.is_ascii_lowercase() { R * turn } else { turn * R };
    }
    R
}

/// Equation (2).
fn axes(x: Vector3<f64>, y: Vector3<f64>) -> Option<Matrix3<f64>> {
    let x = x.try_normalize(0.0)?;
    let y = (y - x * x.dot(&y)).try_normalize(0.0)?;
    Some(Matrix3::from_columns(&[x, y, x.cross(&y)]))
}

/// Equation (3).
pub(crate) fn with_z(along: Vector3<f64>) -> Option<Matrix3<f64>> {
    let z = along.try_normalize(0.0)?;
    let axis = Vector3::z().cross(&z);
    let angle = axis.norm().atan2(z.z);
    let axis = axis.try_normalize(0.0).unwrap_or_else(Vector3::x);
    Some(rotation::exp(&(axis * angle)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(axis: Vector3<f64>, angle: f64) -> Matrix3<f64> {
        rotation::exp(&(axis * angle))
    }

    #[test]
    fn eq1_euler() {
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        let angles = Vector3::new(0.3, -0.7, 1.1);
        let moving = turn(x, 0.3) * turn(y, -0.7) * turn(z, 1.1);
        assert!((euler("xyz", angles) - moving).norm() < 1e-15);
        let fixed = turn(z, 1.1) * turn(y, -0.7) * turn(x, 0.3);
        assert!((euler("XYZ", angles) - fixed).norm() < 1e-15);
        let mixed = turn(y, 1.1) * turn(z, 0.3) * turn(x, -0.7);
        assert!((euler("zxY", angles) - mixed).norm() < 1e-15);
    }

    #[test]
    fn eq2_eq3_axes() {
        let R = axes(Vector3::new(0.0, 2.0, 0.0), Vector3::new(-3.0, 1.0, 0.0)).unwrap();
        assert!((R - turn(Vector3::z(), std::f64::consts::FRAC_PI_2)).norm() < 1e-15);
        assert!(axes(Vector3::x(), Vector3::x()).is_none());
        let z = Vector3::new(0.2, -0.4, 0.5);
        let R = with_z(z).unwrap();
        assert!((R * Vector3::z() - z.normalize()).norm() < 1e-15);
        // The least turn leaves what is across both where it is.
        let across = Vector3::z().cross(&z).normalize();
        assert!((R * across - across).norm() < 1e-15);
        let half = with_z(-Vector3::z()).unwrap();
        assert!((half - turn(Vector3::x(), std::f64::consts::PI)).norm() < 1e-15);
    }
}
