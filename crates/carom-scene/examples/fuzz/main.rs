//! A mutation fuzzer of the readers of TOML, URDF and MJCF, and of the runs of what they read.
//!
//! ```text
//! cargo run --release -p carom-scene --example fuzz -- COUNT [SEED] [FILE]
//! cargo run --release -p carom-scene --example fuzz -- show CASE [SEED]
//! ```
//!
//! Every other case is *rough* (`rough.rs`): bytes and tokens of any seed are mutated, and most are refused. The others
//! are *gentle* (`gentle.rs`), so that most load, and what loads is run for a short time: as it says, and once more by time
//! steps (`stepped.rs`). Case number i of a seed is always the same text. A panic, a message without hint, a scene with a number that is not finite, a case that computes for more than
//! ten seconds, so also a run that cannot be stopped, or one whose samples are not finite or whose times go back, is a finding;
//! its text is printed, and the exit code is 1; `show` prints the text of any case. `scripts/campaign.sh` runs this and the other fuzzers.

mod gentle;
mod random;
mod rough;
mod seeds;
mod stepped;

use carom::hybrid::Stop;
use carom::record::{Directive, Event, Observer, Sample};
use carom_scene::Scene;
use carom_testing::Campaign;
use gentle::{Values, gentle};
use random::Random;
use rough::{OVERRIDES, mutate};
use seeds::{Seed, seeds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use stepped::stepped;

/// Time after which a run is asked to stop; that it does is seen by the campaign, which counts the time of the processor.
const ENOUGH: Duration = Duration::from_secs(2);
/// What runs of gentle cases are given, s, and most steps and events.
const SPAN: f64 = 0.3;
const STEPS: u64 = 500;
const EVENTS: u64 = 60;

/// Sees that samples are finite and times do not go back, and ends a run that takes long.
struct Witness {
    begun: Instant,
    steps: u64,
    events: u64,
    last: f64,
    wrong: Option<String>,
}

impl Witness {
    fn go_on(&self) -> Directive {
        let late = self.begun.elapsed() > ENOUGH || self.steps > STEPS;
        if late || self.wrong.is_some() { Directive::Stop } else { Directive::Continue }
    }
}

impl Observer for Witness {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let finite = sample.q.iter().chain(sample.v).all(|x| x.is_finite());
        if !finite || sample.t.is_nan() || sample.t < self.last {
            self.wrong =
                Some(format!("a sample at {} after {}, finite: {finite}", sample.t, self.last));
        }
        self.last = sample.t;
        self.go_on()
    }

    fn step(&mut self, _: f64) -> Directive {
        self.steps += 1;
        self.go_on()
    }

    fn event(&mut self, _: &Event) -> Directive {
        self.events += 1;
        self.go_on()
    }
}

/// What became of the cases.
#[derive(Default)]
struct Count {
    read: u64,
    gentle: u64,
    /// As the scenes say, then by time steps.
    runs: [Runs; 2],
}

/// What became of runs.
#[derive(Default)]
struct Runs {
    run: u64,
    ended: u64,
    events: u64,
    open: u64,
    refused: u64,
}

impl std::fmt::Display for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { run, ended, events, open, refused } = self;
        write!(
            f,
            "{run} runs, {ended} to their end, with {events} events; {open} had an open ledger, {refused} ended with an error"
        )
    }
}

/// Runs a scene for a short time; what is wrong with that, if anything. Errors with a name and stops are answers.
fn try_run(scene: &Scene, count: &mut Runs) -> Option<String> {
    let mut witness = Witness {
        begun: Instant::now(),
        steps: 0,
        events: 0,
        last: f64::NEG_INFINITY,
        wrong: None,
    };
    let end = scene.initial.t + SPAN;
    let mut options = scene.options.hybrid();
    options.max_events = EVENTS;
    let result = catch_unwind(AssertUnwindSafe(|| {
        let simulation = scene.simulation().ok()?;
        Some(simulation.options(options).run_with(end, &mut witness))
    }));
    count.run += 1;
    count.events += witness.events;
    match result {
        Err(_) => return Some("panic in a run".into()),
        Ok(Some(Ok(outcome))) => {
            count.ended += u64::from(matches!(outcome.stop, Stop::ReachedEnd));
            count.open += u64::from(matches!(outcome.stop, Stop::OpenLedger { .. }));
        }
        Ok(_) => count.refused += 1,
    }
    witness.wrong
}

