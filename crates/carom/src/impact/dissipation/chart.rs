//! All motions that a set of active contacts can reach, as an affine map.
//!
//! # Law
//! Active contacts have uₙ⁺ = −e uₙ⁻, which is linear in their impulses:
//! ```text
//! G_n p = −(1 + e) uₙ⁻                                         (1)
//! p = p₀ + P w,    x = x₀ + X w,    ‖x‖² = ‖x₀‖² + ‖w_y‖²       (2)
//! ```
//! The coordinates w are chosen so that the slip x of all active contacts has orthonormal columns in X: the distance
//! (4.5) is then the distance from the origin. Coordinates w_z that move impulses but no slip (redundant contacts) come
//! last. Everything is scaled: velocities by the largest contact velocity, G by its largest diagonal entry.
//!
//! # Tests
//! `eq1_normal_velocities` and `eq2_slip_is_an_isometry` below.

use crate::numeric::svd;
use crate::numeric::thresholds::dissipation::{CONSISTENT, RANK};
use nalgebra::{DMatrix, DVector};

use crate::impact::contact_space::ContactSpace;

/// One active contact in the rows of the chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Index in the contact space.
    pub contact: usize,
    /// First of its rows among the impulses of the chart, tangents first, then the normal.
    pub first: usize,
    /// First of its rows among the slips of the chart.
    pub slip: usize,
    /// Number of tangents.
    pub tangents: usize,
}

impl Member {
    /// Row of its normal impulse.
    pub fn normal(&self) -> usize {
        self.first + self.tangents
    }
}

/// The affine map (2), in scaled quantities.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub members: Vec<Member>,
    /// p₀ and P.
    pub p0: DVector<f64>,
    pub P: DMatrix<f64>,
    /// x₀ and X.
    pub x0: DVector<f64>,
    pub X: DMatrix<f64>,
    /// Velocities after of *all* rows of the space: u = u₀ + U w.
    pub u0: DVector<f64>,
    pub U: DMatrix<f64>,
    /// Velocities before of all rows of the space.
    pub u_pre: DVector<f64>,
    /// Velocities of all rows of the space per impulse of the chart.
    pub G: DMatrix<f64>,
    /// Normal velocities after, −e uₙ⁻, one per contact of the space.
    pub targets: Vec<f64>,
    /// Number of leading coordinates that change the slip.
    pub moving: usize,
    /// Rows of the space that belong to the chart's impulses.
    pub rows: Vec<usize>,
    /// Scales: velocity and impulse.
    pub velocity_scale: f64,
    pub impulse_scale: f64,
}

impl Chart {
    /// The chart of the contacts for which `active` is true; `None` if (1) has no solution.
    pub fn new(space: &ContactSpace, active: impl Fn(usize) -> bool) -> Option<Self> {
        let members = members(space, active);
        let rows: Vec<usize> =
            members.iter().flat_map(|m| space.contacts[m.contact].rows()).collect();
        let g_scale = rows.iter().fold(0.0_f64, |s, &i| s.max(space.G[(i, i)]));
        let velocity_scale = space.velocity_scale;
        if g_scale <= 0.0 || velocity_scale <= 0.0 {
            return None;
        }
        let u_pre = &space.u_pre / velocity_scale;
        let all =
            DMatrix::from_fn(space.rows(), rows.len(), |i, j| space.G[(i, rows[j])] / g_scale);
        let (p0, basis) = normal_solutions(space, &members, &all, &u_pre)?;
        let slip_rows: Vec<usize> =
            members.iter().flat_map(|m| space.contacts[m.contact].tangent_rows()).collect();
        let u0 = &u_pre + &all * &p0;
        let responses = &all * &basis;
        let x0 = DVector::from_fn(slip_rows.len(), |i, _| u0[slip_rows[i]]);
        let X =
            DMatrix::from_fn(slip_rows.len(), basis.ncols(), |i, j| responses[(slip_rows[i], j)]);
        let mut chart = Self {
            members,
            p0,
            P: basis,
            x0,
            X,
            u0,
            U: responses,
            targets: targets(space, &u_pre),
            u_pre,
            G: all,
            moving: 0,
            rows,
            velocity_scale,
            impulse_scale: velocity_scale / g_scale,
        };
        chart.straighten()?;
        Some(chart)
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.P.ncols()
    }

