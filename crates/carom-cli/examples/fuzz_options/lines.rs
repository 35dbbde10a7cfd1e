//! Command lines: mostly options that a command knows with values that it might take, and odd ones among them.

use carom_testing::splitmix64;

/// Values that no option asks for.
const ODD: [&str; 20] = [
    "0",
    "-1",
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
    "body.bal.mass=1",
    "contact.0.restitution=2",
    "u\"r\"df=[{file=\"/etc/passwd\"}]",
    "=",
    "$a=[1, \"\u{1b}[31m\"]",
    "a=expr(1 / 0)",
    "x=at(impact, -1, ((t)))",
    "9007199254740993",
];

/// An option and values that it takes; none if it is a flag.
type Known = (&'static str, &'static [&'static str]);

const SET: Known = (
    "--set",
    &[
        "body.ball.mass=0.2",
        "contact.0.restitution=0.3",
        "contact.0.friction=0",
        "solver.until=0.1",
        "solver.rtol=1e-6",
        "output.interval=0.01",
        "initial.time=0.05",
        "gravity=[0,0,0]",
    ],
);
const TIMES: &[&str] = &["0", "0.05", "0.1", "0.45", "-1", "1e-9"];
const OUT: Known =
    ("--out", &["made", "made.svg", "film.gif", "frames", "moment.png", "deep/er/made"]);
const THREADS: Known = ("--threads", &["1", "2", "7", "99999999"]);
const DIRECTION: Known = ("--direction", &["0,0,1", "0,1,0", "-1,1,0", "0,0,0", "1,2"]);
const LAW: Known = (
    "--law",
    &[
        "newton",
        "poisson",
        "differential,restitution=kinetic",
        "matrix",
        "compliant",
        "no-such-law",
    ],
);
const LAZY: Known = ("--quiet", &[]);
const JSON: Known = ("--json", &[]);
const DAMAGED: Known = ("--damaged", &[]);
const DARK: Known = ("--dark", &[]);

/// Commands, what they are given in any case so that they end soon, and their options.
const COMMANDS: [(&str, &[&str], &[Known]); 20] = [
    (
        "run",
        &["--until", "0.2"],
        &[
            OUT,
            LAW,
            SET,
            ("--rtol", &["1e-6", "1e-12", "0.1"]),
            ("--atol", &["1e-6", "1e-12"]),
            ("--method", &["dop853", "rk4", "dopri5"]),
            ("--output-interval", &["0.01", "1", "1e-4"]),
            ("--csv", &[]),
            ("--npz", &[]),
            ("--strict", &[]),
            LAZY,
            JSON,
            ("--color", &["never", "auto"]),
        ],
    ),
    ("run", &[], &[("--until", &["0", "1e-9", "0.5", "1e9", "-1"]), OUT, SET, LAW, LAZY]),
    ("check", &[], &[SET, JSON]),
    (
        "events",
        &[],
        &[
            ("--first", &["3", "0", "1000"]),
            ("--last", &["3", "0", "1000"]),
            ("--kind", &["impact", "rest", "impact,close", "no-such"]),
            ("--contact", &["ball-ground", "x"]),
            ("--since", TIMES),
            ("--until", TIMES),
            ("--impact-duration", &["0.001", "1e-9"]),
            JSON,
            DAMAGED,
        ],
    ),
    (
        "plot",
        &["--format", "svg"],
        &[
            OUT,
            ("--only", &["energy", "energy,modes", "impulse", "overview", "phase"]),
            ("--from", TIMES),
            ("--until", TIMES),
            ("--width", &["85mm", "3in", "1mm"]),
            ("--font-size", &["8", "100"]),
            ("--no-title", &[]),
            ("--pdf", &[]),
            DARK,
            DAMAGED,
        ],
    ),
    (
        "plot",
        &["--only", "energy", "--format", "png"],
        &[("--scale", &["1", "0.1", "2"]), DARK, OUT],
    ),
    ("report", &["--out", "page.html"], &[SET, LAW, DAMAGED]),
    (
        "render",
        &["--size", "64x40", "--fps", "5"],
        &[
            OUT,
            ("--from", TIMES),
            ("--until", TIMES),
            ("--speed", &["0.5", "1", "100"]),
            ("--camera", &["top", "front", "30,20", "usual"]),
            ("--zoom", &["1", "0.1", "50"]),
            ("--follow", &[]),
            ("--no-clock", &[]),
            LAZY,
            DARK,
            SET,
        ],
    ),
    ("gallery", &["--still"], &[OUT, DARK, LAZY]),
    ("completions", &["bash"], &[]),
    ("man", &[], &[OUT]),
    ("laws", &[], &[]),
    ("impact", &[], &[("--trace", &[]), THREADS, LAW]),
    (
        "capability",
        &[],
        &[
            SET,
            DIRECTION,
            ("--directions", &["4", "20"]),
            ("--hold", &["nothing", "line", "body"]),
            ("--contacts", &["all", "foot", "x"]),
            ("--point", &["body", "tibia.foot", "x"]),
            ("--settle", &[]),
            ("--fix", &["coxa", "femur,tibia"]),
            ("--vary", &["coxa", "femur,tibia"]),
            OUT,
            JSON,
            THREADS,
            LAZY,
        ],
    ),
    (
        "capability",
        &["--map", "femur,tibia", "--grid", "3"],
        &[("--range", &["-1:1,-2:0", "0:0,1:1", "1:-1,2:2"]), DIRECTION, THREADS, OUT, SET],
    ),
    (
        "optimize",
        &["--starts", "1", "--hops", "0"],
        &[SET, DIRECTION, ("--seed", &["1", "2"]), ("--list", &["1", "0"]), JSON, THREADS, OUT],
    ),
    ("schema", &[], &[]),
    (
        "study",
        &["--samples", "3", "--set", "solver.until=0.1"],
        &[
            SET,
            (
                "--vary",
                &[
                    "contact.0.restitution=0:1:3",
                    "contact.0.restitution=lhs(0, 1)",
                    "contact.0.friction=[0, 1]",
                ],
            ),
            ("--result", &["lost=energy.lost", "n=count(impact)", "x=1 +"]),
            ("--keep", &["lost > 0", "true", "n >"]),
            ("--rows", &["rows.csv", "no-such"]),
            ("--shard", &["1/2", "3/2"]),
            ("--part-rows", &["1", "2"]),
            ("--step-limit", &["10", "1"]),
            ("--time-limit", &["1", "0.001"]),
            ("--seed", &["1"]),
            ("--dry-run", &[]),
            OUT,
            THREADS,
            LAZY,
        ],
    ),
    ("new", &[], &[]),
    ("reproduce", &[], &[("--list", &[]), THREADS]),
];

/// What commands may be given.
pub struct Files {
    /// Scenes: of a ball, two bars, a leg; and a problem of impacts.
    pub scenes: Vec<String>,
    /// The folder of a run.
    pub run: String,
    /// What no command takes.
    pub other: Vec<String>,
}

impl Files {
    /// Mostly what a command is for.
    fn pick(&self, command: &str, mut pick: impl FnMut(usize) -> usize) -> String {
        let [ball, bars, leg, problem] = &self.scenes[..] else { return self.run.clone() };
        match (pick(5), command) {
            (0, _) => self.other[pick(self.other.len())].clone(),
            (1, _) => [ball, bars, leg, problem, &self.run][pick(5)].clone(),
            (_, "events" | "plot") => self.run.clone(),
            (_, "render" | "report") => [&self.run, &self.run, ball][pick(3)].clone(),
            (_, "capability" | "optimize") => leg.clone(),
            (_, "impact") => problem.clone(),
            (_, "laws") => "newton".into(),
            (_, "reproduce") => "morgan-paths".into(),
            _ => [ball, bars, leg][pick(3)].clone(),
        }
    }
}

/// A random command line.
pub fn line(files: &Files, random: &mut u64) -> Vec<String> {
    let mut pick = |n: usize| (splitmix64(random) % n.max(1) as u64) as usize;
    let (command, given, own) = COMMANDS[pick(COMMANDS.len())];
    let mut all = vec![command.to_string()];
    match command {
        // It writes where it is told: only names within the folder of the case.
        "new" => all.push(["first", "first.toml", "", "\u{1b}[31m", "no/such"][pick(5)].into()),
        "completions" | "man" | "schema" => {}
        _ if pick(12) > 0 => all.push(files.pick(command, &mut pick)),
        _ => {}
    }
    if pick(16) > 0 || command == "study" {
        all.extend(given.iter().map(|word| word.to_string()));
    }
    for _ in 0..pick(4) {
        let options = if pick(16) == 0 { COMMANDS[pick(COMMANDS.len())].2 } else { own };
        let Some((option, values)) = options.get(pick(options.len())) else { continue };
        all.push(option.to_string());
        match (pick(8), values.is_empty()) {
            (0, _) => {}
            (1, _) => all.push(ODD[pick(ODD.len())].into()),
            (_, true) => {}
            _ => all.push(values[pick(values.len())].into()),
        }
    }
    all
}

/// Problems of impacts, mutated.
pub fn problem(rod: &[u8], random: &mut u64) -> Vec<u8> {
    const WORDS: [&str; 16] = [
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
        "0.5",
        "1",
        "-0.25",
        "3",
    ];
    let mut pick = |n: usize| (splitmix64(random) % n.max(1) as u64) as usize;
    let mut bytes = rod.to_vec();
    for _ in 0..pick(5) {
        if bytes.is_empty() {
            break;
        }
        let place = pick(bytes.len());
        let digits = bytes[place..].iter().position(u8::is_ascii_digit).map(|i| place + i);
        match (pick(8), digits) {
            (0..=5, Some(start)) => {
                let number = |b: &u8| !(b.is_ascii_digit() || b".e-".contains(b));
                let end = bytes[start..].iter().position(number).map_or(bytes.len(), |i| start + i);
                bytes.splice(start..end, WORDS[pick(WORDS.len())].bytes());
            }
            (6, _) => drop(bytes.drain(place..(place + 1 + pick(60)).min(bytes.len()))),
            _ => bytes[place] ^= 1 << pick(8),
        }
    }
    bytes
}
