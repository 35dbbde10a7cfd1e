//! What a contact does.

/// What the tangents of a contact do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tangent {
    /// No friction.
    Smooth,
    /// wₜ = 0.
    Stick,
    /// Friction against this unit direction; the second entry is zero in the plane.
    Slip([f64; 2]),
}

/// Mode of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// wₙ = 0; otherwise xₙ = a.
    pub held: bool,
    /// What its tangents do.
    pub tangent: Tangent,
}

impl Mode {
    /// Nothing acts beyond the preload.
    pub const OPEN: Self = Self { held: false, tangent: Tangent::Smooth };

    /// Held with these tangents.
    pub fn held(tangent: Tangent) -> Self {
        Self { held: true, tangent }
    }

    /// Whether it stays without slip.
    pub fn sticks(&self) -> bool {
        self.held && self.tangent == Tangent::Stick
    }
}

/// Slip along some rows of a vector, stick if they vanish.
pub(crate) fn along(w: &[f64]) -> Tangent {
    let slip = norm(w);
    match *w {
        [] => Tangent::Smooth,
        _ if slip == 0.0 => Tangent::Stick,
        [a] => Tangent::Slip([a / slip, 0.0]),
        [a, b, ..] => Tangent::Slip([a / slip, b / slip]),
    }
}

/// Euclidean norm of up to two numbers.
pub(crate) fn norm(x: &[f64]) -> f64 {
    match *x {
        [] => 0.0,
        [a] => a.abs(),
        [a, b, ..] => a.hypot(b),
    }
}
