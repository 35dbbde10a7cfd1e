//! Directional dynamic capability equations in closed form, where actuation is square.
//!
//! # Law
//! Let all accelerations but one be held: (j; H; J) v̇ = (a − γₓ; r; −γ) with as many rows as there are
//! degrees of freedom, so that v̇ = v̇₀ + a w; and let torques and contact forces together be as many:
//! ```text
//! (τ; λ) = [B Jᵀ]⁻¹ (M v̇ + h) = Υ₀ + a E                                  (1)
//! Υ_lower − Υ₀ ≤ E a ≤ Υ_upper − Υ₀,  row by row                          (2)
//! a* = min over i of (Υ_upper,ᵢ − Υ₀ᵢ)/Eᵢ (Eᵢ > 0), (Υ_lower,ᵢ − Υ₀ᵢ)/Eᵢ (Eᵢ < 0)     (3)
//! ‖λₜ(a)‖ ≤ μ λₙ(a):  an interval of a between roots of a quadratic        (4)
//! |a| ≤ min over i of min(Υ_upper,ᵢ − Υ₀ᵢ, Υ₀ᵢ − Υ_lower,ᵢ)/|Eᵢ|           (5)
//! ```
//! Without contacts and with nothing held, the largest acceleration over the box of torques is
//! ```text
//! a* = γₓ − j·M⁻¹h + Σ max(kᵢ τ_lower,ᵢ, kᵢ τ_upper,ᵢ),   k = Bᵀ M⁻¹ j      (6)
//! ```
//!
//! # Source
//! Flickinger 2011, (6.1)–(6.6), derived anew. What the text has wrong or leaves out:
//! - (6.1): the velocity force is G⁻ᵀ(b − A J_A⁻¹ J̇_A q̇); the dot of J̇_A is missing. E and R_x need all
//!   of J_A to be square and regular, and as many actuators as degrees of freedom, which the jumping
//!   leg (nine freedoms, three motors, three contact forces) has not.
//! - (6.6) takes |E_x| in the rows of both limits, which is (5): the acceleration guaranteed along
//!   *either* sense of the axis. The capability in one sense is (3), never smaller.
//! - "only those equations with sign(E_x) > 0": the rows that bound +x are the upper limits where
//!   E_x > 0 *and* the lower limits where E_x < 0. Taking only the former overestimates.
//! - (6.8) Υ_lower ≤ Υ_bound ≤ Υ_upper compares the wrong things: (2) is meant.
//! - the friction cone, named in the text, is in none of the equations: (4).
//!
//! # Tests
//! `tests/capability.rs`: `eq1_closed_form_and_program_agree` (1)–(4), `eq5_symmetric`,
//! `eq6_box_of_torques`.

use super::largest::Limit;
use super::problem::CapabilityProblem;
use crate::error::AgilityError;
use crate::program::Cone;
use crate::thresholds::closed_form::FLAT;
use nalgebra::{DMatrix, DVector};

/// The accelerations that are possible with everything else held.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedForm {
    /// Largest a, equations (3) and (4).
    pub largest: f64,
    /// What stops it.
    pub limit: Limit,
    /// Smallest a, by the same equations.
    pub smallest: f64,
    /// Equation (5): what the torques guarantee in both senses; contact forces are left out, as in the
    /// source. Negative if not even a = 0 can be held.
    pub symmetric: f64,
    /// Υ₀ of equation (1): torques, then contact forces at a = 0.
    pub at_rest: DVector<f64>,
    /// E of equation (1).
    pub slope: DVector<f64>,
}

/// Equations (1)–(5); `None` if no a is possible.
pub fn closed_form(problem: &CapabilityProblem) -> Result<Option<ClosedForm>, AgilityError> {
    problem.check()?;
    let (at_rest, slope) = affine(problem)?;
    let m = problem.motors();
    let mut range = Range::new();
    let mut symmetric = f64::INFINITY;
    let flat = FLAT * slope.rows(0, m).amax();
    for i in 0..m {
        let (low, high) =
            (problem.torque_lower[i] - at_rest[i], problem.torque_upper[i] - at_rest[i]);
        if slope[i].abs() <= flat {
            if low > 0.0 || high < 0.0 {
                return Ok(None);
            }
            continue;
        }
        symmetric = symmetric.min(high.min(-low) / slope[i].abs());
        let (up, down) = if slope[i] > 0.0 {
            (Limit::TorqueUpper(i), (low / slope[i], high / slope[i]))
        } else {
            (Limit::TorqueLower(i), (high / slope[i], low / slope[i]))
        };
        range.meet(down, up);
    }
    for (i, cone) in problem.cones.iter().enumerate() {
        let Some((interval, limit)) = cone_interval(cone, i, m, &at_rest, &slope) else {
            return Ok(None);
        };
        range.meet(interval, limit);
    }
    let Range { low: smallest, high: largest, limit } = range;
    let Some(limit) = limit.filter(|_| smallest <= largest) else { return Ok(None) };
    Ok(Some(ClosedForm { largest, limit, smallest, symmetric, at_rest, slope }))
}

/// Equation (6).
pub fn box_capability(problem: &CapabilityProblem) -> Result<f64, AgilityError> {
    problem.check()?;
    let (rows, held) = (problem.contact_rows.nrows(), problem.held.len());
    if rows + held > 0 {
        let forces = problem.motors() + rows;
        return Err(AgilityError::NotSquare { rows: 1 + held + rows, nv: problem.nv(), forces });
    }
    let factor = problem.mass_matrix.clone().cholesky().ok_or(AgilityError::MassMatrix)?;
    let weight = factor.solve(&problem.task_row);
    let k = problem.actuation.tr_mul(&weight);
    let limits = problem.torque_lower.iter().zip(&problem.torque_upper);
    let best: f64 = k.iter().zip(limits).map(|(k, (l, u))| (k * l).max(k * u)).sum();
    Ok(problem.task_bias - weight.dot(&problem.bias) + best)
}

