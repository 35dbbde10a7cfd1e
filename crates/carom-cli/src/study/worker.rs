//! One jump after another, with what is set up once.

use carom::agility::{
    Evaluator, Hold, JumpStart, JumpStartError, JumpWatch, Stance, Task, capability,
};
use carom::contact::{Site, sites};
use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::{Options, Output};
use carom::impact::ImpactError;
use carom::state::State;
use carom_scene::{Scene, StudyChoice};

use super::row::Row;

/// Why a jump cannot even start.
#[derive(Debug)]
pub enum WorkError {
    /// There is no posture.
    Start(JumpStartError),
    /// There is no such law.
    Law(ImpactError),
}

impl WorkError {
    /// Message and hint.
    pub fn texts(&self) -> (String, &'static str) {
        match self {
            Self::Start(e) => (e.to_string(), e.hint()),
            Self::Law(e) => (e.to_string(), e.hint()),
        }
    }
}

/// Everything one thread needs.
pub struct Worker<'s> {
    scene: &'s Scene,
    study: &'s StudyChoice,
    start: JumpStart<'s>,
    feet: Vec<Site>,
    kin: Kinematics,
    options: Options,
}

impl<'s> Worker<'s> {
    /// A worker for the study of a scene.
    pub fn new(scene: &'s Scene, study: &'s StudyChoice) -> Result<Self, WorkError> {
        let sites = sites(&scene.model);
        let start =
            JumpStart::new(&scene.model, &sites[study.foot], study.varied.clone(), study.seed)
                .map_err(WorkError::Start)?;
        let feet = study.point.feet.iter().map(|&f| sites[f].clone()).collect();
        let kin = Kinematics::new(&scene.model);
        let options = Options { output: Output::Steps, ..scene.options.hybrid() };
        Ok(Self { scene, study, start, feet, kin, options })
    }

    /// The jump of that number.
    pub fn jump(&mut self, sample: u64) -> Result<Row, WorkError> {
        let scene = self.scene;
        let mut state = scene.initial.clone();
        self.start.draw(sample, &mut state).map_err(WorkError::Start)?;
        let at = self.study.varied.iter().map(|v| state.q[v.q]).collect();
        let [capability, dce] = self.capabilities(&state);
        let mut watch = JumpWatch::new(&scene.model, self.study.point.clone());
        let simulation = scene.simulation_from(state).map_err(WorkError::Law)?;
        let result =
            simulation.options(self.options).run_with(scene.options.solver.until, &mut watch);
        let (steps, ended) = match &result {
            Ok(outcome) => (outcome.statistics.steps, outcome.stop.word().to_string()),
            Err(error) => (0, error.to_string()),
        };
        Ok(Row { sample, at, capability, dce, measure: watch.finish(&result), steps, ended })
    }

    /// Largest acceleration of the point toward its goal (upward without one) with the feet kept: exact
    /// with friction and nothing held; and by the torque limits alone along a straight line. NaN where
    /// no torques within the limits do it.
    fn capabilities(&mut self, state: &State) -> [f64; 2] {
        let model = &self.scene.model;
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        kinematics(model, q, v, &mut self.kin);
        let point = &self.study.point;
        let x = self.kin.pose(model, point.body).point(&point.point);
        let direction = point.goal.map_or(-model.gravity(), |goal| goal - x);
        let Ok(task) = Task::new(model, point.body, direction) else { return [f64::NAN; 2] };
        [Hold::Nothing, Hold::Line].map(|hold| {
            let stance = Stance::new(model, &self.scene.actuators, task.at(point.point).holding(hold))
                .standing_on(self.feet.clone());
            let mut problem = Evaluator::new(&stance).problem(state.t, q, v);
            if hold == Hold::Line {
                // Contact forces of any direction.
                problem.cones.clear();
            }
            capability(&problem).map_or(f64::NAN, |c| c.acceleration)
        })
    }
}
