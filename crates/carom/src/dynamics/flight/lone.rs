//! Forward dynamics of a free rigid body that carries nothing.
//!
//! # Law
//! In body axes, with c the centre of mass and τ = (F in base axes, n about the origin):
//! ```text
//! I_C ω̇ = n − c × F_B − ω × I_C ω                                   (1)
//! v̇ = F/m + g − R (ω̇ × c + ω × (ω × c))                             (2)
//! ```
//! (1) is Euler's equation about the centre of mass, with n moved there; (2) the acceleration of the
//! origin. With c = 0 no rotation enters.
//!
//! # Tests
//! `tests/flight.rs`: `lone_bodies_are_articulated`.

use crate::model::tree::{Link, Node};
use crate::numeric::thresholds::dynamics::THIN;
use crate::spatial::rotation;
use nalgebra::{Matrix3, Vector3, Vector4};

/// The body in its own axes.
#[derive(Debug, Clone)]
pub struct LoneBody {
    q: usize,
    v: usize,
    mass: f64,
    c: Vector3<f64>,
    I_C: Matrix3<f64>,
    inverse: Matrix3<f64>,
    /// Gravity in base axes.
    gravity: Vector3<f64>,
    central: bool,
}

impl LoneBody {
    /// The body of a free link on the world; `None` where its inertia cannot be divided by, or
    /// rotors are added to it.
    pub fn of(link: &Link, nodes: &[Node], gravity: &Vector3<f64>) -> Option<Self> {
        let rotors = nodes[link.v..link.v + link.nv].iter().any(|n| n.rotor != 0.0);
        let mass = link.inertia.mass;
        if rotors || mass <= 0.0 {
            return None;
        }
        let c = link.inertia.h / mass;
        let parallel = (Matrix3::identity() * c.norm_squared() - c * c.transpose()) * mass;
        let I_C = link.inertia.I.to_matrix() - parallel;
        let moments = I_C.symmetric_eigenvalues();
        if moments.min() <= THIN * link.inertia.I.to_matrix().trace() {
            return None;
        }
        let base = link.base.R;
        Some(Self {
            q: link.q,
            v: link.v,
            mass,
            c,
            I_C,
            inverse: I_C.try_inverse()?,
            gravity: base.transpose() * gravity,
            central: c == Vector3::zeros(),
        })
    }

    /// v̇ of its six degrees of freedom.
    pub fn forward(&self, q: &[f64], v: &[f64], tau: &[f64], vdot: &mut [f64]) {
        let at = |a: &[f64], i: usize| Vector3::new(a[i], a[i + 1], a[i + 2]);
        let w = at(v, self.v + 3);
        let F = at(tau, self.v);
        let mut n = at(tau, self.v + 3) - w.cross(&(self.I_C * w));
        let mut a = self.gravity + F / self.mass;
        if self.central {
            return self.put(a, self.inverse * n, vdot);
        }
        let k = self.q + 3;
        let R = rotation::from_quaternion(&Vector4::new(q[k], q[k + 1], q[k + 2], q[k + 3]));
        n -= self.c.cross(&R.tr_mul(&F));
        let alpha = self.inverse * n;
        a -= R * (alpha.cross(&self.c) + w.cross(&w.cross(&self.c)));
        self.put(a, alpha, vdot);
    }

    fn put(&self, a: Vector3<f64>, alpha: Vector3<f64>, vdot: &mut [f64]) {
        vdot[self.v..self.v + 3].copy_from_slice(a.as_slice());
        vdot[self.v + 3..self.v + 6].copy_from_slice(alpha.as_slice());
    }
}
