//! Bodies that overlap a little at the start, moved apart.
//!
//! # Law
//! Of the sites that overlap, with gaps g < 0 and their slopes J along the degrees of freedom,
//! ```text
//! minimise δᵀ M δ   subject to   J δ = −g,        q ← q ⊕ δ,             (1)
//! ```
//! again and again until all of them touch, |g| ≤ 1e-12 m: the least motion in the measure of kinetic energy. Where not all of them can
//! touch (a ball in two grounds of different height),
//! ```text
//! minimise δᵀ M δ   subject to   J δ ≥ −g                               (2)
//! ```
//! takes the place of (1), and it ends with the last posture in which none overlaps. Sites that come to overlap on the way join in. Prescribed coordinates stay, tied ones follow.
//!
//! # Limits
//! Where neither comes to an end within a few turns the start is refused as it stands.
//!
//! # Tests
//! `tests/reading.rs`: `a_small_penetration_is_moved_apart`, `eq2_a_ball_in_two_grounds_rises_out_of_both`.

use carom::contact::site_state::site_approach;
use carom::contact::{Site, sites};
use carom::control::Prescribed;
use carom::dynamics::integrate::step;
use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::model::Model;
use nalgebra::{DMatrix, DVector};

/// Turns of (1) at most.
const TURNS: usize = 30;
/// A gap of this size is none, m.
const CLOSED: f64 = 1e-12;

/// The posture that is nearest to `q` without overlap; none if it is not found.
pub(crate) fn moved_apart(model: &Model, q: &[f64], prescribed: &[Prescribed]) -> Option<Vec<f64>> {
    let mut q = q.to_vec();
    let ways = ways(model, prescribed);
    let sites: Vec<Site> = sites(model).into_iter().filter(|s| s.pair.is_some()).collect();
    let rest = vec![0.0; model.nv()];
    let mut active: Vec<usize> = Vec::new();
    let mut clear = None;
    for _ in 0..TURNS {
        let now = approaches(model, &sites, (&q, &rest));
        let gaps = &now.gaps;
        let overlaps = (0..gaps.len()).filter(|i| gaps[*i] < -CLOSED);
        let new: Vec<usize> = overlaps.filter(|i| !active.contains(i)).collect();
        if new.is_empty() && active.iter().all(|i| gaps[*i] >= -CLOSED) {
            if active.iter().all(|i| gaps[*i] <= CLOSED) {
                return Some(q);
            }
            clear = Some(q.clone());
        }
        active.extend(new);
        let delta = correction(model, (&sites, &q), (&ways, &active), &now)?;
        let mut next = q.clone();
        step(model, &q, delta.as_slice(), &mut next);
        q = next;
    }
    clear
}

/// The motions that are free, as columns: one for each degree of freedom that is neither prescribed
/// nor follows, with what follows it.
fn ways(model: &Model, prescribed: &[Prescribed]) -> DMatrix<f64> {
    let nv = model.nv();
    let mut all = DMatrix::identity(nv, nv);
    // Followers of followers: as often as there are ties.
    for _ in model.couplings() {
        for tie in model.couplings() {
            let row = all.row(tie.leader) * tie.ratio;
            all.set_row(tie.follower, &row);
        }
    }
    let fixed = |dof: usize| prescribed.iter().any(|p| p.dof == dof);
    let follows = |dof: usize| model.couplings().iter().any(|t| t.follower == dof);
    let free: Vec<usize> = (0..nv).filter(|dof| !fixed(*dof) && !follows(*dof)).collect();
    all.select_columns(&free)
}

/// Gaps of all sites, and their rates under velocities.
fn approaches(model: &Model, sites: &[Site], (q, v): (&[f64], &[f64])) -> Approaches {
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let all = sites.iter().map(|site| site_approach(model, site, &kin, (q, v)));
    let (gaps, rates) = all.map(|a| (a.gap, a.rate)).unzip();
    Approaches { kin, gaps, rates }
}

struct Approaches {
    kin: Kinematics,
    gaps: Vec<f64>,
    rates: Vec<f64>,
}

/// δ of equation (1), by least squares where contacts are redundant, or of (2).
fn correction(
    model: &Model,
    (sites, q): (&[Site], &[f64]),
    (ways, active): (&DMatrix<f64>, &[usize]),
    now: &Approaches,
) -> Option<DVector<f64>> {
    let mut M = DMatrix::zeros(model.nv(), model.nv());
    mass_matrix(model, &now.kin, &mut CompositeScratch::new(model), &mut M);
    let M = (ways.transpose() * M * ways).cholesky()?;
    let mut J = DMatrix::zeros(active.len(), ways.ncols());
    for (k, way) in ways.column_iter().enumerate() {
        let way = way.into_owned();
        let slopes = approaches(model, sites, (q, way.as_slice())).rates;
        for (row, &site) in active.iter().enumerate() {
            J[(row, k)] = slopes[site];
        }
    }
    let wanted = DVector::from_iterator(active.len(), active.iter().map(|&i| -now.gaps[i]));
    let G = &J * M.solve(&J.transpose());
    let size = G.amax();
    let mut p = carom::numeric::svd(G.clone())?.solve(&wanted, 1e-9 * size).ok()?;
    let overlap = (&wanted - &G * &p).max();
    if overlap > CLOSED.max(1e-9 * wanted.amax()) {
        p = pressing(&G, &wanted);
    }
    Some(ways * M.solve(&(J.transpose() * p)))
}

/// p ≥ 0 with G p ≥ w, where one of the two is zero in each row: equation (2), by projected Gauss–Seidel.
fn pressing(G: &DMatrix<f64>, w: &DVector<f64>) -> DVector<f64> {
    const SWEEPS: usize = 1000;
    let mut p: DVector<f64> = DVector::zeros(w.len());
    for _ in 0..SWEEPS {
        for i in (0..w.len()).filter(|i| G[(*i, *i)] > 0.0) {
            let lacking = w[i] - G.row(i).transpose().dot(&p);
            p[i] = (p[i] + lacking / G[(i, i)]).max(0.0);
        }
    }
    p
}
