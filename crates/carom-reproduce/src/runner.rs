//! Many experiments at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::error::Trouble;
use crate::experiment::{Context, Experiment};
use crate::outcome::Outcome;

/// An experiment that was run.
#[derive(Debug)]
pub struct Report {
    /// Which one.
    pub experiment: &'static Experiment,
    /// What it found, or why not.
    pub result: Result<Outcome, Trouble>,
    /// Wall time of the whole experiment, s.
    pub seconds: f64,
}

/// Runs one experiment.
pub fn run_one(experiment: &'static Experiment, context: &Context) -> Report {
    let start = Instant::now();
    let result = (experiment.run)(context);
    Report { experiment, result, seconds: start.elapsed().as_secs_f64() }
}

/// Runs experiments on so many threads; `done` is told of each as it ends. Reports come in the order of the experiments.
pub fn run_all(
    experiments: &[&'static Experiment],
    context: &Context,
    threads: usize,
    done: impl Fn(&Report) + Sync,
) -> Vec<Report> {
    let next = AtomicUsize::new(0);
    let reports: Mutex<Vec<(usize, Report)>> = Mutex::new(Vec::new());
    let work = || {
        while let Some((index, experiment)) = take(experiments, &next) {
            let report = run_one(experiment, context);
            done(&report);
            // A poisoned lock means that another thread panicked while pushing; what is there is whole.
            let mut all = reports.lock().unwrap_or_else(|poison| poison.into_inner());
            all.push((index, report));
        }
    };
    std::thread::scope(|scope| {
        // This thread is one of them; where the system gives no more, those that are there do all.
        for _ in 1..threads.clamp(1, experiments.len().max(1)) {
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let mut all = reports.into_inner().unwrap_or_else(|poison| poison.into_inner());
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, report)| report).collect()
}

fn take(
    experiments: &[&'static Experiment],
    next: &AtomicUsize,
) -> Option<(usize, &'static Experiment)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    experiments.get(index).map(|experiment| (index, *experiment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Source;

    fn named(name: &'static str) -> &'static Experiment {
        let run = |_: &Context| Ok(Outcome::new("nothing"));
        let experiment = Experiment { name, title: "", source: Source::Beyond, covers: &[], run };
        Box::leak(Box::new(experiment))
    }

    #[test]
    fn reports_keep_the_order_for_any_number_of_threads() {
        let names = ["a", "b", "c", "d", "e"];
        let experiments: Vec<_> = names.iter().map(|n| named(n)).collect();
        for threads in [0, 1, 2, 9] {
            let told = AtomicUsize::new(0);
            let reports = run_all(&experiments, &Context::default(), threads, |_| {
                told.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(reports.iter().map(|r| r.experiment.name).collect::<Vec<_>>(), names);
            assert_eq!(told.into_inner(), 5);
        }
    }
}
