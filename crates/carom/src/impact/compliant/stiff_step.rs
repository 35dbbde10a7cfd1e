//! What is done with an implicit step that was solved: polynomials for its events, the state at its end.

use super::hold::{Hold, dot};
use super::series::{Series, frequency};
use super::stiff::{Nodes, Stiff, add, worst};
use super::system::{State, System};
use carom_ode::radau::Tableau;
use std::sync::LazyLock;

/// Nodes of both methods.
#[derive(Clone, Debug)]
pub(super) struct Methods {
    pub fine: Tableau,
    pub coarse: Tableau,
}

/// Both, computed once.
pub(super) static METHODS: LazyLock<Methods> =
    LazyLock::new(|| Methods { fine: Tableau::fine(), coarse: Tableau::coarse() });

impl Stiff {
    /// Friction along the redundant directions of edges, which moves nothing, at the nodes of a solved step.
    pub fn share(&self, system: &System, t: &Tableau, hold: &Hold, nodes: &mut Nodes) {
        let (m, w) = (system.rows(), self.width());
        for node in 0..t.s {
            for (e, edge) in hold.edges.iter().enumerate() {
                let place = self.carry.iter().position(|&i| i == edge.site).unwrap_or(0);
                let limit = edge.limit * system.force(edge.site, nodes.x[node * w + place]);
                let rate = &mut nodes.rate[node * m..(node + 1) * m];
                let across = dot(&system.sites[edge.site], edge.v1, rate);
                let along = edge.sign * (limit * limit - across * across).max(0.0).sqrt();
                add(along, &hold.null[e * m..(e + 1) * m], rate);
            }
        }
    }

    /// The step as polynomials of τ = t/h, for the search of events.
    pub fn polynomials(
        &self,
        system: &System,
        state: &State,
        (t, h): (&Tableau, f64),
        nodes: &Nodes,
        series: &mut Series,
    ) {
        series.reset(system, t.s, 1.0 / h);
        let (m, sites) = series.size;
        let (w, n) = (self.width(), self.carry.len());
        for order in 0..=t.s {
            for row in 0..m {
                let u = |j: usize| nodes.u[j * m + row];
                series.u[order * m + row] = t.whole_coefficient(state.u[row], &u, order);
                if order < t.s {
                    let rate = |j: usize| nodes.rate[j * m + row];
                    series.rate[order * m + row] = t.inside_coefficient(&rate, order);
                }
            }
            for (k, &i) in self.carry.iter().enumerate() {
                let delta = |j: usize| nodes.x[j * w + k];
                series.delta[order * sites + i] =
                    t.whole_coefficient(state.delta[i], &delta, order);
                let force = |j: usize| system.force(i, nodes.x[j * w + k]);
                series.force[order * sites + i] =
                    if order < t.s { t.inside_coefficient(&force, order) } else { 0.0 };
            }
            for (k, &place) in self.turn.iter().enumerate() {
                let i = self.carry[place];
                let first = system.sites[i].first;
                let speed = |j: usize| {
                    let (s, c) = nodes.x[j * w + n + k].sin_cos();
                    c * nodes.u[j * m + first] + s * nodes.u[j * m + first + 1]
                };
                let start = state.speed(&system.sites[i]);
                series.speed[order * sites + i] = t.whole_coefficient(start, &speed, order);
            }
        }
    }

    /// Moves the state to the end of the step.
    pub fn advance(
        &self,
        system: &System,
        (t, h): (&Tableau, f64),
        nodes: &Nodes,
        state: &mut State,
    ) {
        let (m, w, n) = (system.rows(), self.width(), self.carry.len());
        let last = t.s - 1;
        for (k, &i) in self.carry.iter().enumerate() {
            let delta = nodes.x[last * w + k].max(0.0);
            state.normal_work[i] += state.work_to(system, i, delta);
            state.delta[i] = delta;
            for row in system.sites[i].tangent_rows() {
                for j in 0..t.s {
                    let power = nodes.rate[j * m + row] * nodes.u[j * m + row];
                    state.friction_work[i] += h * t.a[last][j] * power;
                }
            }
        }
        for (k, &place) in self.turn.iter().enumerate() {
            let (s, c) = nodes.x[last * w + n + k].sin_cos();
            state.heading[self.carry[place]] = [c, s];
        }
        for row in 0..m {
            state.u[row] = nodes.u[last * m + row];
            let sum: f64 = (0..t.s).map(|j| t.a[last][j] * nodes.rate[j * m + row]).sum();
            state.p[row] += h * sum;
        }
    }

    /// Values of a step at the nodes of another one that is `ratio` as long.
    pub fn interpolate(
        &self,
        from: (&Tableau, &Nodes),
        to: &Tableau,
        ratio: f64,
        x: &mut Vec<f64>,
    ) {
        let w = self.width();
        x.clear();
        for node in 0..to.s {
            for k in 0..w {
                x.push(from.0.inside(|j| from.1.x[j * w + k], to.c[node] * ratio));
            }
        }
    }

    /// Largest difference of two solutions of one step at its end.
    pub fn difference(&self, system: &System, state: &State, a: &Nodes, b: &Nodes) -> f64 {
        let (m, w) = (system.rows(), self.width());
        let end = |x: &[f64], width: usize| x.len() - width;
        let (i, j) = (end(&a.u, m), end(&b.u, m));
        let u = (0..m).map(|r| (a.u[i + r] - b.u[j + r]).abs()).fold(0.0, worst);
        let (i, j) = (end(&a.x, w), end(&b.x, w));
        let delta = self.carry.iter().enumerate().map(|(k, &site)| {
            (a.x[i + k] - b.x[j + k]).abs() * frequency(system, state, site, 1.0)
        });
        delta.fold(u, worst)
    }
}
