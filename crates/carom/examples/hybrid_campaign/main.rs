//! Random runs of the hybrid simulator over wild mechanisms, every one checked.
//!
//! `cargo run -p carom --example hybrid_campaign -- [--runs N] [--kinds a,b] [--seed S] [--first I] [--threads T]
//! [--quick] [--only KIND:INDEX]`
//!
//! Case i of a kind depends on the seed and i alone: `--only KIND:i` repeats it and prints its samples and events. Kinds, laws
//! and options: `cases.rs`, `mechanisms.rs`. Of every run is checked (`checks.rs`): it ends, at rest, at its time or
//! at a paradox that is named; no gap below −1e-9 m; the ledger closes; no gain of energy under an energetic law;
//! contact forces push; the same bits when run twice; the same events when run to twice the time. `--quick` leaves
//! the last two out. Interrupting it (Ctrl-C) loses nothing but the table: faults are printed as they are found.
//! Ends with status 1 if there are faults.
#![allow(non_snake_case)]

mod cases;
mod checks;
mod crowds;
mod mechanisms;
mod random;
mod story;

use carom::record::Rescue;
use cases::{Case, Kind};
use checks::{Report, Thorough, check};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

struct Arguments {
    runs: u64,
    kinds: Vec<Kind>,
    seed: u64,
    first: u64,
    threads: u64,
    thorough: Thorough,
    only: Option<(Kind, u64)>,
}

/// Counts of one kind.
#[derive(Default)]
struct Tally {
    runs: u64,
    skipped: u64,
    events: u64,
    endings: BTreeMap<String, u64>,
    faults: BTreeMap<&'static str, u64>,
    /// Runs that neither rest nor reach their time.
    stopped: u64,
    rescues: [u64; Rescue::ALL.len()],
    slowest: (Duration, u64),
    worst_gap: f64,
}

impl Tally {
    fn add(&mut self, index: u64, report: &Report) {
        self.runs += 1;
        self.events += report.statistics.events;
        *self.endings.entry(report.ending.clone()).or_default() += 1;
        self.stopped += u64::from(!matches!(report.ending.as_str(), "rest" | "reached-end"));
        self.rescues.iter_mut().zip(report.statistics.rescues).for_each(|(all, n)| *all += n);
        for (word, _) in &report.faults {
            *self.faults.entry(word).or_default() += 1;
        }
        self.slowest = self.slowest.max((report.wall, index));
        self.worst_gap = self.worst_gap.min(report.statistics.worst_gap);
    }

    /// How often each rule of the safety net was needed.
    fn rescues(&self) -> String {
        let words = Rescue::ALL.iter().zip(self.rescues).filter(|(_, n)| *n > 0);
        let words: Vec<String> = words.map(|(r, n)| format!("{n} {}", r.word())).collect();
        if words.is_empty() { String::from("none") } else { words.join(", ") }
    }

    /// The counts of another kind on top.
    fn take(&mut self, other: &Self) {
        self.runs += other.runs;
        self.events += other.events;
        self.stopped += other.stopped;
        self.rescues.iter_mut().zip(other.rescues).for_each(|(all, n)| *all += n);
        for (word, n) in &other.faults {
            *self.faults.entry(word).or_default() += n;
        }
    }
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if let Some((kind, index)) = arguments.only {
        return only(kind, index, &arguments);
    }
    let mut all = Tally::default();
    let mut tallies = Vec::new();
    for &kind in &arguments.kinds {
        tallies.push((kind, campaign(kind, &arguments)));
    }
    for (kind, tally) in &tallies {
        print(*kind, tally);
        all.take(tally);
    }
    let faults = all.faults.values().sum::<u64>();
    let percent = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
    println!(
        "all: {} runs, {} stopped by name ({:.2} %), {faults} faults ({:.2} %), {} events, rescues {} ({:.2} % of events)",
        all.runs,
        all.stopped,
        percent(all.stopped, all.runs),
        percent(faults, all.runs),
        all.events,
        all.rescues(),
        percent(all.rescues.iter().sum(), all.events),
    );
    ExitCode::from(u8::from(faults > 0))
}

