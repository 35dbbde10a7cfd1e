//! The contact problem with friction as a linear complementarity problem.
//!
//! # Law
//! The friction disc of a contact is replaced by the polygon with vertices μ pₙ dₖ, pₜ = Σ βₖ dₖ:
//! ```text
//! 0 ≤ ξₙ              ⟂ pₙ − a ≥ 0              (1)
//! 0 ≤ σ + dₖ·ξₜ       ⟂ βₖ ≥ 0                  (2)
//! 0 ≤ μ pₙ − Σ βₖ     ⟂ σ ≥ 0                   (3)
//! ```
//! σ becomes the speed of slip. With one tangent the directions are ±1 and (1) to (3) are exactly
//! Coulomb's law. With two, a polygon inscribed in the disc: exact if the slip is opposite to one of
//! its vertices, which is why the directions are turned towards the last answer and the problem is
//! solved again.
//!
//! # Source
//! The matrix of (1) to (3) is copositive, so that pivoting processes the problem (Stewart & Trinkle
//! and Anitescu & Potra use this form); derived here, checked against mode enumeration.

use nalgebra::DVector;

use super::CoulombData;
use crate::complementarity::{ComplementarityError, Lemke, Problem, Solution};
use crate::impact::contact_space::{ContactSpace, reshape_vector};

/// Vertices of the regular part of the polygon of a contact with two tangents.
const FACETS: usize = 8;
/// Further vertices on each side of the first, closer and closer to it.
const FAN: usize = 4;

/// Builds, solves and reads the linear problem.
#[derive(Debug, Clone, Default)]
pub(crate) struct Polyhedral {
    problem: Problem,
    lemke: Lemke,
    solution: Solution,
    /// angle of the first vertex, per contact of the space
    turn: Vec<f64>,
    /// half width of the fan around the first vertex, zero for none
    width: Vec<f64>,
    directions: Vec<[f64; 2]>,
    columns: Vec<Column>,
    base: DVector<f64>,
}

/// One unknown of the linear problem.
#[derive(Debug, Clone, Copy)]
enum Column {
    Normal { contact: usize },
    Friction { contact: usize, direction: [f64; 2] },
    Speed { contact: usize },
}

impl Polyhedral {
    /// First vertex opposite to the velocity b, so that an impact without reversal is exact at once.
    pub fn aim_at_start(&mut self, space: &ContactSpace, data: &CoulombData) {
        self.turn.clear();
        self.width.clear();
        for contact in &space.contacts {
            let first = contact.first;
            let along = contact.tangents == 2;
            let angle = if along { (-data.b[first + 1]).atan2(-data.b[first]) } else { 0.0 };
            self.turn.push(angle);
            self.width.push(0.0);
        }
    }

    /// First vertex opposite to the slip just found, or along the friction if there is no slip, with
    /// a fan as wide as the two disagree.
    pub fn aim(&mut self, space: &ContactSpace, p: &DVector<f64>, xi: &DVector<f64>, small: f64) {
        for (k, contact) in space.contacts.iter().enumerate().filter(|(_, c)| c.tangents == 2) {
            let i = contact.first;
            let friction = p[i + 1].atan2(p[i]);
            let against =
                if xi[i].hypot(xi[i + 1]) > small { (-xi[i + 1]).atan2(-xi[i]) } else { friction };
            let apart = (against - friction).sin().atan2((against - friction).cos()).abs();
            self.turn[k] = against;
            self.width[k] = (2.0 * apart).clamp(1e-9, std::f64::consts::PI / FACETS as f64);
        }
    }

    /// Solves the problem with friction `mu` per contact; impulses into p.
    pub fn solve(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        mu: &[f64],
        p: &mut DVector<f64>,
    ) -> Result<(), ComplementarityError> {
        self.list_columns(space, data, mu);
        self.assemble(space, data, mu);
        self.lemke.solve(&self.problem, &mut self.solution)?;
        self.read(space, data, p);
        Ok(())
    }

    fn list_columns(&mut self, space: &ContactSpace, data: &CoulombData, mu: &[f64]) {
        self.columns.clear();
        for &contact in &data.active {
            self.columns.push(Column::Normal { contact });
            if mu[contact] == 0.0 || space.contacts[contact].tangents == 0 {
                continue;
            }
            self.list_directions(contact, space.contacts[contact].tangents);
            for &direction in &self.directions {
                self.columns.push(Column::Friction { contact, direction });
            }
            self.columns.push(Column::Speed { contact });
        }
    }

