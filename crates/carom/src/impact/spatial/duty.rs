//! What a contact may do at an instant, and what it does.

use crate::impact::instant::{self, Grip};

/// A solution of one instant.
pub(crate) type Rates = instant::Rates<Tangent>;
/// Mode of one contact.
pub(crate) type Mode = instant::Mode<Tangent>;

/// Tangential mode of a contact that presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tangent {
    /// No friction: no tangent, or μ = 0.
    Free,
    Stick,
    /// Slips in a direction.
    Slip([f64; 2]),
    /// Starts to slip in a direction to be found; with one tangent the direction is given.
    Onset([f64; 2]),
}

impl instant::Tangent for Tangent {
    const FREE: Self = Self::Free;
}

impl Mode {
    /// Friction per unit of normal impulse is −μ times this.
    pub fn direction(&self) -> [f64; 2] {
        match self.tangent {
            Tangent::Slip(u) | Tangent::Onset(u) => u,
            _ => [0.0; 2],
        }
    }
}

/// What a contact may do, decided by its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duty {
    /// First row; the tangents come before the normal.
    pub first: usize,
    /// Number of tangents with friction.
    pub tangents: usize,
    /// Row of the normal.
    pub normal: usize,
    pub friction: f64,
    pub static_friction: f64,
    /// Prescribed part d of ṗₙ.
    pub drive: f64,
    /// Least rate r of uₙ, if the contact is closed.
    pub floor_rate: f64,
    /// Whether uₙ is at its floor.
    pub closed: bool,
    /// Direction of slip, none at rest.
    pub slip: Option<[f64; 2]>,
    /// Stick, or pressing, has just ended by its own condition and is not tried again.
    pub spent: Spent,
}

/// A mode that has just ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    Nothing,
    Stick,
    Press,
}

const REST: [[Tangent; 3]; 2] = [
    [Tangent::Stick, Tangent::Onset([1.0, 0.0]), Tangent::Onset([-1.0, 0.0])],
    [Tangent::Stick, Tangent::Onset([0.0, 0.0]), Tangent::Free],
];

impl instant::Duty for Duty {
    type Tangent = Tangent;

    fn may_press(&self) -> bool {
        self.closed && self.spent != Spent::Press
    }

    fn drive(&self) -> f64 {
        self.drive
    }

    fn tangents(&self) -> usize {
        match (self.tangents, self.slip) {
            (0, _) | (_, Some(_)) => 1,
            (t, None) => 4 - t - usize::from(self.spent == Spent::Stick),
        }
    }

    fn tangent(&self, index: usize) -> Tangent {
        match (self.tangents, self.slip) {
            (0, _) => Tangent::Free,
            (_, Some(u)) => Tangent::Slip(u),
            (t, None) => REST[t - 1][index + usize::from(self.spent == Spent::Stick)],
        }
    }

    fn grip(&self, tangent: &Tangent) -> Grip {
        match tangent {
            Tangent::Free => Grip::None,
            Tangent::Stick => Grip::Stick,
            Tangent::Onset(_) => Grip::Start,
            Tangent::Slip(_) => Grip::Slip,
        }
    }

    fn frictions(&self) -> [f64; 2] {
        [self.friction, self.static_friction]
    }
}

impl Rates {
    /// Scale of the round-off in the tangential rates of a contact.
    pub fn scale_of(&self, d: &Duty) -> f64 {
        self.scale[d.first..d.first + d.tangents].iter().fold(0.0, |s, x| s.max(*x))
    }
}

/// Direction of slip, none if the speed does not exceed `zero`.
pub(crate) fn direction(d: &Duty, u: &[f64], zero: f64) -> Option<[f64; 2]> {
    let w: [f64; 2] = std::array::from_fn(|t| if t < d.tangents { u[d.first + t] } else { 0.0 });
    let r = w[0].hypot(w[1]);
    (r > zero).then(|| w.map(|w| w / r))
}

/// Part of a velocity or rate of a contact along a direction.
pub(crate) fn along(d: &Duty, v: [f64; 2], u: &[f64]) -> f64 {
    (0..d.tangents).map(|t| v[t] * u[d.first + t]).sum()
}
