//! Feasibility curves: the friction coefficient that each slip after the impact needs.
//!
//! # Law
//! For one planar contact, with the symbols of `single`,
//! ```text
//! pₜ = (x − x*)/σ,   pₙ = (Δ − k pₜ)/g                                  (1)
//! μ(x) = |pₜ|/|pₙ|                                                      (2), (4.2)
//! pole: x = x* + σΔ/k,   limit for |x| → ∞: g/|k|,   μ_f = μ(0)         (3)
//! |pₜ| ≤ μ pₙ  ⇔  −μΔ/(g − μk) ≤ pₜ ≤ μΔ/(g + μk)                       (4)
//! ```
//! where a bound of (4) whose divisor is not positive is absent. Beyond the pole pₙ < 0: the contact would have to pull.
//!
//! # Source
//! Flickinger 2011, figures 4.1 to 4.5.
//!
//! # Tests
//! `tests/dissipation/`: `feasibility_eq1_eq2`, `feasibility_eq3_pole_and_limit`, `feasibility_eq4_interval`,
//! `bicycle_postures_of_figures_4_2_to_4_5`.

use crate::impact::contact_space::ContactSpace;
use crate::impact::error::{ImpactError, Reason};
use crate::numeric::thresholds::dissipation;

/// One point of a feasibility curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeasiblePoint {
    /// Slip after the impact, x.
    pub slip: f64,
    /// Friction impulse that gives it.
    pub tangent_impulse: f64,
    /// Normal impulse with it; negative where the slip is out of reach.
    pub normal_impulse: f64,
    /// Friction coefficient needed, |pₜ|/|pₙ|; infinite at the pole.
    pub friction: f64,
}

/// The feasibility curve of one planar contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeasibilityCurve {
    free: f64,
    sigma: f64,
    k: f64,
    g: f64,
    delta: f64,
}

impl FeasibilityCurve {
    /// The curve of a colliding contact with one tangent; all other contacts are left out.
    pub fn new(space: &ContactSpace, contact: usize) -> Result<Self, ImpactError> {
        let c = &space.contacts[contact];
        let not_applicable = |reason| ImpactError::NotApplicable { law: "dissipation", reason };
        if c.tangents != 1 {
            return Err(not_applicable(Reason::Tangents {
                contact,
                found: c.tangents,
                largest: 1,
            }));
        }
        let (t, n) = (c.first, c.normal());
        let (g, k) = (space.G[(n, n)], space.G[(t, n)]);
        if g <= 0.0 {
            return Err(not_applicable(Reason::Immovable { contact }));
        }
        if space.u_pre[n] >= 0.0 {
            return Err(space.no_approach());
        }
        let delta = -(1.0 + c.restitution) * space.u_pre[n];
        Ok(Self {
            free: space.u_pre[t] + k * delta / g,
            sigma: space.G[(t, t)] - k * k / g,
            k,
            g,
            delta,
        })
    }

    /// Slip after a frictionless impact, where the curve touches μ = 0.
    pub fn frictionless_slip(&self) -> f64 {
        self.free
    }

    /// The point at a slip (1), (2).
    pub fn at(&self, slip: f64) -> FeasiblePoint {
        let tangent_impulse = (slip - self.free) / self.sigma;
        let normal_impulse = (self.delta - self.k * tangent_impulse) / self.g;
        FeasiblePoint {
            slip,
            tangent_impulse,
            normal_impulse,
            friction: tangent_impulse.abs() / normal_impulse.abs(),
        }
    }

    /// μ_f, the coefficient that stick needs; `None` if stick would have to pull.
    pub fn needed_for_stick(&self) -> Option<f64> {
        let stick = self.at(0.0);
        (stick.normal_impulse >= 0.0).then_some(stick.friction)
    }

    /// Slip at which the normal impulse vanishes (3); `None` if it never does.
    pub fn pole(&self) -> Option<f64> {
        (self.k != 0.0).then(|| self.free + self.sigma * self.delta / self.k)
    }

    /// Coefficient that the curve approaches far away on either side (3); infinite if it does not level off.
    pub fn limit(&self) -> f64 {
        self.g / self.k.abs()
    }

    /// The slips that a constant coefficient allows, (4); the ends may be infinite.
    pub fn slips(&self, friction: f64) -> [f64; 2] {
        let slip = |p_t: f64| self.free + self.sigma * p_t;
        let (below, above) = (self.g - friction * self.k, self.g + friction * self.k);
        let push = friction * self.delta;
        [
            if below > 0.0 { slip(-push / below) } else { f64::NEG_INFINITY },
            if above > 0.0 { slip(push / above) } else { f64::INFINITY },
        ]
    }

    /// Samples the curve between two slips, one branch on each side of the pole.
    ///
    /// Each branch has about `count` points, evenly spaced, plus the kink at μ = 0 and the stick point if they lie on
    /// it, plus points that approach the pole geometrically down to 1e-6 of the range. The pole itself is left out.
    pub fn branches(&self, low: f64, high: f64, count: usize) -> Vec<Vec<FeasiblePoint>> {
        let width = high - low;
        let near = dissipation::NEAR_POLE * width;
        let pole = self.pole().filter(|p| *p > low && *p < high);
        let pieces = match pole {
            None => vec![[low, high]],
            Some(p) => vec![[low, p - near], [p + near, high]],
        };
        pieces
            .into_iter()
            .filter(|[a, b]| a < b)
            .map(|[a, b]| {
                let even = (0..count).map(|i| a + (b - a) * i as f64 / (count - 1).max(1) as f64);
                let special = [0.0, self.free].into_iter();
                let approach = pole.into_iter().flat_map(|p| {
                    (0..6).flat_map(move |j| {
                        let distance = near * 10f64.powi(j);
                        [p - distance, p + distance]
                    })
                });
                let inside = special.chain(approach).filter(|x| *x > a && *x < b);
                let mut slips: Vec<f64> = even.chain(inside).collect();
                slips.sort_by(f64::total_cmp);
                slips.dedup();
                slips.into_iter().map(|x| self.at(x)).collect()
            })
            .collect()
    }
}
