//! Whether mechanics can begin at the start: inertia, finite energy, plane, no overlap.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::gap::{behind, gap};
use crate::parts::{PairOrigin, PairPart, Parts};
use crate::read::view::View;
use crate::source::Spot;
use crate::spec::run::INITIAL;
use carom::dynamics::energy::{gravity_energy, kinetic_energy};
use carom::dynamics::{Articulated, Kinematics, articulate, kinematics};
use carom::model::tree::WORLD;
use carom::model::{BodyId, JointKind, Model};
use carom::spatial::Pose;
use carom::state::State;
use nalgebra::Vector3;

/// Deepest penetration that is let pass if the scene states none, m. What is deeper and let pass is
/// moved apart.
const PENETRATION: f64 = 1e-9;

/// Sine of the largest angle between an axis of a planar scene and its normal.
const ALONG: f64 = 1e-9;

/// A pair that overlaps at the start, but not too much.
pub(crate) struct Overlap {
    pub pair: String,
    pub gap: f64,
    pub spot: Spot,
}

/// A scene that is built, at its start.
pub(crate) struct Start<'a> {
    pub scene: &'a View<'a>,
    pub parts: &'a Parts,
    pub ids: &'a [BodyId],
    pub model: &'a Model,
    pub state: &'a State,
    pub pairs: &'a [PairPart],
}

impl Start<'_> {
    /// All checks.
    pub fn check(&self) -> Result<Vec<Overlap>, Flaw> {
        let (q, v) = (self.state.q.as_slice(), self.state.v.as_slice());
        let mut kin = Kinematics::new(self.model);
        kinematics(self.model, q, v, &mut kin);
        let energy = kinetic_energy(self.model, &kin, v) + gravity_energy(self.model, &kin);
        if !energy.is_finite() {
            return Err(Flaw::at(self.scene.spot, Fault::Overflow { energy }));
        }
        if self.scene.planar {
            self.check_plane(&kin)?;
        }
        self.check_inertia(&kin)?;
        self.check_pairs(&kin)
    }

    /// No degree of freedom is without inertia.
    fn check_inertia(&self, kin: &Kinematics) -> Result<(), Flaw> {
        let model = self.model;
        articulate(model, kin, &mut Articulated::new(model)).map_err(|singular| {
            let behind = self.ids.iter().position(|id| model.v_range(*id).contains(&singular.dof));
            let spot = behind.map_or(self.scene.spot, |i| self.parts.bodies[i].spot);
            let coordinate = model.v_names().swap_remove(singular.dof);
            Flaw::at(spot, Fault::Singular { coordinate })
        })
    }

    /// Numbers of pairs that a rule implies and that overlap at the start.
    pub fn overlapping(&self) -> Vec<(usize, f64)> {
        let (q, v) = (self.state.q.as_slice(), self.state.v.as_slice());
        let mut kin = Kinematics::new(self.model);
        kinematics(self.model, q, v, &mut kin);
        let pairs = self.model.pairs().iter().zip(self.pairs).enumerate();
        let among = pairs.filter(|(_, (_, part))| part.origin == PairOrigin::Among);
        let found = among.map(|(i, (pair, _))| (i, gap(self.model, &kin, pair)));
        found.filter(|(_, gap)| *gap < -PENETRATION).collect()
    }

    /// The sides of every pair can move against each other and do not overlap more than is let pass;
    /// those that are to be moved apart.
    fn check_pairs(&self, kin: &Kinematics) -> Result<Vec<Overlap>, Flaw> {
        let mut overlaps = Vec::new();
        let model = self.model;
        let stated = self.scene.sub("initial", &INITIAL).and_then(|t| t.number("penetration"));
        let link =
            |body: Option<BodyId>| body.map_or(WORLD, |id| model.tree().seats[id.index()].link);
        for (pair, part) in model.pairs().iter().zip(self.pairs) {
            if link(model.feature(pair.a).body) == link(model.feature(pair.b).body) {
                return Err(Flaw::at(part.spot, Fault::Rigid { pair: pair.name.clone() }));
            }
            // Contacts under a condition may be out of play; the simulation knows.
            if part.bound {
                continue;
            }
            let gap = gap(model, kin, pair);
            // Contacts of robot files are soft there: where they overlap, they are moved apart.
            let soft = part.origin == PairOrigin::Robot;
            let free = if soft { f64::INFINITY } else { PENETRATION };
            let tolerance = stated.unwrap_or(free);
            if gap < -tolerance {
                let (pair, behind) = (pair.name.clone(), behind(model, kin, pair));
                let fault = Fault::Penetration { pair, gap, tolerance, behind };
                return Err(Flaw::at(part.spot, fault));
            }
            if gap < -PENETRATION {
                overlaps.push(Overlap { pair: pair.name.clone(), gap, spot: part.spot });
            }
        }
        Ok(overlaps)
    }

    /// Every joint of a planar scene moves in the x–y plane.
    fn check_plane(&self, kin: &Kinematics) -> Result<(), Flaw> {
        for (part, &id) in self.parts.bodies.iter().zip(self.ids) {
            let body = self.model.body(id);
            let parent = body.parent.map_or(Pose::identity(), |p| kin.pose(self.model, p));
            let frame = parent.then(&body.joint.placement);
            let in_plane = match body.joint.kind {
                JointKind::Fixed => true,
                JointKind::Revolute { axis } => frame.direction(&axis).xy().norm() < ALONG,
                JointKind::Prismatic { axis } => frame.direction(&axis).z.abs() < ALONG,
                JointKind::Planar => frame.direction(&Vector3::z()).xy().norm() < ALONG,
                JointKind::Spherical | JointKind::Free => false,
            };
            if !in_plane {
                let (joint, kind) = (body.joint.name.clone(), body.joint.kind.word());
                return Err(Flaw::at(part.joint.spot, Fault::NotPlanar { joint, kind }));
            }
        }
        Ok(())
    }
}
