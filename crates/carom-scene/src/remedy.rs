//! What helps a run that failed: means that are tried on the scene at hand before they are offered.
//!
//! A hint that is right for most scenes may be wrong for this one: the other law refuses as well, a method of fixed steps has no
//! tolerance to loosen, a shorter step fails a little later. So the values that may help are put in place of the scene's, one
//! after the other, and the first with which the run goes on past the failure is the hint:
//! ```text
//! t > t_f + 10⁻³ (t_end − t_0),   t_f the time of the failure, or the end                              (1)
//! ```
//! Where none does, the hint says what was tried. Each trial is given two seconds at most.
//!
//! # Tests
//! `tests/remedy.rs`: `eq1_the_hint_is_followed`, `what_does_not_help_is_not_offered`.

use crate::scene::Scene;
use carom::hybrid::{FlowError, SimError, Stop};
use carom::impact::{Formulation, ImpactError};
use carom::record::{Directive, Event, Observer, Sample};
use std::time::{Duration, Instant};

/// What a trial may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// Part of the run by which the failure must be passed.
const PASSED: f64 = 1e-3;

/// What to do about the failure of a run of a scene; `read` gives the scene with one more value `path=value`.
pub fn remedy(scene: &Scene, error: &SimError, read: impl Fn(&str) -> Option<Scene>) -> String {
    let means = means(scene, error);
    let begin = scene.initial.t;
    let failed = time(error).unwrap_or(begin);
    let helps = |set: &&String| read(set).is_some_and(|other| passes(&other, failed));
    match means.iter().find(helps) {
        Some(set) => format!("give --set '{set}': with it the run goes on"),
        None if means.is_empty() => error.hint().to_string(),
        None => {
            let tried: Vec<String> = means.iter().map(|set| format!("--set '{set}'")).collect();
            format!("{}; no help were {}", last_resort(error), tried.join(" and "))
        }
    }
}

/// When it failed, if time had started.
fn time(error: &SimError) -> Option<f64> {
    match error {
        SimError::Impact { t, .. }
        | SimError::NoProgress { t, .. }
        | SimError::Diverged { t, .. }
        | SimError::Flow {
            source:
                FlowError::Rate { t, .. }
                | FlowError::NonFinite { t, .. }
                | FlowError::StepUnderflow { t, .. }
                | FlowError::ToleranceUnreachable { t, .. },
            ..
        } => Some(*t),
        _ => None,
    }
}

/// Values that may help, the smallest change first; none where the error itself says what to do.
fn means(scene: &Scene, error: &SimError) -> Vec<String> {
    let solver = &scene.options.solver;
    let (until, step) = (solver.until, solver.step);
    let shorter = format!("solver.step={}", step / 10.0);
    let adaptive = format!("solver={{ until = {until:?} }}");
    let stepped = solver.scheme == "moreau" || solver.method.as_deref() == Some("rk4");
    match error {
        SimError::Impact { source, .. } if another_may_answer(source) => {
            // The safety net answers where the law does not, and the law stays.
            let net = solver.strict.then(|| "solver.strict=false".to_string());
            net.into_iter().chain(laws(scene)).collect()
        }
        SimError::Diverged { .. } => vec![shorter, adaptive],
        SimError::Flow { .. } | SimError::NoProgress { .. } if stepped => vec![shorter, adaptive],
        SimError::NoProgress { .. }
        | SimError::Flow {
            source: FlowError::StepUnderflow { .. } | FlowError::ToleranceUnreachable { .. },
            ..
        } => [1e2, 1e4]
            .map(|factor| format!("solver.rtol={:.0e}", (solver.rtol * factor).min(1e-3)))
            .to_vec(),
        SimError::LargeGroup { .. } | SimError::PolytopeGroup { .. } => {
            vec![format!("solver={{ scheme = \"moreau\", step = 0.001, until = {until:?} }}")]
        }
        _ => Vec::new(),
    }
}

/// Whether it is the law that has no answer.
fn another_may_answer(error: &ImpactError) -> bool {
    matches!(
        error,
        ImpactError::NotApplicable { .. }
            | ImpactError::NoConsistentMode { .. }
            | ImpactError::AmbiguousModes { .. }
            | ImpactError::Jammed { .. }
            | ImpactError::Unsolved { .. }
    )
}

/// Laws of a wide scope, but for the one that the scene has.
fn laws(scene: &Scene) -> Vec<String> {
    let own = match scene.law.formulation {
        Formulation::Differential { .. } => "differential",
        Formulation::Newton => "newton",
        Formulation::Poisson => "poisson",
        _ => "",
    };
    let others = ["differential", "newton", "poisson"].into_iter().filter(|word| *word != own);
    others.map(|word| format!("law={{ formulation = \"{word}\" }}")).collect()
}

/// What is left where no other value helps.
fn last_resort(error: &SimError) -> &'static str {
    match error {
        SimError::Impact { .. } => "change friction, restitution or the start",
        SimError::LargeGroup { .. } | SimError::PolytopeGroup { .. } => error.hint(),
        _ => "look for forces that grow without bound and for bodies with little inertia",
    }
}

/// Equation (1).
fn passes(scene: &Scene, failed: f64) -> bool {
    let end = scene.options.solver.until;
    let beyond = failed + PASSED * (end - scene.initial.t);
    let mut trial = Trial { begun: Instant::now(), beyond, t: scene.initial.t };
    let Ok(simulation) = scene.simulation() else { return false };
    match simulation.run_with(end, &mut trial) {
        Ok(outcome) => match outcome.stop {
            Stop::ReachedEnd => true,
            Stop::Observer => trial.t > beyond,
            _ => false,
        },
        Err(_) => false,
    }
}

/// Ends a run that is past the failure, or takes long.
struct Trial {
    begun: Instant,
    beyond: f64,
    t: f64,
}

impl Trial {
    fn go_on(&self) -> Directive {
        match self.t > self.beyond || self.begun.elapsed() > PATIENCE {
            true => Directive::Stop,
            false => Directive::Continue,
        }
    }
}

impl Observer for Trial {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.t = sample.t;
        self.go_on()
    }

    fn step(&mut self, _: f64) -> Directive {
        self.go_on()
    }

    fn event(&mut self, _: &Event) -> Directive {
        self.go_on()
    }
}
