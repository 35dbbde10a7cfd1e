//! Brach's revision of Whittaker's law: the impulse ratio never makes the impact gain energy.
//!
//! # Law
//! Let r = pₜ/pₙ at the colliding contact and r_W its value by Whittaker's law. Then
//! ```text
//! |r| = min(|r₀|, μ, |r_t|),   sign r = sign r_W                             (1)
//! ```
//! r₀ is the ratio without slip (Whittaker's law already takes the smaller of r₀ and μ) and r_t the
//! ratio at which no energy is lost. If Whittaker's answer does not gain energy it stands.
//! Otherwise, for each mode set of the other contacts, their impulses are affine in the impulse of
//! the colliding one,
//! ```text
//! p = p⁰ + pₙ w,  w = wⁿ + r wᵗ,  pₙ = −h/d,  d = gₙ + r gₜ,  h = (1+e)uₙ⁻ + (G p⁰)ₙ   (2)
//! ```
//! with g = (G w)ₙ, and the loss vanishes where
//! ```text
//! E⁰ d² − h d w·(u⁻ + G p⁰) + ½ h² wᵀG w = 0,   E⁰ = p⁰·u⁻ + ½ p⁰ᵀG p⁰                  (3)
//! ```
//! a quadratic in r. Of its roots with Whittaker's sign the one of smaller magnitude is taken if it is admissible, else
//! the other.
//!
//! # Assumptions
//! - As Whittaker's law, with exactly one colliding contact.
//! - The mode set of Whittaker's answer is tried first, so that the answer is continuous where the
//!   gain begins; then all others, most contacts at rest first, then the smallest |r|.
//! - |r_t| ≤ |r_W| by (1): a larger root is not taken.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | r | `ratio` | pₜ/pₙ at the colliding contact | 1 |
//! | p⁰, wⁿ, wᵗ | `p0`, `w_n`, `w_t` | impulses without, per pₙ, per pₜ | N·s, 1, 1 |
//! | E⁰ | `e0` | energy change of p⁰ | J |
//!
//! # Limits
//! Touching contacts whose slip reverses can make even r = 0 gain energy; then (3) has no root of
//! the right sign and the law has no answer, which is reported, instead of an answer that gains.
//!
//! # Source
//! Hurmuzlu & Marghitu 1994, eq. (30), steps 5–7, read; after Brach 1989. (2), (3) derived here. The
//! text does not say which root; the rule above is the one that tends to Whittaker's ratio.
//!
//! # Tests
//! `tests/laws/brach.rs`: `eq1_ratio_is_the_smallest_and_eq3_root_loses_nothing`,
//! `never_gains_energy`, `whittaker_stands_where_it_loses`, `agrees_with_brute_force`,
//! `elastic_impact_of_one_contact_has_an_answer`, `eq3_second_root`.

use crate::numeric::thresholds::impact;
use crate::numeric::thresholds::impact::NO_GAIN;
use nalgebra::DVector;

use super::algebraic::{begin, end};
use super::contact_space::{ContactSpace, reshape_vector};
use super::error::{ImpactError, Reason};
use super::law::{ImpactLaw, Promises};
use super::mode_search::{ADMISSIBLE, ModeSearch, energy_change};
use super::solution::{ImpactSolution, Solved};
use super::whittaker::Whittaker;
use super::workspace::ImpactWorkspace;
use crate::coulomb::{Duty, Mode, ModeSystem, Problem, residual, velocity};

/// Brach's law, see the [module](self).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brach;

/// Scratch of the zero-loss search.
#[derive(Debug, Default)]
pub(crate) struct BrachScratch {
    others: Problem,
    system: ModeSystem,
    p0: DVector<f64>,
    w_n: DVector<f64>,
    w_t: DVector<f64>,
    f: DVector<f64>,
    trial: DVector<f64>,
    best: DVector<f64>,
    xi: DVector<f64>,
    /// The impulses of the other contacts alone.
    alone: DVector<f64>,
}

