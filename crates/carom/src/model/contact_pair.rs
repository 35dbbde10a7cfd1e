//! Two features that may touch and the law of their surfaces.

use super::FeatureId;

/// Restitution and friction of a pair of surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Coefficient of restitution e, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction while sticking, μs ≥ μd.
    pub static_friction: f64,
    /// Coefficient of friction while sliding, μd ≥ 0.
    pub friction: f64,
}

/// Moments that a contact resists, per normal force.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Resistance {
    /// Against rolling: the moment across the normal is at most this times λₙ, m.
    pub rolling: f64,
    /// Against spinning: the moment about the normal is at most this times λₙ, m.
    pub spinning: f64,
}

/// A pair of features that may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPair {
    /// Unique name.
    pub name: String,
    /// First feature; the normal points from it to the second.
    pub a: FeatureId,
    /// Second feature.
    pub b: FeatureId,
    /// The law of the two surfaces.
    pub surface: Surface,
    /// Rolling and spinning friction.
    pub resistance: Resistance,
}
