//! One jump after another, with what is set up once.
//!
//! A jump depends on the scene, the seed and its number alone, so any number of workers may share a
//! study in any order.
//!
//! Tests: `crates/carom-scene/tests/study.rs`: `jumps_do_not_depend_on_order`, `capabilities`.

use carom::contact::{Site, sites};
use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::{Options, Output};
use carom::state::State;
use carom_agility::{AgilityError, Capability, JumpStart, JumpWatch, Stance, Task};
use nalgebra::Vector3;

use super::error::StudyError;
use super::jump::Jump;
use super::strength::{by_torques_alone, why_none, with_friction};
use crate::scene::Scene;
use crate::study_choice::StudyChoice;

/// Everything one thread needs to carry out jumps of a study.
pub struct Worker<'s> {
    scene: &'s Scene,
    study: &'s StudyChoice,
    start: JumpStart<'s>,
    feet: Vec<Site>,
    along: Option<Vector3<f64>>,
    kin: Kinematics,
    options: Options,
}

impl<'s> Worker<'s> {
    /// A worker for a study of a scene: the scene's own, or a changed copy of it.
    pub fn new(scene: &'s Scene, study: &'s StudyChoice) -> Result<Self, StudyError> {
        let sites = sites(&scene.model);
        let start =
            JumpStart::new(&scene.model, &sites[study.foot], study.varied.clone(), study.seed)?;
        let feet = study.point.feet.iter().map(|&f| sites[f].clone()).collect();
        let kin = Kinematics::new(&scene.model);
        let options = Options { output: Output::Steps, ..scene.options.hybrid() };
        Ok(Self { scene, study, start, feet, along: None, kin, options })
    }

    /// Capabilities along this direction of the world, not toward the goal.
    pub fn along(mut self, direction: Vector3<f64>) -> Self {
        self.along = Some(direction);
        self
    }

    /// The jump of that number.
    pub fn jump(&mut self, sample: u64) -> Result<Jump, StudyError> {
        let scene = self.scene;
        let mut state = scene.initial.clone();
        self.start.draw(sample, &mut state)?;
        let at = self.study.varied.iter().map(|v| state.q[v.q]).collect();
        let (capability, dce) = self.capabilities(&state);
        let no_dce = dce.as_ref().err().map_or("", why_none).to_string();
        let dce = dce.map_or(f64::NAN, |c| c.acceleration);
        let mut watch = JumpWatch::new(&scene.model, self.study.point.clone());
        let simulation = scene.simulation_from(state)?.options(self.options);
        let result = simulation.run_with(scene.options.solver.until, &mut watch);
        let (steps, ended) = match &result {
            Ok(outcome) => (outcome.statistics.steps, outcome.stop.word().to_string()),
            Err(error) => (0, error.to_string()),
        };
        let measure = watch.finish(&result);
        Ok(Jump { sample, at, capability, dce, no_dce, measure, steps, ended })
    }

    /// Largest acceleration of the point along its direction with the feet kept, with friction and by
    /// torques alone; the first NaN where no torques within the limits do it.
    fn capabilities(&mut self, state: &State) -> (f64, Result<Capability, AgilityError>) {
        let model = &self.scene.model;
        let direction = self.direction(state);
        let point = &self.study.point;
        let task = match Task::new(model, point.body, direction) {
            Ok(task) => task,
            Err(error) => return (f64::NAN, Err(error)),
        };
        let stance = Stance::new(model, &self.scene.actuators, task.at(point.point))
            .standing_on(self.feet.clone());
        let exact = with_friction(&stance, state).map_or(f64::NAN, |c| c.acceleration);
        (exact, by_torques_alone(&stance, state))
    }

    /// The direction that was given, else toward the goal, else upward.
    fn direction(&mut self, state: &State) -> Vector3<f64> {
        if let Some(direction) = self.along {
            return direction;
        }
        let (model, point) = (&self.scene.model, &self.study.point);
        kinematics(model, state.q.as_slice(), state.v.as_slice(), &mut self.kin);
        let x = self.kin.pose(model, point.body).point(&point.point);
        point.goal.map_or(-model.gravity(), |goal| goal - x)
    }
}