impl ImpactLaw for Brach {
    fn name(&self) -> &'static str {
        "brach"
    }

    fn promises(&self) -> Promises {
        Promises::default().gains_never(true)
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let Some(colliding) = space.single_colliding()? else {
            let reason = Reason::SeveralColliding { count: space.colliding().count() };
            return Err(ImpactError::NotApplicable { law: self.name(), reason });
        };
        Whittaker.resolve(space, work, out).map_err(|error| error_as_brach(error, self.name()))?;
        let velocity = out.u_post.amax().max(space.velocity_scale);
        let size = out.impulses.lp_norm(1) * velocity;
        let gain = (out.normal_work + out.friction_work) / size;
        if gain <= NO_GAIN || size == 0.0 {
            return Ok(());
        }
        let row = &space.contacts[colliding];
        let whittaker = out.impulses[row.first] / out.impulses[row.normal()];
        let mut scratch = std::mem::take(&mut work.brach);
        let found = scratch.zero_loss(space, &mut work.modes, (colliding, whittaker));
        work.brach = scratch;
        if !found {
            return Err(ImpactError::NoConsistentMode {
                law: self.name(),
                stage: 0,
                residual: gain,
            });
        }
        begin(space, out)?;
        out.impulses.copy_from(&work.brach.best);
        end(space, out);
        out.solved = Solved::by("modes");
        Ok(())
    }
}

/// Whittaker's refusal under the name of the law that was asked for.
fn error_as_brach(error: ImpactError, law: &'static str) -> ImpactError {
    match error {
        ImpactError::NoConsistentMode { stage, residual, .. } => {
            ImpactError::NoConsistentMode { law, stage, residual }
        }
        ImpactError::NotApplicable { reason, .. } => ImpactError::NotApplicable { law, reason },
        other => other,
    }
}

/// How an admissible zero-loss answer ranks.
#[derive(Clone, Copy, PartialEq)]
struct Rank {
    whittaker_modes: bool,
    resting: usize,
    ratio: f64,
}

impl Rank {
    fn beats(&self, other: &Self) -> bool {
        (self.whittaker_modes, self.resting) > (other.whittaker_modes, other.resting)
            || ((self.whittaker_modes, self.resting) == (other.whittaker_modes, other.resting)
                && self.ratio.abs() < other.ratio.abs())
    }
}

impl BrachScratch {
    /// Tries every mode set of the other contacts; the best answer goes to `best`.
    fn zero_loss(
        &mut self,
        space: &ContactSpace,
        search: &mut ModeSearch,
        (c, whittaker): (usize, f64),
    ) -> bool {
        if space.contacts[c].tangents == 0 {
            return false;
        }
        reshape_vector(&mut self.best, space.rows());
        space.coulomb(&mut self.others);
        self.others.contacts[c].duty = Duty::Apart;
        search.problem.contacts[c].duty = Duty::Apart;
        let total: usize = search.count(space);
        let mut best: Option<Rank> = None;
        for code in 0..total {
            search.decode(space, code);
            self.respond(space, c, &search.modes);
            let candidates = self.ratios(space, c, whittaker);
            let fits = |ratio: &f64| self.try_ratio(space, c, *ratio) && self.admissible(space, c);
            let Some(ratio) = candidates.into_iter().find(fits) else {
                continue;
            };
            let rank = Rank {
                whittaker_modes: same(&self.others, &search.modes, &search.best_modes),
                resting: self.others.active().filter(|&k| search.modes[k].sticks()).count(),
                ratio,
            };
            if best.is_none_or(|known| rank.beats(&known)) {
                best = Some(rank);
                self.best.copy_from(&self.trial);
            }
        }
        best.is_some()
    }

    /// p⁰, wⁿ and wᵗ of (2) for one mode set of the other contacts.
    fn respond(&mut self, space: &ContactSpace, c: usize, modes: &[Mode]) {
        let row = &space.contacts[c];
        self.others.b.copy_from(&space.u_pre);
        self.system.solve(&self.others, modes, &mut self.p0);
        for (w, i) in [(&mut self.w_n, row.normal()), (&mut self.w_t, row.first)] {
            self.others.b.copy_from(&space.G.column(i));
            self.system.solve(&self.others, modes, w);
            w[i] = 1.0;
        }
        self.others.b.copy_from(&space.u_pre);
    }

