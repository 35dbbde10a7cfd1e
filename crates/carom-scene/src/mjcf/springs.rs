//! Springs and dampers by time constant and damping ratio.
//!
//! # Law
//! `springdamper="T ζ"` of a hinge or slide stands for
//! ```text
//! k = m / (T² ζ²),   d = 2 m / T,   m = 1 / (M⁻¹)ᵢᵢ in the posture of the file          (1)
//! ```
//! and the damping ratio ζ of a servo with the gain kp and the gear g, `dampratio` or a third `biasprm` > 0, for
//! ```text
//! kv = 2 ζ √(kp m) / |g|                                                                 (2)
//! ```
//! Test: `tests/mjcf.rs`: `eq1_spring_damper`; `tests/mjcf_collections.rs`: `eq2_damping_ratio_of_a_servo`.

use super::body::Seat;
use crate::assemble::{Assembly, assemble};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::model::{ModelBuilder, Spring};
use carom::state::State;
use nalgebra::DMatrix;

/// Equations (1) and (2) for all joints and motors that ask for it.
pub(crate) fn spring_dampers(parts: &mut Parts, seats: &[Seat]) -> Result<(), Flaw> {
    let asking = |s: &&Seat| s.joint.spring_damper.is_some() && s.joint.part.is_single();
    let servos = parts.motors.iter().any(|m| m.control.ratio.is_some());
    if !servos && !seats.iter().any(|s| asking(&s)) {
        return Ok(());
    }
    let (inverse, place) = inverse_inertia(parts, seats)?;
    let reflected = |i: usize| 1.0 / inverse[(i, i)];
    for motor in &mut parts.motors {
        let of_motor = |s: &&Seat| s.joint.part.name == motor.joint;
        let Some(zeta) = motor.control.ratio.take() else { continue };
        let Some(i) = seats.iter().find(of_motor).map(|s| place[s.part]) else { continue };
        let c = &mut motor.control;
        c.bias[2] = -2.0 * zeta * (c.gain[0] * reflected(i)).sqrt() / c.gear.abs();
    }
    for seat in seats.iter().filter(asking) {
        let Some([T, zeta]) = seat.joint.spring_damper else { continue };
        let m = reflected(place[seat.part]);
        let c = &mut parts.bodies[seat.part].joint.coordinate;
        let stiffness = m / (T * T * zeta * zeta);
        c.spring = Some(Spring { stiffness, rest: seat.joint.rest });
        // What motors add stays.
        c.damping += 2.0 * m / T - seat.joint.damping;
    }
    Ok(())
}

/// M⁻¹ in the posture of the file, and the first degree of freedom of each body.
fn inverse_inertia(parts: &Parts, seats: &[Seat]) -> Result<(DMatrix<f64>, Vec<usize>), Flaw> {
    let Assembly { builder, bodies, .. } = assemble(parts, ModelBuilder::new())?;
    let spot = parts.bodies[0].spot;
    let model = builder.build().map_err(|source| Flaw::at(spot, Fault::Model { source }))?;
    let mut state = State::neutral(&model);
    for seat in seats.iter().filter(|s| s.joint.part.is_single()) {
        state.q[model.q_range(bodies[seat.part]).start] = seat.joint.reference;
    }
    let n = model.nv();
    let mut kin = Kinematics::new(&model);
    kinematics(&model, state.q.as_slice(), state.v.as_slice(), &mut kin);
    let mut M = DMatrix::zeros(n, n);
    mass_matrix(&model, &kin, &mut CompositeScratch::new(&model), &mut M);
    let inverse = M.try_inverse().ok_or_else(|| {
        let coordinate = "the model".to_string();
        Flaw::at(spot, Fault::Singular { coordinate })
    })?;
    Ok((inverse, bodies.iter().map(|id| model.v_range(*id).start).collect()))
}
