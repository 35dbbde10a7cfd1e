//! Forces with the widest margin among those that make the same motion.
//!
//! # Law
//! With the columns of N what the motion leaves open, x = x° + N z, and K the friction cone of a contact,
//! ```text
//! maximise  m − ½ ε ‖z‖²/X²,   x_k − m x̄_k e_n ∈ K_k,   m ≤ M                          (1)
//! ```
//! over the redundant contacts that are pressed: every cone is entered by m of a force x̄, the mean normal force, or by m of its own
//! bound where the normal force is given (the dry friction of a joint). A contact that slips or is smooth has the half-line
//! xₙ ≥ m x̄. Forces that bodies squeeze each other with may be as large as one likes, X is the largest of x°, and the second term
//! holds them. (1) is convex.
//!
//! # Method
//! The logarithmic barrier: Newton's method on
//! ```text
//! t (½ ε ‖z‖²/X² − m) − Σ log((μ s)² − ‖xₜ‖²) − Σ log s − log(M − m),   s = xₙ − m x̄         (2)
//! ```
//! t raised by tens. Its minimum is within ν/t of (1), ν the degree of the barrier, so that the sign of m is known once |m| > ν/t.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq1_redundant_forces_find_room`, `eq1_dry_friction_of_a_joint_at_its_limit_finds_room`; beside the code:
//! `eq1_of_a_beam_in_closed_form`.

use nalgebra::{DMatrix, DVector};

/// M of (1): more is not needed.
const ENOUGH: f64 = 0.5;
/// ε of (1): squeezing is worth a margin of a half up to thirty times the forces there are.
const SQUEEZE: f64 = 1e-3;
/// First t of (2), and how often it is raised.
const FIRST: f64 = 10.0;
const RAISES: usize = 6;
/// Newton steps for one t, and half the square of the decrement at which they end.
const STEPS: usize = 40;
const CENTRED: f64 = 1e-3;
/// Part of the way to the edge of a cone that the start keeps.
const AWAY: f64 = 0.1;

/// One cone of (1): rows of N and what x° has there.
#[derive(Debug, Clone)]
pub struct Cone {
    /// Coefficient of friction; `None` for a half-line.
    pub friction: Option<f64>,
    /// x̄ of (1).
    pub unit: f64,
    /// Rows of the tangents and of the normal; a given normal force moves with nothing.
    pub tangents: [Option<usize>; 2],
    /// Row of the normal, if the normal force is open, and its force at z = 0.
    pub normal: (Option<usize>, f64),
}

/// Buffers of the program.
#[derive(Debug, Clone, Default)]
pub struct Margin {
    cones: Vec<Cone>,
    z: DVector<f64>,
    next: DVector<f64>,
    gradient: DVector<f64>,
    hessian: DMatrix<f64>,
    row: [DVector<f64>; 3],
}

impl Margin {
    /// Nothing is asked.
    pub fn clear(&mut self) {
        self.cones.clear();
    }

    /// One more cone.
    pub fn push(&mut self, cone: Cone) {
        self.cones.push(cone);
    }

    /// The widest margin m of (1), and its z in [`Self::open`].
    pub fn widen(&mut self, x: &DVector<f64>, N: &DMatrix<f64>) -> f64 {
        let k = N.ncols();
        self.z = DVector::zeros(k + 1);
        self.next = DVector::zeros(k + 1);
        self.gradient = DVector::zeros(k + 1);
        self.hessian = DMatrix::zeros(k + 1, k + 1);
        self.row = std::array::from_fn(|_| DVector::zeros(k + 1));
        let size = x.amax().max(f64::MIN_POSITIVE);
        let edge = self.cones.iter().map(|cone| cone.edge(x)).fold(ENOUGH, f64::min);
        self.z[k] = edge - AWAY * (1.0 + edge.abs());
        let degree = 1.0 + 2.0 * self.cones.len() as f64;
        let mut t = FIRST;
        for _ in 0..RAISES {
            self.centre(x, N, (t, size));
            if self.z[k].abs() > degree / t {
                break;
            }
            t *= 10.0;
        }
        self.z[k]
    }

    /// z of the last margin.
    pub fn open(&self) -> impl Iterator<Item = f64> {
        self.z.iter().take(self.z.len() - 1).copied()
    }

    /// Newton's method on (2).
    fn centre(&mut self, x: &DVector<f64>, N: &DMatrix<f64>, (t, size): (f64, f64)) {
        let mut value = self.value(x, N, &self.z, (t, size));
        for _ in 0..STEPS {
            self.differentiate(x, N, (t, size));
            let Some(factor) = self.hessian.clone().cholesky() else { return };
            let step = factor.solve(&self.gradient);
            let decrement = step.dot(&self.gradient);
            if decrement <= 2.0 * CENTRED {
                return;
            }
            let mut length = 1.0;
            loop {
                self.next.copy_from(&self.z);
                self.next.axpy(-length, &step, 1.0);
                let there = self.value(x, N, &self.next, (t, size));
                if there <= value - 0.1 * length * decrement {
                    value = there;
                    self.z.copy_from(&self.next);
                    break;
                }
                length *= 0.5;
                if length < f64::EPSILON {
                    return;
                }
            }
        }
    }

