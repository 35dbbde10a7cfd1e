//! Checks every solution: momentum, unilaterality, penetration, friction cone, energy.
//!
//! # Law
//! With u the velocity scale (largest contact velocity before or after), P the impulse scale (largest row of p) and
//! W = Σ|p_i| u the energy scale,
//! ```text
//! momentum         max |u⁺ − u⁻ − G p| / (u + |G||p|), row by row  (1)
//! unilaterality    max(−pₙ) / P                                    (2)
//! penetration      max(−uₙ⁺) / u, contacts that are not apart      (3)
//! cone             max(‖pₜ‖ − μ pₙ) / P, μ = μs                    (4)
//! balance          |normal + friction work − p·(u⁻+u⁺)/2| / W      (5)
//! gain             max(0, normal + friction work) / W              (6)
//! ```
//! The divisor of (1) is what round-off is proportional to. (5) holds because the energy change of any impulse is p·(u⁻+u⁺)/2, whatever the path.
//!
//! # Tests
//! `tests/impact_audit.rs`: `eq1_momentum`, `eq2_unilaterality_and_eq4_cone`,
//! `eq3_penetration_ignores_open_contacts`, `eq5_balance_and_eq6_gain`.

use super::contact_space::{ContactSpace, Phase};
use super::solution::ImpactSolution;
use crate::numeric::thresholds;

/// Relative figures of one solution; each is zero for a perfect one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Audit {
    /// Residual of u⁺ = u⁻ + G p, equation (1).
    pub momentum: f64,
    /// Largest pulling normal impulse, (2).
    pub unilaterality: f64,
    /// Largest approach velocity left, (3).
    pub penetration: f64,
    /// Largest excess over the friction cone, (4).
    pub cone: f64,
    /// Works that do not add up to the change of energy, (5).
    pub balance: f64,
    /// Energy gained, (6).
    pub gain: f64,
}

/// Largest acceptable figure of each check, relative.
///
/// The default, 1e-9 each, suits problems with condition of G up to about 1e6; momentum and balance are round-off
/// and grow with the condition. `f64::INFINITY` switches a check off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances(pub Audit);

impl Default for Tolerances {
    fn default() -> Self {
        Self::uniform(thresholds::ACCEPTED)
    }
}

impl Tolerances {
    /// The same tolerance for every check.
    pub fn uniform(t: f64) -> Self {
        Self(Audit { momentum: t, unilaterality: t, penetration: t, cone: t, balance: t, gain: t })
    }
}

/// A check that failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Name of the check, the field of [`Audit`].
    pub check: &'static str,
    /// Its figure.
    pub value: f64,
    /// What was allowed.
    pub tolerance: f64,
}

impl Audit {
    fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("momentum", self.momentum),
            ("unilaterality", self.unilaterality),
            ("penetration", self.penetration),
            ("cone", self.cone),
            ("balance", self.balance),
            ("gain", self.gain),
        ]
    }

    /// The worst check and its figure; NaN counts as worst.
    pub fn worst(&self) -> (&'static str, f64) {
        let worse = |a: (&'static str, f64), b: (&'static str, f64)| {
            if b.1 > a.1 || b.1.is_nan() { b } else { a }
        };
        self.named().into_iter().reduce(worse).unwrap_or(("momentum", 0.0))
    }

    /// The checks above their tolerance, NaN included.
    pub fn violations(&self, tolerances: &Tolerances) -> impl Iterator<Item = Violation> {
        let limits = tolerances.0.named();
        self.named().into_iter().zip(limits).filter_map(|((check, value), (_, tolerance))| {
            let holds = value <= tolerance;
            (!holds).then_some(Violation { check, value, tolerance })
        })
    }
}

/// Audits a solution. Allocates nothing.
pub fn audit(space: &ContactSpace, solution: &ImpactSolution) -> Audit {
    let (p, u) = (&solution.impulses, &solution.u_post);
    let u_scale = u.iter().fold(space.velocity_scale, |s, x| s.max(x.abs())).max(f64::MIN_POSITIVE);
    let p_scale = p.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
    let w_scale = p.iter().map(|x| x.abs()).sum::<f64>().max(f64::MIN_POSITIVE) * u_scale;
    let mut a = Audit { momentum: momentum(space, solution, u_scale), ..Audit::default() };
    let mut work = 0.0;
    for c in &space.contacts {
        let p_n = p[c.normal()];
        let p_t = c.tangent_rows().fold(0.0_f64, |s, i| s.hypot(p[i]));
        a.unilaterality = worse(a.unilaterality, -p_n / p_scale);
        a.cone = worse(a.cone, (p_t - c.static_friction * p_n.max(0.0)) / p_scale);
        if c.phase != Phase::Apart {
            a.penetration = worse(a.penetration, -u[c.normal()] / u_scale);
        }
        work += c.rows().map(|i| 0.5 * p[i] * (space.u_pre[i] + u[i])).sum::<f64>();
    }
    let claimed = solution.normal_work + solution.friction_work;
    a.balance = worse(0.0, (claimed - work).abs() / w_scale);
    a.gain = worse(0.0, claimed / w_scale);
    a
}

fn momentum(space: &ContactSpace, solution: &ImpactSolution, u_scale: f64) -> f64 {
    (0..space.rows()).fold(0.0, |worst, i| {
        let (mut residual, mut scale) = (solution.u_post[i] - space.u_pre[i], u_scale);
        for j in 0..space.rows() {
            let term = space.G[(i, j)] * solution.impulses[j];
            residual -= term;
            scale += term.abs();
        }
        worse(worst, residual.abs() / scale)
    })
}

/// max(a, b), but NaN wins.
fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
