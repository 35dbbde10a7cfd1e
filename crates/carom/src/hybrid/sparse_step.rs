//! The Coulomb problem of a time step of many contacts, without G: rows at the degrees of freedom of their parts only
//! ([`crate::coulomb::sparse`]).

use super::flow::Flow;
use super::rows::Rows;
use crate::coulomb::sparse::Effort;
use crate::coulomb::{Contact, Solved, SparseProblem, SparseSolver};
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::SWEPT;
use nalgebra::DVector;

/// The same problem without G, for many contacts.
#[derive(Default)]
pub(super) struct Sparse {
    problem: SparseProblem,
    solver: SparseSolver,
    x: Vec<f64>,
    /// Forces of each site through the last step, N: the first guess of those of the next.
    forces: Vec<[f64; 3]>,
    /// Degrees of freedom of each part.
    dofs: Vec<Vec<usize>>,
}

impl Sparse {
    /// Take over the rows, whose b must be filled; whether they can be told so: no bilateral rows, and friction of normal
    /// forces only.
    pub fn read(&mut self, rows: &Rows, flow: &Flow<'_>) -> bool {
        let simple = |c: &Contact| c.leader.is_none() && !c.driven;
        if rows.nb() > 0 || !rows.problem.contacts.iter().all(simple) {
            return false;
        }
        let parts = &flow.parts;
        if self.dofs.is_empty() {
            self.dofs.resize(parts.count, Vec::new());
            parts.of_dof.iter().enumerate().for_each(|(j, &part)| self.dofs[part].push(j));
        }
        let dofs = &self.dofs;
        self.problem.reset(dofs.iter().map(Vec::len));
        let D_inv = &flow.posture.instant().art.D_inv;
        for (k, &site) in rows.sites.iter().enumerate() {
            let c = rows.contact(k);
            let b = &rows.problem.b.as_slice()[c.rows()];
            let friction = [c.friction, c.static_friction];
            self.problem.push(b, friction, c.duty, parts.of_site[site], |part, to| {
                let entries = c.rows().flat_map(|i| dofs[part].iter().map(move |&j| (i, j)));
                for (z, (i, j)) in to.iter_mut().zip(entries) {
                    *z = rows.block.inward(i)[j] * D_inv[j].sqrt();
                }
            });
        }
        true
    }

    /// Impulses of the problem that was read, of forces that act for `span`.
    pub fn solve(&mut self, rows: &Rows, span: f64, x: &mut DVector<f64>) -> Solved {
        self.x.clear();
        for (k, &site) in rows.sites.iter().enumerate() {
            let own = rows.contact(k).tangents;
            let force = self.forces.get(site).copied().unwrap_or_default();
            self.x.extend(force[..own].iter().chain(&force[2..]).map(|f| span * f));
        }
        let solved = self.solver.solve(&self.problem, &EFFORT, &mut self.x);
        reshape_vector(x, self.x.len());
        x.copy_from_slice(&self.x);
        if span > 0.0 {
            self.forces.clear();
            self.forces.resize(rows.sites.last().map_or(0, |last| last + 1), [0.0; 3]);
            for (k, &site) in rows.sites.iter().enumerate() {
                self.forces[site] = rows.pick(k, &self.x).map(|p| p / span);
            }
        }
        solved
    }
}

/// What is done for the problem of many contacts.
const EFFORT: Effort = Effort { target: SWEPT, sweeps: 400, factor: 1e9 };
