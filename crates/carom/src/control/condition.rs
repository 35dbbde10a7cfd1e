//! Conditions on contacts.
//!
//! # Law
//! With a function m(t, q, v) of the user's, a contact under it
//! ```text
//! exists:       is there while m > 0, and gone at once where m falls to 0                (1)
//! may touch:    may close while m > 0; once closed it stays until it lifts off           (2)
//! ```
//! Where m comes to hold while the bodies overlap, the contact waits until they have parted: it would
//! else have to push them out. Zeros of m are events, located as all others.
//!
//! (2) is what models of walking with straight legs assume: the swing foot passes through the ground and
//! lands only in front of the stance foot (`scenes/compass_gait.toml`).
//!
//! # Tests
//! `tests/conditions.rs`.

use crate::dynamics::Kinematics;
use crate::model::{Model, PairId};

/// What a condition bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// Equation (1).
    Exists,
    /// Equation (2).
    MayTouch,
}

/// The function m of a condition.
pub trait Margin: Send {
    /// Its value, > 0 where the condition holds; continuous in its arguments.
    fn value(&mut self, t: f64, state: (&[f64], &[f64]), parts: (&Model, &Kinematics)) -> f64;
}

impl<F> Margin for F
where
    F: FnMut(f64, (&[f64], &[f64])) -> f64 + Send,
{
    fn value(&mut self, t: f64, state: (&[f64], &[f64]), _: (&Model, &Kinematics)) -> f64 {
        self(t, state)
    }
}

/// A condition on the contacts of some pairs.
pub struct Condition<'a> {
    /// The pairs.
    pub pairs: Vec<PairId>,
    /// What is bounded.
    pub bounds: Bounds,
    /// The function m.
    pub margin: Box<dyn Margin + 'a>,
}
