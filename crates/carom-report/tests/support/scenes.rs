//! Scenes of the repository, run into memory and onto disk at once.
#![allow(dead_code)]

use carom::record::{Directive, Event, Observer, Sample};
use carom_report::{Account, LiveRun};
use carom_report::{ActuatorRecord, Extras, Job, RunWriter, SceneRecord, SourceFile};
use carom_scene::Scene;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Path of a scene.
pub fn path(name: &str) -> PathBuf {
    carom_testing::scene(&format!("{name}.toml"))
}

/// Names of all scenes.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(path("ball").parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| p.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 16);
    names
}

pub fn load(name: &str, overrides: &[&str]) -> Scene {
    Scene::load_with(path(name), overrides).unwrap()
}

pub fn job(scene: &Scene, name: &str, overrides: &[&str]) -> Job {
    Job {
        scene: SceneRecord {
            name: format!("scenes/{name}.toml"),
            title: scene.title.clone(),
            hash: scene.hash.clone(),
            overrides: overrides.iter().map(|s| s.to_string()).collect(),
        },
        actuators: actuators(scene),
        ..Job::default()
    }
}

/// The motors that controllers command.
fn actuators(scene: &Scene) -> Vec<ActuatorRecord> {
    let record = |a: &carom::control::Actuator| ActuatorRecord {
        name: a.name.clone(),
        unit: "N·m".into(),
        ..ActuatorRecord::default()
    };
    let commanded = !scene.controllers.is_empty();
    scene.actuators.iter().filter(|_| commanded).map(record).collect()
}

pub fn files(scene: &Scene) -> Vec<SourceFile> {
    let name = |n: &str| Path::new(n).file_name().unwrap().to_string_lossy().into_owned();
    scene.files.iter().map(|f| SourceFile { name: name(&f.name), text: f.text.clone() }).collect()
}

/// A run of a scene in memory.
pub fn account(name: &str, overrides: &[&str]) -> Account {
    account_of(load(name, overrides), name, overrides)
}

/// A run of a scene that was read already.
pub fn account_of(scene: Scene, name: &str, overrides: &[&str]) -> Account {
    let job = job(&scene, name, overrides);
    let mut live = LiveRun::new(&scene.model, job, files(&scene));
    let until = scene.options.solver.until;
    let result = scene.simulation().unwrap().run_with(until, &mut live);
    live.finish(scene, &result, false, Duration::from_millis(7))
}

/// Tells two observers.
struct Both(RunWriter, LiveRun);

impl Observer for Both {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.1.sample(sample);
        self.0.sample(sample)
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.1.event(event);
        self.0.event(event)
    }
}

/// One run, into memory and into a folder.
pub fn both(name: &str, overrides: &[&str], dir: &Path) -> Account {
    let scene = load(name, overrides);
    let (job, files) = (job(&scene, name, overrides), files(&scene));
    let writer =
        RunWriter::create(dir, &scene.model, job.clone(), &files, Extras::default()).unwrap();
    let mut both = Both(writer, LiveRun::new(&scene.model, job, files));
    let until = scene.options.solver.until;
    let result = scene.simulation().unwrap().run_with(until, &mut both);
    let wall_time = Duration::from_millis(7);
    both.0.finish(&result, false, wall_time).unwrap();
    both.1.finish(scene, &result, false, wall_time)
}
