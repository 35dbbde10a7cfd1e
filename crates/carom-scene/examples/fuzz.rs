//! A mutation fuzzer of the TOML and URDF readers.
//!
//! ```text
//! cargo run --release -p carom-scene --example fuzz -- COUNT [SEED] [FILE]
//! ```
//!
//! Seeds are the shipped scenes, the test scenes and all bad inputs, every other case from one that
//! loads; mutations work on bytes and on tokens. Case number i of a seed is always the same text. A panic, a
//! message without hint, a scene with a number that is not finite, or a case slower than two seconds is a
//! finding; its text is printed, and the exit code is 1. `scripts/campaign.sh` runs this and the other fuzzers.

use carom_scene::Scene;
use carom_testing::Campaign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Longest time of one case.
const SLOW: Duration = Duration::from_secs(2);

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

/// Case number `case`: name, text, overrides.
fn make(
    seeds: &[Vec<(String, Vec<u8>)>; 2],
    seed: u64,
    case: u64,
) -> (String, String, Vec<String>) {
    let mut random = Random::of_case(seed, case);
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
    (name.clone(), String::from_utf8_lossy(&text).into_owned(), overrides)
}

/// Run one case; what is wrong, if anything.
fn try_case(name: &str, text: &str, overrides: &[String], read: &mut u64) -> Option<String> {
    let start = Instant::now();
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
            *read += 1;
            let numbers = scene.initial.q.iter().chain(scene.initial.v.iter());
            let lengths = (scene.initial.q.len(), scene.initial.v.len());
            if lengths != (scene.model.nq(), scene.model.nv())
                || !numbers.clone().all(|x| x.is_finite())
            {
                return Some("a scene with an impossible start".into());
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
    let mut read = 0;
    let code = campaign.run("scenes", |case| {
        let (name, text, overrides) = make(&seeds, campaign.seed, case);
        let finding = try_case(&name, &text, &overrides, &mut read);
        finding.map(|f| format!("{name}, {overrides:?}: {f}\n{text}\n"))
    });
    println!("scenes: {read} were read");
    code
}
