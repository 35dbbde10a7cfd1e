//! Spatial inertia of a rigid body and the test of its physical validity.
//!
//! ```text
//! L = I_O ω + h × v,   P = m v − h × ω,   h = m c          (1) momentum at the reference point O
//! I_O = I_C + m (c·c 1 − c cᵀ)                             (2) parallel axes
//! I₁ ≤ I₂ + I₃ for the principal moments                   (3) triangle inequality
//! n = ω × I_O ω,   f = ω × (ω × h)                         (4) turning about O at rest
//! ```
//! (1) and (4) were checked against a cloud of mass points, (2) and (3) by limits (rod, plate).

use super::{Force, Motion, Pose, Symmetric3};
use crate::numeric::thresholds::rotation::TRIANGLE_SLACK;
use nalgebra::{Matrix3, SymmetricEigen, Vector3};
use thiserror::Error;

/// Why mass and inertia cannot belong to a body.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum InertiaError {
    /// The mass is not a finite number > 0.
    #[error("mass = {mass} kg: must be a finite number > 0")]
    Mass {
        /// The offending value, kg.
        mass: f64,
    },
    /// A centre of mass that is not finite.
    #[error("centre of mass = {com:?} m: must be finite")]
    Center {
        /// The offending value, m.
        com: [f64; 3],
    },
    /// A moment of inertia that is not finite.
    #[error("inertia holds {value}: must be finite")]
    NotFinite {
        /// The offending value.
        value: f64,
    },
    /// A negative principal moment.
    #[error("inertia has a negative principal moment {moment} kg·m²: must be ≥ 0")]
    Negative {
        /// The offending principal moment, kg·m².
        moment: f64,
    },
    /// The triangle inequality (3) fails.
    #[error("inertia has principal moments {moments:?} kg·m²: {} > {} + {}", .moments[2], .moments[0], .moments[1])]
    Triangle {
        /// Principal moments in ascending order, kg·m².
        moments: [f64; 3],
    },
}

impl InertiaError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Mass { .. } => "give the mass in kilograms, or a shape with a density",
            Self::Center { .. } => "give the centre of mass in metres in the body frame",
            Self::NotFinite { .. } => "give six finite moments about the centre of mass",
            Self::Negative { .. } => {
                "the inertia matrix must be positive semi-definite: check signs and products of inertia"
            }
            Self::Triangle { .. } => {
                "give principal moments about the centre of mass, not about a corner"
            }
        }
    }
}

/// Mass, centre of mass and inertia about the centre of mass, in the body frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub com: Vector3<f64>,
    /// Inertia about the centre of mass, kg·m².
    pub about_com: Matrix3<f64>,
}

impl Inertia {
    /// An inertia that passed the physical tests: m > 0, finite, semi-definite, equation (3).
    pub fn new(
        mass: f64,
        com: Vector3<f64>,
        about_com: Matrix3<f64>,
    ) -> Result<Self, InertiaError> {
        if !(mass.is_finite() && mass > 0.0) {
            return Err(InertiaError::Mass { mass });
        }
        if !com.iter().all(|c| c.is_finite()) {
            return Err(InertiaError::Center { com: com.into() });
        }
        if let Some(&value) = about_com.iter().find(|c| !c.is_finite()) {
            return Err(InertiaError::NotFinite { value });
        }
        let symmetric = (about_com + about_com.transpose()) * 0.5;
        let mut moments: [f64; 3] = SymmetricEigen::new(symmetric).eigenvalues.into();
        moments.sort_by(f64::total_cmp);
        let slack = TRIANGLE_SLACK * moments[2].abs();
        if moments[0] < -slack {
            return Err(InertiaError::Negative { moment: moments[0] });
        }
        if moments[2] > moments[0] + moments[1] + slack {
            return Err(InertiaError::Triangle { moments });
        }
        Ok(Self { mass, com, about_com: symmetric })
    }

