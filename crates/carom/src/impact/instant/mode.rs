//! What a contact does at an instant, and what it may do.

/// How a contact that presses holds on to its surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grip {
    /// There is no friction.
    None,
    /// Sticks.
    Stick,
    /// Starts to slip from rest.
    Start,
    /// Goes on slipping.
    Slip,
}

/// Mode of one contact.
pub(crate) trait Mode: Copy {
    /// Nothing acts.
    const OFF: Self;

    /// Whether the complementary part of the normal impulse acts.
    fn presses(&self) -> bool;
}

/// What a contact may do, decided by its velocity.
pub(crate) trait Duty {
    /// Its modes.
    type Mode: Mode;

    /// Number of modes; pressing ones come first, so that redundant sets are met before their parts.
    fn count(&self) -> usize;

    /// Mode number `index`.
    fn mode(&self, index: usize) -> Self::Mode;

    /// How the contact holds on in a mode.
    fn grip(&self, mode: &Self::Mode) -> Grip;

    /// μd and μs.
    fn frictions(&self) -> [f64; 2];
}
