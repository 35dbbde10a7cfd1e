//! Random problems, and (4.4) to (4.9) written out for scans.

use carom::impact::dissipation::Karnopp;
use carom::impact::{ContactSpace, Dissipation, DissipationOptions, ImpactSolution};
use nalgebra::{DMatrix, DVector};

use crate::support::{Random, reduce};

pub fn one(random: &mut Random, tangents: usize) -> ContactSpace {
    let n = 2 + tangents + random.below(4);
    reduce(&random.problem(n, &[tangents], 1.0))
}

pub fn several(random: &mut Random, tangents: &[usize]) -> ContactSpace {
    let rows: usize = tangents.iter().map(|t| t + 1).sum();
    let n = rows + random.below(3);
    reduce(&random.problem(n, tangents, 0.5))
}

pub fn solve(space: &ContactSpace, options: DissipationOptions) -> ImpactSolution {
    let mut out = ImpactSolution::default();
    Dissipation::new(options).resolve_certified(space, &mut out).unwrap();
    out
}

pub fn options(slip_speed: f64) -> DissipationOptions {
    DissipationOptions { slip_speed, ..DissipationOptions::default() }
}

/// Friction of contact i when stick needs `needed`.
pub fn karnopp(space: &ContactSpace, i: usize, o: &DissipationOptions, needed: f64) -> Karnopp {
    let c = &space.contacts[i];
    Karnopp {
        static_friction: c.static_friction,
        least: c.friction.min(needed),
        slip_speed: o.slip_speed,
        exponent: o.exponent,
    }
}

/// μ_f of every contact, by the plain inverse of G.
pub fn needed_for_stick(space: &ContactSpace) -> Vec<f64> {
    let p = impulses(space, &DVector::zeros(slips(space)));
    let contacts = space.contacts.iter();
    contacts
        .map(|c| {
            let p_t = p.rows(c.first, c.tangents).norm();
            let p_n = p[c.normal()];
            if p_n > 0.0 { p_t / p_n } else { f64::INFINITY }
        })
        .collect()
}

pub fn slips(space: &ContactSpace) -> usize {
    space.contacts.iter().map(|c| c.tangents).sum()
}

/// (4.8) written out: p = G⁻¹(u⁺ − u⁻).
pub fn impulses(space: &ContactSpace, x: &DVector<f64>) -> DVector<f64> {
    let mut change = -space.u_pre.clone();
    let mut k = 0;
    for c in &space.contacts {
        for i in c.tangent_rows() {
            change[i] += x[k];
            k += 1;
        }
        change[c.normal()] -= c.restitution * space.u_pre[c.normal()];
    }
    space.G.clone().lu().solve(&change).unwrap()
}

pub fn objective(
    space: &ContactSpace,
    o: &DissipationOptions,
    needed: &[f64],
    u: &DVector<f64>,
) -> f64 {
    let mut sum = 0.0;
    for (i, c) in space.contacts.iter().enumerate() {
        let speed = u.rows(c.first, c.tangents).norm();
        let mu = karnopp(space, i, o, needed[i]).coefficient(speed);
        sum += (c.static_friction - mu).powi(2) + (speed / o.velocity_unit).powi(2);
    }
    sum
}

/// Largest violation of (4.6), (4.7) and (R1), relative to the impulses.
pub fn violation(
    space: &ContactSpace,
    o: &DissipationOptions,
    needed: &[f64],
    p: &DVector<f64>,
    u: &DVector<f64>,
) -> f64 {
    let scale = p.amax();
    let mut worst = 0.0_f64;
    for (i, c) in space.contacts.iter().enumerate() {
        let (p_t, x) = (p.rows(c.first, c.tangents), u.rows(c.first, c.tangents));
        let p_n = p[c.normal()];
        let mu = karnopp(space, i, o, needed[i]).coefficient(x.norm());
        worst = worst.max(-p_n / scale);
        worst = worst.max((p_t.norm() - mu * p_n) / scale);
        if x.norm() > 1e-9 * space.velocity_scale {
            worst = worst.max((p_t.dot(&x) / x.norm()) / scale);
            worst = worst.max((p_t + x * (p_t.norm() / x.norm())).norm() / scale);
        }
    }
    worst
}

/// The point with pₜ = −βx, by solving for all impulses at once.
pub fn opposed(space: &ContactSpace, beta: &[f64]) -> Option<(DVector<f64>, DVector<f64>)> {
    let m = space.rows();
    let mut A = DMatrix::zeros(m, m);
    let mut b = DVector::zeros(m);
    for (c, beta) in space.contacts.iter().zip(beta) {
        for i in c.tangent_rows() {
            // pₜ/(1+β) + β/(1+β) (u + G p) = 0
            let (w, f) = (1.0 / (1.0 + beta), beta / (1.0 + beta));
            for j in 0..m {
                A[(i, j)] = f * space.G[(i, j)];
            }
            A[(i, i)] += w;
            b[i] = -f * space.u_pre[i];
        }
        let n = c.normal();
        for j in 0..m {
            A[(n, j)] = space.G[(n, j)];
        }
        b[n] = -(1.0 + c.restitution) * space.u_pre[n];
    }
    let p = A.lu().solve(&b)?;
    let u = &space.u_pre + &space.G * &p;
    Some((p, u))
}

/// The answer, its objective and how many contacts it releases; its bound must be as near as it is said to be.
pub fn certified(space: &ContactSpace, o: DissipationOptions) -> (ImpactSolution, f64, usize) {
    let mut out = ImpactSolution::default();
    let c = Dissipation::new(o).resolve_certified(space, &mut out).unwrap();
    assert!(c.bound <= c.objective + 1e-12);
    // 1e-6 is the gap of the search with spatial contacts; a wide layer of smoothed friction may exhaust its regions.
    let gap = if !c.certain {
        assert!(o.slip_speed > 0.05);
        1e-3
    } else {
        1e-6
    };
    assert!(c.objective - c.bound <= 1.001 * gap * (1.0 + c.objective));
    (out, c.objective, c.released)
}
