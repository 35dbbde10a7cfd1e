//! A mutation fuzzer of the TOML and URDF readers, and of the runs of what they read.
//!
//! ```text
//! cargo run --release -p carom-scene --example fuzz -- COUNT [SEED] [FILE]
//! ```
//!
//! Seeds are the shipped scenes, the test scenes and all bad inputs, every other case from one that
//! loads. Two cases in three are *rough*: mutations work on bytes and on tokens, and most are refused. The others are
//! *gentle*: numbers of a scene that loads become others of about their size, and its law another one, so that most
//! load, and what loads is run for a short time. Case number i of a seed is always the same text. A panic, a message
//! without hint, a scene with a number that is not finite, a case slower than two seconds to read, a run that lasts
//! longer than ten, or one whose samples are not finite or whose times go back, is a finding; its text is printed, and
//! the exit code is 1. `scripts/campaign.sh` runs this and the other fuzzers.

use carom::hybrid::Stop;
use carom::record::{Directive, Event, Observer, Sample};
use carom_scene::Scene;
use carom_testing::Campaign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Longest time of one case.
const SLOW: Duration = Duration::from_secs(2);

/// Longest time of one run, which is asked to stop after a fifth of it.
const ENDLESS: Duration = Duration::from_secs(10);

/// What runs of gentle cases are given, s, and most events.
const SPAN: f64 = 0.3;
const EVENTS: u64 = 400;

/// Factors of numbers in gentle cases; most change little.
const FACTORS: &[f64] = &[0.5, 0.8, 0.9, 0.99, 1.0 + 1e-12, 1.01, 1.1, 1.25, 2.0, -1.0, 0.0, 10.0];

/// Laws of gentle cases.
const LAWS: &[&str] = &[
    "law={ formulation = \"differential\" }",
    "law={ formulation = \"differential\", restitution = \"kinetic\" }",
    "law={ formulation = \"differential\", restitution = \"kinematic\" }",
    "law={ formulation = \"differential\", rule = \"sequential\" }",
    "law={ formulation = \"newton\" }",
    "law={ formulation = \"poisson\" }",
    "law={ formulation = \"matrix\" }",
    "law={ formulation = \"matrix\", rotational = 0.3, arm = 0.01 }",
    "law={ formulation = \"constraint\", complementarity = true }",
    "law={ formulation = \"compliant\" }",
    "law={ formulation = \"dissipation\" }",
];

/// Methods of gentle cases.
const METHODS: &[&str] = &[
    "solver.rtol=1e-6",
    "solver.rtol=1e-10",
    "solver={ method = \"rk4\", step = 0.002 }",
    "solver={ method = \"rk4\", step = 0.002, friction_events = \"projected\" }",
    "output.impact_duration=1e-3",
];

/// Words and numbers that make trouble.
const TOKENS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "5e-324",
    "0",
    "-0.0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "9223372036854775807",
    "1e-300",
    "true",
    "\"\"",
    "\"20deg\"",
    "\"pi/0\"",
    "[]",
    "{}",
    "[[1]]",
    "[0, 0, 0]",
    "[1, 2]",
    "[nan, 0, 0]",
    "1979-05-27",
    "\"world\"",
    "\"planar\"",
    "\"free\"",
    "\"revolute\"",
    "\"prismatic\"",
    "\"spherical\"",
    "\"fixed\"",
    "\"plane\"",
    "\"point\"",
    "mass",
    "density",
    "depth",
    "com",
    "inertia",
    "shape",
    "joint",
    "feature",
    "position",
    "rotation",
    "velocity",
    "angular_velocity",
    "restitution",
    "friction",
    "static_friction",
    "sphere",
    "box",
    "disk",
    "ellipse",
    "ellipsoid",
    "capsule",
    "cylinder",
    "rod",
    "quaternion",
    "axis",
    "angle",
    "limits",
    "spring",
    "ratio",
    "offset",
    "rotor_inertia",
    "mimic",
    "parent",
    "child",
    "type",
    "between",
    "combine",
    "law",
    "urdf",
    "file",
    "floating_base",
    "prefix",
    "initial",
    "solver",
    "[body.a]",
    "[[contact]]",
    "[joint.b]",
    "[[urdf]]",
    "[initial]",
    "[law]",
    "=",
    ",",
    "\n",
    "#",
    "<link name=\"a\"/>",
    "<joint name=\"j\" type=\"planar\">",
    "</joint>",
    "<origin rpy=\"1 2 3\"/>",
    "<axis xyz=\"0 0 1\"/>",
    "<mimic joint=\"hinge\"/>",
    "<inertial>",
    "</inertial>",
    "&amp;",
    "&#0;",
    "<!--",
    "-->",
    "<![CDATA[",
    "xmlns=\"x\"",
    "type=\"floating\"",
    "type=\"continuous\"",
    "µ",
    "\u{0}",
];

