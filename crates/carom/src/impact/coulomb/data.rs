//! The contact problem with friction and its certificate.
//!
//! # Law
//! ```text
//! ξ = G p + b                                                               (1)
//! 0 ≤ pₙ − a ⟂ ξₙ ≥ 0                                                       (2)
//! ξₜ = 0 and ‖pₜ‖ ≤ μs pₙ,  or  pₜ = −μd pₙ ξₜ/‖ξₜ‖                         (3)
//! ```
//! a ≥ 0 is an impulse that acts in any case (the release of stored compression, Poisson), zero
//! otherwise. ξ is the velocity after plus whatever the law adds to it, for example e uₙ⁻.
//!
//! # The certificate
//! With the velocity scale U = maxᵢ (|bᵢ| + Σⱼ|Gᵢⱼ pⱼ|) over the rows that take part and the
//! impulse scale Pᶜ = U/maxᵢ Gᵢᵢ over the rows of a contact, the residual is the largest of
//! (a − pₙ)/P, −ξₙ/U, min(|pₙ − a|/P, |ξₙ|/U) and the smaller of the stick residual
//! max(‖ξₜ‖/U, (‖pₜ‖ − μs pₙ)/P) and the slip residual ‖pₜ + μd pₙ ξₜ/‖ξₜ‖‖/P. It is a pure number.

use nalgebra::DVector;

use crate::impact::contact_space::{ContactSpace, Phase, reshape_vector};

/// What a law adds to a contact space to make it a complementarity problem.
#[derive(Debug, Clone, Default)]
pub(crate) struct CoulombData {
    /// b of (1)
    pub b: DVector<f64>,
    /// a of (2), per contact
    pub preload: Vec<f64>,
    /// μd of (3), per contact; zero for a contact without tangents
    pub slip_friction: Vec<f64>,
    /// μs of (3), per contact
    pub stick_friction: Vec<f64>,
    /// contacts that take part
    pub active: Vec<usize>,
}

impl CoulombData {
    /// b = u⁻, no preload, friction of the contacts; every contact that is not apart takes part.
    pub fn load(&mut self, space: &ContactSpace) {
        reshape_vector(&mut self.b, space.rows());
        self.b.copy_from(&space.u_pre);
        self.preload.clear();
        self.slip_friction.clear();
        self.stick_friction.clear();
        self.active.clear();
        for (k, contact) in space.contacts.iter().enumerate() {
            let rough = if contact.tangents > 0 { 1.0 } else { 0.0 };
            self.preload.push(0.0);
            self.slip_friction.push(rough * contact.friction);
            self.stick_friction.push(rough * contact.static_friction);
            if contact.phase != Phase::Apart {
                self.active.push(k);
            }
        }
    }

    /// Copies another problem without giving back memory.
    pub fn copy(&mut self, other: &Self) {
        reshape_vector(&mut self.b, other.b.len());
        self.b.copy_from(&other.b);
        self.preload.clone_from(&other.preload);
        self.slip_friction.clone_from(&other.slip_friction);
        self.stick_friction.clone_from(&other.stick_friction);
        self.active.clone_from(&other.active);
    }

    /// Whether contact k has friction to speak of.
    pub fn rough(&self, k: usize) -> bool {
        self.stick_friction[k] > 0.0
    }

    /// ξ = G p + b.
    pub fn velocity(&self, space: &ContactSpace, p: &DVector<f64>, xi: &mut DVector<f64>) {
        reshape_vector(xi, space.rows());
        xi.copy_from(&self.b);
        xi.gemv(1.0, &space.G, p, 1.0);
    }

    /// U of the certificate.
    pub fn velocity_scale(&self, space: &ContactSpace, p: &DVector<f64>) -> f64 {
        let mut scale = f64::MIN_POSITIVE;
        for &k in &self.active {
            for i in space.contacts[k].rows() {
                let terms: f64 = (0..p.len()).map(|j| (space.G[(i, j)] * p[j]).abs()).sum();
                scale = scale.max(self.b[i].abs() + terms);
            }
        }
        scale
    }

    /// Residual of (2) and (3) for impulses p with ξ from (1). NaN gives infinity.
    pub fn residual(&self, space: &ContactSpace, p: &DVector<f64>, xi: &DVector<f64>) -> f64 {
        let velocity = self.velocity_scale(space, p);
        let mut worst: f64 = 0.0;
        for &k in &self.active {
            let r = self.contact_residual(space, k, (p, xi), velocity);
            if r.is_nan() {
                return f64::INFINITY;
            }
            worst = worst.max(r);
        }
        worst
    }

    fn contact_residual(
        &self,
        space: &ContactSpace,
        k: usize,
        (p, xi): (&DVector<f64>, &DVector<f64>),
        velocity: f64,
    ) -> f64 {
        let contact = &space.contacts[k];
        let impulse = velocity / mobility(space, k);
        let (p_n, xi_n) = (p[contact.normal()], xi[contact.normal()]);
        let (push, gap) = ((p_n - self.preload[k]) / impulse, xi_n / velocity);
        let normal = (-push).max(-gap).max(push.abs().min(gap.abs()));
        if push.is_nan() || gap.is_nan() {
            return f64::NAN;
        }
        if contact.tangents == 0 {
            return normal;
        }
        let slip = norm(xi, contact.tangent_rows());
        let excess = norm(p, contact.tangent_rows()) - self.stick_friction[k] * p_n;
        let stick = (slip / velocity).max(excess / impulse);
        let mut miss = 0.0_f64;
        for i in contact.tangent_rows() {
            miss = miss.hypot(p[i] + self.slip_friction[k] * p_n * xi[i] / slip);
        }
        let slide = if slip > 0.0 { miss / impulse } else { f64::INFINITY };
        normal.max(stick.min(slide))
    }
}

/// Largest diagonal entry of G over the rows of a contact; tiny if the contact cannot move.
pub(crate) fn mobility(space: &ContactSpace, k: usize) -> f64 {
    let diagonal = space.contacts[k].rows().map(|i| space.G[(i, i)]);
    diagonal.fold(f64::MIN_POSITIVE, f64::max)
}

/// Euclidean norm of some rows of a vector.
pub(crate) fn norm(x: &DVector<f64>, rows: std::ops::Range<usize>) -> f64 {
    match rows.len() {
        0 => 0.0,
        1 => x[rows.start].abs(),
        _ => rows.fold(0.0_f64, |s, i| s.hypot(x[i])),
    }
}
