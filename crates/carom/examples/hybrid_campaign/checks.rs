//! A run, and everything that must hold of it.

use super::cases::Case;
use carom::contact::Mode;
use carom::hybrid::{Outcome, SimError, Simulation, Statistics, Stop};
use carom::impact::ImpactError;
use carom::record::{Directive, Event, EventKind, Observer, Sample};
use std::time::{Duration, Instant};

/// Steps and events after which a run is called endless.
const MOST: u64 = 1_000_000;

/// What a run left behind, small enough to keep and compare.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    /// Running hash of every sample.
    hash: u64,
    /// Time, sort and hash of state after of every event.
    pub events: Vec<(f64, &'static str, u64)>,
    stored: Option<f64>,
    /// Stored energy at the start.
    first: Option<f64>,
    /// Largest rise of stored energy between two samples, less what forces did; of a time step that carries a cluster over, from
    /// its start to the event that ends it, where what it made is paid for.
    rise: f64,
    /// When the last event was, and when the last such step ends.
    last: f64,
    carried_until: f64,
    /// Largest stored energy, for a scale.
    largest: f64,
    /// Most negative gap, and when.
    gap: (f64, f64),
    /// Widest open ledger, and when.
    closure: (f64, f64),
    /// A closed contact force that pulls, in units of the weight or the largest force so far.
    pull: (f64, f64),
    force: f64,
    count: u64,
}

fn mix(hash: u64, x: f64) -> u64 {
    (hash ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17)
}

impl Trail {
    fn step_on(&mut self) -> Directive {
        self.count += 1;
        if self.count > MOST { Directive::Stop } else { Directive::Continue }
    }

    /// Whether the stored energy has grown by half of what there is and more.
    fn grown(&self) -> bool {
        let first = self.first.unwrap_or(0.0);
        self.largest > first + 0.5 * first.abs()
    }

    /// Hash of everything.
    pub fn hash(&self) -> u64 {
        self.events.iter().fold(self.hash, |h, e| mix(mix(h, e.0), f64::from_bits(e.2)))
    }
}

impl Observer for Trail {
    fn sample(&mut self, s: &Sample<'_>) -> Directive {
        for x in [s.t].iter().chain(s.q).chain(s.v) {
            self.hash = mix(self.hash, *x);
        }
        let stored = s.ledger.stored();
        self.first.get_or_insert(stored);
        let carried = s.t <= self.carried_until && self.last < s.t;
        if !carried && let Some(before) = self.stored.replace(stored) {
            self.rise = self.rise.max(stored - before);
        }
        self.largest = self.largest.max(stored.abs()).max(s.ledger.kinetic);
        // What moves within the resolution of time is not known better.
        let blur = 4.0 * f64::EPSILON * s.t * s.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for gap in s.gaps.iter().map(|gap| gap + blur) {
            if gap < self.gap.0 {
                self.gap = (gap, s.t);
            }
        }
        let closure = s.ledger.closure().abs();
        if closure > self.closure.0 || closure.is_nan() {
            self.closure = (closure, s.t);
        }
        self.force = s.forces.iter().flatten().fold(self.force, |m, f| m.max(f.abs()));
        for (force, mode) in s.forces.iter().zip(s.modes) {
            let pull = if *mode == Mode::Open { 0.0 } else { -force[2] / self.force.max(1e-300) };
            if pull > self.pull.0 {
                self.pull = (pull, s.t);
            }
        }
        Directive::Continue
    }

    fn step(&mut self, _: f64) -> Directive {
        self.step_on()
    }

    fn event(&mut self, e: &Event) -> Directive {
        let hash = e.q.iter().chain(&e.v_post).fold(0, |h, x| mix(h, *x));
        self.events.push((e.t, e.kind.word(), hash));
        self.last = e.t;
        if e.kind == EventKind::Step {
            self.carried_until = e.t + e.remaining_time.unwrap_or(0.0);
        }
        self.step_on()
    }
}

/// How a run ended and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Report {
    /// How it ended, in a word.
    pub ending: String,
    /// What does not hold: a word, and the details.
    pub faults: Vec<(&'static str, String)>,
    /// Time it took.
    pub wall: Duration,
    /// What it took.
    pub statistics: Statistics,
    pub trail: Trail,
}

/// What is looked at beside a single run.
#[derive(Debug, Clone, Copy)]
pub struct Thorough {
    /// Run twice and compare.
    pub twice: bool,
    /// Run twice as long and compare.
    pub longer: bool,
}

/// Time that this thread has worked, which other programs do not lengthen where the system tells it.
struct Clock {
    wall: Instant,
    worked: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), worked: worked() }
    }

    fn elapsed(&self) -> Duration {
        let worked = worked().zip(self.worked).map(|(now, then)| now.saturating_sub(then));
        worked.unwrap_or_else(|| self.wall.elapsed())
    }
}

/// Time that this thread has been on a processor.
fn worked() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Most seconds that a run may take.
pub const SECONDS: f64 = 20.0;

