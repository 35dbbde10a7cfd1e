//! The same scene in carom: adaptive steps, or fixed ones, both with events.

use carom::record::EventKind;

use super::forcing::Forcing;
use super::measure::Motion;
use crate::error::Trouble;
use crate::flickinger::case::Case;
use crate::flickinger::scenes;

/// How carom steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Dormand–Prince with this relative tolerance; the absolute one is a tenth, as in table A.2.
    Adaptive {
        /// Relative tolerance.
        rtol: f64,
    },
    /// Classical Runge–Kutta with this step, s. Events are located all the same.
    Fixed {
        /// Step, s.
        step: f64,
    },
    /// The same with the events of friction projected over the steps, as in A.3.
    Projected {
        /// Step, s.
        step: f64,
    },
}

/// Runs the scene and tells the motion of the damper, sampled every `interval` seconds; and the wall time.
pub fn simulate(
    forcing: Forcing,
    scheme: Scheme,
    end: f64,
    interval: f64,
) -> Result<(Motion, f64), Trouble> {
    let set = [
        format!("body.support.joint.prescribed.amplitude={}", forcing.amplitude),
        format!("body.support.joint.prescribed.frequency={}", forcing.frequency),
        format!("solver.until={end}"),
        format!("output.interval={interval}"),
    ];
    let mut scene = scenes::MASS_SPRING_FRICTION.read(&set)?;
    let solver = &mut scene.options.solver;
    match scheme {
        Scheme::Adaptive { rtol } => (solver.rtol, solver.atol) = (rtol, 0.1 * rtol),
        Scheme::Fixed { step } => {
            (solver.method, solver.step) = (Some("rk4".into()), step);
        }
        Scheme::Projected { step } => {
            (solver.method, solver.step) = (Some("rk4".into()), step);
            solver.projected = true;
        }
    }
    let case = Case::of_scene(scene)?;
    Ok((motion(&case, end), case.seconds))
}

/// q[1] and v[1] are the stretch and its rate; samples at both sides of an event are one.
fn motion(case: &Case, end: f64) -> Motion {
    let mut motion = Motion { sticks: vec![[0.0, end]], ..Motion::default() };
    for row in &case.rows {
        if motion.t.last() != Some(&row.t) {
            motion.push(row.t, [row.q[1], row.v[1]], None);
        }
    }
    for event in &case.events {
        match event.kind {
            EventKind::SlipStart => {
                if let Some(last) = motion.sticks.last_mut() {
                    last[1] = event.t;
                }
            }
            EventKind::SlipStop => {
                motion.sticks.push([event.t, end]);
                motion.crossings += 1;
                motion.captures += 1;
            }
            EventKind::SlipReversal => motion.crossings += 1,
            _ => {}
        }
    }
    motion
}
