//! Time to make a report from the folder of a run: read, document, HTML; and its size.
//!
//! Prints `name: read … document … html … total … ms, … kB, … events` of the best of several.

use carom_report::Account;
use carom_report::document::RunDocument;
use carom_report::page::report;
use carom_report::{Extras, Job, RunWriter, SceneRecord, SourceFile};
use carom_scene::Scene;
use carom_testing::{Scratch, scene};
use std::path::Path;
use std::time::{Duration, Instant};

/// Reports made of each run.
const TIMES: usize = 5;

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    cases(Scratch::new("bench-report").folder())
}

fn cases(folder: &Path) -> Result<(), Fault> {
    for (name, scene, overrides) in [
        ("double_pendulum_10_s", "double_pendulum", vec![]),
        ("box_drop_10_s", "box_drop", vec!["solver.until=10", "output.interval=0.01"]),
        ("superball_10000_events", "superball", vec!["solver.until=6400"]),
        ("pendulum_200000_samples", "pendulum", vec!["solver.until=2000", "output.interval=0.01"]),
    ] {
        let dir = folder.join(name);
        let events = run(scene, &overrides, &dir)?;
        let mut best = (Duration::MAX, [Duration::MAX; 3], 0);
        for _ in 0..TIMES {
            let once = time(&dir)?;
            if once.0 < best.0 {
                best = once;
            }
        }
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let [read, document, html] = best.1.map(ms);
        println!(
            "{name}: read {read:.1} document {document:.1} html {html:.1} total {:.1} ms, {} kB, {events} events",
            ms(best.0),
            best.2 / 1000
        );
    }
    Ok(())
}

/// Runs a scene into a folder; how many events it had.
fn run(name: &str, overrides: &[&str], dir: &Path) -> Result<u64, Fault> {
    let path = scene(&format!("{name}.toml"));
    let scene = Scene::load_with(&path, overrides)?;
    let record = SceneRecord {
        name: format!("{name}.toml"),
        title: scene.title.clone(),
        hash: scene.hash.clone(),
        overrides: overrides.iter().map(|s| s.to_string()).collect(),
    };
    let job = Job { scene: record, ..Job::default() };
    let source = SourceFile { name: format!("{name}.toml"), text: scene.files[0].text.clone() };
    let mut writer = RunWriter::create(dir, &scene.model, job, &[source], Extras::default())?;
    let result = scene.simulation()?.run_with(scene.options.solver.until, &mut writer);
    Ok(writer.finish(&result, false, Duration::ZERO)?.counts.events)
}

/// Total and parts of one report, and its size.
fn time(dir: &Path) -> Result<(Duration, [Duration; 3], usize), Fault> {
    let start = Instant::now();
    let account = Account::load(dir)?;
    let read = start.elapsed();
    let document = RunDocument::new(&account)?;
    let made = start.elapsed();
    let html = report(&document)?;
    let total = start.elapsed();
    Ok((total, [read, made - read, total - made], html.len()))
}