/// A case: name, text and overrides.
type Made = (String, String, Vec<String>);

/// The same scene by time steps; one that cannot be read so is an answer like any other.
fn try_steps((name, text, overrides): &Made, count: &mut Count) -> Option<String> {
    let overrides = stepped(text, overrides);
    let step = overrides.last().cloned().unwrap_or_default();
    match catch_unwind(AssertUnwindSafe(|| Scene::parse_with(text, name, &overrides))) {
        Err(_) => Some("panic".into()),
        Ok(Err(error)) => (!error.report().contains("\nhint: ")).then(|| error.report()),
        Ok(Ok(scene)) => try_run(&scene, &mut count.runs[1]),
    }
    .map(|wrong| format!("with {step}: {wrong}"))
}

/// Case number `case`, and whether it is gentle.
fn make(seeds: &[Vec<Seed>; 2], values: &Values, seed: u64, case: u64) -> (Made, bool) {
    let mut random = Random::of_case(seed, case);
    if case.is_multiple_of(2) {
        return (gentle(&seeds[0], values, &mut random), true);
    }
    let list = &seeds[random.below(2)];
    let (name, text) = &list[random.below(list.len())];
    let other = &seeds[1][random.below(seeds[1].len())].1;
    let mut text = text.clone();
    for _ in 0..=random.below(6) {
        mutate(&mut text, other, &mut random);
    }
    let mut overrides = Vec::new();
    while random.below(4) == 0 {
        let mut set = random.pick(OVERRIDES).as_bytes().to_vec();
        if random.below(2) == 0 {
            mutate(&mut set, other, &mut random);
        }
        overrides.push(String::from_utf8_lossy(&set).into_owned());
    }
    ((name.clone(), String::from_utf8_lossy(&text).into_owned(), overrides), false)
}

/// Run one case; what is wrong, if anything.
fn try_case(made: &Made, gentle: bool, count: &mut Count) -> Option<String> {
    let (name, text, overrides) = made;
    count.gentle += u64::from(gentle);
    let result = catch_unwind(AssertUnwindSafe(|| Scene::parse_with(text, name, overrides)));
    match result {
        Err(_) => return Some("panic".into()),
        Ok(Err(error)) => {
            let report = error.report();
            if !report.contains("\nhint: ") || report.len() > 4000 || error.place().is_none() {
                return Some(format!("message: {report}"));
            }
        }
        Ok(Ok(scene)) => {
            count.read += 1;
            let numbers = scene.initial.q.iter().chain(scene.initial.v.iter());
            let lengths = (scene.initial.q.len(), scene.initial.v.len());
            if lengths != (scene.model.nq(), scene.model.nv())
                || !numbers.clone().all(|x| x.is_finite())
            {
                return Some("a scene with an impossible start".into());
            }
            if gentle {
                return try_run(&scene, &mut count.runs[0]).or_else(|| try_steps(made, count));
            }
        }
    }
    None
}

fn main() -> ExitCode {
    let shows = std::env::args().nth(1).is_some_and(|word| word == "show");
    let Some(campaign) = Campaign::from_arguments(std::env::args().skip(1 + usize::from(shows)))
    else {
        return ExitCode::from(2);
    };
    let seeds = seeds();
    let values = Values::of(&seeds[0]);
    if shows {
        let ((name, text, overrides), _) = make(&seeds, &values, campaign.seed, campaign.count);
        println!("# {name}, {overrides:?}\n{text}");
        return ExitCode::SUCCESS;
    }
    let mut count = Count::default();
    let code = campaign.run("scenes", |case| {
        let (made, gentle) = make(&seeds, &values, campaign.seed, case);
        let finding = try_case(&made, gentle, &mut count);
        let (name, text, overrides) = made;
        finding.map(|f| format!("{name}, {overrides:?}: {f}\n{text}\n"))
    });
    let Count { read, gentle, runs: [own, stepped] } = count;
    println!(
        "scenes: of those now, {read} were read, {gentle} were gentle; {own}; by time steps {stepped}"
    );
    code
}
