//! The law in contact space.

use nalgebra::DVector;

use super::sets::{Best, check_count, sign_residual};
use super::singular::{nearly_singular, resolve_singular};

use crate::impact::algebraic::{begin, end};
use crate::impact::contact_space::ContactSpace;
use crate::impact::coulomb::{ContactMode, CoulombData, Tangent};
use crate::impact::error::ImpactError;
use crate::impact::law::{ImpactLaw, Promises, in_contact_space};
use crate::impact::mode_search::energy_change;
use crate::impact::newton::{accept, add_restitution};
use crate::impact::problem::ImpactProblem;
use crate::impact::solution::{ImpactAnswer, ImpactSolution};
use crate::impact::workspace::ImpactWorkspace;

/// Johnson's law, see the [module](super).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Constraint {
    /// Release constraints that would pull, activate touching ones that would be penetrated.
    pub complementarity: bool,
    /// Hold the tangents as well, with e = 0.
    pub constrain_tangents: bool,
}

impl ImpactLaw for Constraint {
    fn name(&self) -> &'static str {
        "constraint"
    }

    fn promises(&self) -> Promises {
        // Frictionless, or with tangents held whatever that takes; as written a contact may pull.
        let mut promises = Promises::default();
        promises.audit.0.cone = f64::INFINITY;
        if !self.complementarity {
            promises.audit.0.unilaterality = f64::INFINITY;
            promises.audit.0.penetration = f64::INFINITY;
        }
        promises
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        begin(space, out)?;
        match (self.complementarity, self.constrain_tangents) {
            (false, _) => self.as_written(space, work, out)?,
            (true, false) => self.unilateral(space, work, out)?,
            (true, true) => self.search_sets(space, work, out)?,
        }
        end(space, out);
        Ok(())
    }

    fn resolve_problem(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut ImpactAnswer,
    ) -> Result<(), ImpactError> {
        if nearly_singular(&problem.mass_matrix) {
            return resolve_singular(self, problem, out);
        }
        in_contact_space(self, problem, work, out)
    }
}

impl Constraint {
    fn held(&self, tangents: usize) -> ContactMode {
        let hold = self.constrain_tangents && tangents > 0;
        let tangent = if hold { Tangent::Stick } else { Tangent::Smooth };
        ContactMode { held: true, tangent }
    }

    fn load(&self, space: &ContactSpace, data: &mut CoulombData) {
        data.load(space);
        add_restitution(space, data);
        data.slip_friction.fill(0.0);
        data.stick_friction.fill(0.0);
    }

    /// (1) and (2) for all contacts that collide or touch.
    fn as_written(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let search = &mut work.modes;
        self.load(space, &mut search.data);
        search.data.active.retain(|&k| space.contacts[k].takes_part());
        search.modes.clear();
        search.modes.extend(space.contacts.iter().map(|c| self.held(c.tangents)));
        search.system.solve(space, &search.data, &search.modes, &mut out.impulses);
        search.data.velocity(space, &out.impulses, &mut search.xi);
        accept(
            self.name(),
            self.miss(space, &search.data, &search.modes, (&out.impulses, &search.xi)),
        )
    }

    /// Largest |ξ| of a row that is held, relative to the terms it is made of.
    fn miss(
        &self,
        space: &ContactSpace,
        data: &CoulombData,
        modes: &[ContactMode],
        (p, xi): (&DVector<f64>, &DVector<f64>),
    ) -> f64 {
        let scale = data.velocity_scale(space, p);
        let mut worst = 0.0_f64;
        for &k in data.active.iter().filter(|&&k| modes[k].held) {
            let contact = &space.contacts[k];
            worst = worst.max(xi[contact.normal()].abs());
            if modes[k].tangent == Tangent::Stick {
                worst = contact.tangent_rows().fold(worst, |w, i| w.max(xi[i].abs()));
            }
        }
        if xi.iter().any(|x| x.is_nan()) { f64::INFINITY } else { worst / scale }
    }

    /// (3) without tangents: a complementarity problem with a semidefinite matrix.
    fn unilateral(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let friction = &mut work.friction;
        self.load(space, &mut friction.data);
        let residual = friction.solver.solve(space, &friction.data, &mut out.impulses);
        accept(self.name(), residual)
    }

    /// (3) with tangents: every set of held contacts.
    fn search_sets(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let search = &mut work.modes;
        self.load(space, &mut search.data);
        let count = search.data.active.len();
        check_count(count)?;
        let mut best = Best::default();
        let mut trial = std::mem::take(&mut search.trial);
        for code in 0..1usize << count {
            search.modes.clear();
            search.modes.resize(space.contacts.len(), ContactMode::OPEN);
            for (bit, &k) in search.data.active.iter().enumerate() {
                if code >> bit & 1 == 1 {
                    search.modes[k] = self.held(space.contacts[k].tangents);
                }
            }
            search.system.solve(space, &search.data, &search.modes, &mut trial);
            search.data.velocity(space, &trial, &mut search.xi);
            let residual = self
                .miss(space, &search.data, &search.modes, (&trial, &search.xi))
                .max(sign_residual(space, &search.data, &trial, &search.xi));
            if best.offer(residual, code.count_ones(), energy_change(space, &trial)) {
                out.impulses.copy_from(&trial);
            }
        }
        search.trial = trial;
        best.accept(self.name())
    }
}
