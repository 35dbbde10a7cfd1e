//! The last digits: Newton's method on the friction law with the modes that the search has found.
//!
//! ```text
//! stick: x = 0        slip: pₜ + μ(‖x‖) pₙ x/‖x‖ = 0        normal: uₙ⁺ = −e uₙ⁻            (1)
//! ```
//! These are as many equations as impulses. If a contact slips with less than the full friction (it may, where that
//! lets another contact slip less), the modes are not enough to fix the point and the result of the search stands.

use nalgebra::{DMatrix, DVector, SVD};

use super::chart::{Chart, Member};
use super::karnopp::Karnopp;
use super::redundant::least_impulses;
use super::search::{SPATIAL, Search};

/// Largest distance, scaled, from the result of the search that a polished point may have.
const NEAR: f64 = 1e-4;

/// Mode of a contact at the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Stick,
    Slip,
}

/// Polished impulses, or those of the search if the modes do not fix them; the least ones if contacts are redundant.
pub(super) fn polish(search: &Search, w: &[f64]) -> DVector<f64> {
    let (mut p, x) = search.chart.evaluate(w);
    if let Some(better) = modes(search, &p, &x).and_then(|modes| newton(search, &modes, &p)) {
        p = better;
    }
    if search.chart.moving == search.chart.dimension() {
        return p;
    }
    least_impulses(search, &p).unwrap_or(p)
}

fn modes(search: &Search, p: &DVector<f64>, x: &DVector<f64>) -> Option<Vec<Mode>> {
    let near = 1e2 * search.tolerance();
    let members = search.chart.members.iter().zip(&search.friction);
    members
        .map(|(m, f)| {
            let speed = x.rows(m.slip, m.tangents).norm();
            let p_t = p.rows(m.first, m.tangents).norm();
            if m.tangents == 0 || speed <= near {
                return Some(Mode::Stick);
            }
            let margin = f.coefficient(speed) * p[m.normal()] - p_t;
            (margin.abs() <= near.max(SPATIAL)).then_some(Mode::Slip)
        })
        .collect()
}

fn newton(search: &Search, modes: &[Mode], start: &DVector<f64>) -> Option<DVector<f64>> {
    let mut p = start.clone();
    let mut last = f64::INFINITY;
    for _ in 0..20 {
        let Equations {
            residual, jacobian, ..
        } = Equations::at(search, modes, &p)?;
        let size = residual.amax();
        if size <= 1e-15 || size >= 0.5 * last && size <= 1e-12 {
            break;
        }
        if size > 10.0 * last {
            return None;
        }
        last = size;
        let svd = SVD::new(jacobian, true, true);
        let smallest = 1e-11 * svd.singular_values.amax();
        p -= svd.solve(&residual, smallest).ok()?;
    }
    let left = Equations::at(search, modes, &p)?.residual.amax();
    let good = left <= 1e-11 && (&p - start).amax() <= NEAR && inside(search, modes, &p);
    good.then_some(p)
}

/// Whether sticking contacts stay in their cones, no contact pulls, and released contacts and energy are in bounds.
fn inside(search: &Search, modes: &[Mode], p: &DVector<f64>) -> bool {
    let chart = search.chart;
    let tolerance = 10.0 * search.tolerance();
    let u = velocities(chart, p);
    let cones = chart
        .members
        .iter()
        .zip(modes)
        .zip(&search.friction)
        .all(|((m, mode), f)| {
            let p_n = p[m.normal()];
            let p_t = p.rows(m.first, m.tangents).norm();
            p_n >= -tolerance && (*mode == Mode::Slip || p_t <= f.static_friction * p_n + tolerance)
        });
    let work: f64 = (0..p.len())
        .map(|j| 0.5 * p[j] * (chart.u_pre[chart.rows[j]] + u[chart.rows[j]]))
        .sum();
    cones
        && search
            .released
            .iter()
            .all(|(row, least)| u[*row] >= least - tolerance)
        && search.energy.is_none_or(|limit| work <= limit + 1e-13)
}

/// u⁺ of all rows, from the impulses of the chart.
fn velocities(chart: &Chart, p: &DVector<f64>) -> DVector<f64> {
    &chart.u_pre + &chart.G * p
}

/// Equations (1) at given impulses: the residual and its derivative.
struct Equations<'a> {
    chart: &'a Chart,
    p: &'a DVector<f64>,
    u: DVector<f64>,
    residual: DVector<f64>,
    jacobian: DMatrix<f64>,
}

impl<'a> Equations<'a> {
    fn at(search: &Search<'a>, modes: &[Mode], p: &'a DVector<f64>) -> Option<Self> {
        let chart = search.chart;
        let mut equations = Self {
            chart,
            p,
            u: velocities(chart, p),
            residual: DVector::zeros(p.len()),
            jacobian: DMatrix::zeros(p.len(), p.len()),
        };
        for ((m, mode), f) in chart.members.iter().zip(modes).zip(&search.friction) {
            equations.velocity(m.normal(), chart.targets[m.contact]);
            match mode {
                Mode::Stick => (m.first..m.normal()).for_each(|i| equations.velocity(i, 0.0)),
                Mode::Slip => equations.slip(m, f)?,
            }
        }
        Some(equations)
    }

    /// Row i: u = target.
    fn velocity(&mut self, i: usize, target: f64) {
        let row = self.chart.rows[i];
        self.residual[i] = self.u[row] - target;
        self.jacobian.row_mut(i).copy_from(&self.chart.G.row(row));
    }

    /// Tangent rows of a slipping contact.
    fn slip(&mut self, m: &Member, f: &Karnopp) -> Option<()> {
        let t = m.tangents;
        let slip = DVector::from_fn(t, |a, _| self.u[self.chart.rows[m.first + a]]);
        let speed = slip.norm();
        if speed == 0.0 {
            return None;
        }
        let direction = &slip / speed;
        let (mu, slope, p_n) = (f.coefficient(speed), f.slope(speed), self.p[m.normal()]);
        for a in 0..t {
            let i = m.first + a;
            self.residual[i] = self.p[i] + mu * p_n * direction[a];
            self.jacobian[(i, i)] += 1.0;
            self.jacobian[(i, m.normal())] += mu * direction[a];
            for b in 0..t {
                // d(μ x̂)/dx = μ' x̂ x̂ᵀ + μ (1 − x̂ x̂ᵀ)/‖x‖
                let outer = direction[a] * direction[b];
                let unit = if a == b { 1.0 } else { 0.0 };
                let rate = p_n * (slope * outer + mu * (unit - outer) / speed);
                let response = self.chart.G.row(self.chart.rows[m.first + b]);
                for (j, g) in response.iter().enumerate() {
                    self.jacobian[(i, j)] += rate * g;
                }
            }
        }
        Some(())
    }
}
