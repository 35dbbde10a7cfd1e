//! Forces of joint springs and dampers.
//!
//! With the joint's angle φ = ratio × q + offset:
//! ```text
//! τ = −ratio (k (φ − φ₀) + d φ̇)                          (1)
//! V_spring = ½ k (φ − φ₀)²,   P_damper = −d φ̇² ≤ 0        (2)
//! ```
//! Tests: `tests/identities.rs`: `power_balance`.

use crate::model::Model;

/// Add the forces of springs and dampers to `tau`, equation (1).
pub fn add_joint_forces(model: &Model, q: &[f64], v: &[f64], tau: &mut [f64]) {
    if !model.sprung() {
        return;
    }
    for (j, (c, at)) in model.coordinates().iter().zip(model.q_of_v()).enumerate() {
        tau[j] -= c.ratio * c.ratio * c.damping * v[j];
        if let (Some(spring), Some(at)) = (c.spring, at) {
            tau[j] -= c.ratio * spring.stiffness * (c.ratio * q[*at] + c.offset - spring.rest);
        }
    }
}

/// Energy stored in joint springs, J, equation (2).
pub fn spring_energy(model: &Model, q: &[f64]) -> f64 {
    let mut energy = 0.0;
    if !model.sprung() {
        return energy;
    }
    for (c, at) in model.coordinates().iter().zip(model.q_of_v()) {
        if let (Some(spring), Some(at)) = (c.spring, at) {
            let stretch = c.ratio * q[*at] + c.offset - spring.rest;
            energy += 0.5 * spring.stiffness * stretch * stretch;
        }
    }
    energy
}

/// Power that joint dampers take out, W, ≥ 0, equation (2).
pub fn damper_power(model: &Model, v: &[f64]) -> f64 {
    if !model.sprung() {
        return 0.0;
    }
    let of = |(c, v): (&crate::model::Coordinate, &f64)| c.damping * (c.ratio * v).powi(2);
    model.coordinates().iter().zip(v).map(of).sum()
}
