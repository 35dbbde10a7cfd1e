//! A scene run in memory, for reports and the viewer.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use carom::hybrid::{Outcome, SimError};
use carom::impact::ImpactError;
use carom::record::{Directive, Event, Observer, Sample};
use carom_report::{Account, Job, LiveRun};
use carom_scene::Scene;

use crate::progress::Progress;
use crate::{exit, job, scene_file};

/// A run in memory and how it ended.
pub struct Lived {
    /// The run.
    pub account: Account,
    /// How it ended.
    pub result: Result<Outcome, SimError>,
}

/// Is told the time that is reached and the events so far; says whether to go on.
pub type Onlooker<'a> = &'a mut dyn FnMut(f64, u64) -> bool;

/// Runs `scene`, read from `path` with `overrides`, until its end or until `onlooker` has seen enough.
pub fn simulate(
    scene: Scene,
    (path, overrides): (&Path, &[String]),
    onlooker: Onlooker<'_>,
) -> Result<Lived, ImpactError> {
    let kept = job::keep(&scene, path);
    let job = job::job(&scene, path, overrides, &kept);
    let until = scene.options.solver.until;
    let mut watch = Watch { live: LiveRun::new(&scene.model, job, kept), onlooker, stopped: false };
    let start = Instant::now();
    let result = scene.simulation()?.run_with(until, &mut watch);
    let wall_time = start.elapsed();
    let account = watch.live.finish(scene, &result, watch.stopped, wall_time);
    Ok(Lived { account, result })
}

/// Runs a scene file until its end or until `stop` is set, with progress. What is wrong with it is told.
pub fn from_file(path: &Path, overrides: &[String], stop: &AtomicBool) -> Result<Lived, ExitCode> {
    let scene = Scene::load_with(path, overrides).map_err(|error| scene_file::fail(&error))?;
    scene_file::warn(&scene);
    if let Some(samples) = too_many(&scene) {
        let message = format!("the run would have {samples:.1e} samples, too many for one page");
        return Err(exit::fail(&message, "let output.interval be longer, or until shorter"));
    }
    let mut progress = Progress::new(scene.initial.t, scene.options.solver.until, true);
    let mut onlooker = |t: f64, events: u64| {
        progress.update(t, events);
        !stop.load(Ordering::Relaxed)
    };
    let lived = simulate(scene, (path, overrides), &mut onlooker);
    progress.clear();
    lived.map_err(|error| exit::fail(&error.to_string(), error.hint()))
}

/// How many samples the scene asks for, if memory has no room for so many.
pub fn too_many(scene: &Scene) -> Option<f64> {
    let interval = scene.options.output.interval?;
    let samples = (scene.options.solver.until - scene.initial.t) / interval;
    let room = LiveRun::new(&scene.model, Job::default(), Vec::new()).samples();
    (samples > room as f64).then_some(samples)
}

/// Keeps everything, and asks whether to go on.
struct Watch<'a> {
    live: LiveRun,
    onlooker: Onlooker<'a>,
    stopped: bool,
}

impl Watch<'_> {
    fn directive(&mut self, t: f64, kept: Directive) -> Directive {
        self.stopped |= !(self.onlooker)(t, self.live.events());
        if self.stopped { Directive::Stop } else { kept }
    }
}

impl Observer for Watch<'_> {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        if self.stopped {
            return Directive::Stop;
        }
        let kept = self.live.sample(sample);
        self.directive(sample.t, kept)
    }

    fn step(&mut self, t: f64) -> Directive {
        self.directive(t, Directive::Continue)
    }

    fn event(&mut self, event: &Event) -> Directive {
        let kept = self.live.event(event);
        self.directive(event.t, kept)
    }
}