    /// The roots of (3) with Whittaker's sign and not above Whittaker's, the smaller magnitude first; infinite if none.
    fn ratios(&mut self, space: &ContactSpace, c: usize, whittaker: f64) -> [f64; 2] {
        let n = space.contacts[c].normal();
        let e = space.contacts[c].restitution;
        reshape_vector(&mut self.f, space.rows());
        space.velocity_after(&self.p0, &mut self.f);
        let row = space.G.row(n);
        let (g_n, g_t) = (row.tr_dot(&self.w_n), row.tr_dot(&self.w_t));
        let h = e * space.u_pre[n] + self.f[n];
        let e0 = energy_change(space, &self.p0);
        let (f_n, f_t) = (self.f.dot(&self.w_n), self.f.dot(&self.w_t));
        let product = |a: &DVector<f64>, b: &DVector<f64>| -> f64 {
            (0..a.len()).map(|j| a[j] * space.G.column(j).dot(b)).sum()
        };
        let (nn, nt, tt) = (
            product(&self.w_n, &self.w_n),
            product(&self.w_n, &self.w_t),
            product(&self.w_t, &self.w_t),
        );
        let half = 0.5 * h * h;
        let constant = e0 * g_n * g_n - h * g_n * f_n + half * nn;
        let linear = 2.0 * e0 * g_n * g_t - h * (g_n * f_t + g_t * f_n) + 2.0 * half * nt;
        let square = e0 * g_t * g_t - h * g_t * f_t + half * tt;
        let limit = whittaker.abs() * (1.0 + impact::SAME_RATIO);
        // An elastic impact without friction loses nothing: r = 0 is a root, and round-off may give it the other sign.
        let right =
            |r: f64| r * whittaker >= 0.0 || r.abs() <= impact::SAME_RATIO * whittaker.abs();
        let allowed = |r: f64| if right(r) && r.abs() <= limit { r } else { f64::INFINITY };
        let [a, b] = roots(square, linear, constant).map(allowed);
        if a.abs() <= b.abs() { [a, b] } else { [b, a] }
    }

    /// The impulses of (2) for a ratio, into `trial`; false if the colliding contact would pull.
    fn try_ratio(&mut self, space: &ContactSpace, c: usize, ratio: f64) -> bool {
        let n = space.contacts[c].normal();
        let row = space.G.row(n);
        let h = space.contacts[c].restitution * space.u_pre[n] + self.f[n];
        let p_n = -h / (row.tr_dot(&self.w_n) + ratio * row.tr_dot(&self.w_t));
        if !ratio.is_finite() || p_n.is_nan() || p_n < 0.0 {
            return false;
        }
        reshape_vector(&mut self.trial, space.rows());
        self.trial.copy_from(&self.p0);
        self.trial.axpy(p_n, &self.w_n, 1.0);
        self.trial.axpy(p_n * ratio, &self.w_t, 1.0);
        true
    }

    /// The conditions of the other contacts, and (2) of Whittaker's law at the colliding one.
    fn admissible(&mut self, space: &ContactSpace, c: usize) -> bool {
        // What the colliding contact does to the others is given, it is not part of their problem.
        let rows = space.contacts[c].rows();
        reshape_vector(&mut self.alone, space.rows());
        self.alone.copy_from(&self.trial);
        for i in rows.clone() {
            self.others.b.axpy(self.trial[i], &space.G.column(i), 1.0);
            self.alone[i] = 0.0;
        }
        velocity(&self.others, &self.alone, &mut self.xi);
        let n = space.contacts[c].normal();
        let scale = self.xi.amax().max(space.velocity_scale);
        let rebound = self.xi[n] + space.contacts[c].restitution * space.u_pre[n];
        let miss = residual(&self.others, &self.alone, &self.xi);
        self.others.b.copy_from(&space.u_pre);
        rebound.abs() <= ADMISSIBLE * scale && miss <= ADMISSIBLE
    }
}

fn same(problem: &Problem, a: &[Mode], b: &[Mode]) -> bool {
    problem.active().all(|k| a[k] == b[k])
}

/// Real roots of a x² + b x + c without cancellation; infinite where the degree is lower.
fn roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let discriminant = b * b - 4.0 * a * c;
    // round-off may push a double root off the axis
    let slack = impact::DOUBLE_ROOT * (b * b + (4.0 * a * c).abs());
    if discriminant < -slack {
        return [f64::INFINITY; 2];
    }
    let q = -0.5 * (b + b.signum() * discriminant.max(0.0).sqrt());
    if q == 0.0 {
        return [if a == 0.0 { f64::INFINITY } else { 0.0 }; 2];
    }
    [q / a, c / q]
}
