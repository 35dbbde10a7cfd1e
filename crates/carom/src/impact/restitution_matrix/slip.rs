//! The slipping case with rotational rows.
//!
//! Moments that are held are eliminated, m_H = −G_HH⁺(β_H + G_Hc p + G_HS m_S) with
//! β = (1 − e_r)u⁻, which changes G and b of the contact problem; moments beyond their bound are
//! saturated at ±μd a pₙ and iterated with pₙ until nothing changes.

use nalgebra::{DMatrix, DVector};

use super::rotation::Rotation;
use crate::complementarity::MinNorm;
use crate::impact::contact_space::ContactSpace;
use crate::impact::error::ImpactError;
use crate::impact::newton::{FrictionScratch, TOLERANCE, accept, add_restitution};

/// Contacts with their rotational rows appended as the last rows of a space.
pub(super) struct WithRotations<'a> {
    /// contacts first, then one row per rotation
    pub space: &'a ContactSpace,
    pub rotations: &'a [Rotation],
}

impl WithRotations<'_> {
    const ROUNDS: usize = 200;

    fn contact_rows(&self) -> usize {
        self.space.rows() - self.rotations.len()
    }

    /// Bound of moment r for normal impulses p with friction μ.
    fn bound(&self, r: usize, p: &DVector<f64>, friction: f64) -> f64 {
        let n = self.space.contacts[self.rotations[r].contact].normal();
        let p_n = p[n].max(0.0);
        if friction * p_n == 0.0 { 0.0 } else { self.rotations[r].arm * friction * p_n }
    }

    /// Impulses of contacts and moments into p.
    pub fn solve(
        &self,
        friction: &mut FrictionScratch,
        p: &mut DVector<f64>,
    ) -> Result<(), ImpactError> {
        let (m, count) = (self.contact_rows(), self.rotations.len());
        // None: held; Some: saturated with this sign
        let mut saturated: Vec<Option<f64>> = vec![None; count];
        let mut moments = DVector::zeros(count);
        let mut previous = DVector::zeros(self.space.rows());
        for _ in 0..Self::ROUNDS {
            self.solve_once(friction, &saturated, &mut moments, p)?;
            let mut changed = false;
            for r in 0..count {
                let contact = &self.space.contacts[self.rotations[r].contact];
                match saturated[r] {
                    None if moments[r].abs()
                        > self.bound(r, p, contact.static_friction) * (1.0 + 1e-12) =>
                    {
                        saturated[r] = Some(moments[r].signum());
                        moments[r] = moments[r].signum() * self.bound(r, p, contact.friction);
                        changed = true;
                    }
                    None => {}
                    Some(sign) => moments[r] = sign * self.bound(r, p, contact.friction),
                }
            }
            p.rows_mut(m, count).copy_from(&moments);
            let step = (&*p - &previous).amax();
            previous.copy_from(p);
            if !changed && step <= 1e-14 * p.amax() {
                return self.check_directions(&saturated, p);
            }
        }
        Err(ImpactError::Unsolved { law: "matrix", residual: f64::INFINITY, tolerance: TOLERANCE })
    }

    /// A saturated moment must act against the rotation that is left.
    fn check_directions(
        &self,
        saturated: &[Option<f64>],
        p: &DVector<f64>,
    ) -> Result<(), ImpactError> {
        let mut worst = 0.0_f64;
        for (r, sign) in saturated.iter().enumerate() {
            if let Some(sign) = sign {
                let i = self.contact_rows() + r;
                let after = self.space.u_pre[i] + self.space.G.row(i).tr_dot(p);
                let scale = self.space.u_pre[i].abs().max(after.abs()).max(f64::MIN_POSITIVE);
                worst = worst.max(sign * after / scale);
            }
        }
        accept("matrix", worst)
    }

    /// One contact problem with the moments of `saturated` rows given.
    fn solve_once(
        &self,
        friction: &mut FrictionScratch,
        saturated: &[Option<f64>],
        moments: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) -> Result<(), ImpactError> {
        let (m, G) = (self.contact_rows(), &self.space.G);
        let held: Vec<usize> = (0..saturated.len()).filter(|&r| saturated[r].is_none()).collect();
        // velocities of all rows when only the saturated moments act
        let mut base = self.space.u_pre.clone();
        for (r, _) in saturated.iter().enumerate().filter(|(_, s)| s.is_some()) {
            base.axpy(moments[r], &G.column(m + r), 1.0);
        }
        let G_HH = DMatrix::from_fn(held.len(), held.len(), |a, b| G[(m + held[a], m + held[b])]);
        let G_Hc = DMatrix::from_fn(held.len(), m, |a, j| G[(m + held[a], j)]);
        let beta = DVector::from_fn(held.len(), |a, _| {
            base[m + held[a]] - self.rotations[held[a]].coefficient * self.space.u_pre[m + held[a]]
        });
        let X = solve_columns(&G_HH, &G_Hc);
        let x = solve_columns(&G_HH, &DMatrix::from_column_slice(held.len(), 1, beta.as_slice()));
        let mut inner = ContactSpace::default();
        inner.resize(m);
        inner
            .contacts
            .extend(self.space.contacts.iter().take(self.space.contacts.len() - saturated.len()));
        inner.G.copy_from(&(G.view((0, 0), (m, m)) - G_Hc.transpose() * &X));
        inner.u_pre.copy_from(&self.space.u_pre.rows(0, m));
        friction.data.load(&inner);
        add_restitution(&inner, &mut friction.data);
        friction.data.b +=
            base.rows(0, m) - self.space.u_pre.rows(0, m) - G_Hc.transpose() * x.column(0);
        let mut impulses = DVector::zeros(m);
        accept("matrix", friction.solver.solve(&inner, &friction.data, &mut impulses))?;
        let answer = -(x.column(0) + X * &impulses);
        for (a, &r) in held.iter().enumerate() {
            moments[r] = answer[a];
        }
        p.rows_mut(0, m).copy_from(&impulses);
        Ok(())
    }
}

/// A⁺ B, column by column.
fn solve_columns(A: &DMatrix<f64>, B: &DMatrix<f64>) -> DMatrix<f64> {
    let n = A.nrows();
    let mut system = MinNorm::with_capacity(n);
    let mut X = DMatrix::zeros(n, B.ncols());
    for c in 0..B.ncols() {
        system.reset(n, n);
        for i in 0..n {
            system.set_rhs(i, B[(i, c)]);
            for j in 0..n {
                system.set(i, j, A[(i, j)]);
            }
        }
        X.column_mut(c).copy_from_slice(system.solve(MinNorm::RANK_TOLERANCE));
    }
    X
}
