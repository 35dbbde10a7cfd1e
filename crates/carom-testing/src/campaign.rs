//! A campaign: numbered cases of a seed, the same wherever they run, counted, timed and taken up again.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Longest time that a case may compute; on the wall it may take as long as [`HUNG`], because the machine may be busy.
const SLOW: Duration = Duration::from_secs(10);
/// Largest memory of the process, bytes.
const ROOM: u64 = 2 << 30;
/// Time after which a case that has not come back ends the campaign: long, because a campaign may run beside much else and
/// get little of the processor.
const HUNG: Duration = Duration::from_secs(600);
/// Time between two lines of progress, and between two notes of it in the file.
const TELL: Duration = Duration::from_secs(10);

/// What is to be done, from the command line: `COUNT [SEED] [FILE]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// How many cases there are in all.
    pub count: u64,
    /// The seed; a case follows from it and its number.
    pub seed: u64,
    /// Where progress is kept, if anywhere: the next case and the findings so far.
    pub file: Option<PathBuf>,
}

/// Cases done and what was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Progress {
    next: u64,
    findings: u64,
}

impl Campaign {
    /// Reads `COUNT [SEED] [FILE]`; none, with words for the user, if there is no count.
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let Some(count) = arguments.next().and_then(|a| a.parse().ok()) else {
            println!("COUNT [SEED] [FILE]: how many cases, of which seed, where progress is kept");
            return None;
        };
        let seed = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(1);
        Some(Self { count, seed, file: arguments.next().map(PathBuf::from) })
    }

    /// Goes through the cases that are left. A case says what is wrong, if anything; a panic, more than ten seconds of
    /// computing, or a process larger than 2 GiB is wrong as well. Exit code 1 if anything ever was, also before it was interrupted.
    pub fn run(&self, name: &str, mut case: impl FnMut(u64) -> Option<String>) -> ExitCode {
        let mut progress = self.kept();
        let (first, start) = (progress.next, Instant::now());
        let watch = self.watch(name);
        let mut told = Instant::now();
        while progress.next < self.count {
            let number = progress.next;
            watch.store(number + 1, Ordering::Relaxed);
            let (began, before) = (Instant::now(), computed());
            let found = catch_unwind(AssertUnwindSafe(|| case(number)))
                .unwrap_or_else(|_| Some("a panic".into()))
                .or_else(|| slow(began.elapsed(), computed().saturating_sub(before)))
                .or_else(|| (memory() > ROOM).then(|| format!("{} bytes of memory", memory())));
            if let Some(finding) = found {
                progress.findings += 1;
                println!("{name}: case {number} of seed {}: {finding}", self.seed);
            }
            progress.next += 1;
            if told.elapsed() > TELL {
                told = Instant::now();
                self.keep(progress);
                println!(
                    "{name}: {} of {}, {} findings",
                    progress.next, self.count, progress.findings
                );
            }
        }
        watch.store(0, Ordering::Relaxed);
        self.keep(progress);
        let (done, seconds) = (progress.next.saturating_sub(first), start.elapsed().as_secs_f64());
        println!(
            "{name}: {} cases of seed {}, {done} of them now in {seconds:.0} s, {} findings, at most {} MB",
            progress.next,
            self.seed,
            progress.findings,
            memory() >> 20
        );
        if progress.findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn kept(&self) -> Progress {
        let text = self.file.as_ref().and_then(|f| fs::read_to_string(f).ok()).unwrap_or_default();
        let mut words = text.split_whitespace().map(|w| w.parse().ok());
        match (words.next().flatten(), words.next().flatten(), words.next().flatten()) {
            (Some(seed), Some(next), Some(findings)) if seed == self.seed => {
                Progress { next, findings }
            }
            _ => Progress::default(),
        }
    }

    fn keep(&self, progress: Progress) {
        if let Some(file) = &self.file {
            let text = format!("{} {} {}\n", self.seed, progress.next, progress.findings);
            if let Err(error) = fs::write(file, text) {
                println!("{}: {error}", file.display());
            }
        }
    }

    /// Ends the process if one case does not come back. Holds the number of the case under way, plus one.
    fn watch(&self, name: &str) -> Arc<AtomicU64> {
        let case = Arc::new(AtomicU64::new(0));
        let (seen, name, seed) = (Arc::clone(&case), name.to_string(), self.seed);
        std::thread::spawn(move || {
            let mut last = 0;
            loop {
                std::thread::sleep(HUNG);
                let now = seen.load(Ordering::Relaxed);
                if now != 0 && now == last {
                    println!("{name}: case {} of seed {seed} hangs", now - 1);
                    std::process::exit(1);
                }
                last = now;
            }
        });
        case
    }
}

/// What is said of a case that took too long.
fn slow(wall: Duration, computed: Duration) -> Option<String> {
    (wall > HUNG || computed > SLOW).then(|| format!("{wall:?}, of them {computed:?} computed"))
}

/// For how long this process has computed, without its children, which whoever starts them bounds; zero where the system
/// does not tell.
fn computed() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name of the program, which may hold anything: user and system, 1/100 s.
    let numbers = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = numbers.skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// The largest memory of this process so far, bytes; zero where the system does not tell.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().strip_suffix(" kB")).and_then(|n| n.parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;

    #[test]
    fn a_campaign_is_taken_up_where_it_ended() {
        let scratch = Scratch::new("campaign");
        let words = ["5", "7", &scratch.text("progress")].map(String::from);
        let campaign = Campaign::from_arguments(words.into_iter()).unwrap();
        let mut seen = Vec::new();
        let code = Campaign { count: 3, ..campaign.clone() }.run("test", |case| {
            seen.push(case);
            None
        });
        assert_eq!((code, seen.as_slice()), (ExitCode::SUCCESS, [0, 1, 2].as_slice()));
        // A panic is a finding, and stays one.
        let code = campaign.run("test", |case| {
            seen.push(case);
            assert_ne!(case, 3, "as a fault would");
            None
        });
        assert_eq!((code, seen.as_slice()), (ExitCode::FAILURE, [0, 1, 2, 3, 4].as_slice()));
        assert_eq!(campaign.run("test", |_| panic!("nothing is left")), ExitCode::FAILURE);
        // Another seed is another campaign.
        let mut count = 0;
        let other = Campaign { seed: 8, ..campaign };
        assert_eq!(
            other.run("test", |_| {
                count += 1;
                None
            }),
            ExitCode::SUCCESS
        );
        assert_eq!(count, 5);
    }

    #[test]
    fn what_takes_too_long_is_told() {
        let seconds = Duration::from_secs;
        assert_eq!(slow(HUNG - seconds(1), seconds(9)), None);
        assert!(
            slow(HUNG + seconds(1), seconds(0)).is_some()
                && slow(seconds(11), seconds(11)).is_some()
        );
        let before = computed();
        let start = Instant::now();
        while cfg!(target_os = "linux") && computed() < before + Duration::from_millis(50) {
            assert!(start.elapsed() < HUNG, "{before:?} {:?}", computed());
        }
    }

    #[test]
    fn words_that_are_no_count() {
        assert!(Campaign::from_arguments(["many".to_string()].into_iter()).is_none());
        assert!(Campaign::from_arguments(std::iter::empty()).is_none());
    }
}
