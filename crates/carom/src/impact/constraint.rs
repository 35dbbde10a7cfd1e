//! Johnson's law: plastic, partially elastic and elastic impact of any set of constraints.
//!
//! # Law
//! ```text
//! M(v⁺ − v⁻) = Aᵀp                                    impulse and momentum          (1)
//! A v⁺ = −e A v⁻                                      e per row; plastic for e = 0  (2)
//! ```
//! A has the normals of the contacts that collide or touch, and their tangents with e = 0 if
//! `constrain_tangents`. Solved as written, an impulse may pull. With `complementarity`, for every
//! closed contact,
//! ```text
//! 0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0                                                          (3)
//! ```
//! (e = 0 where the contact separates already): constraints that would pull are released and
//! touching ones that would be penetrated are activated. Tangents act only where the normal is held.
//!
//! # Assumptions
//! - q is frozen, only impulses act.
//! - M may be singular if [`BlockMatrix`] is regular; then (1), (2) are solved through it, else in
//!   contact space, which is the same with M⁻¹.
//! - Redundant constraints: v⁺ is unique, p has minimum norm. Redundant constraints that contradict
//!   each other (different e) are refused.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | A | rows of the contacts | constraint Jacobian, m × n | – |
//! | p | `impulses` | on the system; Johnson's P̂ = −p | N·s |
//!
//! # Limits
//! Friction is not looked at. For one e at all constraints the energy never grows (e ≤ 1); with
//! different e, or tangents held beside e > 0, it can, and [`audit`](super::audit()) reports it.
//! With tangents, (3) may have several answers or none: the one with most contacts held is taken,
//! then the one with least energy.
//!
//! # Source
//! Johnson 2024, eqs. (17)–(25), (38)–(45), read. Signs: his P̂ → −p; section 1's m z̈ − m g + λ is
//! inconsistent with z̈ = −g and not used.
//!
//! # Tests
//! `tests/laws/constraint.rs`: sections 1 to 6 and the four practice problems by number, redundant
//! and singular cases, complementarity against a quadratic program, `sample_problems`.

use nalgebra::{DMatrix, DVector};

use super::algebraic_trace::{record, record_start};
use super::block_matrix::BlockMatrix;
use super::contact_space::{ContactSpace, Phase, reshape_vector};
use super::coulomb::{ContactMode, CoulombData, Tangent};
use super::error::{ImpactError, Reason};
use super::law::ImpactLaw;
use super::mode_search::energy_change;
use super::newton::{TOLERANCE, accept, add_restitution, together};
use super::problem::ImpactProblem;
use super::solution::{ImpactAnswer, ImpactSolution};
use super::trace::StageEvent;
use super::workspace::ImpactWorkspace;

/// Contacts whose sets can be searched when tangents are held or M is singular.
const LARGEST: usize = 12;

/// Johnson's law, see the [module](self).
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

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        out.reset(space);
        if space.colliding().next().is_none() {
            return Err(space.no_approach());
        }
        record_start(space, out);
        match (self.complementarity, self.constrain_tangents) {
            (false, _) => self.as_written(space, work, out)?,
            (true, false) => self.unilateral(space, work, out)?,
            (true, true) => self.search_sets(space, work, out)?,
        }
        out.complete(space);
        out.rule = together(space);
        record(StageEvent::End, space, out);
        Ok(())
    }

    fn resolve_problem(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut ImpactAnswer,
    ) -> Result<(), ImpactError> {
        let mut reduction = std::mem::take(&mut work.reduction);
        let reduced = reduction.reduce(problem);
        let result = match reduced {
            Ok(()) => self.resolve(&reduction.space, work, &mut out.solution).map(|()| {
                reduction.lift(problem, out);
            }),
            // no Cholesky factor: massless coordinates are fine as long as the block matrix is regular
            Err(ImpactError::MassMatrix { .. }) => self.resolve_singular(problem, out),
            Err(error) => Err(error),
        };
        work.reduction = reduction;
        result
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
        let mut trial = DVector::zeros(space.rows());
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
        best.accept(self.name())
    }

    /// (1) to (3) through the block matrix, for singular M.
    fn resolve_singular(
        &self,
        problem: &ImpactProblem,
        out: &mut ImpactAnswer,
    ) -> Result<(), ImpactError> {
        check_semidefinite(&problem.mass_matrix)?;
        let space = kinematic_space(problem);
        if space.colliding().next().is_none() {
            return Err(space.no_approach());
        }
        out.solution.reset(&space);
        record_start(&space, &mut out.solution);
        let singular = Singular { law: self, problem, space: &space };
        let (v_post, p) =
            if self.complementarity { singular.search()? } else { singular.as_written()? };
        singular.complete(&v_post, p, &mut out.solution);
        out.energy_before = space.kinetic_energy;
        out.energy_after = problem.kinetic_energy(&v_post);
        out.velocity = v_post;
        record(StageEvent::End, &space, &mut out.solution);
        Ok(())
    }
}

