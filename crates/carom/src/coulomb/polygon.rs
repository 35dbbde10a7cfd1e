//! The Coulomb problem as a linear complementarity problem.
//!
//! # Law
//! The friction disc of a contact is replaced by the polygon with vertices μ xₙ dₖ, xₜ = Σ βₖ dₖ:
//! ```text
//! 0 ≤ wₙ              ⟂ xₙ − a ≥ 0              (1)
//! 0 ≤ σ + dₖ·wₜ       ⟂ βₖ ≥ 0                  (2)
//! 0 ≤ μ xₙ − Σ βₖ     ⟂ σ ≥ 0                   (3)
//! sliding: xₜ = −μ xₙ û in (1);  bilateral rows w = 0                       (4)
//! ```
//! σ becomes the speed of slip. With one tangent the directions are ±1 and (1) to (3) are exactly
//! Coulomb's law. With two, a polygon inscribed in the disc: exact if the slip is opposite to one of
//! its vertices, which is why the directions are turned towards the last answer and the problem is
//! solved again.
//!
//! # Source
//! The matrix of (1) to (3) is copositive, so that pivoting processes the problem (Stewart & Trinkle
//! and Anitescu & Potra use this form); derived here, checked against mode enumeration. With (4) it
//! need not be.

use super::problem::{Duty, Problem};
use crate::complementarity::{ComplementarityError, Lemke, Problem as Linear, Row, Solution};
use crate::numeric::reshape_vector;
use nalgebra::DVector;

/// Vertices of the regular part of the polygon of a contact with two tangents.
const FACETS: usize = 8;
/// Further vertices on each side of the first, closer and closer to it.
const FAN: usize = 4;
/// Least half width of the fan, rad.
const NARROWEST: f64 = crate::numeric::thresholds::ACCEPTED;

/// Builds, solves and reads the linear problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Polygon {
    problem: Linear,
    lemke: Lemke,
    solution: Solution,
    /// angle of the first vertex, per contact
    turn: Vec<f64>,
    /// half width of the fan around the first vertex, zero for none
    width: Vec<f64>,
    columns: Vec<Column>,
    base: DVector<f64>,
}

/// One unknown of the linear problem: a force along a direction over the rows of a contact, or the
/// speed of its slip.
#[derive(Debug, Clone, Copy)]
enum Column {
    Force { contact: usize, first: usize, direction: [f64; 3], rows: usize, kind: Kind },
    Speed { contact: usize },
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Normal,
    Friction,
    Held,
}

impl Column {
    fn contact(&self) -> usize {
        match *self {
            Self::Force { contact, .. } | Self::Speed { contact } => contact,
        }
    }
}

impl Polygon {
    /// First vertex opposite to b, so that an answer without reversal is exact at once.
    pub fn aim_at_start(&mut self, problem: &Problem) {
        self.turn.clear();
        self.width.clear();
        for c in &problem.contacts {
            let spatial = c.tangents == 2;
            let angle =
                if spatial { (-problem.b[c.first + 1]).atan2(-problem.b[c.first]) } else { 0.0 };
            self.turn.push(angle);
            self.width.push(0.0);
        }
    }

