//! Impact without collision: the way out of a jam.
//!
//! # Law
//! A slipping contact with A = Gₙₙ − μd Gₙₜ σ < 0 and b < 0 has no contact force (Painlevé). Its forces
//! grow without bound in no time, so impulses act although uₙ⁻ = 0. In impulse space
//! ```text
//! duₙ/dp = A < 0 while it slips, so the contact compresses until the slip stops     (1)
//! then duₙ/dp > 0, compression ends at uₙ = 0, and restitution follows              (2)
//! ```
//! which is the path of [`crate::impact::planar`] started at uₙ = 0.
//!
//! # Assumptions
//! Energetic restitution, whatever the law of the scene: the kinematic definition says nothing where
//! the approach velocity is zero.
//!
//! # Limits
//! One planar contact. With several contacts, or in space, the run stops and names the paradox.
//!
//! # Tests
//! `tests/painleve_rod.rs`: `eq1_eq2_jam_stops_the_slip`.

use super::jump::Jump;
use crate::impact::planar::{PlanarContact, planar_path};
use crate::impact::{ImpactError, Restitution};

impl Jump {
    /// Resolve the jam of the only contact in the space, which must be planar.
    pub fn resolve_jam(&mut self) -> Result<(), ImpactError> {
        let c = self.space.contacts[0];
        let (t, n) = (c.first, c.normal());
        let contact = PlanarContact {
            tt: self.space.G[(t, t)],
            tn: self.space.G[(t, n)],
            nn: self.space.G[(n, n)],
            u_t: self.space.u_pre[t],
            u_n: 0.0,
            friction: c.friction,
            static_friction: c.static_friction,
            restitution: c.restitution,
        };
        let path = planar_path(&contact, Restitution::Energetic)?;
        let end = path.end();
        self.solution.reset(&self.space);
        (self.solution.impulses[t], self.solution.impulses[n]) = (end.p_t, end.p_n);
        (self.solution.u_post[t], self.solution.u_post[n]) = (end.u_t, end.u_n);
        (self.solution.friction_works[0], self.solution.normal_works[0]) = (end.work_t, end.work_n);
        self.solution.sum_works();
        Ok(())
    }
}