    /// No mass at all: a frame that carries others.
    pub fn massless() -> Self {
        Self { mass: 0.0, com: Vector3::zeros(), about_com: Matrix3::zeros() }
    }

    /// A mass point at `com`.
    pub fn point(mass: f64, com: Vector3<f64>) -> Result<Self, InertiaError> {
        Self::new(mass, com, Matrix3::zeros())
    }

    /// The same body described in frame A, given the pose of its own frame in A.
    pub fn in_frame(&self, X_AB: &Pose) -> Inertia {
        Inertia {
            mass: self.mass,
            com: X_AB.point(&self.com),
            about_com: X_AB.R * self.about_com * X_AB.R.transpose(),
        }
    }

    /// This body rigidly joined to another one, both in the same frame, by equation (2).
    pub fn joined(&self, other: &Inertia) -> Inertia {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return *self;
        }
        let com = (self.com * self.mass + other.com * other.mass) / mass;
        let about = |i: &Inertia| i.about_com + parallel(i.mass, &(i.com - com));
        Inertia { mass, com, about_com: about(self) + about(other) }
    }

    /// The inertia about the origin of its frame, equation (2).
    pub fn about_origin(&self) -> PointInertia {
        PointInertia {
            mass: self.mass,
            h: self.com * self.mass,
            I: Symmetric3::from_matrix(&(self.about_com + parallel(self.mass, &self.com))),
        }
    }
}

/// The parallel-axes term m (c·c 1 − c cᵀ).
fn parallel(mass: f64, c: &Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * c.norm_squared() - c * c.transpose()) * mass
}

/// Inertia at a reference point: mass, first moment h = m c, and inertia about the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInertia {
    /// Mass, kg.
    pub mass: f64,
    /// First moment m c, kg·m.
    pub h: Vector3<f64>,
    /// Inertia about the reference point, kg·m².
    pub I: Symmetric3,
}

impl PointInertia {
    /// No inertia.
    #[inline]
    pub fn zero() -> Self {
        Self { mass: 0.0, h: Vector3::zeros(), I: Symmetric3::zero() }
    }

    /// The same inertia in the axes that R leads to, about the same point.
    #[inline]
    pub fn rotated(&self, R: &Matrix3<f64>) -> Self {
        Self { mass: self.mass, h: R * self.h, I: self.I.rotated(R) }
    }

    /// Momentum of the twist `V` at the reference point, equation (1).
    #[inline]
    pub fn momentum(&self, V: &Motion) -> Force {
        Force {
            n: self.I.times(&V.w) + self.h.cross(&V.v),
            f: V.v * self.mass + V.w.cross(&self.h),
        }
    }

    /// Momentum of a turn about the axis `a` through the reference point, equation (1).
    #[inline(always)]
    pub fn turning(&self, a: &Vector3<f64>) -> Force {
        Force { n: self.I.times(a), f: a.cross(&self.h) }
    }

    /// Momentum of a shift along `a`, equation (1).
    #[inline(always)]
    pub fn shifting(&self, a: &Vector3<f64>) -> Force {
        Force { n: self.h.cross(a), f: a * self.mass }
    }

    /// The wrench that keeps the body turning at `w` about a reference point that is not
    /// accelerated, equation (4).
    #[inline]
    pub fn gyroscopic(&self, w: &Vector3<f64>) -> Force {
        Force { n: w.cross(&self.I.times(w)), f: w.cross(&w.cross(&self.h)) }
    }

