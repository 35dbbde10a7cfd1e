//! A fuzzer of the command line.
//!
//! ```text
//! cargo run --release -p carom-cli --example fuzz_options -- CAROM COUNT [SEED] [FILE]
//! ```
//!
//! Random commands, options, values and files (`lines.rs`), among them absurd numbers, texts with control characters,
//! folders instead of files and mutated problems of impacts. Most are carried out one after the other in one process
//! (`hand.rs`); one in 32 is a process of its own of the binary `CAROM`, half of those with a device without room for
//! what it prints. An exit code other than 0, 1 and 2, a panic, a control character in what is printed, an error without a
//! hint, or a command that computes for more than ten seconds although it is interrupted after two, is a finding.
//! Processes may take 2 GB of memory. Case number i of a seed is always the same.

mod hand;
mod lines;

use carom_testing::{Campaign, Scratch, scene, splitmix64};
use hand::{Answer, Hand};
use lines::Files;
use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Times of a process of its own, s: on the wall, after which it is interrupted as by Ctrl-C, since a run may be asked for
/// that takes for ever; of the processor, after which it is killed, so that a busy machine makes no findings; and on the
/// wall, after which one that was interrupted and only waits is killed.
const SLOW: [&str; 3] = ["4", "10", "540"];
/// One case in so many is a process of its own.
const ALONE: u64 = 32;
/// A hand is given so many cases, so that each case has much the same process, whichever came first.
const TURNS: u64 = 1000;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, socket] = &words[..]
        && word == hand::WORD
    {
        return if hand::work(socket).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let carom = words.first().and_then(|path| std::fs::canonicalize(path).ok());
    let Some(carom) = carom.map(|path| path.to_string_lossy().into_owned()) else {
        println!("which binary?");
        return ExitCode::from(2);
    };
    let Some(campaign) = Campaign::from_arguments(words.into_iter().skip(1)) else {
        return ExitCode::from(2);
    };
    let scratch = Scratch::new("fuzz-options");
    let files = files(&scratch, &carom);
    let rod = std::fs::read(scene("rod_impact.json")).expect("a shipped problem");
    let (mut hand, mut codes, mut interrupted) = (None, [0_u64; 3], 0_u64);
    let code = campaign.run("options", |case| {
        let mut random = campaign.seed.wrapping_mul(0x9e37_79b9).wrapping_add(case);
        let mut arguments = lines::line(&files, &mut random);
        if arguments[0] == "impact" && arguments.len() > 1 {
            arguments[1] = scratch.text("problem.json");
            std::fs::write(&arguments[1], lines::problem(&rod, &mut random)).expect("a disk");
        }
        let folder = scratch.path("case");
        let _ = std::fs::remove_dir_all(&folder);
        let _ = std::fs::create_dir_all(&folder);
        let answer = if case % ALONE == 0 {
            alone(&carom, &arguments, &folder, splitmix64(&mut random) % 4)
        } else {
            if case % TURNS == 0 {
                hand = None;
            }
            let one = hand.get_or_insert_with(|| Hand::start(scratch.folder()).expect("a process"));
            one.ask(&arguments, &folder)
        };
        if answer.code.is_none() || answer.gone {
            hand = None;
        }
        interrupted += u64::from(answer.interrupted);
        if let Some(count) = answer.code.and_then(|c| codes.get_mut(usize::from(c))) {
            *count += 1;
        }
        wrong(&answer).map(|finding| format!("{finding}: {arguments:?}"))
    });
    let [done, stopped, failed] = codes;
    println!(
        "options: of those now, {done} were done, {stopped} stopped, {failed} refused; {interrupted} interrupted"
    );
    code
}

/// Files and folders of all sorts.
fn files(scratch: &Scratch, carom: &str) -> Files {
    let run = scratch.text("ball.run");
    let shipped = |name: &str| scene(name).to_string_lossy().into_owned();
    let mut command = Command::new(carom);
    let short = ["--until", "0.5", "--set", "output.interval=0.02"];
    let status =
        command.args(["run", &shipped("ball.toml"), "-q", "--out", &run]).args(short).status();
    assert!(status.is_ok_and(|s| s.success()), "the binary runs");
    let nothing = scratch.text("nothing.toml");
    std::fs::write(&nothing, "").expect("a file");
    let scenes =
        ["ball.toml", "double_pendulum.toml", "jumper.toml", "rod_impact.json"].map(shipped);
    let other = [nothing, "/dev/null".into(), "/".into(), "nowhere".into(), "-".into()];
    Files { scenes: scenes.to_vec(), run, other: other.to_vec() }
}

/// One command as a process of its own; a bound on time and memory goes with it.
fn alone(carom: &str, arguments: &[String], folder: &Path, device: u64) -> Answer {
    let mut command = Command::new("sh");
    let [enough, computed, waited] = SLOW;
    let bounds = format!(
        "ulimit -v 2000000; ulimit -t {computed}; \
         exec timeout --preserve-status -s INT -k {waited} \"$0\" \"$@\""
    );
    command.args(["-c", &bounds, enough, carom]);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let full =
        || OpenOptions::new().write(true).open("/dev/full").map_or(Stdio::null(), Stdio::from);
    match device {
        0 => command.stdout(full()).stderr(Stdio::piped()),
        1 => command.stderr(full()).stdout(Stdio::piped()),
        _ => command.stdout(Stdio::piped()).stderr(Stdio::piped()),
    };
    let output = command.spawn().and_then(|child| child.wait_with_output()).expect("a process");
    let code = output.status.code().and_then(|code| u8::try_from(code).ok());
    let fate = output.status.to_string();
    let [interrupted, gone] = [false; 2];
    Answer { code, fate, interrupted, gone, out: output.stdout, err: output.stderr }
}

/// What is wrong with an answer.
fn wrong(answer: &Answer) -> Option<String> {
    let told = String::from_utf8_lossy(&answer.err).into_owned();
    let acts = |c: char| c.is_control() && c != '\n';
    if !matches!(answer.code, Some(0..=2)) {
        return Some(format!("{}: {told:.200}", answer.fate));
    }
    if told.contains("panicked at") {
        return Some(format!("a thread's panic: {told:.200}"));
    }
    if String::from_utf8_lossy(&answer.out).chars().chain(told.chars()).any(acts) {
        return Some("a control character".into());
    }
    let helped = ["hint: ", "tip: ", "Usage: ", "--help", "possible values"]
        .iter()
        .any(|w| told.contains(w));
    (answer.code == Some(2) && !told.is_empty() && !helped).then(|| format!("no hint: {told:.200}"))
}