    /// Vertices of the polygon of one contact.
    fn list_directions(&mut self, contact: usize, tangents: usize) {
        self.directions.clear();
        if tangents == 1 {
            self.directions.extend([[1.0, 0.0], [-1.0, 0.0]]);
            return;
        }
        let unit = |angle: f64| [angle.cos(), angle.sin()];
        let (turn, width) = (self.turn[contact], self.width[contact]);
        for k in 0..FACETS {
            self.directions.push(unit(turn + std::f64::consts::TAU * k as f64 / FACETS as f64));
        }
        let mut step = width;
        for _ in 0..if width > 0.0 { FAN } else { 0 } {
            self.directions.extend([unit(turn + step), unit(turn - step)]);
            step *= 0.4;
        }
    }

    fn assemble(&mut self, space: &ContactSpace, data: &CoulombData, mu: &[f64]) {
        // ξ when only the preload acts
        reshape_vector(&mut self.base, space.rows());
        self.base.copy_from(&data.b);
        for &k in &data.active {
            let column = space.G.column(space.contacts[k].normal());
            self.base.axpy(data.preload[k], &column, 1.0);
        }
        self.problem.reset(self.columns.len());
        for r in 0..self.columns.len() {
            match self.columns[r] {
                Column::Normal { contact } => {
                    let row = space.contacts[contact].normal();
                    self.set_velocity(space, r, (row, 1), [1.0, 0.0]);
                }
                Column::Friction { contact, direction } => {
                    let rows = &space.contacts[contact];
                    self.set_velocity(space, r, (rows.first, rows.tangents), direction);
                    self.set_partner(r, contact, |c| matches!(c, Column::Speed { .. }), 1.0);
                }
                Column::Speed { contact } => {
                    self.set_partner(
                        r,
                        contact,
                        |c| matches!(c, Column::Normal { .. }),
                        mu[contact],
                    );
                    self.set_partner(r, contact, |c| matches!(c, Column::Friction { .. }), -1.0);
                    self.problem.set_constant(r, mu[contact] * data.preload[contact]);
                }
            }
        }
    }

    /// Row r is the velocity `direction·ξ` over `count` rows from `first`.
    fn set_velocity(
        &mut self,
        space: &ContactSpace,
        r: usize,
        (first, count): (usize, usize),
        direction: [f64; 2],
    ) {
        let weigh = |value: &dyn Fn(usize) -> f64| -> f64 {
            (0..count).map(|s| direction[s] * value(first + s)).sum()
        };
        self.problem.set_constant(r, weigh(&|i| self.base[i]));
        for c in 0..self.columns.len() {
            let entry = match self.columns[c] {
                Column::Normal { contact } => {
                    let column = space.contacts[contact].normal();
                    weigh(&|i| space.G[(i, column)])
                }
                Column::Friction { contact, direction } => {
                    let rows = space.contacts[contact].tangent_rows();
                    weigh(&|i| rows.clone().zip(direction).map(|(j, d)| space.G[(i, j)] * d).sum())
                }
                Column::Speed { .. } => continue,
            };
            self.problem.set(r, c, entry);
        }
    }

    /// Sets row r against all columns of one kind at a contact.
    fn set_partner(&mut self, r: usize, at: usize, kind: impl Fn(&Column) -> bool, value: f64) {
        for (c, column) in self.columns.iter().enumerate() {
            let (Column::Normal { contact }
            | Column::Friction { contact, .. }
            | Column::Speed { contact }) = column;
            if *contact == at && kind(column) {
                self.problem.set(r, c, value);
            }
        }
    }

    fn read(&self, space: &ContactSpace, data: &CoulombData, p: &mut DVector<f64>) {
        reshape_vector(p, space.rows());
        for (column, &z) in self.columns.iter().zip(&self.solution.z) {
            match *column {
                Column::Normal { contact } => {
                    p[space.contacts[contact].normal()] = z + data.preload[contact];
                }
                Column::Friction { contact, direction } => {
                    for (i, d) in space.contacts[contact].tangent_rows().zip(direction) {
                        p[i] += d * z;
                    }
                }
                Column::Speed { .. } => {}
            }
        }
    }
}