/// Overrides to be mutated.
const OVERRIDES: &[&str] = &[
    "body.ball.mass=0.2",
    "gravity=[0,0,0]",
    "contact.0.restitution=0.9",
    "space=planar",
    "law.formulation=newton",
    "urdf.0.floating_base=true",
    "body.\"a.b\".mass=1",
    "solver.rtol=1e-3",
    "gravity.2=-1.6",
    "urdf.0.inertia=as_written",
    "urdf.0.floating_base=planar",
    "initial.time=1",
];

/// xorshift64*, seeded by case.
struct Random(u64);

impl Random {
    fn of_case(seed: u64, case: u64) -> Self {
        let mut state = seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03;
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((state ^ (state >> 31)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() >> 11) as usize % n }
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Scenes that load, and all.
fn seeds() -> [Vec<(String, Vec<u8>)>; 2] {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let good = files(&[here.join("../../scenes"), here.join("tests/good")]);
    let mut all = files(&[here.join("tests/bad")]);
    all.extend_from_slice(&good);
    [good, all]
}

fn files(folders: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let wanted = path.extension().is_some_and(|e| e == "toml" || e == "urdf");
            if let (true, Ok(bytes)) = (wanted, std::fs::read(&path)) {
                files.push((path.display().to_string(), bytes));
            }
        }
    }
    files.sort();
    files
}

/// Where a token (word, number, sign) starts and ends.
fn token(text: &[u8], random: &mut Random) -> (usize, usize) {
    let word = |b: u8| b.is_ascii_alphanumeric() || b"_.-+".contains(&b);
    let at = random.below(text.len());
    let mut start = at;
    while start > 0 && word(text[start - 1]) && word(text[at]) {
        start -= 1;
    }
    let mut end = at;
    while end < text.len() && word(text[end]) {
        end += 1;
    }
    (start, end.max(at + 1).min(text.len()))
}

fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(text.len() + 1);
    let length = random.below(24) + 1;
    match random.below(11) {
        0 if !text.is_empty() => {
            let i = random.below(text.len());
            text[i] ^= 1 << random.below(8);
        }
        1 if !text.is_empty() => {
            let i = random.below(text.len());
            text[i] = random.next() as u8;
        }
        2 => drop(text.drain(at..(at + length).min(text.len()))),
        3 => {
            let piece = text[at..(at + 8 * length).min(text.len())].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, piece);
        }
        4 => {
            let from = random.below(other.len() + 1);
            let piece = other[from..(from + 8 * length).min(other.len())].to_vec();
            text.splice(at..at, piece);
        }
        5..=7 if !text.is_empty() => {
            let (start, end) = token(text, random);
            text.splice(start..end, random.pick(TOKENS).bytes());
        }
        8 => drop(text.splice(at..at, random.pick(TOKENS).bytes())),
        9 if !text.is_empty() => {
            // A token of the text itself in place of another one.
            let (start, end) = token(text, random);
            let word = text[start..end].to_vec();
            let (start, end) = token(text, random);
            text.splice(start..end, word);
        }
        _ => {
            // A line twice.
            let start = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
            let end =
                text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| at + i + 1);
            let line = text[start..end].to_vec();
            text.splice(start..start, line);
        }
    }
}

/// One number of a text in place of another of about its size.
fn nudge(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..64 {
        let (start, end) = if text.is_empty() { return } else { token(text, random) };
        let word = String::from_utf8_lossy(&text[start..end]).into_owned();
        let Ok(number) = word.parse::<f64>() else { continue };
        let factor = FACTORS[random.below(FACTORS.len())];
        let changed = number * factor;
        text.splice(start..end, format!("{changed}").bytes());
        return;
    }
}

/// A gentle case: numbers nudged, perhaps another law and method.
fn gentle(seeds: &[(String, Vec<u8>)], random: &mut Random) -> (String, String, Vec<String>) {
    let (name, text) = &seeds[random.below(seeds.len())];
    let mut text = text.clone();
    for _ in 0..=random.below(4) {
        nudge(&mut text, random);
    }
    let mut overrides = Vec::new();
    if random.below(2) == 0 {
        overrides.push(random.pick(LAWS).to_string());
    }
    if random.below(3) == 0 {
        overrides.push(random.pick(METHODS).to_string());
    }
    (name.clone(), String::from_utf8_lossy(&text).into_owned(), overrides)
}

/// Sees that samples are finite and times do not go back, and ends a run that takes long.
struct Witness {
    begun: Instant,
    last: f64,
    wrong: Option<String>,
}

impl Witness {
    fn go_on(&self) -> Directive {
        let late = self.begun.elapsed() > ENDLESS / 5;
        if late || self.wrong.is_some() { Directive::Stop } else { Directive::Continue }
    }
}

