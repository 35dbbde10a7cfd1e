//! Slip that turns fast: implicit collocation (Radau IIA).
//!
//! Where slip is slow its direction θ follows the forces at the rate μFG/r, r the slip speed, which is infinite when
//! slip leaves rest. Explicit steps would crawl. Here θ is an unknown at the nodes of a step, beside the compressions:
//! ```text
//! δᵢ = δ₀ − χ h Σⱼ a_ij uₙⱼ                     (1)
//! d⊥(θᵢ)·wᵢ = 0,   wᵢ = w₀ + h Σⱼ a_ij ẇⱼ       (2)
//! ```
//! (2) says that slip has the direction θ; its derivative by θ is −(r + h a μF d⊥ᵀG d⊥) < 0, so that it can be solved
//! whatever r, r = 0 included. The flow of slip is contracting, and so is the method (it is B-stable). The error of a
//! step is the difference to the method with one node less.

use super::hold::{Hold, dot};
use super::series::{Series, frequency};
use super::system::{Normal, State, System, Tangent, fixed_friction};
use super::tableau::{MOST, Tableau};

/// Newton steps per solve.
const ITERATIONS: usize = 25;

/// Times a Newton step may be halved.
const HALVINGS: usize = 12;

/// Residual, in units of the velocity scale, at which the equations are solved.
const CONVERGED: f64 = 4e-16;

/// Residual that is taken for round-off if it falls no more.
const ROUND_OFF: f64 = 1e-13;

/// A step taken: values at the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Unknowns by node: compressions of the sites that carry, angles of those that turn.
    pub x: Vec<f64>,
    /// Contact velocities by node.
    pub u: Vec<f64>,
    /// Rates of impulse by node.
    pub rate: Vec<f64>,
}

/// The reduced equations of one set of modes.
#[derive(Clone, Debug, Default)]
pub(super) struct Stiff {
    /// Sites that carry a force.
    pub carry: Vec<usize>,
    /// Those of them that turn, as places in `carry`.
    pub turn: Vec<usize>,
    /// Velocity rates per driver: normal forces first, then friction components of the turning contacts.
    response: Vec<f64>,
    /// Impulse rates per driver.
    impulses: Vec<f64>,
    jacobian: Vec<f64>,
    pivots: Vec<usize>,
    residual: Vec<f64>,
    step: Vec<f64>,
    start: Vec<f64>,
    /// Velocity rates by node.
    v: Vec<f64>,
    column: Vec<f64>,
}

impl Stiff {
    /// Number of unknowns per node.
    pub fn width(&self) -> usize {
        self.carry.len() + self.turn.len()
    }

    /// Collects drivers and responses of the present modes.
    pub fn load(&mut self, system: &System, state: &State, hold: &mut Hold) {
        let m = system.rows();
        self.carry.clear();
        self.turn.clear();
        for i in 0..system.sites.len() {
            if state.normal[i] != Normal::Open {
                if state.tangent[i] == Tangent::Turn {
                    self.turn.push(self.carry.len());
                }
                self.carry.push(i);
            }
        }
        let drivers = self.carry.len() + 2 * self.turn.len();
        for x in [&mut self.response, &mut self.impulses] {
            x.clear();
            x.resize(drivers * m, 0.0);
        }
        self.column.clear();
        self.column.resize(m, 0.0);
        for driver in 0..drivers {
            let impulses = &mut self.impulses[driver * m..(driver + 1) * m];
            if driver < self.carry.len() {
                let i = self.carry[driver];
                let site = &system.sites[i];
                impulses[site.normal()] = 1.0;
                let f = fixed_friction(site, state.tangent[i]).unwrap_or([0.0; 2]);
                for (x, r) in site.tangent_rows().enumerate() {
                    impulses[r] = f[x];
                }
            } else {
                let k = driver - self.carry.len();
                let site = &system.sites[self.carry[self.turn[k / 2]]];
                impulses[site.first + k % 2] = 1.0;
            }
            if driver < self.carry.len() {
                for s in hold.shared.iter().filter(|s| s.site == self.carry[driver]) {
                    for (x, r) in system.sites[s.site].tangent_rows().enumerate() {
                        impulses[r] += s.ratio * s.v[x];
                    }
                }
            }
            system.multiply(impulses, &mut self.column);
            hold.solve(system, &self.column, impulses);
            let response = &mut self.response[driver * m..(driver + 1) * m];
            system.multiply(impulses, response);
            for &row in &hold.rows {
                response[row] = 0.0;
            }
        }
    }