/// Υ₀ and E, equation (1).
fn affine(problem: &CapabilityProblem) -> Result<(DVector<f64>, DVector<f64>), AgilityError> {
    let (n, m) = (problem.nv(), problem.motors());
    let (nr, nh) = (problem.contact_rows.nrows(), problem.held.len());
    if 1 + nh + nr != n || m + nr != n {
        return Err(AgilityError::NotSquare { rows: 1 + nh + nr, nv: n, forces: m + nr });
    }
    let mut motion = DMatrix::zeros(n, n);
    motion.row_mut(0).copy_from(&problem.task_row.transpose());
    motion.rows_mut(1, nh).copy_from(&problem.held.matrix);
    motion.rows_mut(1 + nh, nr).copy_from(&problem.contact_rows);
    let mut rest = DVector::zeros(n);
    rest[0] = -problem.task_bias;
    rest.rows_mut(1, nh).copy_from(&problem.held.bound);
    rest.rows_mut(1 + nh, nr).copy_from(&-&problem.contact_bias);
    let mut one = DVector::zeros(n);
    one[0] = 1.0;
    let motion = motion.lu();
    let singular = |what| AgilityError::Singular { what };
    let v0 = motion.solve(&rest).ok_or(singular("the matrix of accelerations"))?;
    let w = motion.solve(&one).ok_or(singular("the matrix of accelerations"))?;
    let mut effort = DMatrix::zeros(n, n);
    effort.columns_mut(0, m).copy_from(&problem.actuation);
    effort.columns_mut(m, nr).copy_from(&problem.contact_rows.transpose());
    let effort = effort.lu();
    let M = &problem.mass_matrix;
    let at_rest = effort.solve(&(M * v0 + &problem.bias)).ok_or(singular("the actuation"))?;
    let slope = effort.solve(&(M * w)).ok_or(singular("the actuation"))?;
    Ok((at_rest, slope))
}

/// The interval that is left, and what ends it above.
struct Range {
    low: f64,
    high: f64,
    limit: Option<Limit>,
}

impl Range {
    fn new() -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, limit: None }
    }

    fn meet(&mut self, (low, high): (f64, f64), limit: Limit) {
        self.low = self.low.max(low);
        if high < self.high {
            (self.high, self.limit) = (high, Some(limit));
        }
    }
}

/// Equation (4): where ‖b + a e‖ ≤ μ (bₙ + a eₙ). The cone is convex, so this is an interval.
fn cone_interval(
    cone: &Cone,
    i: usize,
    m: usize,
    at_rest: &DVector<f64>,
    slope: &DVector<f64>,
) -> Option<((f64, f64), Limit)> {
    let n = m + cone.normal();
    let (b_n, e_n) = (cone.friction * at_rest[n], cone.friction * slope[n]);
    let b = at_rest.rows(m + cone.first, cone.tangents);
    let e = slope.rows(m + cone.first, cone.tangents);
    if cone.tangents == 0 || cone.friction == 0.0 {
        let (b_n, e_n) = (at_rest[n], slope[n]);
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        let interval = match e_n.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => (-b_n / e_n, f64::INFINITY),
            std::cmp::Ordering::Less => (f64::NEG_INFINITY, -b_n / e_n),
            std::cmp::Ordering::Equal if b_n >= 0.0 => all,
            std::cmp::Ordering::Equal => return None,
        };
        return Some((interval, Limit::LiftOff(i)));
    }
    // f(a) = μ²(bₙ + a eₙ)² − ‖b + a e‖² ≥ 0 on the branch where bₙ + a eₙ ≥ 0
    let (A, B, C) =
        (e_n * e_n - e.norm_squared(), e_n * b_n - e.dot(&b), b_n * b_n - b.norm_squared());
    let discriminant = B * B - A * C;
    let inside = |a: f64| b_n + a * e_n >= (b + e * a).norm();
    let interval = if A.abs() <= FLAT * (e_n * e_n + e.norm_squared()) {
        half_line(B, C, inside)
    } else if discriminant < 0.0 {
        // No crossing: inside everywhere or nowhere.
        inside(0.0).then_some((f64::NEG_INFINITY, f64::INFINITY))
    } else {
        // Roots without cancellation.
        let q = -(B + discriminant.sqrt().copysign(B));
        let (r1, r2) = if q == 0.0 { (0.0, 0.0) } else { (q / A, C / q) };
        between(r1.min(r2), r1.max(r2), inside)
    };
    interval.map(|interval| (interval, Limit::Slip(i)))
}

/// 2 B a + C ≥ 0, the quadratic term having vanished.
fn half_line(B: f64, C: f64, inside: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    if B == 0.0 {
        return inside(0.0).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let root = -C / (2.0 * B);
    let beyond = root + (1.0 + root.abs()).copysign(B);
    inside(beyond).then_some(if B > 0.0 {
        (root, f64::INFINITY)
    } else {
        (f64::NEG_INFINITY, root)
    })
}

/// Which of the three pieces between two roots is inside the cone; a convex set has one.
fn between(r1: f64, r2: f64, inside: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    let step = 1.0 + r1.abs().max(r2.abs());
    if inside(0.5 * (r1 + r2)) {
        Some((r1, r2))
    } else if inside(r2 + step) {
        Some((r2, f64::INFINITY))
    } else if inside(r1 - step) {
        Some((f64::NEG_INFINITY, r1))
    } else {
        None
    }
}
