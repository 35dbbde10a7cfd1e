//! A fuzzer of the command line.
//!
//! ```text
//! cargo run --release -p carom-cli --example fuzz_options -- CAROM COUNT [SEED] [FILE]
//! ```
//!
//! Runs the binary `CAROM` with random commands, options, values and files, among them absurd numbers,
//! texts with control characters, folders instead of files, mutated problems of impacts and devices without room. An exit code other
//! than 0, 1 and 2, a control character in what is printed, an error without a hint, or a process that
//! computes for more than ten seconds, or does not end within a minute, is a finding. Processes may take 2 GB of
//! memory. Case number i of a seed is always the same.

use carom_testing::{Campaign, Scratch, scene, splitmix64};
use std::fs::OpenOptions;
use std::process::{Command, ExitCode, Output, Stdio};

/// Longest time of a process, s: of the processor, so that a busy machine makes no findings, and on the wall, for one that
/// only waits.
const SLOW: [&str; 2] = ["10", "60"];
/// Commands and the options that each knows; now and then one is given that it does not.
const COMMANDS: [(&str, &[&str]); 16] = [
    (
        "run",
        &[
            "--until",
            "--out",
            "--law",
            "--rtol",
            "--atol",
            "--method",
            "--output-interval",
            "--csv",
            "--npz",
            "--quiet",
            "--json",
            "--color",
            "--set",
        ],
    ),
    ("check", &["--set"]),
    ("events", &["--first", "--damaged"]),
    ("plot", &["--out", "--only", "--format", "--from", "--until", "--scale", "--dark"]),
    ("report", &["--out", "--set", "--law", "--damaged"]),
    (
        "render",
        &[
            "--out",
            "--from",
            "--until",
            "--fps",
            "--speed",
            "--size",
            "--camera",
            "--zoom",
            "--follow",
            "--no-clock",
            "--set",
        ],
    ),
    ("gallery", &["--out", "--still", "--dark"]),
    ("completions", &["--help"]),
    ("man", &["--out"]),
    ("laws", &["--help"]),
    ("impact", &["--trace", "--threads"]),
    (
        "capability",
        &["--set", "--direction", "--map", "--grid", "--range", "--directions", "--threads"],
    ),
    ("schema", &["--help"]),
    (
        "study",
        &[
            "--samples",
            "--seed",
            "--threads",
            "--out",
            "--set",
            "--vary",
            "--result",
            "--keep",
            "--rows",
            "--shard",
            "--part-rows",
            "--step-limit",
            "--dry-run",
        ],
    ),
    ("new", &["--help"]),
    ("reproduce", &["--list", "--threads"]),
];
const VALUES: [&str; 40] = [
    "contact.0.restitution=0:1:3",
    "contact.0.restitution=lhs(0, 1, 3)",
    "$a=[1, \"\u{1b}[31m\"]",
    "a=expr(1 / 0)",
    "x=at(impact, -1, ((t)))",
    "1/2",
    "0",
    "1",
    "-1",
    "0.1",
    "1e9",
    "1e-300",
    "nan",
    "inf",
    "99999999999999999999",
    "20000",
    "",
    "x",
    "\u{1b}[31m",
    "\u{9b}\u{202e}",
    "body.ball.mass=0.2",
    "body.bal.mass=1",
    "contact.0.restitution=2",
    "solver.until=0.1",
    "u\"r\"df=[{file=\"/etc/passwd\"}]",
    "=",
    "newton",
    "differential,restitution=kinetic",
    "energy,modes",
    "svg",
    "femur,tibia",
    "-1:1,-2:0",
    "0,0,1",
    "dop853",
    "64x40",
    "film.gif",
    "frames",
    "moment.png",
    "top",
    "30,20",
];

fn main() -> ExitCode {
    let carom = std::env::args().nth(1).and_then(|path| std::fs::canonicalize(path).ok());
    let Some(carom) = carom.map(|path| path.to_string_lossy().into_owned()) else {
        println!("which binary?");
        return ExitCode::from(2);
    };
    let Some(campaign) = Campaign::from_arguments(std::env::args().skip(2)) else {
        return ExitCode::from(2);
    };
    let scratch = Scratch::new("fuzz-options");
    let files = files(&scratch, &carom);
    let rod = std::fs::read(scene("rod_impact.json")).expect("a shipped problem");
    campaign.run("options", |case| {
        let mut random = campaign.seed.wrapping_mul(0x9e37_79b9).wrapping_add(case);
        let mut arguments = arguments(&files, &mut random);
        if arguments[0] == "impact" && arguments.len() > 1 {
            arguments[1] = problem(&scratch, &rod, &mut random);
        }
        let output = run(&carom, &arguments, &scratch, &mut random);
        wrong(&output).map(|finding| format!("{finding}: {arguments:?}"))
    })
}