impl Observer for Witness {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let finite = sample.q.iter().chain(sample.v).all(|x| x.is_finite());
        if !finite || sample.t.is_nan() || sample.t < self.last {
            self.wrong =
                Some(format!("a sample at {} after {}, finite: {finite}", sample.t, self.last));
        }
        self.last = sample.t;
        self.go_on()
    }

    fn step(&mut self, _: f64) -> Directive {
        self.go_on()
    }

    fn event(&mut self, _: &Event) -> Directive {
        self.go_on()
    }
}

/// Runs a scene for a short time; what is wrong with that, if anything. Errors with a name and stops are answers.
fn try_run(scene: &Scene, open: &mut u64) -> Option<String> {
    let mut witness = Witness { begun: Instant::now(), last: f64::NEG_INFINITY, wrong: None };
    let end = scene.initial.t + SPAN;
    let mut options = scene.options.hybrid();
    options.max_events = EVENTS;
    let result = catch_unwind(AssertUnwindSafe(|| {
        let simulation = scene.simulation().ok()?;
        Some(simulation.options(options).run_with(end, &mut witness))
    }));
    let time = witness.begun.elapsed();
    match result {
        Err(_) => return Some("panic in a run".into()),
        Ok(Some(Ok(outcome))) => {
            *open += u64::from(matches!(outcome.stop, Stop::OpenLedger { .. }))
        }
        Ok(_) => {}
    }
    witness.wrong.or((time > ENDLESS).then(|| format!("endless: a run of {time:?}")))
}

/// Case number `case`: name, text, overrides, and whether it is gentle.
fn make(
    seeds: &[Vec<(String, Vec<u8>)>; 2],
    seed: u64,
    case: u64,
) -> ((String, String, Vec<String>), bool) {
    let mut random = Random::of_case(seed, case);
    if case.is_multiple_of(3) {
        return (gentle(&seeds[0], &mut random), true);
    }
    let list = &seeds[random.below(2)];
    let (name, text) = &list[random.below(list.len())];
    let other = &seeds[1][random.below(seeds[1].len())].1;
    let mut text = text.clone();
    for _ in 0..=random.below(6) {
        mutate(&mut text, other, &mut random);
    }
    let mut overrides = Vec::new();
    while random.below(4) == 0 {
        let mut set = random.pick(OVERRIDES).as_bytes().to_vec();
        if random.below(2) == 0 {
            mutate(&mut set, other, &mut random);
        }
        overrides.push(String::from_utf8_lossy(&set).into_owned());
    }
    ((name.clone(), String::from_utf8_lossy(&text).into_owned(), overrides), false)
}

/// What became of the cases.
#[derive(Default)]
struct Count {
    read: u64,
    gentle: u64,
    run: u64,
    open: u64,
}

/// Run one case; what is wrong, if anything.
fn try_case(
    (name, text, overrides): &(String, String, Vec<String>),
    gentle: bool,
    count: &mut Count,
) -> Option<String> {
    let start = Instant::now();
    count.gentle += u64::from(gentle);
    let result = catch_unwind(AssertUnwindSafe(|| Scene::parse_with(text, name, overrides)));
    let time = start.elapsed();
    match result {
        Err(_) => return Some("panic".into()),
        Ok(Err(error)) => {
            let report = error.report();
            if !report.contains("\nhint: ") || report.len() > 4000 || error.place().is_none() {
                return Some(format!("message: {report}"));
            }
        }
        Ok(Ok(scene)) => {
            count.read += 1;
            let numbers = scene.initial.q.iter().chain(scene.initial.v.iter());
            let lengths = (scene.initial.q.len(), scene.initial.v.len());
            if lengths != (scene.model.nq(), scene.model.nv())
                || !numbers.clone().all(|x| x.is_finite())
            {
                return Some("a scene with an impossible start".into());
            }
            if gentle {
                count.run += 1;
                if let Some(wrong) = try_run(&scene, &mut count.open) {
                    return Some(wrong);
                }
            }
        }
    }
    (time > SLOW).then(|| format!("slow: {time:?}"))
}

fn main() -> ExitCode {
    let Some(campaign) = Campaign::from_arguments(std::env::args().skip(1)) else {
        return ExitCode::from(2);
    };
    let seeds = seeds();
    let mut count = Count::default();
    let code = campaign.run("scenes", |case| {
        let (made, gentle) = make(&seeds, campaign.seed, case);
        let finding = try_case(&made, gentle, &mut count);
        let (name, text, overrides) = made;
        finding.map(|f| format!("{name}, {overrides:?}: {f}\n{text}\n"))
    });
    let Count { read, gentle, run, open } = count;
    println!(
        "scenes: {read} were read; {run} of {gentle} gentle ones were run, {open} with an open ledger"
    );
    code
}
