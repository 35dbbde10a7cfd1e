//! The law in contact space.

use nalgebra::DVector;

use super::sets::{Best, check_count, sign_residual};
use super::singular::{nearly_singular, resolve_singular};

use crate::coulomb::{Duty, Mode, Problem, Tangent, scale, velocity};
use crate::impact::algebraic::{begin, end};
use crate::impact::contact_space::ContactSpace;
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
    fn held(&self, tangents: usize) -> Mode {
        let hold = self.constrain_tangents && tangents > 0;
        let tangent = if hold { Tangent::Stick } else { Tangent::Smooth };
        Mode::held(tangent)
    }

    fn load(&self, space: &ContactSpace, problem: &mut Problem) {
        space.coulomb(problem);
        add_restitution(space, problem);
        for c in &mut problem.contacts {
            (c.friction, c.static_friction) = (0.0, 0.0);
        }
    }

    /// (1) and (2) for all contacts that collide or touch.
    fn as_written(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let search = &mut work.modes;
        self.load(space, &mut search.problem);
        for (c, row) in search.problem.contacts.iter_mut().zip(&space.contacts) {
            c.duty = if row.takes_part() { Duty::Coulomb } else { Duty::Apart };
        }
        search.modes.clear();
        search.modes.extend(space.contacts.iter().map(|c| self.held(c.tangents)));
        search.system.solve(&search.problem, &search.modes, &mut out.impulses);
        velocity(&search.problem, &out.impulses, &mut search.w);
        accept(self.name(), self.miss(&search.problem, &search.modes, (&out.impulses, &search.w)))
    }

    /// Largest |ξ| of a row that is held, relative to the terms it is made of.
    fn miss(
        &self,
        problem: &Problem,
        modes: &[Mode],
        (p, xi): (&DVector<f64>, &DVector<f64>),
    ) -> f64 {
        let scale = scale(problem, p);
        let mut worst = 0.0_f64;
        for k in problem.active().filter(|&k| modes[k].held) {
            let contact = &problem.contacts[k];
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
        self.load(space, &mut friction.problem);
        accept(self.name(), friction.solve(&mut out.impulses).residual)
    }

    /// (3) with tangents: every set of held contacts.
    fn search_sets(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let search = &mut work.modes;
        self.load(space, &mut search.problem);
        let count = search.problem.active().count();
        check_count(count)?;
        let mut best = Best::default();
        let mut trial = std::mem::take(&mut search.trial);
        for code in 0..1usize << count {
            search.modes.clear();
            search.modes.resize(space.contacts.len(), Mode::OPEN);
            for (bit, k) in search.problem.active().enumerate() {
                if code >> bit & 1 == 1 {
                    search.modes[k] = self.held(space.contacts[k].tangents);
                }
            }
            search.system.solve(&search.problem, &search.modes, &mut trial);
            velocity(&search.problem, &trial, &mut search.w);
            let residual = self
                .miss(&search.problem, &search.modes, (&trial, &search.w))
                .max(sign_residual(&search.problem, &trial, &search.w));
            if best.offer(residual, code.count_ones(), energy_change(space, &trial)) {
                out.impulses.copy_from(&trial);
            }
        }
        search.trial = trial;
        best.accept(self.name())
    }
}
