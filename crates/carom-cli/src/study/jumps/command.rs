//! Arguments, folder, threads, exit code.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use carom_figure::{Figure, Theme};
use carom_report::ReportError;
use carom_report::run::disk::replace;
use carom_scene::study::{Jump, StudyError, Worker};
use carom_scene::{Scene, StudyChoice};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::ledger::{Ledger, LedgerError};
use super::picture::picture;
use super::row;
use super::table::{closed, table};
use crate::args::StudyArgs;
use crate::interrupt::interrupt_flag;
use crate::{exit, progress, threads};

/// Time between two updates of the progress line.
const PAUSE: Duration = Duration::from_millis(200);

/// What is asked of a study of jumps.
pub struct Jumps<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its study.
    pub study: StudyChoice,
    /// Folder of the study.
    pub out: PathBuf,
    /// Arguments of the command.
    pub args: &'a StudyArgs,
}

/// Runs the command.
pub fn run(jumps: Jumps<'_>) -> ExitCode {
    let Jumps { scene, mut study, out, args } = jumps;
    study.samples = args.samples.unwrap_or(study.samples);
    study.seed = args.seed.unwrap_or(study.seed);
    if let Err(error) = Worker::new(scene, &study) {
        return exit::fail(&error.to_string(), error.hint());
    }
    let ledger = match open(&out, scene, &study) {
        Ok(ledger) => ledger,
        Err(code) => return code,
    };
    let threads = threads::count(args.threads);
    let begun = ledger.rows.len();
    let start = Instant::now();
    match compute(scene, &study, ledger, threads, args.quiet) {
        Ok(ledger) => {
            let time = start.elapsed().as_secs_f64();
            end(scene, &study, &ledger, (&out, args.quiet), (begun, time, threads))
        }
        Err(code) => code,
    }
}

fn open(out: &Path, scene: &Scene, study: &StudyChoice) -> Result<Ledger, ExitCode> {
    let manifest = serde_json::json!({
        "format": "carom study",
        "carom": env!("CARGO_PKG_VERSION"),
        "scene_hash": scene.hash,
        "seed": study.seed,
    });
    let header = row::header(&study.varied);
    let opened = Ledger::open(out, &format!("{manifest:#}\n"), &header, study.varied.len());
    opened.map_err(|error| match error {
        LedgerError::Report(error) => exit::fail(&error.to_string(), error.hint()),
        LedgerError::Foreign => exit::fail(
            &format!("{} holds another study", out.display()),
            "give another folder with --out, or remove this one",
        ),
    })
}

/// Jumps on all threads until all are done or the user interrupts.
fn compute(
    scene: &Scene,
    study: &StudyChoice,
    mut ledger: Ledger,
    threads: usize,
    quiet: bool,
) -> Result<Ledger, ExitCode> {
    let pool = pool(threads)?;
    let stop = interrupt_flag();
    let wanted = ledger.rows.len() as u64..study.samples;
    let (send, receive) = mpsc::channel();
    let written = pool.in_place_scope(|scope| {
        let stop = &*stop;
        scope.spawn(move |_| work(scene, study, wanted, stop, &send));
        collect(&receive, &mut ledger, study.samples, quiet).inspect_err(|_| {
            stop.store(true, Ordering::Relaxed);
        })
    });
    written.map(|()| ledger)
}

/// Memory that must be there for a thread beside its stack, bytes: where there is less, fewer threads work. What is not
/// used of it is never touched.
const ROOM: usize = 64 << 20;

/// As many threads as were asked for, or as the system gives: results do not depend on it.
fn pool(mut threads: usize) -> Result<ThreadPool, ExitCode> {
    loop {
        let (mut rooms, mut started) = (Vec::new(), Vec::new());
        let builder = ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
            let mut room = Vec::<u8>::new();
            // The last one has to do with what is there.
            if threads > 1 && room.try_reserve_exact(ROOM).is_err() {
                return Err(io::Error::from(io::ErrorKind::OutOfMemory));
            }
            rooms.push(room);
            started.push(std::thread::Builder::new().spawn(|| thread.run())?);
            Ok(())
        });
        let built = builder.build();
        drop(rooms);
        match built {
            Ok(pool) => return Ok(pool),
            Err(_) if threads > 1 => {
                // Their stacks are given back before fewer are tried.
                started.into_iter().for_each(|thread| drop(thread.join()));
                threads /= 2;
            }
            Err(error) => {
                let message = format!("the system gives no thread: {error}");
                return Err(exit::fail(&message, "end other programs"));
            }
        }
    }
}

