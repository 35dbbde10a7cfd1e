//! Wall time of whole runs: events located, impacts resolved, energy ledger kept, nothing written.
//!
//! Prints `name: best median` in microseconds, of all scenes or of those named as arguments;
//! `--runs=N` sets how often each is run.
//! `bench/scenes.sh` runs it beside scipy's loop.

use carom::hybrid::{Options, Output};
use carom_scene::Scene;
use std::path::Path;
use std::time::Instant;

/// Runs of each scene, unless told otherwise.
const RUNS: usize = 400;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runs = words.iter().find_map(|w| w.strip_prefix("--runs=")?.parse().ok()).unwrap_or(RUNS);
    let named: Vec<&String> = words.iter().filter(|w| !w.starts_with('-')).collect();
    // Newton's law as in scipy's loop; the second entry is the default law.
    for (name, scene, more) in [
        ("ball", "ball", ""),
        ("double_pendulum", "double_pendulum", "law={ formulation = \"newton\" }"),
        ("double_pendulum_energetic", "double_pendulum", ""),
        ("cradle", "cradle", ""),
        ("bicycle", "bicycle", ""),
    ] {
        if !named.is_empty() && !named.iter().any(|n| *n == name) {
            continue;
        }
        match times(scene, more, runs.max(1)) {
            Ok((best, median, events)) => {
                println!("{name}: best {best:.1} median {median:.1} µs, {events} events");
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                std::process::exit(2);
            }
        }
    }
}

/// Best and median time of a run in µs, and its events.
fn times(
    name: &str,
    more: &str,
    runs: usize,
) -> Result<(f64, f64, u64), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut overrides = vec!["solver.until=10", "solver.rtol=1e-8", "solver.atol=1e-9"];
    overrides.extend((!more.is_empty()).then_some(more));
    let file = folder.join(format!("{name}.toml"));
    let scene = Scene::load_with(file, &overrides).map_err(|e| e.report())?;
    let options = Options { output: Output::Events, ..scene.options.hybrid() };
    let mut all = Vec::with_capacity(runs);
    let mut events = 0;
    for _ in 0..runs {
        let start = Instant::now();
        let simulation = scene.simulation()?.options(options);
        let outcome = simulation.run_with(scene.options.solver.until, &mut ())?;
        all.push(start.elapsed().as_secs_f64() * 1e6);
        events = outcome.statistics.events;
    }
    all.sort_by(f64::total_cmp);
    Ok((all[0], all[runs / 2], events))
}
