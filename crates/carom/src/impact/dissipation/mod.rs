//! The dissipation principle: the feasible slip nearest to stick.
//!
//! # Law
//! Contacts that take part have uₙ⁺ = −e uₙ⁻; the impulses are then functions of the slips x = uₜ⁺ alone, by
//! u⁺ = u⁻ + G p. Of all slips that friction allows, the one nearest to stick:
//! ```text
//! min dᵀd,   d = (μs − μ₁, −x₁, μs − μ₂, −x₂, …)                      (4.4), (4.5)
//! ‖pₜᵢ‖ ≤ μᵢ pₙᵢ                                                       (4.6), (4.2)
//! pₙᵢ ≥ 0                                                             (4.7), (4.3)
//! p = G⁻¹ (u⁺ − u⁻)                                                   (4.8)
//! μ_min = min(μd, μ_f),   μ_f = ‖pₜᵢ‖/pₙᵢ where all x = 0              (4.9)
//! μᵢ = μ_min + (μs − μ_min) exp(−(‖xᵢ‖/v_s)ᵃ)                         (4.10)
//! pₜᵢ = −βᵢ xᵢ with βᵢ ≥ 0, or xᵢ = 0                                 (R1)
//! released contacts: pᵢ = 0 and uₙᵢ⁺ ≥ −e uₙᵢ⁻                          (R2)
//! ½ p·(u⁻ + u⁺) ≤ (e* − 1) ½ v⁻ᵀMv⁻                                   (5.9)
//! ```
//!
//! # Rules that the source leaves open
//! - (R1): (4.6) bounds the size of friction only and would let the slip reverse with friction *along* it. Here friction
//!   opposes the slip after the impact, as Coulomb's law says. In the plane this is pₜ x ≤ 0, and for one planar contact
//!   it follows from (4.6): the cone is convex in x and holds the frictionless slip, so that a cone without stick holds
//!   no reversed slip either. With several contacts, or in space, it is a condition of its own.
//! - (R2): the source fixes uₙ⁺ of all contacts, so that a contact might have to pull, which (4.7) forbids. As few
//!   contacts as possible are then released, and among equally many the set with the least distance. With (R1) and (R2)
//!   a feasible motion exists whenever the frictionless impact has one, since that motion satisfies all conditions.
//! - μ_f is infinite where stick is out of reach or would pull; then μ_min = μd.
//! - (5.9) is the energy constraint of section 5.4, off by default. (5.13), (5.14) print the same speed before and after;
//!   T must be taken after the impact, and the common factor ½ drops out. For e* = 1 it is always reachable: the
//!   frictionless motion has energy change Σ ½ pₙ (1 − e) uₙ⁻ ≤ 0. For e* < 1 it may not be, which is an error.
//! - Redundant contacts: G⁻¹ in (4.8) is replaced by all impulses with that motion; the least of them is reported.
//!
//! # Global solution
//! One contact, any number of tangents: certain, on one curve, see `single`. Several planar contacts: certain, by branch
//! and bound on signs and speeds, see `search`; [`Dissipation::resolve_certified`] returns the bound. Several contacts
//! of which some are spatial: the same search with sectors of slip directions, certain to 1e-7 of the contact velocity,
//! then polished. A search that meets `region_limit` first gives the best motion so far and says so ([`Certificate::certain`];
//! in runs the event is told as chosen); if it has none, the impact is resolved by the safety net.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | x | `x` | slip after the impact, uₜ⁺ | m/s |
//! | v_s, a | `slip_speed`, `exponent` | layer of the smoothed friction | m/s, 1 |
//! | μ_f | `needed_for_stick` | friction that stick needs | 1 |
//! | e* | `energy_limit` | energy after over energy before, at most | 1 |
//!
//! # Limits
//! Restitution is Newton's, so with friction the energy may grow; `impact::audit` reports it and `energy_limit`
//! prevents it. The distance (4.4) adds velocities and coefficients: with several contacts the answer depends on
//! `velocity_unit`. At most [`MOST_CONTACTS`] contacts.
//!
//! # Source
//! Flickinger 2011, section 4.1, (4.2)–(4.10), and section 5.4, (5.5)–(5.14). Signs as there, e ≥ 0.
//!
//! # Tests
//! `tests/dissipation/`, with scans as the independent check: `eq4_4_to_4_8_two_planar_contacts_agree_with_a_scan`,
//! `two_spatial_contacts_agree_with_a_scan`, `one_contact_agrees_with_a_scan`, `eq4_9_least_friction`,
//! `r1_friction_along_the_slip_is_excluded`, `r2_released_contacts`, `many_contacts_take_bounded_work`, `feasibility_eq1_eq2` for (4.2) and (4.3);
//! `karnopp`: `eq4_10_as_described`; `tests/energy_control.rs`: `eq5_9_energy_constraint`,
//! `eq5_6_to_5_14_agree_with_a_scan`.

mod bicycle;
mod chart;
mod feasibility;
mod karnopp;
mod law;
mod options;
mod polish;
mod program;
mod redundant;
mod region;
mod search;
mod single;
mod violation;

pub use bicycle::ObliqueBicycle;
pub use feasibility::{FeasibilityCurve, FeasiblePoint};
pub use karnopp::Karnopp;
pub use law::{Certificate, Dissipation, MOST_CONTACTS};
pub use options::DissipationOptions;
pub(crate) use options::energy_limit;