    /// A first guess for all nodes: free flight of the compressions, directions as they are.
    pub fn guess(&self, system: &System, state: &State, t: &Tableau, h: f64, x: &mut Vec<f64>) {
        x.clear();
        for node in 0..t.s {
            for &i in &self.carry {
                let site = &system.sites[i];
                let give = state.give(site, i);
                let delta = state.delta[i] - give * h * t.c[node] * state.u[site.normal()];
                x.push(delta.max(0.0));
            }
            for &k in &self.turn {
                let d = state.heading[self.carry[k]];
                x.push(d[1].atan2(d[0]));
            }
        }
    }

    /// Solves (1) and (2) for a step h; `nodes.x` is the guess. False if Newton's method fails.
    pub fn solve(
        &mut self,
        system: &System,
        state: &State,
        t: &Tableau,
        h: f64,
        nodes: &mut Nodes,
    ) -> bool {
        let size = t.s * self.width();
        self.evaluate(system, state, t, h, nodes);
        let mut norm = self.residuals(system, state, t, h, nodes);
        for _ in 0..ITERATIONS {
            if norm <= CONVERGED {
                return true;
            }
            self.differentiate(system, state, t, h, nodes);
            if !factor(&mut self.jacobian, size, &mut self.pivots) {
                return false;
            }
            substitute(&self.jacobian, size, &self.pivots, &mut self.residual);
            std::mem::swap(&mut self.step, &mut self.residual);
            let next = self.descend(system, state, (t, h), nodes, norm);
            if next.is_none_or(|next| next > 0.5 * norm && norm <= ROUND_OFF) {
                return next.is_some() || norm <= ROUND_OFF;
            }
            norm = next.unwrap_or(norm);
        }
        false
    }

    /// Goes along the Newton step, or a part of it, until the residual falls; its size then.
    fn descend(
        &mut self,
        system: &System,
        state: &State,
        (t, h): (&Tableau, f64),
        nodes: &mut Nodes,
        norm: f64,
    ) -> Option<f64> {
        let mut length = 1.0;
        self.start.clear();
        self.start.extend_from_slice(&nodes.x);
        for _ in 0..HALVINGS {
            for (x, (start, step)) in nodes.x.iter_mut().zip(self.start.iter().zip(&self.step)) {
                *x = start - length * step;
            }
            self.evaluate(system, state, t, h, nodes);
            let next = self.residuals(system, state, t, h, nodes);
            if next <= (1.0 - 0.1 * length) * norm || next <= CONVERGED {
                return Some(next);
            }
            length *= 0.5;
        }
        nodes.x.copy_from_slice(&self.start);
        self.evaluate(system, state, t, h, nodes);
        self.residuals(system, state, t, h, nodes);
        None
    }