/// The best admissible set so far: most contacts held, then least energy.
#[derive(Debug, Default)]
struct Best {
    rank: Option<(u32, f64)>,
    residual: Option<f64>,
}

impl Best {
    fn offer(&mut self, residual: f64, held: u32, energy: f64) -> bool {
        self.residual = Some(self.residual.map_or(residual, |r| r.min(residual)));
        let admissible = residual <= TOLERANCE;
        let better = self.rank.is_none_or(|(h, e)| held > h || (held == h && energy < e));
        if admissible && better {
            self.rank = Some((held, energy));
        }
        admissible && better
    }

    fn accept(&self, law: &'static str) -> Result<(), ImpactError> {
        let residual = self.residual.unwrap_or(f64::INFINITY);
        self.rank.map(|_| ()).ok_or(ImpactError::NoConsistentMode { law, stage: 0, residual })
    }
}

fn check_count(count: usize) -> Result<(), ImpactError> {
    if count <= LARGEST {
        return Ok(());
    }
    let reason = Reason::TooManyContacts { count, largest: LARGEST };
    Err(ImpactError::NotApplicable { law: "constraint", reason })
}

/// Largest pull or penetration of (3).
fn sign_residual(
    space: &ContactSpace,
    data: &CoulombData,
    p: &DVector<f64>,
    xi: &DVector<f64>,
) -> f64 {
    let velocity = data.velocity_scale(space, p);
    let mut worst = 0.0_f64;
    for &k in &data.active {
        let n = space.contacts[k].normal();
        let impulse = velocity / super::coulomb::data::mobility(space, k);
        worst = worst.max(-p[n] / impulse).max(-xi[n] / velocity);
    }
    worst
}

/// A negative eigenvalue beyond round-off is refused.
fn check_semidefinite(M: &DMatrix<f64>) -> Result<(), ImpactError> {
    let eigenvalues = M.clone().symmetric_eigenvalues();
    let (pivot, value) = eigenvalues.argmin();
    if value < -1e-12 * eigenvalues.amax() {
        return Err(ImpactError::MassMatrix { pivot, value });
    }
    Ok(())
}

/// Rows, phases and velocities of a problem; G stays zero because M has no inverse.
fn kinematic_space(problem: &ImpactProblem) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(problem.rows());
    let mut row = 0;
    for c in &problem.contacts {
        for t in c.tangents.row_iter() {
            space.u_pre[row] = t.transpose().dot(&problem.velocity);
            row += 1;
        }
        space.u_pre[row] = c.normal.dot(&problem.velocity);
        row += 1;
        space.push_contact(
            c.tangents.nrows(),
            [c.friction, c.static_friction],
            c.restitution,
            c.touching,
        );
    }
    space.kinetic_energy = problem.kinetic_energy(&problem.velocity);
    space.classify();
    space
}

/// A problem with singular M.
struct Singular<'a> {
    law: &'a Constraint,
    problem: &'a ImpactProblem,
    space: &'a ContactSpace,
}