    /// Chooses the coordinates so that X has orthonormal leading columns, x₀ is orthogonal to them, the rest vanish.
    fn straighten(&mut self) -> Option<()> {
        let d = self.dimension();
        if d == 0 {
            return Some(());
        }
        let (u, sigma, v) = full_svd(&self.X, d)?;
        let largest = sigma.iter().fold(0.0_f64, |s, x| s.max(*x));
        self.moving = sigma.iter().filter(|s| **s > RANK * largest.max(1e-3)).count();
        let scale = DVector::from_fn(d, |j, _| if j < self.moving { 1.0 / sigma[j] } else { 1.0 });
        let turn = v * DMatrix::from_diagonal(&scale);
        for A in [&mut self.P, &mut self.X, &mut self.U] {
            *A = &*A * &turn;
        }
        let mut shift = DVector::zeros(d);
        for j in 0..self.moving {
            let column = u.column(j).rows(0, self.x0.len()).clone_owned();
            self.X.set_column(j, &column);
            shift[j] = -column.dot(&self.x0);
        }
        for j in self.moving..d {
            self.X.column_mut(j).fill(0.0);
        }
        self.p0 += &self.P * &shift;
        self.x0 += &self.X * &shift;
        self.u0 += &self.U * &shift;
        Some(())
    }

    /// Impulses and slips at w.
    pub fn evaluate(&self, w: &[f64]) -> (DVector<f64>, DVector<f64>) {
        let w = DVector::from_column_slice(w);
        (&self.p0 + &self.P * &w, &self.x0 + &self.X * &w)
    }

    /// u⁺ of all rows of the space, from the impulses of the chart.
    pub fn velocities(&self, p: &DVector<f64>) -> DVector<f64> {
        &self.u_pre + &self.G * p
    }

    /// Change of energy at impulses p, scaled: ½ p·(u⁻ + u⁺).
    pub fn work(&self, w: &[f64]) -> f64 {
        let w = DVector::from_column_slice(w);
        let p = &self.p0 + &self.P * &w;
        let u = &self.u0 + &self.U * &w;
        (0..p.len()).map(|j| 0.5 * p[j] * (self.u_pre[self.rows[j]] + u[self.rows[j]])).sum()
    }

    /// Gradient of the work with respect to w: Pᵀ u⁺, because d(½ pᵀ(2u⁻ + G p)) = u⁺·dp.
    pub fn work_gradient(&self, w: &[f64]) -> DVector<f64> {
        let u = &self.u0 + &self.U * DVector::from_column_slice(w);
        let u_rows = DVector::from_fn(self.rows.len(), |j, _| u[self.rows[j]]);
        self.P.transpose() * u_rows
    }
}

/// −e uₙ⁻ of every contact.
fn targets(space: &ContactSpace, u_pre: &DVector<f64>) -> Vec<f64> {
    let contacts = space.contacts.iter();
    contacts.map(|c| -c.restitution * u_pre[c.normal()]).collect()
}

fn members(space: &ContactSpace, active: impl Fn(usize) -> bool) -> Vec<Member> {
    let (mut first, mut slip) = (0, 0);
    let mut members = Vec::new();
    for (contact, c) in space.contacts.iter().enumerate() {
        if !active(contact) {
            continue;
        }
        let tangents = c.tangents;
        members.push(Member { contact, first, slip, tangents });
        first += tangents + 1;
        slip += tangents;
    }
    members
}

