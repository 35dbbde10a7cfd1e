//! The friction coefficient that an impact used, as figures 4.8 to 4.11 show it.
//!
//! # Law
//! ```text
//! μ = μs where the contact sticks, else (4.10) with μ_min = min(μd, μ_f)      (1)
//! μ_f = |pₜ|/pₙ of the impulses that make every contact stick                 (2)  (4.9)
//! ```
//!
//! # Tests
//! `tests/flickinger_bicycle.rs`: `eq1_eq2_coefficients`.

use carom::impact::dissipation::Karnopp;
use carom::impact::{ImpactError, Reduction};
use carom::model::Model;
use carom::record::Event;
use nalgebra::DVector;

use crate::flickinger::case::Case;
use crate::flickinger::instant::problem_at;

/// The layer of section 4.1, m/s.
const SLIP_SPEED: f64 = 1.4e-4;

/// Friction at one contact of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// Time, s.
    pub t: f64,
    /// Index of the contact pair.
    pub site: usize,
    /// Whether it sticks.
    pub sticks: bool,
    /// μ of (1).
    pub coefficient: f64,
    /// μ_f of (2); infinite where stick would have to pull.
    pub needed: f64,
    /// |pₜ|/pₙ of the impact itself.
    pub ratio: f64,
    /// Approach velocity, m/s.
    pub approach: f64,
}

/// Friction at every contact that carried an impulse, impact by impact.
pub fn coefficients(case: &Case) -> Result<Vec<Use>, ImpactError> {
    let mut all = Vec::new();
    for event in case.impacts() {
        all.extend(of_event(&case.scene.model, event)?);
    }
    Ok(all)
}

fn of_event(model: &Model, event: &Event) -> Result<Vec<Use>, ImpactError> {
    let problem = problem_at(model, event)?;
    let mut reduction = Reduction::default();
    reduction.reduce(&problem)?;
    let space = &reduction.space;
    let rows = event.contacts.iter().flat_map(|c| [-c.u_pre[0], c.u_post[2] - c.u_pre[2]]);
    let change = DVector::from_iterator(space.rows(), rows);
    let stick = space.G.clone().lu().solve(&change);
    let loaded = event.contacts.iter().enumerate().filter(|(_, c)| c.impulse[2] > 0.0);
    let uses = loaded.map(|(k, c)| {
        let needed = stick.as_ref().map_or(f64::INFINITY, |p| {
            let (p_t, p_n) = (p[2 * k].abs(), p[2 * k + 1]);
            if p_n > 0.0 { p_t / p_n } else { f64::INFINITY }
        });
        let surface = &problem.contacts[k];
        let friction = Karnopp {
            static_friction: surface.static_friction,
            least: surface.friction.min(needed),
            slip_speed: SLIP_SPEED,
            exponent: 1.0,
        };
        let slip = c.u_post[0].abs();
        let sticks = slip <= 1e-9 * c.u_pre[0].abs().max(c.u_pre[2].abs());
        let coefficient = if sticks { surface.static_friction } else { friction.coefficient(slip) };
        let ratio = c.impulse[0].abs() / c.impulse[2];
        Use { t: event.t, site: c.site, sticks, coefficient, needed, ratio, approach: -c.u_pre[2] }
    });
    Ok(uses.collect())
}
