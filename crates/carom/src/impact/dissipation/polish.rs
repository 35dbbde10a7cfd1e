//! A motion that obeys the friction law exactly: Newton's method with the modes of a point of the search.
//!
//! ```text
//! stick: x = 0     slip: pₜ + μ(‖x‖) pₙ x/‖x‖ = 0     partial: pₜ + β x = 0     normal: uₙ⁺ = −e uₙ⁻         (1)
//! ```
//! These are as many equations as impulses. A contact may slip with less than the full friction where that lets another
//! contact slip less; it keeps the ratio β of the point, so the motion obeys the law but is only as good as the point,
//! and the search has to close in on the best one by itself.

use crate::numeric::svd;
use crate::numeric::thresholds::dissipation;
use nalgebra::{DMatrix, DVector};

use super::chart::{Chart, Member};
use super::karnopp::Karnopp;
use super::search::Search;

/// Share of the full friction above which a slipping contact is taken to have all of it.
const FULL: f64 = 0.999;

/// Mode of a contact at the solution.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Stick,
    Slip,
    /// Slip with pₜ = −β x, less than the full friction.
    Partial(f64),
}

/// Impulses that satisfy (1) with the modes of the given ones, if there are any and they obey all conditions.
pub(super) fn polish(search: &Search, start: &DVector<f64>) -> Option<DVector<f64>> {
    let chart = search.chart;
    let u = chart.velocities(start);
    // Slip that the search cannot tell from rest.
    let rest = 10.0 * search.tolerance();
    let mode = |(m, f): (&Member, &Karnopp)| {
        let rows = &chart.rows[m.first..m.normal()];
        let slip = DVector::from_fn(m.tangents, |a, _| u[rows[a]]);
        let p_t = start.rows(m.first, m.tangents);
        let speed = slip.norm();
        if speed <= rest {
            Mode::Stick
        } else if p_t.norm() >= FULL * f.coefficient(speed) * start[m.normal()] {
            Mode::Slip
        } else {
            Mode::Partial((-p_t.dot(&slip)).max(0.0) / (speed * speed))
        }
    };
    let members = chart.members.iter().zip(&search.friction);
    let modes: Vec<Mode> = members.map(mode).collect();
    newton(search, &modes, start)
}

fn newton(search: &Search, modes: &[Mode], start: &DVector<f64>) -> Option<DVector<f64>> {
    let mut p = start.clone();
    let mut last = f64::INFINITY;
    for _ in 0..20 {
        let Equations { residual, jacobian, .. } = Equations::at(search, modes, &p)?;
        let size = residual.amax();
        if size <= dissipation::EXACT || size >= 0.5 * last && size <= dissipation::SLACK {
            break;
        }
        if size > 10.0 * last {
            return None;
        }
        last = size;
        let svd = svd(jacobian)?;
        let smallest = dissipation::REDUNDANT * svd.singular_values.amax();
        p -= svd.solve(&residual, smallest).ok()?;
    }
    let left = Equations::at(search, modes, &p)?.residual.amax();
    let good = left <= dissipation::SLACK && inside(search, modes, &p);
    good.then_some(p)
}

/// Whether sticking contacts stay in their cones, no contact pulls, and released contacts and energy are in bounds.
fn inside(search: &Search, modes: &[Mode], p: &DVector<f64>) -> bool {
    let chart = search.chart;
    let tolerance = dissipation::SLACK;
    let u = chart.velocities(p);
    let cones = chart.members.iter().zip(modes).zip(&search.friction).all(|((m, mode), f)| {
        let p_n = p[m.normal()];
        let p_t = p.rows(m.first, m.tangents).norm();
        let speed = (m.first..m.normal()).fold(0.0_f64, |s, i| s.hypot(u[chart.rows[i]]));
        let mu = match mode {
            Mode::Stick => f.static_friction,
            Mode::Slip | Mode::Partial(_) => f.coefficient(speed),
        };
        p_n >= -tolerance && p_t <= mu * p_n + tolerance
    });
    let work: f64 =
        (0..p.len()).map(|j| 0.5 * p[j] * (chart.u_pre[chart.rows[j]] + u[chart.rows[j]])).sum();
    cones
        && search.released.iter().all(|(row, least)| u[*row] >= least - tolerance)
        && search.energy.is_none_or(|limit| work <= limit + dissipation::ENERGY)
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
            u: chart.velocities(p),
            residual: DVector::zeros(p.len()),
            jacobian: DMatrix::zeros(p.len(), p.len()),
        };
        for ((m, mode), f) in chart.members.iter().zip(modes).zip(&search.friction) {
            equations.velocity(m.normal(), chart.targets[m.contact]);
            match mode {
                Mode::Stick => (m.first..m.normal()).for_each(|i| equations.velocity(i, 0.0)),
                Mode::Slip => equations.slip(m, f)?,
                Mode::Partial(beta) => equations.partial(m, *beta),
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

    /// Tangent rows of a contact with friction −β x.
    fn partial(&mut self, m: &Member, beta: f64) {
        for i in m.first..m.normal() {
            self.velocity(i, 0.0);
            self.residual[i] = self.p[i] + beta * self.residual[i];
            self.jacobian.row_mut(i).scale_mut(beta);
            self.jacobian[(i, i)] += 1.0;
        }
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
