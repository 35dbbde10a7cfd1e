//! Which contacts press, stick and slip during a stage: equations (1) to (3) of the parent.

use crate::impact::instant::{self, Grip};

/// A solution of one stage.
pub(crate) type Rates = instant::Rates<Tangent>;
/// Mode of one contact.
pub(crate) type Mode = instant::Mode<Tangent>;

/// Largest number of combinations that is tried exhaustively, stated in the parent; 4 resting contacts have at most 4⁴ = 256.
pub(crate) const ENUMERATED: usize = 4096;

/// Tangential mode of a contact that presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tangent {
    /// u̇ₜ = 0.
    Stick,
    /// Slips, or begins to, in direction ±1.
    Slip(f64),
    /// No friction: no tangent, or μ = 0.
    Free,
}

/// What a contact may do in this stage, decided by its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duty {
    /// Row of the normal.
    pub normal: usize,
    /// Row of the tangent, if there is one with friction.
    pub tangent: Option<usize>,
    /// μd.
    pub friction: f64,
    /// μs.
    pub static_friction: f64,
    /// Prescribed part d of ṗₙ.
    pub drive: f64,
    /// Least rate r of uₙ, if the contact is closed.
    pub floor_rate: f64,
    /// Whether uₙ is at its floor, so that (1) holds; else x = 0.
    pub closed: bool,
    /// Direction of slip, 0 at rest.
    pub slip: f64,
}

impl instant::Tangent for Tangent {
    const FREE: Self = Self::Free;
}

impl Duty {
    fn choices(&self) -> &'static [Tangent] {
        const REST: [Tangent; 3] = [Tangent::Stick, Tangent::Slip(1.0), Tangent::Slip(-1.0)];
        match (self.tangent, self.slip) {
            (None, _) => &[Tangent::Free],
            (_, s) if s > 0.0 => &REST[1..2],
            (_, s) if s < 0.0 => &REST[2..3],
            _ => &REST,
        }
    }

    /// First guess of the pivoting: press and stick, or slip as it does.
    pub fn press(&self) -> Mode {
        Mode { on: self.closed, tangent: self.choices()[0] }
    }
}

impl instant::Duty for Duty {
    type Tangent = Tangent;

    fn may_press(&self) -> bool {
        self.closed
    }

    fn drive(&self) -> f64 {
        self.drive
    }

    fn tangents(&self) -> usize {
        self.choices().len()
    }

    fn tangent(&self, index: usize) -> Tangent {
        self.choices()[index]
    }

    fn grip(&self, tangent: &Tangent) -> Grip {
        match tangent {
            Tangent::Stick => Grip::Stick,
            Tangent::Slip(_) if self.slip == 0.0 => Grip::Start,
            Tangent::Slip(_) => Grip::Slip,
            Tangent::Free => Grip::None,
        }
    }

    fn frictions(&self) -> [f64; 2] {
        [self.friction, self.static_friction]
    }
}
