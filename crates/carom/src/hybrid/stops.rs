//! A joint with dry friction at the end of its range.
//!
//! # Rule
//! The stop pushes with λ ≥ 0, friction holds with |f| ≤ τ. While the joint is at rest there, rigid bodies decide only the sum of
//! both, x = λ + f: with w ≥ 0 the acceleration that leaves the stop,
//! ```text
//! w = 0: x ≥ −τ,   w > 0: x = −τ      so that      0 ≤ w ⟂ x + τ ≥ 0                (1)
//! ```
//! This is one contact without friction, pressed by τ: the friction of a joint that its stop holds is that of a joint which leaves
//! the stop, f = −τ, and what is left is the stop's. Forces are unique so and change continuously, and the friction is at
//! its limit already when the joint leaves. Left to least norm, stop and friction would share the load, and exchange it without end.
//!
//! Friction at rest that is larger than in motion counts as that in motion here.
//!
//! # Tests
//! `tests/joint_friction.rs`: `eq1_a_joint_at_its_stop_leaves_it_against_its_friction`.

use crate::contact::{Site, SiteGeometry};

/// Which sites are stops and friction of the same joint.
#[derive(Debug, Default)]
pub(crate) struct Stops {
    /// Of each site that is the friction of a joint, its stops and the sides on which they hold it.
    stops: Vec<Vec<(usize, f64)>>,
    /// Of each site that is a stop, the friction of its joint.
    friction: Vec<Option<usize>>,
}

impl Stops {
    pub fn new(sites: &[Site]) -> Self {
        let mut found =
            Self { stops: vec![Vec::new(); sites.len()], friction: vec![None; sites.len()] };
        for (f, site) in sites.iter().enumerate() {
            let SiteGeometry::JointFriction { dof, .. } = site.geometry else { continue };
            for (s, stop) in sites.iter().enumerate() {
                let SiteGeometry::Limit { dof: of, side, .. } = stop.geometry else { continue };
                if of == dof {
                    found.stops[f].push((s, side));
                    found.friction[s] = Some(f);
                }
            }
        }
        found
    }

    /// The direction in which a joint would leave the stop that holds it, of its friction; none if it is free.
    pub fn leaving(&self, friction: usize, holds: impl Fn(usize) -> bool) -> Option<f64> {
        self.stops[friction].iter().find(|stop| holds(stop.0)).map(|stop| stop.1)
    }

    /// The friction of the joint of a stop.
    pub fn friction(&self, stop: usize) -> Option<usize> {
        self.friction[stop]
    }
}
