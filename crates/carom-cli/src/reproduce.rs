//! `carom reproduce`: the published experiments, computed again.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use carom_report::{FileRecord, FolderLock, ReportError};
use carom_reproduce::{
    ALL, Context, Experiment, INVENTORY, Record, Shelf, Speed, Stamp, Trouble, covering, find,
    run_all,
};

use crate::args::ReproduceArgs;
use crate::interrupt::interrupt_flag;
use crate::words::{counted, wrapped};
use crate::{exit, progress, threads};

/// Time between two looks at whether it was interrupted.
const LOOK: Duration = Duration::from_millis(50);

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
    let context = Context { fast: args.fast };
    let refused = |trouble: Trouble| exit::fail(&trouble.to_string(), &trouble.hint());
    let shelf = match Shelf::open(&args.out, build(), &context) {
        Ok(shelf) => shelf,
        Err(trouble) => return refused(trouble),
    };
    let start = Instant::now();
    let (records, kept) = match compute(args, &shelf, &context, &experiments) {
        Ok(done) => done,
        Err(trouble) => return refused(trouble),
    };
    let seconds = start.elapsed().as_secs_f64();
    if let Err(trouble) = shelf.finish(&records, &Stamp::now()) {
        return refused(trouble);
    }
    let printed = exit::print(&records.iter().map(line).collect::<String>());
    if !args.quiet {
        let (page, line) = (args.out.join("index.html"), last_line(&records, seconds, kept));
        exit::say(format_args!("{}: {line}", page.display()));
    }
    if let Err(lost) = printed {
        return lost;
    }
    let failed = records.iter().any(|record| record.result.is_err());
    if failed { ExitCode::from(exit::FAILED) } else { ExitCode::SUCCESS }
}

/// What tells this program from another: only what the same one computed is taken over. Where the program cannot be
/// read, nothing is.
fn build() -> String {
    let own = std::env::current_exe().ok().and_then(|path| FileRecord::of(&path).ok());
    match own {
        Some(file) => format!("{} bytes, {}", file.bytes, file.hash),
        None => format!("{:?}", std::time::SystemTime::now()),
    }
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

/// The records of all experiments, in their order, and how many of them were there before.
fn compute(
    args: &ReproduceArgs,
    shelf: &Shelf,
    context: &Context,
    experiments: &[&'static Experiment],
) -> Result<(Vec<Record>, usize), Trouble> {
    let kept = |e: &&'static Experiment| if args.again { None } else { shelf.kept(e) };
    let mut records: Vec<Option<Record>> = experiments.iter().map(kept).collect();
    let known = records.iter().flatten().count();
    let missing: Vec<_> =
        experiments.iter().zip(&records).filter(|(_, r)| r.is_none()).map(|(e, _)| *e).collect();
    let shown = !args.quiet && std::io::stderr().is_terminal();
    let (done, count) = (Arc::new(AtomicUsize::new(known)), experiments.len());
    let _watch = end_when_interrupted(Arc::clone(&done), count, &args.out);
    let bar = |done: usize, name: &str| {
        if shown {
            let text = format!("{done} of {count} {name}");
            let line = progress::row(done as f64 / count as f64, &text, progress::columns());
            let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
        }
    };
    bar(known, "");
    let written = Mutex::new(Vec::new());
    run_all(&missing, context, threads::count(args.threads), |report| {
        // What is done is on disk at once, so that the same command goes on from here.
        let record = shelf.put(report);
        written.lock().unwrap_or_else(|poison| poison.into_inner()).push(record);
        bar(done.fetch_add(1, Ordering::Relaxed) + 1, report.experiment.name);
    });
    if shown {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
    for record in written.into_inner().unwrap_or_else(|poison| poison.into_inner()) {
        let record = record?;
        let place = experiments.iter().position(|e| e.name == record.name);
        if let Some(place) = place {
            records[place] = Some(record);
        }
    }
    Ok((records.into_iter().flatten().collect(), known))
}

/// Ends the watch for an interruption when it is dropped: the program may go on with other commands.
struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Ends the program when it is interrupted, as long as the answer is kept: an experiment cannot be stopped within, and what
/// is done is on disk.
fn end_when_interrupted(done: Arc<AtomicUsize>, count: usize, out: &Path) -> Watch {
    let (stop, out) = (interrupt_flag(), out.display().to_string());
    let over = Arc::new(AtomicBool::new(false));
    let watch = Watch(Arc::clone(&over));
    // Without this thread a second Ctrl-C still ends the program.
    let _ = thread::Builder::new().spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            if over.load(Ordering::Relaxed) {
                return;
            }
            thread::sleep(LOOK);
        }
        if over.load(Ordering::Relaxed) {
            return;
        }
        let done = done.load(Ordering::Relaxed);
        exit::say(format_args!(
            "interrupted: {done} of {count} experiments are in {out}; the same command goes on from there"
        ));
        std::process::exit(i32::from(exit::STOPPED));
    });
    watch
}

fn line(record: &Record) -> String {
    let name = &record.name;
    match &record.result {
        Err([trouble, _]) => format!("{name:<28}failed: {trouble}\n"),
        Ok(found) => {
            let [agrees, differs, open] = found.counts(false);
            let own = found.counts(true);
            let own = match own.iter().sum::<usize>() {
                0 => String::new(),
                all => format!(", own {} of {all}", own[0]),
            };
            format!(
                "{name:<28}{agrees:>3} agree {differs:>3} differ {open:>3} not decidable {:>8.2} s{own}\n",
                record.seconds
            )
        }
    }
}

fn last_line(records: &[Record], seconds: f64, kept: usize) -> String {
    let found = || records.iter().filter_map(|r| r.result.as_ref().ok());
    let sum = |own: bool| {
        found().map(|f| f.counts(own)).fold([0; 3], |a, b| [0, 1, 2].map(|i| a[i] + b[i]))
    };
    let (sums, own) = (sum(false), sum(true));
    let own = match own.iter().sum::<usize>() {
        0 => String::new(),
        all => format!(", {} of {all} of carom's own hold", own[0]),
    };
    let speed = match Speed::of(found().flat_map(|f| &f.timings)) {
        Some(speed) => {
            let [ratio, low, high] = speed.ratios();
            format!(", {ratio:.0} times faster than published ({low:.0} to {high:.0})")
        }
        None => String::new(),
    };
    let kept = match kept {
        0 => String::new(),
        n => format!(", {n} of them from before"),
    };
    format!(
        "{}{kept}, {} agree, {} differ, {} not decidable{own}, {seconds:.1} s{speed}",
        counted(records.len(), "experiment", "experiments"),
        sums[0],
        sums[1],
        sums[2]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that goes on after a reproduction is not ended by what interrupts something else.
    #[test]
    fn the_watch_is_over_with_its_command() {
        drop(end_when_interrupted(Arc::new(AtomicUsize::new(0)), 1, Path::new("made")));
        interrupt_flag().store(true, Ordering::Relaxed);
        thread::sleep(4 * LOOK);
        crate::interrupt::begin();
    }
}