/// Files and folders of all sorts.
fn files(scratch: &Scratch, carom: &str) -> Vec<String> {
    let run = scratch.text("ball.run");
    let shipped = |name: &str| scene(name).to_string_lossy().into_owned();
    let status =
        Command::new(carom).args(["run", &shipped("ball.toml"), "-q", "--out", &run]).status();
    assert!(status.is_ok_and(|s| s.success()), "the binary runs");
    let nothing = scratch.text("nothing.toml");
    std::fs::write(&nothing, "").expect("a file");
    let names = ["ball.toml", "jumper.toml", "double_pendulum.toml", "rod_impact.json"];
    let mut files: Vec<String> = names.map(shipped).to_vec();
    files.extend([run, nothing, "/dev/null".into(), "/".into(), "nowhere".into(), "-".into()]);
    files
}

fn arguments(files: &[String], random: &mut u64) -> Vec<String> {
    let mut pick = |n: usize| (splitmix64(random) % n as u64) as usize;
    let (command, own) = COMMANDS[pick(COMMANDS.len())];
    let mut all = vec![command.to_string()];
    if command == "study" {
        // All jumps of a study take their time.
        all.extend(["--samples", "3"].map(String::from));
    }
    if command == "new" {
        // It writes where it is told: only names within the folder of the case.
        all.push(["first", "first.toml", "", "\u{1b}[31m", "no/such"][pick(5)].into());
    } else if pick(8) > 0 {
        all.push(files[pick(files.len())].clone());
    }
    for _ in 0..pick(4) {
        let options = if pick(12) == 0 { COMMANDS[pick(COMMANDS.len())].1 } else { own };
        all.push(options[pick(options.len())].into());
        if pick(5) > 0 {
            all.push(VALUES[pick(VALUES.len())].into());
        }
    }
    all
}

/// A file with problems of impacts, mutated.
fn problem(scratch: &Scratch, rod: &[u8], random: &mut u64) -> String {
    const WORDS: [&str; 12] = [
        "nan",
        "1e308",
        "-1",
        "0",
        "1e-320",
        "null",
        "[]",
        "{}",
        "\"\u{1b}[31m\"",
        "\n",
        "]",
        "1e999",
    ];
    let mut pick = |n: usize| (splitmix64(random) % n.max(1) as u64) as usize;
    let mut bytes = rod.to_vec();
    for _ in 0..pick(5) {
        let place = pick(bytes.len());
        let digits = bytes[place..].iter().position(u8::is_ascii_digit).map(|i| place + i);
        match (pick(4), digits) {
            (0 | 1, Some(start)) => {
                let number = |b: &u8| !(b.is_ascii_digit() || b".e-".contains(b));
                let end = bytes[start..].iter().position(number).map_or(bytes.len(), |i| start + i);
                bytes.splice(start..end, WORDS[pick(WORDS.len())].bytes());
            }
            (2, _) => drop(bytes.drain(place..(place + 1 + pick(60)).min(bytes.len()))),
            _ => bytes[place] ^= 1 << pick(8),
        }
        if bytes.is_empty() {
            break;
        }
    }
    let path = scratch.text("problem.json");
    std::fs::write(&path, bytes).expect("a disk");
    path
}

/// Runs one command in a folder of its own; a bound on time and memory goes with it.
fn run(carom: &str, arguments: &[String], scratch: &Scratch, random: &mut u64) -> Output {
    let folder = scratch.path("case");
    let _ = std::fs::remove_dir_all(&folder);
    let _ = std::fs::create_dir_all(&folder);
    let mut command = Command::new("sh");
    let bounds =
        format!("ulimit -v 2000000; ulimit -t {}; exec timeout -s KILL \"$0\" \"$@\"", SLOW[0]);
    command.args(["-c", &bounds, SLOW[1], carom]);
    command.args(arguments).current_dir(&folder).stdin(Stdio::null());
    let full =
        || OpenOptions::new().write(true).open("/dev/full").map_or(Stdio::null(), Stdio::from);
    match splitmix64(random) % 16 {
        0 => command.stdout(full()).stderr(Stdio::piped()),
        1 => command.stderr(full()).stdout(Stdio::piped()),
        _ => command.stdout(Stdio::piped()).stderr(Stdio::piped()),
    };
    let child = command.spawn().expect("a shell");
    child.wait_with_output().expect("a process")
}

/// What is wrong with an answer.
fn wrong(output: &Output) -> Option<String> {
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let acts = |c: char| c.is_control() && c != '\n';
    match output.status.code() {
        Some(0..=2) => {}
        code => return Some(format!("exit {code:?}: {told:.200}")),
    }
    if String::from_utf8_lossy(&output.stdout).chars().chain(told.chars()).any(acts) {
        return Some("a control character".into());
    }
    let silent = told.is_empty();
    let helped = ["hint: ", "tip: ", "Usage: ", "--help", "possible values"]
        .iter()
        .any(|w| told.contains(w));
    (output.status.code() == Some(2) && !silent && !helped).then(|| format!("no hint: {told:.200}"))
}