    /// (2), infinite outside.
    fn value(
        &self,
        x: &DVector<f64>,
        N: &DMatrix<f64>,
        z: &DVector<f64>,
        (t, size): (f64, f64),
    ) -> f64 {
        let k = N.ncols();
        let m = z[k];
        if m >= ENOUGH {
            return f64::INFINITY;
        }
        let open = z.rows(0, k);
        let mut value = t * (0.5 * SQUEEZE * open.norm_squared() / (size * size) - m);
        value -= (ENOUGH - m).ln();
        for cone in &self.cones {
            let (s, pushed) = cone.at(x, N, z);
            let inside = cone.friction.map_or(s, |mu| (mu * s).powi(2) - pushed.norm_squared());
            if s.is_nan() || s <= 0.0 || inside <= 0.0 {
                return f64::INFINITY;
            }
            value -= inside.ln();
        }
        value
    }

    /// Gradient and Hessian of (2).
    fn differentiate(&mut self, x: &DVector<f64>, N: &DMatrix<f64>, (t, size): (f64, f64)) {
        let k = N.ncols();
        let weight = t * SQUEEZE / (size * size);
        self.gradient.copy_from(&self.z);
        self.gradient *= weight;
        self.hessian.fill(0.0);
        self.hessian.fill_diagonal(weight);
        let left = ENOUGH - self.z[k];
        self.gradient[k] = 1.0 / left - t;
        self.hessian[(k, k)] = 1.0 / (left * left);
        for cone in &self.cones {
            let (s, pushed) = cone.at(x, N, &self.z);
            for (place, row) in cone.tangents.into_iter().chain([cone.normal.0]).enumerate() {
                self.row[place].fill(0.0);
                if let Some(i) = row {
                    self.row[place].rows_mut(0, k).copy_from(&N.row(i).transpose());
                }
            }
            self.row[2][k] = -cone.unit;
            let [r0, r1, rn] = &self.row;
            let Some(mu) = cone.friction else {
                self.gradient.axpy(-1.0 / s, rn, 1.0);
                self.hessian.ger(1.0 / (s * s), rn, rn, 1.0);
                continue;
            };
            // f = (μ s)² − ‖p‖²; −log f has the gradient −∇f/f and the Hessian ∇f∇fᵀ/f² − ∇²f/f.
            let inside = (mu * s).powi(2) - pushed.norm_squared();
            let slope = 2.0 * (rn * (mu * mu * s) - r0 * pushed[0] - r1 * pushed[1]);
            self.gradient.axpy(-1.0 / inside, &slope, 1.0);
            self.hessian.ger(1.0 / (inside * inside), &slope, &slope, 1.0);
            self.hessian.ger(-2.0 * mu * mu / inside, rn, rn, 1.0);
            self.hessian.ger(2.0 / inside, r0, r0, 1.0);
            self.hessian.ger(2.0 / inside, r1, r1, 1.0);
        }
    }
}

impl Cone {
    /// s and xₜ of (2) at (z, m).
    fn at(
        &self,
        x: &DVector<f64>,
        N: &DMatrix<f64>,
        z: &DVector<f64>,
    ) -> (f64, nalgebra::Vector2<f64>) {
        let k = N.ncols();
        let along = |i: usize| N.row(i).transpose().dot(&z.rows(0, k));
        let force = |row: Option<usize>| row.map_or(0.0, |i| x[i] + along(i));
        let (row, at_rest) = self.normal;
        let normal = at_rest + row.map_or(0.0, along);
        (normal - z[k] * self.unit, self.tangents.map(force).into())
    }

    /// The largest m of this cone at z = 0.
    fn edge(&self, x: &DVector<f64>) -> f64 {
        let size = self.tangents.iter().flatten().fold(0.0_f64, |s, i| s.hypot(x[*i]));
        (self.normal.1 - self.friction.map_or(0.0, |mu| size / mu)) / self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A beam on three supports, redundant by (1, −2, 1): its forces (0, 3, 0) + z (1, −2, 1)/√6 have the widest margin at (1, 1, 1), of a
    /// whole mean force, more than is asked for; with the middle one pressed to the edge of its cone by a drag of 0.9 μ x at
    /// its own share, the margin is where both are as deep inside.
    #[test]
    fn eq1_of_a_beam_in_closed_form() {
        let N = DMatrix::from_column_slice(3, 1, &[1.0, -2.0, 1.0]) / 6.0_f64.sqrt();
        let x = DVector::from_column_slice(&[0.0, 3.0, 0.0]);
        let line = |i: usize| Cone {
            friction: None,
            unit: 1.0,
            tangents: [None; 2],
            normal: (Some(i), x[i]),
        };
        let mut margin = Margin::default();
        (0..3).for_each(|i| margin.push(line(i)));
        let widest = margin.widen(&x, &N);
        assert!(widest > 0.3, "{widest}");
        // A drag of 0.6 at the middle one with μ = 0.3 asks 2 + m of its normal force: x = (½ − m/2 …) so that m = 1/3.
        let mut x = DVector::from_column_slice(&[0.0, 3.0, 0.0, 0.6]);
        let N = N.resize(4, 1, 0.0);
        margin.clear();
        [0, 2].iter().for_each(|i| margin.push(line(*i)));
        let drag = Cone { friction: Some(0.3), tangents: [Some(3), None], ..line(1) };
        margin.push(drag.clone());
        let widest = margin.widen(&x, &N);
        assert!((widest - 1.0 / 3.0).abs() < 0.15 && widest < 1.0 / 3.0, "{widest}");
        // A drag that takes the whole of it leaves nothing.
        x[3] = 0.9;
        margin.clear();
        [0, 2].iter().for_each(|i| margin.push(line(*i)));
        margin.push(drag);
        assert!(margin.widen(&x, &N) <= 0.0);
    }
}
