//! Redundant contacts: of all impulses that give the same motion and obey the friction law, the least.
//!
//! Impulses that move nothing are combinations of the last columns of the chart's P, which are orthonormal. With the
//! motion fixed, the friction law is linear in them for planar contacts; for sticking spatial contacts the round cone
//! is met by tangent planes, added until it holds.

use crate::numeric::thresholds::dissipation::{REST, SLACK};
use nalgebra::DVector;

use super::search::Search;
use crate::impact::least_distance::{Found, LeastDistance};

/// The least impulses, or `None` if nothing is redundant or the conditions cannot be met within the slack.
pub(super) fn least_impulses(search: &Search, p: &DVector<f64>) -> Option<DVector<f64>> {
    let chart = search.chart;
    if chart.moving == chart.dimension() {
        return None;
    }
    let u = chart.velocities(p);
    let Z = chart.P.columns(chart.moving, chart.dimension() - chart.moving);
    let base = p - Z * (Z.transpose() * p);
    let slack = SLACK.max(10.0 * search.tolerance());
    let mut solver = LeastDistance::default();
    solver.clear(Z.ncols());
    let push = |solver: &mut LeastDistance, row: &DVector<f64>| {
        let coefficients: Vec<f64> = (Z.transpose() * row).iter().copied().collect();
        solver.push(&coefficients, -row.dot(&base) - slack);
    };
    for (m, f) in chart.members.iter().zip(&search.friction) {
        let mut normal = DVector::zeros(p.len());
        normal[m.normal()] = 1.0;
        push(&mut solver, &normal);
        let slip = DVector::from_fn(m.tangents, |a, _| u[chart.rows[m.first + a]]);
        let speed = slip.norm();
        if speed <= REST {
            continue;
        }
        // Friction against the slip, at most μ pₙ, and nothing across it.
        let mut along = DVector::zeros(p.len());
        along.rows_mut(m.first, m.tangents).copy_from(&slip);
        along /= -speed;
        push(&mut solver, &along);
        push(&mut solver, &(&normal * f.coefficient(speed).min(f.static_friction) - &along));
        if m.tangents == 2 {
            let mut across = DVector::zeros(p.len());
            across[m.first] = slip[1] / speed;
            across[m.first + 1] = -slip[0] / speed;
            push(&mut solver, &across);
            push(&mut solver, &-across);
        }
    }
    for _ in 0..60 {
        if solver.solve() != Found::Nearest {
            return None;
        }
        let found = &base + Z * DVector::from_column_slice(solver.point());
        let mut done = true;
        for (m, f) in chart.members.iter().zip(&search.friction) {
            let slips = (m.first..m.normal()).any(|i| u[chart.rows[i]].abs() > REST);
            let p_t = found.rows(m.first, m.tangents);
            let excess = p_t.norm() - f.static_friction * found[m.normal()];
            if m.tangents == 0 || slips || excess <= 2.0 * slack {
                continue;
            }
            let mut plane = DVector::zeros(p.len());
            plane[m.normal()] = f.static_friction;
            let length = p_t.norm();
            for a in 0..m.tangents {
                plane[m.first + a] = -p_t[a] / length;
            }
            push(&mut solver, &plane);
            done = false;
        }
        if done {
            return Some(found);
        }
    }
    None
}
