//! The slipping case with rotational rows.
//!
//! Moments that are held are eliminated, m_H = −G_HH⁺(β_H + G_Hc p + G_HS m_S) with
//! β = (1 − e_r)u⁻, which changes G and b of the contact problem; saturated moments are ±μd a pₙ and
//! iterated with pₙ until nothing changes. Which moments are held is found by trying all states.

use crate::numeric::thresholds::matrix;
use nalgebra::{DMatrix, DVector};

use super::rotation::Rotation;
use crate::complementarity::MinNorm;
use crate::impact::contact_space::ContactSpace;
use crate::impact::error::{ImpactError, Reason};
use crate::impact::newton::{FrictionScratch, TOLERANCE, accept, add_restitution};

/// Contacts with their rotational rows appended as the last rows of a space.
pub(super) struct WithRotations<'a> {
    /// contacts first, then one row per rotation
    pub space: &'a ContactSpace,
    pub rotations: &'a [Rotation],
}

impl WithRotations<'_> {
    const ROUNDS: usize = 200;
    /// Rotational rows that are searched: 3⁶ states.
    const LARGEST: usize = 6;

    fn contact_rows(&self) -> usize {
        self.space.rows() - self.rotations.len()
    }

    /// Bound of moment r for normal impulses p with friction μ.
    fn bound(&self, r: usize, p: &DVector<f64>, friction: f64) -> f64 {
        let n = self.space.contacts[self.rotations[r].contact].normal();
        let p_n = p[n].max(0.0);
        if friction * p_n == 0.0 { 0.0 } else { self.rotations[r].arm * friction * p_n }
    }

    /// Impulses of contacts and moments into p: every state of the rotational rows, those with most
    /// rows held first.
    pub fn solve(
        &self,
        friction: &mut FrictionScratch,
        p: &mut DVector<f64>,
    ) -> Result<(), ImpactError> {
        let count = self.rotations.len();
        if count > Self::LARGEST {
            let reason = Reason::TooManyContacts { count, largest: Self::LARGEST };
            return Err(ImpactError::NotApplicable { law: "matrix", reason });
        }
        let state = |code: usize| -> Vec<Option<f64>> {
            let digit = |r: usize| code / 3_usize.pow(r as u32) % 3;
            (0..count).map(|r| [None, Some(1.0), Some(-1.0)][digit(r)]).collect()
        };
        let mut states: Vec<_> = (0..3_usize.pow(count as u32)).map(state).collect();
        states.sort_by_key(|state| state.iter().flatten().count());
        let mut best = f64::INFINITY;
        for state in &states {
            let miss = self.solve_state(friction, state, p);
            if miss <= TOLERANCE {
                return Ok(());
            }
            best = best.min(miss);
        }
        accept("matrix", best)
    }

    /// Iterates saturated moments with the normal impulses; the miss of the state's conditions.
    fn solve_state(
        &self,
        friction: &mut FrictionScratch,
        state: &[Option<f64>],
        p: &mut DVector<f64>,
    ) -> f64 {
        let (m, count) = (self.contact_rows(), self.rotations.len());
        let mut moments = DVector::zeros(count);
        let mut previous = DVector::from_element(self.space.rows(), f64::INFINITY);
        for _ in 0..Self::ROUNDS {
            if self.solve_once(friction, state, &mut moments, p).is_err() {
                return f64::INFINITY;
            }
            for (r, sign) in state.iter().enumerate() {
                let contact = &self.space.contacts[self.rotations[r].contact];
                if let Some(sign) = sign {
                    moments[r] = sign * self.bound(r, p, contact.friction);
                }
            }
            p.rows_mut(m, count).copy_from(&moments);
            let step = (&*p - &previous).amax();
            previous.copy_from(p);
            if step <= matrix::STEADY * p.amax() {
                return self.miss(state, p);
            }
        }
        f64::INFINITY
    }

    /// A held moment must be within its bound, a saturated one against the rotation that is left.
    fn miss(&self, state: &[Option<f64>], p: &DVector<f64>) -> f64 {
        let mut worst = 0.0_f64;
        for (r, sign) in state.iter().enumerate() {
            let i = self.contact_rows() + r;
            let contact = &self.space.contacts[self.rotations[r].contact];
            match sign {
                None => {
                    let bound = self.bound(r, p, contact.static_friction);
                    let scale = p[i].abs().max(f64::MIN_POSITIVE);
                    worst = worst.max((p[i].abs() - bound) / scale);
                }
                Some(sign) if p[i] != 0.0 => {
                    let after = self.space.u_pre[i] + self.space.G.row(i).tr_dot(p);
                    let scale = self.space.u_pre[i].abs().max(after.abs()).max(f64::MIN_POSITIVE);
                    worst = worst.max(sign * after / scale);
                }
                Some(_) => {}
            }
        }
        worst
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
        inner.coulomb(&mut friction.problem);
        add_restitution(&inner, &mut friction.problem);
        friction.problem.b +=
            base.rows(0, m) - self.space.u_pre.rows(0, m) - G_Hc.transpose() * x.column(0);
        let mut impulses = DVector::zeros(m);
        accept("matrix", friction.solve(&mut impulses).residual)?;
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