/// All runs of a kind, on all threads, with a line of progress on a terminal.
fn campaign(kind: Kind, arguments: &Arguments) -> Tally {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let (tally, start) = (Mutex::new(Tally::default()), Instant::now());
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= arguments.runs {
                return;
            }
            let index = arguments.first + n;
            let Some(case) = Case::new(kind, arguments.seed, index) else {
                if let Ok(mut tally) = tally.lock() {
                    tally.skipped += 1;
                }
                continue;
            };
            let report = check(&case, arguments.thorough);
            for (word, text) in &report.faults {
                println!("{}:{index} {word} [{}] {text}", kind.word(), case.law_word());
            }
            if let Ok(mut tally) = tally.lock() {
                tally.add(index, &report);
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.threads).map(|_| scope.spawn(work)).collect();
        let terminal = std::io::stderr().is_terminal();
        while threads.iter().any(|t| !t.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            if terminal {
                let n = done.load(Ordering::Relaxed);
                let rate = n as f64 / start.elapsed().as_secs_f64();
                eprint!("\r{}: {n} of {}, {rate:.1} per second ", kind.word(), arguments.runs);
                std::io::stderr().flush().ok();
            }
        }
        if terminal {
            eprintln!();
        }
    });
    tally.into_inner().unwrap_or_default()
}

fn print(kind: Kind, tally: &Tally) {
    let list = |counts: Vec<(&str, u64)>| -> String {
        let words: Vec<String> = counts.iter().map(|(w, n)| format!("{n} {w}")).collect();
        if words.is_empty() { String::from("none") } else { words.join(", ") }
    };
    println!(
        "{:<14} {:>6} runs, {:>8} events, worst gap {:.1e} m, slowest {:.2} s ({}); ends: {}; rescues: {}; faults: {}",
        kind.word(),
        tally.runs,
        tally.events,
        tally.worst_gap,
        tally.slowest.0.as_secs_f64(),
        tally.slowest.1,
        list(tally.endings.iter().map(|(w, n)| (w.as_str(), *n)).collect()),
        tally.rescues(),
        list(tally.faults.iter().map(|(w, n)| (*w, *n)).collect()),
    );
    if tally.skipped > 0 {
        println!("{:<14} {:>6} cases without a start", "", tally.skipped);
    }
}

/// One case, with its samples and events.
fn only(kind: Kind, index: u64, arguments: &Arguments) -> ExitCode {
    let Some(case) = Case::new(kind, arguments.seed, index) else {
        eprintln!("no start of this case is free of penetration");
        return ExitCode::from(2);
    };
    println!("law {}, options {:?}, to t = {}", case.law_word(), case.options, case.end);
    println!("q = {:?}\nv = {:?}", case.state.q.as_slice(), case.state.v.as_slice());
    for (k, pair) in case.model.pairs().iter().enumerate() {
        println!("pair {k} {}: {:?}", pair.name, pair.surface);
    }
    story::tell(&case);
    let report = check(&case, arguments.thorough);
    println!("{}: {:?}", report.ending, report.statistics);
    for (word, text) in &report.faults {
        println!("{word}: {text}");
    }
    ExitCode::from(u8::from(!report.faults.is_empty()))
}

fn arguments() -> Result<Arguments, String> {
    let mut a = Arguments {
        runs: 200,
        kinds: Kind::ALL.to_vec(),
        seed: 1,
        first: 0,
        threads: 2,
        thorough: Thorough { twice: true, longer: true },
        only: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        if name == "--quick" {
            a.thorough = Thorough { twice: false, longer: false };
            continue;
        }
        let value = words.next().ok_or(format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|e| format!("{name} {value}: {e}"));
        match name.as_str() {
            "--runs" => a.runs = number()?,
            "--seed" => a.seed = number()?,
            "--first" => a.first = number()?,
            "--threads" => a.threads = number()?.max(1),
            "--kinds" => a.kinds = value.split(',').map(kind).collect::<Result<_, _>>()?,
            "--only" => {
                let (word, index) = value.split_once(':').ok_or("--only takes KIND:INDEX")?;
                a.only = Some((kind(word)?, index.parse().map_err(|e| format!("{index}: {e}"))?));
            }
            _ => return Err(format!("unknown argument {name}")),
        }
    }
    Ok(a)
}

fn kind(word: &str) -> Result<Kind, String> {
    let known = Kind::ALL.iter().find(|k| k.word() == word);
    known.copied().ok_or(format!("unknown kind {word}"))
}