impl Singular<'_> {
    fn as_written(&self) -> Result<(DVector<f64>, DVector<f64>), ImpactError> {
        let (v_post, p, miss) = self.solve(|k| self.space.contacts[k].takes_part())?;
        accept("constraint", miss)?;
        Ok((v_post, p))
    }

    fn search(&self) -> Result<(DVector<f64>, DVector<f64>), ImpactError> {
        let closed: Vec<usize> = (0..self.space.contacts.len())
            .filter(|&k| self.space.contacts[k].phase != Phase::Apart)
            .collect();
        check_count(closed.len())?;
        let (mut best, mut answer, mut refused) = (Best::default(), None, None);
        for code in (0..1usize << closed.len()).rev() {
            let held =
                |k: usize| closed.iter().position(|&c| c == k).is_some_and(|b| code >> b & 1 == 1);
            match self.solve(held) {
                Ok((v_post, p, miss)) => {
                    let residual = miss.max(self.sign_residual(&closed, &v_post, &p));
                    let energy = self.problem.kinetic_energy(&v_post);
                    if best.offer(residual, code.count_ones(), energy) {
                        answer = Some((v_post, p));
                    }
                }
                // sets that leave a massless motion free are no answer
                Err(error) => refused = Some(error),
            }
        }
        match (answer, refused, best.residual) {
            (Some(answer), _, _) => Ok(answer),
            (None, Some(error), None) => Err(error),
            _ => best.accept("constraint").and(Err(self.space.no_approach())),
        }
    }

    /// v⁺, impulses of all rows and the miss for one set of held contacts.
    fn solve(
        &self,
        held: impl Fn(usize) -> bool,
    ) -> Result<(DVector<f64>, DVector<f64>, f64), ImpactError> {
        let B = &self.problem.bilateral;
        let mut rows: Vec<DVector<f64>> = B.row_iter().map(|r| r.transpose()).collect();
        let mut target: Vec<f64> = rows.iter().map(|r| r.dot(&self.problem.velocity)).collect();
        let mut place = Vec::new();
        for (k, contact) in self.space.contacts.iter().enumerate().filter(|(k, _)| held(*k)) {
            let data = &self.problem.contacts[k];
            if self.law.constrain_tangents {
                for (t, i) in data.tangents.row_iter().zip(contact.tangent_rows()) {
                    rows.push(t.transpose());
                    target.push(0.0);
                    place.push(i);
                }
            }
            let n = contact.normal();
            rows.push(data.normal.clone());
            target.push(-contact.restitution * self.space.u_pre[n].min(0.0));
            place.push(n);
        }
        let A = DMatrix::from_fn(rows.len(), self.problem.nv(), |i, j| rows[i][j]);
        let block = BlockMatrix::new(&self.problem.mass_matrix, &A)?;
        let (v_post, p_rows, miss) =
            block.impact(&A, &self.problem.velocity, &DVector::from_vec(target));
        let mut p = DVector::zeros(self.space.rows());
        for (&i, &value) in place.iter().zip(p_rows.iter().skip(B.nrows())) {
            p[i] = value;
        }
        Ok((v_post, p, miss))
    }

    fn sign_residual(&self, closed: &[usize], v_post: &DVector<f64>, p: &DVector<f64>) -> f64 {
        let (velocity, impulse) = (self.space.velocity_scale, p.amax().max(f64::MIN_POSITIVE));
        let mut worst = 0.0_f64;
        for &k in closed {
            let contact = &self.space.contacts[k];
            let n = contact.normal();
            let xi = self.problem.contacts[k].normal.dot(v_post)
                + contact.restitution * self.space.u_pre[n].min(0.0);
            worst = worst.max(-p[n] / impulse).max(-xi / velocity);
        }
        worst
    }

    /// Velocities, works and outcomes without G.
    fn complete(&self, v_post: &DVector<f64>, p: DVector<f64>, out: &mut ImpactSolution) {
        reshape_vector(&mut out.u_post, self.space.rows());
        for (contact, data) in self.space.contacts.iter().zip(&self.problem.contacts) {
            for (t, i) in data.tangents.row_iter().zip(contact.tangent_rows()) {
                out.u_post[i] = t.transpose().dot(v_post);
            }
            out.u_post[contact.normal()] = data.normal.dot(v_post);
        }
        out.impulses = p;
        for (k, contact) in self.space.contacts.iter().enumerate() {
            let mean = |i: usize| 0.5 * (self.space.u_pre[i] + out.u_post[i]);
            let n = contact.normal();
            out.normal_works[k] = out.impulses[n] * mean(n);
            out.friction_works[k] = contact.tangent_rows().map(|i| out.impulses[i] * mean(i)).sum();
        }
        out.sum_works();
        out.classify(self.space);
        out.rule = together(self.space);
    }
}
