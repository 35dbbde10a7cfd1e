//! Rigid parts: links that fixed joints hold together.
//!
//! A single link of a file may have an inertia that no body has (a dummy link of 1 g with one
//! moment only); it moves with the links that it is fixed to, so what must be possible is their
//! sum.

use crate::assemble::ordered;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::warning::{Caution, Cautions};
use carom::model::JointKind;
use carom::spatial::{Inertia, Pose};

/// Check the rigid parts of a robot. Doubtful links of possible parts, of parts fixed to the world,
/// and all of them if taken as written, are warnings; the others are a fault.
pub(crate) fn check(parts: &Parts, as_written: bool, cautions: &mut Cautions) -> Result<(), Flaw> {
    if parts.bodies.iter().all(|b| b.doubt.is_none()) {
        return Ok(());
    }
    let (owner, lumps) = lumps(parts)?;
    for (i, body) in parts.bodies.iter().enumerate() {
        let Some(source) = body.doubt else { continue };
        let top = owner[i];
        let lump = &lumps[top];
        let is_static = parts.bodies[top].joint.kind == JointKind::Fixed;
        let possible = Inertia::new(lump.mass, lump.com, lump.about_com).is_ok();
        if possible || is_static || as_written {
            let link = body.name.clone();
            cautions.push((Caution::Inertia { link, source }, body.inertia_spot));
        } else {
            let fault = Fault::LinkInertia { link: body.name.clone(), source };
            return Err(Flaw::at(body.inertia_spot, fault));
        }
    }
    Ok(())
}

/// For each body the one whose joint moves its rigid part, and the inertia of that part there.
fn lumps(parts: &Parts) -> Result<(Vec<usize>, Vec<Inertia>), Flaw> {
    let n = parts.bodies.len();
    let mut lumps = vec![Inertia::massless(); n];
    let mut owner: Vec<usize> = (0..n).collect();
    let mut poses = vec![Pose::identity(); n];
    for (i, parent) in ordered(parts)? {
        let joint = &parts.bodies[i].joint;
        if let (JointKind::Fixed, Some(up)) = (joint.kind, parent) {
            owner[i] = owner[up];
            poses[i] = poses[up].then(&joint.placement);
        }
        let top = owner[i];
        lumps[top] = lumps[top].joined(&parts.bodies[i].inertia.in_frame(&poses[i]));
    }
    Ok((owner, lumps))
}
