//! Energies, momenta and the centre of mass.
//!
//! ```text
//! T = ½ Σ V · I V + ½ Σ rotorᵢ vᵢ² = ½ vᵀ M v          (1)   rotors that are not there have none
//! V_gravity = −Σ m g · x_C                              (2)   zero at the world's origin
//! ```
//! Tests: `tests/identities.rs`: `kinetic_energy`, `power_balance`, `centroidal_momentum`.

use super::Kinematics;
use crate::model::Model;
use crate::spatial::Force;
use nalgebra::Vector3;

/// Kinetic energy, J, equation (1).
pub fn kinetic_energy(model: &Model, kin: &Kinematics, v: &[f64]) -> f64 {
    let bodies: f64 = kin.links.iter().map(|s| s.I.momentum(&s.V).power(&s.V)).sum();
    let rotors: f64 =
        model.tree().nodes.iter().zip(v).map(|(n, v)| (n.rotor - n.ghost) * v * v).sum();
    0.5 * (bodies + rotors)
}

/// Energy in the field of gravity, J, zero at the world's origin, equation (2).
pub fn gravity_energy(model: &Model, kin: &Kinematics) -> f64 {
    -kin.links.iter().map(|s| model.gravity().dot(&(s.o * s.I.mass + s.I.h))).sum::<f64>()
}

/// Centre of mass of everything that moves, m.
pub fn center_of_mass(kin: &Kinematics) -> Vector3<f64> {
    let mass: f64 = kin.links.iter().map(|s| s.I.mass).sum();
    kin.links.iter().map(|s| s.o * s.I.mass + s.I.h).sum::<Vector3<f64>>() / mass
}

/// Momentum about the centre of mass: moment of momentum and momentum (without the rotors').
pub fn centroidal_momentum(kin: &Kinematics) -> Force {
    let center = center_of_mass(kin);
    let mut total = Force::zero();
    for s in &kin.links {
        total += s.I.momentum(&s.V).seen_from(&(s.o - center));
    }
    total
}
