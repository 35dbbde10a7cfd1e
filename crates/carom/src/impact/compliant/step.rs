//! One step of the path: along the power series, or by collocation.

use super::events::{Event, What, ZERO, earliest};
use super::pace::Pace;
use super::path::Path;
use super::root::slope;
use super::scratch::CompliantScratch;
use super::series::Series;
use super::stiff::Nodes;
use super::stiff_step::METHODS;
use super::system::{Normal, State, System, Tangent};
use crate::numeric::thresholds::compliant;
use crate::numeric::thresholds::compliant::{NO_ERROR, SHORTEST, STIFF_TOLERANCE};
use carom_ode::radau::MOST;

impl Path<'_> {
    /// A step along the power series.
    pub(super) fn series_step(&mut self, pace: &Pace) -> Option<(f64, Option<Event>)> {
        let s = &mut *self.scratch;
        s.series.expand(&s.system, &s.state, &mut s.hold, pace.omega);
        let reach = s.series.reach(&s.system, &s.state);
        let event = earliest(&s.system, &s.state, (&s.series, &s.hold), reach);
        let tau = event.map_or(reach, |e| e.tau);
        if !tau.is_finite() {
            return None;
        }
        s.series.advance(&s.system, tau, &mut s.state);
        Some((tau / pace.omega, event))
    }

    /// A step by collocation.
    pub(super) fn stiff_step(&mut self, pace: &Pace) -> Option<(f64, Option<Event>)> {
        let mut h = if self.h > 0.0 { self.h } else { 0.05 / pace.natural };
        let s = &mut *self.scratch;
        s.stiff.load(&s.system, &s.state, &mut s.hold);
        loop {
            if h * pace.natural < SHORTEST {
                self.h = 0.0;
                return None;
            }
            let Some(error) = try_stiff(s, h) else {
                h *= 0.25;
                continue;
            };
            let factor = 0.9 * (STIFF_TOLERANCE / error.max(NO_ERROR)).powf(1.0 / 8.0);
            if error <= STIFF_TOLERANCE {
                self.h = h * factor.clamp(0.2, 4.0);
                break;
            }
            h *= factor.clamp(0.1, 0.8);
        }
        let fine = (&METHODS.fine, h);
        s.stiff.share(&s.system, fine.0, &s.hold, &mut s.fine);
        s.stiff.polynomials(&s.system, &s.state, fine, &s.fine, &mut s.series);
        let event = earliest(&s.system, &s.state, (&s.series, &s.hold), 1.0);
        let h = event.map_or(h, |e| locate(s, h, e));
        if h <= 0.0 {
            return Some((0.0, event));
        }
        s.stiff.advance(&s.system, (&METHODS.fine, h), &s.fine, &mut s.state);
        Some((h, event.map(|e| Event { tau: 1.0, ..e })))
    }
}

/// Gives contacts that begin to load a compression to start from, where the force is no power series of it.
pub(super) fn start_compression(system: &System, state: &mut State) {
    if system.exponent == 1.0 {
        return;
    }
    for (i, site) in system.sites.iter().enumerate() {
        if state.normal[i] == Normal::Loading && state.delta[i] <= 0.0 {
            state.delta[i] = compliant::FIRST_PRESS * (-state.u[site.normal()]).max(ZERO);
        }
    }
}

/// Solves one step by both methods; their difference, or none if there is no solution.
fn try_stiff(s: &mut CompliantScratch, h: f64) -> Option<f64> {
    let (fine, coarse) = (&METHODS.fine, &METHODS.coarse);
    s.stiff.guess(&s.system, &s.state, fine, h, &mut s.fine.x);
    if !s.stiff.solve(&s.system, &s.state, fine, h, &mut s.fine) {
        return None;
    }
    s.stiff.interpolate((fine, &s.fine), coarse, 1.0, &mut s.coarse.x);
    if !s.stiff.solve(&s.system, &s.state, coarse, h, &mut s.coarse) {
        return None;
    }
    Some(s.stiff.difference(&s.system, &s.state, &s.fine, &s.coarse))
}

/// Length of the step that ends at the event, solved anew; the polynomial inside a step is less accurate than its end.
fn locate(s: &mut CompliantScratch, h: f64, event: Event) -> f64 {
    let (mut length, mut ratio) = (h, event.tau);
    for _ in 0..6 {
        if ratio * length <= 0.0 {
            return 0.0;
        }
        let fine = &METHODS.fine;
        std::mem::swap(&mut s.fine.x, &mut s.coarse.x);
        let from = Nodes { x: std::mem::take(&mut s.coarse.x), ..Nodes::default() };
        s.stiff.interpolate((fine, &from), fine, ratio, &mut s.fine.x);
        s.coarse.x = from.x;
        length *= ratio;
        if !s.stiff.solve(&s.system, &s.state, fine, length, &mut s.fine) {
            return length;
        }
        s.stiff.share(&s.system, fine, &s.hold, &mut s.fine);
        s.stiff.polynomials(&s.system, &s.state, (fine, length), &s.fine, &mut s.series);
        let Some((value, slope)) = at_end(s, event) else {
            return length;
        };
        ratio = (1.0 - value / slope).clamp(0.5, 1.5);
        if value.abs() <= compliant::ROUNDED
            || (ratio - 1.0).abs() <= compliant::ROUNDED
            || !ratio.is_finite()
        {
            return length;
        }
    }
    length
}

/// Value and slope at τ = 1 of the function that an event is a zero of, where it must be exact.
fn at_end(s: &CompliantScratch, event: Event) -> Option<(f64, f64)> {
    let site = &s.system.sites[event.site];
    let (m, n) = s.series.size;
    let mut c = [0.0; MOST + 1];
    match (event.what, s.state.tangent[event.site]) {
        (What::Turns, _) => Series::column(&s.series.u, m, site.normal(), &mut c),
        (What::Released, _) => Series::column(&s.series.delta, n, event.site, &mut c),
        (What::Stops, Tangent::Turn) => Series::column(&s.series.speed, n, event.site, &mut c),
        (What::Stops, _) => Series::column(&s.series.u, m, site.first, &mut c),
        (What::Yields | What::Limit | What::Shares, _) => return None,
    }
    Some((c.iter().sum(), slope(&c, 1.0)))
}
