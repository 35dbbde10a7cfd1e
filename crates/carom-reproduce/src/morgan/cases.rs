//! One collision per path of figure 2.8.
//!
//! The floor lies one bar below the pivot, so that the posture follows from q1 and the side to which the lower bar goes.
//! All with e* = 0.7. The thesis draws its example without numbers: it takes the path a–b–e with a reversal.

use super::algebra::Pause;
use super::pendulum::Collision;

/// A collision that is to take a certain path.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Short name, used in data.
    pub name: &'static str,
    /// What happens, for readers.
    pub title: &'static str,
    /// Where the thesis has it.
    pub place: &'static str,
    /// The corners between start and end.
    pub corners: &'static [Pause],
    /// The collision.
    pub collision: Collision,
}

/// The collision with this angle of the upper bar, the lower bar to the right or to the left.
fn at(q1_degrees: f64, left: bool, v: [f64; 2], mu: f64) -> Collision {
    let q1 = q1_degrees.to_radians();
    let lower = (-1.0 - q1.sin()).asin();
    let lower = if left { std::f64::consts::PI - lower } else { lower };
    Collision { q: [q1, lower - q1], v, mu, e: 0.7 }
}

/// One case per path, the thesis's example first.
pub fn cases() -> [Case; 6] {
    [
        Case {
            name: "reversal-in-compression",
            title: "slip reverses during compression",
            place: "figures 2.2 to 2.7",
            corners: &[Pause::Reversal, Pause::Normal],
            collision: at(-5.0, false, [-1.0, 0.0], 0.2),
        },
        Case {
            name: "stick-in-compression",
            title: "slip stops during compression",
            place: "figure 2.8",
            corners: &[Pause::Stick, Pause::Normal],
            collision: at(-10.0, false, [-1.0, 0.0], 0.5),
        },
        Case {
            name: "reversal-in-restitution",
            title: "slip reverses during restitution",
            place: "figure 2.8",
            corners: &[Pause::Normal, Pause::Reversal],
            collision: at(-40.0, false, [0.0, -1.0], 0.3),
        },
        Case {
            name: "stick-in-restitution",
            title: "slip stops during restitution",
            place: "figure 2.8",
            corners: &[Pause::Normal, Pause::Stick],
            collision: at(-10.0, false, [-2.0, 3.0], 0.5),
        },
        Case {
            name: "ends-before-slip-stops",
            title: "the collision ends before the slip stops",
            place: "figure 2.9(a)",
            corners: &[Pause::Normal],
            collision: at(-85.0, false, [-1.0, -1.0], 0.8),
        },
        Case {
            name: "away-from-stick",
            title: "the slip grows",
            place: "figure 2.9(b)",
            corners: &[Pause::Normal],
            collision: at(-50.0, true, [-1.0, 2.0], 0.2),
        },
    ]
}
