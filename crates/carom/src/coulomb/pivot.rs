//! Modes by mending the worst violation.
//!
//! # Method
//! Solve for the present modes; the contact that violates its law most gets the mode that answers it:
//! ```text
//! pulls                     → open                                            (1)
//! open and sinks in         → held, sticking or sliding as its duty says      (2)
//! friction beyond its cone  → slip against the friction                       (3)
//! slips back                → stick                                           (4)
//! slips along, but turns    → slip along the new direction                    (5)
//! ```
//! It ends where nothing is violated, or after a bounded number of rounds: a cycle is not an answer. Modes follow from
//! the modes before and nothing else, so a set that returns is a cycle; after Brent, each is compared with the one of the
//! last round that was a power of two, which sees a cycle within three times its length and its way in.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq1_to_eq5_random_systems_satisfy_every_law`.

use super::certificate::{residual, scale, velocity};
use super::linear::ModeSystem;
use super::mode::{Mode, Tangent, along, norm};
use super::problem::{Duty, Problem};
use crate::numeric::thresholds::{POLISHED, SOLVED};
use nalgebra::DVector;

/// The first guess of a contact: pressed, sticking if it may.
pub(super) fn pressed(problem: &Problem, k: usize) -> Mode {
    let c = &problem.contacts[k];
    let tangent = match c.duty {
        Duty::Apart => return Mode::OPEN,
        Duty::Sliding(d) if c.tangents > 0 => Tangent::Slip(d),
        Duty::Held => Tangent::Stick,
        _ if c.rough() => Tangent::Stick,
        _ => Tangent::Smooth,
    };
    Mode { held: !c.driven, tangent }
}

/// Released; with a preload its friction goes on.
pub(super) fn released(problem: &Problem, k: usize) -> Mode {
    let c = &problem.contacts[k];
    if c.preload > 0.0 { Mode { held: false, ..pressed(problem, k) } } else { Mode::OPEN }
}

/// How much a contact violates its law, and the mode that answers it.
fn violation(
    problem: &Problem,
    k: usize,
    mode: Mode,
    (x, w): (&DVector<f64>, &DVector<f64>),
    velocity: f64,
) -> Option<(f64, Mode)> {
    let c = &problem.contacts[k];
    if matches!(c.duty, Duty::Held | Duty::Apart) {
        return None;
    }
    let follows = c.leader.is_some();
    let impulse = velocity / problem.mobility(k);
    let (x_n, w_n) = (x[c.normal()], w[c.normal()] / velocity);
    if !mode.held && !c.driven && !follows && w_n < -SOLVED {
        return Some((-w_n, pressed(problem, k)));
    }
    let pull = (c.preload - x_n) / impulse;
    if mode.held && !follows && pull > SOLVED {
        return Some((pull, released(problem, k)));
    }
    if c.duty != Duty::Coulomb || !c.rough() {
        return None;
    }
    let x_t = &x.as_slice()[c.tangent_rows()];
    let w_t = &w.as_slice()[c.tangent_rows()];
    match mode.tangent {
        Tangent::Stick => {
            let excess = (norm(x_t) - c.static_friction * x_n) / impulse;
            // Normal laws first: a cone is judged by a normal force that is right.
            let Tangent::Slip([a, b]) = along(x_t) else { return None };
            (excess > SOLVED)
                .then_some((1e-3 * excess, Mode { tangent: Tangent::Slip([-a, -b]), ..mode }))
        }
        Tangent::Slip(d) => {
            let part = |t: usize| w_t.get(t).map_or(0.0, |w| w / velocity);
            let (forward, across) =
                (part(0) * d[0] + part(1) * d[1], part(1) * d[0] - part(0) * d[1]);
            if forward < -SOLVED {
                return Some((-1e-3 * forward, Mode { tangent: Tangent::Stick, ..mode }));
            }
            let turns = across.abs() > POLISHED && forward > SOLVED;
            // A direction is refined only when everything else holds.
            turns.then(|| (0.0, Mode { tangent: along(w_t), ..mode }))
        }
        Tangent::Smooth => None,
    }
}

/// Buffers of the pivoting.
#[derive(Debug, Clone, Default)]
pub(super) struct Pivot {
    system: ModeSystem,
    w: DVector<f64>,
    /// Modes of the last round that was a power of two.
    anchor: Vec<Mode>,
    rounds: usize,
}

impl Pivot {
    /// Mend `modes` until nothing is violated; the residual of x, infinite if it cycles.
    pub fn run(&mut self, problem: &Problem, modes: &mut [Mode], x: &mut DVector<f64>) -> f64 {
        for round in 1..=20 + 8 * modes.len() {
            self.rounds = round;
            if round.is_power_of_two() {
                self.anchor.clear();
                self.anchor.extend_from_slice(modes);
            }
            self.system.solve(problem, modes, x);
            velocity(problem, x, &mut self.w);
            let size = scale(problem, x);
            let mut worst: Option<(f64, usize, Mode)> = None;
            for k in problem.active() {
                if problem.contacts[k].leader.is_some() && problem.slack(k, modes) {
                    continue;
                }
                let found = violation(problem, k, modes[k], (x, &self.w), size);
                if let Some((much, mode)) = found
                    && worst.is_none_or(|(w, ..)| much > w)
                {
                    worst = Some((much, k, mode));
                }
            }
            match worst {
                None => return residual(problem, x, &self.w),
                Some((_, k, mode)) => modes[k] = mode,
            }
            if self.anchor == *modes {
                break;
            }
        }
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sliding contact in Painlevé's paradox, A = Gₙₙ − μ d Gₙₜ < 0: open it sinks in, held it pulls, and so on.
    #[test]
    fn a_cycle_is_seen_when_it_closes() {
        let mut problem = Problem::default();
        problem.resize(2);
        problem.push(1, [2.0; 2], Duty::Sliding([-1.0, 0.0]));
        problem.G.copy_from_slice(&[1.0, -0.9, -0.9, 1.0]);
        problem.b.copy_from_slice(&[0.0, -1.0]);
        let (mut pivot, mut x) = (Pivot::default(), DVector::zeros(2));
        let residual = pivot.run(&problem, &mut [pressed(&problem, 0)], &mut x);
        assert_eq!(residual, f64::INFINITY);
        assert!(pivot.rounds <= 6, "{}", pivot.rounds);
    }
}
