//! Springs and dampers by time constant and damping ratio.
//!
//! # Law
//! `springdamper="T ζ"` of a hinge or slide stands for
//! ```text
//! k = m / (T² ζ²),   d = 2 m / T,   m = 1 / (M⁻¹)ᵢᵢ in the posture of the file          (1)
//! ```
//! Test: `tests/mjcf.rs`: `eq1_spring_damper`.

use super::body::Seat;
use crate::assemble::{Assembly, assemble};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::model::{ModelBuilder, Spring};
use carom::state::State;
use nalgebra::DMatrix;

/// Equation (1) for all joints that ask for it.
pub(crate) fn spring_dampers(parts: &mut Parts, seats: &[Seat]) -> Result<(), Flaw> {
    let asking = |s: &&Seat| s.joint.spring_damper.is_some() && s.joint.part.is_single();
    if !seats.iter().any(|s| asking(&s)) {
        return Ok(());
    }
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
    for seat in seats.iter().filter(asking) {
        let Some([T, zeta]) = seat.joint.spring_damper else { continue };
        let i = model.v_range(bodies[seat.part]).start;
        let m = 1.0 / inverse[(i, i)];
        let c = &mut parts.bodies[seat.part].joint.coordinate;
        let stiffness = m / (T * T * zeta * zeta);
        c.spring = Some(Spring { stiffness, rest: seat.joint.rest });
        // What motors add stays.
        c.damping += 2.0 * m / T - seat.joint.damping;
    }
    Ok(())
}
