//! Rolling and spinning at a contact: relative angular velocity across and about the normal.
//!
//! # Law
//! With t₁, t₂, n the axes of the contact, in the plane the one axis n × t₁ in place of t₁ and t₂,
//! ```text
//! u = d·(ω_B − ω_A),  d = t₁, t₂ (rolling) or n (spinning)                            (1)
//! γ = d·(ω̇°_B − ω̇°_A) + ḋ·(ω_B − ω_A),   ḋ = (n × ṅ) × d                              (2)
//! rolling:   ‖m‖ ≤ μr λₙ,  against u where u ≠ 0;   spinning:  |m| ≤ μs λₙ              (3)
//! ```
//! ω̇° at v̇ = 0. ṅ is ω_A × n on a plane fixed to A, (ṙ − n (n·ṙ))/|r| between balls, r from centre to centre, and that of the
//! gap between other parts: edges, corners, smooth shapes ([`crate::geometry`]).
//! (3) is a second friction of the same normal force in the one Coulomb problem. μr and μs are lengths.
//!
//! # Limits
//! Impulses of contacts are forces at points: in an impact (3) has no part.
//!
//! # Tests
//! `tests/rolling_friction.rs`: `eq2_rates_from_differences`, `eq3_a_ball_stops_where_it_must`,
//! `eq3_a_spinning_ball_stops_when_it_must`, `eq3_flat_ground_is_a_plane`.

use super::site::{Site, SiteGeometry};
use super::site_state::{SiteState, body_twist, gap_between, site_state};
use crate::dynamics::Kinematics;
use crate::dynamics::jacobian::VelocityProducts;
use crate::model::{BodyId, Model};
use nalgebra::Vector3;

/// The state of a moment site, from that of the site it follows.
pub fn moment_state(
    model: &Model,
    (site, leader): (&Site, (&Site, &SiteState)),
    (kin, products): (&Kinematics, &VelocityProducts),
) -> SiteState {
    let SiteGeometry::Moment { a_body, b_body, spin, .. } = site.geometry else {
        return *leader.1;
    };
    let s = leader.1;
    let [t1, t2, n] = s.axes;
    let axes = match (spin, site.tangents) {
        (true, _) => [n, t1, n],
        (false, 1) => [n.cross(&t1), t1, n],
        _ => [t1, t2, n],
    };
    let turn = |body: Option<BodyId>| {
        let Some(body) = body else { return (Vector3::zeros(), Vector3::zeros()) };
        let w = kin.twist_at(model, body, &s.x).w;
        (w, products.at(model, kin, body, &s.x).w)
    };
    let ((wa, aa), (wb, ab)) = (turn(a_body), turn(b_body));
    let (w, a) = (wb - wa, ab - aa);
    let frame = n.cross(&normal_rate(model, leader, kin));
    let mut u = [0.0, 0.0, s.u[2]];
    let mut gamma = [0.0, 0.0, s.gamma[2]];
    for k in 0..site.tangents {
        u[k] = axes[k].dot(&w);
        gamma[k] = axes[k].dot(&a) + frame.cross(&axes[k]).dot(&w);
    }
    SiteState { axes, u, gamma, speed: wa.norm() + wb.norm(), ..*s }
}

/// The state of any site of a list.
pub fn state_of(
    model: &Model,
    (sites, site): (&[Site], usize),
    known: (&Kinematics, &VelocityProducts),
    state: (&[f64], &[f64]),
) -> SiteState {
    let own = &sites[site];
    let Some(of) = own.follows() else { return site_state(model, own, known, state) };
    let leader = site_state(model, &sites[of], known, state);
    moment_state(model, (own, (&sites[of], &leader)), known)
}

/// ṅ of the contact.
fn normal_rate(model: &Model, (site, s): (&Site, &SiteState), kin: &Kinematics) -> Vector3<f64> {
    let (a, b) = site.bodies();
    let [a, b] = [a, b].map(|body| body_twist(model, kin, body));
    match &site.geometry {
        // Nearly all of them, and known without the rest of the gap.
        SiteGeometry::OnPlane { .. } => a.w.cross(&s.axes[2]),
        _ => gap_between(site, &a, &b).map_or(Vector3::zeros(), |gap| gap.normal_rate),
    }
}
