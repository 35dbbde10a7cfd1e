//! The camera of scenes in space.

use crate::stage::Bounds;
use nalgebra::Vector3;
use std::fmt;
use std::str::FromStr;

/// Half the angle of view from the lowest to the highest row, rad.
const HALF: f64 = 0.28;
/// More than what would just fit.
const ROOM: f64 = 1.15;

/// From where a scene is seen, about its up direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// From the front towards the right, degrees.
    pub azimuth: f64,
    /// Above the horizon, degrees.
    pub elevation: f64,
}

impl Default for View {
    /// From the front, a little from the right and from above.
    fn default() -> Self {
        Self { azimuth: 32.0, elevation: 20.0 }
    }
}

impl View {
    /// Views with a name.
    pub const NAMED: [(&'static str, Self); 7] = [
        ("usual", Self { azimuth: 32.0, elevation: 20.0 }),
        ("front", Self { azimuth: 0.0, elevation: 0.0 }),
        ("back", Self { azimuth: 180.0, elevation: 0.0 }),
        ("left", Self { azimuth: -90.0, elevation: 0.0 }),
        ("right", Self { azimuth: 90.0, elevation: 0.0 }),
        ("top", Self { azimuth: 0.0, elevation: 90.0 }),
        ("corner", Self { azimuth: 45.0, elevation: 35.264 }),
    ];
}

/// A text that names no view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewError {
    /// The text.
    pub text: String,
}

impl std::error::Error for ViewError {}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = View::NAMED.map(|(name, _)| name).join(", ");
        write!(f, "should be {names}, or AZIMUTH,ELEVATION in degrees, up to 90 high")
    }
}

impl FromStr for View {
    type Err = ViewError;

    /// A name, or azimuth and elevation in degrees, such as `30,20`.
    fn from_str(text: &str) -> Result<Self, ViewError> {
        if let Some((_, view)) = Self::NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(*view);
        }
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let parts = text.split_once(',').map(|(a, b)| (number(a), number(b)));
        match parts {
            Some((Some(azimuth), Some(elevation))) if elevation.abs() <= 90.0 => {
                Ok(Self { azimuth, elevation })
            }
            _ => Err(ViewError { text: text.into() }),
        }
    }
}

/// A camera.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eye {
    pub place: Vector3<f64>,
    pub right: Vector3<f64>,
    pub top: Vector3<f64>,
    /// Where it looks.
    pub ahead: Vector3<f64>,
    /// Pixels per unit of slope.
    pub focus: f64,
    pub size: [f64; 2],
}

impl Eye {
    /// Looks at `target` in a view with the motion in the picture, or from `distance`.
    pub fn new(
        (view, up): (View, &Vector3<f64>),
        bounds: &Bounds,
        size: [f64; 2],
        (target, distance, zoom): (Option<Vector3<f64>>, Option<f64>, f64),
    ) -> Self {
        let (right, front) = compass(up);
        let (a, e) = (view.azimuth.to_radians(), view.elevation.to_radians());
        let away = (front * a.cos() + right * a.sin()) * e.cos() + up * e.sin();
        let right = right * a.cos() - front * a.sin();
        let top = away.cross(&right);
        let middle = (bounds.min + bounds.max) * 0.5;
        let own = || {
            let (tall, wide) = (HALF.tan(), HALF.tan() * size[0] / size[1]);
            let mut distance = 1e-3_f64;
            for corner in 0..8 {
                let pick =
                    |k: usize| if corner >> k & 1 == 1 { bounds.max[k] } else { bounds.min[k] };
                let c = Vector3::new(pick(0), pick(1), pick(2)) - middle;
                let need = (c.dot(&right).abs() / wide).max(c.dot(&top).abs() / tall);
                distance = distance.max(need + c.dot(&away));
            }
            ROOM * distance
        };
        let distance = distance.unwrap_or_else(own) / zoom;
        let place = target.unwrap_or(middle) + away * distance;
        Self { place, right, top, ahead: -away, focus: 0.5 * size[1] / HALF.tan(), size }
    }

    /// Pixels and distance of a point; none behind the camera.
    pub fn see(&self, p: &Vector3<f64>) -> Option<[f64; 3]> {
        let d = p - self.place;
        let z = d.dot(&self.ahead);
        (z > 1e-6).then(|| {
            let x = 0.5 * self.size[0] + self.focus * d.dot(&self.right) / z;
            let y = 0.5 * self.size[1] - self.focus * d.dot(&self.top) / z;
            [x, y, z]
        })
    }

    /// The direction of a pixel, one long along where it looks.
    pub fn ray(&self, x: f64, y: f64) -> Vector3<f64> {
        self.ahead
            + self.right * ((x - 0.5 * self.size[0]) / self.focus)
            + self.top * ((0.5 * self.size[1] - y) / self.focus)
    }

    /// The same camera for a picture with so many times the pixels along each side.
    pub fn finer(mut self, times: f64) -> Self {
        self.focus *= times;
        self.size = self.size.map(|s| s * times);
        self
    }
}

/// To the right and to the front of a scene whose up is known.
fn compass(up: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let side = if up.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let right = (side - up * side.dot(up)).normalize();
    (right, right.cross(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_by_name_and_angle() {
        assert_eq!("top".parse(), Ok(View { azimuth: 0.0, elevation: 90.0 }));
        assert_eq!("-30, 12.5".parse(), Ok(View { azimuth: -30.0, elevation: 12.5 }));
        for odd in ["", "above", "1", "1,2,3", "0,91", "nan,0"] {
            assert!(odd.parse::<View>().is_err(), "{odd}");
        }
    }

    /// Axes are those of a right-handed camera, rays and places agree, and everything is in the picture.
    #[test]
    fn a_camera_sees_the_whole_motion() {
        let bounds = Bounds { min: Vector3::new(-1.0, 0.0, 0.0), max: Vector3::new(2.0, 0.5, 1.0) };
        for (_, view) in View::NAMED {
            for up in [Vector3::z(), Vector3::y(), Vector3::x()] {
                let eye = Eye::new((view, &up), &bounds, [300.0, 200.0], (None, None, 1.0));
                assert!((eye.right.cross(&eye.top) + eye.ahead).norm() < 1e-12);
                for corner in 0..8 {
                    let pick =
                        |k: usize| if corner >> k & 1 == 1 { bounds.max[k] } else { bounds.min[k] };
                    let p = Vector3::new(pick(0), pick(1), pick(2));
                    let [x, y, z] = eye.see(&p).unwrap();
                    assert!((0.0..=300.0).contains(&x) && (0.0..=200.0).contains(&y), "{view:?}");
                    assert!((eye.place + eye.ray(x, y) * z - p).norm() < 1e-9);
                }
                if view.elevation < 80.0 {
                    assert!(eye.top.dot(&up) > 0.0, "what is up is drawn upwards");
                }
            }
        }
    }
}
