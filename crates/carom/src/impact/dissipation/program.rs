//! The linear conditions of one choice of regions, and the motion with the least slip that satisfies them.
//!
//! The energy limit is convex in the impulses; it enters as tangent planes, added where the point violates it. Impulses
//! that move nothing (redundant contacts) leave the distance alone, so they are found by proximal steps.

use crate::numeric::thresholds::dissipation;
use nalgebra::DVector;

use super::chart::{Chart, Member};
use super::region::Condition;
use super::search::Search;
use crate::impact::least_distance::{Found, LeastDistance};

/// Weight of impulses that move nothing, in the proximal steps that keep the polyhedron problem strictly convex.
const PROXIMAL: f64 = 100.0;

/// Linear conditions on the coordinates of a chart, and the solver for their nearest point.
#[derive(Default)]
pub(super) struct Program {
    rows: Vec<(Vec<f64>, f64)>,
    /// Tangent planes of the energy limit; they hold in every region, so they are kept.
    cuts: Vec<(Vec<f64>, f64)>,
    solver: LeastDistance,
}

impl Program {
    /// Forgets the conditions, keeps the tangent planes.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// Adds a condition on one contact.
    pub fn push(&mut self, chart: &Chart, m: &Member, c: &Condition) {
        let mut bound = c.bound - c.normal_impulse * chart.p0[m.normal()];
        let mut row: Vec<f64> =
            (0..chart.dimension()).map(|j| c.normal_impulse * chart.P[(m.normal(), j)]).collect();
        for a in 0..m.tangents {
            bound -= c.tangent_impulse[a] * chart.p0[m.first + a];
            bound -= c.slip[a] * chart.x0[m.slip + a];
            for (j, r) in row.iter_mut().enumerate() {
                *r += c.tangent_impulse[a] * chart.P[(m.first + a, j)]
                    + c.slip[a] * chart.X[(m.slip + a, j)];
            }
        }
        self.rows.push((row, bound));
    }

    /// Adds u ≥ `least` for a row of the space.
    pub fn push_velocity(&mut self, chart: &Chart, row: usize, least: f64) {
        let coefficients = chart.U.row(row).iter().copied().collect();
        self.rows.push((coefficients, least - chart.u0[row]));
    }

    /// The point with the least slip that satisfies all rows and the energy limit.
    pub fn nearest(&mut self, search: &Search) -> Option<Vec<f64>> {
        for _ in 0..200 {
            let point = self.nearest_linear(search.chart)?;
            let Some(limit) = search.energy else {
                return Some(point);
            };
            let work = search.chart.work(&point);
            if work <= limit + dissipation::ENERGY * (1.0 + limit.abs()) {
                return Some(point);
            }
            let gradient = search.chart.work_gradient(&point);
            let along = gradient.dot(&DVector::from_column_slice(&point));
            let row = gradient.iter().map(|g| -g).collect();
            self.cuts.push((row, work - limit - along));
        }
        // Tangent planes that gain nothing any more: the limit is met to the precision of the planes.
        self.nearest_linear(search.chart)
    }

    /// Proximal steps: coordinates that move no slip are drawn to their last value, ever closer to the minimum.
    fn nearest_linear(&mut self, chart: &Chart) -> Option<Vec<f64>> {
        let (d, y) = (chart.dimension(), chart.moving);
        let mut centre = vec![0.0; d];
        // Start from the least impulses: z with p ⟂ the redundant directions.
        for (j, c) in centre.iter_mut().enumerate().skip(y) {
            *c = -chart.P.column(j).dot(&chart.p0);
        }
        for _ in 0..60 {
            self.solver.clear(d);
            let mut scaled = vec![0.0; d];
            for (row, bound) in self.rows.iter().chain(&self.cuts) {
                let shift: f64 = (y..d).map(|j| row[j] * centre[j]).sum();
                for j in 0..d {
                    scaled[j] = if j < y { row[j] } else { PROXIMAL * row[j] };
                }
                self.solver.push(&scaled, bound - shift);
            }
            if self.solver.solve() != Found::Nearest {
                return None;
            }
            let step = self.solver.point();
            let moved = step[y..].iter().fold(0.0_f64, |s, z| s.max(z.abs()));
            for j in 0..d {
                centre[j] = if j < y { step[j] } else { centre[j] + PROXIMAL * step[j] };
            }
            if moved <= dissipation::MOVED {
                break;
            }
        }
        Some(centre)
    }
}
