//! The differential law for any contacts: closed form, planar path or spatial path, whichever the problem needs.
//!
//! All three are the same law, so the choice changes the cost, not the answer: one contact with at most one tangent is
//! [`Planar`], contacts with at most one tangent each are [`Differential`], the rest is [`SpatialDifferential`].
//!
//! # Tests
//! `choice_does_not_change_the_answer` below.

use super::contact_space::{ContactSpace, Phase};
use super::differential::Differential;
use super::error::ImpactError;
use super::law::{ImpactLaw, Promises};
use super::planar::Planar;
use super::restitution::Restitution;
use super::solution::ImpactSolution;
use super::spatial::SpatialDifferential;
use super::workspace::ImpactWorkspace;

/// The differential law for any contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyDifferential {
    /// Definition of the coefficient of restitution.
    pub restitution: Restitution,
}

impl ImpactLaw for AnyDifferential {
    fn name(&self) -> &'static str {
        "differential"
    }

    fn promises(&self) -> Promises {
        Promises::of_a_path(self.restitution == Restitution::Energetic)
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let restitution = self.restitution;
        let mut closed = space.contacts.iter().filter(|c| c.phase != Phase::Apart);
        let most = closed.clone().map(|c| c.tangents).max().unwrap_or(0);
        let alone = closed.next().is_some() && closed.next().is_none();
        match (most, alone) {
            (0 | 1, true) => Planar { restitution }.resolve(space, work, out),
            (0 | 1, false) => Differential { restitution }.resolve(space, work, out),
            _ => SpatialDifferential { restitution }.resolve(space, work, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn space(tangents: usize) -> ContactSpace {
        let mut space = ContactSpace::default();
        space.resize(tangents + 1);
        let G = DMatrix::from_row_slice(3, 3, &[2.0, 0.0, 0.6, 0.0, 1.0, 0.0, 0.6, 0.0, 1.0]);
        let u = DVector::from_vec(vec![0.3, 0.0, -2.0]);
        let rows = if tangents == 1 { vec![0, 2] } else { vec![0, 1, 2] };
        space.G = DMatrix::from_fn(rows.len(), rows.len(), |i, j| G[(rows[i], rows[j])]);
        space.u_pre = DVector::from_fn(rows.len(), |i, _| u[rows[i]]);
        space.push_contact(tangents, [0.4, 0.5], 0.8, true);
        space.classify();
        space
    }

    #[test]
    fn choice_does_not_change_the_answer() {
        let mut work = ImpactWorkspace::new();
        for restitution in Restitution::ALL {
            let law = AnyDifferential { restitution };
            let mut resolve = |tangents| {
                let mut out = ImpactSolution::default();
                law.resolve(&space(tangents), &mut work, &mut out).unwrap();
                out
            };
            let (flat, deep) = (resolve(1), resolve(2));
            assert!((flat.impulses[0] - deep.impulses[0]).abs() < 1e-10);
            assert!((flat.impulses[1] - deep.impulses[2]).abs() < 1e-10);
        }
    }
}
