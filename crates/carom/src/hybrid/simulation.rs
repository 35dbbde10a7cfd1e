//! What is run, and the run in memory.

use super::clusters::{Assemblies, Schedule, Whole};
use super::conditions::Conditions;
use super::flow::Given;
use super::laws::Laws;
use super::motors::Motors;
use super::options::{Options, Output, Scheme};
use super::outcome::{Outcome, SimError, Statistics, Stop};
use super::run::Course;
use super::sampling::Teller;
use super::stepped::{Stepped, softened};
use crate::contact::site::SiteGeometry;
use crate::contact::{Site, sites};
use crate::control::{Actuator, Condition, Controller, ForceLaw, Prescribed};
use crate::impact::ImpactLaw;
use crate::model::{Model, PairId};
use crate::record::{Event, Ledger, Observer, Recording};
use crate::state::State;
use typed_arena::Arena;

/// A mechanism that is to be run.
pub struct Simulation<'a> {
    model: &'a Model,
    state: State,
    options: Options,
    laws: Laws<'a>,
    forces: Vec<Box<dyn ForceLaw + 'a>>,
    prescribed: Vec<Prescribed>,
    actuators: Vec<Actuator>,
    controllers: Vec<Box<dyn Controller + 'a>>,
    conditions: Vec<Condition<'a>>,
}

/// A run in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Why it ended.
    pub stop: Stop,
    /// Times, states, events.
    pub recording: Recording,
    /// The last state.
    pub state: State,
    /// Energies and works at the end.
    pub ledger: Ledger,
    /// What it took.
    pub statistics: Statistics,
}

impl Run {
    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.recording.events
    }

    /// Energy lost at contacts and in dampers, J.
    pub fn energy_lost(&self) -> f64 {
        self.ledger.lost()
    }
}

