//! The leg, its question of capability, one jump.

use std::time::Instant;

use carom::contact::sites;
use carom::hybrid::{Outcome, Simulation};
use carom::record::{Directive, Event, Observer, Recording, Sample};
use carom::state::State;
use carom_agility::{AgilityError, Capability, JumpMeasure, JumpWatch, Limit, Stance, Task};
use carom_scene::{Scene, StudyChoice};
use nalgebra::Vector3;

use crate::error::Trouble;

const TEXT: &str = include_str!("../../../../scenes/jumper.toml");

/// The posture of table 6.2 that the dissertation calls optimised, at the height at which the foot touches.
pub const PUBLISHED: [&str; 5] = [
    "body.body.position=[0, 0.1746413789512768, 0]",
    "body.body.rotation=[0.52, -0.5, -0.46]",
    "initial.motor.coxa=0.15",
    "initial.motor.femur=0.03",
    "initial.motor.tibia=0.67",
];

/// The direction (6.12).
pub const DIRECTION: [f64; 3] =
    [-std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2, 0.0];

/// The scene of the leg.
pub fn leg(overrides: &[&str]) -> Result<Scene, Trouble> {
    Ok(Scene::parse_with(TEXT, "jumper.toml", overrides)?)
}

/// The study that the scene declares.
pub fn study(scene: &Scene) -> Result<&StudyChoice, Trouble> {
    scene.study.as_ref().ok_or_else(|| absent("a study in the scene"))
}

/// Something that is not there.
pub fn absent(what: impl Into<String>) -> Trouble {
    Trouble::Absent { experiment: "flickinger-leg", what: what.into() }
}

/// A capability that could not be found.
pub fn powerless(error: AgilityError) -> Trouble {
    absent(format!("a capability ({error})"))
}

/// The leg on its foot, asked for the acceleration of the body's centre along (6.12).
pub fn stance(scene: &Scene) -> Result<Stance<'_>, Trouble> {
    let choice = study(scene)?;
    let task = Task::new(&scene.model, choice.point.body, Vector3::from(DIRECTION))
        .map_err(powerless)?
        .at(choice.point.point);
    let feet = choice.point.feet.iter().map(|&f| sites(&scene.model)[f].clone()).collect();
    Ok(Stance::new(&scene.model, &scene.actuators, task).standing_on(feet))
}

/// What stops a capability, in words.
pub fn stops(scene: &Scene, at: &Capability) -> String {
    let motor = |j: usize| scene.actuators.get(j).map_or("motor", |a| a.name.as_str());
    let words = at.active.iter().map(|a| match a.limit {
        Limit::TorqueUpper(j) => format!("{} at +2.5 N·m", motor(j)),
        Limit::TorqueLower(j) => format!("{} at −2.5 N·m", motor(j)),
        Limit::Slip(_) => "foot slips".to_string(),
        Limit::LiftOff(_) => "foot lifts off".to_string(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// One jump: what was measured, and its course.
pub struct Jump {
    /// Its name.
    pub name: &'static str,
    /// The mechanism.
    pub scene: Scene,
    /// The posture at the start, at rest.
    pub start: State,
    /// Measures.
    pub measure: JumpMeasure,
    /// The course.
    pub course: Recording,
    /// Wall time, s.
    pub seconds: f64,
}

/// Tells two observers.
struct Both<'w, 'm>(JumpWatch<'m>, &'w mut Recording);

impl Observer for Both<'_, '_> {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.0.sample(sample);
        self.1.sample(sample)
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.0.event(event);
        self.1.event(event)
    }
}

impl Jump {
    /// The jump of a scene from a posture.
    pub fn run(name: &'static str, scene: Scene, q: &[f64]) -> Result<Self, Trouble> {
        let state = State { q: q.to_vec().into(), ..scene.initial.clone() };
        let mut course = Recording::default();
        let watch = JumpWatch::new(&scene.model, study(&scene)?.point.clone());
        let mut both = Both(watch, &mut course);
        let simulation: Simulation<'_> = scene.simulation_from(state.clone())?;
        let start = Instant::now();
        let result = simulation.run_with(scene.options.solver.until, &mut both);
        let seconds = start.elapsed().as_secs_f64();
        let measure = both.0.finish(&result);
        let _: Outcome = result?;
        Ok(Self { name, start: state, measure, course, seconds, scene })
    }
}
