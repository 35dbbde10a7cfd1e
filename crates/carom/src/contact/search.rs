//! Which closed contacts press, stick and slip: equations (1) to (3) of the parent.
//!
//! # Method
//! Start with every contact pressed, sticking where it has no slip; mend the worst violation of
//! (1) or (3) and solve again. A set that satisfies every condition to `TOLERANCE` is the answer;
//! if none is met within the bound, starting slips in space are sought by `onset.rs`; if that
//! fails, or if friction makes the problem ambiguous (a slipping
//! contact whose own A ≤ 0), every combination is tried, see [`super::painleve`].
//!
//! # Limits
//! Where μs > μd lets stick and slip coexist, stick wins. Redundant contacts: λ of least norm; a
//! contact that least norm makes pull is released, which leaves the motion unchanged.
//!
//! # Tests
//! `tests/contact_modes.rs`: `eq1_signorini`, `eq2_slip`, `eq3_stick_or_slip`, `painleve_*`.

use super::painleve::{self, ContactFailure};
use super::{ContactForces, ContactRows, ContactSystem, Press, SolverScratch, onset, solve_modes};

/// Relative violation of an inequality that is round-off.
pub const TOLERANCE: f64 = 1e-10;
/// Relative residual of the linear system that is round-off.
pub const RESIDUAL: f64 = 1e-8;
/// Misalignment of a starting slip that is round-off.
const ALIGNED: f64 = 1e-12;

/// What the slip velocity of a contact leaves open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// No slip: it may stick, or start to slip.
    Still,
    /// Slips along the unit direction.
    Sliding([f64; 2]),
    /// Bilateral: always held.
    Held,
}

/// Scratch of the search.
#[derive(Debug, Clone, Default)]
pub struct SearchScratch {
    pub(super) solver: SolverScratch,
    pub(super) press: Vec<Press>,
    pub(super) trial: ContactForces,
}

impl SearchScratch {
    /// Room for `contacts` contacts with up to `rows` rows.
    pub fn with_capacity(contacts: usize, rows: usize) -> Self {
        Self {
            solver: SolverScratch::with_capacity(rows),
            press: Vec::with_capacity(contacts),
            trial: ContactForces::default(),
        }
    }
}

/// How a contact violates its law, and how much relative to the scale.
#[derive(Debug, Clone, Copy)]
pub(super) enum Violation {
    Pulls(f64),
    Penetrates(f64),
    LeavesCone(f64),
    SlipsBack(f64),
    Turns([f64; 2]),
}

impl Violation {
    fn size(&self) -> f64 {
        match self {
            // A direction is refined only when everything else holds.
            Self::Turns(_) => 0.0,
            Self::Pulls(x) | Self::Penetrates(x) => 1e3 * x,
            Self::LeavesCone(x) | Self::SlipsBack(x) => *x,
        }
    }
}

/// Find modes that satisfy (1) to (3); `press` and `out` hold them.
pub fn find_modes(
    system: &ContactSystem,
    freedoms: &[Freedom],
    scratch: &mut SearchScratch,
    press: &mut Vec<Press>,
    out: &mut ContactForces,
) -> Result<(), ContactFailure> {
    press.clear();
    press.extend(freedoms.iter().map(pressed));
    if !painleve::suspicious(system, freedoms) {
        let bound = 50 + 20 * freedoms.len();
        for _ in 0..bound {
            solve_modes(system, press, &mut scratch.solver, out);
            match worst_violation(system, freedoms, press, out) {
                None if out.residual <= RESIDUAL => return Ok(()),
                None => break,
                Some((contact, violation)) => {
                    press[contact] = mend(system, contact, &freedoms[contact], violation, out);
                }
            }
        }
    }
    let starts = |(c, f): (&ContactRows, &Freedom)| c.tangents == 2 && *f == Freedom::Still;
    let suspicious = painleve::suspicious(system, freedoms);
    if !suspicious
        && system.contacts.iter().zip(freedoms).any(starts)
        && onset::find_onset(system, freedoms, scratch, press, out)
    {
        return Ok(());
    }
    painleve::enumerate(system, freedoms, scratch, press, out)
}

