//! `carom reproduce`: the published experiments, computed again.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use carom_report::{FolderLock, ReportError};
use carom_reproduce::{
    ALL, Context, Experiment, INVENTORY, Report, covering, find, run_all, write,
};

use crate::args::ReproduceArgs;
use crate::words::{counted, wrapped};
use crate::{exit, progress, threads};

/// Runs the command.
pub fn run(args: &ReproduceArgs) -> ExitCode {
    if args.list {
        return list();
    }
    let experiments = match chosen(args) {
        Ok(experiments) => experiments,
        Err(unknown) => return unknown,
    };
    let _lock = match lock(&args.out) {
        Ok(lock) => lock,
        Err(error) => return exit::fail(&error.to_string(), error.hint()),
    };
    let start = Instant::now();
    let reports = compute(args, &experiments);
    let seconds = start.elapsed().as_secs_f64();
    if let Err(trouble) = write(&args.out, &reports, seconds) {
        return exit::fail(&trouble.to_string(), &trouble.hint());
    }
    let printed = exit::print(&reports.iter().map(line).collect::<String>());
    if !args.quiet {
        let (page, line) = (args.out.join("index.html"), last_line(&reports, seconds));
        exit::say(format_args!("{}: {line}", page.display()));
    }
    if let Err(lost) = printed {
        return lost;
    }
    let failed = reports.iter().any(|report| report.result.is_err());
    if failed { ExitCode::from(exit::FAILED) } else { ExitCode::SUCCESS }
}

/// Nobody else writes the folder as long as this is kept.
fn lock(out: &Path) -> Result<FolderLock, ReportError> {
    fs::create_dir_all(out).map_err(ReportError::io("create", out))?;
    FolderLock::of_folder(out)
}

/// Every table and figure with a result, its experiment; then what belongs to none of them.
fn list() -> ExitCode {
    let mut text = String::new();
    let row = |source: &str, item: &str, name: &str, shows: &str| {
        let mut text = format!("{source:<26}{item:<13}{name}").trim_end().to_string();
        text.push('\n');
        for line in wrapped(shows, 4, 4).iter().filter(|line| !line.is_empty()) {
            text.push_str(&format!("    {line}\n"));
        }
        text
    };
    text.push_str(&row("source", "item", "experiment", "shows"));
    for item in INVENTORY {
        let mut names = covering(item.source, item.item).map(|e| e.name);
        let first = names.next().unwrap_or("–");
        text.push_str(&row(item.source.short(), item.item, first, item.shows));
        // Further experiments of the same item have rows of their own.
        for name in names {
            text.push_str(&row("", "", name, ""));
        }
    }
    for experiment in ALL.iter().filter(|e| e.covers.is_empty()) {
        text.push_str(&row(experiment.source.short(), "–", experiment.name, experiment.title));
    }
    exit::print_all(&text)
}

fn chosen(args: &ReproduceArgs) -> Result<Vec<&'static Experiment>, ExitCode> {
    if args.all {
        return Ok(ALL.iter().collect());
    }
    let hint = "`carom reproduce --list` shows the names, --all runs every one";
    if args.names.is_empty() {
        return Err(exit::fail("no experiment was named", hint));
    }
    let found = |name: &String| {
        find(name).ok_or_else(|| exit::fail(&format!("there is no experiment `{name}`"), hint))
    };
    args.names.iter().map(found).collect()
}

fn compute(args: &ReproduceArgs, experiments: &[&'static Experiment]) -> Vec<Report> {
    let shown = !args.quiet && std::io::stderr().is_terminal();
    let (done, count) = (AtomicUsize::new(0), experiments.len());
    let bar = |done: usize, name: &str| {
        if shown {
            let text = format!("{done} of {count} {name}");
            let line = progress::row(done as f64 / count as f64, &text, progress::columns());
            let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
        }
    };
    bar(0, "");
    let context = Context { fast: args.fast };
    let reports = run_all(experiments, &context, threads::count(args.threads), |report| {
        bar(done.fetch_add(1, Ordering::Relaxed) + 1, report.experiment.name);
    });
    if shown {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
    reports
}

fn line(report: &Report) -> String {
    let name = report.experiment.name;
    match &report.result {
        Err(trouble) => format!("{name:<28}failed: {trouble}\n"),
        Ok(outcome) => {
            let [agrees, differs, open] = outcome.counts();
            format!(
                "{name:<28}{agrees:>3} agree {differs:>3} differ {open:>3} not decidable {:>8.2} s\n",
                report.seconds
            )
        }
    }
}

fn last_line(reports: &[Report], seconds: f64) -> String {
    let mut sums = [0; 3];
    let (mut published, mut ours) = (0.0, 0.0);
    for outcome in reports.iter().filter_map(|r| r.result.as_ref().ok()) {
        let counts = outcome.counts();
        sums = [0, 1, 2].map(|i| sums[i] + counts[i]);
        for timing in &outcome.timings {
            if let Some(time) = timing.published {
                (published, ours) = (published + time, ours + timing.ours);
            }
        }
    }
    let speed = match ours > 0.0 {
        true => format!(", {:.0} times faster than published", published / ours),
        false => String::new(),
    };
    format!(
        "{}, {} agree, {} differ, {} not decidable, {seconds:.1} s{speed}",
        counted(reports.len(), "experiment", "experiments"),
        sums[0],
        sums[1],
        sums[2]
    )
}