fn run(case: &Case, end: f64) -> (Result<Outcome, SimError>, Trail) {
    let weight = case.model.moving_mass() * case.model.gravity().norm().max(1.0);
    let mut trail = Trail { force: weight, ..Trail::default() };
    let law = match case.choice.law() {
        Ok(law) => law,
        Err(source) => return (Err(SimError::Impact { t: 0.0, source }), trail),
    };
    let simulation = Simulation::new(&case.model, case.state.clone(), law).options(case.options);
    let outcome = simulation.run_with(end, &mut trail);
    (outcome, trail)
}

/// Run a case and check it.
pub fn check(case: &Case, thorough: Thorough) -> Report {
    let clock = Clock::start();
    let (outcome, trail) = run(case, case.end);
    let wall = clock.elapsed();
    let mut report = Report {
        ending: String::new(),
        faults: Vec::new(),
        wall,
        statistics: Statistics::default(),
        trail,
    };
    match &outcome {
        Ok(outcome) => finished(case, outcome, &mut report),
        Err(e) => failed(e, &mut report),
    }
    // A law that may gain energy, and did, can drive a mechanism between its walls ever faster.
    if !case.conserves() && report.trail.grown() {
        report.faults.retain(|f| !matches!(f.0, "endless" | "chatter" | "too-many-events"));
    } else if wall.as_secs_f64() > SECONDS {
        report.faults.push(("slow", format!("{:.1} s", wall.as_secs_f64())));
    }
    if thorough.twice {
        let (again, trail) = run(case, case.end);
        if trail.hash() != report.trail.hash() || again != outcome {
            report.faults.push(("differs", String::from("not the same result when run twice")));
        }
    }
    if thorough.longer {
        longer(case, &mut report);
    }
    report
}

fn finished(case: &Case, outcome: &Outcome, report: &mut Report) {
    report.statistics = outcome.statistics;
    let rests = report.trail.events.last().is_some_and(|e| e.1 == "rest");
    report.ending = match &outcome.stop {
        Stop::ReachedEnd if rests => String::from("rest"),
        stop => String::from(stop.word()),
    };
    let trail = &report.trail;
    let mut fault = |word, text| report.faults.push((word, text));
    if outcome.stop == Stop::Observer {
        fault("endless", format!("{MOST} steps by t = {:?}", trail.events.last()));
    }
    if trail.gap.0 < -1e-9 {
        fault("gap", format!("{:e} at t = {}", trail.gap.0, trail.gap.1));
    }
    let scale = outcome.ledger.initial.abs().max(trail.largest).max(1e-3);
    // A tolerance of rtol per step lets energies drift by that much per step.
    let bound = scale
        * (1e-8_f64).max(case.options.rtol * 10.0 * (1.0 + outcome.statistics.steps as f64).sqrt());
    if trail.closure.0.is_nan() || trail.closure.0 > bound {
        fault("ledger", format!("{:e} of {scale:e} J at t = {}", trail.closure.0, trail.closure.1));
    }
    // Laws in closed form keep energy to round-off, the compliant path to what its audit allows.
    let gain = if case.follows_stages() { 1e-9 } else { 1e-12 };
    if case.conserves() && outcome.statistics.worst_gain > gain * scale {
        fault(
            "gain",
            format!("an impact gains {:e} of {scale:e} J", outcome.statistics.worst_gain),
        );
    }
    if case.conserves() && trail.rise > bound {
        fault("rise", format!("energy rises by {:e} of {scale:e} J", trail.rise));
    }
    if trail.pull.0 > 1e-6 {
        fault("pull", format!("{:e} of the largest force at t = {}", trail.pull.0, trail.pull.1));
    }
}

/// Errors: those that name a limit of the law asked for are endings, the rest are faults.
fn failed(e: &SimError, report: &mut Report) {
    let (word, limit) = match e {
        SimError::Impact { source: ImpactError::NotApplicable { .. }, .. } => ("law-limit", true),
        SimError::Impact { .. } => ("impact-error", false),
        SimError::Chatter { .. } => ("chatter", false),
        SimError::TooManyEvents { .. } => ("too-many-events", false),
        SimError::Flow { .. } => ("flow-error", false),
        _ => ("other-error", false),
    };
    report.ending = String::from(word);
    if !limit {
        report.faults.push((word, e.to_string()));
    }
}

/// A run to twice the time must have the same events up to this time.
fn longer(case: &Case, report: &mut Report) {
    let (_, long) = run(case, 2.0 * case.end);
    let short = &report.trail.events;
    let until = long.events.iter().take_while(|e| e.0 <= case.end).count();
    let same = short.iter().zip(&long.events).take_while(|(a, b)| a == b).count();
    if same < short.len().max(until) {
        let at = |events: &[(f64, &'static str, u64)]| events.get(same).map(|e| (e.0, e.1));
        report.faults.push((
            "until",
            format!(
                "event {same} of {} and {until}: {:?} and {:?}",
                short.len(),
                at(short),
                at(&long.events)
            ),
        ));
    }
}
