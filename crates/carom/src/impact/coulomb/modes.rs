//! The linear system that belongs to one set of contact modes.
//!
//! # Law
//! Every mode makes the impulses of a contact an affine function of fewer unknowns y and asks for
//! as many equations:
//! ```text
//! held,     stick        p free                      ξₙ = 0, ξₜ = 0         (1)
//! held,     slip along û pₙ free, pₜ = −μ pₙ û        ξₙ = 0                (2)
//! released, stick        pₙ = a, pₜ free             ξₜ = 0                 (3)
//! released, slip along û pₙ = a, pₜ = −μ a û         –                     (4)
//! ```
//! so p = S y + s and Sᵣ G S y = −Sᵣ(b + G s). The columns of S are orthonormal, so the minimum
//! norm of y is that of the impulses, which decides where contacts are redundant. Whether the modes
//! are admissible is not decided here but by the certificate.

use nalgebra::DVector;

use super::CoulombData;
use crate::complementarity::MinNorm;
use crate::impact::contact_space::{ContactSpace, reshape_vector};

/// Tangential part of a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tangent {
    /// no friction impulse
    Smooth,
    /// no slip after
    Stick,
    /// slip along this unit vector after; the second entry is zero in the plane
    Slip([f64; 2]),
}

/// What a contact is assumed to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ContactMode {
    /// ξₙ = 0; otherwise pₙ = a
    pub held: bool,
    /// what its tangents do
    pub tangent: Tangent,
}

impl ContactMode {
    /// Released without friction: no impulse beyond the preload.
    pub const OPEN: Self = Self { held: false, tangent: Tangent::Smooth };

    /// Whether it stays without slip.
    pub fn sticks(&self) -> bool {
        self.held && self.tangent == Tangent::Stick
    }
}

/// One unknown: a direction of impulse at a contact.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    first: usize,
    direction: [f64; 3],
    rows: usize,
}

/// Buffers of the system of a mode set.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModeSystem {
    system: MinNorm,
    unknowns: Vec<Unknown>,
    equations: Vec<usize>,
    rhs: DVector<f64>,
    deficient: bool,
}

impl ModeSystem {
    /// Impulses of the mode set `modes` (one per contact of the space; those that take no part are
    /// ignored) into `p`.
    pub fn solve(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        modes: &[ContactMode],
        p: &mut DVector<f64>,
    ) {
        reshape_vector(p, space.rows());
        self.unknowns.clear();
        self.equations.clear();
        for &k in &data.active {
            self.add_contact(space, data, (k, modes[k]), p);
        }
        data.velocity(space, p, &mut self.rhs);
        self.assemble(space);
        let y = self.system.solve(MinNorm::RANK_TOLERANCE);
        for (unknown, &y) in self.unknowns.iter().zip(y) {
            for r in 0..unknown.rows {
                p[unknown.first + r] += unknown.direction[r] * y;
            }
        }
        self.deficient = self.system.rank() < self.unknowns.len();
    }

    /// Whether the last system left impulses undetermined, so that minimum norm chose them.
    pub fn deficient(&self) -> bool {
        self.deficient
    }

    /// Adds unknowns and equations of one contact; constant impulses go into p.
    fn add_contact(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        (k, mode): (usize, ContactMode),
        p: &mut DVector<f64>,
    ) {
        let contact = &space.contacts[k];
        let normal = contact.normal();
        if mode.tangent == Tangent::Stick {
            for i in contact.tangent_rows() {
                self.unknowns.push(Unknown { first: i, direction: [1.0, 0.0, 0.0], rows: 1 });
                self.equations.push(i);
            }
        }
        let friction = data.slip_friction[k];
        if mode.held {
            let mut unknown = Unknown { first: normal, direction: [1.0, 0.0, 0.0], rows: 1 };
            if let Tangent::Slip(along) = mode.tangent {
                let length = friction.hypot(1.0);
                unknown = Unknown {
                    first: contact.first,
                    direction: [0.0; 3],
                    rows: contact.tangents + 1,
                };
                for (d, u) in unknown.direction.iter_mut().zip(along).take(contact.tangents) {
                    *d = -friction * u / length;
                }
                unknown.direction[contact.tangents] = 1.0 / length;
            }
            self.unknowns.push(unknown);
            self.equations.push(normal);
        } else {
            p[normal] = data.preload[k];
            if let Tangent::Slip(along) = mode.tangent {
                for (i, u) in contact.tangent_rows().zip(along) {
                    p[i] = -friction * data.preload[k] * u;
                }
            }
        }
    }

    fn assemble(&mut self, space: &ContactSpace) {
        self.system.reset(self.equations.len(), self.unknowns.len());
        for (r, &i) in self.equations.iter().enumerate() {
            self.system.set_rhs(r, -self.rhs[i]);
            for (c, unknown) in self.unknowns.iter().enumerate() {
                let entry = (0..unknown.rows)
                    .map(|s| space.G[(i, unknown.first + s)] * unknown.direction[s])
                    .sum();
                self.system.set(r, c, entry);
            }
        }
    }
}