    /// Rates and velocities at the nodes.
    fn evaluate(&mut self, system: &System, state: &State, t: &Tableau, h: f64, nodes: &mut Nodes) {
        let m = system.rows();
        for x in [&mut self.v, &mut nodes.u, &mut nodes.rate] {
            x.clear();
            x.resize(t.s * m, 0.0);
        }
        for node in 0..t.s {
            for driver in 0..self.carry.len() + 2 * self.turn.len() {
                let z = self.driver(system, &nodes.x, node, driver);
                let at = node * m..(node + 1) * m;
                let from = driver * m..(driver + 1) * m;
                add(z, &self.response[from.clone()], &mut self.v[at.clone()]);
                add(z, &self.impulses[from], &mut nodes.rate[at]);
            }
        }
        for node in 0..t.s {
            let u = &mut nodes.u[node * m..(node + 1) * m];
            u.copy_from_slice(&state.u);
            for j in 0..t.s {
                add(h * t.a[node][j], &self.v[j * m..(j + 1) * m], u);
            }
        }
    }

    /// Value of a driver at a node.
    fn driver(&self, system: &System, x: &[f64], node: usize, driver: usize) -> f64 {
        let (w, n) = (self.width(), self.carry.len());
        let force = |k: usize| system.force(self.carry[k], x[node * w + k]);
        if driver < n {
            return force(driver);
        }
        let (k, component) = ((driver - n) / 2, (driver - n) % 2);
        let (s, c) = x[node * w + n + k].sin_cos();
        let site = &system.sites[self.carry[self.turn[k]]];
        -site.mu_d * force(self.turn[k]) * if component == 0 { c } else { s }
    }

    /// Residuals of (1) and (2); the root of their sum of squares.
    fn residuals(
        &mut self,
        system: &System,
        state: &State,
        t: &Tableau,
        h: f64,
        nodes: &Nodes,
    ) -> f64 {
        let (m, w, n) = (system.rows(), self.width(), self.carry.len());
        self.residual.clear();
        let mut sum_of_squares = 0.0;
        for node in 0..t.s {
            for (k, &i) in self.carry.iter().enumerate() {
                let site = &system.sites[i];
                let sum: f64 =
                    (0..t.s).map(|j| t.a[node][j] * nodes.u[j * m + site.normal()]).sum();
                let r = nodes.x[node * w + k] - state.delta[i] + state.give(site, i) * h * sum;
                self.residual.push(r);
                let weight = frequency(system, state, i, 1.0);
                sum_of_squares += r * r * weight * weight;
            }
            for (k, &place) in self.turn.iter().enumerate() {
                let first = node * m + system.sites[self.carry[place]].first;
                let (s, c) = nodes.x[node * w + n + k].sin_cos();
                let r = c * nodes.u[first + 1] - s * nodes.u[first];
                self.residual.push(r);
                sum_of_squares += r * r;
            }
        }
        sum_of_squares.sqrt()
    }

    /// Derivatives of the residuals by all unknowns.
    fn differentiate(
        &mut self,
        system: &System,
        state: &State,
        t: &Tableau,
        h: f64,
        nodes: &Nodes,
    ) {
        let w = self.width();
        let size = t.s * w;
        self.jacobian.clear();
        self.jacobian.resize(size * size, 0.0);
        for node in 0..t.s {
            for unknown in 0..w {
                self.respond(system, &nodes.x, node, unknown);
                self.spread(system, state, (t, h), nodes, (node, unknown));
            }
        }
        // The direction of (2) itself turns: −r.
        let (m, n) = (system.rows(), self.carry.len());
        for node in 0..t.s {
            for (k, &place) in self.turn.iter().enumerate() {
                let first = node * m + system.sites[self.carry[place]].first;
                let (s, c) = nodes.x[node * w + n + k].sin_cos();
                let at = node * w + n + k;
                self.jacobian[at * size + at] -= c * nodes.u[first] + s * nodes.u[first + 1];
            }
        }
    }

