//! What a contact does at an instant, and what it may do.

/// What the tangents of a contact that presses do.
pub(crate) trait Tangent: Copy {
    /// No friction.
    const FREE: Self;
}

/// Mode of one contact: does the complementary part x of the normal impulse act, and what do the tangents do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mode<T> {
    pub on: bool,
    pub tangent: T,
}

impl<T: Tangent> Mode<T> {
    /// Nothing acts.
    pub const OFF: Self = Self { on: false, tangent: T::FREE };
}

/// How a contact holds on to its surface.
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

/// What a contact may do, decided by its velocity.
pub(crate) trait Duty {
    /// What its tangents do.
    type Tangent: Tangent;

    /// Whether x may act.
    fn may_press(&self) -> bool;

    /// Prescribed part d of the normal impulse.
    fn drive(&self) -> f64;

    /// How many things the tangents may do, at least one.
    fn tangents(&self) -> usize;

    /// Number `index` of them.
    fn tangent(&self, index: usize) -> Self::Tangent;

    /// How the contact holds on if its tangents do this.
    fn grip(&self, tangent: &Self::Tangent) -> Grip;

    /// μd and μs.
    fn frictions(&self) -> [f64; 2];

    /// Number of modes; pressing ones come first, so that redundant sets are met before their parts.
    fn count(&self) -> usize {
        match (self.may_press(), self.drive() > 0.0) {
            (true, true) => 2 * self.tangents(),
            (true, false) => self.tangents() + 1,
            (false, true) => self.tangents(),
            (false, false) => 1,
        }
    }

    /// Mode number `index`.
    fn mode(&self, index: usize) -> Mode<Self::Tangent> {
        let tangents = self.tangents();
        let on = self.may_press() && index < tangents;
        if !on && self.drive() <= 0.0 {
            return Mode::OFF;
        }
        Mode { on, tangent: self.tangent(index % tangents) }
    }
}