/// Pressed, and sticking if it may.
pub(super) fn pressed(freedom: &Freedom) -> Press {
    match freedom {
        Freedom::Sliding(d) => Press::Slip(*d),
        Freedom::Still | Freedom::Held => Press::Stick,
    }
}

/// The worst violation of all contacts, if any.
pub(super) fn worst_violation(
    system: &ContactSystem,
    freedoms: &[Freedom],
    press: &[Press],
    forces: &ContactForces,
) -> Option<(usize, Violation)> {
    let force = forces.lambda.iter().fold(f64::MIN_POSITIVE, |s, l| s.max(l.abs()));
    let acceleration = system.acceleration_scale().max(f64::MIN_POSITIVE);
    let mut worst: Option<(usize, Violation)> = None;
    for i in 0..press.len() {
        if freedoms[i] == Freedom::Held {
            continue;
        }
        let found = violation(system, i, &freedoms[i], &press[i], forces, (force, acceleration));
        if let Some(v) = found
            && worst.is_none_or(|(_, w)| v.size() > w.size())
        {
            worst = Some((i, v));
        }
    }
    worst
}

/// How one contact violates (1) to (3).
fn violation(
    system: &ContactSystem,
    contact: usize,
    freedom: &Freedom,
    press: &Press,
    forces: &ContactForces,
    (force, acceleration): (f64, f64),
) -> Option<Violation> {
    let c = &system.contacts[contact];
    let (w_n, lambda_n) = (forces.w[c.normal()] / acceleration, forces.lambda[c.normal()] / force);
    if *press == Press::Open {
        return (w_n < -TOLERANCE).then_some(Violation::Penetrates(-w_n));
    }
    if lambda_n < -TOLERANCE {
        return Some(Violation::Pulls(-lambda_n));
    }
    match press {
        Press::Stick => {
            let t = tangential(&forces.lambda, c.first, c.tangents);
            let excess = t[0].hypot(t[1]) / force - c.static_friction * lambda_n;
            (c.tangents > 0 && excess > TOLERANCE).then_some(Violation::LeavesCone(excess))
        }
        Press::Slip(d) if *freedom == Freedom::Still => {
            let w = tangential(&forces.w, c.first, c.tangents);
            let along = w[0] * d[0] + w[1] * d[1];
            let across = (w[1] * d[0] - w[0] * d[1]).abs();
            if along < -TOLERANCE * acceleration {
                return Some(Violation::SlipsBack(-along / acceleration));
            }
            let size = w[0].hypot(w[1]);
            let turns = across > ALIGNED * acceleration && size > TOLERANCE * acceleration;
            turns.then(|| Violation::Turns([w[0] / size, w[1] / size]))
        }
        _ => None,
    }
}

pub(super) fn tangential(x: &[f64], first: usize, tangents: usize) -> [f64; 2] {
    match tangents {
        0 => [0.0, 0.0],
        1 => [x[first], 0.0],
        _ => [x[first], x[first + 1]],
    }
}

/// The mode that answers a violation.
fn mend(
    system: &ContactSystem,
    contact: usize,
    freedom: &Freedom,
    violation: Violation,
    forces: &ContactForces,
) -> Press {
    let c = &system.contacts[contact];
    match violation {
        Violation::Pulls(_) => Press::Open,
        Violation::Penetrates(_) => pressed(freedom),
        Violation::SlipsBack(_) => Press::Stick,
        Violation::Turns(d) => Press::Slip(d),
        Violation::LeavesCone(_) => {
            // Friction has reached its limit: slip starts against it.
            let t = tangential(&forces.lambda, c.first, c.tangents);
            let size = t[0].hypot(t[1]);
            Press::Slip([-t[0] / size, -t[1] / size])
        }
    }
}