/// The least solution p₀ of (1) and a basis of the solutions of its homogeneous part.
fn normal_solutions(
    space: &ContactSpace,
    members: &[Member],
    all: &DMatrix<f64>,
    u_pre: &DVector<f64>,
) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let m = all.ncols();
    let normal = |i: usize| space.contacts[members[i].contact].normal();
    let A = DMatrix::from_fn(members.len(), m, |i, j| all[(normal(i), j)]);
    let target = DVector::from_fn(members.len(), |i, _| {
        let c = &space.contacts[members[i].contact];
        -(1.0 + c.restitution) * u_pre[c.normal()]
    });
    let (u, sigma, v) = full_svd(&A, m)?;
    let largest = sigma.iter().fold(0.0_f64, |s, x| s.max(*x));
    let rank = sigma.iter().filter(|s| **s > RANK * largest).count();
    let mut p0 = DVector::zeros(m);
    for j in 0..rank {
        let c = u.column(j).rows(0, members.len()).dot(&target) / sigma[j];
        p0.axpy(c, &v.column(j), 1.0);
    }
    let residual = (&A * &p0 - &target).amax();
    if residual > CONSISTENT * target.amax() {
        return None;
    }
    Some((p0, v.columns(rank, m - rank).clone_owned()))
}

/// Singular values in falling order with *all* n right vectors, by padding with zero rows.
fn full_svd(A: &DMatrix<f64>, n: usize) -> Option<(DMatrix<f64>, DVector<f64>, DMatrix<f64>)> {
    let rows = A.nrows().max(n);
    let mut padded = DMatrix::zeros(rows, n);
    padded.view_mut((0, 0), A.shape()).copy_from(A);
    let svd = svd(padded)?;
    Some((svd.u?, svd.singular_values, svd.v_t?.transpose()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two planar contacts of a rigid bar with given end velocities; rank 3 of 4 rows.
    fn bar() -> ContactSpace {
        let mut space = ContactSpace::default();
        let J =
            DMatrix::from_row_slice(4, 3, &[1., 0., 0.2, 0., 1., -0.5, 1., 0., 0.2, 0., 1., 0.5]);
        let v = DVector::from_vec(vec![0.3, -1.0, 0.2]);
        let N = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, 6.0]));
        space.resize(4);
        space.G = &J * N * J.transpose();
        space.u_pre = &J * v;
        for e in [0.5, 0.2] {
            space.push_contact(1, [0.3, 0.4], e, true);
        }
        space.classify();
        space
    }

    #[test]
    fn eq1_normal_velocities() {
        let space = bar();
        let chart = Chart::new(&space, |_| true).unwrap();
        let w: Vec<f64> = (0..chart.dimension()).map(|j| 0.3 - j as f64).collect();
        let (p, x) = chart.evaluate(&w);
        let u = &space.u_pre + &space.G * (p * chart.impulse_scale);
        for c in &space.contacts {
            let n = c.normal();
            assert!((u[n] + c.restitution * space.u_pre[n]).abs() < 1e-13);
            assert!((u[c.first] / chart.velocity_scale - x[c.first / 2]).abs() < 1e-13);
        }
    }

    #[test]
    fn eq2_slip_is_an_isometry() {
        let chart = Chart::new(&bar(), |_| true).unwrap();
        // Four impulses, two normal conditions, and both ends of a rigid bar slip alike.
        assert_eq!((chart.dimension(), chart.moving), (2, 1));
        let (_, x) = chart.evaluate(&[0.7, -2.0]);
        let length = chart.x0.norm_squared() + 0.7 * 0.7;
        assert!((x.norm_squared() - length).abs() < 1e-13);
        assert!((&chart.X.transpose() * &chart.x0).amax() < 1e-13);
    }

    #[test]
    fn work_and_its_gradient() {
        let chart = Chart::new(&bar(), |_| true).unwrap();
        let w = [0.4, 0.1];
        let gradient = chart.work_gradient(&w);
        for j in 0..2 {
            let mut ahead = w;
            let mut behind = w;
            ahead[j] += 1e-5;
            behind[j] -= 1e-5;
            let slope = (chart.work(&ahead) - chart.work(&behind)) / 2e-5;
            assert!((slope - gradient[j]).abs() < 1e-9);
        }
    }
}
