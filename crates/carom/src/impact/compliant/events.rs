//! What ends a set of modes: the earliest fall of a function that the modes keep positive.
//!
//! | mode | function |
//! |---|---|
//! | open | uₙ |
//! | loading | −uₙ |
//! | unloading | uₙ and δ |
//! | at rest | (μs F)² − ‖ṗₜ‖² |
//! | at rest, redundant | (s μs F)² − (ṗₜ·v₁)² |
//! | at rest at the limit | bound − \|uₜ\| |
//! | slip along a line | slip speed along it |
//! | slip in the plane | ‖uₜ‖ |

use super::hold::Hold;
use super::root::first_fall;
use super::series::{ORDER, Series};
use super::system::{Normal, State, System, Tangent};
use crate::numeric::thresholds::compliant::DISK;

/// Velocities below this fraction of the largest one at the start are zero.
pub(super) const ZERO: f64 = crate::numeric::thresholds::compliant::ZERO;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// uₙ changes its sign.
    Turns,
    /// The compression is gone.
    Released,
    /// Slip stops.
    Stops,
    /// A contact held at its limit moves after all.
    Yields,
    /// Friction of a contact at rest reaches its limit.
    Limit,
    /// Friction along a redundant direction vanishes.
    Shares,
}

/// An event of one site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub tau: f64,
    pub site: usize,
    pub what: What,
}

/// The earliest event up to τ = `end`.
pub(super) fn earliest(
    system: &System,
    state: &State,
    (series, hold): (&Series, &Hold),
    end: f64,
) -> Option<Event> {
    let mut watch = Watch { series, end, best: None, c: [0.0; ORDER + 1] };
    for i in 0..system.sites.len() {
        watch.normal(system, state, i);
        watch.tangent(system, state, i);
    }
    // The polynomials of an implicit step have no series of edges; its nodes take the root as it is.
    if series.order == ORDER {
        for (e, edge) in hold.edges.iter().enumerate() {
            series.edge_room(edge, e, &mut watch.c);
            watch.look(edge.site, What::Shares, 0.0);
        }
    }
    watch.best
}

struct Watch<'a> {
    series: &'a Series,
    end: f64,
    best: Option<Event>,
    c: [f64; ORDER + 1],
}

impl Watch<'_> {
    fn normal(&mut self, system: &System, state: &State, i: usize) {
        let row = system.sites[i].normal();
        let sign = if state.normal[i] == Normal::Loading { -1.0 } else { 1.0 };
        self.row(row, sign);
        self.look(i, What::Turns, ZERO);
        if state.normal[i] == Normal::Unloading {
            let order = self.series.order;
            Series::column(&self.series.delta, self.series.size.1, i, &mut self.c[..=order]);
            self.look(i, What::Released, 0.0);
        }
    }

    fn tangent(&mut self, system: &System, state: &State, i: usize) {
        let site = &system.sites[i];
        if state.normal[i] == Normal::Open {
            return;
        }
        match state.tangent[i] {
            Tangent::Free => {}
            Tangent::Hold => {
                let scale = self.margin(site.mu_s, site.first, site.tangents, i);
                self.look(i, What::Limit, DISK * scale);
            }
            Tangent::Limit(_) => {
                for row in site.tangent_rows() {
                    for sign in [1.0, -1.0] {
                        self.row(row, sign);
                        self.c[0] += ZERO;
                        self.look(i, What::Yields, 0.0);
                    }
                }
            }
            Tangent::Slip(d) => {
                self.row(site.first, -d[0]);
                self.look(i, What::Stops, ZERO);
            }
            Tangent::Turn => {
                let order = self.series.order;
                Series::column(&self.series.speed, self.series.size.1, i, &mut self.c[..=order]);
                self.look(i, What::Stops, ZERO);
            }
        }
    }

    fn row(&mut self, row: usize, sign: f64) {
        let order = self.series.order;
        Series::column(&self.series.u, self.series.size.0, row, &mut self.c[..=order]);
        self.c[..=order].iter_mut().for_each(|c| *c *= sign);
    }

    /// (μs F)² − ‖ṗₜ‖², and the larger of its first terms at both ends.
    fn margin(&mut self, mu: f64, first: usize, tangents: usize, i: usize) -> f64 {
        let s = self.series;
        let (m, n) = s.size;
        self.c.fill(0.0);
        for order in 0..s.order {
            self.c[order] = (0..=order)
                .map(|j| {
                    let k = order - j;
                    let force = mu * mu * s.force[j * n + i] * s.force[k * n + i];
                    let friction: f64 = (first..first + tangents)
                        .map(|row| s.rate[j * m + row] * s.rate[k * m + row])
                        .sum();
                    force - friction
                })
                .sum();
        }
        let (mut power, mut end) = (1.0, 0.0);
        for order in 0..s.order {
            end += power * s.force[order * n + i];
            power *= self.end;
        }
        let largest = mu * end.max(s.force[i]);
        largest * largest
    }

    fn look(&mut self, site: usize, what: What, slack: f64) {
        let c = &self.c[..=self.series.order];
        if let Some(tau) = first_fall(c, self.end, slack)
            && self.best.is_none_or(|b| tau < b.tau)
        {
            self.end = tau.min(self.end);
            self.best = Some(Event { tau, site, what });
        }
    }
}
