//! Which point is to be accelerated, where to, and what must not move meanwhile.

use crate::error::AgilityError;
use carom::model::{BodyId, Model};
use nalgebra::{Unit, Vector3};

/// A point of a body and a direction of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task {
    /// The body.
    pub body: BodyId,
    /// The point in the frame of the body, m.
    pub point: Vector3<f64>,
    /// Where to, in the world.
    pub direction: Unit<Vector3<f64>>,
    /// What is held.
    pub hold: Hold,
}

/// Accelerations that are held at zero besides those of the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hold {
    /// None: the point may also accelerate sideways, the body may turn.
    #[default]
    Nothing,
    /// Those of the point across the direction: it sets out along a straight line.
    Line,
    /// Those of the point across the direction and the angular ones of the body.
    Body,
}

impl Hold {
    /// Word used in commands and messages.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Line => "line",
            Self::Body => "body",
        }
    }
}

impl Task {
    /// The centre of mass of a body towards `direction`, nothing held.
    pub fn new(model: &Model, body: BodyId, direction: Vector3<f64>) -> Result<Self, AgilityError> {
        let point = model.body(body).inertia.com;
        let direction = unit(direction)?;
        Ok(Self { body, point, direction, hold: Hold::Nothing })
    }

    /// Another point of the body.
    pub fn at(mut self, point: Vector3<f64>) -> Self {
        self.point = point;
        self
    }

    /// With something held.
    pub fn holding(mut self, hold: Hold) -> Self {
        self.hold = hold;
        self
    }

    /// The same towards another direction.
    pub fn towards(mut self, direction: Unit<Vector3<f64>>) -> Self {
        self.direction = direction;
        self
    }
}

/// A direction of unit length.
pub fn unit(d: Vector3<f64>) -> Result<Unit<Vector3<f64>>, AgilityError> {
    let fault = AgilityError::Direction { x: d.x, y: d.y, z: d.z };
    // Scaling first keeps tiny and huge vectors from losing their length.
    let size = d.amax();
    if !(size > 0.0 && size.is_finite()) {
        return Err(fault);
    }
    Unit::try_new(d / size, 0.0).ok_or(fault)
}
