//! All modes of a small block, to count its solutions.
//!
//! Only where a sliding contact has A ≤ 0, so that Painlevé's paradoxes are possible, and only where N combinations of n
//! rows, whose systems are solved one by one, are little work:
//! ```text
//! N n³ ≤ 10⁷                                                                  (1)
//! ```
//! some ten milliseconds. Solutions whose w agree are one motion. Of several the *gentlest* is taken, the
//! one with the least ‖x‖: contacts that can let go do, as in the limit of a compliance that is loaded
//! slowly from nothing.
//!
//! # Tests
//! `tests/coulomb.rs`: `painleve_eq1_regular`, `painleve_eq2_two`, `painleve_eq3_none`.

use super::certificate::{residual, scale, velocity};
use super::linear::ModeSystem;
use super::mode::{Mode, Tangent, along};
use super::pivot::{pressed, released};
use super::problem::{Duty, Problem};
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::{ACCEPTED, SAME_MOTION};
use nalgebra::DVector;

/// Bound of (1).
const MOST: usize = 10_000_000;
/// Rounds of turning a starting slip in space towards its acceleration.
const TURNS: usize = 60;

/// Buffers of the search.
#[derive(Debug, Clone, Default)]
pub struct Enumeration {
    system: ModeSystem,
    modes: Vec<Mode>,
    x: DVector<f64>,
    w: DVector<f64>,
    best_w: DVector<f64>,
}

impl Enumeration {
    /// Whether (1) holds.
    pub fn is_small(&self, problem: &Problem) -> bool {
        combinations(problem).saturating_mul(problem.rows().pow(3)) <= MOST
    }

    /// The number of solutions; the gentlest in `modes` and x.
    pub fn run(&mut self, problem: &Problem, modes: &mut Vec<Mode>, x: &mut DVector<f64>) -> usize {
        let mut count = 0;
        for index in 0..combinations(problem) {
            self.assign(problem, index);
            if !self.satisfied(problem) {
                continue;
            }
            let small = SAME_MOTION * scale(problem, &self.x);
            let another = count == 0 || (&self.w - &self.best_w).amax() > small;
            count += usize::from(another);
            if count == 1 && another || self.x.norm() < x.norm() {
                modes.clone_from(&self.modes);
                reshape_vector(x, problem.rows());
                x.copy_from(&self.x);
                self.best_w.clone_from(&self.w);
            }
        }
        count
    }

    /// Combination number `index`; pressed and sticking ones come first.
    fn assign(&mut self, problem: &Problem, mut index: usize) {
        self.modes.clear();
        for k in 0..problem.contacts.len() {
            let n = choices(problem, k);
            self.modes.push(mode(problem, k, index % n));
            index /= n;
        }
    }

    /// Solve for the trial modes, refining directions of starting slips; whether all laws hold.
    fn satisfied(&mut self, problem: &Problem) -> bool {
        for _ in 0..TURNS {
            self.system.solve(problem, &self.modes, &mut self.x);
            velocity(problem, &self.x, &mut self.w);
            if residual(problem, &self.x, &self.w) <= ACCEPTED {
                return true;
            }
            let mut turned = false;
            for (k, c) in problem.contacts.iter().enumerate() {
                let starts = c.tangents == 2 && c.duty == Duty::Coulomb;
                if let (Tangent::Slip(_), true) = (self.modes[k].tangent, starts) {
                    self.modes[k].tangent = along(&self.w.as_slice()[c.tangent_rows()]);
                    turned = true;
                }
            }
            if !turned {
                return false;
            }
        }
        false
    }
}

/// What the tangents of a contact may do. A starting slip in space has one entry: its direction is found.
fn tangents(problem: &Problem, k: usize) -> &'static [Option<Tangent>] {
    const GIVEN: [Option<Tangent>; 1] = [None];
    const REST: [Option<Tangent>; 3] =
        [None, Some(Tangent::Slip([1.0, 0.0])), Some(Tangent::Slip([-1.0, 0.0]))];
    let c = &problem.contacts[k];
    match (c.duty, c.tangents) {
        (Duty::Coulomb, 1) if c.rough() => &REST,
        (Duty::Coulomb, 2) if c.rough() => &REST[..2],
        _ => &GIVEN,
    }
}

/// Number of modes of a contact: held, unless it is driven, and released, with friction if it is preloaded.
fn choices(problem: &Problem, k: usize) -> usize {
    let (c, tangents) = (&problem.contacts[k], tangents(problem, k).len());
    match (c.duty, c.preload > 0.0) {
        (Duty::Held | Duty::Apart, _) => 1,
        _ if c.leader.is_some() => tangents,
        (_, true) if c.driven => tangents,
        (_, true) => 2 * tangents,
        (_, false) => tangents + 1,
    }
}

/// Mode number `index` of a contact.
fn mode(problem: &Problem, k: usize, index: usize) -> Mode {
    let options = tangents(problem, k);
    let base = if index < options.len() { pressed(problem, k) } else { released(problem, k) };
    let tangent = options[index % options.len()];
    if base == Mode::OPEN {
        base
    } else {
        Mode { tangent: tangent.unwrap_or(base.tangent), ..base }
    }
}

fn combinations(problem: &Problem) -> usize {
    (0..problem.contacts.len()).fold(1_usize, |all, k| all.saturating_mul(choices(problem, k)))
}
