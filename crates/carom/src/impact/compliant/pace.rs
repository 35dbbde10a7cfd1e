//! How fast things happen at an instant, and whether slip turns too fast for explicit steps.

use super::events::ZERO;
use super::scratch::CompliantScratch;
use super::series::frequency;
use super::system::{Normal, Tangent, fixed_friction};

/// Rates of turning, times the time in which slip changes, above which steps are implicit.
const STIFF: f64 = 30.0;

/// Time, in units of 1/ω, in which slip is taken to change at the latest.
const SOON: f64 = 0.1;

/// Rates at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Largest frequency of the contacts.
    pub natural: f64,
    /// Largest rate of all, that of turning slip included.
    pub omega: f64,
    /// Whether some slip turns so fast that steps must be implicit.
    pub stiff: bool,
}

/// Rates at the present state.
pub(super) fn pace(s: &mut CompliantScratch) -> Pace {
    let (mut natural, mut singular) = (0.0_f64, 0.0_f64);
    for (i, site) in s.system.sites.iter().enumerate() {
        if s.state.normal[i] == Normal::Open {
            continue;
        }
        natural = natural.max(frequency(&s.system, &s.state, i, s.state.give(site, i)));
        if s.system.exponent != 1.0 && s.state.delta[i] > 0.0 {
            // δ^η is no power series at δ = 0
            let rate = s.state.give(site, i) * s.state.u[site.normal()].abs() / s.state.delta[i];
            singular = singular.max(rate.min(1e12));
        }
    }
    if natural <= 0.0 {
        natural = 1.0;
    }
    let mut pace = Pace { natural, omega: natural.max(singular), stiff: false };
    if s.state.tangent.contains(&Tangent::Turn) {
        accelerations(s);
        turning(s, &mut pace);
    }
    pace
}

/// Contact accelerations.
fn accelerations(s: &mut CompliantScratch) {
    let m = s.system.rows();
    for x in [&mut s.rates, &mut s.accelerations] {
        x.clear();
        x.resize(m, 0.0);
    }
    for (i, site) in s.system.sites.iter().enumerate() {
        if s.state.normal[i] == Normal::Open {
            continue;
        }
        let force = s.system.force(i, s.state.delta[i]);
        s.rates[site.normal()] = force;
        let friction = match s.state.tangent[i] {
            Tangent::Turn => s.state.heading[i].map(|h| -site.mu_d * h),
            other => fixed_friction(site, other).unwrap_or([0.0; 2]),
        };
        for (x, r) in site.tangent_rows().enumerate() {
            s.rates[r] = friction[x] * force;
        }
    }
    s.system.multiply(&s.rates, &mut s.accelerations);
    s.hold.solve(&s.system, &s.accelerations, &mut s.rates);
    s.system.multiply(&s.rates, &mut s.accelerations);
}

fn turning(s: &CompliantScratch, pace: &mut Pace) {
    for (i, site) in s.system.sites.iter().enumerate() {
        if s.state.tangent[i] != Tangent::Turn {
            continue;
        }
        let speed = s.state.speed(site);
        if speed <= ZERO {
            pace.stiff = true;
            continue;
        }
        let rows = site.tangent_rows();
        let w: Vec2 = [s.state.u[site.first], s.state.u[site.first + 1]];
        let a: Vec2 = [s.accelerations[site.first], s.accelerations[site.first + 1]];
        let force = s.system.force(i, s.state.delta[i]);
        let yields: f64 = rows.map(|r| s.system.G[(r, r)]).sum();
        let rate = site.mu_d * force * yields / speed;
        let change = ((a[0] * w[0] + a[1] * w[1]) / (speed * speed)).abs();
        let soon = (SOON / pace.natural).min(1.0 / change);
        pace.stiff |= rate * soon > STIFF;
        pace.omega = pace.omega.max(rate).max(a[0].hypot(a[1]) / speed);
    }
}

type Vec2 = [f64; 2];
