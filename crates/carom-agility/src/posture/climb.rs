//! From one posture uphill to a local optimum, equations (2)–(7).

use super::constraints::Constraints;
use super::curvature::curvature;
use super::foothold::{Foothold, Ground};
use super::newton::{Curve, Face};
use super::stationarity::{End, Stationarity};
use crate::capability::evaluator::Evaluator;
use crate::capability::largest::Capability;
use crate::error::AgilityError;
use crate::program::{ConicProgram, InteriorSolution, Multipliers, interior};
use crate::thresholds::climb::{GAIN, RADIUS};
use nalgebra::DVector;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClimbOptions {
    /// ρ at the start, rad or m; useful 0.01 to 1.
    pub radius: f64,
    /// ρ at which the climb ends, rad or m; below 1e-9 round-off decides whether a step is uphill.
    pub smallest_radius: f64,
    /// Gain predicted with curvature, as a fraction of a*, below which the climb ends; below 1e-11
    /// round-off of the programs keeps it from being reached.
    pub gain: f64,
    /// Steps at most.
    pub steps: usize,
}

impl Default for ClimbOptions {
    fn default() -> Self {
        Self { radius: 0.2, smallest_radius: RADIUS, gain: GAIN, steps: 300 }
    }
}

/// Where a climb ended.
#[derive(Debug, Clone)]
pub struct Climbed {
    /// The posture.
    pub q: Vec<f64>,
    /// Its capability.
    pub capability: Capability,
    /// Capability of the start, m/s².
    pub start: f64,
    /// Steps tried.
    pub steps: usize,
    /// Capabilities computed.
    pub evaluations: usize,
    /// What kind of end it is.
    pub end: End,
    /// What that is concluded from; `None` if a program of the test failed, which counts as stalled.
    pub stationarity: Option<Stationarity>,
}

/// A step that was tried.
struct Trial {
    next: Option<Foothold>,
    gain: f64,
    length: f64,
    won: f64,
}

/// A climb under way.
struct Climb<'a, 'e, 's, 'm> {
    evaluator: &'e mut Evaluator<'s, 'm>,
    constraints: &'a Constraints,
    here: Foothold,
    /// First derivatives at `here`, once known.
    ground: Option<Ground>,
    radius: f64,
    /// Multipliers of the last program with curvature.
    carried: Option<Multipliers>,
    evaluations: usize,
}

/// Climb from `q`, which must meet the constraints.
pub fn climb(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
    options: &ClimbOptions,
) -> Result<Climbed, AgilityError> {
    let here = Foothold::new(evaluator, q.to_vec())?;
    let start = here.at.acceleration;
    let (radius, ground, carried) = (options.radius, None, None);
    let mut climb = Climb { evaluator, constraints, here, ground, radius, carried, evaluations: 1 };
    let mut steps = 0;
    while steps < options.steps && climb.radius >= options.smallest_radius {
        steps += 1;
        let small = options.gain * (1.0 + climb.here.at.acceleration.abs());
        if climb.step(small)? {
            break;
        }
    }
    let ground = climb.take_ground()?;
    let stationarity = Stationarity::new(&climb.here, climb.evaluator, constraints, &ground).ok();
    let a = climb.here.at.acceleration;
    let end = stationarity.map_or(End::Stalled, |s| s.end(a, steps >= options.steps));
    let Climb { here: Foothold { q, at: capability, .. }, evaluations, .. } = climb;
    Ok(Climbed { q, capability, start, steps, evaluations, end, stationarity })
}

impl Climb<'_, '_, '_, '_> {
    fn take_ground(&mut self) -> Result<Ground, AgilityError> {
        match self.ground.take() {
            Some(ground) => Ok(ground),
            None => self.here.ground(self.evaluator, self.constraints),
        }
    }

    /// One step; whether nothing is left to gain.
    fn step(&mut self, small: f64) -> Result<bool, AgilityError> {
        let ground = self.take_ground()?;
        let model = self.evaluator.stance().model();
        let program = self.here.local_program(self.constraints, model, &ground, self.radius);
        let Ok(linear) = interior(&program, None) else {
            // A smaller box has other constraints near.
            (self.radius, self.ground) = (0.5 * self.radius, Some(ground));
            return Ok(false);
        };
        let mut best = self.attempt(&linear.x, linear.value, &ground);
        if best.won < 0.75 * best.gain || best.gain <= small {
            let bent = self.bent_trials(&ground, &program, &linear)?;
            if bent.iter().all(|trial| trial.gain <= small) {
                self.ground = Some(ground);
                return Ok(true);
            }
            best = bent.into_iter().fold(best, |a, b| if b.won > a.won { b } else { a });
        }
        self.take(best, ground);
        Ok(false)
    }

    /// The steps that know curvature: the program with its concave part, and (5) on what that presses.
    fn bent_trials(
        &mut self,
        ground: &Ground,
        program: &ConicProgram,
        linear: &InteriorSolution,
    ) -> Result<Vec<Trial>, AgilityError> {
        let multipliers = self.carried.as_ref().unwrap_or(&linear.multipliers);
        let parts = (program, multipliers);
        let W = curvature(&self.here, self.evaluator, self.constraints, ground, parts)?;
        let face = Face::new(&self.here, ground, program, &linear.pressed, self.radius)?;
        let P = Curve::new(&face, &W).concave_part(&ground.scale);
        let mut trials = Vec::new();
        let bent = interior(program, Some(&P));
        let bent = match &bent {
            Ok(bent) => {
                trials.push(self.attempt(&bent.x, bent.value, ground));
                bent
            }
            Err(_) => linear,
        };
        let face = Face::new(&self.here, ground, program, &bent.pressed, self.radius)?;
        let newton =
            Curve::new(&face, &W).step(&program.objective, &ground.scale, 2.0 * self.radius);
        trials.push(self.attempt(&newton.d, newton.gain, ground));
        self.carried = Some(bent.multipliers.clone());
        Ok(trials)
    }

    /// Where a step leads.
    fn attempt(&mut self, d: &DVector<f64>, gain: f64, ground: &Ground) -> Trial {
        let length = d.component_div(&ground.scale).amax();
        self.evaluations += 1;
        let next = self.here.moved(self.evaluator, self.constraints, d);
        let a = self.here.at.acceleration;
        let won = next.as_ref().map_or(f64::NEG_INFINITY, |n| n.at.acceleration - a);
        Trial { next, gain, length, won }
    }

    /// Go there if it is uphill, and choose the next box.
    fn take(&mut self, best: Trial, ground: Ground) {
        let ratio = best.won / best.gain.max(f64::MIN_POSITIVE);
        match best.next {
            Some(next) if best.won > 0.0 => {
                self.here = next;
                if ratio > 0.75 && best.length > 0.5 * self.radius {
                    self.radius = (2.0 * self.radius).min(1.0);
                } else if ratio < 0.25 {
                    self.radius *= 0.5;
                }
            }
            _ => {
                // A step that was short by itself says that the box must become shorter still.
                self.radius = 0.25 * best.length.clamp(0.1 * self.radius, self.radius);
                self.ground = Some(ground);
            }
        }
    }
}