/// Sends the jumps of these numbers. Threads take the next number each, so that what is done when the
/// user interrupts are the first numbers, which the ledger keeps.
fn work(
    scene: &Scene,
    study: &StudyChoice,
    samples: Range<u64>,
    stop: &AtomicBool,
    send: &Sender<Result<Jump, StudyError>>,
) {
    let jump = |worker: &mut Result<Worker<'_>, StudyError>, sample: u64| {
        let row = match worker {
            _ if stop.load(Ordering::Relaxed) => return None,
            Ok(worker) => worker.jump(sample),
            Err(error) => Err(error.clone()),
        };
        send.send(row).ok()
    };
    // None: nobody wants more of them.
    let _ = samples.par_bridge().map_init(|| Worker::new(scene, study), jump).while_some().count();
}

/// Writes rows as they come and shows progress.
fn collect(
    receive: &Receiver<Result<Jump, StudyError>>,
    ledger: &mut Ledger,
    samples: u64,
    quiet: bool,
) -> Result<(), ExitCode> {
    let shown = !quiet && std::io::stderr().is_terminal();
    let mut update = Instant::now();
    while let Ok(row) = receive.recv() {
        let row = row.map_err(|error| exit::fail(&error.to_string(), error.hint()))?;
        ledger
            .push(row)
            .map_err(|e| exit::fail(&format!("cannot write study.csv: {e}"), "free the disk"))?;
        if shown && update.elapsed() > PAUSE {
            update = Instant::now();
            let (done, all) = (ledger.rows.len(), samples as f64);
            let text = format!("{done} of {samples} jumps");
            let line = progress::row(done as f64 / all, &text, progress::columns());
            let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
        }
    }
    if shown {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
    Ok(())
}

/// The figure in both formats.
fn draw(figure: &Figure, out: &Path) -> Result<(), ExitCode> {
    let refused = |e: ReportError| exit::fail(&e.to_string(), e.hint());
    let svg = figure.svg(Theme::Light);
    replace(&out.join("study.svg"), svg.as_bytes()).map_err(refused)?;
    let png = figure.png(Theme::Light, 2.0).map_err(|e| exit::fail(&e.to_string(), e.hint()))?;
    replace(&out.join("study.png"), &png).map_err(refused)
}

/// Table, figure, last line, exit code.
fn end(
    scene: &Scene,
    study: &StudyChoice,
    ledger: &Ledger,
    (out, quiet): (&Path, bool),
    (begun, time, threads): (usize, f64, usize),
) -> ExitCode {
    let (rows, rtol) = (&ledger.rows, scene.options.solver.rtol);
    let wanted = usize::try_from(study.samples).unwrap_or(usize::MAX);
    // A file may hold more than is asked for now.
    let rows = &rows[..rows.len().min(wanted)];
    let printed = exit::print(&table(rows, rtol));
    let title = scene.title.as_deref().unwrap_or("Study");
    let figure = picture(title, &scene.model, study, rows);
    if let Err(code) = draw(&figure, out).and(printed) {
        return code;
    }
    if !quiet {
        let done = ledger.rows.len() - begun;
        exit::say(format_args!(
            "{}: {} of {} jumps, {done} of them now in {time:.1} s on {threads} threads",
            out.display(),
            rows.len(),
            study.samples
        ));
    }
    if rows.len() < wanted {
        exit::say("interrupted: the same command goes on from here");
        return ExitCode::from(exit::STOPPED);
    }
    match rows.iter().all(|row| closed(row, rtol)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(exit::FAILED),
    }
}
