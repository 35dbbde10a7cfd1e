//! Runs that begin where another one is: one that goes on, and one that starts from a state of it.
//!
//! A run that *goes on* (`carom run OLD.run --until T`) is the run that was not stopped, to the last bit. What follows a
//! state depends on more than the state: on the step that the integrator would take, on which contacts stick, on
//! bounces that have begun to accumulate, and the last state of a run lies inside a step that the longer run takes in
//! one. So the run is done again from its own start, with the scene that lies in its folder, and its events are compared
//! with those that are there.
//!
//! A run that *starts* from a state (`--from RUN`, `--event N`) knows time, coordinates and velocities to the last bit, by
//! `initial.time`, `initial.coordinates` and `initial.velocities`; contacts are decided anew. The scene may be another one,
//! as long as it has the same coordinates.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use carom_report::{EventLine, SavedRun, SavedScene};

use crate::args::RunArgs;
use crate::{exit, job};

/// The run that goes on.
pub struct Before {
    dir: PathBuf,
    events: Vec<EventLine>,
    until: f64,
}

/// What is to be run: the file of the scene, all changes to it, and the run that goes on, if one does.
pub struct Task {
    /// The scene.
    pub file: PathBuf,
    /// All changes to it.
    pub overrides: Vec<String>,
    /// The run that goes on.
    pub before: Option<Before>,
}

/// What the arguments ask for.
pub fn task(args: &RunArgs) -> Result<Task, ExitCode> {
    let file = args.scene.file.clone();
    if file.join("summary.json").is_file() {
        return goes_on(args, &file);
    }
    let mut overrides = match &args.from {
        Some(run) => state(run, args.event)?,
        None => Vec::new(),
    };
    overrides.extend(job::overrides(args));
    Ok(Task { file, overrides, before: None })
}

/// The same scene with another end.
fn goes_on(args: &RunArgs, dir: &Path) -> Result<Task, ExitCode> {
    let changes = job::overrides(args);
    let [until] = &changes[..] else {
        let message = format!("`{}` is a run, which goes on as it is", dir.display());
        let hint = "give --until and no other change; to start from its last state with other values, give the scene \
                    and --from";
        return Err(exit::fail(&message, hint));
    };
    if args.until.is_none() || args.from.is_some() {
        let message = format!("`{}` is a run: until when is it to go on?", dir.display());
        return Err(exit::fail(&message, "give --until T, later than its end"));
    }
    if args.out.as_ref().is_none_or(|out| same(out, dir)) {
        let message = format!("a run that goes on does not replace `{}`", dir.display());
        return Err(exit::fail(&message, "give --out with another folder"));
    }
    let failed = |error: carom_report::ReportError| exit::fail(&error.to_string(), error.hint());
    let (summary, events) = SavedRun::load_events(dir).map_err(failed)?;
    let saved = SavedScene::load(dir, &summary).map_err(failed)?;
    let mut overrides = summary.job.scene.overrides.clone();
    overrides.push(until.clone());
    let before = Before { dir: dir.into(), events, until: summary.stop.t };
    Ok(Task { file: saved.path, overrides, before: Some(before) })
}

fn same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    real(a) == real(b)
}

impl Before {
    /// Says whether the events of the run before are those of the run that went on.
    pub fn compare(&self, out: &Path) {
        let Ok((summary, events)) = SavedRun::load_events(out) else { return };
        // A run that ends sooner has fewer events, and those are compared.
        let end = self.until.min(summary.stop.t);
        let shared = self.events.iter().zip(&events).take_while(|(a, b)| a == b).count();
        let count = self.events.iter().take_while(|event| event.t <= end).count();
        let dir = self.dir.display();
        if shared >= count {
            exit::say(format_args!(
                "its events up to t = {end} s ({count}) are those of {dir}, to the last bit",
            ));
            return;
        }
        let t = self.events[shared].t;
        exit::remark(&format!(
            "warning: event {} of {dir}, at t = {t} s, is another one here\n  \
             steps of driven mechanisms end where the run does; else the program or the machine is another one\n",
            shared + 1
        ));
    }
}

/// A state of a run as changes to a scene.
fn state(dir: &Path, event: Option<usize>) -> Result<Vec<String>, ExitCode> {
    let failed = |error: carom_report::ReportError| exit::fail(&error.to_string(), error.hint());
    let run = SavedRun::load(dir).map_err(failed)?;
    let names = |head: &str| -> Vec<String> {
        run.names.iter().filter_map(|n| n.strip_prefix(head).map(str::to_string)).collect()
    };
    let (q_names, v_names) = (names("q."), names("v."));
    let (t, q, v) = match event {
        None => last(&run),
        Some(number) => after(&run, number, dir)?,
    };
    if (q.len(), v.len()) != (q_names.len(), v_names.len()) {
        let message = "this event tells the bodies that took part alone".to_string();
        return Err(exit::fail(
            &message,
            "leave out --event: the last state is that of all bodies",
        ));
    }
    let table = |names: &[String], x: &[f64]| {
        let entry = |(name, x): (&String, &f64)| format!("{name:?} = {x:?}");
        names.iter().zip(x).map(entry).collect::<Vec<_>>().join(", ")
    };
    Ok(vec![
        format!("initial.time={t:?}"),
        format!("initial.coordinates={{ {} }}", table(&q_names, &q)),
        format!("initial.velocities={{ {} }}", table(&v_names, &v)),
    ])
}

type Instant = (f64, Vec<f64>, Vec<f64>);

fn last(run: &SavedRun) -> Instant {
    let end = |head: &str| -> Vec<f64> {
        let of = run.names.iter().filter(|name| name.starts_with(head));
        of.filter_map(|name| run.column(name)?.last().copied()).collect()
    };
    (run.t().last().copied().unwrap_or(0.0), end("q."), end("v."))
}

fn after(run: &SavedRun, number: usize, dir: &Path) -> Result<Instant, ExitCode> {
    let found = number.checked_sub(1).and_then(|place| run.events.get(place));
    let event = found.ok_or_else(|| {
        let count = run.events.len();
        let message = format!("{} has no event {number}", dir.display());
        exit::fail(&message, &format!("its events count from 1 to {count}"))
    })?;
    Ok((event.t, event.q.clone(), event.velocity_after.clone()))
}