    /// Velocity rates per unit of one unknown at one node, into `column`.
    fn respond(&mut self, system: &System, x: &[f64], node: usize, unknown: usize) {
        let (m, w, n) = (system.rows(), self.width(), self.carry.len());
        self.column.fill(0.0);
        let response = |driver: usize| &self.response[driver * m..(driver + 1) * m];
        if unknown < n {
            let i = self.carry[unknown];
            let slope = system.slope(i, x[node * w + unknown]);
            add(slope, response(unknown), &mut self.column);
            if let Some(k) = self.turn.iter().position(|&place| place == unknown) {
                let (s, c) = x[node * w + n + k].sin_cos();
                let f = -system.sites[i].mu_d * slope;
                add(f * c, response(n + 2 * k), &mut self.column);
                add(f * s, response(n + 2 * k + 1), &mut self.column);
            }
        } else {
            let k = unknown - n;
            let place = self.turn[k];
            let i = self.carry[place];
            let (s, c) = x[node * w + n + k].sin_cos();
            let f = -system.sites[i].mu_d * system.force(i, x[node * w + place]);
            add(-f * s, response(n + 2 * k), &mut self.column);
            add(f * c, response(n + 2 * k + 1), &mut self.column);
        }
    }

    /// Adds what `column` at one node does to all residuals.
    fn spread(
        &mut self,
        system: &System,
        state: &State,
        (t, h): (&Tableau, f64),
        nodes: &Nodes,
        (node, unknown): (usize, usize),
    ) {
        let (w, n) = (self.width(), self.carry.len());
        let size = t.s * w;
        let column = node * w + unknown;
        for at in 0..t.s {
            for (k, &i) in self.carry.iter().enumerate() {
                let site = &system.sites[i];
                let give = state.give(site, i);
                self.jacobian[(at * w + k) * size + column] +=
                    give * h * h * t.a2[at][node] * self.column[site.normal()];
            }
            for (k, &place) in self.turn.iter().enumerate() {
                let first = system.sites[self.carry[place]].first;
                let (s, c) = nodes.x[at * w + n + k].sin_cos();
                self.jacobian[(at * w + n + k) * size + column] +=
                    h * t.a[at][node] * (c * self.column[first + 1] - s * self.column[first]);
            }
        }
        if unknown < n {
            self.jacobian[column * size + column] += 1.0;
        }
    }

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

/// Nodes of both methods.
#[derive(Clone, Debug)]
pub(super) struct Methods {
    pub fine: Tableau,
    pub coarse: Tableau,
}

impl Default for Methods {
    fn default() -> Self {
        debug_assert!(MOST == 5);
        Self { fine: Tableau::fine(), coarse: Tableau::coarse() }
    }
}

fn add(factor: f64, from: &[f64], to: &mut [f64]) {
    if factor != 0.0 {
        for (y, x) in to.iter_mut().zip(from) {
            *y += factor * x;
        }
    }
}

/// max(a, b), but NaN wins.
fn worst(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// LU with partial pivoting, row major, in place; false if singular.
fn factor(a: &mut [f64], n: usize, pivots: &mut Vec<usize>) -> bool {
    pivots.clear();
    for k in 0..n {
        let best =
            (k..n).fold(k, |b, i| if a[i * n + k].abs() > a[b * n + k].abs() { i } else { b });
        if a[best * n + k] == 0.0 || !a[best * n + k].is_finite() {
            return false;
        }
        pivots.push(best);
        if best != k {
            for j in 0..n {
                a.swap(k * n + j, best * n + j);
            }
        }
        let (top, below) = a.split_at_mut((k + 1) * n);
        let row = &top[k * n..];
        for lower in below.chunks_exact_mut(n) {
            let f = lower[k] / row[k];
            lower[k] = f;
            if f != 0.0 {
                for (x, y) in lower[k + 1..].iter_mut().zip(&row[k + 1..]) {
                    *x -= f * y;
                }
            }
        }
    }
    true
}

/// b := A⁻¹ b with the factor.
fn substitute(a: &[f64], n: usize, pivots: &[usize], b: &mut [f64]) {
    for k in 0..n {
        b.swap(k, pivots[k]);
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|j| a[i * n + j] * b[j]).sum();
        b[i] -= known;
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i * n + j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
}