    /// First vertex opposite to the slip just found, or along the friction if there is no slip, with
    /// a fan as wide as the two disagree.
    pub fn aim(&mut self, problem: &Problem, x: &DVector<f64>, w: &DVector<f64>, small: f64) {
        for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.tangents == 2) {
            let i = c.first;
            let friction = x[i + 1].atan2(x[i]);
            let against =
                if w[i].hypot(w[i + 1]) > small { (-w[i + 1]).atan2(-w[i]) } else { friction };
            let apart = (against - friction).sin().atan2((against - friction).cos()).abs();
            self.turn[k] = against;
            self.width[k] = (2.0 * apart).clamp(NARROWEST, std::f64::consts::PI / FACETS as f64);
        }
    }

    /// Solves the problem with one friction `mu` per contact; forces into x.
    pub fn solve(
        &mut self,
        problem: &Problem,
        mu: &[f64],
        x: &mut DVector<f64>,
    ) -> Result<(), ComplementarityError> {
        self.list_columns(problem, mu);
        self.assemble(problem, mu);
        self.lemke.solve(&self.problem, &mut self.solution)?;
        self.read(problem, x);
        Ok(())
    }

    fn list_columns(&mut self, problem: &Problem, mu: &[f64]) {
        self.columns.clear();
        for contact in problem.active() {
            let c = &problem.contacts[contact];
            let force = |first, direction, rows, kind| Column::Force {
                contact,
                first,
                direction,
                rows,
                kind,
            };
            if c.duty == Duty::Held {
                self.columns.extend(c.rows().map(|i| force(i, [1.0, 0.0, 0.0], 1, Kind::Held)));
                continue;
            }
            let mut direction = [0.0; 3];
            direction[c.tangents] = 1.0;
            if let Duty::Sliding(d) = c.duty {
                (0..c.tangents).for_each(|t| direction[t] = -mu[contact] * d[t]);
            }
            if !c.driven {
                self.columns.push(force(c.first, direction, c.tangents + 1, Kind::Normal));
            }
            if mu[contact] == 0.0 || c.tangents == 0 || c.duty != Duty::Coulomb {
                continue;
            }
            let (turn, width) = (self.turn[contact], self.width[contact]);
            for d in directions(c.tangents, turn, width) {
                let d = [d[0], d[1], 0.0];
                self.columns.push(force(c.first, d, c.tangents, Kind::Friction));
            }
            self.columns.push(Column::Speed { contact });
        }
    }

    fn assemble(&mut self, problem: &Problem, mu: &[f64]) {
        // w when only the preload acts
        reshape_vector(&mut self.base, problem.rows());
        self.base.copy_from(&problem.b);
        for c in problem.contacts.iter().filter(|c| c.active() && c.preload > 0.0) {
            self.base.axpy(c.preload, &problem.G.column(c.normal()), 1.0);
            if let Duty::Sliding(d) = c.duty {
                for (i, d) in c.tangent_rows().zip(d) {
                    self.base.axpy(-c.friction * c.preload * d, &problem.G.column(i), 1.0);
                }
            }
        }
        self.problem.reset(self.columns.len());
        for r in 0..self.columns.len() {
            match self.columns[r] {
                Column::Force { contact, first, mut direction, rows, kind } => {
                    // Row (1) is the normal velocity alone, whatever friction follows the normal.
                    if kind == Kind::Normal {
                        direction[..rows - 1].fill(0.0);
                    }
                    self.set_velocity(problem, r, (first, rows), direction);
                    match kind {
                        Kind::Held => self.problem.set_row(r, Row::Free),
                        Kind::Friction => self.set_partner(r, contact, None, 1.0),
                        Kind::Normal => {}
                    }
                }
                Column::Speed { contact } => {
                    self.set_partner(r, contact, Some(Kind::Normal), mu[contact]);
                    self.set_partner(r, contact, Some(Kind::Friction), -1.0);
                    self.problem.set_constant(r, mu[contact] * problem.contacts[contact].preload);
                }
            }
        }
    }

    /// Row r is the velocity `direction·w` over `rows` rows from `first`.
    fn set_velocity(
        &mut self,
        problem: &Problem,
        r: usize,
        (first, rows): (usize, usize),
        direction: [f64; 3],
    ) {
        let constant = (0..rows).map(|s| direction[s] * self.base[first + s]).sum();
        self.problem.set_constant(r, constant);
        for c in 0..self.columns.len() {
            let Column::Force { first: other, direction: d, rows: count, .. } = self.columns[c]
            else {
                continue;
            };
            let mut entry = 0.0;
            for (s, a) in direction.iter().enumerate().take(rows).filter(|(_, a)| **a != 0.0) {
                let column = problem.G.column(first + s);
                entry += a * (0..count).map(|t| column[other + t] * d[t]).sum::<f64>();
            }
            self.problem.set(r, c, entry);
        }
    }

    /// Sets row r against the columns of one kind at a contact, or against its speed.
    fn set_partner(&mut self, r: usize, at: usize, kind: Option<Kind>, value: f64) {
        for c in 0..self.columns.len() {
            let column = self.columns[c];
            let fits = match column {
                Column::Speed { .. } => kind.is_none(),
                Column::Force { kind: k, .. } => kind == Some(k),
            };
            if fits && column.contact() == at {
                self.problem.set(r, c, value);
            }
        }
    }

    fn read(&self, problem: &Problem, x: &mut DVector<f64>) {
        reshape_vector(x, problem.rows());
        for c in problem.contacts.iter().filter(|c| c.active()) {
            x[c.normal()] += c.preload;
            if let Duty::Sliding(d) = c.duty {
                c.tangent_rows().zip(d).for_each(|(i, d)| x[i] -= c.friction * c.preload * d);
            }
        }
        for (column, &z) in self.columns.iter().zip(&self.solution.z) {
            if let Column::Force { first, direction, rows, .. } = *column {
                (0..rows).for_each(|s| x[first + s] += direction[s] * z);
            }
        }
    }
}

/// Vertices of the polygon of one contact.
fn directions(tangents: usize, turn: f64, width: f64) -> impl Iterator<Item = [f64; 2]> {
    let planar = [[1.0, 0.0], [-1.0, 0.0]].into_iter().filter(move |_| tangents == 1);
    let unit = |angle: f64| [angle.cos(), angle.sin()];
    let regular = (0..FACETS)
        .filter(move |_| tangents == 2)
        .map(move |k| unit(turn + std::f64::consts::TAU * k as f64 / FACETS as f64));
    let fan = (0..FAN).filter(move |_| tangents == 2 && width > 0.0).flat_map(move |k| {
        let step = width * 0.4_f64.powi(k as i32);
        [unit(turn + step), unit(turn - step)]
    });
    planar.chain(regular).chain(fan)
}