impl<'a> Simulation<'a> {
    /// A run of `model` from `state` under `law` with default options.
    pub fn new(model: &'a Model, state: State, law: impl ImpactLaw + 'a) -> Self {
        Self {
            model,
            state,
            options: Options::default(),
            laws: Laws::new(Box::new(law)),
            forces: Vec::new(),
            prescribed: Vec::new(),
            actuators: Vec::new(),
            controllers: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Set the options.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Give a pair its own impact law. Where colliding contacts of one event have different laws,
    /// the law of the whole run holds for all of them.
    pub fn pair_law(self, pair: PairId, law: impl ImpactLaw + 'a) -> Self {
        self.law_of_pairs(&[pair], law)
    }

    /// Give several pairs one impact law of their own; where only they collide, it holds.
    pub fn law_of_pairs(mut self, pairs: &[PairId], law: impl ImpactLaw + 'a) -> Self {
        self.laws.set(pairs, Box::new(law));
        self
    }

    /// Add a force.
    pub fn force(mut self, force: impl ForceLaw + 'a) -> Self {
        self.forces.push(Box::new(force));
        self
    }

    /// Prescribe the motion of a degree of freedom.
    pub fn prescribe(mut self, motion: Prescribed) -> Self {
        self.prescribed.push(motion);
        self
    }

    /// Give it motors, which do what the sum of all controllers commands, within their limits.
    pub fn actuators(mut self, actuators: Vec<Actuator>) -> Self {
        self.actuators = actuators;
        self
    }

    /// Add a controller.
    pub fn controller(mut self, controller: Box<dyn Controller + 'a>) -> Self {
        self.controllers.push(controller);
        self
    }

    /// Bound contacts by a condition.
    pub fn condition(mut self, condition: Condition<'a>) -> Self {
        self.conditions.push(condition);
        self
    }

    /// Run to time `end` and keep everything in memory.
    pub fn run_until(self, end: f64) -> Result<Run, Box<(SimError, Recording)>> {
        let mut recording = Recording::default();
        match self.run_with(end, &mut recording) {
            Ok(Outcome { stop, state, ledger, statistics }) => {
                Ok(Run { stop, recording, state, ledger, statistics })
            }
            Err(error) => Err(Box::new((error, recording))),
        }
    }

    /// Run to time `end`, telling `observer` of every sample and event.
    pub fn run_with(self, end: f64, observer: &mut dyn Observer) -> Result<Outcome, SimError> {
        check_state(self.model, &self.state, end)?;
        check_output(self.options.output, self.state.t, end)?;
        super::assembly::check(self.model, &self.state)?;
        check_driven(self.model, &self.prescribed)?;
        if let Scheme::Moreau { step } = self.options.scheme {
            return self.run_stepped(end, step, observer);
        }
        let faceted = self.model.groups().iter().find(|group| group.has_polytopes(self.model));
        if let Some(group) = faceted {
            return Err(SimError::PolytopeGroup { group: group.name.clone() });
        }
        let sites = sites(self.model);
        let parts = (self.model, sites.as_slice());
        let motors = Motors::new(parts, self.actuators, self.controllers, self.state.t);
        let motors = motors.map_err(SimError::Control)?;
        let conditions = conditions_of(&sites, self.conditions)?;
        let given = Given { forces: self.forces, prescribed: self.prescribed, motors, conditions };
        if given.is_nothing() && Assemblies::new(self.model, &sites).len() > 1 {
            let (arena, options) = (Arena::new(), self.options);
            let parts = (Whole::new(self.model, sites), &arena);
            let mut schedule = Schedule::new(parts, &self.state, (options, &self.laws), end);
            let mut teller = Teller::new(observer, options.strict);
            let stop = schedule.run(end, &mut teller)?;
            return Ok(schedule.outcome(stop, teller.statistics));
        }
        // One clock for all needs every site from the start.
        if let Some(group) = self.model.groups().iter().find(|group| !group.is_written_out()) {
            let (group, features) = (group.name.clone(), group.features.len());
            return Err(SimError::LargeGroup { group, features });
        }
        let mut course = Course::new(self.model, &self.state, self.options, (&sites, given))?;
        let mut teller = Teller::new(observer, self.options.strict);
        let stop = course.run(&self.laws, end, &mut teller)?;
        Ok(course.outcome(stop, teller.statistics))
    }

    /// The same by time steps of length h.
    fn run_stepped(
        self,
        end: f64,
        h: f64,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SimError> {
        if !(h.is_finite() && h > 0.0) {
            return Err(SimError::BadStep { step: h });
        }
        let sites = sites(self.model);
        let parts = (self.model, sites.as_slice());
        let motors = Motors::new(parts, self.actuators, self.controllers, self.state.t);
        let motors = motors.map_err(SimError::Control)?;
        let conditions = conditions_of(&sites, self.conditions)?;
        let given = Given { forces: self.forces, prescribed: self.prescribed, motors, conditions };
        let soft = softened(self.model, h);
        let models = (self.model, soft.as_ref());
        let mut course = Stepped::new(models, &self.state, (self.options, h), given);
        let mut teller = Teller {
            observer,
            stopped: false,
            strict: self.options.strict,
            broken: None,
            statistics: Statistics::default(),
        };
        let stop = course.run(end, &mut teller)?;
        Ok(course.outcome(stop, teller.statistics))
    }
}

/// Conditions of a run; the sites of polytopes change what they stand for, so none can bind them.
fn conditions_of<'a>(
    sites: &[Site],
    conditions: Vec<Condition<'a>>,
) -> Result<Conditions<'a>, SimError> {
    let conditions = Conditions::new(sites, conditions);
    let faceted = |s: &&Site| matches!(s.geometry, SiteGeometry::Idle { .. });
    let mut bound = sites.iter().enumerate().filter(|(i, _)| conditions.binds(*i));
    match bound.find(|(_, s)| faceted(s)) {
        Some((_, s)) => Err(SimError::PolytopeCondition { contact: s.name.clone() }),
        None => Ok(conditions),
    }
}

fn check_state(model: &Model, state: &State, end: f64) -> Result<(), SimError> {
    for (what, x, expected) in [("q", &state.q, model.nq()), ("v", &state.v, model.nv())] {
        if x.len() != expected {
            return Err(SimError::StateSize { what, found: x.len(), expected });
        }
        if let Some(index) = x.iter().position(|x| !x.is_finite()) {
            return Err(SimError::BadState { what, index, value: x[index] });
        }
    }
    let ahead = state.t.is_finite() && end.is_finite() && end >= state.t;
    if ahead { Ok(()) } else { Err(SimError::Backwards { t: state.t, end }) }
}

/// Samples at intervals need times that differ: dt ≥ ε max(|t₀|, |t₁|).
fn check_output(output: Output, t: f64, end: f64) -> Result<(), SimError> {
    let Output::Interval(interval) = output else { return Ok(()) };
    let least = (f64::EPSILON * t.abs().max(end.abs())).max(f64::MIN_POSITIVE);
    if interval >= least { Ok(()) } else { Err(SimError::Interval { interval, end, least }) }
}

/// Every joint that moves nothing with mass needs a motion.
fn check_driven(model: &Model, prescribed: &[Prescribed]) -> Result<(), SimError> {
    for body in model.body_ids() {
        for dof in model.v_range(body) {
            if model.tree().nodes[dof].ghost > 0.0 && !prescribed.iter().any(|p| p.dof == dof) {
                return Err(SimError::Undriven { joint: model.body(body).joint.name.clone() });
            }
        }
    }
    Ok(())
}