    /// The sum with an inertia whose reference point is seen at `r` from this one's.
    #[inline(always)]
    pub fn plus_seen_at(&self, r: &Vector3<f64>, o: &PointInertia) -> PointInertia {
        // I' = I − [r][h] − [h][r] − m [r][r], with [a][b] = b aᵀ − (a·b) 1.
        let (m, h) = (o.mass, &o.h);
        let k = h * 2.0 + r * m;
        let d = r.dot(&k);
        let half = r * 0.5;
        let shift = Symmetric3 {
            xx: d - r.x * k.x,
            xy: -(half.x * k.y + half.y * k.x),
            xz: -(half.x * k.z + half.z * k.x),
            yy: d - r.y * k.y,
            yz: -(half.y * k.z + half.z * k.y),
            zz: d - r.z * k.z,
        };
        PointInertia {
            mass: self.mass + m,
            h: self.h + h + r * m,
            I: self.I.plus(&o.I).plus(&shift),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_momentum_of_mass_points() {
        let points = [
            (0.7, Vector3::new(0.2, -0.4, 1.0)),
            (1.3, Vector3::new(-0.5, 0.1, 0.3)),
            (0.2, Vector3::new(0.9, 0.8, -0.6)),
        ];
        let V = Motion::new(Vector3::new(0.3, 1.1, -0.7), Vector3::new(-0.2, 0.5, 0.9));
        let mut whole = Inertia::massless();
        let mut exact = Force::zero();
        for (m, r) in points {
            whole = whole.joined(&Inertia { mass: m, com: r, about_com: Matrix3::zeros() });
            exact += Force::new(Vector3::zeros(), V.moved(&r).v * m).seen_from(&r);
        }
        let found = whole.about_origin().momentum(&V);
        assert!((found.n - exact.n).norm() < 1e-14 && (found.f - exact.f).norm() < 1e-14);
    }

    #[test]
    fn eq4_centripetal_forces_of_mass_points() {
        let points = [(0.7, Vector3::new(0.2, -0.4, 1.0)), (1.3, Vector3::new(-0.5, 0.1, 0.3))];
        let w = Vector3::new(0.3, 1.1, -0.7);
        let mut whole = Inertia::massless();
        let mut exact = Force::zero();
        for (m, r) in points {
            whole = whole.joined(&Inertia { mass: m, com: r, about_com: Matrix3::zeros() });
            exact += Force::new(Vector3::zeros(), w.cross(&w.cross(&r)) * m).seen_from(&r);
        }
        let found = whole.about_origin().gyroscopic(&w);
        assert!((found.n - exact.n).norm() < 1e-14 && (found.f - exact.f).norm() < 1e-14);
    }

    #[test]
    fn eq2_shift_of_the_reference_point() {
        let body = Inertia::new(
            2.0,
            Vector3::new(0.1, 0.2, -0.3),
            Matrix3::from_diagonal(&Vector3::new(0.2, 0.3, 0.4)),
        )
        .unwrap();
        let r = Vector3::new(1.0, -2.0, 0.5);
        let shifted = PointInertia::zero().plus_seen_at(&r, &body.about_origin());
        let exact = body.in_frame(&Pose::translation(r)).about_origin();
        assert!((shifted.I.to_matrix() - exact.I.to_matrix()).norm() < 1e-14);
        assert!((shifted.h - exact.h).norm() < 1e-15);
    }

    #[test]
    fn eq3_rejects_the_impossible() {
        let diagonal = |a, b, c| Matrix3::from_diagonal(&Vector3::new(a, b, c));
        let make = |m, i| Inertia::new(m, Vector3::zeros(), i);
        assert!(make(1.0, diagonal(0.0, 1.0, 1.0)).is_ok(), "thin rod");
        assert!(make(1.0, diagonal(1.0, 1.0, 2.0)).is_ok(), "thin plate");
        assert!(matches!(make(1.0, diagonal(0.1, 0.02, 0.05)), Err(InertiaError::Triangle { .. })));
        assert!(matches!(make(1.0, diagonal(-0.1, 1.0, 1.0)), Err(InertiaError::Negative { .. })));
        assert!(matches!(make(0.0, diagonal(1.0, 1.0, 1.0)), Err(InertiaError::Mass { .. })));
        assert!(matches!(make(f64::NAN, diagonal(1.0, 1.0, 1.0)), Err(InertiaError::Mass { .. })));
        assert!(matches!(
            make(1.0, diagonal(f64::NAN, 1.0, 1.0)),
            Err(InertiaError::NotFinite { .. })
        ));
    }
}
