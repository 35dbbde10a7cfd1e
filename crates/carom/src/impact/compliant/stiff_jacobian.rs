//! Derivatives of the equations of an implicit step, for Newton's method.

use super::stiff::{Nodes, Stiff, add};
use super::system::{State, System};
use carom_ode::radau::Tableau;

impl Stiff {
    /// Derivatives of the residuals by all unknowns.
    pub(super) fn differentiate(
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
}
